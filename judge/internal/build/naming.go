package build

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

func naming(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}

// namings matches, by language, the parts of sources that name other files. A variable that is called
// like another file names none. In a language without a pattern each word may be a name.
var namings = func() map[string]func() *regexp.Regexp {
	include := naming(`(?m)^[ \t]*#[ \t]*(?:include|import)\b.*`)
	python := naming(`\b(?:from|import|import_module|__import__|run_path|run_module|exec)\b[^\n(;]*(?:\([^)]*)?`)
	script := naming(`\b(?:require|import|from|export|importScripts)\b[^;\n]*`)
	return map[string]func() *regexp.Regexp{
		"awk":        naming(`@(?:include|load|namespace)\b.*`),
		"c":          include,
		"cpp":        include,
		"go":         naming(`"[^"\n]*"`),
		"haskell":    naming(`\bimport\b.*`),
		"javascript": script,
		"lua":        naming(`\b(?:require|dofile|loadfile|searchpath)\b[^;\n]*`),
		"pascal":     naming(`(?i)\buses\b[^;]*`),
		"perl":       naming(`\b(?:use|require|parent|base)\b[^;\n]*|\bdo\s*["'(].*`),
		"pypy3":      python,
		"python3":    python,
		"ruby":       naming(`\b(?:require|require_relative|load|autoload)\b[^;\n]*`),
		"rust":       naming(`\bmod\s+\S+|\b(?:path|include)\b.*`),
		"typescript": script,
	}
}()

// typeNames lists the languages whose sources name others by their classes or modules. These begin with a
// capital letter, unlike variables.
var typeNames = []string{"csharp", "java", "kotlin", "ocaml"}

func namesIn(language string, text []byte) Naming {
	words := codeOnly(language, text)
	if pattern := namings[language]; pattern != nil {
		words = strings.Join(pattern().FindAllString(words, -1), "\n")
	}
	return Naming{language, words}
}

// Naming holds the parts of a source that may name other files.
type Naming struct{ language, parts string }

// Names reports whether the source names a file, as an import does.
func (n Naming) Names(file string) bool {
	name := stem(path.Base(file))
	if slices.Contains([]string{"__init__", "mod"}, name) {
		name = path.Base(path.Dir(file))
	}
	first, size := utf8.DecodeRuneInString(name)
	parts := n.parts
	switch {
	case n.language == "ocaml":
		name = string(unicode.ToUpper(first)) + name[size:]
	case n.language == "pascal":
		name, parts = strings.ToLower(name), strings.ToLower(parts)
	case slices.Contains(typeNames, n.language) && unicode.IsLower(first):
		return false
	}
	return strings.Contains(parts, name) && regexp.MustCompile(`(?:^|\b|\W)`+regexp.QuoteMeta(name)+`(?:$|\b|\W)`).MatchString(parts)
}

// endings returns the extensions of the languages that no first line decides.
var endings = sync.OnceValue(func() map[string][]string {
	all := map[string][]string{}
	for name, l := range Defaults() {
		if l.Shebang == nil {
			all[name] = l.Match
		}
	}
	return all
})

// NamesIn returns the parts of a source that may name other files. The extension of its name, in
// capitals or not, decides its language.
func NamesIn(name string, text []byte) Naming {
	language := ""
	ext := strings.ToLower(path.Ext(name))
	for l, match := range endings() {
		if slices.Contains(match, ext) {
			language = l
		}
	}
	if IsHeader(ext) {
		language = "cpp"
	}
	return namesIn(language, text)
}
