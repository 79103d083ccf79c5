package eval

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/cache"
	"tribunal/judge/internal/cache/cachetest"
	"tribunal/judge/internal/casedata"
	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/repo"
	"tribunal/judge/internal/run"
	"tribunal/judge/internal/runner"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/sandbox/sandboxtest"
	"tribunal/judge/internal/yamlstrict"
)

// scripts holds a language without a compiler, one whose compiler refuses, and one that is not
// installed. python3 has only files, for submissions to functions.
var scripts = map[string]build.Language{
	"sh":      {Match: []string{".sh"}, Run: []string{"sh", "{dir}/{main}"}},
	"refused": {Match: []string{".no"}, Build: []string{"sh", "-c", "echo main.no: error: no; exit 1", "{exe}"}},
	"missing": {Match: []string{".gone"}, Run: []string{"tribunal-no-such-tool", "{main}"}},
	"python3": {Match: []string{".py"}, Run: []string{"sh", "{dir}/{main}"}},
}

// scripted is a machine whose programs play a script.
type scripted struct {
	t     testing.TB
	host  *sandbox.Host
	pool  *run.Pool
	cache *cache.Cache
	build *build.Builder
	root  string // of a repository
	tidy  int
	open  int  // problems
	full  bool // the disk, so that no problem can be opened
}

// newScripted returns a machine. A program prints its source with the word in replaced by its input;
// the words exit, sleep and fail do what they say.
func newScripted(t *testing.T) *scripted {
	t.Helper()
	host, err := sandbox.Open(sandbox.Rlimit)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { host.Close() })
	m := &scripted{t: t, host: host, cache: cachetest.Fresh(t), root: t.TempDir()}
	boxes := sandboxtest.New(t, func(ctx context.Context, r sandboxtest.Run) (sandbox.Result, error) {
		text, err := os.ReadFile(filepath.Join(r.Spec.Mounts[0].Source, filepath.Base(r.Args[1])))
		if err != nil {
			return sandbox.Result{}, err
		}
		source := strings.TrimSpace(string(text))
		switch source {
		case "exit":
			r.Stderr.Write([]byte("cannot go on"))
			return sandbox.Result{ExitCode: 1, CPU: time.Millisecond}, nil
		case "slow":
			return sandbox.Result{Stop: sandbox.OverCPU, CPU: r.Limits.CPU + time.Second}, nil
		case "fail":
			return sandbox.Result{}, errors.New("the box broke")
		}
		result := r.Print(strings.ReplaceAll(source, "in", strings.TrimSpace(string(r.Input))))
		result.CPU, result.Wall, result.Memory = 3*time.Millisecond, 5*time.Millisecond, limits.MiB
		return result, nil
	})
	const slots = 2
	m.pool = run.NewPool(runner.NewLocal(boxes, slots), slots, 100*time.Millisecond)
	t.Cleanup(func() { m.pool.Close() })
	compilers := runner.NewLocal(host, slots)
	t.Cleanup(func() { compilers.Close() })
	m.build = build.New(build.Options{
		Languages: scripts, Cache: m.cache, Runner: m.pool.Sharing(compilers), Temp: host.Temp(),
		Timeout: build.DefaultTimeout, Memory: build.DefaultMemory, Output: build.DefaultOutput,
	})
	return m
}

func (m *scripted) Judge(p *problem.Problem) *grade.Judge {
	return &grade.Judge{Temp: m.host.Temp(), Pool: m.pool, Builder: m.build, CaseData: &casedata.Provider{Problem: p, Builder: m.build, Pool: m.pool, Cache: m.cache}}
}

func (m *scripted) Problem(_ context.Context, name string) (*problem.Problem, func() error, error) {
	if m.full {
		return nil, nil, syscall.ENOSPC
	}
	p, err := repo.Load(m.root, name)
	if err == nil {
		m.open++
	}
	return p, func() error { m.open--; return nil }, err
}

func (m *scripted) Limits(_ context.Context, _ *grade.Judge, t grade.Task) (limits.Limits, error) {
	l := t.Limits
	l.Wall, l.Processes = 3*l.CPU, 64
	return l, nil
}

func (m *scripted) Faulty(err error) bool { return !errors.Is(err, syscall.ENOSPC) }

func (m *scripted) Tidy() error { m.tidy++; return nil }

// mustJudge judges one program for a task.
func mustJudge(t *testing.T, g *Grader, task *Task, language, source string) *Result {
	t.Helper()
	b, err := g.Open(t.Context(), task)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	p := &Program{ID: "p", Language: language, Source: source}
	r, err := b.Judge(t.Context(), p, 1)
	if err != nil {
		t.Fatal(err)
	}
	if r.Key != b.Key(p) || r.Task != task.ID || r.Program != "p" || r.Language != language {
		t.Errorf("%+v", r)
	}
	return r
}

func TestGrader(t *testing.T) {
	t.Parallel()
	task := func() *Task {
		return &Task{ID: "double", File: "t", Line: 3, Compare: tokens, Tests: []Test{{"a", "1\n", "1 1"}, {"b", "2\n", "2 2\n"}, {"c", "3\n", "3 3\n"}}}
	}
	for _, tt := range []struct{ why, language, source, want string }{
		{"accepted", "sh", "in in", `AC "" 3/3/3 ""`},
		{"wrong in the first test", "sh", "in", `WA "a" 0/1/3 "differs from line 1, column 3"`},
		{"wrong in the second test", "sh", "1 1", `WA "b" 1/2/3 "differs from line 1, column 1"`},
		{"nothing is written", "sh", "in in in", `WA "a" 0/1/3 "differs from line 1, column 4"`},
		{"a crash", "sh", "exit", `RTE "a" 0/1/3 "exited with status 1"`},
		{"too slow", "sh", "slow", `TLE "a" 0/1/3 "used more CPU time than 10s"`},
		{"a compile error", "refused", "x", `CE "" 0/0/3 "main.no: error: no"`},
		{"an empty source", "sh", "", `CE "" 0/0/3 "the source is empty"`},
		{"the judge fails", "sh", "fail", `JE "a" 0/1/3 "the judge failed: the box broke"`},
		{"a compiler is missing", "missing", "x", `JE "" 0/0/3 "not judged: language missing: tribunal-no-such-tool not found (hint: install it, or set languages.missing in runner.yaml)"`},
	} {
		r := mustJudge(t, &Grader{Machine: newScripted(t)}, task(), tt.language, tt.source)
		if got := fmt.Sprintf("%v %q %d/%d/%d %q", r.Verdict, r.Test, r.Passed, r.Judged, r.Tests, r.Cause); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.why, got, tt.want)
		}
		if wrong := r.Mismatch != nil; wrong != (r.Verdict.String() == "WA") {
			t.Errorf("%s: difference %+v", tt.why, r.Mismatch)
		}
		if details := strings.TrimSpace(r.Stderr); tt.source == "exit" && details != "cannot go on" || tt.language == "refused" && details != "main.no: error: no" {
			t.Errorf("%s: %s", tt.why, details)
		}
		if tt.source == "in in" && (r.CPU != 3*time.Millisecond || r.Wall != 5*time.Millisecond || r.Memory != limits.MiB) {
			t.Errorf("%s: %+v", tt.why, r.MaxUsage)
		}
	}
	r := mustJudge(t, &Grader{Machine: newScripted(t), All: true}, task(), "sh", "2 2")
	if r.Passed != 1 || r.Judged != 3 || r.Test != "a" {
		t.Errorf("with all tests: %+v", r)
	}
}

// TestFunctionSource judges a function: the driver is the main file, and the program a file beside it.
func TestFunctionSource(t *testing.T) {
	t.Parallel()
	f, err := newFunction("add", true)
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{task: &Task{ID: "f", Function: f}, judge: newScripted(t).Judge(nil)}
	s, err := b.source(&Program{ID: "1", Language: "python3", Source: "def add(a): …"})
	if err != nil || s.Main() != driverFile || s.Language != "python3" {
		t.Errorf("%+v, %v", s, err)
	}
	if main := string(s.Code(scripts)[driverFile]); !strings.HasPrefix(main, "function, unwrap = \"add\", True\n#") {
		t.Errorf("the main file is %.100q", main)
	}
	if text := string(s.Code(scripts)[solutionFile]); text != "def add(a): …" {
		t.Errorf("the solution is %q", text)
	}
}

// TestKeys checks what the key of a program depends on.
func TestKeys(t *testing.T) {
	t.Parallel()
	m := newScripted(t)
	key := func(change func(*Grader, *Task, *Program)) cache.Key {
		g := &Grader{Machine: m}
		task := &Task{ID: "a", File: "t", Line: 1, Compare: tokens, Tests: []Test{{"1", "in", "out"}}}
		p := &Program{ID: "p", Language: "sh", Source: "x"}
		change(g, task, p)
		b, err := g.Open(t.Context(), task)
		if err != nil {
			t.Fatal(err)
		}
		defer b.Close()
		return b.Key(p)
	}
	first := key(func(*Grader, *Task, *Program) {})
	for why, change := range map[string]func(*Grader, *Task, *Program){
		"the id of a program":  func(_ *Grader, _ *Task, p *Program) { p.ID = "q" },
		"the place of a task":  func(_ *Grader, t *Task, _ *Program) { t.File, t.Line = "u", 2 },
		"the size of a task":   func(_ *Grader, t *Task, _ *Program) { t.Size = 7 },
		"!an input":            func(_ *Grader, t *Task, _ *Program) { t.Tests[0].Input = "other" },
		"!an output":           func(_ *Grader, t *Task, _ *Program) { t.Tests[0].Output = "other" },
		"!another test":        func(_ *Grader, t *Task, _ *Program) { t.Tests = append(t.Tests, Test{"2", "", ""}) },
		"!a limit":             func(_ *Grader, t *Task, _ *Program) { t.Limits.CPU = time.Second },
		"!the comparison":      func(_ *Grader, t *Task, _ *Program) { t.Compare = diff.Options{Mode: diff.Exact} },
		"!a function":          func(_ *Grader, t *Task, _ *Program) { t.Function = &Function{Name: "f"} },
		"!files":               func(_ *Grader, t *Task, _ *Program) { t.InFile, t.OutFile = "a", "b" },
		"!the language":        func(_ *Grader, _ *Task, p *Program) { p.Language = "python3" },
		"!the source":          func(_ *Grader, _ *Task, p *Program) { p.Source = "y" },
		"!whether all are run": func(g *Grader, _ *Task, _ *Program) { g.All = true },
	} {
		if changed := key(change) != first; changed != strings.HasPrefix(why, "!") {
			t.Errorf("the key depends on %s: %v", strings.TrimPrefix(why, "!"), changed)
		}
	}
}

// TestProblems judges programs for a problem of the repository, under its limits or those of the task.
func TestProblems(t *testing.T) {
	t.Parallel()
	m := newScripted(t)
	for name, text := range map[string]string{
		"problems/p.yaml":     "id: p\ntitle: P\nsource: x\nlimits: {cpu: 3s, memory: 64MiB}\nstatement: |\n  S.\ninput: |\n  I.\noutput: |\n  O.\n",
		"cases/p/sample.yaml": "cases:\n  - name: one\n    input: |\n      1\n    output: |\n      1 1\n\n...\n",
	} {
		name = filepath.Join(m.root, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	g := &Grader{Machine: m}
	if r := mustJudge(t, g, &Task{ID: "a", File: "t", Line: 1, Problem: "p"}, "sh", "slow"); r.Cause != "used more CPU time than 3s" || r.Test != "sample/one" {
		t.Errorf("%+v", r)
	}
	if r := mustJudge(t, g, &Task{ID: "a", File: "t", Line: 1, Problem: "p", Limits: limits.Limits{CPU: time.Second}}, "sh", "slow"); r.Cause != "used more CPU time than 1s" {
		t.Errorf("%+v", r)
	}
	if m.open != 0 {
		t.Errorf("%d problems are open", m.open)
	}
	_, err := g.Open(t.Context(), &Task{ID: "a", File: "t", Line: 7, Problem: "q"})
	if e, ok := errors.AsType[*yamlstrict.Error](err); !ok || e.Line != 7 || err.Error() != `t:7: task a: problem q: unknown problem "q" (hint: known: p)` {
		t.Errorf("%v", err)
	}
	m.full = true
	_, err = g.Open(t.Context(), &Task{ID: "a", File: "t", Line: 7, Problem: "p"})
	if _, blamed := errors.AsType[*yamlstrict.Error](err); blamed || !errors.Is(err, syscall.ENOSPC) || !strings.HasPrefix(err.Error(), "task a: problem p: ") {
		t.Errorf("the line is blamed (%v) for a full disk: %v", blamed, err)
	}
	m.full = false
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	b, err := g.Open(t.Context(), &Task{ID: "a", File: "t", Line: 1, Problem: "p"})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	if _, err := b.Judge(ended, &Program{ID: "p", Language: "sh", Source: "in in"}, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("after an interrupt: %v", err)
	}
}

// TestTidy judges as many programs as make the machine tidy up.
func TestTidy(t *testing.T) {
	t.Parallel()
	m := newScripted(t)
	g := &Grader{Machine: m}
	g.built.Store(tidyAfter - 2)
	for range 3 {
		mustJudge(t, g, &Task{ID: "a", File: "t", Line: 1, Tests: []Test{{"1", "", ""}}}, "sh", "x")
	}
	if m.tidy != 1 {
		t.Errorf("tidied %d times", m.tidy)
	}
}
