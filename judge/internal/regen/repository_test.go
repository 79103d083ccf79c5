package regen

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/cache"
	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/fixture"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/run"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/sandbox/sandboxtest"
)

// repository is a problem p whose reference answers as the test says.
type repository struct {
	t       testing.TB
	root    string
	cache   *cache.Cache
	answers map[string]string // by input; others are in upper case
	running func()            // called when the reference runs, if not nil
}

func newRepository(t testing.TB, files map[string]string) *repository {
	t.Helper()
	r := &repository{t: t, root: t.TempDir(), answers: map[string]string{}}
	r.write("reference/p/main.sh", "tr a-z A-Z")
	r.write("reference/p/gen/main.sh", `echo "$@"`)
	for name, text := range files {
		r.write(name, text)
	}
	var err error
	if r.cache, err = cache.Open(t.TempDir(), 0); err != nil {
		t.Fatal(err)
	}
	return r
}

func (r *repository) write(name, text string) {
	r.t.Helper()
	path := filepath.Join(r.root, name)
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
		r.t.Fatal(err)
	}
}

// read returns a file's text, or "" when there is none.
func (r *repository) read(name string) string {
	r.t.Helper()
	text, err := os.ReadFile(filepath.Join(r.root, name))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		r.t.Fatal(err)
	}
	return string(text)
}

// make plans as a new process would.
func (r *repository) make() (*Plan, error) {
	host := sandboxtest.New(r.t, func(_ context.Context, run sandboxtest.Run) (sandbox.Result, error) {
		if len(run.Input) == 0 {
			return run.Print(strings.Join(run.Args[2:], " ") + "\n"), nil
		}
		if r.running != nil {
			r.running()
		}
		output, ok := r.answers[string(run.Input)]
		if !ok {
			output = strings.ToUpper(string(run.Input))
		}
		if output == "crash" {
			return sandbox.Result{ExitCode: 3}, nil
		}
		return run.Print(output), nil
	})
	pool := run.NewPool(host, 2, time.Second)
	defer pool.Close()
	languages := map[string]build.Language{"sh": {Match: []string{".sh"}, Run: []string{"sh", "{dir}/{main}"}}}
	m := &fixture.Maker{
		Root: r.root, Problem: "p", Limits: limits.Limits{CPUs: 1},
		Builder: build.New(build.Options{Languages: languages, Cache: r.cache}), Pool: pool, Cache: r.cache,
	}
	defer m.Close()
	return Make(r.t.Context(), m, diff.Options{})
}

// regen plans and applies.
func (r *repository) regen() *Plan {
	r.t.Helper()
	p, err := r.make()
	if err != nil {
		r.t.Fatal(err)
	}
	if err := p.Apply(); err != nil {
		r.t.Fatal(err)
	}
	return p
}

// changed renders the changes of a plan.
func changed(p *Plan) string {
	var list []string
	for _, c := range p.Changes {
		how := "changed"
		switch {
		case c.New:
			how = "new"
		case c.Mismatch == nil:
			how = "hash"
		}
		list = append(list, c.Case+" "+how)
	}
	return strings.Join(list, ", ")
}
