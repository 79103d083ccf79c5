package verify

import (
	"context"

	"tribunal/judge/internal/mutate"
)

// read tells what the loader has not understood or does not support, and finds what cannot be
// true of what people say about mutants. Whether that is true takes a run of all of them,
// which is not for this.
func read(_ context.Context, s *subject) error {
	for _, n := range s.p.Notes {
		s.note("%s", n)
	}
	folder := s.p.Reference
	if s.set.Given() || !s.own(folder) {
		return nil // nobody says anything about mutants
	}
	source, err := s.caseData().Source(folder)
	if err != nil {
		return nil // of what is wrong with the reference itself other checks tell
	}
	_, err = mutate.LoadRules(s.bench.Root, s.p.ID, source, s.judge.Builder.Languages())
	return err
}
