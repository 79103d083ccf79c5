// Command maze draws mazes by the rules of ACM Western Europe 1995 G. The maze grows from the last
// of a list of pending cells: a move removes the wall to a neighbour that has not been visited and
// appends that cell to the list; a flip reverses the end of the list. A last cell without such a
// neighbour is dead and leaves the list.
//
// # Idea
//
// The program plays the maze as the statement describes it. Only the flip needs thought, because
// the list may hold 1,521 cells and be flipped 50,000 times; pending.go keeps the list in a form in
// which a flip costs about the square root of its length.
//
// # Why it is right
//
// A cell leaves the list only when all its neighbours have been visited. The grid is connected, so
// an empty list means that every cell was visited. Each move visits exactly one new cell, so a maze
// takes exactly M*N-1 moves. Each move also joins its new cell to the others through one opening,
// so the openings form a spanning tree. The maze is finished when the list is empty, and not
// before. The program tests this before it reads a command, because a 1×1 maze has no commands.
//
// # Complexity
//
// O(M*N + commands * sqrt(M*N)) for a maze. With the 50,000 commands that an input may have, the
// flips take about as long as reading the input.
//
// # Input
//
// Layout is tolerated (LF or CRLF, runs of blanks and tabs, empty lines, a missing final newline,
// leading zeros). Any other departure from the statement is an error with its line, exit status 3
// and no output at all. So the program reads the whole input before it writes.
//
// # Files, in reading order
//
//   - grid.go: the cells and the walls between them, and the picture
//   - pending.go: the list of pending cells with its fast flip
//   - input.go: reading and checking the input
//
// Beside them brute follows the statement word by word, check validates inputs, and gen makes them.
package main

import (
	"fmt"
	"io"
	"os"
)

const (
	maxSide     = 39
	maxMazes    = 1000
	maxCommands = 50_000

	statusMalformed = 3
)

func main() { os.Exit(run(os.Stdin, os.Stdout, os.Stderr)) }

// run draws the mazes of stdin on stdout and returns the exit status.
func run(stdin io.Reader, stdout, stderr io.Writer) int {
	pictures, err := solve(stdin)
	if err != nil {
		fmt.Fprintln(stderr, err)
		return statusMalformed
	}
	if _, err := stdout.Write(pictures); err != nil {
		fmt.Fprintln(stderr, err)
		return 1
	}
	return 0
}

// solve returns the pictures of all mazes of the input, or an error with the line of the fault.
func solve(input io.Reader) ([]byte, error) {
	r := newReader(input)
	count, err := r.numbers("the number of mazes", limit{"number of mazes", 0, maxMazes})
	if err != nil {
		return nil, err
	}
	var pictures []byte
	for range count[0] {
		m, err := carve(r)
		if err != nil {
			return nil, err
		}
		pictures = m.draw(pictures)
	}
	if err := r.end(); err != nil {
		return nil, err
	}
	return pictures, nil
}

// carve reads one maze and executes its commands.
func carve(r *reader) (*maze, error) {
	size, err := r.numbers("rows and columns of a maze", limit{"number of rows", 1, maxSide}, limit{"number of columns", 1, maxSide})
	if err != nil {
		return nil, err
	}
	m := newMaze(size[0], size[1])
	start, err := r.numbers("row and column of the start", limit{"start row", 1, m.rows}, limit{"start column", 1, m.columns})
	if err != nil {
		return nil, err
	}

	var list pending
	visit := func(cell int) {
		m.visited[cell] = true
		list.add(cell)
	}
	visit(m.cell(start[0], start[1]))
	for list.length > 0 {
		here := list.last()
		if !m.hasUnvisitedNeighbour(here) {
			list.removeLast()
			continue
		}
		c, err := r.command(list.length)
		if err != nil {
			return nil, err
		}
		if c.letter == 'F' {
			list.flip(c.position)
			continue
		}
		next := m.neighbour(here, c.letter)
		if m.visited[next] {
			return nil, r.errorf("%c leads from cell (%d, %d) to a visited cell or out of the grid", c.letter, here/m.width, here%m.width)
		}
		m.open(here, c.letter)
		visit(next)
	}
	return m, nil
}
