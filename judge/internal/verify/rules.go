package verify

import (
	"context"

	"tribunal/judge/internal/mutate"
)

// rules finds what cannot be true of what people say about mutants. Whether it is true
// takes a run of all of them, which is not for this.
func rules(_ context.Context, s *subject) error {
	folder := s.maker().Problem.Reference
	if !s.own(folder) {
		return nil
	}
	source, err := s.maker().Source(folder)
	if err != nil {
		return nil // of what is wrong with the reference itself other checks tell
	}
	_, err = mutate.LoadRules(s.bench.Root, s.p.ID, source, s.judge.Builder.Languages())
	return err
}
