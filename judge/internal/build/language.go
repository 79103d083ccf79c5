package build

import (
	"fmt"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Language says how sources of one programming language become a program. The
// commands are argument lists in which these stand for something else:
//
//	{src}     all source files of the language, one argument each
//	{main}    the main source file; in the run commands of Java and Kotlin the main class
//	{stem}    the main source file without its ending
//	{exe}     the executable to produce, or the beginning of a name for what is one's like
//	{dir}     the folder with the sources and whatever the build leaves there
//	{memory}  the memory limit of the run, as in 64m
//	{heap}    twice that in MiB, as in 128: a bound for a runtime that has one of its own
//	{stack}   half of it, as in 32 and at most 64: a bound for a stack of a runtime's own
//	{cpus}    the CPUs the run may use
//
// The first word of a command names a tool, or several with | between them, of which
// the first that is found is taken.
type Language struct {
	Match []string // file name endings, such as .cpp
	// Shebang names interpreters. A language that has some takes a file with one of its
	// endings when the first line is #! with one of them, and goes before those that
	// have none; nil takes every file with one of the endings.
	Shebang []string
	Build   []string // nil when there is nothing to compile or check
	Run     []string // nil when the build produces an executable to run as it is
	Version []string // prints what toolchain this is
	// Root prints the folder of the toolchain, whose bin folder is searched for the
	// commands first; nil when the commands are found by PATH alone.
	Root []string
	// Mounts are host files or folders, possibly patterns, that the commands need
	// besides shared libraries, their own files and Root; what a host lacks is left
	// out. The compiler sees them and, when there is a run command, the program. nil
	// shows all of /usr, /bin and /lib: whoever names no mounts may need any of it.
	Mounts []string
	Env    []string // added to the environment of both commands; {dir} is filled in
	// Keep names the files that the build makes for the run command, as patterns of
	// path.Match on the last element of a path; {exe} is filled in. Whatever else it
	// leaves is lost, and the program finds its sources as they were handed in. An empty
	// list keeps none, as for a language whose build only reads; nil keeps every file,
	// for only the author of a language knows what its tools make. Without a run command
	// {exe} alone is kept, whatever this says.
	Keep []string
	// Package is what to install on Debian for the commands, in words; "" when that is
	// not known.
	Package string
}

// Binary is the language of a submitted executable. No other may have its name.
const Binary = "binary"

// known lists the languages for messages.
func known(languages map[string]Language) string {
	names := make([]string, 0, len(languages))
	for name := range languages {
		names = append(names, name)
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}

// matches returns the languages, sorted, that take a file of that name, whose text
// begins with start: those that its first line names, if any, or else those that take
// all files with its ending.
func matches(languages map[string]Language, file string, start []byte) []string {
	var named, others []string
	interpreter := shebang(start)
	for name, l := range languages {
		switch {
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

// startSize is how much of a file must be known to tell its language, and lineSize how
// long a first line may be that names an interpreter.
const (
	startSize = 4 << 10
	lineSize  = 128
)

// shebang returns the name of the interpreter that a file asks for in its first line,
// as in #!/usr/bin/env pypy3 or #!/usr/bin/pypy3, and "" when it asks for none.
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

// Check reports the first thing wrong with a language, or nil.
func (l Language) Check() error {
	if len(l.Build) == 0 && len(l.Run) == 0 {
		return fmt.Errorf("needs a build or a run command (hint: build: [tool, -o, \"{exe}\", \"{src}\"])")
	}
	for _, m := range l.Match {
		if !strings.HasPrefix(m, ".") || len(m) < 2 {
			return fmt.Errorf("match %q is not a file name ending (hint: write it like .cpp)", m)
		}
	}
	for _, command := range [][]string{l.Build, l.Run, l.Version} {
		if len(command) > 0 && slices.Contains(strings.Split(command[0], "|"), "") {
			return fmt.Errorf("%q names no tool (hint: name one, or several as in lua5.4|lua)", command[0])
		}
	}
	for _, pattern := range l.Keep {
		if _, err := path.Match(pattern, ""); err != nil || strings.Contains(pattern, "/") {
			return fmt.Errorf("keep %q is not a pattern of file names (hint: write it like *.class)", pattern)
		}
	}
	if len(l.Run) == 0 && !slices.ContainsFunc(l.Build, func(a string) bool { return strings.Contains(a, "{exe}") }) {
		return fmt.Errorf("without a run command the build command must produce {exe}")
	}
	for _, arg := range slices.Concat(l.Build, l.Run, l.Keep) {
		if placeholder.MatchString(placeholders.Replace(arg)) {
			return fmt.Errorf("unknown placeholder in %q (hint: there are {src} {main} {stem} {exe} {dir} {memory} {heap} {stack} {cpus})", arg)
		}
	}
	return nil
}

// keeps reports whether a file that the build has made, a slash path below its folder,
// is part of the program.
func (l Language) keeps(file string) bool {
	if len(l.Run) == 0 {
		return file == exeName
	}
	return l.Keep == nil || slices.ContainsFunc(l.Keep, func(pattern string) bool {
		ok, err := path.Match(strings.ReplaceAll(pattern, "{exe}", exeName), path.Base(file))
		return ok && err == nil
	})
}

// placeholder is what looks like one: a script that stands in a command may have other
// braces.
var placeholder = regexp.MustCompile(`\{\w*\}`)

var placeholders = strings.NewReplacer("{src}", "", "{main}", "", "{stem}", "", "{exe}", "", "{dir}", "", "{memory}", "", "{heap}", "", "{stack}", "", "{cpus}", "")
