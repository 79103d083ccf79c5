package build

import (
	"bytes"
	"fmt"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// mainNames are the file names, without ending, that a main file may have.
var mainNames = []string{"main", "Main", "__main__", "index", "src/main", "src/Main", "src/index"}

// mainText is what the main file of a program in several files has and the others have
// not, in languages that have a word for it. It is looked for in the text as it is: a
// comment may mislead it, and a file with one of the mainNames is preferred.
var mainText = map[string]*regexp.Regexp{
	"haskell": regexp.MustCompile(`(?m)^main\s*(?:::|=)`),
	"kotlin":  kotlinMain,
	"pascal":  regexp.MustCompile(`(?mi)^\s*program\s+\w+`),
	"pypy3":   pythonMain,
	"python3": pythonMain,
	"rust":    regexp.MustCompile(`(?m)^(?:pub\s+)?fn\s+main\s*\(`),
}

var pythonMain = regexp.MustCompile(`(?m)^if\s+__name__\s*==\s*["']__main__["']`)

// settle finds the main file and, where programs have one, the main class.
func (s *Source) settle(languages map[string]Language) error {
	if s.Language == Scripts {
		return nil
	}
	l := languages[s.Language]
	list := s.sources(l)
	if len(list) == 0 {
		return fmt.Errorf("%s: no %s source file (hint: they end in %s)", s.Name, s.Language, strings.Join(l.Match, ", "))
	}
	s.empty = !slices.ContainsFunc(list, func(file string) bool { return len(bytes.TrimSpace(s.files[file])) > 0 })
	if s.Language == "java" {
		return s.settleJava(list)
	}
	if err := s.settleMain(l, list); err != nil {
		return err
	}
	if s.Language == "kotlin" {
		s.class = kotlinClass(s.main, s.files[s.main])
		if s.entry != "" && s.entry != s.main && s.entry != stem(s.main) {
			s.class = s.entry
		}
	}
	return nil
}

// settleMain finds the main file, unless it is known.
func (s *Source) settleMain(l Language, list []string) error {
	if s.main != "" {
		return nil
	}
	if slices.Contains(pythons, s.Language) && s.files["__init__.py"] != nil && s.files["__main__.py"] != nil {
		s.settlePackage()
		return nil
	}
	if done, err := s.settleEntry(l, list); done || err != nil {
		return err
	}
	if len(list) == 1 {
		s.main = list[0]
		return nil
	}
	for _, base := range mainNames {
		for _, file := range list {
			if stem(file) == base {
				s.main = file
				return nil
			}
		}
	}
	var candidates []string
	if text := mainText[s.Language]; text != nil {
		candidates = slices.DeleteFunc(slices.Clone(list), func(file string) bool { return !text.Match(s.files[file]) })
	}
	switch {
	case len(candidates) == 1:
		s.main = candidates[0]
	case !usesMain(l), s.first && len(candidates) == 0:
		s.main = list[0]
	case s.first:
		s.main = candidates[0]
	case len(candidates) > 1:
		return fmt.Errorf("%s: several main files: %s (hint: call the right one main%s)", s.Name, strings.Join(candidates, ", "), l.Match[0])
	default:
		return fmt.Errorf("%s: no main file among %d (hint: call it main%s)", s.Name, len(list), l.Match[0])
	}
	return nil
}

// settleEntry takes the file that is said to be the main one, with or without its
// ending, and reports whether one is. In Kotlin it may be a class, which settle takes.
func (s *Source) settleEntry(l Language, list []string) (bool, error) {
	if s.entry == "" || !usesMain(l) {
		return false, nil
	}
	for _, file := range list {
		if file == s.entry || stem(file) == s.entry {
			s.main = file
			return true, nil
		}
	}
	if s.Language == "kotlin" {
		return false, nil
	}
	return false, fmt.Errorf("%s: no %s source file %s, which is said to be the one to start (hint: there is %s)", s.Name, s.Language, s.entry, strings.Join(list, ", "))
}

// usesMain tells whether a language must know which file is the main one.
func usesMain(l Language) bool {
	return slices.ContainsFunc(slices.Concat(l.Build, l.Run), func(a string) bool { return strings.Contains(a, "{main}") || strings.Contains(a, "{stem}") })
}

// pythons are the languages that know packages of Python.
var pythons = []string{"python3", "pypy3"}

// pythonName is what a Python package may be called.
var pythonName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// pythonLauncher is the main file of a Python package. It starts the package as
// python3 -m does, so that relative imports work, and lets its modules find each
// other by their bare names as well.
const (
	pythonLauncher     = "__tribunal__.py"
	pythonLauncherText = `import os, runpy, sys
sys.path.insert(1, os.path.join(sys.path[0], %[1]q))
runpy.run_module(%[1]q, run_name="__main__", alter_sys=True)
`
)

// settlePackage moves the files of a Python package into a folder of its name, for
// a package is imported from the folder above.
func (s *Source) settlePackage() {
	name := "submission"
	if full, err := filepath.Abs(s.Name); err == nil && pythonName.MatchString(filepath.Base(full)) {
		name = filepath.Base(full)
	}
	moved := map[string][]byte{pythonLauncher: fmt.Appendf(nil, pythonLauncherText, name)}
	for file, text := range s.files {
		moved[path.Join(name, file)] = text
	}
	s.files, s.main = moved, pythonLauncher
}
