package draft

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/problem"
)

// Program says how a program of the package is built, as far as the file or folder at its path does not say it.
type Program struct {
	Files      []string          // of the package, if they and not its path make it up; the first is the main one
	Own        map[string][]byte // files of judge's own in Python that are the program, and Files are below PackageDir; nil for none
	Main       string            // the main one of own
	Language   string            // "" if its name says it, and for submissions
	Macros     []string          // see defining
	Linked     Linking           // what is compiled with it, if places of included files matter
	Unbuffered bool              // its output, if it is in C or C++
	adapter    *Adapter          // translates its protocol; nil if the judge speaks it
	Script     string            // starts it; "" for none
}

// PackageDir is where the files of the package are, below those of judge's own that run them.
const PackageDir = "package"

// Describe returns what loaders say about the program rel.
func (p *Draft) Describe(rel string) *Program {
	if p.programs == nil {
		p.programs = map[string]*Program{}
	}
	if p.programs[rel] == nil {
		p.programs[rel] = &Program{}
	}
	return p.programs[rel]
}

// Known returns what loaders have said about the program rel.
func (p *Draft) Known(rel string) *Program { return cmp.Or(p.programs[rel], &Program{}) }

// Program reads one of the package's own programs, a file or a folder, with the package's headers
// added and constants filled in. It implements [problem.Files].
func (p *Draft) Program(rel string, languages map[string]build.Language) (*build.Source, error) {
	for i := range p.Submissions {
		if s := &p.Submissions[i]; s.Path == rel { // rel is a submission that serves as the reference
			return p.Own(s, languages)
		}
	}
	one := p.Known(rel)
	if one.Own != nil {
		return p.ownProgram(rel, one, languages)
	}
	if one.Files != nil {
		rel = one.Files[0]
	}
	source, err := p.openProgram(rel, one, languages)
	if err != nil {
		return nil, err
	}
	if source, err = p.headers(source, languages); err != nil {
		return nil, err
	}
	switch {
	case one.adapter != nil:
		if source, err = p.place(rel, source, languages); err != nil {
			return nil, err
		}
		return p.around(one.adapter, source, languages)
	case one.Script != "":
		return source.Scripted(map[string][]byte{"run": []byte(one.Script)}), nil
	case one.Macros != nil && p.Inclusion == nil:
		if source, err = Defining(one.Macros, source, languages); err != nil {
			return nil, err
		}
	}
	if one.Unbuffered {
		if source, err = unbuffer(source, languages); err != nil {
			return nil, err
		}
	}
	if source, err = p.place(rel, source, languages); err != nil {
		return nil, err
	}
	return p.withConstants(p.Show(rel), source, languages)
}

// openProgram reads the files of a program, in the language that the package gives if it gives one.
func (p *Draft) openProgram(rel string, one *Program, languages map[string]build.Language) (source *build.Source, err error) {
	if err := p.VisitProgram(rel, nil); err != nil {
		return nil, err
	}
	if one.Language != "" {
		source, err = build.OpenFrom(p.File(rel), one.Language, build.Origin{Root: p.Tree.Root, Path: p.Tree.At(rel), First: true}, languages)
	} else {
		source, err = build.OpenProgram(p.Tree.Root, p.Tree.At(rel), p.File(rel), languages)
	}
	if err == nil && len(one.Files) > 1 {
		texts := map[string][]byte{}
		for _, rel := range one.Files[1:] {
			text, err := p.Bytes(rel)
			if err != nil {
				return nil, err
			}
			texts[path.Base(rel)] = text
		}
		source, err = source.With(texts, languages)
	}
	if err != nil {
		return nil, build.Located(p.Show(rel), err)
	}
	return source, nil
}

// ownProgram returns a program of judge's own that runs files of the package.
func (p *Draft) ownProgram(rel string, one *Program, languages map[string]build.Language) (*build.Source, error) {
	texts := maps.Clone(one.Own)
	for _, file := range one.Files {
		text, err := p.Bytes(file)
		if err != nil {
			return nil, err
		}
		texts[path.Join(PackageDir, file)] = text
	}
	source, err := build.Read(p.Show(rel), one.Main, bytes.NewReader(texts[one.Main]), pythonSet, languages)
	if err == nil && len(texts) > 1 {
		source, err = source.With(texts, languages)
	}
	if err != nil {
		return nil, build.Located(p.Show(rel), err)
	}
	return source, nil
}

const pythonSet = "python3"

// Defining returns a source with macros, such as "SIZE 10", defined in its files in C, C++ and Pascal,
// as the tools of a format define them when they compile. Line numbers stay the same.
func Defining(macros []string, s *build.Source, languages map[string]build.Language) (*build.Source, error) {
	if s.Language == build.Binary {
		return s, nil
	}
	inPascal := ""
	for _, macro := range macros {
		name, _, _ := strings.Cut(macro, " ")
		inPascal += "{$DEFINE " + name + "}"
	}
	texts := map[string][]byte{}
	for name, text := range s.Texts() {
		text = bytes.TrimPrefix(text, []byte("\uFEFF"))
		switch path.Ext(name) {
		case ".c", ".cpp", ".cc":
			texts[name] = append(defines(macros), text...)
		case ".pas":
			texts[name] = append([]byte(inPascal), text...)
		}
	}
	if len(texts) == 0 {
		return s, nil
	}
	return s.With(texts, languages)
}

// defines returns the lines that define macros in C; nil if there are none.
func defines(macros []string) (lines []byte) {
	for _, macro := range macros {
		lines = fmt.Appendf(lines, "#define %s\n", macro)
	}
	if lines == nil {
		return nil
	}
	return append(lines, "#line 1\n"...)
}

// Macros returns the macros that flags of a compiler define, as for defining, and those of the other
// flags that may matter. Flags about optimization, warnings, libraries and the like are replaced by
// those of the judge.
func Macros(flags []string) (list, unused []string) {
	for i := 0; i < len(flags); i++ {
		flag := flags[i]
		if flag == "-D" && i+1 < len(flags) {
			i++
			flag += flags[i]
		}
		if macro, ok := strings.CutPrefix(flag, "-D"); ok {
			name, value, given := strings.Cut(macro, "=")
			if !given {
				value = "1"
			}
			list = append(list, strings.ReplaceAll(name+" "+value, "\n", " "))
		} else if !slices.ContainsFunc([]string{"-O", "-std=", "-W", "-g", "-l", "-m", "-f", "-pthread", "-w"}, func(known string) bool { return strings.HasPrefix(flag, known) }) {
			unused = append(unused, flag)
		}
	}
	return list, unused
}

// Unbuffering makes the standard output of a program in C or C++ unbuffered, so that it need not flush.
const Unbuffering = `#include <stdio.h>

__attribute__((constructor)) static void unbuffer(void) { setvbuf(stdout, 0, _IONBF, 0); }
`

// UnbufferingFile is its name, without the ending of the language.
const UnbufferingFile = "unbuffered."

// unbuffer returns a program with what makes its output unbuffered, if it is in C or C++.
func unbuffer(s *build.Source, languages map[string]build.Language) (*build.Source, error) {
	if s.Language != "c" && s.Language != "cpp" {
		return s, nil
	}
	return s.With(map[string][]byte{UnbufferingFile + s.Language: []byte(Unbuffering)}, languages)
}

// Adapter makes of a program that has a protocol of its own a validator or an interactor of the protocol
// [problem.ICPC]: a script calls the function program, which runs it.
type Adapter struct {
	Script string
	Args   []string // before those that the script passes
	Then   string   // path of a checker of CMS' kind that judges what the program printed; "" for none
	Log    string   // name of a file that the program gets as a further argument; "" for none
}

// Manager is the script for a manager of CMS or TPS, which runs beside a submission:
//
//	manager from-submission to-submission [log] < input
//
// The first arguments are the paths of two pipes, here its own standard input and output, which it opens
// once more; only TPS has the third. It finds the input in the file input.txt, too. It answers as a checker
// of CMS does: the fraction of the points on standard output, a message on standard error. If a checker
// follows, that judges what the manager printed, and answers instead:
//
//	checker input answer printed
//
// The script passes the fraction on as it is, and the judge reads it. Of a manager that SIGPIPE killed it
// says what the judge looks for.
const Manager = `ln -s "$1" input.txt 2>/dev/null
exec 3<&0 4>&1
program /dev/fd/3 /dev/fd/4 $log <"$1" >score.out 2>message.out
status=$?
exec 3<&- 4>&- </dev/null >/dev/null
if [ $status != 0 ]; then
	cat message.out >&2
	[ $status = 141 ] && echo "broken pipe" >&2
	exit 1
fi
if [ $checks = yes ]; then
	mv score.out printed.out
	checker "$1" "$2" printed.out >score.out 2>message.out || { cat message.out >&2; exit 1; }
fi
read -r score <score.out
read -r message <message.out
printf '%s\n' "${message#translate:}" >"$3judgemessage.txt"
printf %s "$score" >"$3score_multiplier.txt"
case $score in
*[1-9]*) ;;
0*|.0*) exit 43 ;;
esac
exit 42
`

// adapters lists how adapted programs are compiled and run, by the extensions of their files.
var adapters = map[string]struct{ build, run string }{
	".c":   {"cc -O2 -std=gnu17 -o program.exe {} -lm", "./program.exe"},
	".cpp": {"c++ -O2 -std=gnu++20 -o program.exe {}", "./program.exe"},
	".cc":  {"c++ -O2 -std=gnu++20 -o program.exe {}", "./program.exe"},
	".py":  {"", "python3 {}"},
}

// Adapt makes the program rel the only output validator of the package, by an adapter.
func (p *Draft) Adapt(rel string, a Adapter) error {
	for _, rel := range []string{rel, a.Then} {
		if _, known := adapters[path.Ext(rel)]; !known && rel != "" {
			return p.Tree.Errorf(rel, 0, "write it in C, C++ or Python", "in a language in which such a program is not supported")
		}
	}
	p.Describe(rel).adapter = &a
	p.Validation.Protocol, p.Validation.Programs = problem.Adapted, []string{rel}
	return nil
}

// around returns the source of a program with the adapter's scripts.
func (p *Draft) around(a *Adapter, s *build.Source, languages map[string]build.Language) (*build.Source, error) {
	// command returns a function of the shell that runs a program, and the command that compiles it.
	command := func(name, file string) (function, build string) {
		kind, file := adapters[path.Ext(file)], ShellQuoted("./"+file)
		fill := strings.NewReplacer("{}", file, "program.exe", name+".exe")
		if kind.build != "" {
			build = fill.Replace(kind.build) + "\n"
		}
		return name + "() { " + fill.Replace(kind.run), build
	}
	run, compile := command("program", s.Main())
	for _, arg := range a.Args {
		run += " " + ShellQuoted(arg)
	}
	run, checks := run+" \"$@\"; }\n", "no"
	texts := map[string][]byte{}
	if a.Then != "" {
		checker, err := p.Program(a.Then, languages)
		if err != nil {
			return nil, err
		}
		for name, text := range checker.Texts() {
			texts["checker/"+name] = text
		}
		function, build := command("checker", "checker/"+checker.Main())
		run, compile, checks = run+function+" \"$@\"; }\n", compile+build, "yes"
	}
	texts["run"] = []byte("#!/bin/sh\nchecks=" + checks + " log=" + a.Log + "\n" + run + a.Script)
	if compile != "" {
		texts["build"] = []byte("#!/bin/sh\nset -e\n" + compile)
	}
	return s.Scripted(texts), nil
}

// ShellQuoted returns the text as one word of a shell script.
func ShellQuoted(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }
