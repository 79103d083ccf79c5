package engine

import (
	"context"
	"errors"
	"io"
	"os"
	"sync"

	"tribunal/judge/internal/casedata"
	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/problem"
	"tribunal/judge/packages/parcel"
	"tribunal/judge/packages/pkgformat"
)

// Problem is a problem that is open in an engine. It is safe for concurrent use, except for Close.
type Problem struct {
	*problem.Problem
	Package  *pkgformat.Package // nil for a parcel
	CaseData *casedata.Provider

	engine *Engine
	mu     sync.Mutex
	dir    string // with the files of archives; "" for none
	held   []io.Closer

	turn chan struct{} // holds a value while Task works
	task *grade.Task   // nil until its limits are known
}

// Open opens a problem in an engine that was started: a package, or a parcel (see package parcel),
// each a folder or an archive. Several problems can be open at the same time. Open sets the Scratch
// and Make of the options. The caller closes the problem before the engine. Errors are those of
// [pkgformat.Open], [pkgformat.Package.Problem] and [parcel.Open].
func (e *Engine) Open(ctx context.Context, path string, o pkgformat.Options) (*Problem, error) {
	p := &Problem{engine: e, turn: make(chan struct{}, 1)}
	var err error
	if parcel.Is(path) {
		p.Problem, err = parcel.Open(ctx, path, p.scratch)
	} else {
		o.Scratch, o.Make = p.scratch, maker{p}
		if p.Package, err = pkgformat.Open(ctx, path, o); err == nil {
			p.Problem, err = p.Package.Problem()
		}
	}
	if err != nil {
		return nil, errors.Join(err, p.Close())
	}
	p.CaseData = e.NewCaseData(p.Problem)
	return p, nil
}

// scratch returns the folder for the files of archives.
func (p *Problem) scratch() (dir string, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.dir == "" {
		p.dir, err = os.MkdirTemp(p.engine.Host.Temp(), "problem-")
	}
	return p.dir, err
}

// maker makes the test data of a problem's package, which can be used until the problem is closed.
type maker struct{ *Problem }

func (m maker) Make(ctx context.Context, p *pkgformat.Draft, steps []pkgformat.Step) (map[string]pkgformat.MadeFile, error) {
	return m.engine.make(ctx, p, steps, func(c io.Closer) {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.held = append(m.held, c)
	})
}

func (p *Problem) Judge() *grade.Judge { return p.engine.Judge(p.CaseData) }

// Task returns the task by which judge grade judges submissions on the problem unless its flags say
// otherwise: all cases but the optional ones, with their data prepared, and limits, which are
// derived from the problem's submissions if it has no time limit. The caller sets the submissions,
// and must not change the cases.
//
// The first call may take long. Those after it only make data again that the cache has lost since,
// so that a service calls Task for each submission. Callers wait for each other. If a program of
// the problem does not compile, or no time limit can be derived, the error is a [UserError]. After
// an error, the next call tries again.
func (p *Problem) Task(ctx context.Context) (grade.Task, error) {
	select {
	case p.turn <- struct{}{}:
	case <-ctx.Done():
		return grade.Task{}, ctx.Err()
	}
	defer func() { <-p.turn }()
	if p.task == nil {
		t, err := p.newTask(ctx)
		if err != nil {
			return grade.Task{}, err
		}
		p.task = &t
	}
	return *p.task, p.engine.Prepare(ctx, p.CaseData, p.task.Cases)
}

func (p *Problem) newTask(ctx context.Context) (t grade.Task, err error) {
	if err := p.engine.Programs(ctx, p.CaseData); err != nil {
		return t, err
	}
	set, err := Cases(p.Problem)
	if err != nil {
		return t, err
	}
	t = Task(p.engine.Config, p.Problem)
	t.Drawable = Drawable(p.Problem)
	t.Cases, t.LeftOut = cases.Required(set.Cases), set.Optional()
	if t.Limits.CPU == 0 {
		if t.Limits, err = p.engine.MeasureLimits(ctx, p.CaseData, t); err != nil {
			return t, err
		}
	}
	return t, nil
}

// Close closes the problem and removes its files. No judging of it may be in progress.
func (p *Problem) Close() error {
	var errs []error
	if p.CaseData != nil {
		errs = append(errs, p.CaseData.Close())
	}
	for _, c := range p.held {
		errs = append(errs, c.Close())
	}
	if p.Package != nil {
		errs = append(errs, p.Package.Close())
	}
	if p.dir != "" {
		errs = append(errs, os.RemoveAll(p.dir))
	}
	return errors.Join(errs...)
}
