package main

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"tribunal/reference/internal/family"
)

// A generator collects the mazes of one input.
type generator struct {
	*family.Args
	rng   *rand.Rand
	count int
	text  []byte
	surveyor
}

// fill makes the Make function of a family from one that adds mazes to a generator.
func fill(add func(*generator) error) func(*family.Args) ([]byte, error) {
	return func(a *family.Args) ([]byte, error) {
		g := &generator{Args: a, rng: rand.New(a.Chance("dicey"))}
		err := add(g)
		return append(g.text, "END\n"...), err
	}
}

// positions returns the value of -positions, the length of solutions, which must be odd.
func (g *generator) positions() (int, error) {
	n := g.Int("positions")
	if n%2 == 0 {
		return 0, family.Misuse("-positions=%d is even (hint: a walk back has an odd number of positions)", n)
	}
	return n, nil
}

// add writes a maze, with a name if it has none yet.
func (g *generator) add(m *maze) {
	g.count++
	if m.name == "" {
		m.name = fmt.Sprintf("%s%d", strings.ToUpper(g.Family), g.count)
	}
	g.text = m.appendTo(g.text)
}

// name returns a random name of printable characters that is not the end mark.
func (g *generator) name() string {
	for {
		name := make([]byte, 1+g.rng.IntN(20))
		for i := range name {
			name[i] = byte('!' + g.rng.IntN('~'-'!'+1))
		}
		if string(name) != "END" {
			return string(name)
		}
	}
}

// anyLie asks for a random orientation of the die.
const anyLie = -1

// scatter returns a maze of random squares; the shares of empty and wild ones are random, too. die
// is the lie at the start, or anyLie.
func (g *generator) scatter(rows, cols, die int) *maze {
	if die == anyLie {
		die = g.rng.IntN(len(lies))
	}
	m := &maze{rows: rows, cols: cols, start: g.rng.IntN(rows * cols), die: die}
	empties, wilds := g.rng.IntN(20), g.rng.IntN(40)
	for range rows * cols {
		need := 1 + g.rng.IntN(6)
		if chance := g.rng.IntN(100); chance < empties {
			need = empty
		} else if chance < empties+wilds {
			need = wild
		}
		m.needs = append(m.needs, need)
	}
	return m
}

// sample returns a maze of random squares with that many solutions, 0 or 1. After 1,000 failures to
// find a maze with a solution (a maze of one square has none) it returns one without.
func (g *generator) sample(rows, cols, solutions int) *maze {
	for tries := 0; ; tries++ {
		if tries == 1000 {
			solutions = 0
		}
		if m := g.scatter(rows, cols, anyLie); g.survey(m).solutions == solutions {
			return m
		}
	}
}

// climb looks for a square maze with one solution, for whose squares distance returns 0. It begins
// with a random maze that has one solution and changes a few squares at a time, keeping a change
// only if it does not increase the distance. If this takes too long, it starts again with another
// maze.
func (g *generator) climb(side, die int, distance func(walk []int) int) (*maze, error) {
	const starts = 20
	steps := 2000 * side * side
	for range starts {
		m := g.scatter(side, side, die)
		found := g.survey(m)
		for found.solutions != 1 {
			m = g.scatter(side, side, die)
			found = g.survey(m)
		}
		now := distance(found.walk)
		for step := 0; now > 0 && step < steps; step++ {
			undo := g.disturb(m)
			found := g.survey(m)
			if found.solutions != 1 || distance(found.walk) > now {
				undo()
				continue
			}
			now = distance(found.walk)
		}
		if now == 0 {
			return m, nil
		}
	}
	return nil, errNotFound
}

// disturb changes up to three squares and returns a function that restores them.
func (g *generator) disturb(m *maze) (undo func()) {
	type change struct{ square, before int }
	var changes []change
	for range 1 + g.rng.IntN(3) {
		square := g.rng.IntN(len(m.needs))
		changes = append(changes, change{square, m.needs[square]})
		m.needs[square] = wild + g.rng.IntN(8)
	}
	return func() {
		for i := len(changes) - 1; i >= 0; i-- {
			m.needs[changes[i].square] = changes[i].before
		}
	}
}

// widen makes squares wild, in random order, wherever the number of solutions
// stays the same.
func (g *generator) widen(m *maze) {
	solutions := g.survey(m).solutions
	order := make([]int, len(m.needs))
	for i := range order {
		j := g.rng.IntN(i + 1)
		order[i] = order[j]
		order[j] = i
	}
	for _, square := range order {
		before := m.needs[square]
		m.needs[square] = wild
		if g.survey(m).solutions != solutions {
			m.needs[square] = before
		}
	}
}
