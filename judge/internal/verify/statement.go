package verify

import (
	"context"
	"strings"

	"tribunal/judge/internal/yamlstrict"
)

// names finds titles that another problem has as well, and inputs that stand in two
// cases. That the names of cases are unique is seen to when they are read.
func names(ctx context.Context, s *subject) error {
	for _, id := range s.bench.Known {
		if s.set.Given() || id >= s.p.ID {
			break // of a package, the repository may have the same problem
		}
		other, closeIt, err := s.bench.Load(ctx, id)
		if err != nil {
			continue // which is told of that problem
		}
		if strings.EqualFold(other.Title, s.p.Title) {
			s.want(s.p.Errorf("title", "say in the title what is different", "problem %s has the title %q as well", id, other.Title))
		}
		if err := closeIt(); err != nil {
			return err
		}
	}
	list, err := s.usableCases(ctx)
	if err != nil {
		return err
	}
	first := map[string]string{} // by hashes of the input, and of what the case has besides
	for i := range list {
		c := &list[i]
		hash, err := s.caseData().InputHash(ctx, c)
		if err != nil {
			return err
		}
		if c.Generate == nil { // what it has besides others may have another of
			own := *c
			if own.Files, err = c.Beside(); err != nil {
				return err
			}
			hash += own.Made()
		}
		if before, ok := first[hash]; ok {
			s.want(located(c.Errorf("", "it tests nothing that the other does not", "the same input as %s", before)))
			continue
		}
		first[hash] = c.Name
	}
	return nil
}

// samples finds problems that show no sample, and samples that are not what a
// contestant may rely on.
func samples(_ context.Context, s *subject) error {
	if len(s.p.Samples) == 0 {
		s.want(s.p.Errorf("samples", "write samples: [sample/statement], with that case", "the statement shows no sample"))
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
		case c.Given != nil: // as the statement shows it
		case c.Input == nil || c.Output == nil:
			s.find(located(c.Errorf("", "give it a literal input and a pinned output", "a sample of the statement must stand in the file")))
		case c.Optional:
			s.find(located(c.Errorf("", "move it to a group that always counts", "a sample of the statement is in an optional group")))
		case !c.Pinned:
			s.find(located(c.Errorf("output", "add pinned: true when you have checked it by hand", "the output of a sample is not pinned")))
		}
	}
	return nil
}

// located returns an error of Case.Errorf as what it is.
func located(err error) *yamlstrict.Error { return err.(*yamlstrict.Error) }
