package main

import "reflect"

// A pencil solves a puzzle in the way that the original statement promises: by its seventeen rules,
// each applied wherever possible, on grids of at least two rows and two columns. Its drawing covers
// the edges and a border of crosses around the grid.
type pencil struct {
	*puzzle
	flat, upright [][]mark // upper edges and left edges of cells, shifted by one in both directions
	changed       bool
}

// An edge is the upper or the left edge of a cell, which may be beyond the grid.
type edge struct {
	flat bool
	i, j int
}

// byRules reports whether the original problem admits p: its rules alone find the loop.
func (p *puzzle) byRules() bool {
	if p.rows < 2 || p.cols < 2 {
		return false
	}
	s := &pencil{puzzle: p, flat: crosses(p.rows+2, p.cols+2), upright: crosses(p.rows+2, p.cols+2)}
	for i := range p.rows + 1 {
		for j := range p.cols + 1 {
			if j < p.cols {
				s.flat[i+1][j+1] = open
			}
			if i < p.rows {
				s.upright[i+1][j+1] = open
			}
		}
	}
	for s.changed = true; s.changed; {
		s.changed = false
		for i := range p.rows + 1 {
			for j := range p.cols + 1 {
				s.vertex(i, j)
			}
		}
		for i := range p.rows {
			for j := range p.cols {
				s.cell(i, j)
			}
		}
	}
	return s.solved()
}

func crosses(rows, cols int) [][]mark {
	m := make([][]mark, rows)
	for i := range m {
		m[i] = make([]mark, cols)
		for j := range m[i] {
			m[i][j] = cross
		}
	}
	return m
}

func (s *pencil) at(e edge) *mark {
	if e.flat {
		return &s.flat[e.i+1][e.j+1]
	}
	return &s.upright[e.i+1][e.j+1]
}

// set marks those of the edges that are open.
func (s *pencil) set(m mark, edges ...edge) {
	for _, e := range edges {
		if at := s.at(e); *at == open {
			*at, s.changed = m, true
		}
	}
}

func (s *pencil) count(m mark, edges []edge) int {
	n := 0
	for _, e := range edges {
		if *s.at(e) == m {
			n++
		}
	}
	return n
}

func (s *pencil) vertex(i, j int) {
	edges := []edge{{true, i, j - 1}, {true, i, j}, {false, i - 1, j}, {false, i, j}}
	switch lines, unknown := s.count(line, edges), s.count(open, edges); {
	case lines == 2, lines == 0 && unknown == 1:
		s.set(cross, edges...)
	case lines == 1 && unknown == 1:
		s.set(line, edges...)
	}
}

// has reports whether there is a cell (i, j) with number n.
func (s *pencil) has(i, j, n int) bool {
	return i >= 0 && j >= 0 && i < s.rows && j < s.cols && s.number[i][j] == n
}

func (s *pencil) cell(i, j int) {
	n := s.number[i][j]
	edges := []edge{{true, i, j}, {true, i + 1, j}, {false, i, j}, {false, i, j + 1}}
	lines := s.count(line, edges)
	if lines == n {
		s.set(cross, edges...)
	} else if lines+s.count(open, edges) == n {
		s.set(line, edges...)
	}
	if n == 3 && s.has(i, j+1, 3) { // this rule is wrong for a loop around these two cells, which the original thereby excludes
		s.set(line, edge{false, i, j}, edge{false, i, j + 1}, edge{false, i, j + 2})
	}
	if n == 3 && s.has(i+1, j, 3) {
		s.set(line, edge{true, i, j}, edge{true, i + 1, j}, edge{true, i + 2, j})
	}
	for corner := range 4 {
		s.corner(i, j, corner>>1, corner&1)
	}
}

// inner returns the two edges of cell (i, j) at its corner (a, b), and outer the two other edges at
// that vertex. a is 1 for a lower corner, b is 1 for a right one.
func inner(i, j, a, b int) []edge { return []edge{{true, i + a, j}, {false, i, j + b}} }

func outer(i, j, a, b int) []edge {
	return []edge{{true, i + a, j - 1 + 2*b}, {false, i - 1 + 2*a, j + b}}
}

// corner applies the rules about the corner (a, b) of cell (i, j): both outer edges are crosses
// (blocked), or one is a line and the other a cross, so that the loop enters the cell (enters), or
// the diagonal neighbour beyond the opposite corner is a 1 or 3.
func (s *pencil) corner(i, j, a, b int) {
	out, in := outer(i, j, a, b), inner(i, j, a, b)
	farOut, farIn := outer(i, j, 1-a, 1-b), inner(i, j, 1-a, 1-b)
	y, x := i+1-2*a, j+1-2*b // the cell beyond the opposite corner
	blocked := s.count(cross, out) == 2
	enters := s.count(line, out) == 1 && s.count(cross, out) == 1
	switch s.number[i][j] {
	case 1:
		if blocked {
			s.set(cross, in...)
		}
		if enters {
			s.set(cross, farIn...)
		}
	case 2:
		for _, next := range [][]edge{outer(i, j, 1-a, b), outer(i, j, a, 1-b)} {
			if blocked && s.count(cross, next) == 1 {
				s.set(line, next...)
			}
		}
		if enters && s.count(cross, farOut) == 1 {
			s.set(line, farOut...)
		}
	case 3:
		if blocked || s.has(y, x, 3) {
			s.set(line, in...)
		}
		if enters {
			s.set(line, farIn...)
		}
		if s.has(y, x, 1) {
			end := inner(y, x, 1-a, 1-b)
			if blocked {
				s.set(cross, end...)
			}
			if s.count(cross, end) == 2 {
				s.set(cross, out...)
			}
		}
	}
}

// solved reports whether all edges are known and the lines are right: they enclose one region whose
// border is one loop with the numbers of the puzzle.
func (s *pencil) solved() bool {
	r := newRegion(s.rows, s.cols)
	for i := range s.rows {
		inside := false
		for j := range s.cols {
			inside = inside != (*s.at(edge{false, i, j}) == line)
			r.set(i, j, inside)
		}
	}
	if p, ok := r.numbers(); !ok || !reflect.DeepEqual(p, s.puzzle) {
		return false
	}
	want := map[bool]mark{false: cross, true: line}
	for i := range s.rows + 1 {
		for j := range s.cols + 1 {
			if *s.at(edge{true, i, j}) != want[r.at(i, j) != r.at(i-1, j)] || *s.at(edge{false, i, j}) != want[r.at(i, j) != r.at(i, j-1)] {
				return false
			}
		}
	}
	return r.isLoop()
}
