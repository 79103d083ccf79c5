package main

// A region is a set of cells of a grid, the inside of a loop.
type region struct {
	rows, cols int
	cells      [][]bool
}

func newRegion(rows, cols int) region {
	cells := make([][]bool, rows)
	for i := range cells {
		cells[i] = make([]bool, cols)
	}
	return region{rows, cols, cells}
}

// at reports whether the region has cell (i, j). Cells beyond the grid are not in it.
func (r region) at(i, j int) bool {
	return i >= 0 && i < r.rows && j >= 0 && j < r.cols && r.cells[i][j]
}

func (r region) set(i, j int, inside bool) {
	r.cells[i][j] = inside
}

// numbers returns the puzzle of the region's border, or false if a cell would need the number 4.
func (r region) numbers() (*puzzle, bool) {
	p := &puzzle{rows: r.rows, cols: r.cols, number: make([][]int, r.rows)}
	for i := range r.rows {
		p.number[i] = make([]int, r.cols)
		for j := range r.cols {
			p.number[i][j] = r.differing(i, j)
			if p.number[i][j] > 3 {
				return nil, false
			}
		}
	}
	return p, true
}

// differing counts the neighbours of a cell, in the grid or around it, that are on the other side
// of the border.
func (r region) differing(i, j int) int {
	n := 0
	for _, next := range [...][2]int{{i - 1, j}, {i, j - 1}, {i, j + 1}, {i + 1, j}} {
		if r.at(next[0], next[1]) != r.at(i, j) {
			n++
		}
	}
	return n
}

// isLoop reports whether the border of the region is one closed loop. It is if and only if its
// cells are connected by their sides, and so are all others together with those around the grid.
func (r region) isLoop() bool {
	seen := make(map[[2]int]bool)
	var visit func(i, j int, inside bool)
	visit = func(i, j int, inside bool) {
		if i < -1 || i > r.rows || j < -1 || j > r.cols || r.at(i, j) != inside || seen[[2]int{i, j}] {
			return
		}
		seen[[2]int{i, j}] = true
		visit(i-1, j, inside)
		visit(i, j-1, inside)
		visit(i, j+1, inside)
		visit(i+1, j, inside)
	}
	visit(-1, -1, false)
	hasInside := false
	for i := range r.rows {
		for j := range r.cols {
			if r.at(i, j) && !hasInside {
				hasInside = true
				visit(i, j, true)
			}
		}
	}
	return hasInside && len(seen) == (r.rows+2)*(r.cols+2)
}

// canFlip reports whether cell (i, j) may change sides so that a border that is one loop stays one,
// with a cell left inside. On the way around the cell the region must begin once and end once, and
// both it and the rest must touch the cell along a side, not only at a corner.
func (r region) canFlip(i, j int) bool {
	ring := [8]bool{
		r.at(i-1, j-1), r.at(i-1, j), r.at(i-1, j+1), r.at(i, j+1),
		r.at(i+1, j+1), r.at(i+1, j), r.at(i+1, j-1), r.at(i, j-1),
	}
	changes, sides := 0, 0
	for k, inside := range ring {
		if inside != ring[(k+1)%8] {
			changes++
		}
		if inside && k%2 == 1 {
			sides++
		}
	}
	return changes == 2 && sides > 0 && sides < 4
}

func (r region) flip(i, j int) {
	r.cells[i][j] = !r.cells[i][j]
}

// size returns the number of cells inside.
func (r region) size() int {
	n := 0
	for i := range r.rows {
		for j := range r.cols {
			if r.cells[i][j] {
				n++
			}
		}
	}
	return n
}

// image returns one of the eight images of the region under rotation and reflection, for k from 0
// to 7. 0 is the region itself.
func (r region) image(k int) region {
	rows, cols := r.rows, r.cols
	if k&1 != 0 {
		rows, cols = cols, rows
	}
	turned := newRegion(rows, cols)
	for i := range r.rows {
		for j := range r.cols {
			y, x := i, j
			if k&1 != 0 {
				y, x = x, y
			}
			if k&2 != 0 {
				y = rows - 1 - y
			}
			if k&4 != 0 {
				x = cols - 1 - x
			}
			turned.cells[y][x] = r.cells[i][j]
		}
	}
	return turned
}
