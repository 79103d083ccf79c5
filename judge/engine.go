package main

import (
	"context"
	"errors"
	"fmt"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/cache"
	"tribunal/judge/internal/casedata"
	"tribunal/judge/internal/config"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/pkgdata"
	"tribunal/judge/internal/pkgformat"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/run"
	"tribunal/judge/internal/runner"
	"tribunal/judge/internal/sandbox"
)

// engine compiles and runs programs. It holds the cache, the builder, the sandbox and the pool,
// as configured by runner.yaml.
type engine struct {
	std     stdio
	root    string
	config  *config.Config
	cache   *cache.Cache
	builder *build.Builder
	host    *sandbox.Host // nil until start
	pool    *run.Pool     // nil until start
	// compilers runs compilers on this machine even if a runner service runs the programs, because
	// compilers may need files that only this user can read.
	compilers *runner.Local
	providers []*casedata.Provider
	makers    []*pkgdata.Maker
}

// startEngine returns an engine that runs up to slots programs at a time; 0 means the number in
// runner.yaml.
func (o *options) startEngine(root string, c *config.Config, slots int) (*engine, error) {
	eng, err := o.newEngine(root, c)
	if err != nil {
		return nil, err
	}
	return eng, eng.start(slots)
}

// newEngine returns an engine that can look up programs in the cache. It runs programs only after
// start.
func (o *options) newEngine(root string, c *config.Config) (*engine, error) {
	eng := &engine{std: o.std, root: root, config: c}
	var err error
	if eng.cache, err = cache.Open(c.CacheDir, c.CacheSize); err != nil {
		return nil, usage(err)
	}
	eng.builder = eng.newBuilder()
	return eng, nil
}

func (eng *engine) newBuilder() *build.Builder {
	settings := eng.config.Build
	settings.Cache = eng.cache
	if eng.host != nil {
		settings.Runner, settings.Temp = eng.compilers, eng.host.Temp()
	}
	return build.New(settings)
}

// start opens the sandbox and the pool unless they are open. slots is as for startEngine.
func (eng *engine) start(slots int) error {
	if eng.host != nil {
		return nil
	}
	host, err := sandbox.Open(eng.config.Mode)
	if err != nil {
		return err
	}
	return eng.startIn(host, slots)
}

// startIn is like start, in an open sandbox, which the engine closes. It is called once.
func (eng *engine) startIn(host *sandbox.Host, slots int) error {
	eng.host = host
	if slots == 0 {
		slots = eng.config.Slots
	}
	runs, err := eng.newRunner(slots)
	if err != nil {
		err = errors.Join(err, eng.host.Close())
		eng.host = nil
		return err
	}
	eng.pool, eng.compilers = run.NewPool(runs, slots, eng.config.Grace), runner.NewLocal(eng.host, slots)
	eng.builder = eng.newBuilder()
	return nil
}

// caseData returns the provider of a problem's case data. The engine closes it.
func (eng *engine) caseData(p *problem.Problem) *casedata.Provider {
	m := eng.newCaseData(p)
	eng.providers = append(eng.providers, m)
	return m
}

// newCaseData is like caseData, but the caller closes the provider.
func (eng *engine) newCaseData(p *problem.Problem) *casedata.Provider {
	return &casedata.Provider{
		Problem: p, Limits: eng.limits(p),
		Builder: eng.builder, Pool: eng.pool, Cache: eng.cache,
	}
}

// Make makes test data of a package, and prints notes if that takes long. What it makes can be used
// until the engine is closed. It implements [pkgformat.Maker].
func (eng *engine) Make(ctx context.Context, p *pkgformat.Package, steps []pkgformat.Step) (map[string]pkgformat.MadeFile, error) {
	stop := func() {}
	m := &pkgdata.Maker{Builder: eng.builder, Pool: eng.pool, Cache: eng.cache, Stage: func(what string) {
		stop()
		stop = eng.std.announce(what)
	}}
	defer func() { stop() }()
	eng.makers = append(eng.makers, m)
	return m.Make(ctx, p, steps)
}

// task returns a task for judging a problem, without cases and submissions.
func task(c *config.Config, p *problem.Problem) grade.Task {
	return grade.Task{Problem: p, Show: c.Diff, Limits: complete(c, p.Limits)}
}

// limits returns the limits of a problem, completed from the configuration.
func (eng *engine) limits(p *problem.Problem) limits.Limits { return complete(eng.config, p.Limits) }

// complete fills in an unset wall limit, which is derived from the CPU limit, and an unset limit of
// processes.
func complete(c *config.Config, l limits.Limits) limits.Limits {
	if l.Wall == 0 {
		l.Wall = wall(c, l)
	}
	if l.Processes == 0 {
		l.Processes = limits.Processes
	}
	return l
}

func (eng *engine) judge(m *casedata.Provider) *grade.Judge {
	return &grade.Judge{Temp: eng.host.Temp(), Pool: eng.pool, Builder: eng.builder, CaseData: m}
}

// close closes the providers, the pool and the sandbox, trims the cache, and prints a note if files
// in the cache were damaged.
func (eng *engine) close() error {
	var errs []error
	for _, m := range eng.providers {
		errs = append(errs, m.Close())
	}
	for _, m := range eng.makers {
		errs = append(errs, m.Close())
	}
	if eng.host != nil {
		errs = append(errs, eng.pool.Close(), eng.compilers.Close(), eng.host.Close())
	}
	if damaged := eng.cache.Damaged(); len(damaged) > 0 {
		more := ""
		if n := len(damaged) - 1; n > 0 {
			more = fmt.Sprintf(", and %d more", n)
		}
		eng.std.note("note: ignored damaged files in the cache %s: %s%s", eng.cache.Dir(), damaged[0], more)
	}
	return errors.Join(append(errs, eng.cache.Trim())...)
}
