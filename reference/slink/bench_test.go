package main

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"
)

// benchmarks lists the inputs of all benchmarks: arguments of gen, or files of testdata. TestClimb
// found the climbed loops. The hopeless numbers, which have no solution, come from a longer climb
// by the same method.
var benchmarks = []struct{ name, source string }{
	{"random-20x20", "random -n=100 -rows=20 -cols=20 -seed=1"},
	{"spiral-20x20", "spiral -n=100 -rows=20 -cols=20 -seed=1"},
	{"comb-20x20", "comb -n=100 -rows=20 -cols=20 -seed=1"},
	{"climbed-20x20", "testdata/climbed.in"},
	{"hopeless-20x20", "testdata/hopeless.in"},
	{"thin-2x20", "random -n=100 -rows=2 -cols=20 -seed=1"},
	{"thin-20x2", "random -n=100 -rows=20 -cols=2 -seed=1"},
}

const hopeless = "hopeless-20x20"

// A workload is an input, its parsed puzzles, and the time that brute takes for it, the baseline.
type workload struct {
	input    []byte
	puzzles  []*puzzle
	searches []search // that have been run
	brute    time.Duration
}

func loadWorkload(tb testing.TB, source, brute string) *workload {
	w := new(workload)
	var err error
	if args := strings.Fields(source); len(args) > 1 {
		w.input, err = exec.Command("go", append([]string{"run", "./gen"}, args...)...).Output()
	} else {
		w.input, err = os.ReadFile(source)
	}
	if err != nil {
		tb.Fatalf("%s: %v", source, err)
	}
	w.puzzles = readPuzzles(tb, source, w.input)
	w.searches = make([]search, len(w.puzzles))
	for n := range w.puzzles {
		w.searches[n].run(w.puzzles[n])
	}
	w.brute = bestOf(3, func() {
		cmd := exec.Command(brute, "-verdicts")
		cmd.Stdin = bytes.NewReader(w.input)
		if err := cmd.Run(); err != nil {
			tb.Fatalf("%s: %v", source, err)
		}
	})
	return w
}

// BenchmarkSolve reads, searches and draws; BenchmarkSearch only searches. Their baseline is brute
// on the same input.
func BenchmarkSolve(b *testing.B) {
	eachWorkload(b, func(b *testing.B, w *workload) {
		w.measure(b, w.brute, func() {
			if _, err := solve(bytes.NewReader(w.input)); err != nil {
				b.Fatal(err)
			}
		})
	}, hopeless)
}

func BenchmarkSearch(b *testing.B) {
	eachWorkload(b, func(b *testing.B, w *workload) {
		w.measure(b, w.brute, func() {
			for n := range w.puzzles {
				w.searches[n].run(w.puzzles[n])
			}
		})
		worst, steps, most := time.Duration(0), 0, 0
		for n := range w.puzzles {
			worst = max(worst, bestOf(50, func() { w.searches[n].run(w.puzzles[n]) }))
			steps += w.searches[n].steps
			most = max(most, w.searches[n].steps)
		}
		b.ReportMetric(float64(worst.Nanoseconds()), "worst-ns/puzzle")
		b.ReportMetric(float64(steps)/float64(len(w.puzzles)), "steps/puzzle")
		b.ReportMetric(float64(most), "worst-steps/puzzle")
	})
}

// BenchmarkRead only reads. Its baseline splits the input into fields and converts them, unchecked.
func BenchmarkRead(b *testing.B) {
	eachWorkload(b, func(b *testing.B, w *workload) {
		baseline := bestOf(20, func() {
			text, _ := io.ReadAll(bytes.NewReader(w.input))
			for _, field := range strings.Fields(string(text)) {
				strconv.Atoi(field)
			}
		})
		w.measure(b, baseline, func() {
			var p puzzle
			in := newReader(bytes.NewReader(w.input))
			for more := true; more; {
				more, _ = in.next(&p)
			}
		})
	})
}

// BenchmarkDraw only draws. Its baseline writes the finished drawings byte by
// byte.
func BenchmarkDraw(b *testing.B) {
	eachWorkload(b, func(b *testing.B, w *workload) {
		var picture []byte
		var copied bytes.Buffer
		draw := func() {
			picture = picture[:0]
			for n := range w.puzzles {
				picture = w.puzzles[n].draw(picture, &w.searches[n].found)
			}
		}
		draw()
		w.measure(b, bestOf(20, func() {
			copied.Reset()
			for _, c := range picture {
				copied.WriteByte(c)
			}
		}), draw)
	}, hopeless)
}

func eachWorkload(b *testing.B, run func(*testing.B, *workload), except ...string) {
	brute := buildBrute(b)
	for _, test := range benchmarks {
		if len(except) > 0 && except[0] == test.name {
			continue
		}
		w := loadWorkload(b, test.source, brute)
		b.Run(test.name, func(b *testing.B) { run(b, w) })
	}
}

// measure calls pass, which handles all puzzles once, again and again. It reports the time for a
// puzzle in the fastest pass, which other processes disturb least, and how many times as long the
// baseline takes. baseline is the baseline's time for all puzzles.
func (w *workload) measure(b *testing.B, baseline time.Duration, pass func()) {
	best := time.Hour
	for b.Loop() {
		best = min(best, bestOf(1, pass))
	}
	b.ReportMetric(float64(best.Nanoseconds())/float64(len(w.puzzles)), "ns/puzzle")
	b.ReportMetric(float64(baseline)/float64(best), "x-baseline")
	b.ReportMetric(0, "ns/op")
}

// bestOf returns the shortest time that f took.
func bestOf(times int, f func()) time.Duration {
	best := time.Hour
	for range times {
		begin := time.Now()
		f()
		best = min(best, time.Since(begin))
	}
	return best
}
