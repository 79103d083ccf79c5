// Command gen writes inputs for the flipping game.
//
//	gen FAMILY [-flag=value …] [-seed=N]
//	gen -list
//	gen -ladder
//
// Package family implements the command line, which docs/generators.md describes. The flags of a
// family fix the pattern, or choose the kind of games that it draws: gen -list explains each.
//
// All games have the same size, so the ladder of a family has one rung. Only that of exact has
// more: it grows with the moves of the answer, the depth that a search must reach.
//
// This file has the families and draws their games; game.go computes the answers.
package main

import (
	"errors"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"strconv"

	"tribunal/reference/internal/family"
)

func main() { family.Main(families) }

var (
	patternOption = family.Text("pattern", "NNNNNNNNN|any", "any", "nine digits 0 or 1, row by row; any: a random pattern", checkPattern)
	goalOption    = family.Choice("goal", "the colour that takes the fewest moves", string(anyGoal), string(white), string(black))
)

func checkPattern(text string) error {
	_, err := strconv.ParseUint(text, 2, 9)
	if text != "any" && (err != nil || len(text) != 9) {
		return errors.New("want nine digits 0 or 1, or any")
	}
	return nil
}

var families = []family.Family{
	{Name: "random", About: "any pattern, any board",
		Options: []family.Option{patternOption}, Ladder: one, Make: text(drawRandom)},
	{Name: "exact", About: "a board that takes exactly -moves moves",
		Options: []family.Option{family.Int("moves", 0, mostMoves, 1, "the answer"), patternOption, goalOption},
		Ladder:  moves(0, 1, 2, 4, 7, 10, 12, mostMoves), Make: text(drawExact)},
	{Name: "far", About: "a board that takes the most moves of all boards of its pattern",
		Options: []family.Option{patternOption, goalOption}, Ladder: one, Make: text(drawFar)},
	{Name: "deepest", About: "a game of 14 moves, the most there are",
		Options: []family.Option{goalOption}, Ladder: one, Make: text(drawDeepest)},
	{Name: "impossible", About: "a board that its pattern cannot win",
		Options: []family.Option{patternOption}, Ladder: one, Make: text(drawImpossible)},
	{Name: "ones", About: "the pattern of ones, any board", Ladder: one, Make: text(drawOnes)},
	{Name: "centre", About: "the pattern that flips the chosen chip alone, any board", Ladder: one, Make: text(drawCentre)},
	{Name: "zero", About: "the pattern of zeros; a board of one colour if -goal names one, else of two",
		Options: []family.Option{goalOption}, Ladder: one, Make: text(drawZero)},
}

// one is the ladder of a family whose inputs all have the same size.
var one = []family.Rung{{Size: 1}}

// moves returns a ladder with a rung for each number of moves. Its size is the number of boards
// that a shortest game passes through, the first and the last included.
func moves(counts ...int) []family.Rung {
	var rungs []family.Rung
	for _, n := range counts {
		rungs = append(rungs, family.Rung{Size: n + 1, Flags: fmt.Sprintf("-moves=%d", n)})
	}
	return rungs
}

// text makes the Make function of a family from one that draws a game.
func text(draw func(*source) (game, error)) func(*family.Args) ([]byte, error) {
	return func(a *family.Args) ([]byte, error) {
		g, err := draw(&source{a, a.Chance("game")})
		return []byte(g.String()), err
	}
}

// A source holds the arguments of a family and the stream of its random choices.
type source struct {
	*family.Args
	stream *rand.ChaCha8
}

func drawRandom(s *source) (game, error) {
	return game{board(s.below(boards)), s.drawn(s.pattern())}, nil
}

func drawExact(s *source) (game, error) {
	return s.exactly(s.Int("moves"), s.pattern())
}

func drawFar(s *source) (game, error) {
	return s.search(s.pattern(), "takes the most moves and leads to "+string(s.goal()), func(t *table) func(board) bool {
		most := 0
		for b := range boards {
			most = max(most, t.answer(board(b)))
		}
		return func(b board) bool { return t.answer(b) == most && t.leadsTo(b, s.goal()) }
	})
}

func drawDeepest(s *source) (game, error) {
	return s.exactly(mostMoves, anyPattern)
}

func drawImpossible(s *source) (game, error) {
	return s.search(s.pattern(), "is impossible", func(t *table) func(board) bool {
		return func(b board) bool { return t.answer(b) == never }
	})
}

func drawOnes(s *source) (game, error) {
	return game{board(s.below(boards)), 0b111_111_111}, nil
}

func drawCentre(s *source) (game, error) {
	return game{board(s.below(boards)), 0b000_010_000}, nil
}

func drawZero(s *source) (game, error) {
	switch s.goal() {
	case white:
		return game{allWhite, 0}, nil
	case black:
		return game{allBlack, 0}, nil
	default:
		return game{1 + board(s.below(boards-2)), 0}, nil
	}
}

// exactly draws a game that takes this number of moves to the goal.
func (s *source) exactly(moves int, fixed pattern) (game, error) {
	return s.search(fixed, fmt.Sprintf("takes exactly %d moves to %s", moves, s.goal()), func(t *table) func(board) bool {
		return func(b board) bool { return t.answer(b) == moves && t.leadsTo(b, s.goal()) }
	})
}

// search draws a board with the fixed pattern, or with a random one if fixed is anyPattern.
// wantedWith gets the table of a pattern and returns the test that the board must pass. Random
// patterns are drawn until some board passes; kind completes the error "no board …" for a fixed
// pattern.
func (s *source) search(fixed pattern, kind string, wantedWith func(*table) func(board) bool) (game, error) {
	for {
		p := s.drawn(fixed)
		wanted := wantedWith(newTable(p))
		var found []board
		for b := range boards {
			if wanted(board(b)) {
				found = append(found, board(b))
			}
		}
		switch {
		case len(found) > 0:
			return game{found[s.below(uint64(len(found)))], p}, nil
		case fixed != anyPattern:
			return game{}, fmt.Errorf("no board %s with pattern %s (hint: leave out -pattern to draw a fitting one)", kind, fixed.digits())
		}
	}
}

// below returns a number from 0 to n-1. n is far too small for the bias of the multiplication to
// matter.
func (s *source) below(n uint64) uint64 {
	high, _ := bits.Mul64(s.stream.Uint64(), n)
	return high
}

// pattern returns the pattern of the flag, or anyPattern.
func (s *source) pattern() pattern {
	n, err := strconv.ParseUint(s.Text("pattern"), 2, 9)
	if err != nil {
		return anyPattern
	}
	return pattern(n)
}

// drawn returns the fixed pattern, or a random one.
func (s *source) drawn(fixed pattern) pattern {
	if fixed != anyPattern {
		return fixed
	}
	return pattern(s.below(patterns))
}

func (s *source) goal() goal { return goal(s.Text("goal")) }
