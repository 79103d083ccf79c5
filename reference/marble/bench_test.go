package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
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

// BenchmarkBoards solves hard boards. The baseline is a breadth-first search from the start by
// packed keys in one thread, on boards for which it has enough memory.
func BenchmarkBoards(b *testing.B) {
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
			if h.baseline && !testing.Short() {
				begun := time.Now()
				breadthFirst(x)
				b.ReportMetric(float64(time.Since(begun))/float64(took), "x-baseline")
			}
		})
	}
}

// breadthFirst is the baseline. It returns how many positions it has met.
func breadthFirst(x *board) int {
	f, ok := newField(x)
	if !ok || !f.prune() {
		return 0
	}
	r := newRoller[[1]uint64](f)
	home := pack[[1]uint64](f, f.holes)
	queue := [][1]uint64{pack[[1]uint64](f, f.start)}
	places := make([]uint32, 1<<16)
	find := func(k [1]uint64) *uint32 {
		p := hash(&k) & uint64(len(places)-1)
		for places[p] != 0 && queue[places[p]-1] != k {
			p = (p + 1) & uint64(len(places)-1)
		}
		return &places[p]
	}
	*find(queue[0]) = 1
	for head := 0; head < len(queue); head++ {
		for v := range len(lifts) {
			next, ok := r.tilt(queue[head], v)
			if !ok {
				continue
			}
			if next == home {
				return len(queue)
			}
			if p := find(next); *p == 0 {
				queue = append(queue, next)
				*p = uint32(len(queue))
			}
			if 2*len(queue) > len(places) {
				places = make([]uint32, 2*len(places))
				for i, k := range queue {
					*find(k) = uint32(i + 1)
				}
			}
		}
	}
	return len(queue)
}

// BenchmarkThreads solves boards with more and more threads. With more threads than processors it
// shows what additional threads cost, and how evenly they share the work: fair shares of the
// busiest thread are the positions that it tries, divided by the average.
func BenchmarkThreads(b *testing.B) {
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
