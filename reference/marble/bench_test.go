package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// hardBoards lists the boards of testdata/boards that a benchmark solves, and whether the baseline
// can solve them, too, because few enough positions can be reached from their start.
var hardBoards = []struct {
	name     string
	baseline bool
}{
	{"51-moves-8x8-5", true},
	{"deep-40x40-2", true},
	{"26-moves-40x40-3", true},
	{"22-moves-40x40-8", false},
	{"45-moves-20x20-5", false},
	{"impossible-20x20-5", true},
	{"impossible-6m-40x40", true},
	{"29-moves-40x40", true},
	{"31-moves-40x40", true},
	{"41-moves-40x40", false},
	{"impossible-61m-40x40", false},
	{"impossible-86m-40x40", false},
	{"74-moves-40x40", false},
	{"50-moves-40x40", false},
	{"45-moves-40x40", false},
	{"impossible-109m-40x40", false},
}

func readBoard(b *testing.B, name string) *board {
	b.Helper()
	f, err := os.Open(filepath.Join("testdata", "boards", name+".in"))
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	boards, err := readBoards(f)
	if err != nil || len(boards) != 1 {
		b.Fatal(len(boards), err)
	}
	return boards[0]
}

// measure solves a board and returns the wall-clock time it takes, and its meter.
func measure(b *testing.B, x *board) (time.Duration, *meter) {
	b.Helper()
	m := &meter{limit: 1 << 40}
	runtime.GC() // so that garbage of earlier boards is not collected meanwhile
	begun := time.Now()
	if _, _, err := solve(x, m); err != nil {
		b.Fatal(err)
	}
	return time.Since(begun), m
}

// BenchmarkBoards solves hard boards. The baseline is a plain search in C++, with one thread, on
// boards for which it has enough memory.
func BenchmarkBoards(b *testing.B) {
	plain := buildPlain(b)
	for _, h := range hardBoards {
		b.Run(h.name, func(b *testing.B) {
			x := readBoard(b, h.name)
			var took time.Duration
			var m *meter
			for b.Loop() {
				took, m = measure(b, x)
			}
			b.ReportMetric(float64(m.positions.Load()), "positions")
			b.ReportMetric(float64(m.bytes.Load())/float64(m.positions.Load()), "B/position")
			b.ReportMetric(float64(took.Nanoseconds())/float64(m.positions.Load()), "ns/position")
			if h.baseline && plain != "" && !testing.Short() {
				b.ReportMetric(float64(together(b, plain, h.name, 1))/float64(took), "x-baseline")
			}
		})
	}
}

// buildPlain compiles the baseline: a plain breadth-first search in C++ from the start. It returns
// "" if that fails.
func buildPlain(b *testing.B) string {
	b.Helper()
	plain := filepath.Join(b.TempDir(), "plain")
	source := filepath.Join("submissions", "accepted", "plain_bfs.cpp")
	if out, err := exec.Command("g++", "-O2", "-o", plain, source).CombinedOutput(); err != nil {
		b.Logf("without the baseline: g++: %v %s", err, out)
		return ""
	}
	return plain
}

// together returns the wall-clock time of n processes that solve a board at once, with one thread
// each.
func together(b *testing.B, program, board string, n int) time.Duration {
	b.Helper()
	input, err := os.ReadFile(filepath.Join("testdata", "boards", board+".in"))
	if err != nil {
		b.Fatal(err)
	}
	var all []*exec.Cmd
	begun := time.Now()
	for range n {
		command := exec.Command(program)
		command.Env = append(os.Environ(), "GOMAXPROCS=1")
		command.Stdin = bytes.NewReader(input)
		if err := command.Start(); err != nil {
			b.Fatal(err)
		}
		all = append(all, command)
	}
	for _, command := range all {
		if err := command.Wait(); err != nil {
			b.Fatal(err)
		}
	}
	return time.Since(begun)
}

// BenchmarkThreads solves boards with more and more threads. With more threads than processors it
// shows what additional threads cost, and how evenly they share the work: fair shares of the
// busiest thread are the positions that it tries, divided by the average. The ceiling is how many
// searches with one thread the machine makes in the time of one: no search with as many threads as
// there are processors can be expected to gain more.
func BenchmarkThreads(b *testing.B) {
	program := buildProgram(b, b.TempDir(), ".")
	for _, name := range []string{"29-moves-40x40", "41-moves-40x40", "impossible-20x20-5"} {
		var alone time.Duration
		for _, threads := range []int{1, 2, 4, 16, 64} {
			b.Run(fmt.Sprintf("%s/%d", name, threads), func(b *testing.B) {
				x := readBoard(b, name)
				defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(threads))
				var took time.Duration
				var m *meter
				for b.Loop() {
					took, m = measure(b, x)
				}
				if threads == 1 {
					alone = took
				} else if threads == runtime.NumCPU() {
					one, all := together(b, program, name, 1), together(b, program, name, threads)
					b.ReportMetric(float64(threads)*float64(one)/float64(all), "ceiling")
				}
				all, most := int64(0), int64(0)
				for _, n := range m.tried {
					all, most = all+n, max(most, n)
				}
				b.ReportMetric(float64(m.positions.Load()), "positions")
				b.ReportMetric(float64(alone)/float64(took), "speed-up")
				b.ReportMetric(float64(most)*float64(threads)/float64(all), "x-fair-share")
				b.ReportMetric(float64(m.fore.Load()+m.back.Load()), "layers")
				b.ReportMetric(float64(m.waits.Load()), "barriers")
			})
		}
	}
}

// BenchmarkTiny solves an input of ten thousand tiny boards, from its bytes to those of the output.
func BenchmarkTiny(b *testing.B) {
	const boards = 10_000
	input := strings.Repeat("2 1 0\n0 0\n0 1\n", boards/2) + strings.Repeat("3 2 1\n0 0\n1 1\n0 2\n2 1\n0 0 0 1\n", boards/2) + "0 0 0\n"
	for b.Loop() {
		var bad bytes.Buffer
		if status := run(nil, strings.NewReader(input), io.Discard, &bad); status != 0 {
			b.Fatal(status, bad.String())
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/boards, "ns/board")
}
