// Command brute is a slow, independent solver of Slink puzzles.
//
//	brute [-verdicts] < input
//
// It decides edge after edge, tries each first as part of the loop and then not, and goes back when
// the count at a cell or vertex can no longer be met. Edges that these counts force are decided at
// once. When all edges are decided, it follows the line from one of them to see whether that is the
// whole drawing.
//
// It ignores layout, trusts its input, and exits with 3 if a puzzle has no solution or more than
// one. With -verdicts it prints "none" or "several" for such a puzzle instead of the drawing, and
// continues.
package main

import (
	"bufio"
	"fmt"
	"os"
)

func main() {
	verdicts := len(os.Args) == 2 && os.Args[1] == "-verdicts"
	if len(os.Args) > 1 && !verdicts {
		fail("usage: brute [-verdicts] < input")
	}
	in := bufio.NewReader(os.Stdin)
	out := bufio.NewWriter(os.Stdout)
	for number := 1; ; number++ {
		var rows, cols int
		if _, err := fmt.Fscan(in, &rows, &cols); err != nil {
			fail("reading a size: %v", err)
		}
		if rows == 0 && cols == 0 {
			break
		}
		s := newSolver(rows, cols)
		for cell := range rows * cols {
			if _, err := fmt.Fscan(in, &s.groups[cell].want); err != nil {
				fail("puzzle %d: %v", number, err)
			}
		}
		s.search()
		if len(s.solutions) != 1 && !verdicts {
			fail("puzzle %d: no solution, or several", number)
		}
		fmt.Fprintln(out, number)
		switch len(s.solutions) {
		case 0:
			fmt.Fprintln(out, "none")
		case 1:
			for _, line := range s.picture(s.solutions[0]) {
				fmt.Fprintf(out, "%s\n", line)
			}
		default:
			fmt.Fprintln(out, "several")
		}
	}
	out.Flush()
}

func fail(format string, args ...any) {
	fmt.Fprintf(os.Stderr, "brute: "+format+"\n", args...)
	os.Exit(3)
}

// A state is the decision about an edge.
type state int8

const (
	undecided state = iota
	used
	unused
)

// onVertex marks a group that needs 0 or 2 of its edges, not a fixed number.
const onVertex = -1

// A group is the edges around a cell or at a vertex.
type group struct {
	want  int
	edges []int
}

// A solver holds a puzzle as edges and groups: first the cells row by row, then the vertices row by
// row.
type solver struct {
	rows, cols int
	groups     []group
	groupsOf   [][]int // by edge
	states     []state // by edge
	solutions  [][]state
}

// across and down return the numbers of the edges that leave vertex (i, j) to the right and
// downwards.
func (s *solver) across(i, j int) int { return i*s.cols + j }
func (s *solver) down(i, j int) int   { return (s.rows+1)*s.cols + i*(s.cols+1) + j }

func newSolver(rows, cols int) *solver {
	s := &solver{rows: rows, cols: cols}
	for i := range rows {
		for j := range cols {
			s.groups = append(s.groups, group{edges: []int{s.across(i, j), s.down(i, j), s.down(i, j+1), s.across(i+1, j)}})
		}
	}
	for i := range rows + 1 {
		for j := range cols + 1 {
			vertex := group{want: onVertex}
			if i > 0 {
				vertex.edges = append(vertex.edges, s.down(i-1, j))
			}
			if j > 0 {
				vertex.edges = append(vertex.edges, s.across(i, j-1))
			}
			if j < cols {
				vertex.edges = append(vertex.edges, s.across(i, j))
			}
			if i < rows {
				vertex.edges = append(vertex.edges, s.down(i, j))
			}
			s.groups = append(s.groups, vertex)
		}
	}
	edges := (rows+1)*cols + rows*(cols+1)
	s.states = make([]state, edges)
	s.groupsOf = make([][]int, edges)
	for g, group := range s.groups {
		for _, e := range group.edges {
			s.groupsOf[e] = append(s.groupsOf[e], g)
		}
	}
	return s
}

// search finds up to two solutions.
func (s *solver) search() {
	if !s.force() {
		return
	}
	next := -1
	for e, state := range s.states {
		if state == undecided {
			next = e
			break
		}
	}
	if next < 0 {
		if s.oneLoop() {
			s.solutions = append(s.solutions, append([]state(nil), s.states...))
		}
		return
	}
	before := append([]state(nil), s.states...)
	for _, choice := range []state{used, unused} {
		s.states[next] = choice
		s.search()
		copy(s.states, before)
		if len(s.solutions) > 1 {
			return
		}
	}
}

// force decides all edges that the counts force, and returns false if a count has become
// impossible.
func (s *solver) force() bool {
	for again := true; again; {
		again = false
		for _, g := range s.groups {
			have, open := 0, 0
			for _, e := range g.edges {
				switch s.states[e] {
				case used:
					have++
				case undecided:
					open++
				}
			}
			// Which totals of used edges are still possible?
			possible := 0
			total := 0
			for n := have; n <= have+open; n++ {
				if n == g.want || g.want == onVertex && (n == 0 || n == 2) {
					possible++
					total = n
				}
			}
			if possible == 0 {
				return false
			}
			if possible > 1 || open == 0 || total != have && total != have+open {
				continue
			}
			for _, e := range g.edges {
				if s.states[e] == undecided {
					s.states[e] = unused
					if total > have {
						s.states[e] = used
					}
				}
			}
			again = true
		}
	}
	return true
}

// oneLoop follows the line from any used edge until it returns, and reports whether it passed all
// used edges. Every vertex has 0 or 2 of them here.
func (s *solver) oneLoop() bool {
	all, start := 0, -1
	for e, state := range s.states {
		if state == used {
			all++
			start = e
		}
	}
	if start < 0 {
		return false
	}
	vertices := s.groupsOf[start]
	at := vertices[len(vertices)-1] // vertices come after cells
	length := 1
	for edge := start; ; length++ {
		next := edge
		for _, e := range s.groups[at].edges {
			if e != edge && s.states[e] == used {
				next = e
			}
		}
		if next == start {
			return length == all
		}
		for _, g := range s.groupsOf[next] {
			if g >= s.rows*s.cols && g != at {
				at = g
				break
			}
		}
		edge = next
	}
}

// picture draws a solution.
func (s *solver) picture(solution []state) [][]byte {
	canvas := make([][]byte, 2*s.rows+5)
	for y := range canvas {
		canvas[y] = make([]byte, 4*s.cols+5)
		for x := range canvas[y] {
			canvas[y][x] = ' '
			if y == 0 || y == len(canvas)-1 || x == 0 || x == len(canvas[y])-1 {
				canvas[y][x] = '#'
			}
		}
	}
	for i := range s.rows {
		for j := range s.cols {
			canvas[3+2*i][4+4*j] = byte('0' + s.groups[i*s.cols+j].want)
		}
	}
	for i := range s.rows + 1 {
		for j := range s.cols + 1 {
			right := j < s.cols && solution[s.across(i, j)] == used
			left := j > 0 && solution[s.across(i, j-1)] == used
			down := i < s.rows && solution[s.down(i, j)] == used
			up := i > 0 && solution[s.down(i-1, j)] == used
			if right {
				copy(canvas[2+2*i][3+4*j:], "---")
			}
			if down {
				canvas[3+2*i][2+4*j] = '|'
			}
			switch {
			case left && right:
				canvas[2+2*i][2+4*j] = '-'
			case up && down:
				canvas[2+2*i][2+4*j] = '|'
			case left || right:
				canvas[2+2*i][2+4*j] = '+'
			}
		}
	}
	return canvas
}
