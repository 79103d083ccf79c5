package judge0

import (
	"cmp"
	"slices"
	"strconv"
)

// Flavor is one of the two sets of languages that Judge0 comes with. They give the same numbers to different languages.
type Flavor int

const (
	CE    Flavor = iota
	Extra        // of the images called Extra CE
)

// Version is the version of Judge0 by which clients choose the numbers of languages.
func (f Flavor) Version() string {
	if f == Extra {
		return "1.14.0-extra"
	}
	return "1.14.0"
}

// Language is a language as clients see it. Its commands are left out, because they are the workers'.
type Language struct {
	ID       int    `json:"id"`
	Name     string `json:"name"`
	Archived *bool  `json:"is_archived,omitempty"`
	File     string `json:"source_file,omitempty"`
}

// language is a language of this judge with its numbers in Judge0, in each flavor the usual one first.
type language struct {
	id, name string
	numbers  [2][]int
}

// Project is a program of several files with scripts of its own. It needs a worker with the language ProjectTools.
const (
	Project      = "project"
	ProjectTools = "bash"
)

// tools returns the language of this judge that a language needs.
func tools(id string) string {
	if id == Project {
		return ProjectTools
	}
	return id
}

// languages are those that both judges have. The judge compiles with the versions that its workers have, whatever
// version a number stands for in Judge0.
var languages = []language{
	{"bash", "Bash", [2][]int{{46, 1, 2}}},
	{"c", "C (GCC)", [2][]int{{50, 4, 5, 6, 7, 8, 9, 48, 49, 103}}},
	{"cpp", "C++ (GCC)", [2][]int{{54, 10, 11, 12, 13, 14, 15, 52, 53, 105}}},
	{"csharp", "C# (Mono)", [2][]int{{51, 16, 17}, {22}}},
	{"go", "Go", [2][]int{{60, 22, 95, 106, 107}}},
	{"haskell", "Haskell (GHC)", [2][]int{{61, 23, 24}}},
	{"java", "Java (OpenJDK)", [2][]int{{62, 26, 27, 28, 91}, {4}}},
	{"javascript", "JavaScript (Node.js)", [2][]int{{63, 29, 30, 93, 97, 102}}},
	{"kotlin", "Kotlin", [2][]int{{78, 111}}},
	{"lua", "Lua", [2][]int{{64}}},
	{"ocaml", "OCaml", [2][]int{{65, 31}}},
	{"pascal", "Pascal (FPC)", [2][]int{{67, 33}}},
	{"perl", "Perl", [2][]int{{85}}},
	{Project, "Multi-file program", [2][]int{{89}, {89}}},
	{"pypy3", "Python (3, PyPy)", [2][]int{nil, {28}}},
	{"python3", "Python (3)", [2][]int{{71, 34, 35, 92, 100, 109, 113}, {33, 10, 25}}},
	{"ruby", "Ruby", [2][]int{{72, 38, 39, 40, 41}}},
	{"rust", "Rust", [2][]int{{73, 42, 108}}},
	{"typescript", "TypeScript", [2][]int{{74, 94, 101}}},
}

// firstActive is the first number of the flavor CE that Judge0 does not only list among all languages.
const firstActive = 43

// languageOf returns the language with a number, "" if there is none.
func (f Flavor) languageOf(n number) string {
	for _, l := range languages {
		if slices.ContainsFunc(l.numbers[f], func(one int) bool { return n == number(one) }) {
			return l.id
		}
	}
	return ""
}

// language returns a language as clients see it. One that Judge0 does not have has the number 0.
func (f Flavor) language(id string) Language {
	for _, l := range languages {
		if l.id == id && l.numbers[f] != nil {
			return Language{ID: l.numbers[f][0], Name: l.name}
		}
	}
	return Language{Name: id}
}

// Languages returns the languages that this judge has, by number: a language has several. With all, numbers that
// only old clients use are among them, and each says whether it is one.
func (f Flavor) Languages(known func(language string) bool, all bool) []Language {
	list := []Language{}
	for _, l := range languages {
		if !known(tools(l.id)) {
			continue
		}
		for _, n := range l.numbers[f] {
			one, old := Language{ID: n, Name: l.name}, f == CE && n < firstActive
			if all {
				one.Archived = &old
			}
			if all || !old {
				list = append(list, one)
			}
		}
	}
	slices.SortFunc(list, func(a, b Language) int { return cmp.Compare(a.ID, b.ID) })
	return list
}

// Language returns the language with a number, false if there is none. file returns the name of a source in a
// language.
func (f Flavor) Language(id string, known func(language string) bool, file func(language string) string) (Language, bool) {
	for _, l := range f.Languages(known, true) {
		if strconv.Itoa(l.ID) == id {
			l.File = file(f.languageOf(number(l.ID)))
			return l, true
		}
	}
	return Language{}, false
}
