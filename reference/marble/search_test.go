package main

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestOnePositionHasManyBefore un-tilts a position with very many positions before it. The search
// must hold no more of them than allowed, count all of the memory, and leave the layer incomplete.
func TestOnePositionHasManyBefore(t *testing.T) {
	type key = [1]uint64
	defer func(size int) { heldBytes = size }(heldBytes)
	// Each marble has a column to itself, with its hole in the middle.
	const n = 6
	b := &board{n: n, wallEast: make([]uint64, n), wallSouth: make([]uint64, n)}
	for i := range n {
		b.wallEast[i] = 1<<(n-1) - 1
		b.marbles = append(b.marbles, int16(i))
		b.holes = append(b.holes, int16(n/2*n+i))
	}
	f, _ := newField(b)
	for _, test := range []struct {
		why        string
		size       int // value of heldBytes
		limit      int64
		done, full bool
	}{
		{"there is room for all", 1 << 20, 1 << 30, true, false},
		{"more than may be held", 1 << 10, 1 << 30, false, false},
		{"more than there is memory", 1 << 20, 1 << 12, false, true},
	} {
		heldBytes = test.size
		m := &meter{limit: test.limit}
		s := &search[key]{f: f, home: pack[key](f, f.holes), meter: m, workers: []*worker[key]{newWorker[key](f, m)}}
		s.back = newLayers(f, s.home)
		done := s.growBack(1 << 40)
		room := 0
		for _, p := range s.workers[0].found {
			room += 8 * cap(p)
		}
		if done != test.done || m.full() != test.full {
			t.Errorf("%s: complete %v, full %v", test.why, done, m.full())
		}
		if counted := m.room.Load(); int64(room) > counted || !test.done && room > 4*test.size {
			t.Errorf("%s: %d bytes of room, %d counted", test.why, room, counted)
		}
	}
}

// TestAnyLimit solves boards with ever less memory. The answer must be right, or an error: a search
// that stops in the middle of a layer must not take it for a complete one.
func TestAnyLimit(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	defer func(a, b, c int) { splitAt, aloneSize, shapesAt = a, b, c }(splitAt, aloneSize, shapesAt)
	splitAt, aloneSize, shapesAt = 64, 16, 1000
	for _, name := range []string{"deep-8x8-4", "one-end-home-274"} {
		file := filepath.Join("testdata", "boards", name)
		input, err := os.Open(file + ".in")
		if err != nil {
			t.Fatal(err)
		}
		defer input.Close()
		boards, err := readBoards(input)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := os.ReadFile(file + ".ans")
		if err != nil {
			t.Fatal(err)
		}
		refused, solved := 0, 0
		for limit := int64(1 << 10); limit < 64<<20; limit += limit / 8 {
			moves, ok, err := solve(boards[0], &meter{limit: limit})
			switch {
			case errors.Is(err, errMemory):
				refused++
			case err != nil || ok != strings.Contains(string(answer), "moves") || !strings.Contains(string(answer), moves):
				t.Errorf("%s with %d bytes: %q %v %v, want %s", name, limit, moves, ok, err, answer)
			default:
				solved++
			}
		}
		if refused < 10 || solved < 10 {
			t.Errorf("%s: %d limits too small, %d large enough: too few of a kind", name, refused, solved)
		}
	}
}

// TestTurns checks whose turn it is. The answer does not depend on it, but the time does: without
// home's layers, or with more of them than pay, hard boards take many times as long.
func TestTurns(t *testing.T) {
	const newest = 1000 // positions of the newest layer from the start
	var turns turns
	expect := func(why string, depth, newest int, fore bool, allowance int64) {
		t.Helper()
		gotFore, got := turns.next(depth, newest)
		if gotFore != fore || !fore && got != allowance {
			t.Errorf("%s: start's turn %v, allowance %d, want %v, %d", why, gotFore, got, fore, allowance)
		}
	}
	expect("the first layer is from the start", 0, 1, true, 0)
	expect("nothing is known about home yet", 1, newest, false, 2*tiltCost*newest)
	expect("a small layer gives the least allowance", 1, 1, false, int64(leastCost))
	turns.grown(100*tiltCost, 10, 20) // so the next layer from home promises to cost 200 tilts
	expect("home is dearer", 1, 199, true, 0)
	expect("both cost the same", 1, 200, true, 0)
	expect("the start is dearer", 1, 201, false, max(int64(leastCost), 2*tiltCost*201))
	turns.exceeded(2 * tiltCost * newest)
	expect("the allowance was too small", 1, newest, true, 0)
	expect("it would be at most doubled", 2, 4*newest, true, 0)
	expect("it would be more than doubled", 3, 4*newest+1, false, 2*tiltCost*(4*newest+1))
}
