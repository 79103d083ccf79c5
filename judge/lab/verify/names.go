package verify

import (
	"context"
	"strings"

	"tribunal/judge/internal/cases"
)

// checkNames finds a title that another problem has too, and inputs that occur in two cases.
// Reading the cases has already checked that their names are unique.
func checkNames(ctx context.Context, s *subject) error {
	for _, id := range s.env.Known {
		if s.set.Given() || id >= s.p.ID {
			break // a package may be a copy of a problem of the repository
		}
		other, closeIt, err := s.env.Load(ctx, id)
		if err != nil {
			continue // the error is reported when that problem is checked
		}
		if strings.EqualFold(other.Title, s.p.Title) {
			s.findOrNote(s.p.Errorf("title", "say in the title how they differ", "problem %s has the title %q as well", id, other.Title))
		}
		if err := closeIt(); err != nil {
			return err
		}
	}
	list, err := s.usableCases(ctx)
	if err != nil {
		return err
	}
	seen := map[string]*cases.Case{} // by the hash of the input, files and arguments
	for i := range list {
		c := &list[i]
		hash, err := s.caseData().InputHash(ctx, c)
		if err != nil {
			return err
		}
		if c.Generate == nil { // cases with the same input may differ in files and arguments
			own := *c
			if own.Files, err = c.Beside(); err != nil {
				return err
			}
			hash += own.Made()
		}
		before, ok := seen[hash]
		switch {
		case !ok:
			seen[hash] = c
		case s.p.Foreign() && before.File == c.File: // a package has it in several groups
		default:
			s.findOrNote(located(c.Errorf("", "it tests nothing that the other does not", "the same input as %s", before.Name)))
		}
	}
	return nil
}
