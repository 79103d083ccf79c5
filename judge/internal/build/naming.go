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

// namesIn returns the parts of a source that may name other files.
func namesIn(language string, text []byte) string {
	words := codeOnly(language, text)
	pattern := namings[language]
	if pattern == nil {
		return words
	}
	return strings.Join(pattern().FindAllString(words, -1), "\n")
}

// nameFor returns the pattern by which sources name a file; nil if they cannot name it.
func nameFor(language, file string) *regexp.Regexp {
	name := stem(path.Base(file))
	if slices.Contains([]string{"__init__", "mod"}, name) {
		name = path.Base(path.Dir(file))
	}
	first, size := utf8.DecodeRuneInString(name)
	switch {
	case language == "ocaml":
		name = string(unicode.ToUpper(first)) + name[size:]
	case slices.Contains(typeNames, language) && unicode.IsLower(first):
		return nil
	}
	flags := ""
	if language == "pascal" {
		flags = "(?i)"
	}
	return regexp.MustCompile(flags + `(?:^|\b|\W)` + regexp.QuoteMeta(name) + `(?:$|\b|\W)`)
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

// Mentions reports whether the text of the source from names the file to, as an import does. The
// extension of from, in capitals or not, decides its language.
func Mentions(from string, text []byte, to string) bool {
	language := ""
	ext := strings.ToLower(path.Ext(from))
	for name, match := range endings() {
		if slices.Contains(match, ext) {
			language = name
		}
	}
	if slices.Contains(headers, ext) {
		language = "cpp"
	}
	name := nameFor(language, to)
	return name != nil && name.MatchString(namesIn(language, text))
}
