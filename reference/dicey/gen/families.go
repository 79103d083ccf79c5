package main

import (
	"errors"
	"fmt"

	"tribunal/reference/internal/family"
)

// mazes returns the flag for the number of mazes.
func mazes(preset int) family.Option {
	return family.Int("mazes", 1, maxMazes, preset, "number of mazes")
}

// side returns the flag that bounds or sets the size of mazes.
func side(low, preset int, about string) family.Option {
	return family.Int("side", low, 10, preset, about)
}

// positions returns the flag for the length of a solution. The length is odd, because every roll
// changes the colour of the square, as on a chessboard.
func positions(high int) family.Option {
	return family.Int("positions", 3, high, 9, "positions of the solution, an odd number")
}

// families holds every family, in the order of -list.
var families = []family.Family{
	{Name: "field", About: "wild squares around a start square that can never be entered",
		Options: []family.Option{mazes(10), side(1, 10, "rows and columns")},
		Ladder:  fields(), Make: fill(field)},
	{Name: "random", About: "random squares; about half have a solution",
		Options: []family.Option{mazes(100), side(1, 4, "most rows and columns")},
		Ladder:  growing("-mazes=%d", upTo(maxMazes)...), Make: fill(random)},
	{Name: "thin", About: "a single row or column; about half have a solution",
		Options: []family.Option{mazes(20)},
		Ladder:  growing("-mazes=%d", upTo(maxMazes)...), Make: fill(thin)},
	{Name: "none", About: "random squares without a solution",
		Options: []family.Option{mazes(100), side(1, 10, "most rows and columns")},
		Ladder:  growing("-mazes=1 -side=%d", upTo(10)...), Make: fill(unsolvable)},
	{Name: "length", About: "solutions of exactly -positions positions",
		Options: []family.Option{mazes(1), positions(101), side(3, 10, "rows and columns")},
		Ladder: []family.Rung{
			{Size: 3, Flags: "-positions=3 -side=3"}, {Size: 7, Flags: "-positions=7 -side=3"}, {Size: 15, Flags: "-positions=15 -side=4"},
			{Size: 27, Flags: "-positions=27 -side=6"}, {Size: 35, Flags: "-positions=35 -side=8"},
		}, Make: fill(length)},
	{Name: "longest", About: "the maze with the longest known walk, turned, renumbered and changed here and there; walks of more than 100 positions",
		Ladder: []family.Rung{{Size: 101}}, Make: fill(varied(longest, func(s survey) bool { return len(s.walk) > 100 }))},
	{Name: "latest", About: "a maze whose search comes home last, turned, renumbered and changed likewise; more than 1,050 states come before",
		Ladder: []family.Rung{{Size: 1051}}, Make: fill(varied(latest, func(s survey) bool { return s.before > 1050 }))},
	{Name: "lines", About: "solutions whose last position is near the end of a line of output",
		Options: []family.Option{mazes(20)},
		Ladder:  growing("-mazes=%d", 1, 2, 4, 8), Make: fill(lines)},
	{Name: "revisit", About: "solutions that pass some square several times",
		Options: []family.Option{mazes(1), family.Int("times", 2, 8, 2, "visits of that square"), side(3, 6, "rows and columns")},
		Ladder:  growing("-side=4 -mazes=%d", upTo(200)...), Make: fill(revisit)},
	{Name: "wide", About: "mazes with as many wild squares as possible without adding a solution, and so with long dead ends",
		Options: []family.Option{mazes(10), family.Int("solved", 0, 1, 0, "1 for mazes with a solution, 0 for mazes without"), side(3, 10, "rows and columns")},
		Ladder:  growing("-mazes=1 -side=%d", 3, 4, 5, 6, 7, 8, 9, 10), Make: fill(wide)},
	{Name: "lies", About: "one solvable maze for each of the 24 orientations of the die at the start",
		Options: []family.Option{positions(45)},
		Ladder:  growing("-positions=%d", 3, 7, 11, 15), Make: fill(allStarts)},
	{Name: "names", About: "odd names, first from a list, then random ones",
		Options: []family.Option{mazes(40)},
		Ladder:  growing("-mazes=%d", upTo(maxMazes)...), Make: fill(odd)},
	{Name: "unit", About: "every maze of one square", Ladder: one, Make: fill(unit)},
	{Name: "empty", About: "no maze at all", Ladder: one, Make: fill(func(*generator) error { return nil })},
}

// one is the ladder of a family whose inputs all have the same size.
var one = []family.Rung{{Size: 1}}

// growing returns a ladder with a rung for each size. flags is a format that takes the size.
func growing(flags string, sizes ...int) []family.Rung {
	var rungs []family.Rung
	for _, n := range sizes {
		rungs = append(rungs, family.Rung{Size: n, Flags: fmt.Sprintf(flags, n)})
	}
	return rungs
}

// upTo returns 1, 2, 4 and so on, and finally high.
func upTo(high int) []int {
	var sizes []int
	for n := 1; n < high; n *= 2 {
		sizes = append(sizes, n)
	}
	return append(sizes, high)
}

// fields returns a ladder of inputs with enough mazes to measure their time. The size is the number
// of squares of all mazes.
func fields() []family.Rung {
	const mazes = 500
	rungs := growing(fmt.Sprintf("-mazes=%d -side=%%d", mazes), 1, 2, 3, 4, 5, 6, 7, 8, 9, 10)
	for i, r := range rungs {
		rungs[i].Size = mazes * r.Size * r.Size
	}
	return rungs
}

func random(g *generator) error {
	for range g.Int("mazes") {
		rows, cols := 1+g.rng.IntN(g.Int("side")), 1+g.rng.IntN(g.Int("side"))
		g.add(g.sample(rows, cols, g.rng.IntN(2)))
	}
	return nil
}

func thin(g *generator) error {
	for range g.Int("mazes") {
		rows, cols := 1, 1+g.rng.IntN(10)
		if g.rng.IntN(2) == 0 {
			rows, cols = cols, rows
		}
		g.add(g.sample(rows, cols, g.rng.IntN(2)))
	}
	return nil
}

func unsolvable(g *generator) error {
	for range g.Int("mazes") {
		m := g.sample(1+g.rng.IntN(g.Int("side")), 1+g.rng.IntN(g.Int("side")), 0)
		g.add(m)
	}
	return nil
}

func length(g *generator) error {
	want, err := g.positions()
	if err != nil {
		return err
	}
	for range g.Int("mazes") {
		m, err := g.climb(g.Int("side"), anyLie, func(walk []int) int { return abs(len(walk) - want) })
		if err != nil {
			return err
		}
		g.add(m)
	}
	return nil
}

func lines(g *generator) error {
	for range g.Int("mazes") {
		// One position more or less than the lines hold, or the nearest odd number.
		full := 1 + g.rng.IntN(3)
		want := 9*full - 2 + g.rng.IntN(5)
		want += 1 - want%2
		m, err := g.climb(4+full, anyLie, func(walk []int) int { return abs(len(walk) - want) })
		if err != nil {
			return err
		}
		g.add(m)
	}
	return nil
}

func revisit(g *generator) error {
	for range g.Int("mazes") {
		m, err := g.climb(g.Int("side"), anyLie, func(walk []int) int {
			missing := max(0, g.Int("times")-mostVisits(walk))
			// Longer walks visit squares more often, so of two walks that miss as many visits the
			// longer one counts as nearer. 2,500 is more than any walk has positions, because there
			// are fewer states.
			return missing * (2500 - len(walk))
		})
		if err != nil {
			return err
		}
		g.add(m)
	}
	return nil
}

// mostVisits returns how many times the walk visits its most visited square. The last position does
// not count.
func mostVisits(walk []int) int {
	var visits [100]int
	most := 0
	for _, square := range walk[:len(walk)-1] {
		visits[square]++
		most = max(most, visits[square])
	}
	return most
}

func wide(g *generator) error {
	side := g.Int("side")
	// A maze is wide if a search meets this many of its states. Its solution has at least this many
	// positions, because a search finds a shorter walk before it meets many states.
	states, positions := 4*side*side, 9
	for done := 0; done < g.Int("mazes"); {
		var m *maze
		if g.Int("solved") == 0 {
			m = g.sample(side, side, 0)
		} else {
			var err error
			if m, err = g.climb(side, anyLie, func(walk []int) int { return max(0, positions-len(walk)) }); err != nil {
				return err
			}
		}
		g.widen(m)
		if m.needs[m.start] != empty && g.survey(m).reached >= states {
			g.add(m)
			done++
		}
	}
	return nil
}

func field(g *generator) error {
	side := g.Int("side")
	for range g.Int("mazes") {
		m := &maze{rows: side, cols: side, start: g.rng.IntN(side * side), die: g.rng.IntN(len(lies))}
		for range side * side {
			m.needs = append(m.needs, wild)
		}
		m.needs[m.start] = empty
		g.add(m)
	}
	return nil
}

func allStarts(g *generator) error {
	want, err := g.positions()
	if err != nil {
		return err
	}
	for die := range lies {
		m, err := g.climb(4+g.rng.IntN(4), die, func(walk []int) int { return abs(len(walk) - want) })
		if err != nil {
			return err
		}
		m.name = fmt.Sprintf("TOP%dFRONT%d", lies[die].top, lies[die].front)
		g.add(m)
	}
	return nil
}

// oddNames are legal names that careless programs mistake for something else.
var oddNames = []string{
	"ENDGAME", "END.", "ENDEND", "THEEND", "end", "End", "EN", "E", "0", "-1", "7",
	"%s", "%d%n", "100%", "%%", `\n`, `"quoted"`, "'", "a,b", "(1,2)", "No", "1e9",
	"Solution", "No_Solution_Possible", "#", "//", "<b>", "&amp;", "$HOME", "`", "~",
	"!", "DICEMAZE1", "DICEMAZE1", "12345678901234567890", "ABCDEFGHIJKLMNOPQRST",
}

func odd(g *generator) error {
	for i := range g.Int("mazes") {
		m := g.sample(1+g.rng.IntN(4), 1+g.rng.IntN(4), g.rng.IntN(2))
		if i < len(oddNames) {
			m.name = oddNames[i]
		} else {
			m.name = g.name()
		}
		g.add(m)
	}
	return nil
}

func unit(g *generator) error {
	for die := range lies {
		for need := wild; need <= 6; need++ {
			g.add(&maze{rows: 1, cols: 1, die: die, needs: []int{need}})
		}
	}
	return nil
}

func abs(n int) int { return max(n, -n) }

var errNotFound = errors.New("no such maze found (hint: lower -positions or -times, raise -side, or use another -seed)")
