package main

import (
	"bufio"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"tribunal/judge/internal/scripttest"
)

// BenchmarkSaves measures how long after a save the verdict is there, through the
// real program: it appends a line to a source that judge watch looks at and waits for
// the event. Right after it, as the floor, the same source is compiled by itself. For
// the small Go reference of game what is waited for is the last of its new verdicts,
// for a submission in C++ the first.
//
// save-ms and compile-ms are medians; over-ms is what a save took longer than its own
// compilation: the median, the longest but one in ten, and the longest. Run it with
// -benchtime 30x.
func BenchmarkSaves(b *testing.B) {
	b.Run("reference", func(b *testing.B) {
		w := newObserved(b)
		w.start("game")
		source := filepath.Join("reference", "game", "main.go")
		floor := []string{"go", "build", "-trimpath", "-buildvcs=false", "-o", filepath.Join(w.root, "floor"), source}
		w.measure(source, floor, func(e watchEvent) bool { return e.Event == "done" && e.Role == "reference" })
	})
	b.Run("submission", func(b *testing.B) {
		w := newObserved(b)
		w.write("sol.cpp", w.read("reference/game/submissions/accepted/gray.c"))
		w.start("game", "sol.cpp")
		floor := []string{"g++", "-O2", "-std=gnu++20", "-DONLINE_JUDGE", "-o", filepath.Join(w.root, "floor"), "sol.cpp"}
		w.measure("sol.cpp", floor, func(e watchEvent) bool { return e.Event == "case" })
	})
}

// BenchmarkIdle measures how much CPU time a watch uses that has nothing to do, in a
// minute: of itself and of all that it has started.
func BenchmarkIdle(b *testing.B) {
	w := newObserved(b)
	w.start()
	for b.Loop() {
		before := w.used()
		time.Sleep(time.Minute)
		b.ReportMetric(0, "ns/op")
		b.ReportMetric(ms(w.used()-before), "cpu-ms/min")
	}
}

// observed is a repository with the problem game, and a judge that watches it.
type observed struct {
	b      *testing.B
	root   string
	judge  string
	cmd    *exec.Cmd
	events *bufio.Scanner
}

type watchEvent struct{ Event, Role string }

func newObserved(b *testing.B) *observed {
	b.Helper()
	w := &observed{b: b, root: b.TempDir()}
	w.judge = filepath.Join(b.TempDir(), "judge")
	if out, err := exec.Command("go", "build", "-o", w.judge, ".").CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	for _, name := range []string{"problems/game.yaml", "cases/game", "reference/game", "runner.yaml", "go.mod"} {
		from, to := filepath.Join(repository, name), filepath.Join(w.root, name)
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			b.Fatal(err)
		}
		if out, err := exec.Command("cp", "-r", from, to).CombinedOutput(); err != nil {
			b.Fatalf("%v\n%s", err, out)
		}
	}
	return w
}

func (w *observed) read(name string) string {
	text, err := os.ReadFile(filepath.Join(w.root, name))
	if err != nil {
		w.b.Fatal(err)
	}
	return string(text)
}

func (w *observed) write(name, text string) {
	if err := os.WriteFile(filepath.Join(w.root, name), []byte(text), 0o644); err != nil {
		w.b.Fatal(err)
	}
}

// start watches, and returns when the first round is over.
func (w *observed) start(args ...string) {
	w.b.Helper()
	w.cmd = exec.Command(w.judge, slices.Concat([]string{"watch", "--json"}, args)...)
	w.cmd.Dir = w.root
	out, err := w.cmd.StdoutPipe()
	if err != nil {
		w.b.Fatal(err)
	}
	if err := w.cmd.Start(); err != nil {
		w.b.Fatal(err)
	}
	w.b.Cleanup(func() {
		_ = w.cmd.Process.Signal(os.Interrupt)
		_ = w.cmd.Wait()
	})
	w.events = bufio.NewScanner(out)
	w.events.Buffer(nil, 1<<20)
	w.await(func(e watchEvent) bool { return e.Event == "settled" })
}

// await reads events up to one for which want holds.
func (w *observed) await(want func(watchEvent) bool) {
	w.b.Helper()
	for w.events.Scan() {
		var e watchEvent
		if err := json.Unmarshal(w.events.Bytes(), &e); err != nil {
			w.b.Fatal(err)
		}
		if want(e) {
			return
		}
	}
	w.b.Fatalf("the watch ended: %v", w.events.Err())
}

// measure saves a file again and again.
func (w *observed) measure(file string, floor []string, want func(watchEvent) bool) {
	source := w.read(file)
	run := rand.Text() // what is in the cache from another run must not help
	var saves, compiles, over []time.Duration
	for n := 0; w.b.Loop(); n++ {
		text := fmt.Sprintf("%s// save %d of %s\n", source, n, run)
		start := time.Now()
		w.write(file, text)
		w.await(want)
		saved := time.Since(start)
		w.await(func(e watchEvent) bool { return e.Event == "settled" })
		cmd := exec.Command(floor[0], floor[1:]...)
		cmd.Dir = w.root
		start = time.Now()
		if out, err := cmd.CombinedOutput(); err != nil {
			w.b.Fatalf("%v: %v\n%s", floor, err, out)
		}
		compiled := time.Since(start)
		saves, compiles, over = append(saves, saved), append(compiles, compiled), append(over, saved-compiled)
	}
	slices.Sort(over)
	w.b.ReportMetric(0, "ns/op")
	w.b.ReportMetric(ms(middle(saves)), "save-ms")
	w.b.ReportMetric(ms(middle(compiles)), "compile-ms")
	w.b.ReportMetric(ms(middle(over)), "over-ms")
	w.b.ReportMetric(ms(over[(len(over)-1)*9/10]), "over-p90-ms")
	w.b.ReportMetric(ms(over[len(over)-1]), "over-max-ms")
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

func middle(list []time.Duration) time.Duration {
	list = slices.Sorted(slices.Values(list))
	return list[len(list)/2]
}

// used returns the CPU time of the watch and of the processes below it, by all their
// threads that still run.
func (w *observed) used() (sum time.Duration) {
	threads, err := filepath.Glob("/proc/[0-9]*/task/[0-9]*/schedstat")
	if err != nil || len(threads) == 0 {
		w.b.Skip("not measured: CPU time (no /proc/PID/task/TID/schedstat)")
	}
	for _, file := range threads {
		pid, err := strconv.Atoi(strings.Split(file, "/")[2])
		if err != nil || !scripttest.Below(pid, w.cmd.Process.Pid) {
			continue
		}
		text, err := os.ReadFile(file)
		var ran int64
		if err == nil {
			_, err = fmt.Sscan(string(text), &ran)
		}
		if err == nil {
			sum += time.Duration(ran)
		}
	}
	return sum
}
