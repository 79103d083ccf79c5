// Command gen writes valid inputs for the Slink puzzles.
//
//	gen FAMILY [-flag=value …] [-seed=N]
//	gen -list
//	gen -ladder
//
// Package family implements the command line, which docs/generators.md describes. The flags of a
// family set the number and the size of the puzzles and what their loops look like: gen -list
// explains each.
//
// A puzzle is made from its solution. A family draws a region whose border is one loop (region.go),
// reads off the numbers (puzzle.go), and keeps the puzzle if the census (colour.go) finds no second
// loop with these numbers. The families are in families.go; climb.go, edges.go, rules.go and
// twins.go belong to families that look for special puzzles.
package main

import "tribunal/reference/internal/family"

// The bounds of the statement.
const (
	maxSide    = 20
	maxPuzzles = 1000
	maxCells   = 40_000
)

func main() { family.Main(families()) }

// options holds the values of the flags. A flag that a kind does not have is 0.
type options struct {
	n, rows, cols, max, fill, steps int
	original                        int
	goal                            string
}

// A setting is a flag and a function that stores its value.
type setting struct {
	option family.Option
	set    func(*options, *family.Args)
}

func number(name string, low, high, preset int, about string, place func(*options) *int) setting {
	return setting{family.Int(name, low, high, preset, about), func(o *options, a *family.Args) { *place(o) = a.Int(name) }}
}

var settings = map[string]setting{
	"n":     number("n", 1, maxPuzzles, 1, "puzzles", func(o *options) *int { return &o.n }),
	"rows":  number("rows", 0, maxSide, 0, "rows, 0 for a random number (family all needs a number)", func(o *options) *int { return &o.rows }),
	"cols":  number("cols", 0, maxSide, 0, "columns, likewise", func(o *options) *int { return &o.cols }),
	"max":   number("max", 2, maxSide, maxSide, "largest random side", func(o *options) *int { return &o.max }),
	"fill":  number("fill", 0, 100, 0, "percentage of inside cells to aim at, 0 for a random one", func(o *options) *int { return &o.fill }),
	"steps": number("steps", 0, 1_000_000, 10_000, "changes to try on a puzzle", func(o *options) *int { return &o.steps }),
	"original": number("original", 0, 1, 0, "1 for puzzles that the original problem admits: two rows and columns or more, and solved by its rules",
		func(o *options) *int { return &o.original }),
	"goal": {goalOption(), func(o *options, a *family.Args) { o.goal = a.Text("goal") }},
}

func families() (list []family.Family) {
	for _, k := range kinds {
		f := family.Family{Name: k.name, About: k.about, Ladder: k.ladder}
		for _, name := range k.flags {
			f.Options = append(f.Options, settings[name].option)
		}
		f.Make = func(a *family.Args) ([]byte, error) {
			puzzles, err := k.puzzles(a)
			if err != nil {
				return nil, err
			}
			return input(puzzles)
		}
		list = append(list, f)
	}
	return list
}

// puzzles makes the puzzles that the arguments describe.
func (k *kind) puzzles(a *family.Args) ([]*puzzle, error) {
	o := new(options)
	for _, name := range k.flags {
		settings[name].set(o, a)
	}
	return k.make(o, chance{a.Chance("slink")})
}

// input joins puzzles to an input, unless they are too many for one.
func input(puzzles []*puzzle) ([]byte, error) {
	cells := 0
	var text []byte
	for _, p := range puzzles {
		cells += p.rows * p.cols
		text = p.appendTo(text)
	}
	if len(puzzles) > maxPuzzles || cells > maxCells {
		return nil, family.Misuse("%d puzzles with %d cells are too many (hint: at most %d and %d)", len(puzzles), cells, maxPuzzles, maxCells)
	}
	return append(text, "0 0\n"...), nil
}
