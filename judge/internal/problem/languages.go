package problem

import (
	"fmt"
	"slices"
	"strings"
)

// otherCodes are what packages call languages that are called otherwise here, or that
// are the same here as another: libraries are there for whoever includes them.
var otherCodes = map[string][]string{
	"c":       {"cgmp"},
	"cpp":     {"cppgmp"},
	"java":    {"javaalgs4"},
	"mawk":    {"awk"},
	"pypy3":   {"python3", "python3numpy"},
	"python3": {"python3numpy"},
}

// Codes returns what packages call a language, its own name first.
func Codes(language string) []string { return append([]string{language}, otherCodes[language]...) }

// Disallowed says why a submission in a language cannot be taken where only these, as packages
// call them, may be used; "" if it can. None allow all.
func Disallowed(allowed []string, language string) string {
	ours := Codes(language)
	if len(allowed) == 0 || slices.ContainsFunc(allowed, func(code string) bool { return slices.Contains(ours, code) }) {
		return ""
	}
	return fmt.Sprintf("%s is not allowed: the languages of this problem are %s", language, strings.Join(allowed, ", "))
}
