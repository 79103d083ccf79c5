package build

import (
	"errors"
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"tribunal/judge/internal/quote"
)

// UnclearError reports that a folder may hold several programs, or none that is surely the one to
// judge. A guess could cost the contestant points, so [Builder.Build] returns the error instead of a
// verdict.
type UnclearError struct {
	Name string // of the submission
	Why  string // one line, with a hint
}

func (e *UnclearError) Error() string { return e.Name + ": " + e.Why }

func (s *Source) unclear(format string, args ...any) error {
	return &UnclearError{s.Name, quote.Line(fmt.Sprintf(format, args...))}
}

// Unclear returns why a contestant's folder is not surely one program; "" if it is.
func (s *Source) Unclear() string {
	if s.terms.unclear != nil {
		return s.terms.unclear.Why
	}
	return ""
}

// Choice says which of a folder's files are the program where that had to be found out.
type Choice struct {
	Main    string   // slash path of the file that was chosen as the main file; "" if there was no choice
	Why     string   // why it was chosen, such as "no other file mentions it"
	Guess   bool     // neither its name nor a main function says so
	LeftOut []string // files and folders that are no part of the program, sorted
	Ignored []string // like LeftOut, those that the language ignores: tests and other packages in Go
}

// mostLeftOut is the number of files that [Choice.String] names.
const mostLeftOut = 3

// String returns a guess, or what was left out, as one line, such as "sum.py is the main file, because
// no other file mentions it; left out: tests/a.py". It is "" if the choice is sure and has all files.
func (c Choice) String() string {
	var parts []string
	if !c.Guess && len(c.LeftOut) == 0 {
		return ""
	}
	if c.Main != "" {
		parts = append(parts, c.Main+" is the main file, because "+c.Why)
	}
	if n := len(c.LeftOut); n > mostLeftOut+1 {
		parts = append(parts, fmt.Sprintf("left out: %s and %d more", strings.Join(c.LeftOut[:mostLeftOut], ", "), n-mostLeftOut))
	} else if n > 0 {
		parts = append(parts, "left out: "+strings.Join(c.LeftOut, ", "))
	}
	return strings.Join(parts, "; ")
}

// Choice returns how the source's files were chosen. The caller may change it.
func (s *Source) Choice() Choice {
	c := s.choice
	c.LeftOut, c.Ignored = slices.Sorted(slices.Values(c.LeftOut)), slices.Clone(c.Ignored)
	return c
}

// Likeness says how a file is called for a problem.
type Likeness int

const (
	Other   Likeness = iota
	Similar          // such as "game (1).c", game-2.c or Game_final.c for game
	Same             // such as game.c or GAME.PY
)

// IsSource reports whether a file's extension, in capitals or not, is that of a source in one of the
// languages.
func IsSource(name string, languages map[string]Language) bool {
	ext := path.Ext(name)
	for _, l := range languages {
		if slices.Contains(l.Match, ext) || slices.Contains(l.Match, strings.ToLower(ext)) {
			return true
		}
	}
	return false
}

// likeSuffix matches what people and platforms add to the name of a file that is handed in again.
var likeSuffix = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^(?:[ _.-]*(?:\(\d+\)|v?\d+|copy|kopie|final|new|neu|fixed|solution|sol|submission))+$`)
})

// separators removes what people put between the parts of a name.
var separators = strings.NewReplacer(" ", "", "_", "", ".", "", "-", "")

// Like compares the name of a file or folder, with or without an extension, with the id of a problem.
func Like(id, name string) Likeness {
	if id == "" {
		return Other
	}
	name = path.Base(name)
	for _, name := range []string{name, stem(name)} {
		if strings.EqualFold(name, id) {
			return Same
		}
	}
	id = separators.Replace(id)
	for _, name := range []string{name, stem(name)} {
		for at := range name {
			if at > 0 && likeSuffix().MatchString(name[at:]) && strings.EqualFold(separators.Replace(name[:at]), id) {
				return Similar
			}
		}
		if strings.EqualFold(separators.Replace(name), id) {
			return Similar
		}
	}
	return Other
}

// LikeAny returns the ids of the problems after which a file or folder may be named: more than one if that is
// unclear, as with "sum 2.py" for sum and sum2.
func LikeAny(ids []string, name string) (list []string) {
	for _, id := range ids {
		switch Like(id, name) {
		case Same:
			return []string{id}
		case Similar:
			list = append(list, id)
		}
	}
	longest := 0 // of the ids with which the name begins, as "sum2 (1).py" begins with sum and sum2
	begins := func(id string) bool {
		base := path.Base(name)
		return len(base) >= len(id) && strings.EqualFold(base[:len(id)], id)
	}
	for _, id := range list {
		if begins(id) {
			longest = max(longest, len(id))
		}
	}
	return slices.DeleteFunc(list, func(id string) bool { return begins(id) && len(id) < longest })
}

// IsArchive reports whether a file may have programs in it that only a person can take out.
func IsArchive(name string) bool {
	return slices.Contains([]string{".zip", ".tar", ".gz", ".tgz", ".bz2", ".xz", ".7z", ".rar", ".ipynb"}, strings.ToLower(path.Ext(name)))
}

// products matches the folders that tools leave beside sources, and that no program needs.
var products = naming(`^(?:__pycache__|__MACOSX|CMakeFiles|cmake-build-.*|_build|dist-newstyle)$`)

// builtBy names the files of which one beside a folder shows that a tool has filled it.
var builtBy = map[string][]string{
	"build":  {"CMakeLists.txt", "build.gradle", "build.gradle.kts"},
	"target": {"Cargo.toml", "pom.xml"},
}

// isProduct reports whether tools made the folder rel. top has the files beside it.
func isProduct(rel string, top map[string]bool) bool {
	return products().MatchString(path.Base(rel)) || IsProduct(rel, func(file string) bool { return top[file] })
}

// IsProduct reports whether a tool made a folder called name. has reports whether there is a file of
// this name beside it.
func IsProduct(name string, has func(file string) bool) bool {
	return products().MatchString(name) || slices.ContainsFunc(builtBy[name], has)
}

// asideFolder matches the folders, and asideFile the names without extension, of what authors write
// beside a program: its tests.
var (
	asideFolder = naming(`^(?:(?i:tests?|testing|__tests__|specs?)|build|out|bin|obj|dist|target|node_modules)$`)
	asideFile   = naming(`^(?:(?i:tests?\d*|tests?[_.-].*|.*[_.-]tests?|conftest)|.*[a-z0-9]Tests?|Test[A-Z].*)$`)
)

// IsAsideFolder reports whether a folder is called like those of tests, and those that tools fill.
func IsAsideFolder(name string) bool {
	return asideFolder().MatchString(name) || products().MatchString(name)
}

// InAsideFolder reports whether the slash path of a file has a folder for which [IsAsideFolder] holds, and
// that is not called like the problem id. Cargo has programs in src/bin.
func InAsideFolder(id, file string) bool {
	for dir := path.Dir(file); dir != "." && dir != "/"; dir = path.Dir(dir) {
		if IsAsideFolder(path.Base(dir)) && Like(id, dir) != Same && !strings.HasSuffix("/"+dir, "/src/bin") {
			return true
		}
	}
	return false
}

// isAside reports whether a source is in a folder of tests or called like a test, but not like the problem.
func (s *Source) isAside(file string) bool {
	return Like(s.problem, file) == Other && (InAsideFolder(s.problem, file) || asideFile().MatchString(stem(path.Base(file))) || s.cargoAside(file))
}

// program returns the files of a list that are not aside; all if there are no others. In a folder of tests, a file
// called like the problem tests the file of that name outside.
func (s *Source) program(list []string) []string {
	own := slices.DeleteFunc(slices.Clone(list), s.isAside)
	called := func(file string) bool { return Like(s.problem, file) != Other }
	if slices.ContainsFunc(own, func(file string) bool { return called(file) && !InAsideFolder(s.problem, file) }) {
		own = slices.DeleteFunc(own, func(file string) bool { return called(file) && InAsideFolder(s.problem, file) })
	}
	if len(own) > 0 {
		return own
	}
	return list
}

// mentioned reports whether one of the files in among, other than file itself, names file.
func (s *Source) mentioned(file string, among []string) bool {
	return slices.ContainsFunc(among, func(other string) bool { return other != file && s.namesIn(other).Names(file) })
}

// namesIn returns the parts of a source that may name other files.
func (s *Source) namesIn(file string) Naming {
	names, known := s.names[file]
	if !known {
		if s.names == nil {
			s.names = map[string]Naming{}
		}
		names = namesIn(s.Language, s.files[file])
		s.names[file] = names
	}
	return names
}

// choose chooses the main file among several, by the rules of docs/languages.md. In a language that
// compiles all files it leaves out those that are programs of their own. named is the file that is
// called main; "" for none.
func (s *Source) choose(l Language, list []string, named string) error {
	own := s.program(list)
	marked, unknown := s.mainCandidates(l, own)
	switch {
	case len(unknown) > 0 && len(marked)+len(unknown) > 1 && !s.first:
		return s.unclear("%s may have a main function: the judge does not know the condition around it (hint: hand in one program)", strings.Join(unknown, ", "))
	case len(unknown) > 0:
		marked = append(marked, unknown...)
		slices.Sort(marked)
	case optionalMark[s.Language]: // a module may have a test of its own
		marked = slices.DeleteFunc(marked, func(file string) bool { return s.mentioned(file, own) })
	case len(marked) > 0 && named != "" && !slices.Contains(marked, named) && !slices.ContainsFunc(marked, s.namesIn(named).Names):
		named = "" // such as an index.cpp without a main function
	}
	var rivals []string
	for _, file := range own {
		may := optionalMark[s.Language] || len(marked) == 0 || slices.Contains(marked, file)
		if file == named || may && !s.first && Like(s.problem, file) != Other && !s.mentioned(file, own) {
			rivals = append(rivals, file)
		}
	}
	among := marked
	if len(among) == 0 {
		among = own
	}
	compiled := !usesMain(l) || s.classes() // the compiler gets all files
	free := s.unreferenced(among, own)
	if len(marked) > 1 && !optionalMark[s.Language] { // a main function below the top counts, too
		free = slices.DeleteFunc(slices.Clone(marked), func(file string) bool { return s.mentioned(file, own) })
	}
	inside := slices.DeleteFunc(slices.Clone(among), func(file string) bool { return !s.inFolderOfProblem(file, marked) })
	switch {
	case len(rivals) == 1 && rivals[0] == named:
		s.start(l, list, named, "it is called "+stem(path.Base(named)))
	case len(rivals) == 1:
		s.start(l, list, rivals[0], "it is called like the problem")
	case len(rivals) > 1:
		return s.unclear("several main files: %s (hint: hand in one program)", strings.Join(rivals, ", "))
	case len(marked) == 1:
		s.start(l, list, marked[0], "no other has a main function")
	case len(inside) == 1 && !s.first:
		s.start(l, list, inside[0], "its folder is called like the problem")
	case len(free) == 1 && (len(marked) > 0 || !compiled):
		s.start(l, list, free[0], "no other file mentions it")
		s.choice.Guess = true
	case s.classes() && (s.first || !sameBase(among)), compiled && len(marked) == 0 && !sameBase(among):
		s.main = list[0] // the class is found after the compilation, or the compiler reports the lack of a main function
	case s.first:
		s.start(l, list, among[0], "it is the first by name")
		s.choice.Guess = true
	case len(marked) > 0 || compiled:
		return s.unclear("several main files: %s (hint: name the right one main%s)", strings.Join(among, ", "), l.Match[0])
	default:
		return s.unclear("no main file among %d source files (hint: name it main%s)", len(list), l.Match[0])
	}
	return nil
}

// inFolderOfProblem reports whether a file is marked or called main, and in a folder that is called like the
// problem.
func (s *Source) inFolderOfProblem(file string, marked []string) bool {
	if !slices.Contains(marked, file) && !slices.Contains(mainNames, stem(path.Base(file))) {
		return false
	}
	for dir := path.Dir(file); dir != "."; dir = path.Dir(dir) {
		if Like(s.problem, dir) == Same {
			return true
		}
	}
	return false
}

// start makes file the main file, and leaves out the sources that are no part of its program.
func (s *Source) start(l Language, list []string, file, why string) {
	s.main, s.choice.Main, s.choice.Why = file, file, why
	s.leaveOut(l, list)
}

// sameBase reports whether files in different folders have the same name, as several attempts have.
func sameBase(list []string) bool {
	seen := map[string]bool{}
	for _, file := range list {
		if seen[path.Base(file)] {
			return true
		}
		seen[path.Base(file)] = true
	}
	return false
}

// leaveOut removes the sources that are no part of the program, if the compiler gets all sources:
// other main files, and those in folders of tests, unless another file mentions them. In C and C++ another
// main file stays only where one includes it, because its header would not let it link.
func (s *Source) leaveOut(l Language, list []string) {
	if s.first || s.whole || usesMain(l) && !s.classes() {
		return
	}
	marked, _ := s.mainCandidates(l, list)
	own := s.program(list)
	var out []string
	programs := false // a second program is left out, not only tests
	for _, file := range list {
		switch second := slices.Contains(marked, file); {
		case file == s.main, !second && slices.Contains(own, file):
		case second && (s.Language == "c" || s.Language == "cpp"):
			if !slices.ContainsFunc(own, func(other string) bool { return other != file && s.includes(other, file) }) {
				out = append(out, file)
			}
		case !s.mentioned(file, own):
			out = append(out, file)
		}
	}
	for _, file := range out {
		delete(s.files, file)
		programs = programs || slices.Contains(own, file)
	}
	s.choice.LeftOut = append(s.choice.LeftOut, out...)
	if programs {
		s.strange = s.unnamed(list)
	}
}

// unnamed returns the sources of list that are in the folder, and that neither the main file names nor one
// that it names, directly or not.
func (s *Source) unnamed(list []string) []string {
	reached, rest := []string{s.main}, slices.Sorted(maps.Keys(s.files))
	for i := 0; i < len(reached); i++ {
		rest = slices.DeleteFunc(rest, func(file string) bool {
			named := file == s.main || s.namesIn(reached[i]).Names(file)
			if named {
				reached = append(reached, file)
			}
			return named
		})
	}
	return slices.DeleteFunc(rest, func(file string) bool { return !slices.Contains(list, file) })
}

// otherProgram returns an error if err is that of a compiler, and names a source that may belong to a
// program that was left out.
func (s *Source) otherProgram(err error) error {
	compile, wrong := errors.AsType[*CompileError](err)
	for _, file := range s.strange {
		if wrong && regexp.MustCompile(`\b`+regexp.QuoteMeta(file)).MatchString(compile.Output) {
			return s.unclear("%s may belong to another program, and the judge compiles it: %s (hint: hand in one program)", file, compile.Cause())
		}
	}
	return nil
}
