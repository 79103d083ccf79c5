package main

import "testing"

// TestSmall goes through all colourings of all grids up to 4 by 4 and counts the loops with the
// same numbers. The search must find as many, and draw the loop if it is the only one.
func TestSmall(t *testing.T) {
	for rows := 1; rows <= 4; rows++ {
		for cols := 1; cols <= 4; cols++ {
			loops := make(map[uint32]int)
			for set := range uint32(1) << (rows * cols) {
				inside := unpack(set, rows, cols)
				if p, ok := inside.puzzle(rows, cols); ok {
					key := p.pack()
					loops[key] += 0 // creates the entry: numbers without a loop are tried, too
					if inside.isLoop(rows, cols) {
						loops[key]++
					}
				}
			}
			for key, want := range loops {
				checkSmall(t, rows, cols, key, want)
			}
		}
	}
}

// TestAllNumbers tries all numbers in grids up to 3 by 3. Few of them belong to any colouring.
func TestAllNumbers(t *testing.T) {
	for rows := 1; rows <= 3; rows++ {
		for cols := 1; cols <= 3; cols++ {
			loops := make(map[uint32]int)
			for set := range uint32(1) << (rows * cols) {
				inside := unpack(set, rows, cols)
				if p, ok := inside.puzzle(rows, cols); ok && inside.isLoop(rows, cols) {
					loops[p.pack()]++
				}
			}
			for key := range uint32(1) << (2 * rows * cols) {
				checkSmall(t, rows, cols, key, loops[key])
			}
		}
	}
}

// checkSmall compares the number of loops that the search finds for a packed puzzle.
func checkSmall(t *testing.T, rows, cols int, key uint32, loops int) {
	t.Helper()
	p := &puzzle{rows: rows, cols: cols}
	for k := range rows * cols {
		p.number[k/cols][k%cols] = uint8(key >> (2 * k) & 3)
	}
	p.index()
	var s search
	got := s.run(p)
	if got != loops {
		t.Fatalf("\n%shas %d loops, not %d", p.appendTo(nil), loops, got)
	}
	if got == 1 {
		if err := checkDrawing(p, string(p.draw(nil, &s.found))); err != nil {
			t.Fatalf("\n%s%v", p.appendTo(nil), err)
		}
	}
	if most := mostSteps(rows, cols); s.steps > most {
		t.Fatalf("\n%stakes %d steps, more than %d", p.appendTo(nil), s.steps, most)
	}
}

// pack packs the numbers of a puzzle of at most 16 cells into one word.
func (p *puzzle) pack() (key uint32) {
	for k := range p.rows * p.cols {
		key |= uint32(p.number[k/p.cols][k%p.cols]) << (2 * k)
	}
	return key
}

// unpack returns the grid whose cells are the bits of set, row by row.
func unpack(set uint32, rows, cols int) (g grid) {
	for k := range rows * cols {
		if set>>k&1 != 0 {
			g.flip(k/cols, k%cols)
		}
	}
	return g
}

// isLoop reports whether the border of the inside cells is one closed loop: there are some, they
// are connected by their sides, and so are all other cells together with those around the grid.
func (g *grid) isLoop(rows, cols int) bool {
	var seen grid
	var flood func(y, x int)
	flood = func(y, x int) {
		seen[y][x] = true
		for _, next := range [...][2]int{{y - 1, x}, {y, x - 1}, {y, x + 1}, {y + 1, x}} {
			y2, x2 := next[0], next[1]
			if y2 >= 0 && x2 >= 0 && y2 < rows+2 && x2 < cols+2 && !seen[y2][x2] && g[y2][x2] == g[y][x] {
				flood(y2, x2)
			}
		}
	}
	pieces := 0
	for y := range rows + 2 {
		for x := range cols + 2 {
			if !seen[y][x] {
				pieces++
				flood(y, x)
			}
		}
	}
	return pieces == 2
}
