package build

import (
	"fmt"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Language describes how to build and run programs of one programming language. Its commands are
// argument lists with these placeholders:
//
//	{src}     all source files of the language, one argument each
//	{main}    the main source file; in the run commands of Java and Kotlin the main class
//	{stem}    the main source file without its extension
//	{exe}     the executable to produce; other products may add an extension, as in {exe}.jar
//	{dir}     the folder with the sources and the files that the build makes
//	{memory}  the memory limit of the run, as in 64m
//	{heap}    twice the memory limit in MiB, as in 128, for the heap limit of a runtime
//	{stack}   half the memory limit in MiB, as in 32, at most 64, for the stack limit of a runtime
//	{cpus}    the number of CPUs that the run may use
//
// The first word of a command names a tool, or alternatives separated by |; the first that is found
// is used.
type Language struct {
	Match []string // file name extensions, such as .cpp
	// Assigned lists extensions of further files in this language, whatever their first lines. The
	// tools may not know them, so a single file is compiled under a name with the first of Match.
	Assigned []string
	// Shebang names interpreters. A language with a Shebang matches a file with one of its
	// extensions only if the first line is #! and names one of the interpreters; it then has
	// precedence over languages without a Shebang. nil matches every file with one of the
	// extensions.
	Shebang []string
	Build   []string // nil if there is nothing to compile or check
	Run     []string // nil if the build produces an executable
	Version []string // command that prints the toolchain's version
	// Root is a command that prints the folder of the toolchain. The judge searches its bin folder
	// for the tools before PATH; nil if PATH finds them.
	Root []string
	// Mounts lists host files and folders, or patterns of them, that the commands need besides
	// shared libraries, the files of their tools and Root; paths that do not exist are skipped.
	// They are mounted for the compiler and, if there is a run command, for the program. nil mounts
	// all of /usr, /bin and /lib, because a language without mounts may need anything there.
	Mounts []string
	Env    []string // added to the environment of both commands; may contain {dir} {memory} {heap} {stack} {cpus}
	// Keep lists the files that the build makes for the run command, as patterns of path.Match for
	// the last element of a path; they may contain {exe}. The program consists of these files and
	// the sources as they were submitted; all others are dropped. An empty list keeps no file of a
	// build that only checks. nil keeps all files of the build, unchanged: that is for
	// languages of runner.yaml, whose tools the judge does not know. Without a run command only {exe} is kept,
	// whatever Keep lists.
	Keep []string
	// Options lists the compiler options that a submission may bring, as regular expressions of a whole option. They
	// must neither name files nor call programs: the compiler reads what the judge mounts. The build command takes them
	// at its end.
	Options []string
	// Package names the Debian packages that install the commands, or is the address from which to
	// install them if Debian has none that works; "" if unknown.
	Package string
	Debug   *Debug // how to build for finding faults; nil if there is no such build
}

// Binary is the language of a submitted executable. No language of Options may have its name.
const Binary = "binary"

// Assign returns a copy of languages in which all files with the extension ext, such as .cc, are in
// the named language.
func Assign(languages map[string]Language, ext, name string) (map[string]Language, error) {
	if _, ok := languages[name]; !ok {
		return nil, fmt.Errorf("unknown language %q (hint: the languages are %s)", name, known(languages))
	}
	assigned := map[string]Language{}
	for other, l := range languages {
		if other == name {
			l.Assigned = append(slices.Clone(l.Assigned), ext)
		} else {
			without := func(list []string) []string {
				return slices.DeleteFunc(slices.Clone(list), func(m string) bool { return m == ext })
			}
			l.Match, l.Assigned = without(l.Match), without(l.Assigned)
		}
		assigned[other] = l
	}
	return assigned, nil
}

// known returns the names of the languages for messages.
func known(languages map[string]Language) string {
	names := make([]string, 0, len(languages))
	for name := range languages {
		names = append(names, name)
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}

// matches returns the languages, sorted, of a file whose text begins with start: those whose
// Shebang matches its first line or, if there are none, those without a Shebang that match its
// extension.
func matches(languages map[string]Language, file string, start []byte) []string {
	var named, others []string
	interpreter := shebang(start)
	for name, l := range languages {
		switch {
		case slices.Contains(l.Assigned, filepath.Ext(file)):
			named = append(named, name)
		case !slices.Contains(l.Match, filepath.Ext(file)):
		case l.Shebang == nil:
			others = append(others, name)
		case slices.Contains(l.Shebang, interpreter):
			named = append(named, name)
		}
	}
	if named == nil {
		named = others
	}
	slices.Sort(named)
	return named
}

// interpreted returns the languages, sorted, of a script without an extension whose text begins with
// start: those whose interpreter the first line names.
func interpreted(languages map[string]Language, start []byte) (found []string) {
	interpreter := shebang(start)
	for name, l := range languages {
		tools := l.Shebang
		if tools == nil && slices.Contains(l.Run, "{dir}/{main}") { // the tool runs the source itself
			tools = strings.Split(l.Run[0], "|")
		}
		if interpreter != "" && slices.Contains(tools, interpreter) {
			found = append(found, name)
		}
	}
	slices.Sort(found)
	return found
}

// startSize is the number of bytes at the beginning of a file that decide its language; lineSize is
// the length of the longest first line that may name an interpreter.
const (
	startSize = 4 << 10
	lineSize  = 128
)

// shebang returns the name of the interpreter in the first line of a file, as in
// #!/usr/bin/env pypy3 or #!/usr/bin/pypy3; "" for none.
func shebang(start []byte) string {
	line, _, _ := strings.Cut(string(start[:min(len(start), lineSize)]), "\n")
	line, ok := strings.CutPrefix(line, "#!")
	words := strings.Fields(line)
	if !ok || len(words) == 0 {
		return ""
	}
	name := filepath.Base(words[0])
	if name == "env" {
		words = slices.DeleteFunc(words[1:], func(w string) bool { return strings.HasPrefix(w, "-") })
		if len(words) == 0 {
			return ""
		}
		name = filepath.Base(words[0])
	}
	return name
}

// Check returns the first error in the description of a language, or nil.
func (l Language) Check() error {
	if len(l.Build) == 0 && len(l.Run) == 0 {
		return fmt.Errorf("needs a build or a run command (hint: build: [tool, -o, \"{exe}\", \"{src}\"])")
	}
	for _, m := range l.Match {
		if !strings.HasPrefix(m, ".") || len(m) < 2 {
			return fmt.Errorf("match %q is not a file name extension (hint: such as .cpp)", m)
		}
	}
	for _, command := range [][]string{l.Build, l.Run, l.Version} {
		if len(command) > 0 && slices.Contains(strings.Split(command[0], "|"), "") {
			return fmt.Errorf("%q names no tool (hint: name one, or alternatives as in lua5.4|lua)", command[0])
		}
	}
	for _, pattern := range l.Options {
		if _, err := regexp.Compile(pattern); err != nil {
			return fmt.Errorf("options: %w", err)
		}
	}
	for _, pattern := range l.Keep {
		if _, err := path.Match(pattern, ""); err != nil || strings.Contains(pattern, "/") {
			return fmt.Errorf("keep %q is not a pattern of file names (hint: such as *.class)", pattern)
		}
	}
	if len(l.Run) == 0 && !slices.ContainsFunc(l.Build, func(a string) bool { return strings.Contains(a, "{exe}") }) {
		return fmt.Errorf("without a run command the build command must produce {exe}")
	}
	for _, arg := range slices.Concat(l.Build, l.Run, l.Keep) {
		if placeholder().MatchString(placeholders.Replace(arg)) {
			return fmt.Errorf("unknown placeholder in %q (hint: there are {src} {main} {stem} {exe} {dir} {memory} {heap} {stack} {cpus})", arg)
		}
	}
	for _, setting := range l.Env {
		if placeholder().MatchString(inEnv.Replace(setting)) {
			return fmt.Errorf("unknown placeholder in %q (hint: there are {dir} {memory} {heap} {stack} {cpus})", setting)
		}
	}
	return nil
}

// mountPatterns returns the patterns of what the language's commands need: with its Mounts also
// alternatives, unless they are an empty list.
func (l Language) mountPatterns() []string {
	switch {
	case l.Mounts == nil:
		return everything
	case len(l.Mounts) == 0:
		return l.Mounts
	}
	return append(slices.Clone(l.Mounts), alternatives)
}

// keeps reports whether a file that the build has made, a slash path below its folder, is part of
// the program.
func (l Language) keeps(file string) bool {
	if len(l.Run) == 0 {
		return file == exeName
	}
	return l.Keep == nil || slices.ContainsFunc(l.Keep, func(pattern string) bool {
		ok, err := path.Match(strings.ReplaceAll(pattern, "{exe}", exeName), path.Base(file))
		return ok && err == nil
	})
}

// placeholder matches braces around a word. Scripts in commands may contain other braces.
var placeholder = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\{\w*\}`) })

// inEnv removes the placeholders of Env.
var inEnv = strings.NewReplacer("{dir}", "", "{memory}", "", "{heap}", "", "{stack}", "", "{cpus}", "")

var placeholders = strings.NewReplacer("{src}", "", "{main}", "", "{stem}", "", "{exe}", "", "{dir}", "", "{memory}", "", "{heap}", "", "{stack}", "", "{cpus}", "")
