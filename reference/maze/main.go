// Command maze draws mazes by the rules of ACM Western Europe 1995 G: walls
// fall one command at a time, and a command may also flip the end of the list
// of pending cells.
//
// # Idea
//
// The maze is played as the statement tells it. The one step that is not
// trivially fast is the flip, because the list may hold 1,521 cells and be
// flipped 50,000 times; pending.go keeps the list in a form in which a flip
// costs about the square root of its length.
//
// # Why it is right
//
// A cell leaves the list only when all its neighbours have been visited. The
// grid is connected, so an empty list means that every cell was visited, and
// since each letter visits exactly one cell, a maze takes exactly M*N-1 letters.
// The maze is over when the list is empty and at no other time; this is asked
// before a command is read, because a 1×1 maze has none.
//
// # Cost
//
// O(M*N + commands * sqrt(M*N)) for a maze.
//
// # Input
//
// The solver is tolerant in layout (LF or CRLF, runs of blanks and tabs, empty
// lines, no final newline, leading zeros) and strict in content: anything else
// outside the statement's domain is reported with its line, with exit status 3
// and without any output. So nothing is written before all has been read.
package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

const (
	maxSide     = 39
	maxMazes    = 1000
	maxCommands = 50_000

	// maxLine bounds the memory that one line of input can claim; the longest
	// line of a well-laid-out input has six characters.
	maxLine = 1 << 20

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

// solve returns the pictures of all mazes of the input, or an error that names
// the line where the input leaves the domain.
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

// carve reads one maze and obeys its commands.
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

// A maze is a grid of cells with the walls that still stand. A cell is an index
// into the slices. Round the grid runs a border of cells that count as visited,
// so that nothing else keeps a move inside.
type maze struct {
	rows, columns int
	width         int // cells from one row to the next, with the border
	visited       []bool
	floor         []bool // the wall below the cell stands
	side          []bool // the wall to the right of the cell stands
}

func newMaze(rows, columns int) *maze {
	m := &maze{rows: rows, columns: columns, width: columns + 2}
	cells := (rows + 2) * m.width
	m.visited = slices.Repeat([]bool{true}, cells)
	m.floor = slices.Repeat([]bool{true}, cells)
	m.side = slices.Repeat([]bool{true}, cells)
	for row := 1; row <= rows; row++ {
		for column := 1; column <= columns; column++ {
			m.visited[m.cell(row, column)] = false
		}
	}
	return m
}

// cell returns the cell at a row and a column, both counted from 1 at the lower
// left as in the statement.
func (m *maze) cell(row, column int) int { return row*m.width + column }

func (m *maze) hasUnvisitedNeighbour(cell int) bool {
	return !m.visited[cell+m.width] || !m.visited[cell-m.width] || !m.visited[cell-1] || !m.visited[cell+1]
}

// neighbour returns the cell, maybe one of the border, to which U, D, L or R leads.
func (m *maze) neighbour(cell int, letter byte) int {
	switch letter {
	case 'U':
		return cell + m.width
	case 'D':
		return cell - m.width
	case 'L':
		return cell - 1
	default:
		return cell + 1
	}
}

// open removes the wall that a move by U, D, L or R passes through. A wall
// belongs to the upper or to the left one of the two cells beside it.
func (m *maze) open(cell int, letter byte) {
	switch letter {
	case 'U':
		m.floor[cell+m.width] = false
	case 'D':
		m.floor[cell] = false
	case 'L':
		m.side[cell-1] = false
	default:
		m.side[cell] = false
	}
}

// draw appends the picture of the maze and the empty line after it.
func (m *maze) draw(picture []byte) []byte {
	wall := func(stands bool, look byte) byte {
		if stands {
			return look
		}
		return ' '
	}
	for range m.columns {
		picture = append(picture, " _"...)
	}
	picture = append(picture, '\n')
	for row := m.rows; row >= 1; row-- {
		picture = append(picture, '|')
		for column := 1; column <= m.columns; column++ {
			cell := m.cell(row, column)
			picture = append(picture, wall(m.floor[cell], '_'), wall(m.side[cell], '|'))
		}
		picture = append(picture, '\n')
	}
	return append(picture, '\n')
}

// A reader cuts the input into lines and the lines into fields. It knows the
// number of the line read last, for messages.
type reader struct {
	lines    *bufio.Scanner
	line     int
	commands int // read so far, in all mazes
}

func newReader(input io.Reader) *reader {
	lines := bufio.NewScanner(input)
	lines.Buffer(nil, maxLine)
	return &reader{lines: lines}
}

func (r *reader) errorf(format string, args ...any) error {
	return fmt.Errorf("line %d: %s", r.line, fmt.Sprintf(format, args...))
}

// fields returns the fields of the next line that has any, and none at the end
// of the input.
func (r *reader) fields() ([]string, error) {
	isBlank := func(c rune) bool { return c == ' ' || c == '\t' }
	for r.lines.Scan() {
		r.line++
		if fields := strings.FieldsFunc(r.lines.Text(), isBlank); len(fields) > 0 {
			return fields, nil
		}
	}
	r.line++
	if err := r.lines.Err(); errors.Is(err, bufio.ErrTooLong) {
		return nil, r.errorf("more than %d bytes without a line end", maxLine)
	} else if err != nil {
		return nil, r.errorf("%v", err)
	}
	return nil, nil
}

// A limit names a number and tells in which range it lies.
type limit struct {
	name      string
	low, high int
}

// numbers reads a line that holds one number for each limit.
func (r *reader) numbers(what string, limits ...limit) ([]int, error) {
	fields, err := r.fields()
	if err != nil {
		return nil, err
	}
	if fields == nil {
		return nil, r.errorf("the input ends where %s should stand", what)
	}
	if len(fields) != len(limits) {
		return nil, r.errorf("%s stands where %s should stand", quote(strings.Join(fields, " ")), what)
	}
	values := make([]int, len(limits))
	for i, l := range limits {
		if values[i], err = r.number(fields[i], l); err != nil {
			return nil, err
		}
	}
	return values, nil
}

// number reads a plain decimal number: digits and nothing else.
func (r *reader) number(field string, l limit) (int, error) {
	value := 0
	for _, c := range []byte(field) {
		if c < '0' || c > '9' {
			return 0, r.errorf("the %s is %s (hint: write a decimal number without a sign)", l.name, quote(field))
		}
		value = min(10*value+int(c-'0'), 1_000_000) // beyond every limit, however many digits follow
	}
	if value < l.low || value > l.high {
		return 0, r.errorf("the %s is %.20s, not %d to %d", l.name, field, l.low, l.high)
	}
	return value, nil
}

// A command is a move by U, D, L or R, or an F with the position of the flip.
type command struct {
	letter   byte
	position int
}

// command reads a command; length is that of the list it will meet.
func (r *reader) command(length int) (command, error) {
	fields, err := r.fields()
	if err != nil {
		return command{}, err
	}
	if fields == nil {
		return command{}, r.errorf("the input ends before the maze is finished (hint: cells are left to visit)")
	}
	r.commands++
	if r.commands > maxCommands {
		return command{}, r.errorf("more than %d commands", maxCommands)
	}
	switch letter := fields[0]; {
	case len(letter) == 1 && strings.Contains("UDLR", letter) && len(fields) == 1:
		return command{letter: letter[0]}, nil
	case letter == "F" && len(fields) == 2:
		position, err := r.number(fields[1], limit{"position of the flip", 1, length})
		return command{letter: 'F', position: position}, err
	}
	return command{}, r.errorf("%s is not a command (hint: U, D, L, R or F with a position, one a line)", quote(strings.Join(fields, " ")))
}

// end reads what follows the last maze, where only blanks may stand.
func (r *reader) end() error {
	fields, err := r.fields()
	if err == nil && fields != nil {
		err = r.errorf("%s stands after the last maze", quote(fields[0]))
	}
	return err
}

// quote makes the beginning of a text safe to show on one line.
func quote(text string) string {
	const most = 20
	if len(text) > most {
		return fmt.Sprintf("%q…", text[:most])
	}
	return fmt.Sprintf("%q", text)
}
