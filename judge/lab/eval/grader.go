package eval

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/cache"
	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/content"
	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/repo"
	"tribunal/judge/internal/verdict"
)

// Machine compiles and runs programs. It is safe for concurrent use. While a task with a problem is
// opened, nothing else runs.
type Machine interface {
	// Judge returns a judge of a problem; the caller closes the provider of its case data. Compilations
	// use the slots of the pool too.
	Judge(p *problem.Problem) *grade.Judge
	// Problem opens a problem by its id or path, until closed is called.
	Problem(ctx context.Context, name string) (p *problem.Problem, closed func() error, err error)
	// Limits completes the limits of a task, some of which may be 0. The CPU limit is 0 only if a
	// problem has none.
	Limits(ctx context.Context, j *grade.Judge, t grade.Task) (limits.Limits, error)
	// Faulty reports whether a task or its problem is to blame for an error that kept the task from being
	// opened, and not this machine.
	Faulty(err error) bool
	// Tidy trims the cache of programs. It is called from time to time.
	Tidy() error
}

// Grader judges programs with a machine, like judge grade. It implements [Judge].
type Grader struct {
	Machine Machine
	All     bool // judge all tests, not only up to the first failure

	// mu is locked while a problem is opened, because the programs that make its data do not run beside
	// others, and read-locked while a program is judged.
	mu    sync.RWMutex
	built atomic.Int64 // programs since the last Tidy
}

// tidyAfter is the number of compiled programs after which the cache is trimmed.
const tidyAfter = 2000

// bench judges programs for a task.
type bench struct {
	*Grader
	task   *Task
	judge  *grade.Judge
	grade  grade.Task // without submissions
	key    cache.Key  // of all but the program
	closed func() error
	// control is a case that a program passes only if it keeps its tests from failing; nil for none.
	control []cases.Case
	marked  cache.Key // of the tests before marks were added; "" without marks
}

// Open prepares a task. The data of its problem is generated if necessary.
func (g *Grader) Open(ctx context.Context, t *Task) (Bench, error) {
	b := &bench{Grader: g, task: t, closed: func() error { return nil }}
	err := b.open(ctx)
	if err == nil {
		return b, nil
	}
	closed := b.closed()
	if ctx.Err() != nil {
		return nil, errors.Join(ctx.Err(), closed)
	}
	if t.Problem != "" {
		err = fmt.Errorf("problem %s: %w", t.Problem, err)
	}
	if g.Machine.Faulty(err) {
		what := t.Errorf("", "%v", err)
		what.Err, err = err, what
	} else {
		err = fmt.Errorf("task %s: %w", t.ID, err)
	}
	return nil, errors.Join(err, closed)
}

func (b *bench) open(ctx context.Context) error {
	if f := b.task.Function; b.task.Tail != "" || f != nil && f.Program {
		b.marked = b.task.mark()
	}
	p := b.task.problem()
	if b.task.Problem != "" {
		b.mu.Lock()
		defer b.mu.Unlock()
		var err error
		if p, b.closed, err = b.Machine.Problem(ctx, b.task.Problem); err != nil {
			b.closed = func() error { return nil }
			return err
		}
		p = b.task.limited(p)
	}
	b.judge = b.Machine.Judge(p)
	closed := b.closed
	b.closed = func() error { return errors.Join(b.judge.CaseData.Close(), closed()) }
	set, err := p.Cases()
	if err == nil {
		err = set.Missing()
	}
	if err != nil {
		return err
	}
	b.grade = grade.Task{
		Problem: p, Cases: cases.Required(set.Cases), Limits: p.Limits, All: b.All,
		Show: diff.Options{Lines: maxLines, Bytes: maxDifference},
	}
	if err := b.judge.CaseData.Prepare(ctx, b.grade.Cases); err != nil {
		return err
	}
	if b.task.Tail != "" {
		b.grade.Cases, b.control = b.grade.Cases[:1], b.grade.Cases[1:]
	}
	if b.grade.Limits, err = b.Machine.Limits(ctx, b.judge, b.grade); err != nil {
		return err
	}
	return b.fingerprint(ctx)
}

// fingerprint sets the key of the task.
func (b *bench) fingerprint(ctx context.Context) error {
	tests, err := b.judge.CaseData.Fingerprint(ctx, b.grade.Cases)
	if err != nil {
		return err
	}
	h := cache.NewHasher("eval 1")
	h.Text(string(cmp.Or(b.marked, cache.Key(tests))), fmt.Sprintf("%+v", b.grade.Limits), fmt.Sprint(b.All))
	switch f := b.task.Function; {
	case f == nil:
	case f.Program:
		h.Text(f.main())
	default:
		h.Text(fmt.Sprintf("{%s %v}", f.Name, f.Unwrap), driver) // as before there were programs of tests
	}
	b.key = h.Key()
	return nil
}

// Key returns the key of the task, the language and the source.
func (b *bench) Key(p *Program) cache.Key {
	h := cache.NewHasher("program 1")
	h.Text(string(b.key), p.Language, p.Source)
	return h.Key()
}

func (b *bench) Close() error { return b.closed() }

func (b *bench) Judge(ctx context.Context, p *Program, atOnce int) (*Result, error) {
	b.mu.RLock()
	defer b.mu.RUnlock()
	r := &Result{Task: b.task.ID, Program: p.ID, Language: p.Language, Tests: len(b.grade.Cases), Key: b.Key(p)}
	source, err := b.source(p)
	if err != nil {
		return nil, err
	}
	judge, t := *b.judge, b.grade
	t.Submissions, t.AtOnce = []grade.Submission{{Source: source}}, atOnce
	err = judge.Grade(ctx, t, r.event)
	if err == nil && r.Verdict == verdict.AC && b.control != nil {
		var control Result
		t.Cases = b.control
		if err = judge.Grade(ctx, t, control.event); control.Verdict == verdict.AC {
			r.Verdict, r.Test, r.Cause, r.Passed = verdict.WA, "1", "passes even if the tests fail", 0
		}
	}
	if b.marked != "" {
		r.checked(b.task.Function != nil)
	}
	if _, missing := errors.AsType[*build.MissingError](err); missing && ctx.Err() == nil {
		r.Verdict, r.Cause = verdict.JE, "not judged: "+err.Error()
		return r, nil
	}
	if err == nil && b.built.Add(1)%tidyAfter == 0 {
		err = b.Machine.Tidy()
	}
	return r, err
}

// source returns a program as a submission. One that cannot be a submission, such as a source that is
// too large, is refused and gets the verdict CE.
func (b *bench) source(p *Program) (*build.Source, error) {
	name, languages := b.task.ID+"/"+p.ID, b.judge.Builder.Languages()
	return build.HandedIn(name, func() (*build.Source, error) {
		text := p.Source
		if b.task.Tail != "" {
			text = b.task.tested(text, p.Language)
		}
		s, err := build.Read(name, "", strings.NewReader(text), p.Language, languages)
		switch {
		case err != nil:
			return nil, err
		case b.task.Function != nil:
			return b.task.Function.with(s, p.Source, languages)
		case b.task.Problem != "":
			return b.grade.Problem.Take(s, languages)
		}
		return s, nil
	})
}

// event records what an event of judging says about the program.
func (r *Result) event(e grade.Event) {
	switch e := e.(type) {
	case *grade.Built:
		r.Compile, r.Stderr = e.Time, first(e.Error, maxStderr)
	case *grade.Case:
		if e.Verdict != verdict.AC && r.Test == "" {
			r.Test, r.Mismatch, r.Stderr = e.Name, e.Mismatch, last(e.Stderr, maxStderr)
		}
	case *grade.Done:
		if e.First != r.Test { // another case decides about the points
			r.Mismatch, r.Stderr = nil, ""
		}
		r.Verdict, r.Test, r.Cause = e.Verdict, e.First, first(e.Cause, maxCause)
		r.Passed, r.Judged, r.MaxUsage = e.Passed, e.Judged, e.MaxUsage
	}
}

// problem returns the tests of a task as a problem, and removes them from the task, because they may be
// large.
func (t *Task) problem() *problem.Problem {
	p := repo.Bare("", t.ID)
	p.Path, p.Title, p.Compare, p.InFile, p.OutFile = t.File, t.ID, t.Compare, t.InFile, t.OutFile
	p.Limits = limits.Limits{CPU: cmp.Or(t.Limits.CPU, DefaultTime), Memory: cmp.Or(t.Limits.Memory, DefaultMemory), Output: 64 * limits.MiB}
	set := &cases.Set{Problem: t.ID, Lock: &cases.Lock{}, Groups: []cases.Group{{Name: "tests", Cases: len(t.Tests)}}}
	for _, test := range t.Tests {
		set.Cases = append(set.Cases, cases.Case{
			Name: test.Name, Group: "tests", File: fmt.Sprintf("%s:%d", t.File, t.Line),
			Given: &cases.Given{Input: held(test.Input), Output: held(test.Output)},
		})
	}
	p.Read = func() (*cases.Set, error) { return set, nil }
	t.Tests = nil
	return p
}

// held returns a function that returns a text.
func held(text string) func() (content.Content, error) {
	held := content.Of([]byte(text))
	return func() (content.Content, error) { return held, nil }
}

// limited returns a problem with the limits that the task sets.
func (t *Task) limited(p *problem.Problem) *problem.Problem {
	l := t.Limits
	other := *p.WithExceptions(func(e problem.Exception) problem.Exception {
		if l.CPU > 0 {
			e.CPU = 0
		}
		if l.Memory > 0 {
			e.Memory = 0
		}
		return e
	})
	if l.CPU > 0 {
		other.Limits.CPU, other.Limits.Wall = l.CPU, 0
	}
	other.Limits.Memory = cmp.Or(l.Memory, other.Limits.Memory)
	return &other
}
