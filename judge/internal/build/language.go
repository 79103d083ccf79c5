package build

import (
	"fmt"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Language describes how to build and run programs of one programming language. Its commands are
// argument lists with these placeholders:
//
//	{src}     all source files of the language, one argument each
//	{main}    the main source file; in the run commands of Java and Kotlin the main class
//	{stem}    the main source file without its extension
//	{exe}     the executable to produce, or the stem of another file to produce, as in {exe}.jar
//	{dir}     the folder with the sources and the files that the build makes
//	{memory}  the memory limit of the run, as in 64m
//	{heap}    twice that in MiB, as in 128, for the heap limit of a runtime
//	{stack}   half of it in MiB, as in 32, at most 64, for the stack limit of a runtime
//	{cpus}    the CPUs the run may use
//
// The first word of a command names a tool, or several separated by |, of which the first that is
// found is used.
type Language struct {
	Match []string // file name extensions, such as .cpp
	// Shebang names interpreters. A language with a Shebang matches a file with one of its
	// extensions only if the first line is #! with one of them, and then has precedence over
	// languages without; nil matches every file with one of the extensions.
	Shebang []string
	Build   []string // nil if there is nothing to compile or check
	Run     []string // nil if the build produces an executable
	Version []string // prints the toolchain's version
	// Root prints the folder of the toolchain, whose bin folder is searched for the commands first;
	// nil if PATH alone finds the commands.
	Root []string
	// Mounts are host files or folders, possibly patterns, that the commands need besides shared
	// libraries, their own files and Root; those that a host lacks are skipped. The compiler sees
	// them and, if there is a run command, the program. nil mounts all of /usr, /bin and /lib,
	// because a language without mounts may need anything there.
	Mounts []string
	Env    []string // added to the environment of both commands; may contain {dir}
	// Keep lists the files that the build makes for the run command, as patterns of path.Match on
	// the last element of a path, with {exe}. Other files that it leaves are dropped, and the
	// program sees its sources as they were submitted. An empty list keeps none, for a build that
	// only checks; nil keeps every file, for languages of runner.yaml, whose tools the judge does
	// not know. Without a run command only {exe} is kept, whatever Keep lists.
	Keep []string
	// Package names what to install on Debian for the commands; "" if unknown.
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

// matches returns the languages, sorted, of a file whose text begins with start: those that its
// first line names, if any, or else those that match all files with its extension.
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

// startSize is the length of the beginning of a file that decides its language, and lineSize the
// longest first line that names an interpreter.
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

// placeholder matches what looks like a placeholder. A script in a command may have other braces.
var placeholder = regexp.MustCompile(`\{\w*\}`)

var placeholders = strings.NewReplacer("{src}", "", "{main}", "", "{stem}", "", "{exe}", "", "{dir}", "", "{memory}", "", "{heap}", "", "{stack}", "", "{cpus}", "")
