package verify

import (
	"bytes"
	"context"

	"tribunal/judge/internal/casedata"
	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/run"
)

// generators finds inputs that come out different in other surroundings. That they
// are those of the lock is seen to before anything is judged by them.
func generators(ctx context.Context, s *subject) error {
	list, err := s.usableCases(ctx)
	if err != nil {
		return err
	}
	var generated []cases.Case
	for _, c := range list {
		if c.Generate != nil {
			generated = append(generated, c)
		}
	}
	return s.caseData().RunAll(ctx, s.p.Generator, generated, func(c *cases.Case) (run.Job, error) {
		j := casedata.GenerateJob(c)
		j.Env = s.caseData().VariedEnv()
		return j, nil
	}, func(c *cases.Case, o run.Outcome, stdout []byte) error {
		if l := casedata.GenerateJob(c).Limits; !o.OK(l) {
			s.find(located(c.Errorf("generate", "", "run again, the generator fails: %s", casedata.Cause(o, l))))
			return nil
		}
		input, err := s.caseData().Input(ctx, c)
		if err == nil && !bytes.Equal(stdout, input) {
			s.find(located(c.Errorf("generate", "an input must follow from arguments and seed alone", "run again, the generator makes another input")))
		}
		return err
	})
}
