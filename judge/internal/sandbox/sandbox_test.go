package sandbox

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"tribunal/judge/internal/limits"
)

func TestMain(m *testing.M) {
	Init()
	os.Exit(m.Run())
}

// compileC builds a C program for the jail.
func compileC(t testing.TB, source string) *os.File {
	t.Helper()
	dir := t.TempDir()
	src, exe := filepath.Join(dir, "p.c"), filepath.Join(dir, "p")
	if err := os.WriteFile(src, []byte(source), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("gcc", "-O1", "-pthread", "-o", exe, src).CombinedOutput(); err != nil {
		t.Skipf("not checked: how C programs end (no working gcc): %v\n%s", err, out)
	}
	f, err := os.Open(exe)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

const hello = `#include <stdio.h>
int main(){char b[64]; if(fgets(b,64,stdin)) fputs(b,stdout); return 0;}`

func open(t testing.TB, mode Mode) *Host {
	t.Helper()
	h, err := Open(mode, 4)
	if err != nil {
		t.Skipf("not checked: mode %s: %v", mode, err)
	}
	t.Cleanup(func() { h.Close() })
	return h
}

func box(t testing.TB, h *Host) Box {
	t.Helper()
	b, err := h.NewBox(Spec{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	return b
}

var usual = limits.Limits{CPU: time.Second, Wall: 3 * time.Second, Memory: 64 * limits.MiB, Output: limits.MiB, Processes: 64}

func TestHello(t *testing.T) {
	for _, mode := range []Mode{Container, Rlimit} {
		t.Run(string(mode), func(t *testing.T) {
			h := open(t, mode)
			b := box(t, h)
			exe := compileC(t, hello)
			in, _ := os.CreateTemp(t.TempDir(), "")
			in.WriteString("hi\n")
			for range 3 {
				in.Seek(0, 0)
				var out bytes.Buffer
				r, err := b.Run(context.Background(), Command{Args: []string{"/w/p"}, Exe: exe, Stdin: in, Stdout: &out, Limits: usual, CPUs: []int{0}})
				if err != nil {
					t.Fatal(err)
				}
				t.Logf("%+v %q", r, out.String())
				if r.Stop != Exited || out.String() != "hi\n" {
					t.Errorf("got %+v %q", r, out.String())
				}
			}
		})
	}
}

// BenchmarkRun reports the cost of a jailed run against a bare fork, exec and wait
// of the same program, both on all CPUs, in the same process.
func BenchmarkRun(b *testing.B) {
	exe := compileC(b, hello)
	cpus := AllowedCPUs()
	h := open(b, Auto)
	boxes := make([]Box, len(cpus))
	for i := range boxes {
		boxes[i] = box(b, h)
	}
	jail := func(slot, _ int) {
		if _, err := boxes[slot].Run(context.Background(), Command{Args: []string{"/w/p"}, Exe: exe, Limits: usual, CPUs: cpus[slot : slot+1]}); err != nil {
			b.Error(err)
		}
	}
	bare := func(slot, _ int) {
		p, err := os.StartProcess(exe.Name(), []string{"p"}, &os.ProcAttr{Files: []*os.File{nil, nil, nil}})
		if err != nil {
			b.Error(err)
			return
		}
		p.Wait()
	}
	const runs = 200
	var jailed, floor time.Duration
	for b.Loop() {
		jailed += each(len(cpus), runs, jail)
		floor += each(len(cpus), runs, bare)
	}
	n := float64(b.N * runs)
	b.ReportMetric(float64(jailed.Microseconds())/n, "jail-µs/run")
	b.ReportMetric(float64(floor.Microseconds())/n, "bare-µs/run")
	b.ReportMetric(float64(jailed)/float64(floor), "ratio")
}

// each calls f for all numbers below n from as many goroutines as there are slots.
func each(slots, n int, f func(slot, i int)) time.Duration {
	start := time.Now()
	next := make(chan int)
	done := make(chan struct{})
	for slot := range slots {
		go func() {
			for i := range next {
				f(slot, i)
			}
			done <- struct{}{}
		}()
	}
	for i := range n {
		next <- i
	}
	close(next)
	for range slots {
		<-done
	}
	return time.Since(start)
}
