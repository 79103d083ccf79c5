package verify

import (
	"context"

	"tribunal/judge/internal/yamlstrict"
)

// checkSamples finds a statement without a sample, and samples that are not cases, are optional, or
// are not pinned.
func checkSamples(_ context.Context, s *subject) error {
	if len(s.p.Samples) == 0 {
		s.findOrNote(s.p.Errorf("samples", "write samples: [sample/statement], and add that case", "the statement shows no sample"))
	}
	for _, name := range s.p.Samples {
		c := s.caseOf(name)
		switch {
		case c == nil:
			hint := "it must be the group/name of a case"
			var names []string
			for _, c := range s.set.Cases {
				names = append(names, c.Name)
			}
			if near := yamlstrict.Nearest(name, names); near != "" {
				hint = "did you mean " + near + "?"
			}
			s.find(s.p.Errorf("samples", hint, "sample %s is not a case of %s", name, s.p.ID))
		case c.Given != nil: // a package gives input and answer
		case c.Input == nil || c.Output == nil:
			s.find(located(c.Errorf("", "give it a literal input and a pinned output", "a sample of the statement must be written out in the case file")))
		case c.Optional:
			s.find(located(c.Errorf("", "move it to a group that always counts", "a sample of the statement is in an optional group")))
		case !c.Pinned:
			s.find(located(c.Errorf("output", "add pinned: true when you have checked it by hand", "the output of a sample is not pinned")))
		}
	}
	return nil
}

// located converts an error of [cases.Case.Errorf] to its dynamic type. It panics on any other
// error.
func located(err error) *yamlstrict.Error { return err.(*yamlstrict.Error) }
