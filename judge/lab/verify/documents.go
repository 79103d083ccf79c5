package verify

import (
	"context"

	"tribunal/judge/lab/mutate"
)

// checkDocuments finds a package without secret data, notes the parts of a problem that the loader
// did not understand or does not support, and finds rules in mutants.yaml that match nothing. It
// does not check that the mutants survive, because that would take running them all.
func checkDocuments(_ context.Context, s *subject) error {
	if s.p.Missing != nil {
		s.find(s.p.Missing)
	}
	for _, n := range s.p.Notes {
		s.note("%s", n)
	}
	folder := s.p.Reference
	if s.set.Given() || !s.own(folder) {
		return nil // there can be no mutants.yaml
	}
	source, err := s.caseData().Source(folder)
	if err != nil {
		return nil // other checks report mistakes in the reference
	}
	_, err = mutate.LoadRules(s.env.Root, s.p.ID, source, s.judge.Builder.Languages())
	return err
}
