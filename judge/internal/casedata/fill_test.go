package casedata

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"tribunal/judge/internal/run"
	"tribunal/judge/internal/runner"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/sandbox/sandboxtest"
)

// TestFirstFailureEndsIt checks that a reference that fails on every case is not run on all of
// them.
func TestFirstFailureEndsIt(t *testing.T) {
	t.Parallel()
	root := repository(t, nil)
	host := sandboxtest.New(t, func(ctx context.Context, r sandboxtest.Run) (sandbox.Result, error) {
		if len(r.Input) > 0 {
			return sandbox.Result{ExitCode: 3}, nil
		}
		return echo(ctx, r)
	})
	m := newProvider(t, root, newCache(t), host)
	m.Pool = run.NewPool(runner.NewLocal(host, 1), 1, time.Second)
	defer m.Pool.Close()
	list := load(t, root)
	if err := m.PrepareInputs(t.Context(), list); err != nil {
		t.Fatal(err)
	}
	before := host.Runs()
	err := m.PrepareOutputs(t.Context(), list)
	if failed, ok := errors.AsType[*ProgramError](err); !ok || failed.Case.Name != "edge/literal" {
		t.Errorf("got %v", err)
	}
	if n := host.Runs() - before; n != 1 {
		t.Errorf("it was run %d times", n)
	}
}

// TestFailingPrograms checks that the failure of a generator or reference has the location of its
// case.
func TestFailingPrograms(t *testing.T) {
	t.Parallel()
	crash := errors.New("container died")
	for _, tt := range []struct {
		why    string
		fails  string // the program that fails
		result sandbox.Result
		stderr string
		stdout string // what it prints before; "half of it" if empty
		err    error
		says   string // the error after the root
	}{
		{why: "the generator rejects a flag", fails: "gen", result: sandbox.Result{ExitCode: 2}, stderr: "usage: gen N\ngen: no flag -n\n",
			says: "/cases/p/edge.yaml:10: case made: generator 10: exited with status 2: gen: no flag -n"},
		{why: "the generator rejects a flag and lists the others", fails: "gen", result: sandbox.Result{ExitCode: 2}, stderr: "flag provided but not defined: -n\nUsage of gen:\n  -m int\n\trows\n",
			says: "/cases/p/edge.yaml:10: case made: generator 10: exited with status 2: flag provided but not defined: -n"},
		{why: "the reference rejects an input", fails: "ref", result: sandbox.Result{ExitCode: 3}, stderr: "line 1: too large",
			says: "/cases/p/edge.yaml:7: case hashed: reference: exited with status 3: line 1: too large"},
		{why: "a fatal error of a Go program, with a stack trace", fails: "ref", result: sandbox.Result{ExitCode: 2}, stderr: "fatal error: all goroutines are asleep - deadlock!\n\ngoroutine 1:\n\tmain.go:2 +0xf\n",
			says: "/cases/p/edge.yaml:7: case hashed: reference: exited with status 2: fatal error: all goroutines are asleep - deadlock!"},
		{why: "a failure without a message", fails: "ref", result: sandbox.Result{ExitCode: 3}, stderr: "\n \n",
			says: "/cases/p/edge.yaml:7: case hashed: reference: exited with status 3"},
		{why: "a crash", fails: "ref", result: sandbox.Result{Stop: sandbox.Signalled, Signal: sandbox.Signal(syscall.SIGSEGV)},
			says: "/cases/p/edge.yaml:7: case hashed: reference: killed by SIGSEGV (segmentation fault)"},
		{why: "the reference exceeds its time limit", fails: "ref", result: sandbox.Result{CPU: 11 * time.Second},
			says: "/cases/p/edge.yaml:7: case hashed: reference: used more CPU time than 10s"},
		{why: "the generator exceeds its output limit", fails: "gen", result: sandbox.Result{Stop: sandbox.OverOutput},
			says: "/cases/p/edge.yaml:10: case made: generator 10: wrote more than 256MiB, ending in \"half of it\""},
		{why: "the reference prints for ever", fails: "ref", result: sandbox.Result{Stop: sandbox.OverOutput}, stdout: strings.Repeat("1 2\n", 1000),
			says: "/cases/p/edge.yaml:7: case hashed: reference: wrote more than 0B, ending in \"2\\n1 2\\n1 2\\n1 2\\n1 2\\n1 2\\n1 2\\n1 2\\n\""},
		{why: "a failure of the judge", fails: "ref", err: crash, says: "container died"},
	} {
		root, c := repository(t, map[string]string{"cases/p/lock.yaml": lock(nil)}), newCache(t)
		m := newProvider(t, root, c, sandboxtest.New(t, func(ctx context.Context, r sandboxtest.Run) (sandbox.Result, error) {
			if (tt.fails == "gen") != (len(r.Input) == 0) {
				return echo(ctx, r)
			}
			r.Stderr.Write([]byte(tt.stderr))
			r.Print(cmp.Or(tt.stdout, "half of it"))
			return tt.result, tt.err
		}))
		list := load(t, root)
		err := m.Prepare(t.Context(), list)
		if err == nil || strings.TrimPrefix(err.Error(), root) != tt.says {
			t.Errorf("%s:\ngot  %v\nwant %s", tt.why, err, root+tt.says)
		}
		// What was printed before the failure must not pass for an output.
		m = newProvider(t, root, c, sandboxtest.New(t, echo))
		if err := m.Prepare(t.Context(), list); err != nil {
			t.Errorf("%s: a run after the failure: %v", tt.why, err)
		}
		wantData(t, m, list)
	}
}

// TestBoxDies lets boxes die while generators and references run. Such a run is repeated once,
// without the output of the first attempt.
func TestBoxDies(t *testing.T) {
	t.Parallel()
	root := repository(t, map[string]string{"cases/p/lock.yaml": lock(nil)})
	list := load(t, root)
	for _, tt := range []struct {
		why  string
		dies int // number of runs in which the box dies, for each program and input
		says string
	}{
		{"one failure is retried", 1, ""},
		{"two failures are a failure of the judge", 2, "container: the container died"},
	} {
		var mu sync.Mutex
		began := map[string]int{}
		m := newProvider(t, root, newCache(t), sandboxtest.New(t, func(ctx context.Context, r sandboxtest.Run) (sandbox.Result, error) {
			run := fmt.Sprint(r.Args, string(r.Input))
			mu.Lock()
			began[run]++
			n := began[run]
			mu.Unlock()
			if n > 2 {
				t.Errorf("%s: %s was run %d times", tt.why, run, n)
			}
			if n <= tt.dies {
				r.Print("half of it")
				return sandbox.Result{}, fmt.Errorf("container: %w", sandbox.ErrDied)
			}
			return echo(ctx, r)
		}))
		err := m.Prepare(t.Context(), list)
		if tt.says != "" {
			if err == nil || err.Error() != tt.says {
				t.Errorf("%s: %v, want %s", tt.why, err, tt.says)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", tt.why, err)
			continue
		}
		wantData(t, m, list)
	}
}

// TestFirstFailure checks that the same failure is reported in whatever order the runs end.
func TestFirstFailure(t *testing.T) {
	t.Parallel()
	root, c := repository(t, map[string]string{"cases/p/lock.yaml": lock(nil)}), newCache(t)
	list := load(t, root)
	for _, slow := range []string{"4 5\n", "20 7\n"} {
		synctest.Test(t, func(t *testing.T) {
			m := newProvider(t, root, c, sandboxtest.New(t, func(ctx context.Context, r sandboxtest.Run) (sandbox.Result, error) {
				if len(r.Input) == 0 {
					return echo(ctx, r)
				}
				if string(r.Input) == slow {
					time.Sleep(time.Second)
				}
				return sandbox.Result{ExitCode: 1}, nil
			}))
			if err := m.Prepare(t.Context(), list); err == nil || !strings.Contains(err.Error(), "case hashed:") {
				t.Errorf("when %q is slow: got %v, want the failure of the first case", slow, err)
			}
		})
	}
}
