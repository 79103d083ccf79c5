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

	"tribunal/judge/cli/scripttest"
)

// BenchmarkSaves measures the time from saving a source to its verdict in a running judge watch. It
// appends a line to the source and waits for an event: for the Go reference of game, the verdict on
// all cases; for a submission in C++, with and without <bits/stdc++.h>, the verdict on the first
// case. Then, as the floor, it compiles the same source without the judge.
//
// over-ms, over-p90-ms and over-max-ms are the median, the 90th percentile and the maximum of the difference between a
// save and its compilation. Run it with -benchtime 30x.
func BenchmarkSaves(b *testing.B) {
	for name, measure := range map[string]func(*testing.B) *paired{
		"reference": func(b *testing.B) *paired {
			w := newObserved(b)
			w.start("game")
			source := filepath.Join("reference", "game", "main.go")
			floor := []string{"go", "build", "-trimpath", "-buildvcs=false", "-o", filepath.Join(w.root, "floor"), source}
			return w.measure(source, floor, func(e watchEvent) bool { return e.Event == "done" && e.Role == "reference" })
		},
		"submission": func(b *testing.B) *paired { return saves(b, "", "gray.c") },
		"everything": benchmarkSave,
	} {
		b.Run(name, func(b *testing.B) {
			p := measure(b)
			p.report(b)
			var over []float64
			for i := range p.walls {
				over = append(over, (p.walls[i]-p.floors[i])/1e6)
			}
			slices.Sort(over)
			b.ReportMetric(median(over), "over-ms")
			b.ReportMetric(over[(len(over)-1)*9/10], "over-p90-ms")
			b.ReportMetric(over[len(over)-1], "over-max-ms")
		})
	}
}

// benchmarkSave measures saves of a submission in C++ that includes all of the library.
func benchmarkSave(b *testing.B) *paired { return saves(b, "#include <bits/stdc++.h>\n", "search.cpp") }

// saves measures saves of a submission in C++: an example of game, with these lines in front.
func saves(b *testing.B, lines, example string) *paired {
	w := newObserved(b)
	w.write("sol.cpp", lines+w.read("reference/game/submissions/accepted/"+example))
	w.start("game", "sol.cpp")
	floor := []string{"g++", "-O2", "-std=gnu++20", "-DONLINE_JUDGE", "-o", filepath.Join(w.root, "floor"), "sol.cpp"}
	return w.measure("sol.cpp", floor, func(e watchEvent) bool { return e.Event == "case" })
}

// BenchmarkIdle measures the CPU time that an idle judge watch and its child processes use in a
// minute.
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
	for _, name := range []string{"problems/game.yaml", "cases/game", "reference/game", "reference/internal", "runner.yaml", "go.mod"} {
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

// start starts judge watch and returns after its first round.
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

// await reads events up to and including the first for which want returns true.
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
		if e.Event == "failed" {
			w.b.Fatalf("%s", w.events.Bytes())
		}
	}
	w.b.Fatalf("judge watch exited: %v", w.events.Err())
}

// measure saves a file repeatedly, waits for the event that want accepts, and runs the command floor. It measures no
// CPU time of the judge, and not the first two saves, of which the second makes the compiled header.
func (w *observed) measure(file string, floor []string, want func(watchEvent) bool) *paired {
	source := w.read(file)
	run := rand.Text() // makes the texts of this run unique, so that none is in the cache
	var p paired
	save := func(n int) cost {
		text := fmt.Sprintf("%s// save %d of %s\n", source, n, run)
		start := time.Now()
		w.write(file, text)
		w.await(want)
		saved := cost{wall: time.Since(start)}
		w.await(func(e watchEvent) bool { return e.Event == "settled" })
		return saved
	}
	save(1)
	for n := 2; w.b.Loop(); n++ {
		saved := save(n)
		cmd := exec.Command(floor[0], floor[1:]...)
		cmd.Dir = w.root
		p.add(saved, spend(w.b, cmd, ""))
	}
	return &p
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// used returns the CPU time of the running threads of judge watch and its child processes.
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
