package main

import (
	"fmt"
	"io"
	"strconv"
)

// The bounds of the problem. A maze has at least one row and one column.
const (
	maxMazes = 1000
	maxRows  = 10
	maxCols  = 10
	maxName  = 20
)

// endMark ends the input in place of the name of a maze.
const endMark = "END"

// A malformed error says which line of the input breaks the rules, and how.
type malformed struct {
	line int // from 1
	what string
}

func (e *malformed) Error() string { return fmt.Sprintf("line %d: %s", e.line, e.what) }

// readMazes reads the whole input. It tolerates other layouts: lines end with LF, CRLF or the end
// of the input, any run of spaces and tabs separates fields, and empty lines are ignored. Numbers
// are plain decimals: digits with any number of leading zeros, perhaps after a minus sign (-0 is
// 0). Any other departure from the statement is malformed, except that a maze may have several
// solutions.
func readMazes(in io.Reader) ([]*maze, error) {
	lines := newLineReader(in)
	var mazes []*maze
	for {
		name, err := readName(lines)
		if err != nil {
			return nil, err
		}
		if name == endMark {
			return mazes, readEnd(lines)
		}
		if len(mazes) == maxMazes {
			return nil, lines.malformed("maze %d of at most %d", len(mazes)+1, maxMazes)
		}
		m, err := readMaze(lines, name)
		if err != nil {
			return nil, err
		}
		mazes = append(mazes, m)
	}
}

// readName reads the name of a maze, or the mark that ends the input.
func readName(lines *lineReader) (string, error) {
	fields, err := lines.due("a maze's name or " + endMark)
	if err != nil {
		return "", err
	}
	name := string(fields[0])
	if len(fields) > 1 {
		return "", lines.malformed("%d words instead of a maze's name (hint: a name contains no blanks)", len(fields))
	}
	if len(name) > maxName {
		return "", lines.malformed("a name of %d characters (hint: at most %d)", len(name), maxName)
	}
	for _, c := range []byte(name) {
		if c <= ' ' || c > '~' {
			return "", lines.malformed("name %s (hint: printable ASCII only)", quote(fields[0]))
		}
	}
	return name, nil
}

// readMaze reads a maze whose name has been read.
func readMaze(lines *lineReader, name string) (*maze, error) {
	header, err := lines.numbers(6, "rows, columns, start row, start column, top, front")
	if err != nil {
		return nil, err
	}
	m := &maze{name: name, rows: header[0], cols: header[1]}
	startRow, startCol, top, front := header[2], header[3], header[4], header[5]
	for _, field := range [...]struct {
		what             string
		value, low, high int
	}{
		{"rows", m.rows, 1, maxRows},
		{"columns", m.cols, 1, maxCols},
		{"start row", startRow, 1, m.rows},
		{"start column", startCol, 1, m.cols},
		{"top", top, 1, 6},
		{"front", front, 1, 6},
	} {
		if field.value < field.low || field.value > field.high {
			return nil, lines.malformed("%s %d (hint: %d to %d)", field.what, field.value, field.low, field.high)
		}
	}
	if _, ok := newDie(top, front); !ok {
		return nil, lines.malformed("no die shows %d on top and %d in front (hint: opposite faces add up to 7)", top, front)
	}
	m.start, m.lie = squareAt(startRow, startCol), lies.number[top][front]
	of := " of " + strconv.Itoa(m.rows)
	for row := 1; row <= m.rows; row++ {
		numbers, err := lines.numbers(m.cols, "row "+strconv.Itoa(row)+of)
		if err != nil {
			return nil, err
		}
		for i, number := range numbers {
			if number < wild || number > 6 {
				return nil, lines.malformed("a square of %d (hint: %d to 6)", number, wild)
			}
			m.admits[squareAt(row, i+1)] = admitted(number)
		}
	}
	return m, nil
}

// readEnd checks that only empty lines follow.
func readEnd(lines *lineReader) error {
	switch _, err := lines.next(); err {
	case nil:
		return lines.malformed("text after %s", endMark)
	case io.EOF:
		return nil
	default:
		return err
	}
}
