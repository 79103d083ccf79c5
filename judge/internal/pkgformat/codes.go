package pkgformat

import (
	"slices"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/problem"
)

// language returns what the package says that a submission of its own is written in; ""
// leaves that to its files.
func language(s *problem.Submission, known map[string]build.Language) string {
	if _, ours := known[s.Language]; ours {
		return s.Language
	}
	for _, name := range []string{"c", "cpp", "java", "python3"} { // of those with the same code the usual one
		if _, ours := known[name]; ours && slices.Contains(problem.Codes(name), s.Language) {
			return name
		}
	}
	return ""
}
