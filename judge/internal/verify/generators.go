package verify

import (
	"bytes"
	"context"

	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/fixture"
	"tribunal/judge/internal/run"
)

// generators finds inputs that come out different in other surroundings. That they
// are those of the lock is seen to before anything is judged by them.
func generators(ctx context.Context, s *subject) error {
	list, err := s.fixtures(ctx)
	if err != nil {
		return err
	}
	var generated []cases.Case
	for _, c := range list {
		if c.Generate != nil {
			generated = append(generated, c)
		}
	}
	return s.maker().Ask(ctx, s.p.Generator, generated, func(c *cases.Case) (run.Job, error) {
		j := fixture.Generate(c)
		j.Env = s.maker().Elsewhere()
		return j, nil
	}, func(c *cases.Case, o run.Outcome, stdout []byte) error {
		if l := fixture.Generate(c).Limits; !o.OK(l) {
			s.find(located(c.Errorf("generate", "", "run again, the generator fails: %s", fixture.Cause(o, l))))
			return nil
		}
		input, err := s.maker().Input(ctx, c)
		if err == nil && !bytes.Equal(stdout, input) {
			s.find(located(c.Errorf("generate", "an input must follow from arguments and seed alone", "run again, the generator makes another input")))
		}
		return err
	})
}
