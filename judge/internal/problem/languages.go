package problem

import (
	"fmt"
	"slices"
	"strings"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/limits"
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

// Terms are what a problem demands of submissions.
type Terms struct {
	Languages []string      // that may be used, as packages call them; empty is all
	Code      limits.Bytes  // of all files of a submission together; 0 for no limit
	Compile   limits.Limits // CPU and Memory of a compiler; 0 leaves one to the machine
}

// Refusal returns why a submission does not meet the terms, "" if it does.
func (t *Terms) Refusal(s *build.Source) string {
	ours := Codes(s.Language)
	if len(t.Languages) > 0 && !slices.ContainsFunc(t.Languages, func(code string) bool { return slices.Contains(ours, code) }) {
		return fmt.Sprintf("%s is not allowed: the languages of this problem are %s", s.Language, strings.Join(t.Languages, ", "))
	}
	if size := s.Size(); t.Code > 0 && size > t.Code {
		return fmt.Sprintf("sources of %d bytes, more than the %v that this problem allows", size, t.Code)
	}
	return ""
}

// Include is files that submissions in a language get beside their own.
type Include struct {
	Language string                            // as packages call it; "default" is for those without files of their own
	Read     func() (map[string][]byte, error) // by slash paths
}

// With returns a submission with the files of a list for its language.
func With(s *build.Source, list []Include, languages map[string]build.Language) (*build.Source, error) {
	if s.Language == build.Binary {
		return s, nil
	}
	for _, code := range append(Codes(s.Language), "default") {
		for _, i := range list {
			if i.Language == code {
				texts, err := i.Read()
				if err != nil {
					return nil, err
				}
				return s.With(texts, languages)
			}
		}
	}
	return s, nil
}
