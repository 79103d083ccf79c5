package verify

import (
	"bytes"
	"context"

	"tribunal/judge/internal/casedata"
	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/run"
)

// checkGenerators finds generated inputs that differ when the generator runs again in another
// environment: number of threads, time zone, language. usableCases has already compared
// the first run with the lock.
func checkGenerators(ctx context.Context, s *subject) error {
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
			s.find(located(c.Errorf("generate", "", "the generator fails when run again: %s", casedata.Cause(o, l))))
			return nil
		}
		input, err := s.caseData().Input(ctx, c)
		if err == nil && !bytes.Equal(stdout, input) {
			s.find(located(c.Errorf("generate", "an input must depend only on arguments and seed", "the generator makes a different input when run again")))
		}
		return err
	})
}
