package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestDrawingIsTheLoop draws random loops and parses the drawings.
func TestDrawingIsTheLoop(t *testing.T) {
	random := rand.New(rand.NewPCG(*seed, 5))
	read := 0
	for range 300 {
		rows, cols := 1+random.IntN(maxSide), 1+random.IntN(maxSide)
		inside := randomLoop(random, rows, cols)
		p, ok := inside.puzzle(rows, cols)
		if !ok {
			continue
		}
		var s search
		if s.run(p) != 1 {
			continue
		}
		read++
		if err := checkDrawing(p, string(p.draw(nil, &s.found))); err != nil {
			t.Fatalf("\n%s%v", p.appendTo(nil), err)
		}
	}
	if read < 100 {
		t.Errorf("only %d drawings were read", read)
	}
}

// TestCheckDrawing makes sure that checkDrawing notices when any one character is changed.
func TestCheckDrawing(t *testing.T) {
	p := &puzzle{rows: 2, cols: 3}
	copy(p.number[0][:], []uint8{2, 3, 1})
	copy(p.number[1][:], []uint8{3, 2, 0})
	p.index()
	var s search
	if s.run(p) != 1 {
		t.Fatal("no puzzle")
	}
	drawing := p.draw(nil, &s.found)
	if err := checkDrawing(p, string(drawing)); err != nil {
		t.Fatalf("\n%s%v", drawing, err)
	}
	for k, right := range drawing {
		for _, wrong := range []byte("#+-| 0123\n") {
			drawing[k] = wrong
			if err := checkDrawing(p, string(drawing)); (err == nil) != (wrong == right) {
				t.Errorf("%v:\n%s", err, drawing)
			}
		}
		drawing[k] = right
	}
}

// An edge leaves vertex (y, x) to the right or downwards.
type edge struct {
	y, x int
	down bool
}

// checkDrawing returns an error unless a drawing has the format of the statement and the numbers of
// p, and shows one closed loop with as many edges round each cell as its number.
func checkDrawing(p *puzzle, drawing string) error {
	edges, err := readDrawing(p, drawing)
	if err != nil {
		return err
	}
	for i := range p.rows {
		for j := range p.cols {
			n := 0
			for _, e := range []edge{{i, j, false}, {i + 1, j, false}, {i, j, true}, {i, j + 1, true}} {
				if edges[e] {
					n++
				}
			}
			if n != int(p.number[i][j]) {
				return fmt.Errorf("cell (%d, %d) has %d edges, not %d", i, j, n, p.number[i][j])
			}
		}
	}
	return checkLoop(edges)
}

// checkLoop follows the edges from one of them and removes each: none may be left at the end.
func checkLoop(edges map[edge]bool) error {
	var at, start edge
	for e := range edges {
		at, start = edge{y: e.y, x: e.x}, edge{y: e.y, x: e.x}
		break
	}
	for {
		ways := []struct{ along, to edge }{
			{edge{at.y, at.x, false}, edge{y: at.y, x: at.x + 1}},
			{edge{at.y, at.x - 1, false}, edge{y: at.y, x: at.x - 1}},
			{edge{at.y, at.x, true}, edge{y: at.y + 1, x: at.x}},
			{edge{at.y - 1, at.x, true}, edge{y: at.y - 1, x: at.x}},
		}
		next := -1
		for k, way := range ways {
			if edges[way.along] {
				next = k
			}
		}
		if next < 0 {
			return fmt.Errorf("the line ends at vertex (%d, %d)", at.y, at.x)
		}
		delete(edges, ways[next].along)
		at = ways[next].to
		if at == start {
			break
		}
	}
	if len(edges) > 0 {
		return fmt.Errorf("%d edges are not on the loop", len(edges))
	}
	return nil
}

// readDrawing returns the edges of a drawing, or an error if a character is wrong.
func readDrawing(p *puzzle, drawing string) (map[edge]bool, error) {
	height, width := 2*p.rows+5, 4*p.cols+5
	lines := strings.Split(drawing, "\n")
	if len(lines) != height+1 || lines[height] != "" {
		return nil, fmt.Errorf("%d lines, not %d", len(lines)-1, height)
	}
	for y, line := range lines[:height] {
		if len(line) != width {
			return nil, fmt.Errorf("line %d has %d characters, not %d", y, len(line), width)
		}
	}

	edges := make(map[edge]bool)
	for y := range p.rows + 1 {
		for x := range p.cols + 1 {
			if lines[2+2*y][3+4*x] == '-' {
				edges[edge{y, x, false}] = true
			}
			if lines[3+2*y][2+4*x] == '|' {
				edges[edge{y, x, true}] = true
			}
		}
	}
	for y, line := range lines[:height] {
		for x := range width {
			if want := character(p, edges, y, x); line[x] != want {
				return nil, fmt.Errorf("line %d, column %d: %q, not %q", y, x, line[x], want)
			}
		}
	}
	return edges, nil
}

// character returns the character in line y and column x of a drawing with these edges.
func character(p *puzzle, edges map[edge]bool, y, x int) byte {
	if y == 0 || x == 0 || y == 2*p.rows+4 || x == 4*p.cols+4 {
		return '#'
	}
	if y == 1 || x == 1 || y == 2*p.rows+3 || x == 4*p.cols+3 {
		return ' '
	}
	i, j := (y-2)/2, (x-2)/4 // the nearest vertex at or before this place; the cell below and right of it has the same indices
	right, down := edges[edge{i, j, false}], edges[edge{i, j, true}]
	left, up := edges[edge{i, j - 1, false}], edges[edge{i - 1, j, true}]
	switch onLine, column := y%2 == 0, (x-2)%4; {
	case onLine && column == 0 && left && right, onLine && column > 0 && right:
		return '-'
	case onLine && column == 0 && up && down, !onLine && column == 0 && down:
		return '|'
	case onLine && column == 0 && (left || right):
		return '+'
	case !onLine && column == 2:
		return '0' + p.number[i][j]
	}
	return ' '
}
