package verify

import (
	"context"
	"path/filepath"

	"tribunal/judge/internal/casedata"
	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/content"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/verdict"
)

// checkAnswers finds given answers that an answer validator refuses. refused says for each of the
// tests whether an answer validator refuses it.
func (s *subject) checkAnswers(ctx context.Context, list []cases.Case, tests []problem.Test) (refused []bool, err error) {
	refused = make([]bool, len(tests))
	if len(s.p.AnswerValidators) == 0 {
		return refused, nil
	}
	if !s.p.Derives() {
		s.note("%s", noOutputs)
		return refused, nil
	}
	for _, by := range s.p.AnswerValidators {
		if _, err := s.caseData().Program(ctx, by.Program); err != nil {
			if err := s.settleMissing(err); err != nil {
				return nil, err
			}
			continue
		}
		name := filepath.Base(by.Program)
		arbiter, err := s.judge.Arbiter(ctx, s.p.WithValidator(&problem.Validator{
			Name: name, Program: by.Program, Protocol: by.Protocol, Always: true, Limits: by.Limits,
		}), s.env.Show)
		if err != nil {
			return nil, err
		}
		// look asks the validator about an answer. It finds an answer that must be accepted and
		// is not, and a validator that fails.
		look := func(c *cases.Case, file string, answer func() (content.Content, error), must bool) (accepted bool, err error) {
			f := casedata.Data{Name: c.Name, Flags: c.Given.AnswerArgs[by.Name]}
			if f.Input, err = c.Given.Input(); err != nil {
				return false, err
			}
			r, failed, err := s.ruling(ctx, arbiter, f, answer)
			accepted = err == nil && failed == "" && r.Verdict == verdict.AC
			switch {
			case failed != "":
				s.findAt(file, "", "%s", failed)
			case err == nil && must && !accepted:
				s.findAt(file, "", "%s does not accept it: %s", name, oneLine(r.Message))
			}
			return accepted, err
		}
		for i := range list {
			if c := &list[i]; c.OutputFile != "" {
				if _, err := look(c, c.OutputFile, c.Given.Output, true); err != nil {
					return nil, err
				}
			}
		}
		for i := range tests {
			if t := &tests[i]; t.Of == problem.TestedAnswer {
				accepted, err := look(&t.Case, t.File, t.Read, false)
				if err != nil {
					return nil, err
				}
				refused[i] = refused[i] || !accepted
			}
		}
	}
	return refused, nil
}
