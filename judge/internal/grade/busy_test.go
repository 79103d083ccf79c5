package grade

import (
	"flag"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"tribunal/internal/tier"
	"tribunal/judge/internal/build"
	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/verdict"
)

// The full test, of a hundred programs beside N busy loops for each CPU, also prints its
// statistics:
//
//	go test -run TestBusyHost -v -timeout 2h ./judge/internal/grade -args -load=6
var load = flag.Int("load", -1, "busy loops for each CPU in TestBusyHost, which then judges all programs; otherwise a few, beside two")

// actor is a program of the test: its script, each line of which is a word, a number and a time in
// microseconds, and the right verdicts under limits of 1 s of CPU time and 3 s of wall time. In the
// short form of the test, all times are two fifths of that.
type actor struct {
	name   string
	script string
	want   []verdict.Verdict
}

var (
	right   = []verdict.Verdict{verdict.AC}
	tooSlow = []verdict.Verdict{verdict.TLE}
	idle    = []verdict.Verdict{verdict.ILE}
	late    = []verdict.Verdict{verdict.TLE, verdict.ILE}
)

const ms = 1000 // microseconds

// actors returns the actors for C, whose programs start at once.
func actors() (list []actor) {
	add := func(want []verdict.Verdict, name, format string, args ...any) {
		list = append(list, actor{name, fmt.Sprintf(format, args...), want})
	}
	for _, percent := range []int{10, 20, 30, 40, 50, 60, 65, 70, 75, 80, 85, 88, 90, 92, 94, 95, 96, 97} {
		add(right, fmt.Sprint("cpu-", percent), "until 1 %d\n", percent*10*ms)
	}
	for _, percent := range []int{104, 105, 106, 108, 110, 112, 115, 118, 120, 125, 130, 140} {
		add(tooSlow, fmt.Sprint("cpu-", percent), "until 1 %d\n", percent*10*ms)
	}
	for _, sleep := range []int{500, 1000, 2000, 2500, 2800} {
		add(right, fmt.Sprint("sleep-", sleep), "sleep 1 %d\n", sleep*ms)
	}
	for _, sleep := range []int{3150, 3250, 3500, 4000, 9000} {
		add(idle, fmt.Sprint("sleep-", sleep), "sleep 1 %d\n", sleep*ms)
	}
	for i, us := range []int{2, 5, 10, 20, 40} {
		n := 800 / us // 800 ms of work and as much sleep, in pieces
		add(right, fmt.Sprint("mix-right-", i), "mix %d %d\n", n, us*ms)
		add(right, fmt.Sprint("mix-asleep-", i), "mix %d %d\nsleep 1 %d\n", n/2, us*ms, 1500*ms)
		add(late, fmt.Sprint("mix-late-", i), "mix %d %d\nsleep 1 %d\n", n, us*ms, 2500*ms)
		add(tooSlow, fmt.Sprint("mix-busy-", i), "mix %d %d\n", 2*n, us*ms)
	}
	for i, n := range []int{2, 3, 4, 8, 16} {
		add(right, fmt.Sprint("threads-right-", i), "threads %d %d\n", n, 850*ms/n)
		add(tooSlow, fmt.Sprint("threads-slow-", i), "threads %d %d\n", n, 1150*ms/n)
		add(right, fmt.Sprint("children-right-", i), "children %d %d\n", n, 850*ms/n)
		add(right, fmt.Sprint("parallel-right-", i), "parallel %d %d\n", n, 850*ms/n)
		add(tooSlow, fmt.Sprint("children-slow-", i), "children %d %d\n", n, 1150*ms/n)
	}
	for i, n := range []int{20, 100, 300} {
		add(right, fmt.Sprint("chain-right-", i), "chain %d %d\n", n, 600*ms/n)
		add(right, fmt.Sprint("turns-right-", i), "turns %d %d\n", n, 400*ms/n)
		add(tooSlow, fmt.Sprint("turns-slow-", i), "turns %d %d\n", n, 600*ms/n)
	}
	add(right, "print", "print 3000 0\n")
	add(right, "print-burn", "print 1500 0\nburn 1 %d\nprint 1500 0\n", 500*ms)
	return list
}

// inter returns actors for an interpreted language, whose start takes a part of the time.
func inter(name string) (list []actor) {
	for _, percent := range []int{60, 80, 90} {
		list = append(list, actor{fmt.Sprint(name, "-", percent), fmt.Sprintf("until 1 %d\n", percent*10*ms), right})
	}
	for _, percent := range []int{115, 130} {
		list = append(list, actor{fmt.Sprint(name, "-", percent), fmt.Sprintf("until 1 %d\n", percent*10*ms), tooSlow})
	}
	return append(list, actor{name + "-sleep", fmt.Sprintf("sleep 1 %d\n", 1000*ms), right}, actor{name + "-idle", fmt.Sprintf("sleep 1 %d\n", 3500*ms), late})
}

// TestBusyHost checks that there is no wrong verdict on a busy host: no right program fails, and no
// wrong one is accepted.
func TestBusyHost(t *testing.T) {
	loops, all, fifths := *load, *load >= 0, 5
	if !all {
		loops, fifths = 2, 2
		tier.T3(t, "verdicts beside busy loops")
	}
	exe := filepath.Join(t.TempDir(), "actor")
	if out, err := exec.Command("gcc", "-O1", "-pthread", "-w", "-o", exe, "testdata/actor.c").CombinedOutput(); err != nil {
		t.Skipf("not checked: verdicts on a busy host (no working gcc): %v\n%s", err, out)
	}
	type part struct {
		program string
		actors  []actor
	}
	parts := []part{{exe, actors()}}
	if all {
		for name, program := range map[string]string{"python": "testdata/actor.py", "java": "testdata/Actor.java"} {
			if _, err := exec.LookPath(map[string]string{"python": "python3", "java": "javac"}[name]); err != nil {
				t.Logf("not checked: %s, which is not installed", name)
				continue
			}
			parts = append(parts, part{program, inter(name)})
		}
	} else {
		few := []string{"cpu-92", "cpu-110", "sleep-2500", "mix-late-2", "threads-right-2", "chain-right-1", "turns-right-1", "print-burn"}
		parts[0].actors = slices.DeleteFunc(parts[0].actors, func(a actor) bool { return !slices.Contains(few, a.name) })
	}
	j := newJudgeOf(t, build.Defaults(), nil, len(sandbox.AllowedCPUs()), nil)
	stop := busyLoops(t, loops*len(sandbox.AllowedCPUs()))
	defer stop()

	judged, wrong, given, start := 0, 0, 0, time.Now()
	var waited, counted time.Duration
	for _, p := range parts {
		source, err := build.Open(p.program, "", build.Defaults())
		if err != nil {
			t.Fatal(err)
		}
		var list []cases.Case
		for _, a := range p.actors {
			script := scaled(a.script, fifths)
			list = append(list, literal(a.name, script, output(script)))
		}
		task := newTask(list, []Submission{{Source: source}})
		task.All = true
		unit := time.Duration(fifths) * time.Second / 5
		task.Limits.CPU, task.Limits.Wall, task.Limits.Output = unit, 3*unit, 4*limits.MiB
		err = j.Grade(t.Context(), task, func(e Event) {
			c, ok := e.(*Case)
			if !ok {
				return
			}
			judged++
			waited, counted = waited+c.Result.CPUWait, counted+c.Result.Counted()
			switch want := p.actors[c.Index].want; {
			case c.Verdict == verdict.JE && strings.Contains(c.Cause, "this host is too busy"):
				given++
			case !slices.Contains(want, c.Verdict):
				wrong++
				t.Errorf("%s: %v (%s), want %v: %+v, attempts %+v", c.Name, c.Verdict, c.Cause, want, c.Result, c.Attempts)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d loops a CPU: %d judged in %v, %d wrong, %d JE; the deciding runs waited %v and took %v besides",
		loops, judged, time.Since(start).Round(time.Second), wrong, given, waited.Round(time.Millisecond), counted.Round(time.Millisecond))
	if loops <= 6 && 20*given > judged {
		t.Errorf("%d of %d runs were given up, want less than 5 %% beside up to six loops a CPU", given, judged)
	}
}

// scaled returns a script that takes this many fifths of the time.
func scaled(script string, fifths int) string {
	var b strings.Builder
	for line := range strings.Lines(script) {
		var word string
		var n, us int
		if _, err := fmt.Sscan(line, &word, &n, &us); err == nil {
			fmt.Fprintln(&b, word, n, us*fifths/5)
		}
	}
	return b.String()
}

// output returns what a script prints.
func output(script string) string {
	var b strings.Builder
	for line := range strings.Lines(script) {
		var word string
		var n int
		if _, err := fmt.Sscan(line, &word, &n); err == nil && word == "print" {
			b.WriteString(strings.Repeat(strings.Repeat("x", 1023)+"\n", n))
		}
	}
	return b.String() + "done\n"
}

// busyLoops starts n processes that use all the CPU time that they get, each in a session of its
// own: the scheduler divides CPU time among sessions, so n loops in one session would count as one.
func busyLoops(t *testing.T, n int) (stop func()) {
	t.Helper()
	var running []*exec.Cmd
	stop = func() {
		for _, cmd := range running {
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
		}
		running = nil
	}
	t.Cleanup(stop)
	for range n {
		cmd := exec.Command("sh", "-c", "while kill -0 $PPID; do :; done") // ends with this test process, even if that is killed
		cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		running = append(running, cmd)
	}
	return stop
}
