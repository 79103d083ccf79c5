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

// noOutputs is the note about a problem whose answers cannot be validated as if they were outputs.
const noOutputs = "not checked: answers, which need not have the form of an output in an interactive or multi-pass problem"

// checkOutputs finds given answers that a validator refuses, and test data that validators judge
// wrongly.
func checkOutputs(ctx context.Context, s *subject) error {
	list, err := s.usableCases(ctx)
	if err != nil {
		return err
	}
	tests, err := s.tests()
	if err != nil {
		return err
	}
	refused, err := s.checkAnswers(ctx, list, tests)
	if err != nil {
		return err
	}
	if !s.set.Given() {
		return nil // the check lock runs the output validators on the expected outputs
	}
	if err := s.buildValidators(ctx); err != nil {
		return err
	}
	if !s.p.Derives() {
		s.note("%s", noOutputs)
		return nil
	}
	evaluator, err := s.judge.Evaluator(ctx, s.p, s.env.Show)
	if err != nil {
		return err
	}
	if err := s.checkGivenAnswers(ctx, list, evaluator); err != nil {
		return err
	}
	unread := 0
	for i, t := range tests {
		switch {
		case t.Of == problem.TestedInput || refused[i]:
			continue
		case t.Of == problem.TestedAnswer && s.p.Validator == nil && len(s.p.AnswerValidators) == 0:
			unread++
			continue
		}
		if err := s.checkTest(ctx, evaluator, &t); err != nil {
			return err
		}
	}
	s.findFailures()
	if unread > 0 {
		s.note("not checked: %s of invalid_answer, which no validator reads", plural(unread, "file"))
	}
	return nil
}

// checkTest judges an answer or output from the test data for validators, and finds a wrong
// verdict.
func (s *subject) checkTest(ctx context.Context, evaluator *grade.Evaluator, t *problem.Test) error {
	f, err := s.caseData().Load(ctx, &t.Case)
	if err != nil {
		return err
	}
	r, failed, err := s.evaluate(ctx, evaluator, f, t.Read)
	switch {
	case err != nil:
		return err
	case failed != "":
		s.fails(t.File, failed)
	case t.Right && r.Verdict != verdict.AC:
		s.findAt(t.File, "", "gets %s: %s", r.Verdict, r.Cause)
	case t.Right || r.Verdict != verdict.AC:
	case t.Of == problem.TestedOutput:
		s.findAt(t.File, "", "is accepted, but must be refused")
	default:
		s.findAt(t.File, "", "no validator refuses it")
	}
	return nil
}

// checkGivenAnswers finds answers that the output validators refuse as outputs. It then judges the
// accepted answers once more, with the output of an accepted submission in the place of the answer.
// If they are refused now, the answer, the submission or the validator is wrong.
func (s *subject) checkGivenAnswers(ctx context.Context, list []cases.Case, evaluator *grade.Evaluator) error {
	if s.p.Validator == nil {
		return nil // an answer is equal to itself, and the comparison is symmetric
	}
	var right []cases.Case // cases whose answer is accepted as an output
	var loose []string     // names of cases whose answer need not be accepted, and is not
	for i := range list {
		c := &list[i]
		if c.OutputFile == "" {
			continue
		}
		f, err := s.caseData().Load(ctx, c)
		if err != nil {
			return err
		}
		r, failed, err := s.evaluate(ctx, evaluator, f, c.Given.Output)
		switch {
		case err != nil:
			return err
		case failed == "" && r.Verdict == verdict.AC:
			right = append(right, *c)
		case c.Given.Loose:
			loose = append(loose, c.Name)
		case failed != "":
			s.fails(c.OutputFile, failed)
		default:
			s.findAt(c.OutputFile, "", "gets %s: %s", r.Verdict, r.Cause)
		}
	}
	s.findFailures()
	if len(loose) > 0 {
		s.note("the output validator does not accept the answers of %s as outputs, which this format allows: %s", plural(len(loose), "case"), some(loose))
	}
	if len(right) == 0 {
		return nil
	}
	results, err := s.judgeExamples(ctx)
	if err != nil {
		return err
	}
	if accepted := results.accepted(); accepted != nil {
		return s.checkAgainstAccepted(ctx, accepted, right, evaluator)
	}
	return nil
}

// checkAgainstAccepted finds answers that the output validator refuses as outputs when the output
// of an accepted submission takes the place of the answer.
func (s *subject) checkAgainstAccepted(ctx context.Context, accepted *example, list []cases.Case, evaluator *grade.Evaluator) error {
	dir, err := os.MkdirTemp(s.judge.Temp, "outputs-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	all, err := s.grade(ctx, grade.Task{Cases: list, Limits: s.runs, All: true, Keep: dir, Submissions: []grade.Submission{{Source: accepted.Source}}})
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
		switch r, failed, err := s.evaluate(ctx, evaluator, f, c.Given.Output); {
		case err != nil:
			return err
		case failed == "" && r.Verdict == verdict.AC:
		case failed != "", c.Given.Loose:
			unclear = append(unclear, c.Name) // an output need not have the form of an answer
		default:
			s.findAt(c.OutputFile, "the answer, the submission or the validator is wrong",
				"gets %s if the output of %s, which is accepted, is taken as the answer: %s", r.Verdict, accepted.name, r.Cause)
		}
	}
	if len(unclear) > 0 {
		s.note("the output validator does not accept the answers of %s if the output of %s is taken as the answer: %s",
			plural(len(unclear), "case"), accepted.name, some(unclear))
	}
	return nil
}

// some returns the first names of a list, and the number of the others.
func some(names []string) string {
	const most = 5
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}

// evaluate judges an output for a case. failed describes in one line how the validator failed, and
// is "" if it did not.
func (s *subject) evaluate(ctx context.Context, a *grade.Evaluator, f casedata.Data, output func() (content.Content, error)) (r grade.Judgement, failed string, err error) {
	file, err := output()
	if err != nil {
		return r, "", err
	}
	text, err := file.Bytes()
	if err != nil {
		return r, "", err
	}
	r, err = a.Evaluate(ctx, limits.Validator, f, run.Outcome{}, text)
	switch {
	case ctx.Err() != nil:
		return r, "", ctx.Err()
	case grade.ValidatorFailed(err):
		return r, oneLine(err.Error()), nil
	}
	return r, "", err // if not nil, the judge itself failed
}

// oneLine joins the lines of a validator's message, because a finding has only one.
func oneLine(text string) string {
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\r' }), "; ")
}
