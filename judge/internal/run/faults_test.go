package run

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"tribunal/internal/tier"
	"tribunal/judge/internal/build"
	"tribunal/judge/internal/cache"
	"tribunal/judge/internal/content"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/runner"
	"tribunal/judge/internal/sandbox"
)

// hang is a time that only what hangs takes, however busy the host is.
const hang = 5 * time.Minute

// echo prints its input. With the input "pause" it changes its name to that and waits for ever.
const echo = `#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>
int main(void) {
	char line[64];
	if (!fgets(line, sizeof line, stdin)) return 1;
	if (!strcmp(line, "pause")) { prctl(PR_SET_NAME, line); for (;;) pause(); }
	fputs(line, stdout);
	return 0;
}`

// compileC builds a C program and returns its file.
func compileC(t testing.TB, source string) string {
	t.Helper()
	dir := t.TempDir()
	c, exe := filepath.Join(dir, "p.c"), filepath.Join(dir, "p")
	if err := os.WriteFile(c, []byte(source), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("gcc", "-O1", "-o", exe, c).CombinedOutput(); err != nil {
		t.Skipf("not checked: real programs (no working gcc): %v\n%s", err, out)
	}
	return exe
}

// program hands in an executable as it is.
func program(t testing.TB, host *sandbox.Host, exe string) *build.Program {
	t.Helper()
	store, err := cache.Open(t.TempDir(), 0)
	if err != nil {
		t.Fatal(err)
	}
	languages := build.Defaults()
	s, err := build.Open(exe, "", languages)
	if err != nil {
		t.Fatal(err)
	}
	p, err := build.New(build.Options{Languages: languages, Cache: store, Runner: runner.NewLocal(host, 1), Temp: host.Temp()}).Build(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	return p
}

// bothModes are the modes in which tests run programs. What is no matter of a mode is tested in the stronger
// one; the other runs some rows of a table, and all of them in T3.
var bothModes = []sandbox.Mode{sandbox.Container, sandbox.Rlimit}

// some reports whether row i of a table runs in a mode.
func some(mode sandbox.Mode, i, every int) bool {
	return mode == sandbox.Container || tier.All() || i%every == 0
}

// weaker skips a test in the weaker mode unless the tests of T3 run.
func weaker(t testing.TB, mode sandbox.Mode) {
	t.Helper()
	if mode != sandbox.Container {
		tier.T3(t, "another mode than the strongest")
	}
}

// A fault makes the judge itself fail until it is undone.
type fault struct {
	name string
	why  string
	// make causes the fault before the runs of a round begin, or skips the test with a reason.
	make   func(t *testing.T, s *scene, round int) (undo func())
	rounds int // 0 means 1
	// inputs of the runs during the fault; nil means the numbers from 1 to 8
	inputs []string
	// says must be in the error of every run that fails; between least and most runs must fail.
	says        string
	least, most int
	modes       []sandbox.Mode
}

// scene is a pool that suffers a fault, on its own host in its own process.
type scene struct{ pool *Pool }

func faults() []fault {
	return []fault{
		{
			name: "init-killed-between", why: "a container that died since its last run is replaced without an error",
			make: func(t *testing.T, s *scene, round int) func() {
				if killed := killInits(""); killed != s.pool.Slots() {
					t.Errorf("killed %d containers, want %d", killed, s.pool.Slots())
				}
				return func() {}
			}, modes: []sandbox.Mode{sandbox.Container},
		},
		{
			name: "init-killed-during", why: "a container dies during a run, and again when the run is repeated: only that run fails",
			make: func(t *testing.T, s *scene, round int) func() {
				ctx, stop := context.WithCancel(t.Context())
				var killer sync.WaitGroup
				killer.Go(func() {
					for ctx.Err() == nil {
						killInits("pause")
						time.Sleep(5 * time.Millisecond)
					}
				})
				return func() { stop(); killer.Wait() }
			},
			inputs: []string{"1", "2", "pause", "4", "5", "6"}, says: sandbox.ErrDied.Error(), least: 1, most: 1,
			modes: []sandbox.Mode{sandbox.Container},
		},
		{
			name: "groups-removed", why: "removed control groups are created again, at the cost of at most one run each",
			make: func(t *testing.T, s *scene, round int) func() {
				if removeGroups() == 0 {
					t.Skip("not checked: cgroups that are removed (there are none)")
				}
				return func() {}
			}, says: "cgroup: ", most: 2, modes: []sandbox.Mode{sandbox.Container},
		},
		{
			name: "no-fork", why: "programs that cannot be forked are the judge's failure",
			make: func(t *testing.T, s *scene, round int) func() {
				s.pool.Close() // existing containers could still fork
				return boundProcesses(t)
			},
			says: "resource temporarily unavailable", least: 8, most: 8, modes: bothModes,
		},
		{
			name: "no-descriptors", why: "each round runs out of descriptors at a different place",
			make: func(t *testing.T, s *scene, round int) func() {
				if round%2 == 0 {
					s.pool.Close() // so that boxes have to be opened as well
				}
				return boundDescriptors(t, 7+round)
			}, rounds: 70, says: "too many open files", most: 8, modes: bothModes,
		},
		{
			name: "no-descriptors-to-stop", why: "a program is stopped even if no file can be opened to look at it",
			make: func(t *testing.T, s *scene, round int) func() {
				ctx, stop := context.WithCancel(t.Context())
				var all sync.WaitGroup
				undo := func() {}
				all.Go(func() {
					for ctx.Err() == nil && !appears("pause") {
						time.Sleep(5 * time.Millisecond)
					}
					undo = boundDescriptors(t, 3)
				})
				return func() { stop(); all.Wait(); undo() }
			},
			inputs: []string{"pause"}, says: "too many open files", most: 1, modes: bothModes,
		},
	}
}

// Variables that name the fault and the program to the process in which the fault happens.
const (
	faultVariable   = "TRIBUNAL_TEST_FAULT"
	programVariable = "TRIBUNAL_TEST_PROGRAM"
)

// TestFaults makes the judge itself fail during some runs of a pool. Those runs have an error that
// gives the reason in one line, all others have their results, and nothing hangs. Once the cause is
// gone, the same pool works as before, with nothing lost.
func TestFaults(t *testing.T) {
	tier.T2(t, "faults of the host during real runs")
	exe := os.Getenv(programVariable)
	if exe == "" {
		exe = compileC(t, echo)
	}
	for _, f := range faults() {
		for _, mode := range f.modes {
			name := f.name + "/" + string(mode)
			if own := os.Getenv(faultVariable); own == name {
				t.Run(name, func(t *testing.T) { suffer(t, f, mode, exe) })
				continue
			} else if own != "" {
				continue
			}
			// Limits apply to a whole process, and descriptors and goroutines can be counted
			// only in a process that runs nothing else.
			t.Run(name, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), hang)
				defer cancel()
				cmd := exec.CommandContext(ctx, os.Args[0], "-test.run=^TestFaults$", "-test.v", "-test.timeout=0")
				cmd.Env = append(os.Environ(), faultVariable+"="+name, programVariable+"="+exe)
				out, err := cmd.CombinedOutput()
				if _, why, found := strings.Cut(string(out), "not checked: "); found {
					why, _, _ = strings.Cut(why, "\n")
					t.Skip("not checked: " + why)
				}
				if err != nil || !strings.Contains(string(out), "--- PASS: TestFaults/") {
					t.Errorf("%s: %v\n%s", f.why, err, out)
				}
			})
		}
	}
}

func suffer(t *testing.T, f fault, mode sandbox.Mode, exe string) {
	warmThreads()
	host, err := sandbox.Open(mode)
	if err != nil {
		t.Skipf("not checked: mode %s: %v", mode, err)
	}
	p := program(t, host, exe)
	counted := &counting{Host: host}
	s := &scene{NewPool(runner.NewLocal(counted, 2), 2, time.Second)}
	numbers := []string{"1", "2", "3", "4", "5", "6", "7", "8"}
	good := func(when string) {
		t.Helper()
		for i, o := range s.each(t, p, numbers) {
			if o.Err != nil || o.text != numbers[i] {
				t.Errorf("%s: run %d: %q, %v", when, i, o.text, o.Err)
			}
		}
	}
	// On a busy machine one worker may do it all, and the other has no box yet.
	for tries := 0; tries == 0 || counted.boxes.Load() < 2 && tries < 100; tries++ {
		good("before")
	}
	rest := func() {
		if err := s.pool.ReleaseCPUs(); err != nil { // other judges on this machine may claim or release CPUs in between
			t.Error(err)
		}
	}
	rest()
	before := held(t)

	inputs := f.inputs
	if inputs == nil {
		inputs = numbers
	}
	forgotten := 0
	for round := range max(f.rounds, 1) {
		if !some(mode, round, 6) {
			continue
		}
		undo := f.make(t, s, round)
		outcomes := s.each(t, p, inputs)
		undo()
		failed := 0
		for i, o := range outcomes {
			if o.Err == nil && (o.text == inputs[i] && o.OK(limits.Limits{}) || inputs[i] == "pause" && o.Stop == sandbox.OverWall) {
				continue
			}
			failed++
			var start *sandbox.StartError
			if o.Err == nil || !strings.Contains(o.Err.Error(), f.says) || f.says == "" || strings.Contains(o.Err.Error(), "\n") || errors.As(o.Err, &start) {
				t.Errorf("round %d: run %d: %q, %+v, %v, want an error with %q in one line", round, i, o.text, o.Result, o.Err, f.says)
			} else if strings.Contains(o.Err.Error(), "fork/exec") {
				forgotten += 2 // leaked by Go's syscall package, see spare in package sandbox
			}
		}
		if failed < f.least || failed > f.most {
			t.Errorf("round %d: %d runs failed, want %d to %d", round, failed, f.least, f.most)
		}
	}

	good("after")
	rest()
	before.descriptors += forgotten
	expectHeld(t, before)
	temp := host.Temp()
	if err := errors.Join(s.pool.Close(), host.Close()); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(temp); err == nil {
		t.Errorf("left %s", temp)
	}
}

// counting is a host that counts the boxes it has opened.
type counting struct {
	*sandbox.Host
	boxes atomic.Int32
}

func (h *counting) NewBox(spec sandbox.Spec) (sandbox.Box, error) {
	h.boxes.Add(1)
	return h.Host.NewBox(spec)
}

type suffered struct {
	Outcome
	text string
}

// each runs the program on the inputs and checks that every run is delivered once.
func (s *scene) each(t *testing.T, p *build.Program, inputs []string) []suffered {
	t.Helper()
	list := make([]suffered, len(inputs))
	told := make([]int, len(inputs))
	err := Each(t.Context(), s.pool, len(inputs), 1, func(ctx context.Context, w *Worker, i int) (suffered, error) {
		wall := hang
		if len(inputs) == 1 {
			wall = time.Second // nothing else stops the run
		}
		var output bytes.Buffer
		o := w.Run(ctx, Job{Program: p, Input: content.Of([]byte(inputs[i])), Stdout: &output, Limits: limits.Limits{
			CPU: time.Minute, Wall: wall, Memory: 64 * limits.MiB, Output: limits.KiB, Processes: 8,
		}}, nil)
		return suffered{o, output.String()}, nil
	}, func(i int, s suffered) error {
		list[i] = s
		told[i]++
		return nil
	})
	if err != nil {
		t.Errorf("Each: %v", err)
	}
	for i, n := range told {
		if n != 1 {
			t.Errorf("run %d was delivered %d times", i, n)
		}
	}
	return list
}
