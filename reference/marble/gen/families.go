package main

import "fmt"

// family draws boards of one kind.
type family struct {
	name     string
	about    string
	settings []setting
	board    func(g *gen) (*board, error)
}

func nSetting(value, low, high int) setting { return setting{"n", value, low, high, "side of a board"} }
func mSetting(value, high int) setting      { return setting{"m", value, 1, high, "marbles"} }
func wSetting(value int) setting            { return setting{"w", value, 0, 3120, "walls"} }
func boards(value int) setting {
	return setting{"boards", value, 1, 10_000, "boards of an input"}
}

var families = []family{
	{"tiny", "boards of 2x2 and 3x3, anything on them",
		[]setting{boards(1000)}, tiny},
	{"random", "marbles, holes and walls anywhere",
		[]setting{boards(10), nSetting(8, 2, 40), mSetting(3, 800), wSetting(20)}, random},
	{"twice", "like random, but every wall is given twice, from either side",
		[]setting{boards(10), nSetting(8, 2, 40), mSetting(3, 800), {"w", 30, 0, 3120, "different walls"}}, twice},
	{"maze", "exactly one way between any two squares",
		[]setting{boards(1), nSetting(20, 2, 40), mSetting(2, 800)}, maze},
	{"stairs", "one long corridor that turns at almost every square; the holes fill from its near end",
		[]setting{boards(1), nSetting(40, 2, 40), mSetting(1, 8)}, stairs},
	{"boxed", "like random, but the last hole is walled in",
		[]setting{boards(1), nSetting(40, 3, 40), mSetting(4, 800), wSetting(480)}, boxed},
	{"crowd", "holes and marbles in halves of rows; one lift brings the even rows home, one the odd",
		[]setting{boards(1), nSetting(40, 2, 40)}, crowd},
	{"played", "holes lie where marbles come to rest after some random moves, so the game can be won",
		[]setting{boards(1), nSetting(40, 2, 40), mSetting(6, 800), wSetting(480), {"moves", 8, 1, 50, "moves played"}}, played},
	{"rollover", "small boards with another answer if filled holes do not close, or close late",
		[]setting{boards(100), nSetting(4, 3, 5), {"m", 3, 2, 4, "marbles"}, {"w", 3, 0, 12, "walls"}}, rollover},
	{"deep", "hill climbing over the walls for a long game",
		[]setting{boards(1), nSetting(8, 3, 12), mSetting(2, 3), {"steps", 500, 1, 5000, "boards tried"}}, deep},
}

func tiny(g *gen) (*board, error) {
	b := &board{n: g.between(2, 3)}
	if err := g.scatter(b, g.between(1, b.n*b.n/2)); err != nil {
		return nil, err
	}
	return b, g.build(b, g.below(b.n*b.n))
}

func random(g *gen) (*board, error) {
	b := &board{n: g.settings["n"]}
	if err := g.scatter(b, g.settings["m"]); err != nil {
		return nil, err
	}
	return b, g.build(b, g.settings["w"])
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

// maze joins squares in random order wherever they are not joined already.
func maze(g *gen) (*board, error) {
	b := &board{n: g.settings["n"]}
	if err := g.scatter(b, g.settings["m"]); err != nil {
		return nil, err
	}
	chief := make(map[square]square) // one square stands for all joined
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

// stairs leads the corridor in waves along each pair of rows, to the right
// and back. A wave must end in its lower row, from which the next begins; so
// if n is even it leaves out the upper square of its last column. If n is odd
// the last row is straight.
func stairs(g *gen) (*board, error) {
	n, m := g.settings["n"], g.settings["m"]
	var way []square
	for row := 0; row < n; row += 2 {
		for k := range n {
			col := k
			if row/2%2 == 1 {
				col = n - 1 - k
			}
			upper, lower := square{row, col}, square{row + 1, col}
			switch {
			case row+1 == n:
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
	if 2*m > len(way) {
		return nil, fmt.Errorf("-m=%d is too large for -n=%d", m, n)
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

// boxed walls the last hole in on all sides that are not the edge.
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

// crowd separates the rows by walls, so that only E and W move anything. The
// marble nearest to the holes belongs in the nearest hole, the next rolls
// over it into the second, and so on.
func crowd(g *gen) (*board, error) {
	n := g.settings["n"]
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

// played tries again until no marble falls into another's hole on the way.
func played(g *gen) (*board, error) {
	n, m := g.settings["n"], g.settings["m"]
	for range 10_000 {
		b, err := random(g)
		if err != nil {
			return nil, err
		}
		last := -1
		moves := make([]square, g.settings["moves"])
		for i := range moves {
			d := g.below(4)
			for d == last {
				d = g.below(4)
			}
			moves[i], last = directions[d], d
		}
		var start []int
		free := make(map[square]bool)
		for _, s := range squares(n) {
			free[s] = true
		}
		for _, s := range b.marbles {
			start = append(start, s.row*n+s.col)
			free[s] = false
		}
		floor := newPlay(&board{n: n, walls: b.walls}, rightRules)
		at := start
		for range m {
			floor.hole = append(floor.hole, -1)
		}
		for _, d := range moves {
			at, _ = floor.roll(at, d)
		}
		b.holes = nil
		for _, s := range at {
			if hole := (square{s / n, s % n}); free[hole] {
				b.holes = append(b.holes, hole)
			}
		}
		if len(b.holes) == m && newPlay(b, rightRules).wins(start, moves) {
			return b, nil
		}
	}
	return nil, fmt.Errorf("no such board found (hint: fewer -moves or -m)")
}

func rollover(g *gen) (*board, error) {
	for range 100_000 {
		b, err := random(g)
		if err != nil {
			return nil, err
		}
		moves := newPlay(b, rightRules).solve()
		if moves > 0 && newPlay(b, holesNever).solve() != moves && newPlay(b, holesTooLate).solve() != moves {
			return b, nil
		}
	}
	return nil, fmt.Errorf("no such board found")
}

// deep takes or puts one wall, or moves one marble or hole, and goes back if
// the game has become shorter.
func deep(g *gen) (*board, error) {
	n := g.settings["n"]
	best := &board{n: n}
	if err := g.scatter(best, g.settings["m"]); err != nil {
		return nil, err
	}
	if err := g.build(best, n*n*3/10); err != nil {
		return nil, err
	}
	longest := newPlay(best, rightRules).solve()
	places := edges(n)
	for range g.settings["steps"] {
		b := &board{n: n, marbles: append([]square(nil), best.marbles...), holes: append([]square(nil), best.holes...)}
		if g.below(4) == 0 {
			b.displace(g)
			b.walls = append(b.walls, best.walls...)
		} else {
			place, had := places[g.below(len(places))], false
			for _, w := range best.walls {
				if w == place || w == (wall{place[1], place[0]}) {
					had = true
				} else {
					b.walls = append(b.walls, w)
				}
			}
			if !had {
				b.walls = append(b.walls, place)
			}
		}
		if moves := newPlay(b, rightRules).solve(); moves >= longest {
			best, longest = b, moves
		}
	}
	if longest < 0 {
		return nil, fmt.Errorf("no board found that can be won (hint: more -steps or another -seed)")
	}
	return best, nil
}

// displace moves a marble or a hole to a free square, if it hits upon one.
func (b *board) displace(g *gen) {
	to := square{g.below(b.n), g.below(b.n)}
	for _, s := range append(append([]square(nil), b.marbles...), b.holes...) {
		if s == to {
			return
		}
	}
	i := g.below(2 * len(b.marbles))
	if i < len(b.marbles) {
		b.marbles[i] = to
	} else {
		b.holes[i-len(b.marbles)] = to
	}
}
