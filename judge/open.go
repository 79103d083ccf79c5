package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/cache"
	"tribunal/judge/internal/casedata"
	"tribunal/judge/internal/config"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/repo"
	"tribunal/judge/internal/run"
	"tribunal/judge/internal/runner"
	"tribunal/judge/internal/sandbox"
)

// options are what all commands share.
type options struct {
	std     stdio
	root    string
	reports map[*cobra.Command]*reports // of the commands that have any
}

// findRoot returns the folder of the repository: the one asked for, or the nearest
// one above the working folder that holds problems/.
func (o *options) findRoot() (string, error) {
	if o.root != "" {
		if info, err := os.Stat(filepath.Join(o.root, "problems")); err != nil || !info.IsDir() {
			return "", usage(fmt.Errorf("--root %s: holds no problems/ folder (hint: name the folder above it)", o.root))
		}
		return o.root, nil
	}
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for above := dir; ; above = filepath.Dir(above) {
		if info, err := os.Stat(filepath.Join(above, "problems")); err == nil && info.IsDir() {
			// Messages are shorter with paths relative to where the user is.
			if rel, err := filepath.Rel(dir, above); err == nil {
				return rel, nil
			}
			return above, nil
		}
		if above == filepath.Dir(above) {
			return "", usage(errors.New("no problems/ folder here or above (hint: run it inside a repository, or name one with --root)"))
		}
	}
}

// load reads what there is to know of one problem: the folder of the repository, the
// machine's settings, and the problem itself. Of an unknown problem it returns the rest.
func (o *options) load(id string) (root string, c *config.Config, p *problem.Problem, err error) {
	if root, err = o.findRoot(); err != nil {
		return "", nil, nil, err
	}
	if c, err = config.Load(root); err != nil {
		return "", nil, nil, err
	}
	if p, err = repo.Load(root, id); err != nil {
		return root, c, nil, usage(err)
	}
	return root, c, p, nil
}

// checkSlots checks the flag --slots of a command.
func checkSlots(cmd *cobra.Command, slots int) error {
	if slots < 0 || slots > 1024 || cmd.Flags().Changed("slots") && slots == 0 {
		return usage(fmt.Errorf("--slots %d: want a number from 1 to 1024", slots))
	}
	return nil
}

// bench is everything that is needed to run programs.
type bench struct {
	std     stdio
	root    string
	config  *config.Config
	cache   *cache.Cache
	builder *build.Builder
	host    *sandbox.Host // nil until start
	pool    *run.Pool     // likewise
	// compilers runs compilers here even if a service runs programs: they are shown folders that
	// only this user can see.
	compilers *runner.Local
	providers []*casedata.Provider
}

// openBench opens cache, sandbox and pool as runner.yaml says. slots, when not 0,
// overrides it.
func (o *options) openBench(root string, c *config.Config, slots int) (*bench, error) {
	b, err := o.openShelf(root, c)
	if err != nil {
		return nil, err
	}
	return b, b.start(slots)
}

// openShelf opens a bench on which nothing can run before it is started: the cache,
// and a builder to look at programs with.
func (o *options) openShelf(root string, c *config.Config) (*bench, error) {
	b := &bench{std: o.std, root: root, config: c}
	var err error
	if b.cache, err = cache.Open(c.CacheDir, c.CacheSize); err != nil {
		return nil, usage(err)
	}
	b.builder = b.newBuilder()
	return b, nil
}

func (b *bench) newBuilder() *build.Builder {
	settings := b.config.Build
	settings.Cache = b.cache
	if b.host != nil {
		settings.Runner, settings.Temp = b.compilers, b.host.Temp()
	}
	return build.New(settings)
}

// start opens sandbox and pool, if it has not been done.
func (b *bench) start(slots int) (err error) {
	if b.host != nil {
		return nil
	}
	if b.host, err = sandbox.Open(b.config.Mode); err != nil {
		return err
	}
	if slots == 0 {
		slots = b.config.Slots
	}
	runs, err := b.newRunner(slots)
	if err != nil {
		err = errors.Join(err, b.host.Close())
		b.host = nil
		return err
	}
	b.pool, b.compilers = run.NewPool(runs, slots, b.config.Grace), runner.NewLocal(b.host, slots)
	b.builder = b.newBuilder()
	return nil
}

// caseData returns the provider of a problem's case data. The bench closes it.
func (b *bench) caseData(p *problem.Problem) *casedata.Provider {
	m := b.newCaseData(p)
	b.providers = append(b.providers, m)
	return m
}

// newCaseData is caseData, but the caller closes the provider.
func (b *bench) newCaseData(p *problem.Problem) *casedata.Provider {
	return &casedata.Provider{
		Problem: p, Limits: b.limits(p),
		Builder: b.builder, Pool: b.pool, Cache: b.cache,
	}
}

// task returns what to judge of a problem and how, without cases and submissions.
func task(c *config.Config, p *problem.Problem) grade.Task {
	return grade.Task{Problem: p, Show: c.Diff, Limits: complete(c, p.Limits)}
}

// limits returns the limits of a problem with what it leaves to the machine.
func (b *bench) limits(p *problem.Problem) limits.Limits { return complete(b.config, p.Limits) }

// complete returns limits with what they leave to the machine.
func complete(c *config.Config, l limits.Limits) limits.Limits {
	if l.Wall == 0 {
		l.Wall = wall(c, l)
	}
	if l.Processes == 0 {
		l.Processes = limits.Processes
	}
	return l
}

func (b *bench) judge(m *casedata.Provider) *grade.Judge {
	return &grade.Judge{Temp: b.host.Temp(), Pool: b.pool, Builder: b.builder, CaseData: m}
}

// close ends everything, in the order that lets go of files and processes.
func (b *bench) close() error {
	var errs []error
	for _, m := range b.providers {
		errs = append(errs, m.Close())
	}
	if b.host != nil {
		errs = append(errs, b.pool.Close(), b.compilers.Close(), b.host.Close())
	}
	if damaged := b.cache.Damaged(); len(damaged) > 0 {
		more := ""
		if n := len(damaged) - 1; n > 0 {
			more = fmt.Sprintf(", and %d more", n)
		}
		b.std.note("note: damaged files in the cache %s are made anew: %s%s", b.cache.Dir(), damaged[0], more)
	}
	return errors.Join(append(errs, b.cache.Trim())...)
}
