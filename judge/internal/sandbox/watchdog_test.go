//go:build linux

package sandbox

import (
	"fmt"
	"os"
	"os/exec"
	"testing"
	"time"

	"tribunal/judge/internal/limits"
)

// unused is a meter that always reads 0.
type unused struct{}

func (unused) used() (time.Duration, limits.Bytes) { return 0, 0 }

// TestLateJudge polls runs with a limit of one second five seconds late, as a judge that gets no
// CPU does. Only a program that is still running has exceeded the limit.
func TestLateJudge(t *testing.T) {
	t.Parallel()
	hold, release, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	start := func(script string) *exec.Cmd {
		t.Helper()
		cmd := exec.Command("sh", "-c", script)
		cmd.ExtraFiles = []*os.File{hold}
		return cmd
	}
	begun := func(cmd *exec.Cmd) int {
		t.Helper()
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { cmd.Wait() })
		return cmd.Process.Pid
	}
	defer release.Close() // ends all shells
	running := begun(start("read x <&3"))
	ended := begun(start("exit 0"))
	for {
		if stat, err := readStat(ended); err != nil {
			t.Fatal(err)
		} else if stat.dead {
			break
		}
	}
	// This shell has forked itself: its child plays a program that an init has forked but not yet
	// executed.
	shell := start("(read x <&3; :) & echo $!; wait")
	out, err := shell.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	begun(shell)
	var forked int
	if _, err := fmt.Fscan(out, &forked); err != nil {
		t.Fatal(err)
	}

	const late = 5 * time.Second
	for _, tt := range []struct {
		why     string
		pid     int
		stopped bool
	}{
		{"it is still running", running, true},
		{"it has ended, but the judge does not know yet", ended, false},
		{"it has not begun, because the process that starts it has no CPU", forked, false},
	} {
		w := &watchdog{meter: unused{}, limits: limits.Limits{Wall: time.Second}, cancel: func() {}}
		w.waits.sides = []*side{{run: &runState{}}}
		w.begin(tt.pid)
		look := func(after time.Duration) {
			w.mu.Lock()
			w.timer.Stop()
			w.start = w.start.Add(-after)
			w.mu.Unlock()
			w.poll()
		}
		look(late)
		if w.caused != tt.stopped || tt.stopped && w.cause != OverWall {
			t.Errorf("%s: stopped %t for %v", tt.why, w.caused, w.cause)
		}
		if tt.stopped {
			continue
		}
		wall := time.Since(w.start)
		stop, caused := w.end(t.Context(), wall)
		if r := (Result{Wall: wall, CPUWait: w.waits.total}); caused || r.Counted() > time.Second {
			t.Errorf("%s: then ended: %v, counted %v", tt.why, stop, r.Counted())
		}
		w.ended = false
		if look(2 * waitLeast); !w.caused || w.cause != starved {
			t.Errorf("%s: after %v the watchdog does not give up: %t, %v", tt.why, 2*waitLeast, w.caused, w.cause)
		}
	}
}
