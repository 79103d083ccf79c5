package verify

import (
	"cmp"
	"context"
	"errors"
	"path"
	"slices"
	"strings"
	"time"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/calibrate"
	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/fixture"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/pkgformat"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/run"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/verdict"
	"tribunal/judge/internal/yamlstrict"
)

// The checks of a problem package, in the order in which they run.
const (
	packageInputs   = "inputs"   // input validators accept the cases and refuse invalid_input
	packageOutputs  = "outputs"  // the output validator accepts the answers and valid_output, and refuses invalid_output
	packageExamples = "examples" // submissions keep their promises
)

// Package checks a problem package, and the problem that it is, by what it says of itself.
// complete fills in what it leaves to the machine of its limits. The error is the judge's own,
// or ctx's.
func Package(ctx context.Context, b *pkgformat.Package, p *problem.Problem, j *grade.Judge, show diff.Options, complete func(limits.Limits) limits.Limits, stage func(check string)) (*Report, error) {
	s := &parcel{Package: b, p: p, show: show, judge: j, complete: complete, noOutput: map[string]bool{}, verification: &verification{report: &Report{}}}
	s.about = b.ID()
	s.summary = Summary{Problem: s.about, Cases: len(b.Cases)}
	s.check = documents
	s.report.Checks = []string{documents}
	for _, n := range b.Notes {
		s.note("%s", n)
	}
	if len(b.Cases) == 0 {
		s.at(b.Show("data"), "", "no cases")
	}
	for _, c := range []struct {
		name string
		do   func(context.Context) error
	}{{packageInputs, s.inputs}, {packageOutputs, s.outputs}, {packageExamples, s.promises}} {
		if stage != nil {
			stage(c.name)
		}
		s.check = c.name
		s.report.Checks = append(s.report.Checks, c.name)
		if err := s.blame(c.do(ctx)); err != nil {
			return nil, err
		}
	}
	s.report.Problems = []Summary{s.summary}
	slices.SortStableFunc(s.report.Findings, func(a, b Finding) int {
		return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
	return s.report, nil
}

// Add adds what became of other checks to r.
func (r *Report) Add(o *Report) {
	r.Checks = o.Checks
	r.Problems = append(r.Problems, o.Problems...)
	r.Findings = append(r.Findings, o.Findings...)
	r.Notes = append(r.Notes, o.Notes...)
}

// parcel is one package with what its checks share.
type parcel struct {
	*verification
	*pkgformat.Package
	p        *problem.Problem
	show     diff.Options
	judge    *grade.Judge
	complete func(limits.Limits) limits.Limits
	summary  Summary
	mute     bool            // its output validators cannot be asked
	noOutput map[string]bool // cases whose answer they do not take for an output
}

// blame turns an error that is the package's fault into a finding, and a language that
// is not installed here into a note.
func (s *parcel) blame(err error) error {
	if compile, ok := errors.AsType[*build.CompileError](err); ok {
		name, _, _ := strings.Cut(err.Error(), ": ")
		s.at(name, "", "does not compile: %s", compile.Cause())
		return nil
	}
	if missing, ok := errors.AsType[*build.MissingError](err); ok {
		s.note("not checked: %v", missing)
		return nil
	}
	return s.settle(err)
}

// validators are those of the input or answer validators of a package that are built and
// run here.
func (s *parcel) validators(ctx context.Context, list []string) (names []string, programs []*build.Program, err error) {
	for _, rel := range list {
		if path.Ext(rel) == ".viva" {
			s.note("not checked: %s: .viva files are not supported", s.Show(rel))
			continue
		}
		p, err := s.judge.Fixtures.Program(ctx, rel)
		if err != nil {
			if err := s.blame(err); err != nil {
				return names, programs, err
			}
			continue
		}
		names, programs = append(names, rel), append(programs, p)
	}
	return names, programs, nil
}

// inputs finds inputs that an input validator refuses, and invalid ones that none does.
func (s *parcel) inputs(ctx context.Context) error {
	names, programs, err := s.validators(ctx, s.InputValidators)
	if err != nil {
		return err
	}
	if len(s.InputValidators) == 0 && s.Format != pkgformat.Pairs && s.Format != pkgformat.Polygon {
		s.note("there is no input validator")
	}
	valid := slices.Concat(s.Cases, s.ValidInput)
	if s.Format != pkgformat.Polygon { // which does not want the inputs of its checkers' tests to be valid
		valid = slices.Concat(valid, s.InvalidAnswer, s.InvalidOutput, s.ValidOutput)
	}
	all := slices.Concat(valid, s.InvalidInput)
	refused := make([]bool, len(all))
	status := problem.ExitAccepts
	if s.InputProtocol == problem.Testlib {
		status = 0
	}
	for v, p := range programs {
		outcomes := make([]run.Outcome, len(all))
		l := s.ValidatorLimits()
		err := run.Each(ctx, s.judge.Pool, len(all), 1, func(ctx context.Context, w *run.Worker, i int) (run.Outcome, error) {
			input, err := s.Content(all[i].Input)
			if err != nil {
				return run.Outcome{}, err
			}
			files, err := s.Beside(all[i])
			if err != nil {
				return run.Outcome{}, err
			}
			args := all[i].InputArgs.Of(names[v])
			return w.Run(ctx, run.Job{Program: p, Args: args, Files: files, Input: input, Limits: l}, nil), nil
		}, func(i int, o run.Outcome) error {
			outcomes[i] = o
			return nil
		})
		if err != nil {
			return err
		}
		for i, o := range outcomes {
			accepted := o.Stop == sandbox.Exited && o.ExitCode == status
			refused[i] = refused[i] || !accepted
			switch {
			case o.Err != nil:
				return o.Err
			case i < len(valid) && !accepted:
				s.at(s.Show(all[i].Input), "", "%s does not accept it: %s", path.Base(names[v]), fixture.Cause(o, l))
			case i >= len(valid) && !accepted && o.Stop != sandbox.Exited:
				s.at(s.Show(all[i].Input), "it has to refuse what is not valid", "%s: %s", path.Base(names[v]), fixture.Cause(o, l))
			}
		}
	}
	for i := len(valid); i < len(all) && len(programs) > 0; i++ {
		if !refused[i] {
			s.at(s.Show(all[i].Input), "", "no input validator refuses it")
		}
	}
	return nil
}

// promises finds submissions that do not do what is expected of them.
func (s *parcel) promises(ctx context.Context) error {
	if s.mute {
		s.note("not checked: %s, which nobody can judge without the output validator", plural(len(s.Submissions), "submission"))
		s.summary.Unchecked = len(s.Submissions)
		return nil
	}
	var list []grade.Submission
	var of []problem.Submission
	for _, sub := range s.Submissions {
		source, err := s.Own(&sub, s.judge.Builder.Languages())
		if foreign, ok := errors.AsType[*build.ForeignError](err); ok {
			s.note("not checked: %s: %s is none of the languages here", sub.Path, foreign.Language)
			s.summary.Unchecked++
			continue
		}
		if err != nil {
			s.find(&yamlstrict.Error{File: s.Show(sub.Path), Msg: strings.TrimPrefix(err.Error(), s.File(sub.Path)+": ")})
			continue
		}
		if _, err := s.judge.Builder.Key(ctx, source); err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			s.note("not checked: %s: %v", sub.Path, err)
			s.summary.Unchecked++
			continue
		}
		list, of = append(list, grade.Submission{Source: source}), append(of, sub)
	}
	task, err := s.task(s.complete(s.p.Limits))
	if err != nil {
		return err
	}
	if task.Limits.CPU == 0 {
		task.Limits.CPU = calibrate.Longest
		task.Limits = s.complete(task.Limits)
		slowest, err := calibrate.Slowest(ctx, s.judge, task)
		if err != nil {
			if errors.Is(err, calibrate.ErrNoLimit) {
				s.at(s.Show("problem.yaml"), "give limits: time_limit, or an accepted submission", "%v", err)
				return nil
			}
			return err
		}
		l := s.p.Limits
		l.CPU = s.p.Time.Derive(slowest)
		task.Limits = s.complete(l)
		s.note("time limit %v, from the slowest accepted run of %v", l.CPU, slowest.Round(time.Millisecond))
	}
	// Who promises no more than a verdict, or that some case has one, is judged until that
	// is known.
	var promised [2][]problem.Submission
	brief, whole := task, task
	whole.All = true
	for i, sub := range of {
		if brieflyKept(sub.Expect) {
			brief.Submissions, promised[0] = append(brief.Submissions, list[i]), append(promised[0], sub)
		} else {
			whole.Submissions, promised[1] = append(whole.Submissions, list[i]), append(promised[1], sub)
		}
	}
	accepted := false
	var solved *grade.Judged // the first that is accepted on all cases, as it promises
	var solver string        // its name
	for n, t := range []*grade.Task{&brief, &whole} {
		judged, err := s.judge.Collect(ctx, *t)
		if err != nil {
			return err
		}
		for i, j := range judged {
			sub := promised[n][i]
			found := j.Broken(sub.Expect)
			if n == 0 && len(found) > 0 && len(sub.Expect.Rules) > 0 { // a later case may keep it
				whole.Submissions, promised[1] = append(whole.Submissions, t.Submissions[i]), append(promised[1], sub)
				continue
			}
			accepted = accepted || j.Done.Verdict == verdict.AC
			if solved == nil && j.Done.Verdict == verdict.AC && len(found) == 0 {
				solved, solver = &judged[i], s.Show(sub.Path)
			}
			for _, what := range found {
				s.at(s.Show(sub.Path), "", "%s", what)
			}
			s.summary.Examples++
		}
	}
	if !accepted && s.summary.Unchecked == 0 && s.Format != pkgformat.Pairs {
		s.at(s.Show("submissions"), "", "no submission is accepted")
	}
	if solved == nil {
		return nil
	}
	s.check = packageOutputs
	return s.beside(ctx, solved.Submission, solver, task)
}

// task returns what to judge on the package, without submissions.
func (s *parcel) task(l limits.Limits) (grade.Task, error) {
	set, err := s.p.Cases()
	if err != nil {
		return grade.Task{}, err
	}
	return grade.Task{Problem: s.p, Cases: set.Cases, Limits: l, Show: s.show}, nil
}

// brieflyKept reports whether the cases up to the first that is not accepted may show that
// a promise is kept: no rule of it forbids a later one anything.
func brieflyKept(e problem.Expect) bool {
	for _, r := range e.Rules {
		if verdict.OfCase()&^r.Permitted != 0 || r.Score != nil {
			return false
		}
	}
	return true
}
