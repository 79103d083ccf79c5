// Package engine assembles the judge from runner.yaml for its front ends: the command judge, and
// services that judge. All of them give a submission the same verdict, because all judge with an
// [Engine].
package engine

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/cache"
	"tribunal/judge/internal/casedata"
	"tribunal/judge/internal/config"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/run"
	"tribunal/judge/internal/runner"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/tty"
	"tribunal/judge/packages/pkgdata"
	"tribunal/judge/packages/pkgformat"
)

// Hooks show a user what an engine does. They may be called by several goroutines at a time, and
// may be nil.
type Hooks struct {
	// Note shows a sentence that is worth knowing, without a newline.
	Note func(format tty.Format, args ...any)
	// Announce shows what the engine does from now on, in words such as "compiling gen", until stop
	// is called.
	Announce func(what string) (stop func())
}

// Engine compiles and runs programs, as configured by runner.yaml. After Start it is safe for
// concurrent use, except for Rest and Close, and callers must not change its fields.
type Engine struct {
	Root    string // folder of the repository
	Config  *config.Config
	Cache   *cache.Cache
	Builder *build.Builder // before Start, it only looks up programs in the cache
	Host    *sandbox.Host  // nil until Start
	Pool    *run.Pool      // nil until Start

	hooks     Hooks
	compilers *runner.Local // runs compilers, beside the programs of the pool

	mu   sync.Mutex
	held []io.Closer // closed by Close
}

// New returns an engine that can look up programs in the cache. It runs programs only after Start.
// The caller closes it. If the cache cannot be opened, the error is a [UserError].
func New(root string, c *config.Config, hooks Hooks) (*Engine, error) {
	e := &Engine{Root: root, Config: c, hooks: hooks}
	var err error
	if e.Cache, err = cache.Open(c.CacheDir, c.CacheSize); err != nil {
		return nil, UserError{err}
	}
	e.Builder = e.newBuilder()
	return e, nil
}

func (e *Engine) newBuilder() *build.Builder {
	settings := e.Config.Build
	settings.Cache = e.Cache
	if e.Host != nil {
		settings.Runner, settings.Temp = e.Pool.Sharing(e.compilers), e.Host.Temp()
	}
	return build.New(settings)
}

// Start opens the sandbox and the pool unless they are open. The engine then runs up to slots
// programs at a time; 0 means the number in runner.yaml.
func (e *Engine) Start(slots int) error {
	if e.Host != nil {
		return nil
	}
	host, err := sandbox.Open(e.Config.Mode)
	if err != nil {
		return err
	}
	e.StartIn(host, slots)
	return nil
}

// StartIn is like Start, in an open sandbox, which the engine closes. It is called once.
func (e *Engine) StartIn(host *sandbox.Host, slots int) {
	e.Host = host
	if slots == 0 {
		slots = e.Config.Slots
	}
	e.Pool, e.compilers = run.NewPool(runner.NewLocal(e.Host, slots), slots, e.Config.Grace), runner.NewLocal(e.Host, slots)
	e.Builder = e.newBuilder()
}

// CaseData returns the provider of a problem's case data. The engine closes it.
func (e *Engine) CaseData(p *problem.Problem) *casedata.Provider {
	m := e.NewCaseData(p)
	e.hold(m)
	return m
}

// NewCaseData is like CaseData, but the caller closes the provider.
func (e *Engine) NewCaseData(p *problem.Problem) *casedata.Provider {
	return &casedata.Provider{
		Problem: p, Limits: e.Limits(p),
		Builder: e.Builder, Pool: e.Pool, Cache: e.Cache,
	}
}

// Make makes test data of a package, and announces each stage. What it makes can be used until the
// engine is closed. It implements [pkgformat.Maker].
func (e *Engine) Make(ctx context.Context, p *pkgformat.Draft, steps []pkgformat.Step) (map[string]pkgformat.MadeFile, error) {
	return e.make(ctx, p, steps, e.hold)
}

// make is like Make, but passes the data to hold, whose owner closes it.
func (e *Engine) make(ctx context.Context, p *pkgformat.Draft, steps []pkgformat.Step, hold func(io.Closer)) (map[string]pkgformat.MadeFile, error) {
	stop := func() {}
	m := &pkgdata.Maker{Builder: e.Builder, Pool: e.Pool, Cache: e.Cache, Stage: func(what string) {
		stop()
		stop = e.announce(what)
	}}
	defer func() { stop() }()
	hold(m)
	return m.Make(ctx, p, steps)
}

// Limits returns the limits of a problem, completed from the configuration.
func (e *Engine) Limits(p *problem.Problem) limits.Limits { return e.Config.Complete(p.Limits) }

func (e *Engine) Judge(m *casedata.Provider) *grade.Judge {
	return &grade.Judge{Temp: e.Host.Temp(), Pool: e.Pool, Builder: e.Builder, CaseData: m}
}

// NewMemo returns a memo of earlier runs on this machine.
func (e *Engine) NewMemo() *run.Memo { return run.NewMemo(e.Cache, e.Pool.Facts().Mechanisms) }

// Rest releases the CPUs until the next run, and trims the cache. A front end that waits for work
// should call it. It must not be called during a run.
func (e *Engine) Rest() error { return errors.Join(e.Pool.ReleaseCPUs(), e.Cache.Trim()) }

// Close closes everything that the engine has opened, trims the cache, and shows a note if files in
// the cache were damaged. Problems must have been closed before.
func (e *Engine) Close() error {
	var errs []error
	for _, c := range e.held {
		errs = append(errs, c.Close())
	}
	if e.Host != nil {
		errs = append(errs, e.Pool.Close(), e.compilers.Close(), e.Host.Close())
	}
	if damaged := e.Cache.Damaged(); len(damaged) > 0 {
		more := ""
		if n := len(damaged) - 1; n > 0 {
			more = fmt.Sprintf(", and %d more", n)
		}
		e.note("note: ignored damaged files in the cache %s: %s%s", e.Cache.Dir(), damaged[0], more)
	}
	return errors.Join(append(errs, e.Cache.Trim())...)
}

// hold makes Close close c.
func (e *Engine) hold(c io.Closer) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.held = append(e.held, c)
}

func (e *Engine) note(format tty.Format, args ...any) {
	if e.hooks.Note != nil {
		e.hooks.Note(format, args...)
	}
}

func (e *Engine) announce(what string) (stop func()) {
	if e.hooks.Announce == nil {
		return func() {}
	}
	return e.hooks.Announce(what)
}
