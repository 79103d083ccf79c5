package verify

import (
	"context"
	"path/filepath"

	"tribunal/judge/internal/casedata"
	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/content"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/verdict"
)

// checkAnswers finds answers that an answer validator refuses: the given answers of a package, or
// the expected outputs of a problem of the repository. refused holds, for each of the tests,
// whether an answer validator refuses it.
func (s *subject) checkAnswers(ctx context.Context, list []cases.Case, tests []problem.Test) (refused []bool, err error) {
	refused = make([]bool, len(tests))
	if len(s.p.AnswerValidators) == 0 {
		return refused, nil
	}
	if !s.p.Derives() {
		s.note("%s", noOutputs)
		return refused, nil
	}
	for _, validator := range s.p.AnswerValidators {
		if _, err := s.caseData().Program(ctx, validator.Program); err != nil {
			if err := s.settleMissing(err); err != nil {
				return nil, err
			}
			continue
		}
		name := filepath.Base(validator.Program)
		evaluator, err := s.judge.Evaluator(ctx, s.p.WithValidator(&problem.Validator{
			Name: name, Program: validator.Program, Protocol: validator.Protocol, Always: true, Limits: validator.Limits,
		}), s.env.Show)
		if err != nil {
			return nil, err
		}
		// ask runs the validator on an answer, or on the expected output of c if answer is
		// nil. failed describes how the validator failed, and is "" if it did not.
		ask := func(c *cases.Case, answer func() (content.Content, error)) (r grade.Judgement, failed string, err error) {
			f, err := s.caseData().Load(ctx, c)
			if err != nil {
				return r, "", err
			}
			if answer == nil {
				answer = func() (content.Content, error) { return f.Want, nil }
			}
			return s.evaluate(ctx, evaluator, casedata.Data{Name: c.Name, Input: f.Input, Flags: validator.Args(c)}, answer)
		}
		for i := range list {
			c := &list[i]
			if c.Given != nil && c.OutputFile == "" {
				continue // the package gives no answer for this case
			}
			r, failed, err := ask(c, nil)
			switch {
			case err != nil:
				return nil, err
			case failed != "":
				s.find(located(c.Errorf("output", "", "%s", failed)))
			case r.Verdict != verdict.AC:
				s.find(located(c.Errorf("output", "", "%s does not accept it: %s", name, oneLine(r.Message))))
			}
		}
		for i := range tests {
			t := &tests[i]
			if t.Of != problem.TestedAnswer {
				continue
			}
			r, failed, err := ask(&t.Case, t.Read)
			if err != nil {
				return nil, err
			}
			if failed != "" {
				s.findAt(t.File, "", "%s", failed)
			}
			refused[i] = refused[i] || failed != "" || r.Verdict != verdict.AC
		}
	}
	return refused, nil
}
