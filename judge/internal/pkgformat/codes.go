package pkgformat

import (
	"fmt"
	"slices"
	"strings"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/problem"
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

// codes returns what packages call a language, its own name first.
func codes(language string) []string { return append([]string{language}, otherCodes[language]...) }

// language returns what the package says that a submission of its own is written in; ""
// leaves that to its files.
func language(s *problem.Submission, known map[string]build.Language) string {
	if _, ours := known[s.Language]; ours {
		return s.Language
	}
	for _, name := range []string{"c", "cpp", "java", "python3"} { // of those with the same code the usual one
		if _, ours := known[name]; ours && slices.Contains(otherCodes[name], s.Language) {
			return name
		}
	}
	return ""
}

// refusal says why the package takes no such submission, "" if it does. What it includes
// does not count.
func (p *Package) refusal(s *build.Source) string {
	if allowed := p.Languages; len(allowed) > 0 {
		ours := codes(s.Language)
		if !slices.ContainsFunc(allowed, func(code string) bool { return slices.Contains(ours, code) }) {
			return fmt.Sprintf("%s is not allowed: the languages of this problem are %s", s.Language, strings.Join(allowed, ", "))
		}
	}
	if size := s.Size(); p.Code > 0 && size > p.Code {
		return fmt.Sprintf("sources of %d bytes, more than the %v that this problem allows", size, p.Code)
	}
	return ""
}
