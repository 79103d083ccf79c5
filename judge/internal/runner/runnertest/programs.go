//go:build linux

package runnertest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"tribunal/judge/internal/content"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/runner"
	"tribunal/judge/internal/sandbox"
)

// ends checks exit statuses and signals of programs that end on their own.
func ends(t *testing.T, b bench) {
	for _, tt := range []struct {
		does   []string
		stop   sandbox.StopReason
		status int
		signal unix.Signal
	}{
		{[]string{"exit", "0"}, sandbox.Exited, 0, 0},
		{[]string{"exit", "42"}, sandbox.Exited, 42, 0},
		{[]string{"raise", "11"}, sandbox.Signalled, 0, unix.SIGSEGV},
		{[]string{"raise", "9"}, sandbox.Signalled, 0, unix.SIGKILL},
	} {
		if r, _ := b.run(t, nil, tt.does...); r.Stop != tt.stop || r.ExitCode != tt.status || r.Signal != sandbox.Signal(tt.signal) {
			t.Errorf("%q: %+v, want %v, %d, %v", tt.does, r.Result, tt.stop, tt.status, tt.signal)
		}
	}
}

// overLimits exceeds each limit.
func overLimits(t *testing.T, b bench) {
	for _, tt := range []struct {
		does  []string
		limit func(*limits.Limits)
		stop  sandbox.StopReason
	}{
		{[]string{"burn", "60000"}, func(l *limits.Limits) { l.CPU = 100 * time.Millisecond }, sandbox.OverCPU},
		{[]string{"sleep", "1000"}, func(l *limits.Limits) { l.Wall = 100 * time.Millisecond }, sandbox.OverWall},
		{[]string{"touch", "256", "sleep", "1000"}, func(l *limits.Limits) { l.Memory = 16 * limits.MiB }, sandbox.OverMemory},
		{[]string{"many", "1000000000"}, func(l *limits.Limits) { l.Output = limits.KiB }, sandbox.OverOutput},
	} {
		var l limits.Limits
		r, _ := b.run(t, func(r *runner.Request) {
			tt.limit(&r.Limits)
			l = r.Limits
		}, tt.does...)
		if r.Stop != tt.stop || r.OK(l) {
			t.Errorf("%q: %+v, want %v", tt.does, r.Result, tt.stop)
		}
	}
}

// measurements checks the measured figures against what the run must have used.
func measurements(t *testing.T, b bench) {
	if b.Scripted {
		t.Skip("not checked: nothing is measured")
	}
	// Memory may be polled, and the run may end before this process gets a CPU to do so.
	memory := limits.Bytes(0)
	for try := 0; try < 20 && memory < 31*limits.MiB; try++ {
		r, _ := b.run(t, nil, "touch", "32", "burn", "200", "many", "1000", "errs", "10")
		if r.CPU < 200*time.Millisecond || r.Wall < r.CPU/2 || r.Wall > ample.Wall || r.Stdout != 1000 || r.Result.Stderr != 10 {
			t.Errorf("got %+v", r.Result)
		}
		memory = max(memory, r.Memory)
	}
	if memory < 31*limits.MiB || memory > ample.Memory {
		t.Errorf("used %v of memory, want about the 32 MiB that it touched", memory)
	}
}

// output checks that standard output arrives, up to its limit.
func output(t *testing.T, b bench) {
	if _, out := b.run(t, nil, "print", "a\x01\xff", "print", "b\n"); out != "a\x01\xffb\n" {
		t.Errorf("got %q", out)
	}
	r, out := b.run(t, func(r *runner.Request) { r.Limits.Output = 1000 }, "many", "100000")
	if r.Stop != sandbox.OverOutput || len(out) > 1000 || strings.Trim(out, "x") != "" {
		t.Errorf("more output than allowed: %+v, got %d bytes, want at most 1000", r.Result, len(out))
	}
	if _, out := b.run(t, func(r *runner.Request) { r.Limits.Output = 1000 }, "many", "1000"); len(out) != 1000 {
		t.Errorf("as much output as allowed: got %d bytes, want 1000", len(out))
	}
	r, err := b.Runner.Run(t.Context(), runner.Request{Program: b.program("many", "1000")}, nil)
	if err != nil || r.Stop != sandbox.Exited {
		t.Errorf("without a writer for the output: %+v, %v", r, err)
	}
}

// standardError checks which part of standard error is kept, and that Merged sends it to the
// output.
func standardError(t *testing.T, b bench) {
	if r, _ := b.run(t, nil, "err", "words"); string(r.Stderr) != "words" || r.Truncated {
		t.Errorf("got %q, truncated %v", r.Stderr, r.Truncated)
	}
	for _, words := range []bool{false, true} {
		r, _ := b.run(t, func(r *runner.Request) { r.StderrEnds = words }, "err", "begin", "errs", "500000", "err", "end")
		if text := string(r.Stderr); !r.Truncated || len(text) > 200_000 || !strings.HasSuffix(text, "xend") || strings.HasPrefix(text, "begin") != words {
			t.Errorf("StderrEnds %v: kept %d bytes, %.10q…, truncated %v", words, len(text), text, r.Truncated)
		}
	}
	for most, lost := range map[limits.Bytes]bool{300_000: true, 500_005: false} {
		r, _ := b.run(t, func(r *runner.Request) { r.StderrMost = most }, "err", "begin", "errs", "500000")
		if n := limits.Bytes(len(r.Stderr)); n != min(most, 500_005) || r.Truncated != lost {
			t.Errorf("StderrMost %v: kept %d bytes, truncated %v", most, n, r.Truncated)
		}
	}
	r, out := b.run(t, func(r *runner.Request) { r.Merged = true }, "err", "words", "print", "said")
	if (out != "wordssaid" && out != "saidwords") || len(r.Stderr) > 0 {
		t.Errorf("merged: printed %q, kept %q", out, r.Stderr)
	}
}

// input checks that the program reads the whole input and gets no environment but its own.
func input(t *testing.T, b bench) {
	for _, text := range []string{"", "a line\n", strings.Repeat("0123456789", 100_000)} {
		if _, out := b.run(t, func(r *runner.Request) { r.Input = content.Of([]byte(text)) }, "cat", "/dev/stdin"); out != text {
			t.Errorf("the program printed %[2]d of %[1]d bytes of input", len(text), len(out))
		}
	}
	if _, out := b.run(t, nil, "env", "WORD", "env", "PATH"); out != "setunset" {
		t.Errorf("the environment is %q", out)
	}
}

// starts checks the error about a program that cannot be started, and that the next run works.
func starts(t *testing.T, b bench) {
	if b.Scripted {
		t.Skip("not checked: nothing is started")
	}
	r := runner.Request{Program: b.program()}
	r.Exe = b.text
	var start *sandbox.StartError
	var other *runner.InteractorError
	if _, err := b.Runner.Run(t.Context(), r, nil); !errors.As(err, &start) || errors.As(err, &other) {
		t.Errorf("the error is %v", err)
	}
	interaction := runner.Request{Program: b.program("sleep", "1000"), Interactor: &runner.Interactor{Program: r.Program}}
	if _, err := b.Runner.Run(t.Context(), interaction, nil); !errors.As(err, &start) || !errors.As(err, &other) {
		t.Errorf("the error about the interactor is %v", err)
	}
	if _, out := b.run(t, nil, "print", "as ever"); out != "as ever" {
		t.Errorf("then: %q", out)
	}
}

// deaths checks the error of a run whose box dies, and that the next run works.
func deaths(t *testing.T, b bench) {
	if b.Kill == nil {
		t.Skip("not checked: no box can die")
	}
	end := b.sleeper(t.Context(), t)
	b.Kill()
	if r, err := end(); !errors.Is(err, sandbox.ErrDied) {
		t.Errorf("%+v, %v", r, err)
	}
	if _, out := b.run(t, nil, "print", "as ever"); out != "as ever" {
		t.Errorf("then: %q", out)
	}
}

// cancel cancels runs, before and after they start.
func cancel(t *testing.T, b bench) {
	ctx, stop := context.WithCancel(t.Context())
	end := b.sleeper(ctx, t)
	stop()
	if r, err := end(); err != nil || r.Stop != sandbox.Cancelled {
		t.Errorf("cancelled in progress: %+v, %v", r, err)
	}
	if r, err := b.Runner.Run(ctx, runner.Request{Program: b.program("sleep", "1000")}, nil); err != nil || r.Stop != sandbox.Cancelled {
		t.Errorf("cancelled before its start: %+v, %v", r, err)
	}
}

// twoAtATime checks that concurrent runs of one kind do not get each other's output.
func twoAtATime(t *testing.T, b bench) {
	if len(sandbox.AllowedCPUs()) < 2 {
		t.Skip("not checked: two runs at a time (one CPU)")
	}
	ctx, stop := context.WithCancel(t.Context())
	end := b.sleeper(ctx, t)
	for i := range 3 {
		if _, out := b.run(t, nil, "print", fmt.Sprint(i)); out != fmt.Sprint(i) {
			t.Errorf("run %d: %q", i, out)
		}
	}
	stop()
	if r, err := end(); err != nil || r.Stop != sandbox.Cancelled {
		t.Errorf("the run beside them: %+v, %v", r, err)
	}
}
