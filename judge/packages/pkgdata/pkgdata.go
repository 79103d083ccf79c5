// Package pkgdata makes the test data that problem packages generate instead of holding it.
package pkgdata

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/cache"
	"tribunal/judge/internal/content"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/quote"
	"tribunal/judge/internal/run"
	"tribunal/judge/internal/runner"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/yamlstrict"
	"tribunal/judge/packages/draft"
	"tribunal/judge/packages/tree"
)

// Maker runs the programs of packages in the sandbox and keeps what they make in the cache, by the
// content of everything that goes into a step. It implements [draft.Maker], for one package at a
// time. The caller closes it when the packages are not used any more.
type Maker struct {
	Builder *build.Builder
	Pool    *run.Pool
	Cache   *cache.Cache
	Stage   func(what string) // called at the beginning of each long stage; may be nil

	mu      sync.Mutex
	entries []*cache.Entry
}

// The bounds of one step. Generators and model solutions are trusted to be useful, not to be
// harmless: they run in the jail like submissions.
var bounds = limits.Limits{
	CPU: 2 * time.Minute, Wall: 5 * time.Minute, Memory: 2 * limits.GiB, Output: limits.GiB, Processes: limits.Processes,
}

const (
	maxLeft  = 1 << 14 // files and folders that a step leaves
	leftSize = limits.GiB
	makeDir  = "/make" // where programs start
)

// Make implements [draft.Maker].
func (m *Maker) Make(ctx context.Context, p *draft.Draft, steps []draft.Step) (map[string]tree.MadeFile, error) {
	programs := map[string]*program{}
	defer func() {
		for _, p := range programs {
			p.close()
		}
	}()
	jobs := make([]job, len(steps))
	var missing []int
	for i := range steps {
		j := &jobs[i]
		*j = job{Step: &steps[i], of: p}
		if err := j.read(); err != nil {
			return nil, err
		}
		for _, of := range []struct {
			rel string
			to  **program
		}{{j.Program, &j.program}, {j.Interactor, &j.talker}} {
			if programs[of.rel] == nil && of.rel != "" {
				one, err := m.program(ctx, p, of.rel)
				if err != nil {
					return nil, err
				}
				programs[of.rel] = one
			}
			*of.to = programs[of.rel]
		}
		if err := j.identify(); err != nil {
			return nil, err
		}
		entry, err := m.Cache.Get(j.key)
		if err != nil {
			return nil, err
		}
		if entry == nil {
			missing = append(missing, i)
			continue
		}
		j.entry = m.hold(entry)
	}
	if err := m.run(ctx, jobs, missing); err != nil {
		return nil, err
	}
	made := map[string]tree.MadeFile{}
	for i := range jobs {
		if err := jobs[i].collect(made); err != nil {
			return nil, err
		}
	}
	return made, nil
}

// run builds the programs of the missing jobs and runs the jobs.
func (m *Maker) run(ctx context.Context, jobs []job, missing []int) error {
	if len(missing) == 0 {
		return nil
	}
	for _, i := range missing {
		if err := m.build(ctx, &jobs[i]); err != nil {
			return err
		}
	}
	m.stage(fmt.Sprintf("making test data: %d runs", len(missing)))
	type result struct {
		entry   *cache.Entry
		failure error // of the package; the first one in order is reported
	}
	return run.Each(ctx, m.Pool, len(missing), 1, func(ctx context.Context, w *run.Worker, i int) (result, error) {
		entry, err := m.runOne(ctx, w, &jobs[missing[i]])
		if _, ok := errors.AsType[*yamlstrict.Error](err); ok {
			return result{failure: err}, nil
		}
		return result{entry: entry}, err
	}, func(i int, r result) error {
		if r.failure == nil {
			jobs[missing[i]].entry = m.hold(r.entry)
		}
		return r.failure
	})
}

// runOne runs a job and stores what it makes.
func (m *Maker) runOne(ctx context.Context, w *run.Worker, j *job) (_ *cache.Entry, err error) {
	stdout := m.Cache.Spool()
	defer stdout.Reset()
	r := run.Job{
		Program: j.program.built, Args: j.Args, Files: j.files, Input: j.input, Stdout: stdout, Limits: bounds,
		Folder: sandbox.Folder{Path: makeDir, Size: leftSize, Mode: 0o777}, InFolder: true,
	}
	if j.CPU > 0 {
		r.Limits.CPU, r.Limits.Wall = j.CPU, 2*j.CPU+time.Minute
	}
	r.Limits.Memory = cmp.Or(j.Memory, r.Limits.Memory)
	if j.Stderr != "" {
		r.StderrMost = runner.MaxStderr
	}
	for _, name := range slices.Sorted(maps.Keys(j.Left)) {
		r.Out = append(r.Out, runner.CopyOut{Name: name, Most: leftSize})
	}
	if j.LeftIn != "" {
		r.Out = append(r.Out, runner.CopyOut{Name: j.leftFrom(), Most: leftSize, Files: maxLeft})
	}
	if j.talker != nil {
		j.talk(&r)
	}
	o := w.Run(ctx, r, nil)
	defer func() { err = errors.Join(err, o.Copies.Close()) }()
	if o.Interaction != nil {
		defer o.Interaction.Copies.Close()
	}
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case o.Err != nil:
		return nil, o.Err
	case o.Interaction != nil && !accepts(o.Interaction.Interactor):
		return nil, j.errorf("%s", quote.With(path.Base(j.Interactor)+" does not accept it: "+o.Interaction.Interactor.Cause(bounds), quote.Complaint(quote.Of(o.Interaction.Stderr))))
	case !o.OK(r.Limits):
		return nil, j.errorf("%s", quote.With(o.Cause(r.Limits), quote.Complaint(quote.Of(o.Stderr))))
	case j.Stderr != "" && o.Truncated:
		return nil, j.errorf("writes more than %v to standard error", runner.MaxStderr)
	}
	return m.Cache.Put(j.key, func(dir string) error {
		root, err := os.OpenRoot(dir)
		if err != nil {
			return err
		}
		defer root.Close()
		output, err := stdout.Content()
		if err == nil && o.Interaction != nil {
			output, err = j.said(o.Interaction)
		}
		if err != nil {
			return err
		}
		if err := write(root, stdoutName, output); err != nil {
			return err
		}
		if err := write(root, stderrName, content.Of(o.Stderr)); err != nil {
			return err
		}
		return j.keep(root, &o.Copies)
	})
}

// hold keeps an entry until Close.
func (m *Maker) hold(e *cache.Entry) *cache.Entry {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.entries = append(m.entries, e)
	return e
}

func (m *Maker) stage(what string) {
	if m.Stage != nil {
		m.Stage(what)
	}
}

// Close releases everything that was made.
func (m *Maker) Close() error {
	var errs []error
	for _, e := range m.entries {
		errs = append(errs, e.Close())
	}
	m.entries = nil
	return errors.Join(errs...)
}

// write writes a file, and the folders around it, below root.
func write(root *os.Root, name string, data content.Content) error {
	if err := root.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return err
	}
	f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, data.Reader())
	return errors.Join(err, f.Close())
}

// The files of a cache entry: the outputs of a step, and a folder of the files that it left.
const (
	stdoutName = "stdout"
	stderrName = "stderr"
	leftName   = "left"
)

// hidden reports whether a path is one that packages cannot have: a part of it begins with a dot or
// a dash.
func hidden(name string) bool {
	return slices.ContainsFunc(strings.Split(name, "/"), func(part string) bool { return part[0] == '.' || part[0] == '-' })
}

// at returns the path of a file that a step left, in the cache entry.
func at(name string) string { return path.Join(leftName, name) }
