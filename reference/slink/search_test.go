package main

import (
	"bytes"
	"math/bits"
	"math/rand/v2"
	"os"
	"testing"
)

func TestParities(t *testing.T) {
	random := rand.New(rand.NewPCG(*seed, 2))
	for range 1000 {
		word := random.Uint32()
		for i := range 32 {
			if got, want := parities(word)>>i&1, bits.OnesCount32(word<<(31-i))%2; got != uint32(want) {
				t.Fatalf("bit %d of the parities of %032b is %d", i, word, got)
			}
		}
	}
}

// TestIsLoop looks at the border of random colourings by itself.
func TestIsLoop(t *testing.T) {
	random := rand.New(rand.NewPCG(*seed, 3))
	tally := make(map[bool]int)
	for range 20_000 {
		rows, cols := 1+random.IntN(6), 1+random.IntN(6)
		inside := randomLoop(random, rows, cols)
		for range random.IntN(3) {
			inside.flip(random.IntN(rows), random.IntN(cols))
		}
		p, ok := inside.puzzle(rows, cols)
		if !ok {
			continue
		}
		s := search{puzzle: p}
		for i := range rows {
			for j := range cols {
				if inside[i+1][j+1] {
					s.trial[i+j] |= 1 << i
				}
			}
		}
		want := inside.isLoop(rows, cols)
		tally[want]++
		if s.isLoop() != want {
			t.Fatalf("%v for the border of %v", !want, inside)
		}
	}
	if tally[true] < 1000 || tally[false] < 1000 {
		t.Errorf("too few of a kind: %v", tally)
	}
}

// TestHopeless searches numbers that were made hard, and have no solution: the
// steps are many, but no more than the header proves.
func TestHopeless(t *testing.T) {
	const name = "testdata/hopeless.in"
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for n, p := range readPuzzles(t, name, text) {
		var s search
		loops := s.run(p)
		t.Logf("puzzle %d: %d loops, %d steps", n+1, loops, s.steps)
		if most := mostSteps(p.rows, p.cols); loops != 0 || s.steps > most || s.steps < 300 {
			t.Errorf("puzzle %d: %d loops, %d steps of %d", n+1, loops, s.steps, most)
		}
	}
}

// TestAllocations makes sure that puzzle after puzzle is done in the same memory.
func TestAllocations(t *testing.T) {
	text, err := os.ReadFile("testdata/climbed.in")
	if err != nil {
		t.Fatal(err)
	}
	var (
		p puzzle
		s search
	)
	in := newReader(bytes.NewReader(text))
	if more, err := in.next(&p); !more || err != nil {
		t.Fatal(more, err)
	}
	s.run(&p)
	picture := p.draw(nil, &s.found)
	if n := testing.AllocsPerRun(1, func() { // and once before
		in.next(&p)
		s.run(&p)
		picture = p.draw(picture[:0], &s.found)
	}); n > 0 {
		t.Errorf("%v allocations for a puzzle", n)
	}
	if in.puzzles != 3 {
		t.Errorf("%d puzzles were read, not 3", in.puzzles)
	}
}

// readPuzzles takes an input apart. Its puzzles need not have just one solution.
func readPuzzles(t testing.TB, name string, text []byte) (list []*puzzle) {
	in := newReader(bytes.NewReader(text))
	for {
		p := new(puzzle)
		more, err := in.next(p)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if !more {
			return list
		}
		list = append(list, p)
	}
}
