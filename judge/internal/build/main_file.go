package build

import (
	"bytes"
	"cmp"
	"fmt"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// mainNames lists the names of main files, without extension, in the order of precedence.
var mainNames = []string{"main", "Main", "__main__", "index", "src/main", "src/Main", "src/index"}

// A mainMark is the code that only main files of a language have. Comments and literals do not count.
type mainMark struct {
	pattern *regexp.Regexp
	syntax  syntax
}

func mark(pattern string, x syntax) func() *mainMark {
	return sync.OnceValue(func() *mainMark { return &mainMark{regexp.MustCompile(pattern), x} })
}

// mainMarks has the marks by language, except Haskell's. otherText matches code that a main file
// never has.
var (
	mainMarks = map[string]func() *mainMark{
		"c":       cMain,
		"cpp":     cMain,
		"csharp":  mark(`\bstatic\s+(?:async\s+)?(?:void|int|Task(?:<int>)?)\s+Main\s*\(`, braces),
		"go":      mark(`(?m)^func\s+main\s*\(\s*\)`, braces),
		"java":    mark(`\bvoid\s+main\s*\(`, braces),
		"kotlin":  mark(`\bfun\s+main\s*\(`, braces),
		"pypy3":   pythonMain,
		"python3": pythonMain,
		"rust":    mark(`(?m)^(?:pub(?:\s*\([^)]*\))?\s+)?fn\s+main\s*\(`, syntaxes["rust"]),
	}
	otherText = map[string]func() *regexp.Regexp{
		"pascal": sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)^\s*(?:unit|library|package)\b`) }),
	}
	cMain         = mark(`\bmain\s*\([^;{}]*\)[^;{}=()]*\{`, braces)
	pythonMain    = mark(`(?m)^if\s*\(?\s*(?:__name__\s*==\s*["']__main__["']|["']__main__["']\s*==\s*__name__)`, syntaxes["python3"])
	pascalUnit    = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)^\s*unit\s+(\w+)`) })
	haskellModule = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\s*module\s+([\w.']+)`) })
)

// optionalMark lists the languages whose main files need no mark.
var optionalMark = map[string]bool{"pypy3": true, "python3": true}

// haskellMain matches the definition of main in a Haskell module.
var haskellMain = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^main\b`) })

// marked reports whether a file has the mark of a main file where the compiler takes it. In C and C++ it
// may include a file that has it.
func (s *Source) marked(file string, m *mainMark, l Language) truth {
	found := s.markedAlone(file, m, l)
	if s.Language != "c" && s.Language != "cpp" || found == always {
		return found
	}
	for _, included := range s.included(file) {
		if m.pattern.MatchString(m.syntax.code(s.files[included])) {
			found = max(found, perhaps, s.markedAlone(included, m, l)) // macros of file may change its conditions
		}
	}
	return found
}

func (s *Source) markedAlone(file string, m *mainMark, l Language) truth {
	code := m.syntax.code(s.files[file])
	if !m.pattern.MatchString(code) {
		return never
	}
	if !slices.Contains(conditional, s.Language) {
		return always
	}
	outside := s.outside(file, l)
	has := func(unknown truth) bool { return m.pattern.MatchString(preprocessed(code, outside, unknown)) }
	switch {
	case has(always) && has(never):
		return always
	case has(perhaps):
		return perhaps
	}
	return never
}

// mainCandidates returns the files of a list that are main files by their text, and those of which
// conditions that the judge does not know decide that. In a language whose main files cannot be
// recognized it returns none.
func (s *Source) mainCandidates(l Language, list []string) (candidates, unknown []string) {
	mark, other := mainMarks[s.Language], otherText[s.Language]
	if mark == nil && other == nil && s.Language != "haskell" {
		return nil, nil
	}
	for _, file := range list {
		if mark != nil {
			switch s.marked(file, mark(), l) {
			case always:
				candidates = append(candidates, file)
			case perhaps:
				unknown = append(unknown, file)
			}
			continue
		}
		words := codeOnly(s.Language, s.files[file])
		module := haskellModule().FindStringSubmatch(words)
		switch {
		case other != nil && other().MatchString(words):
		case s.Language == "haskell" && module != nil && module[1] != "Main":
		default:
			candidates = append(candidates, file)
		}
	}
	if len(candidates) == 0 && s.Language == "haskell" { // main is in a module not called Main
		return slices.DeleteFunc(slices.Clone(list), func(file string) bool {
			return !haskellMain().MatchString(codeOnly(s.Language, s.files[file]))
		}), nil
	}
	return candidates, unknown
}

// isUnit reports whether a file is a part of programs and never a main file, such as a unit of Pascal.
func (s *Source) isUnit(file string) bool {
	other := otherText[s.Language]
	return other != nil && other().MatchString(codeOnly(s.Language, s.files[file]))
}

// nameAfterUnit renames a file to the name of the unit of Pascal in it, by which programs find it.
func (s *Source) nameAfterUnit(file string) {
	unit := pascalUnit().FindStringSubmatch(codeOnly(s.Language, s.files[file]))
	if unit == nil || len(unit[1])+len(path.Ext(file)) > maxName {
		return
	}
	name := path.Join(path.Dir(file), strings.ToLower(unit[1])+path.Ext(file))
	if s.files[name] == nil {
		s.files[name] = s.files[file]
		delete(s.files, file)
	}
}

// mainModule returns the name of the module that contains main in a Haskell program. It is "" if
// the module is Main, the compiler's default, and in other languages.
func (s *Source) mainModule() string {
	if s.Language != "haskell" {
		return ""
	}
	module := haskellModule().FindStringSubmatch(codeOnly(s.Language, s.files[s.main]))
	if module == nil || module[1] == "Main" {
		return ""
	}
	return module[1]
}

// unreferenced returns the files of a list that no file of among mentions: a main file uses other
// files but is not used by them. It considers files in folders only if there are none at the top.
func (s *Source) unreferenced(list, among []string) []string {
	top := slices.DeleteFunc(slices.Clone(list), func(file string) bool { return strings.Contains(file, "/") })
	if len(top) == 0 {
		top = slices.Clone(list)
	}
	return slices.DeleteFunc(top, func(file string) bool { return s.mentioned(file, among) })
}

// findMain finds the main file, or the folder of the main Go package. writeClass finds the class to
// start after the compilation.
func (s *Source) findMain(languages map[string]Language) error {
	if s.Language == Scripts || s.Language == Checktestdata { // these need no main file
		return nil
	}
	l := languages[s.Language]
	list := s.sources(l)
	if len(list) == 0 {
		return fmt.Errorf("%s: no %s source file (hint: their names end in %s)", s.Name, s.Language, strings.Join(l.Match, ", "))
	}
	s.empty = !slices.ContainsFunc(list, func(file string) bool { return len(bytes.TrimSpace(s.files[file])) > 0 })
	if s.Language == "java" && len(list) == 1 {
		s.nameAfterClass(list[0])
		list = s.sources(l)
	}
	if s.Language == "go" {
		if err := s.findGoMain(l, list); err != nil {
			return err
		}
		list = s.sources(l)
	}
	if s.Language == "go" && s.code == nil {
		s.nameForGo(list)
		list = s.sources(l)
	}
	if err := s.findMainFile(l, list); err != nil || s.Language != "rust" || s.first {
		return err
	}
	return s.needsCargo()
}

// nameForGo renames sources whose names do not begin with a letter or digit, because the go command
// would read such a name as an option or a pattern.
func (s *Source) nameForGo(list []string) {
	for _, file := range list {
		dir, name := path.Split(file)
		first := name[0]
		if strings.IndexByte("_.", first) >= 0 || first >= utf8.RuneSelf || '0' <= first && first <= '9' || 'a' <= first|0x20 && first|0x20 <= 'z' {
			continue
		}
		safe := dir + "x" + name
		for s.files[safe] != nil {
			safe = dir + "x" + path.Base(safe)
		}
		s.files[safe] = s.files[file]
		delete(s.files, file)
		if s.main == file {
			s.main = safe
		}
	}
}

// findMainFile finds the main file, unless s.main is set.
func (s *Source) findMainFile(l Language, list []string) error {
	if s.main != "" {
		return nil
	}
	named := slices.IndexFunc(mainNames, func(name string) bool { return sourceCalled(list, name) != "" })
	if slices.Contains(pythons, s.Language) && s.files["__init__.py"] != nil && s.files["__main__.py"] != nil {
		s.wrapPackage()
		return nil
	}
	main := ""
	if named >= 0 {
		main = sourceCalled(list, mainNames[named])
	}
	if len(list) == 1 || s.classes() && s.entry != "" || s.Language == "go" && s.files["go.mod"] != nil {
		s.main = cmp.Or(main, list[0])
		return nil
	}
	if done, err := s.findEntry(l, list); done || err != nil {
		return err
	}
	return s.choose(l, list, main)
}

// sourceCalled returns the first source file whose path without extension is name; "" for none.
func sourceCalled(list []string, name string) string {
	if i := slices.IndexFunc(list, func(file string) bool { return stem(file) == name }); i >= 0 {
		return list[i]
	}
	return ""
}

// findEntry sets the main file to the one that the caller named, with or without its extension. It
// returns false if the caller named none, and an error if the file does not exist.
func (s *Source) findEntry(l Language, list []string) (bool, error) {
	if s.entry == "" || !usesMain(l) {
		return false, nil
	}
	for _, file := range list {
		if file == s.entry || stem(file) == s.entry {
			s.main = file
			return true, nil
		}
	}
	return false, fmt.Errorf("%s: no %s source file %s, which was named as the main file (hint: there is %s)", s.Name, s.Language, s.entry, strings.Join(list, ", "))
}

// usesMain reports whether the commands of a language contain the main file.
func usesMain(l Language) bool {
	return slices.ContainsFunc(slices.Concat(l.Build, l.Run), func(a string) bool { return strings.Contains(a, "{main}") || strings.Contains(a, "{stem}") })
}

// pythons lists the languages in which a submission may be a Python package.
var pythons = []string{"python3", "pypy3"}

// pythonName matches the names of Python packages.
var pythonName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`) })

// pythonLauncher is the main file that the judge adds to a Python package. It starts the package as
// python3 -m does, so that relative imports work. It also lets the modules of the package import
// each other by their bare names.
const (
	pythonLauncher     = "__tribunal__.py"
	pythonLauncherText = `import os, runpy, sys
sys.path.insert(1, os.path.join(sys.path[0], %[1]q))
runpy.run_module(%[1]q, run_name="__main__", alter_sys=True)
`
)

// wrapPackage moves the files of a Python package into a folder with the package's name, because
// Python imports a package from the folder above it.
func (s *Source) wrapPackage() {
	name := "submission"
	if full, err := filepath.Abs(s.Name); err == nil && pythonName().MatchString(filepath.Base(full)) {
		name = filepath.Base(full)
	}
	moved := map[string][]byte{pythonLauncher: fmt.Appendf(nil, pythonLauncherText, name)}
	for file, text := range s.files {
		moved[path.Join(name, file)] = text
	}
	s.files, s.main = moved, pythonLauncher
}
