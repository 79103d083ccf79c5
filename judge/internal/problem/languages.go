package problem

import (
	"fmt"
	"slices"
	"strings"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/limits"
)

// otherCodes lists further codes that packages use for a language. The code for a language with a
// library, such as cgmp, stands for the language itself.
var otherCodes = map[string][]string{
	"c":       {"cgmp"},
	"cpp":     {"cppgmp"},
	"java":    {"javaalgs4"},
	"mawk":    {"awk"},
	"pypy3":   {"python3", "python3numpy"},
	"python3": {"python3numpy"},
}

// Codes returns the codes that packages use for a language, its own name first.
func Codes(language string) []string { return append([]string{language}, otherCodes[language]...) }

// Terms are conditions that a problem sets for submissions.
type Terms struct {
	Languages []string      // codes that packages use for the allowed languages; empty allows all
	Code      limits.Bytes  // limit of the total size of a submission; 0 for none
	Compile   limits.Limits // CPU and Memory of the compiler; 0 uses the machine's setting
	ReadOnly  bool          // submissions may read files but not write them
}

// Refusal explains why a submission does not meet the terms; "" if it does.
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

// Include holds files that are added to submissions in a language.
type Include struct {
	Language string                            // the language's code in packages; "default" is for languages without an Include of their own
	Read     func() (map[string][]byte, error) // reads the files, by slash path
}

// With returns a submission with the files of the list for its language added.
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
				return s.Including(texts, languages)
			}
		}
	}
	return s, nil
}
