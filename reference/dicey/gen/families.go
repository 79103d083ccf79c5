package main

import (
	"errors"
	"fmt"
)

// mazes is the option of most families.
func mazes(preset int) option {
	return option{name: "mazes", low: 1, high: 1000, preset: preset, about: "number of mazes"}
}

// side is the option that bounds or sets the size of mazes.
func side(low, preset int, about string) option {
	return option{name: "side", low: low, high: 10, preset: preset, about: about}
}

// positions is the option for the length of a solution. It is odd, since every
// roll changes the colour of the square, as on a chessboard.
func positions(high int) option {
	return option{name: "positions", low: 3, high: high, odd: true, preset: 9, about: "positions of the solution"}
}

// families holds every family, in the order of -list.
var families = []family{
	{"random", "random squares; about half have a solution",
		[]option{mazes(100), side(1, 4, "most rows and columns")}, random},
	{"thin", "a single row or column; about half have a solution",
		[]option{mazes(20)}, thin},
	{"none", "random squares without a solution",
		[]option{mazes(100), side(1, 10, "most rows and columns")}, unsolvable},
	{"length", "solutions of exactly so many positions",
		[]option{mazes(1), positions(101), side(3, 10, "rows and columns")}, length},
	{"revisit", "solutions that pass some square several times",
		[]option{mazes(1), {name: "times", low: 2, high: 8, preset: 2, about: "visits of that square"}, side(3, 6, "rows and columns")}, revisit},
	{"wide", "as many wild squares as uniqueness allows, long dead ends",
		[]option{mazes(10), {name: "solved", low: 0, high: 1, about: "whether there is a solution"}}, wide},
	{"lies", "one solvable maze for each of the 24 ways a die may lie at the beginning",
		[]option{positions(45)}, allStarts},
	{"names", "odd names, first from a list, then random ones",
		[]option{mazes(40)}, odd},
	{"unit", "every maze of one square", nil, unit},
	{"empty", "no maze at all", nil, func(*generator) error { return nil }},
}

func random(g *generator) error {
	for range g.option["mazes"] {
		rows, cols := 1+g.rng.IntN(g.option["side"]), 1+g.rng.IntN(g.option["side"])
		g.add(g.sample(rows, cols, g.rng.IntN(2)))
	}
	return nil
}

func thin(g *generator) error {
	for range g.option["mazes"] {
		rows, cols := 1, 1+g.rng.IntN(10)
		if g.rng.IntN(2) == 0 {
			rows, cols = cols, rows
		}
		g.add(g.sample(rows, cols, g.rng.IntN(2)))
	}
	return nil
}

func unsolvable(g *generator) error {
	for range g.option["mazes"] {
		m := g.sample(1+g.rng.IntN(g.option["side"]), 1+g.rng.IntN(g.option["side"]), 0)
		g.add(m)
	}
	return nil
}

func length(g *generator) error {
	want := g.option["positions"]
	for range g.option["mazes"] {
		m, err := g.climb(g.option["side"], anyLie, func(walk []int) int { return abs(len(walk) - want) })
		if err != nil {
			return err
		}
		g.add(m)
	}
	return nil
}

func revisit(g *generator) error {
	for range g.option["mazes"] {
		m, err := g.climb(g.option["side"], anyLie, func(walk []int) int {
			missing := max(0, g.option["times"]-mostVisits(walk))
			// Visits come with length, so a longer walk is nearer. None has 2,500
			// positions, as there are fewer states.
			return missing * (2500 - len(walk))
		})
		if err != nil {
			return err
		}
		g.add(m)
	}
	return nil
}

// mostVisits returns how often the square is visited that is visited most; the
// last position of a walk is not counted.
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
	// A maze is wide if a search meets so many of its states; a walk shorter than
	// this would be found before the search gets lost in them.
	const states, positions = 400, 9
	for done := 0; done < g.option["mazes"]; {
		var m *maze
		if g.option["solved"] == 0 {
			m = g.sample(10, 10, 0)
		} else {
			var err error
			if m, err = g.climb(10, anyLie, func(walk []int) int { return max(0, positions-len(walk)) }); err != nil {
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

func allStarts(g *generator) error {
	want := g.option["positions"]
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

// oddNames are legal names that careless programs take for something else.
var oddNames = []string{
	"ENDGAME", "END.", "ENDEND", "THEEND", "end", "End", "EN", "E", "0", "-1", "7",
	"%s", "%d%n", "100%", "%%", `\n`, `"quoted"`, "'", "a,b", "(1,2)", "No", "1e9",
	"Solution", "No_Solution_Possible", "#", "//", "<b>", "&amp;", "$HOME", "`", "~",
	"!", "DICEMAZE1", "DICEMAZE1", "12345678901234567890", "ABCDEFGHIJKLMNOPQRST",
}

func odd(g *generator) error {
	for i := range g.option["mazes"] {
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

var errNotFound = errors.New("no such maze found (hint: ask for less, for more room, or use another seed)")
