package main

import (
	"bytes"
	"flag"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"tribunal/internal/tier"
)

// For a longer test than by default:
//
//	go test ./reference/slink -run Brute -count 1 -puzzles 2000000 -seed 7 -v
var (
	puzzles = flag.Int("puzzles", 6000, "how many puzzles TestBrute makes")
	seed    = flag.Uint64("seed", 1, "seed of the random tests")
)

// buildBrute compiles brute and returns its path.
func buildBrute(t testing.TB) string {
	tier.T3(t, "programs of a problem against each other")
	exe := filepath.Join(t.TempDir(), "brute")
	if out, err := exec.Command("go", "build", "-o", exe, "./brute").CombinedOutput(); err != nil {
		t.Fatalf("building brute: %v\n%s", err, out)
	}
	return exe
}

// TestBrute compares the search with brute on random puzzles: whether there is no solution, one, or
// several, and the drawing.
func TestBrute(t *testing.T) {
	brute := buildBrute(t)
	random := rand.New(rand.NewPCG(*seed, 6))
	tally := make(map[string]int)
	for left := *puzzles; left > 0; left -= maxPuzzles {
		batch := make([]*puzzle, min(left, maxPuzzles))
		var input []byte
		for n := range batch {
			batch[n] = randomPuzzle(random)
			input = batch[n].appendTo(input)
		}
		cmd := exec.Command(brute, "-verdicts")
		cmd.Stdin = bytes.NewReader(append(input, "0 0\n"...))
		want, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		for n, p := range batch {
			verdict, drawing := judge(p)
			tally[verdict]++
			got := fmt.Appendf(nil, "%d\n%s", n+1, drawing)
			if !bytes.HasPrefix(want, got) {
				t.Fatalf("\n%sgives\n%swant the beginning of\n%.4000s", p.appendTo(nil), got, want)
			}
			want = want[len(got):]
		}
		if len(want) > 0 {
			t.Fatalf("brute prints more: %q", want)
		}
	}
	t.Log(tally)
	for _, verdict := range []string{"none", "one", "several"} {
		if tally[verdict] < *puzzles/200 {
			t.Errorf("of %d puzzles only %d have the verdict %s; the test is worth little", *puzzles, tally[verdict], verdict)
		}
	}
}

// judge solves p and returns a word for the number of its solutions, and the line or drawing that
// brute -verdicts prints for it.
func judge(p *puzzle) (verdict string, drawing []byte) {
	var s search
	switch s.run(p) {
	case 0:
		return "none", []byte("none\n")
	case 1:
		return "one", p.draw(nil, &s.found)
	default:
		return "several", []byte("several\n")
	}
}

// appendTo appends the lines of p in an input.
func (p *puzzle) appendTo(text []byte) []byte {
	text = fmt.Appendf(text, "%d %d\n", p.rows, p.cols)
	for i := range p.rows {
		text = append(text, strings.Trim(fmt.Sprint(p.number[i][:p.cols]), "[]")...)
		text = append(text, '\n')
	}
	return text
}

// randomPuzzle makes a puzzle that is small, thin, or rarely large. Its numbers are those of a
// random colouring, which need not be a loop, sometimes with one number changed; or mostly 2s,
// which often have several solutions or none.
func randomPuzzle(random *rand.Rand) *puzzle {
	rows, cols := 1+random.IntN(5), 1+random.IntN(5)
	switch random.IntN(20) {
	case 0:
		rows, cols = 1+random.IntN(2), 1+random.IntN(maxSide)
	case 1:
		rows, cols = 1+random.IntN(maxSide), 1+random.IntN(2)
	}
	large := random.IntN(100) == 0
	if large {
		rows, cols = 1+random.IntN(maxSide), 1+random.IntN(maxSide)
	} else if random.IntN(8) == 0 {
		return mostlyTwos(random, rows, cols)
	}
	for {
		var inside grid
		rectangles := 1 + random.IntN(3)
		if large {
			inside = randomLoop(random, rows, cols)
			rectangles = random.IntN(2)
		}
		for range rectangles {
			top, left := random.IntN(rows), random.IntN(cols)
			bottom, right := top+random.IntN(rows-top), left+random.IntN(cols-left)
			for i := top; i <= bottom; i++ {
				for j := left; j <= right; j++ {
					inside.flip(i, j)
				}
			}
		}
		p, ok := inside.puzzle(rows, cols)
		if !ok {
			continue
		}
		if random.IntN(10) == 0 {
			p.number[random.IntN(rows)][random.IntN(cols)] = uint8(random.IntN(maxNumber + 1))
			p.index()
		}
		return p
	}
}

// mostlyTwos makes a square puzzle no larger than rows and cols.
func mostlyTwos(random *rand.Rand, rows, cols int) *puzzle {
	p := &puzzle{rows: min(rows, cols), cols: min(rows, cols)}
	for i := range p.rows {
		for j := range p.cols {
			p.number[i][j] = 2
			if random.IntN(8) == 0 {
				p.number[i][j] = uint8(random.IntN(maxNumber + 1))
			}
		}
	}
	p.index()
	return p
}

// A grid holds true for the cells inside. It has a ring of outside cells, so that cell (i, j) is
// [i+1][j+1].
type grid [maxSide + 2][maxSide + 2]bool

func (g *grid) flip(i, j int) { g[i+1][j+1] = !g[i+1][j+1] }

// puzzle returns the puzzle of the upper left rows and cols of g, or false if a number would be 4.
func (g *grid) puzzle(rows, cols int) (*puzzle, bool) {
	p := &puzzle{rows: rows, cols: cols}
	for i := range rows {
		for j := range cols {
			here := g[i+1][j+1]
			for _, next := range [...]bool{g[i][j+1], g[i+1][j], g[i+1][j+2], g[i+2][j+1]} {
				if next != here {
					p.number[i][j]++
				}
			}
			if p.number[i][j] > maxNumber {
				return nil, false
			}
		}
	}
	p.index()
	return p, true
}
