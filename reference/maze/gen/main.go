// Command gen writes valid inputs for the mazes.
//
//	gen FAMILY [-flag=value …] [-seed=N]
//	gen -list
//	gen -ladder
//
// Package family implements the command line, which docs/generators.md describes. A family chooses
// how the mazes are carved and where their lists are flipped; its flags set how many mazes there
// are, how large they are and how many flips they have: gen -list explains each.
//
// game.go carves a maze, plan.go makes an input of several, and ladder.go holds the ladders.
package main

import "tribunal/reference/internal/family"

const (
	maxSide     = 39
	maxMazes    = 1000
	maxCommands = 50_000
)

func main() { family.Main(families()) }

// A shape holds the values of the flags. Every kind has its own defaults.
type shape struct {
	mazes         int
	rows, columns int // 0 for a random number from 1 to most
	most          int
	flips         int // number of flips in each maze that is larger than one cell
	burst         int // number of flips that follow each other without a move between them
}

// A kind of mazes chooses the position of every flip. Some kinds first carve one path through
// nearly the whole grid and do all their flips at its end, where the list is longest; the others
// move at random, with flips in between.
type kind struct {
	name, about string
	carve       func(*game)
	position    func(g *game, d dice) int
	presets     shape
	ladder      []family.Rung
}

var kinds = []kind{
	{"live", "flips all over the longest list of a grid, none of which uncovers a dead cell", (*game).wind, liveCell,
		shape{mazes: 1, rows: maxSide, columns: maxSide, most: maxSide, flips: 48_000, burst: 1}, squares()},
	{"random", "flips at random positions", nil, anywhere,
		shape{mazes: 10, most: maxSide, flips: 20, burst: 1}, grids()},
	{"tiny", "many small mazes, flips at random positions", nil, anywhere,
		shape{mazes: maxMazes, most: 3, flips: 2, burst: 1}, counts()},
	{"row", "single rows, flips at random positions", nil, anywhere,
		shape{mazes: 10, rows: 1, most: maxSide, flips: 40, burst: 1}, lengths("columns")},
	{"column", "single columns, flips at random positions", nil, anywhere,
		shape{mazes: 10, columns: 1, most: maxSide, flips: 40, burst: 1}, lengths("rows")},
	{"bursts", "several flips in a row", nil, anywhere,
		shape{mazes: 10, most: maxSide, flips: 40, burst: 5}, grids()},
	{"length", "flips from the last position, which change nothing", nil, lastCell,
		shape{mazes: 10, most: maxSide, flips: 40, burst: 1}, grids()},
	{"dead", "flips that uncover a cell without unvisited neighbours", nil, deadCell,
		shape{mazes: 10, most: maxSide, flips: 40, burst: 1}, grids()},
	{"first", "F 1 again and again, on a list as long as the grid allows", (*game).wind, firstCell,
		shape{mazes: 1, rows: maxSide, columns: maxSide, most: maxSide, flips: 48_000, burst: 1}, grids()},
	{"path", "one path through the whole grid, with flips from the cells beside its last one", (*game).fill, liveCell,
		shape{mazes: 1, rows: maxSide, columns: maxSide, most: maxSide, flips: 21, burst: 1}, paths()},
}

func families() (list []family.Family) {
	for _, k := range kinds {
		p := k.presets
		list = append(list, family.Family{
			Name: k.name, About: k.about, Ladder: k.ladder,
			Options: []family.Option{
				family.Int("mazes", 0, maxMazes, p.mazes, "mazes"),
				family.Int("rows", 0, maxSide, p.rows, "rows of a maze, 0 for a random number up to -most"),
				family.Int("columns", 0, maxSide, p.columns, "columns, likewise"),
				family.Int("most", 1, maxSide, p.most, "largest random side"),
				family.Int("flips", 0, maxCommands, p.flips, "flips in each maze that is larger than one cell"),
				family.Int("burst", 1, maxCommands, p.burst, "flips that follow each other without a move"),
			},
			Make: func(a *family.Args) ([]byte, error) {
				plan := newPlan(k, a)
				if err := plan.choose(); err != nil {
					return nil, err
				}
				return plan.write(), nil
			},
		})
	}
	return list
}
