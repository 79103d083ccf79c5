package main

import (
	"flag"
	"math"
	"math/rand/v2"
	"testing"
)

// To look for harder puzzles than those in testdata, which this test has found:
//
//	go test ./reference/slink -run Climb -count 1 -climb 5000000 -seed 7 -v
var climb = flag.Int("climb", 3000, "how many changes TestClimb tries on a puzzle")

// mostSteps returns the bound that main.go proves for the steps that any numbers can take.
func mostSteps(rows, cols int) int {
	steps, colourings := 0, 2
	for t := range rows + cols - 1 {
		steps += colourings
		if t+1 < min(rows, cols) {
			colourings += t/2 + 2
		}
	}
	return steps
}

// TestClimb changes puzzles so that the search takes more and more steps, and checks that they do
// not exceed the bound.
func TestClimb(t *testing.T) {
	for _, test := range []struct {
		name       string
		rows, cols int
		start      *puzzle // the puzzle whose numbers are changed; nil: bend a random loop instead
	}{
		{"a loop in the largest grid", 20, 20, nil},
		{"a loop in a grid that is nearly square", 20, 19, nil},
		{"a loop in a thin grid", 3, 20, nil},
		{"any numbers in the largest grid", 20, 20, plenty(20, 20)},
		{"any numbers in a grid that is no square", 20, 13, plenty(20, 13)},
		{"any numbers in a small grid", 4, 4, plenty(4, 4)},
	} {
		t.Run(test.name, func(t *testing.T) {
			random := rand.New(rand.NewPCG(*seed, uint64(test.rows*test.cols)))
			var hardest *puzzle
			steps := 0
			if test.start != nil {
				hardest, steps = climbNumbers(random, test.start)
			} else {
				hardest, steps = climbLoop(random, test.rows, test.cols)
			}
			if hardest == nil {
				t.Fatal("no puzzle with one solution among them")
			}
			most := mostSteps(test.rows, test.cols)
			t.Logf("%d steps of %d\\n%s", steps, most, hardest.appendTo(nil))
			if steps > most {
				t.Errorf("%d steps, more than %d", steps, most)
			}
			if steps < test.rows+test.cols-1 {
				t.Errorf("%d steps cannot reach the last diagonal", steps)
			}
		})
	}
}

// plenty returns a puzzle whose first half of diagonals can be coloured in many ways, because next
// to 2s both words for a diagonal often survive.
func plenty(rows, cols int) *puzzle {
	p := &puzzle{rows: rows, cols: cols}
	for i := range rows {
		for j := range cols {
			p.number[i][j] = 2
			if i == 0 && j%4 == 3 || j == 0 && i%4 == 3 || i+j == 0 {
				p.number[i][j] = 3
			}
		}
	}
	p.index()
	return p
}

// An ascent accepts changes for the better, and at first also changes for the slightly worse.
type ascent struct {
	random *rand.Rand
	now    int // steps of the present puzzle
	reach  int // the last diagonal of the present puzzle that the search coloured
	tries  int
}

func (a *ascent) accepts(s *search) bool {
	a.tries++
	heat := 0.05 * (1 - float64(a.tries)/float64(*climb+2))
	if s.steps < a.now && a.random.Float64() >= math.Exp(math.Log(float64(s.steps)/float64(a.now))/heat) {
		return false
	}
	a.now = s.steps
	for t, word := range s.trial {
		if word != 0 {
			a.reach = t
		}
	}
	return true
}

// climbNumbers changes single numbers of p.
func climbNumbers(random *rand.Rand, p *puzzle) (*puzzle, int) {
	var s search
	s.run(p)
	a := ascent{random: random}
	a.accepts(&s)
	hardest, most := *p, s.steps
	present := *p
	for range *climb {
		next := present
		for range 1 + random.IntN(3) {
			// Numbers beyond the last diagonal that was reached have no effect, and those on early
			// diagonals hardly any.
			i, j := random.IntN(p.rows), random.IntN(p.cols)
			for i+j > a.reach || i+j < a.reach-3 && random.IntN(4) > 0 {
				i, j = random.IntN(p.rows), random.IntN(p.cols)
			}
			n := uint8(max(random.IntN(6), 2) % 4)
			next.number[i][j] = n
			if i < p.cols && j < p.rows && random.IntN(2) == 0 {
				next.number[j][i] = n
			}
		}
		next.index()
		s.run(&next)
		if a.accepts(&s) {
			present = next
		}
		if s.steps > most {
			hardest, most = next, s.steps
		}
	}
	return &hardest, most
}

// climbLoop bends a loop that is the only solution of its puzzle.
func climbLoop(random *rand.Rand, rows, cols int) (*puzzle, int) {
	var s search
	a := ascent{random: random}
	most := 0
	var hardest *puzzle
	present := randomLoop(random, rows, cols)
	for range *climb {
		next := present
		for range 1 + random.IntN(3) {
			next.bend(random.IntN(rows), random.IntN(cols))
		}
		p, ok := next.puzzle(rows, cols)
		if !ok || s.run(p) != 1 {
			continue
		}
		if a.accepts(&s) {
			present = next
		}
		if s.steps > most {
			hardest, most = p, s.steps
		}
	}
	return hardest, most
}

// randomLoop grows a loop at random.
func randomLoop(random *rand.Rand, rows, cols int) grid {
	var g grid
	g.flip(random.IntN(rows), random.IntN(cols))
	for range 40 * rows * cols {
		g.bend(random.IntN(rows), random.IntN(cols))
	}
	return g
}

// bend moves cell (i, j) to the other side if the border stays one loop with a cell inside: if on
// the way round the cell the inside begins once and ends once, and both inside and outside touch a
// side of the cell.
func (g *grid) bend(i, j int) {
	round := [8]bool{
		g[i][j], g[i][j+1], g[i][j+2], g[i+1][j+2],
		g[i+2][j+2], g[i+2][j+1], g[i+2][j], g[i+1][j],
	}
	changes, sides := 0, 0
	for k, inside := range round {
		if inside != round[(k+1)%8] {
			changes++
		}
		if inside && k%2 == 1 {
			sides++
		}
	}
	if changes == 2 && sides > 0 && sides < 4 {
		g.flip(i, j)
	}
}
