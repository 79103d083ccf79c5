package main

// These mazes took minutes of search to find. longest has the longest known walk, of 281 positions;
// in latest a breadth-first search comes home only after it has met nearly all states.
var (
	longest = maze{rows: 10, cols: 10, start: 83, die: lying(1, 5), needs: []int{
		0, 2, -1, 5, 1, 3, 6, -1, 4, 1,
		4, -1, -1, -1, 4, 5, 4, -1, 2, 4,
		0, 6, 5, 4, 0, 5, -1, 3, 6, -1,
		3, 3, -1, -1, 3, 1, 1, 6, -1, -1,
		-1, -1, 3, 6, -1, 4, 6, 5, 1, -1,
		-1, 3, 0, 4, -1, -1, -1, -1, 4, -1,
		-1, 4, 6, -1, 2, 2, 4, -1, 2, -1,
		-1, -1, 5, 1, -1, 4, 1, -1, 5, -1,
		-1, 4, 2, 2, 1, -1, 2, 2, 3, -1,
		-1, 5, 6, 2, -1, -1, 1, 0, 0, 3,
	}}
	latest = maze{rows: 10, cols: 10, start: 79, die: lying(6, 2), needs: []int{
		-1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
		-1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
		-1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
		-1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
		-1, -1, -1, -1, -1, -1, 1, 5, 6, -1,
		-1, -1, -1, -1, -1, 5, 3, -1, 1, 2,
		-1, -1, -1, -1, 6, -1, 4, -1, -1, 6,
		-1, -1, -1, -1, -1, 5, -1, -1, 2, 6,
		-1, -1, -1, -1, -1, 4, 2, 6, 5, -1,
		-1, -1, -1, -1, -1, -1, 2, -1, -1, -1,
	}}
)

// lying returns the lie with these numbers on top and in front.
func lying(top, front int) int {
	for die, l := range lies {
		if l.top == top && l.front == front {
			return die
		}
	}
	panic("no die has these faces on top and in front")
}

// varied adds a variant of a known square maze: it turns the maze, renumbers it for a die with
// other numbers on its faces, and changes squares. It keeps a change only if there is still one
// solution and hard holds.
func varied(known maze, hard func(survey) bool) func(*generator) error {
	return func(g *generator) error {
		m := &known
		for range 1 + g.rng.IntN(4) {
			m = m.turned()
		}
		m = m.renumbered(lies[g.rng.IntN(len(lies))])
		for range 200 {
			undo := g.disturb(m)
			if found := g.survey(m); found.solutions != 1 || !hard(found) {
				undo()
			}
		}
		g.add(m)
		return nil
	}
}

// turned returns a square maze after a quarter turn to the right.
func (m *maze) turned() *maze {
	l, side := lies[m.die], m.rows
	t := &maze{rows: side, cols: side, die: lying(l.top, l.right), needs: make([]int, len(m.needs))}
	to := func(square int) int { return square%side*side + side - 1 - square/side }
	t.start = to(m.start)
	for square, need := range m.needs {
		t.needs[to(square)] = need
	}
	return t
}

// renumbered returns the maze for a die with other numbers on its faces: those of l's top, front
// and right in place of 1, 2 and 3.
func (m *maze) renumbered(l lie) *maze {
	instead := [...]int{0, l.top, l.front, l.right, 7 - l.right, 7 - l.front, 7 - l.top}
	was := lies[m.die]
	r := &maze{rows: m.rows, cols: m.cols, start: m.start, die: lying(instead[was.top], instead[was.front])}
	for _, need := range m.needs {
		if need > 0 {
			need = instead[need]
		}
		r.needs = append(r.needs, need)
	}
	return r
}
