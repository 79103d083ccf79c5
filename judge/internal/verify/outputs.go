package verify

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strings"

	"tribunal/judge/internal/casedata"
	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/content"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/run"
	"tribunal/judge/internal/verdict"
)

// noOutputs is said of answers that cannot be shown to a validator as outputs.
const noOutputs = "not checked: answers, which are what an interactive or multi-pass problem's validator makes of them"

// outputs finds given answers that a validator refuses, and outputs and answers that they take
// for what they are not.
func outputs(ctx context.Context, s *subject) error {
	list, err := s.usableCases(ctx)
	if err != nil {
		return err
	}
	tests, err := s.tests()
	if err != nil {
		return err
	}
	refused, err := s.answers(ctx, list, tests)
	if err != nil {
		return err
	}
	if err := s.decides(ctx); err != nil {
		return err
	}
	if !s.p.Derives() {
		s.note("%s", noOutputs)
		return nil
	}
	arbiter, err := s.judge.Arbiter(ctx, s.p, s.bench.Show)
	if err != nil {
		return err
	}
	if err := s.ownAnswers(ctx, list, arbiter); err != nil {
		return err
	}
	unseen := 0
	for i, t := range tests {
		switch {
		case t.Of == problem.TestedInput || refused[i]:
			continue
		case t.Of == problem.TestedAnswer && s.p.Validator == nil && len(s.p.AnswerValidators) == 0:
			unseen++
			continue
		}
		if err := s.test(ctx, arbiter, &t); err != nil {
			return err
		}
	}
	if unseen > 0 {
		s.note("not checked: %s of invalid_answer, which no validator looks at", plural(unseen, "file"))
	}
	return nil
}

// test asks an arbiter about an answer or output that tests it.
func (s *subject) test(ctx context.Context, arbiter *grade.Arbiter, t *problem.Test) error {
	f, err := s.caseData().Load(ctx, &t.Case)
	if err != nil {
		return err
	}
	r, failed, err := s.ruling(ctx, arbiter, f, t.Read)
	switch {
	case err != nil:
		return err
	case failed != "":
		s.at(t.File, "", "%s", failed)
	case t.Right && r.Verdict != verdict.AC:
		s.at(t.File, "", "gets %s: %s", r.Verdict, r.Cause)
	case t.Right || r.Verdict != verdict.AC:
	case t.Of == problem.TestedOutput:
		s.at(t.File, "", "is accepted as an output")
	default:
		s.at(t.File, "", "no validator refuses it")
	}
	return nil
}

// ownAnswers finds answers that the output validators refuse: as outputs, and, if they are
// right by themselves, where what an accepted submission writes is the answer. Then one of the
// two is wrong.
func (s *subject) ownAnswers(ctx context.Context, list []cases.Case, arbiter *grade.Arbiter) error {
	if s.p.Validator == nil {
		return nil // they would be compared with themselves, and comparing is the same both ways
	}
	var right []cases.Case // by themselves
	var other []string
	for i := range list {
		c := &list[i]
		if c.OutputFile == "" {
			continue
		}
		f, err := s.caseData().Load(ctx, c)
		if err != nil {
			return err
		}
		r, failed, err := s.ruling(ctx, arbiter, f, c.Given.Output)
		switch {
		case err != nil:
			return err
		case failed == "" && r.Verdict == verdict.AC:
			right = append(right, *c)
		case c.Given.Loose:
			other = append(other, c.Name)
		case failed != "":
			s.at(c.OutputFile, "", "%s", failed)
		default:
			s.at(c.OutputFile, "", "gets %s: %s", r.Verdict, r.Cause)
		}
	}
	if len(other) > 0 {
		s.note("the output validator does not take the answers of %s for outputs, as this format allows: %s", plural(len(other), "case"), some(other))
	}
	if len(right) == 0 {
		return nil
	}
	z, err := s.examples(ctx)
	if err != nil {
		return err
	}
	if accepted := z.solver(); accepted != nil {
		return s.beside(ctx, accepted, right, arbiter)
	}
	return nil
}

// beside finds answers that the output validator refuses where what an accepted submission
// writes is the answer.
func (s *subject) beside(ctx context.Context, accepted *example, list []cases.Case, arbiter *grade.Arbiter) error {
	dir, err := os.MkdirTemp(s.judge.Temp, "outputs-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	all, err := s.grade(ctx, grade.Task{Cases: list, Limits: s.runs, All: true, Keep: dir, Submissions: []grade.Submission{accepted.Submission}})
	if err != nil {
		return err
	}
	var unclear []string
	for _, j := range all[0].Cases {
		if j.Verdict != verdict.AC || j.Kept == "" {
			continue
		}
		c := s.caseOf(j.Name)
		f, err := s.caseData().Load(ctx, c)
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
		switch r, failed, err := s.ruling(ctx, arbiter, f, c.Given.Output); {
		case err != nil:
			return err
		case failed == "" && r.Verdict == verdict.AC:
		case failed != "", c.Given.Loose:
			unclear = append(unclear, c.Name) // which may be no answer
		default:
			s.at(c.OutputFile, "one of them is wrong, or the validator",
				"gets %s where what %s writes, which is accepted, is the answer: %s", r.Verdict, accepted.name, r.Cause)
		}
	}
	if len(unclear) > 0 {
		s.note("the output validator does not accept the answers of %s where what %s writes is the answer: %s",
			plural(len(unclear), "case"), accepted.name, some(unclear))
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

// ruling asks an arbiter about an output for a case. failed is how the validator has failed,
// in one line; "" if it has not.
func (s *subject) ruling(ctx context.Context, a *grade.Arbiter, f casedata.Data, output func() (content.Content, error)) (r grade.Ruling, failed string, err error) {
	shown, err := output()
	if err != nil {
		return r, "", err
	}
	text, err := shown.Bytes()
	if err != nil {
		return r, "", err
	}
	r, err = a.Rule(ctx, limits.Validator, f, run.Outcome{}, text)
	switch {
	case ctx.Err() != nil:
		return r, "", ctx.Err()
	case grade.Blames(err):
		return r, oneLine(err.Error()), nil
	}
	return r, "", err // the judge's own failure says nothing about the problem
}

// oneLine returns all that a validator said in the form of findings.
func oneLine(text string) string {
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\r' }), "; ")
}
