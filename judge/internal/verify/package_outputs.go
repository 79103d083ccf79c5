package verify

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path"
	"slices"
	"strings"

	"tribunal/judge/internal/content"
	"tribunal/judge/internal/fixture"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/pkgformat"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/run"
	"tribunal/judge/internal/verdict"
)

// outputs finds answers that a validator refuses, and outputs and answers that they take
// for what they are not.
func (s *parcel) outputs(ctx context.Context) error {
	refused, err := s.answers(ctx)
	if err != nil {
		return err
	}
	var programs []string
	for v := s.p.Validator; v != nil; v = v.Then {
		programs = append(programs, v.Program)
	}
	if s.p.Grader != nil {
		programs = append(programs, s.p.Grader.Program)
	}
	for _, path := range programs {
		if _, err := s.judge.Fixtures.Program(ctx, path); err != nil {
			s.mute = true
			return err
		}
	}
	if s.Interactive || s.MultiPass {
		s.note("%s", noOutputs)
		return nil
	}
	arbiter, err := s.judge.Arbiter(ctx, s.p, s.show)
	if err != nil {
		return err
	}
	ask := func(c *pkgformat.Case, output string, right bool, accepted string) error {
		f, err := s.fixture(ctx, c)
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
	if err := s.ownAnswers(ctx, arbiter); err != nil {
		return err
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

// fixture returns the bytes of any case of the package.
func (s *parcel) fixture(ctx context.Context, c *pkgformat.Case) (fixture.Fixture, error) {
	given, err := s.Given(c)
	if err != nil {
		return fixture.Fixture{}, err
	}
	return s.judge.Fixtures.Make(ctx, &given)
}

// noOutputs is said of answers that cannot be shown to a validator as outputs.
const noOutputs = "not checked: answers, which are what an interactive or multi-pass problem's validator makes of them"

// ownAnswers finds answers that the output validators refuse as outputs.
func (s *parcel) ownAnswers(ctx context.Context, arbiter *grade.Arbiter) error {
	if len(s.Validation.Programs) == 0 {
		return nil // it would be compared with itself
	}
	var other []string
	for _, c := range s.Cases {
		if c.Answer == "" {
			continue
		}
		f, err := s.fixture(ctx, c)
		if err != nil {
			return err
		}
		r, failed, err := s.ruling(ctx, arbiter, f, c.Answer)
		if failed != nil || r.Verdict != verdict.AC {
			s.noOutput[c.Name] = true
		}
		switch {
		case err != nil:
			return err
		case failed == nil && r.Verdict == verdict.AC:
		case !s.isOutput(c):
			other = append(other, c.Name)
		case failed != nil:
			s.at(s.Show(c.Answer), "", "%s", oneLine(failed.Error()))
		default:
			s.at(s.Show(c.Answer), "", "gets %s: %s", r.Verdict, r.Cause)
		}
	}
	if len(other) > 0 {
		s.note("the output validator does not take the answers of %s for outputs, as this format allows: %s", plural(len(other), "case"), some(other))
	}
	return nil
}

// isOutput reports whether the answer of a case has to be a right output: always but in
// the oldest format, where only those of samples, which are shown, have to.
func (s *parcel) isOutput(c *pkgformat.Case) bool {
	return s.Format != pkgformat.Legacy || strings.HasPrefix(c.Name, "sample/")
}

// beside finds answers that are right by themselves, and that the output validator refuses
// where what an accepted submission writes is the answer: one of the two is wrong.
func (s *parcel) beside(ctx context.Context, accepted grade.Submission, name string, task grade.Task) error {
	if len(s.Validation.Programs) == 0 || s.Interactive || s.MultiPass || s.mute {
		return nil // comparing is the same both ways
	}
	dir, err := os.MkdirTemp(s.judge.Temp, "outputs-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	task.All, task.Keep, task.Submissions = true, dir, []grade.Submission{accepted}
	judged, err := s.judge.Collect(ctx, task)
	if err != nil {
		return err
	}
	arbiter, err := s.judge.Arbiter(ctx, s.p, s.show)
	if err != nil {
		return err
	}
	var unclear []string
	for _, j := range judged[0].Cases {
		c := s.Case(j.Name)
		if j.Verdict != verdict.AC || j.Kept == "" || c.Answer == "" || s.noOutput[c.Name] {
			continue
		}
		f, err := s.fixture(ctx, c)
		if err != nil {
			return err
		}
		answer, err := f.Want.Bytes()
		if err != nil {
			return err
		}
		output, err := os.ReadFile(j.Kept)
		if err != nil {
			return err
		}
		if bytes.Equal(output, answer) {
			continue
		}
		f.Want = content.Of(output)
		switch r, failed, err := s.ruling(ctx, arbiter, f, c.Answer); {
		case err != nil:
			return err
		case failed == nil && r.Verdict == verdict.AC:
		case failed != nil, !s.isOutput(c):
			unclear = append(unclear, c.Name) // which may be no answer
		default:
			s.at(s.Show(c.Answer), "one of them is wrong, or the validator",
				"gets %s where what %s writes, which is accepted, is the answer: %s", r.Verdict, name, r.Cause)
		}
	}
	if len(unclear) > 0 {
		s.note("the output validator does not accept the answers of %s where what %s writes is the answer: %s",
			plural(len(unclear), "case"), name, some(unclear))
	}
	return nil
}

// some is the beginning of a list of names.
func some(names []string) string {
	const most = 5
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}

// answers finds answers that an answer validator refuses, and returns which of those in
// invalid_answer one does not accept.
func (s *parcel) answers(ctx context.Context) (refused []bool, err error) {
	all := slices.Concat(s.Cases, s.InvalidAnswer)
	refused = make([]bool, len(all))
	if len(s.AnswerValidators) > 0 && (s.Interactive || s.MultiPass) {
		s.note("%s", noOutputs)
		return refused[len(s.Cases):], nil
	}
	names, _, err := s.validators(ctx, s.AnswerValidators)
	if err != nil {
		return nil, err
	}
	for _, rel := range names {
		name := path.Base(rel)
		arbiter, err := s.judge.Arbiter(ctx, s.p.JudgedBy(&problem.Validator{
			Name: name, Program: rel, Protocol: problem.Answers, Always: true, Limits: s.ValidatorLimits(),
		}), s.show)
		if err != nil {
			return nil, err
		}
		for i, c := range all {
			if c.Answer == "" {
				continue
			}
			f := fixture.Fixture{Name: c.Name, Flags: c.AnswerArgs.Of(rel)}
			if f.Input, err = s.Content(c.Input); err != nil {
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
	return refused[len(s.Cases):], nil
}

// ruling asks an arbiter about a file of the package as an output on a fixture. failed is
// how the validator has failed.
func (s *parcel) ruling(ctx context.Context, a *grade.Arbiter, f fixture.Fixture, output string) (r grade.Ruling, failed, err error) {
	text, err := s.Bytes(output)
	if err != nil {
		return r, nil, err
	}
	r, failed = a.Rule(ctx, s.ValidatorLimits(), f, run.Outcome{}, text)
	switch {
	case ctx.Err() != nil:
		return r, nil, ctx.Err()
	case failed != nil && !grade.Blames(failed):
		return r, nil, failed // the judge's own failure, which says nothing about the package
	}
	return r, failed, nil
}

// oneLine returns all that a validator said in the form of findings.
func oneLine(text string) string {
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\r' }), "; ")
}
