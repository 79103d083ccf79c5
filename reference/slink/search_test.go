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

// TestWords tries all words for a diagonal and counts neighbours cell by cell: the words that agree
// with all numbers must be those that the method words returns.
func TestWords(t *testing.T) {
	random := rand.New(rand.NewPCG(*seed, 4))
	named := 0
	for range 20_000 {
		rows, cols := 1+random.IntN(6), 1+random.IntN(6)
		var inside grid
		for i := range rows {
			for j := range cols {
				inside[i+1][j+1] = random.IntN(2) == 0
			}
		}
		p, ok := inside.puzzle(rows, cols)
		if !ok {
			continue
		}
		if random.IntN(2) == 0 {
			p.number[random.IntN(rows)][random.IntN(cols)] = uint8(random.IntN(maxNumber + 1))
			p.index()
		}
		c := inside.colours(rows, cols)
		d := random.IntN(rows + cols - 1)
		before := uint32(0)
		if d > 0 {
			before = c[d-1]
		}
		next, other, fits, otherFits := p.words(d, before, c[d])
		for word := range uint32(1) << rows {
			c[d+1] = word
			if c.agree(p, d) {
				named++
				if !(word == next && fits || word == other && otherFits) {
					t.Fatalf("\n%s%b is missing after %b and %b", p.appendTo(nil), word, before, c[d])
				}
			} else if word == next && fits || word == other && otherFits {
				t.Fatalf("\n%s%b is wrong after %b and %b", p.appendTo(nil), word, before, c[d])
			}
		}
		if limit := uint32(1) << rows; fits && next >= limit || otherFits && other >= limit {
			t.Fatalf("\n%s%b or %b leaves the grid", p.appendTo(nil), next, other)
		}
	}
	if named < 1000 {
		t.Errorf("only %d words agree", named)
	}
}

// agree reports whether the colours agree with the numbers of p on diagonal d, and the cells of
// diagonal d+1 around the grid are outside.
func (c *colours) agree(p *puzzle, d int) bool {
	for i := range p.rows {
		if j := d + 1 - i; c.at(i, j) != 0 && j >= p.cols || j < 0 && c[d+1]>>i&1 != 0 {
			return false
		}
		j := d - i
		if j < 0 || j >= p.cols {
			continue
		}
		n := uint32(0)
		for _, next := range [...]uint32{c.at(i-1, j), c.at(i, j-1), c.at(i, j+1), c.at(i+1, j)} {
			n += next ^ c.at(i, j)
		}
		if n != uint32(p.number[i][j]) {
			return false
		}
	}
	return true
}

// colours returns the cells of g as diagonals.
func (g *grid) colours(rows, cols int) (c colours) {
	for i := range rows {
		for j := range cols {
			if g[i+1][j+1] {
				c[i+j] |= 1 << i
			}
		}
	}
	return c
}

// TestIsLoop compares isLoop of random colourings with an independent test of the grid.
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
		s := search{puzzle: p, trial: inside.colours(rows, cols)}
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

// TestHopeless searches hard numbers without a solution: they take many steps, but no more than the
// bound that main.go proves.
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

// TestAllocations makes sure that all puzzles are solved in the same memory.
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
	if n := testing.AllocsPerRun(1, func() { // AllocsPerRun calls the function once more before it counts
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

// readPuzzles parses an input, whose puzzles may have any number of solutions.
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
