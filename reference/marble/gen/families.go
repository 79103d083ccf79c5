package main

import (
	"fmt"
	"strings"

	"tribunal/reference/internal/family"
)

var families = []family.Family{
	{
		Name: "wander", About: "boards on which a breadth-first search sees -positions positions or up to half as many more",
		Options: []family.Option{
			boards(1), side(16, 2, 40), family.Int("m", 1, 3, 2, "marbles"), walls(77),
			family.Int("positions", 8, 100_000, 500, "fewest positions"),
		},
		Ladder: wandering(),
		Make:   many(wander),
	},
	{
		Name: "tiny", About: "boards of 2x2 and 3x3, anything on them",
		Options: []family.Option{boards(1000)},
		Ladder:  climb(counts, "-boards=%d"),
		Make:    many(tiny),
	},
	{
		Name: "random", About: "marbles, holes and walls anywhere",
		Options: []family.Option{boards(10), side(8, 2, 40), marbles(3, 800), walls(20)},
		Ladder:  climb(sides, "-boards=1 -n=%d -m=2 -w=%d"),
		Make:    many(random),
	},
	{
		Name: "twice", About: "like random, but every wall is given twice, from either side",
		Options: []family.Option{boards(10), side(8, 2, 40), marbles(3, 800), walls(30)},
		Ladder:  climb(sides, "-boards=1 -n=%d -m=1 -w=%d"),
		Make:    many(twice),
	},
	{
		Name: "maze", About: "exactly one way between any two squares",
		Options: []family.Option{boards(1), side(20, 2, 40), marbles(2, 800)},
		Ladder:  climb(sides, "-n=%d"),
		Make:    many(maze),
	},
	{
		Name: "stairs", About: "one long corridor that turns at almost every square; the holes fill from its near end",
		Options: []family.Option{boards(1), side(40, 2, 40), marbles(1, 8)},
		Ladder:  climb(sides, "-n=%d"),
		Make:    many(stairs),
	},
	{
		Name: "boxed", About: "like random, but the last hole is walled in",
		Options: []family.Option{boards(1), side(40, 3, 40), marbles(4, 800), walls(480)},
		Ladder:  climb(sides, "-n=%d -m=2 -w=%d"),
		Make:    many(boxed),
	},
	{
		Name: "crowd", About: "each row has its marbles in one half and their holes in the other; one lift brings the even rows home, another the odd",
		Options: []family.Option{boards(1), side(40, 2, 40)},
		Ladder:  climb(sides, "-n=%d"),
		Make:    many(crowd),
	},
	{
		Name: "parked", About: "the first marble rolls among random walls; the others, in the last row, each roll into the hole beside them",
		Options: []family.Option{boards(1), side(40, 3, 40)},
		Ladder:  climb(sides, "-boards=2 -n=%d"),
		Make:    many(parked),
	},
	{
		Name: "last", About: "all marbles but the last drop into the holes beside them at once; the last goes a long way alone",
		Options: []family.Option{boards(1), side(40, 3, 40), family.Int("m", 1, 700, 11, "marbles of the first board; each board has one more than the board before it")},
		Ladder:  climb(sides, "-n=%d -m=2"),
		Make:    growing(last),
	},
	{
		Name: "played", About: "holes lie where marbles come to rest after some random moves, so the game can be won",
		Options: []family.Option{
			boards(1), side(40, 2, 40), marbles(6, 800), walls(480),
			family.Int("moves", 1, 50, 8, "moves played"),
		},
		Ladder: climb(sides, "-n=%d -m=2 -w=%d -moves=6"),
		Make:   many(played),
	},
	{
		Name: "rollover", About: "small boards with another answer if filled holes do not close, or close late",
		Options: []family.Option{
			boards(100), side(4, 3, 5), family.Int("m", 2, 4, 3, "marbles"), family.Int("w", 0, 12, 3, "walls"),
		},
		Ladder: climb(counts[:9], "-boards=%d"),
		Make:   many(rollover),
	},
	{
		Name: "mistaken", About: "small boards with another answer if played by a mistaken rule",
		Options: []family.Option{
			family.Choice("rule", "the mistake; any: a random one for each board", append([]string{"any"}, mistakes...)...),
			boards(5), side(4, 3, 5), family.Int("m", 1, 4, 2, "marbles"), family.Int("w", 0, 12, 3, "walls"),
		},
		Ladder: climb(counts[:9], "-boards=%d"),
		Make:   many(mistaken),
	},
	{
		Name: "deep", About: "hill climbing over the walls for a long game",
		Options: []family.Option{
			boards(1), side(8, 3, 12), family.Int("m", 1, 3, 2, "marbles"), family.Int("steps", 1, 5000, 500, "boards tried"),
		},
		Ladder: climb([]int{3, 4, 6, 8, 12}, "-n=%d -steps=600"),
		Make:   many(deep),
	},
}

func boards(preset int) family.Option {
	return family.Int("boards", 1, 10_000, preset, "boards of an input")
}
func side(preset, low, high int) family.Option {
	return family.Int("n", low, high, preset, "side of a board")
}
func marbles(preset, most int) family.Option {
	return family.Int("m", 1, most, preset, "marbles")
}
func walls(preset int) family.Option {
	return family.Int("w", 0, 3120, preset, "different walls")
}

func tiny(g *gen) (*board, error) {
	b := &board{n: g.between(2, 3)}
	if err := g.scatter(b, g.between(1, b.n*b.n/2)); err != nil {
		return nil, err
	}
	return b, g.build(b, g.below(b.n*b.n))
}

func random(g *gen) (*board, error) {
	b := &board{n: g.Int("n")}
	if err := g.scatter(b, g.Int("m")); err != nil {
		return nil, err
	}
	return b, g.build(b, g.Int("w"))
}

func twice(g *gen) (*board, error) {
	b, err := random(g)
	if err != nil {
		return nil, err
	}
	again := append([]wall(nil), b.walls...)
	g.turn(again)
	b.walls = append(b.walls, again...)
	shuffle(g, b.walls)
	return b, nil
}

// maze opens edges in random order, each unless the squares beside it are connected already.
func maze(g *gen) (*board, error) {
	b := &board{n: g.Int("n")}
	if err := g.scatter(b, g.Int("m")); err != nil {
		return nil, err
	}
	chief := make(map[square]square) // one square represents all that are connected
	find := func(s square) square {
		for up, ok := chief[s]; ok; up, ok = chief[s] {
			s = up
		}
		return s
	}
	gaps := make(map[wall]bool)
	doors := edges(b.n)
	shuffle(g, doors)
	for _, d := range doors {
		if x, y := find(d[0]), find(d[1]); x != y {
			chief[x] = y
			gaps[d] = true
		}
	}
	b.walls = except(b.n, gaps)
	g.turn(b.walls)
	return b, nil
}

// waves leads a corridor through rows of n squares, in waves along each pair of rows, to the right
// and back. A wave must end in its lower row, where the next begins; so if n is even it omits the
// upper square of its last column. If the number of rows is odd the last one is straight.
func waves(rows, n int) (way []square) {
	for row := 0; row < rows; row += 2 {
		for k := range n {
			col := k
			if row/2%2 == 1 {
				col = n - 1 - k
			}
			upper, lower := square{row, col}, square{row + 1, col}
			switch {
			case row+1 == rows:
				way = append(way, upper)
			case k%2 == 0:
				way = append(way, upper, lower)
			case k+1 == n:
				way = append(way, lower)
			default:
				way = append(way, lower, upper)
			}
		}
	}
	return way
}

// stairs has its marbles at one end of the corridor, and its holes at the other.
func stairs(g *gen) (*board, error) {
	n, m := g.Int("n"), g.Int("m")
	way := waves(n, n)
	if 2*m > len(way) {
		return nil, family.Misuse("-m=%d is too large for -n=%d", m, n)
	}
	gaps := make(map[wall]bool)
	for i := 1; i < len(way); i++ {
		gaps[wall{way[i-1], way[i]}] = true
	}
	b := &board{n: n, walls: except(n, gaps)}
	g.turn(b.walls)
	for i := range m {
		b.marbles = append(b.marbles, way[m-1-i])
		b.holes = append(b.holes, way[len(way)-m+i])
	}
	return b, nil
}

// boxed builds walls around the last hole on all sides that are not the edge.
func boxed(g *gen) (*board, error) {
	b, err := random(g)
	if err != nil {
		return nil, err
	}
	hole := b.holes[len(b.holes)-1]
	for _, d := range directions {
		beside := square{hole.row + d.row, hole.col + d.col}
		if min(beside.row, beside.col) >= 0 && max(beside.row, beside.col) < b.n {
			b.walls = append(b.walls, wall{hole, beside})
		}
	}
	g.turn(b.walls)
	return b, nil
}

// crowd separates the rows by walls, so that only E and W move anything. The marble nearest to the
// holes belongs in the nearest hole, the next one rolls over it into the second, and so on.
func crowd(g *gen) (*board, error) {
	n := g.Int("n")
	b := &board{n: n}
	var pairs [][2]square
	for row := range n {
		for k := range n / 2 {
			marble, hole := square{row, n/2 - 1 - k}, square{row, n/2 + k}
			if row%2 == 1 {
				marble.col, hole.col = n-1-marble.col, n-1-hole.col
			}
			pairs = append(pairs, [2]square{marble, hole})
		}
		for col := range n {
			if row+1 < n {
				b.walls = append(b.walls, wall{{row, col}, {row + 1, col}})
			}
		}
	}
	shuffle(g, pairs)
	for _, p := range pairs {
		b.marbles = append(b.marbles, p[0])
		b.holes = append(b.holes, p[1])
	}
	g.turn(b.walls)
	return b, nil
}

// parked puts each of the other marbles between walls with its hole, where only E and W move it. So
// once the others are home, positions differ only by the first marble.
func parked(g *gen) (*board, error) {
	n := g.Int("n")
	above := squares(n - 1)
	for i := range n - 1 {
		above = append(above, square{i, n - 1})
	}
	shuffle(g, above)
	b := &board{n: n, marbles: above[:1:1], holes: above[1:2:2]}
	var open []wall
	for _, e := range edges(n) {
		switch below := e[1].row == n-1; {
		case !below:
			open = append(open, e)
		case e[0].row < n-1 || e[0].col%2 == 1:
			b.walls = append(b.walls, e)
		}
	}
	shuffle(g, open)
	b.walls = append(b.walls, open[:n*n*3/10]...)
	for col := 0; col+1 < n; col += 2 {
		b.marbles = append(b.marbles, square{n - 1, col})
		b.holes = append(b.holes, square{n - 1, col + 1})
	}
	g.turn(b.walls)
	return b, nil
}

// last has pairs of a marble and its hole between walls in the lower rows, where only E and W move
// anything, and a corridor for the last marble above them.
func last(g *gen, m int) (*board, error) {
	n := g.Int("n")
	perRow := n / 2
	rows := n - (m-1+perRow-1)/perRow
	if rows < 1 {
		return nil, family.Misuse("-m=%d is too large for -n=%d", m, n)
	}
	way := waves(rows, n)
	gaps := make(map[wall]bool)
	for i := 1; i < len(way); i++ {
		gaps[wall{way[i-1], way[i]}] = true
	}
	var pairs [][2]square
	for row := rows; row < n; row++ {
		for col := 0; col+1 < n; col += 2 {
			pairs = append(pairs, [2]square{{row, col}, {row, col + 1}})
		}
	}
	shuffle(g, pairs)
	b := &board{n: n}
	for _, p := range pairs[:m-1] {
		b.marbles, b.holes = append(b.marbles, p[0]), append(b.holes, p[1])
		gaps[p] = true
	}
	b.marbles, b.holes = append(b.marbles, way[0]), append(b.holes, way[len(way)-1])
	b.walls = except(n, gaps)
	g.turn(b.walls)
	return b, nil
}

// counts and sides are the sizes of most ladders. The sides double the number of squares each time.
var (
	counts = []int{1, 2, 4, 8, 16, 32, 64, 125, 250, 500, 1000, 2000, 4000, 10_000}
	sides  = []int{3, 4, 6, 8, 11, 16, 23, 32, 40}
)

// climb returns a ladder with a rung for each size. The format of the flags gets the size and, if
// it has a second verb, a number of walls that suits a board of this side, 0.3 N².
func climb(sizes []int, format string) []family.Rung {
	var rungs []family.Rung
	for _, size := range sizes {
		args := []any{size, size * size * 3 / 10}
		rungs = append(rungs, family.Rung{Size: size, Flags: fmt.Sprintf(format, args[:strings.Count(format, "%d")]...)})
	}
	return rungs
}

// wandering returns a ladder whose size is the value of -positions. About half of the random boards
// of a rung have this many positions.
func wandering() []family.Rung {
	positions := []int{8, 15, 30, 60, 150, 500, 1500, 6000, 20_000}
	rungs := climb(sides, "-n=%d -w=%d")
	for i := range rungs {
		rungs[i].Size = positions[i]
		rungs[i].Flags += fmt.Sprintf(" -positions=%d", positions[i])
	}
	return rungs
}
