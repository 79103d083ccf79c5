package verify

import (
	"context"
	"errors"
	"path"
	"slices"
	"strings"

	"tribunal/judge/internal/fixture"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/kattis"
	"tribunal/judge/internal/run"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/verdict"
)

// outputs finds answers that a validator refuses, and outputs and answers that they take
// for what they are not.
func (s *parcel) outputs(ctx context.Context) error {
	refused, err := s.answers(ctx)
	if err != nil {
		return err
	}
	if err := s.Build(ctx); err != nil {
		s.mute = true
		return err
	}
	if s.Interactive || s.MultiPass {
		return nil // they have no outputs to look at
	}
	arbiter, err := s.judge.Arbiter(ctx, s.Task(s.limits()))
	if err != nil {
		return err
	}
	defer arbiter.Close()
	ask := func(c *kattis.Case, output string, right bool, accepted string) error {
		f, err := s.Fixture(c)
		if err != nil {
			return err
		}
		r, failed, err := s.ruling(ctx, arbiter, f, output)
		switch {
		case err != nil:
			return err
		case failed != nil:
			s.at(s.Show(output), "", "%s", oneLine(failed.Error()))
		case right && r.Verdict != verdict.AC:
			s.at(s.Show(output), "", "gets %s: %s", r.Verdict, r.Cause)
		case !right && r.Verdict == verdict.AC:
			s.at(s.Show(output), "", "%s", accepted)
		}
		return nil
	}
	if len(s.Validation.Programs) > 0 {
		for _, c := range s.Cases {
			if c.Answer == "" {
				continue
			}
			// What an answer file is to a validator is its own matter, but for the later formats.
			if s.Format == kattis.Legacy {
				break
			}
			if err := ask(c, c.Answer, true, ""); err != nil {
				return err
			}
		}
	}
	for _, c := range s.ValidOutput {
		if err := ask(c, c.Output, true, ""); err != nil {
			return err
		}
	}
	for _, c := range s.InvalidOutput {
		if err := ask(c, c.Output, false, "is accepted as an output"); err != nil {
			return err
		}
	}
	if len(s.Validation.Programs)+len(s.AnswerValidators) == 0 && len(s.InvalidAnswer) > 0 {
		s.note("not checked: %s of invalid_answer, which no validator looks at", plural(len(s.InvalidAnswer), "file"))
		return nil
	}
	for i, c := range s.InvalidAnswer {
		if refused[i] {
			continue
		}
		if err := ask(c, c.Answer, false, "no validator refuses it"); err != nil {
			return err
		}
	}
	return nil
}

// answers finds answers that an answer validator refuses, and returns which of those in
// invalid_answer one does not accept.
func (s *parcel) answers(ctx context.Context) (refused []bool, err error) {
	all := slices.Concat(s.Cases, s.InvalidAnswer)
	refused = make([]bool, len(all))
	if len(s.AnswerValidators) > 0 && (s.Interactive || s.MultiPass) {
		s.note("not checked: answers, which are what an interactive or multi-pass problem's validator makes of them")
		return refused[len(s.Cases):], nil
	}
	names, programs, err := s.validators(ctx, s.AnswerValidators)
	defer func() {
		for _, p := range programs {
			p.Close()
		}
	}()
	if err != nil {
		return nil, err
	}
	for v, p := range programs {
		name := path.Base(names[v])
		arbiter, err := s.judge.Arbiter(ctx, grade.Task{Validator: &grade.Validator{
			Name: name, Program: p, Protocol: grade.Answers, Always: true, Limits: s.limits(),
		}})
		if err != nil {
			return nil, err
		}
		defer arbiter.Close()
		for i, c := range all {
			if c.Answer == "" {
				continue
			}
			f := fixture.Fixture{Name: c.Name, Flags: c.AnswerArgs.Of(names[v])}
			if f.Input, err = s.Bytes(c.Input); err != nil {
				return nil, err
			}
			r, failed, err := s.ruling(ctx, arbiter, f, c.Answer)
			if err != nil {
				return nil, err
			}
			valid, accepted := i < len(s.Cases), failed == nil && r.Verdict == verdict.AC
			switch {
			case failed != nil:
				s.at(s.Show(c.Answer), "", "%s", oneLine(failed.Error()))
			case valid && !accepted:
				s.at(s.Show(c.Answer), "", "%s does not accept it: %s", name, oneLine(r.Message))
			}
			refused[i] = refused[i] || !accepted
		}
	}
	_, err = s.describe(ctx, s.AnswerValidators, all, func(c *kattis.Case) (string, kattis.InputArgs) { return c.Answer, c.AnswerArgs }, len(s.Cases), refused)
	return refused[len(s.Cases):], err
}

// ruling asks an arbiter about a file of the package as an output on a fixture. failed is
// how the validator has failed.
func (s *parcel) ruling(ctx context.Context, a *grade.Arbiter, f fixture.Fixture, output string) (r grade.Ruling, failed, err error) {
	text, err := s.Bytes(output)
	if err != nil {
		return r, nil, err
	}
	r, failed = a.Rule(ctx, s.limits(), f, run.Outcome{}, text)
	switch {
	case ctx.Err() != nil:
		return r, nil, ctx.Err()
	case errors.Is(failed, sandbox.ErrDied), sandbox.Exhausted(failed):
		return r, nil, failed // the judge's own failure, which says nothing about the package
	}
	return r, failed, nil
}

// oneLine returns all that a validator said in the form of findings.
func oneLine(text string) string {
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\r' }), "; ")
}
