package draft

import (
	"path"
	"strings"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/problem"
)

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
