// Command gen writes inputs for the Marble Game.
//
//	gen FAMILY [-flag=value …] [-seed=N]
//	gen -list
//	gen -ladder
//
// Package family implements the command line, which docs/generators.md describes. The flags of a
// family set the number and the size of the boards and their marbles and walls: gen -list explains
// each.
//
// board.go draws boards, families.go holds the families that construct them, and searched.go those
// that search for boards by playing them (play.go).
package main

import (
	"bytes"
	"math/bits"
	"math/rand/v2"

	"tribunal/reference/internal/family"
)

func main() { family.Main(families) }

// gen holds the flags, and the source of the random numbers from which boards are drawn.
type gen struct {
	*family.Args
	chance *rand.ChaCha8
}

// many makes the Make function of a family from one that draws a board. Inputs have -boards boards.
func many(draw func(*gen) (*board, error)) func(*family.Args) ([]byte, error) {
	return func(a *family.Args) ([]byte, error) {
		g := &gen{a, a.Chance("marble")}
		var text bytes.Buffer
		for range a.Int("boards") {
			b, err := draw(g)
			if err != nil {
				return nil, err
			}
			b.write(&text)
		}
		text.WriteString("0 0 0\n")
		return text.Bytes(), nil
	}
}

// growing is like many, but each board has one marble more than the board before it, beginning with -m.
func growing(draw func(g *gen, m int) (*board, error)) func(*family.Args) ([]byte, error) {
	return func(a *family.Args) ([]byte, error) {
		m := a.Int("m") - 1
		return many(func(g *gen) (*board, error) {
			m++
			return draw(g, m)
		})(a)
	}
}

// below draws a number from 0 to n-1.
func (g *gen) below(n int) int {
	high, _ := bits.Mul64(g.chance.Uint64(), uint64(n))
	return int(high)
}

// between draws a number from low to high.
func (g *gen) between(low, high int) int { return low + g.below(high-low+1) }

// shuffle puts a list in a random order.
func shuffle[T any](g *gen, list []T) {
	for i := len(list) - 1; i > 0; i-- {
		j := g.below(i + 1)
		list[i], list[j] = list[j], list[i]
	}
}
