package main

// A mark is what is known about an edge: nothing, that it is on the loop, or that it is not.
type mark int8

const (
	open mark = iota
	line
	cross
)

// A sketch marks all edges of a puzzle as a solver does with a pencil. Edges are numbered; a group
// is a cell or a vertex with its edges.
type sketch struct {
	marks  []mark
	groups []group
	member [][]int // by edge, its groups
}

type group struct {
	edges  []int
	number int // of a cell; -1 for a vertex, which has 0 or 2 lines
}

func newSketch(p *puzzle) *sketch {
	across := (p.rows + 1) * p.cols
	s := &sketch{marks: make([]mark, across+p.rows*(p.cols+1))}
	upper := func(i, j int) int { return i*p.cols + j }
	left := func(i, j int) int { return across + i*(p.cols+1) + j }
	for i := range p.rows {
		for j := range p.cols {
			s.groups = append(s.groups, group{[]int{upper(i, j), upper(i+1, j), left(i, j), left(i, j+1)}, p.number[i][j]})
		}
	}
	for i := range p.rows + 1 {
		for j := range p.cols + 1 {
			g := group{number: -1}
			if j > 0 {
				g.edges = append(g.edges, upper(i, j-1))
			}
			if j < p.cols {
				g.edges = append(g.edges, upper(i, j))
			}
			if i > 0 {
				g.edges = append(g.edges, left(i-1, j))
			}
			if i < p.rows {
				g.edges = append(g.edges, left(i, j))
			}
			s.groups = append(s.groups, g)
		}
	}
	s.member = make([][]int, len(s.marks))
	for k, g := range s.groups {
		for _, e := range g.edges {
			s.member[e] = append(s.member[e], k)
		}
	}
	return s
}

// infer applies two rules to every group until nothing changes: a group that can take no more lines
// gets crosses on its open edges, and one that needs a line on every open edge gets lines.
func (s *sketch) infer() {
	var todo []int
	for k := range s.groups {
		todo = append(todo, k)
	}
	for len(todo) > 0 {
		g := s.groups[todo[len(todo)-1]]
		todo = todo[:len(todo)-1]
		lines, unknown := 0, 0
		for _, e := range g.edges {
			switch s.marks[e] {
			case line:
				lines++
			case open:
				unknown++
			}
		}
		least, most := -1, -1
		for n := lines; n <= lines+unknown; n++ {
			if n == g.number || g.number < 0 && (n == 0 || n == 2) {
				if least < 0 {
					least = n
				}
				most = n
			}
		}
		verdict := open
		switch {
		case unknown == 0:
		case most == lines:
			verdict = cross
		case least == lines+unknown:
			verdict = line
		}
		if verdict == open {
			continue
		}
		for _, e := range g.edges {
			if s.marks[e] == open {
				s.marks[e] = verdict
				todo = append(todo, s.member[e]...)
			}
		}
	}
}

// openEdges returns how many edges of p do not follow from counting lines at cells and vertices,
// one at a time.
func openEdges(p *puzzle) int {
	s := newSketch(p)
	s.infer()
	n := 0
	for _, m := range s.marks {
		if m == open {
			n++
		}
	}
	return n
}
