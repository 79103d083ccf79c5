package regen

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/cache"
	"tribunal/judge/internal/casedata"
	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/repo"
	"tribunal/judge/internal/run"
	"tribunal/judge/internal/runner"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/sandbox/sandboxtest"
)

// repository is a repository with a problem p, whose programs are faked: the test sets their
// outputs.
type repository struct {
	t       testing.TB
	root    string
	cache   *cache.Cache
	options Options
	compare diff.Options // how the problem compares outputs; the zero value is byte by byte
	limits  limits.Limits
	answers map[string]string         // outputs of the reference, by input; by default the input in upper case
	second  map[string]string         // outputs of the reference's second run, by input; by default as in answers
	brute   map[string]sandbox.Result // results of the brute, by input; by default it exits with status 0
	opinion map[string]string         // outputs of the brute, by input; by default the input in upper case
	checks  int                       // exit status of the output validator, which is a program that names itself so
	running func()                    // called when the reference runs, if not nil

	mu   sync.Mutex
	wait int      // number of waits for the next second
	runs []string // program and input of each run, such as "reference abc"
}

func newRepository(t testing.TB, files map[string]string) *repository {
	t.Helper()
	r := &repository{
		t: t, root: t.TempDir(), limits: limits.Limits{CPUs: 1},
		answers: map[string]string{}, second: map[string]string{}, opinion: map[string]string{}, brute: map[string]sandbox.Result{},
	}
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

// read returns a file's text, or "" if there is none.
func (r *repository) read(name string) string {
	r.t.Helper()
	text, err := os.ReadFile(filepath.Join(r.root, name))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		r.t.Fatal(err)
	}
	return string(text)
}

// play plays the part of all programs: it returns their results and writes their outputs.
func (r *repository) play(_ context.Context, run sandboxtest.Run) (sandbox.Result, error) {
	program, err := os.ReadFile(filepath.Join(run.Spec.Mounts[0].Source, "main.sh"))
	if err != nil {
		return sandbox.Result{}, err
	}
	input := string(run.Input)
	role := "reference"
	switch {
	case strings.Contains(string(program), "brute"):
		role = "brute"
	case strings.Contains(string(program), "validator"):
		role = "validator"
	case len(run.Args) > 2:
		role, input = "generator", strings.Join(run.Args[2:], " ")+"\n"
	case slices.ContainsFunc(run.Env, func(kv string) bool { return strings.HasPrefix(kv, "PADDING=") }):
		role = "again"
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.runs = append(r.runs, role+" "+strings.TrimSpace(input))
	var output string
	var known bool
	switch role {
	case "generator":
		return run.Print(input), nil
	case "validator":
		return sandbox.Result{ExitCode: r.checks}, nil
	case "brute":
		if result, ok := r.brute[input]; ok {
			return result, nil
		}
		output, known = r.opinion[input]
	case "again":
		if output, known = r.second[input]; !known {
			output, known = r.answers[input]
		}
	default:
		if r.running != nil {
			r.running()
		}
		output, known = r.answers[input]
	}
	switch {
	case !known:
		output = strings.ToUpper(input)
	case output == "crash":
		run.Stderr.Write([]byte("line 1\nline 2\n"))
		return sandbox.Result{ExitCode: 3}, nil
	}
	return run.Print(output), nil
}

// ran returns the runs since its last call, sorted.
func (r *repository) ran() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	list := r.runs
	r.runs = nil
	slices.Sort(list)
	return strings.Join(list, ", ")
}

// open calls do with a new provider and a new judge, as a new process would make them.
func (r *repository) open(do func(m *casedata.Provider, j *grade.Judge)) {
	r.t.Helper()
	host, err := sandbox.Open(sandbox.Rlimit) // for the builder, which compiles nothing
	if err != nil {
		r.t.Fatal(err)
	}
	defer host.Close()
	pool := run.NewPool(runner.NewLocal(sandboxtest.New(r.t, r.play), 2), 2, time.Second)
	defer pool.Close()
	languages := map[string]build.Language{"sh": {Match: []string{".sh"}, Run: []string{"sh", "{dir}/{main}"}}}
	p := repo.Bare(r.root, "p")
	if r.compare.Mode != "" {
		p.Compare = r.compare
	}
	m := &casedata.Provider{
		Problem: p, Limits: r.limits,
		Builder: build.New(build.Options{Languages: languages, Cache: r.cache, Runner: runner.NewLocal(host, 1), Temp: host.Temp()}), Pool: pool, Cache: r.cache,
		Wait: func(_ context.Context, rest time.Duration) error {
			if rest > time.Second {
				r.t.Errorf("waits %v for another second", rest)
			}
			r.wait++
			return nil
		},
	}
	defer m.Close()
	do(m, &grade.Judge{Temp: host.Temp(), Pool: pool, Builder: m.Builder, CaseData: m})
}

// look calls Look.
func (r *repository) look() (p *Plan, err error) {
	r.open(func(m *casedata.Provider, _ *grade.Judge) {
		m.Pool = nil
		p, err = Look(r.t.Context(), m, r.options)
	})
	return p, err
}

// make calls Make.
func (r *repository) make() (p *Plan, err error) {
	r.open(func(m *casedata.Provider, _ *grade.Judge) { p, err = Make(r.t.Context(), m, r.options) })
	return p, err
}

// confirm calls Make and Confirm.
func (r *repository) confirm() (p *Plan, err error) {
	r.open(func(m *casedata.Provider, j *grade.Judge) {
		if p, err = Make(r.t.Context(), m, r.options); err == nil {
			err = p.Confirm(r.t.Context(), j)
		}
	})
	return p, err
}

// refused returns err as the refusal of a case, and fails the test if it is anything else.
func (r *repository) refused(err error, kind Kind, name string) *Refusal {
	r.t.Helper()
	refusal, ok := errors.AsType[*Refusal](err)
	if !ok || refusal.Kind != kind || refusal.Case != name {
		r.t.Fatalf("got %v, want a refusal: %s %s", err, kind, name)
	}
	return refusal
}

// regen calls Make, Confirm and Apply.
func (r *repository) regen() *Plan {
	r.t.Helper()
	p, err := r.confirm()
	if err != nil {
		r.t.Fatal(err)
	}
	if err := p.Apply(); err != nil {
		r.t.Fatal(err)
	}
	return p
}

// changed renders the changes of a plan, such as "edge/plain new, edge/made changed".
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
