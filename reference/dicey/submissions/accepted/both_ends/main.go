// Verdict: accepted. Searches from both ends in turn: forwards from the die as it lies at
// the start, backwards from the start square with the die in each of the 24 orientations.
// When the two meet, both halves of the walk are known.
package main

import (
	"bufio"
	"fmt"
	"os"
)

const (
	stride = 12 // of the maze with its frame
	lays   = 24
)

var (
	tops, fronts [lays]int
	roll, unroll [4][lays]int
	steps        = [4]int{-stride, stride, -1, 1}
)

func init() {
	type die [3]int
	number := map[die]int{{1, 2, 3}: 0}
	list := []die{{1, 2, 3}}
	for i := 0; i < len(list); i++ {
		t, f, r := list[i][0], list[i][1], list[i][2]
		tops[i], fronts[i] = t, f
		for way, after := range []die{{f, 7 - t, r}, {7 - f, t, r}, {r, f, 7 - t}, {7 - r, f, t}} {
			if _, ok := number[after]; !ok {
				number[after] = len(list)
				list = append(list, after)
			}
			roll[way][i] = number[after]
			unroll[way][number[after]] = i
		}
	}
}

// A side is one of the two searches: the state that each state was reached from.
type side struct {
	link  map[int]int
	level []int
}

func newSide(states ...int) *side {
	s := &side{map[int]int{}, states}
	for _, state := range states {
		s.link[state] = -1
	}
	return s
}

func (s *side) reach(state, from int, next *[]int) {
	if _, ok := s.link[state]; !ok {
		s.link[state] = from
		*next = append(*next, state)
	}
}

// grow adds a level and returns a state that the other side has too, or -1.
func (s *side) grow(neighbours func(state int, visit func(int)), other *side) int {
	var next []int
	for _, state := range s.level {
		neighbours(state, func(n int) { s.reach(n, state, &next) })
	}
	s.level = next
	for _, state := range next {
		if _, ok := other.link[state]; ok {
			return state
		}
	}
	return -1
}

func solve(maze *[stride * stride]int, home, lay int) (walk []int) {
	// A state is a square and an orientation. At the end of a walk, home is square 0.
	open := func(square, top int) bool { return maze[square] == -1 || maze[square] == top }
	forward := func(state int, visit func(int)) {
		square, die := state/lays, state%lays
		if square == 0 {
			return
		}
		for way, step := range steps {
			if to := square + step; open(to, tops[die]) {
				if to == home {
					to = 0
				}
				visit(to*lays + roll[way][die])
			}
		}
	}
	backward := func(state int, visit func(int)) {
		square, die := state/lays, state%lays
		at := square
		if at == 0 {
			at = home
		} else if at == home {
			return // the walk begins here: no roll leads to this state
		}
		for way, step := range steps {
			from, before := at-step, unroll[way][die]
			if (from == home || maze[from] != 0) && open(at, tops[before]) {
				visit(from*lays + before)
			}
		}
	}
	start := newSide(home*lays + lay)
	var ends []int
	for die := 0; die < lays; die++ {
		ends = append(ends, die)
	}
	end := newSide(ends...)
	meeting := -1
	for meeting < 0 && len(start.level) > 0 && len(end.level) > 0 {
		if len(start.level) <= len(end.level) {
			meeting = start.grow(forward, end)
		} else {
			meeting = end.grow(backward, start)
		}
	}
	if meeting < 0 {
		return nil
	}
	for state := meeting; state >= 0; state = start.link[state] {
		walk = append([]int{state / lays}, walk...)
	}
	for state := end.link[meeting]; state >= 0; state = end.link[state] {
		walk = append(walk, state/lays)
	}
	walk[len(walk)-1] = home
	return walk
}

func main() {
	in := bufio.NewReader(os.Stdin)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	for {
		var name string
		if _, err := fmt.Fscan(in, &name); err != nil || name == "END" {
			return
		}
		var rows, columns, row, column, top, front int
		fmt.Fscan(in, &rows, &columns, &row, &column, &top, &front)
		var maze [stride * stride]int
		for r := 1; r <= rows; r++ {
			for c := 1; c <= columns; c++ {
				fmt.Fscan(in, &maze[r*stride+c])
			}
		}
		lay := 0
		for tops[lay] != top || fronts[lay] != front {
			lay++
		}
		fmt.Fprintln(out, name)
		walk := solve(&maze, row*stride+column, lay)
		if walk == nil {
			fmt.Fprintln(out, "  No Solution Possible")
			continue
		}
		for i, at := range walk {
			switch {
			case i == 0:
				fmt.Fprint(out, "  ")
			case i%9 == 0:
				fmt.Fprint(out, ",\n  ")
			default:
				fmt.Fprint(out, ",")
			}
			fmt.Fprintf(out, "(%d,%d)", at/stride, at%stride)
		}
		fmt.Fprintln(out)
	}
}
