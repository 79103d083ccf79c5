package main

import (
	"bytes"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"

	"tribunal/reference/internal/reduce"
)

// Dropping a command or a row may make later commands illegal and leave the maze unfinished. So a
// reduction remembers the cell of each command, plays the maze again with the commands that are
// left, skips those that have become illegal, and finishes the maze with moves alone. The result is
// always a valid maze.

// A maze is one maze of a valid input.
type maze struct {
	size, start cell
	commands    []command
}

// A command is a move or a flip.
type command struct {
	letter   byte // F for a flip
	position int  // of a flip
	meant    cell // the cell that a move led to, or that stood at a flip's position; zero: none
}

// parse reads a valid input.
func parse(text []byte) []maze {
	words := bytes.Fields(text)
	number := func() int {
		n, err := strconv.Atoi(string(words[0]))
		if err != nil {
			panic(err) // the input is valid
		}
		words = words[1:]
		return n
	}
	mazes := make([]maze, number())
	for i := range mazes {
		m := &mazes[i]
		m.size = cell{number(), number()}
		m.start = cell{number(), number()}
		for p := newPlay(m.size, m.start); p.unfinished(); {
			c := command{letter: words[0][0]}
			words = words[1:]
			if c.letter == 'F' {
				c.position = number()
				c.meant = p.list[c.position-1]
				p.flip(c.position)
			} else {
				c.meant = p.last().step(c.letter)
				p.visit(c.meant)
			}
			m.commands = append(m.commands, c)
		}
	}
	return mazes
}

// write returns the input with these mazes.
func write(mazes []maze) []byte {
	text := fmt.Appendln(nil, len(mazes))
	for _, m := range mazes {
		text = fmt.Appendf(text, "%d %d\n%d %d\n", m.size.row, m.size.column, m.start.row, m.start.column)
		for _, c := range m.commands {
			text = append(text, c.letter)
			if c.letter == 'F' {
				text = strconv.AppendInt(append(text, ' '), int64(c.position), 10)
			}
			text = append(text, '\n')
		}
	}
	return text
}

// maxWork bounds the cells that flips look at or move while offers are made: about a second.
const maxWork = 1 << 29

// An offerer writes the offers of one input.
type offerer struct {
	input []byte
	out   *reduce.Writer
	work  int
	full  bool // no more room in out, or work above maxWork
}

// offer writes inputs smaller than text, which must be valid.
func offer(text []byte, w io.Writer) error {
	o := &offerer{input: text, out: reduce.NewWriter(w)}
	for mazes := range o.offers(parse(text)) {
		text := write(mazes)
		if len(text) < len(o.input) || len(text) == len(o.input) && bytes.Compare(text, o.input) < 0 {
			o.full = o.full || !o.out.Offer(text)
		}
		if o.full {
			break
		}
	}
	return o.out.Close()
}

// offers yields inputs to try instead: all mazes without flips, fewer mazes, some mazes reduced to
// one cell, and then one maze made smaller.
func (o *offerer) offers(mazes []maze) iter.Seq[[]maze] {
	return func(yield func([]maze) bool) {
		flipless := make([]maze, len(mazes))
		for i, m := range mazes {
			flipless[i] = o.replay(m.size, m.start, withoutFlips(m.commands, 0, len(m.commands)))
		}
		if !yield(flipless) {
			return
		}
		for from, to := range reduce.Cuts(len(mazes)) {
			if !yield(reduce.Without(mazes, from, to)) {
				return
			}
		}
		for from, to := range reduce.Cuts(len(mazes)) {
			if !yield(slices.Concat(mazes[:from], slices.Repeat([]maze{oneCell}, to-from), mazes[to:])) {
				return
			}
		}
		for i, m := range mazes {
			for smaller := range o.smaller(m) {
				if !yield(slices.Concat(mazes[:i], []maze{smaller}, mazes[i+1:])) {
					return
				}
			}
		}
	}
}

var oneCell = maze{size: cell{1, 1}, start: cell{1, 1}}

// smaller yields variants of a maze: without some of its rows, columns, flips or other commands,
// with another start, with lower positions of flips and with letters that come earlier in the order
// of bytes.
func (o *offerer) smaller(m maze) iter.Seq[maze] {
	return func(yield func(maze) bool) {
		for from, to := range reduce.Cuts(m.size.row) {
			if to-from < m.size.row && !yield(o.withoutRows(m, from+1, to+1)) {
				return
			}
		}
		for from, to := range reduce.Cuts(m.size.column) {
			if to-from < m.size.column && !yield(o.withoutColumns(m, from+1, to+1)) {
				return
			}
		}
		flips := 0
		for _, c := range m.commands {
			if c.letter == 'F' {
				flips++
			}
		}
		for from, to := range reduce.Cuts(flips) {
			if !yield(o.replay(m.size, m.start, withoutFlips(m.commands, from, to))) {
				return
			}
		}
		for from, to := range reduce.Cuts(len(m.commands)) {
			if !yield(o.replay(m.size, m.start, reduce.Without(m.commands, from, to))) {
				return
			}
		}
		for _, start := range []cell{{1, 1}, {1, m.start.column}, {m.start.row, 1}, m.start.step('D'), m.start.step('L')} {
			if start.row > 0 && start.column > 0 && !yield(o.replay(m.size, start, m.commands)) {
				return
			}
		}
		for i, c := range m.commands {
			for instead := range c.smaller() {
				if !yield(o.replay(m.size, m.start, slices.Concat(m.commands[:i], []command{instead}, m.commands[i+1:]))) {
					return
				}
			}
		}
	}
}

// smaller yields commands to try instead of c: lower positions or earlier letters.
func (c command) smaller() iter.Seq[command] {
	return func(yield func(command) bool) {
		if c.letter == 'F' {
			for _, position := range []int{1, c.position / 2, c.position - 1} {
				if 0 < position && position < c.position && !yield(command{letter: 'F', position: position}) {
					return
				}
			}
			return
		}
		for _, letter := range []byte(letters) {
			if letter < c.letter && !yield(command{letter: letter}) {
				return
			}
		}
	}
}

// withoutFlips drops flips number from up to but not including to, counted from 0.
func withoutFlips(commands []command, from, to int) []command {
	var rest []command
	flips := 0
	for _, c := range commands {
		if c.letter == 'F' {
			flips++
			if from < flips && flips <= to {
				continue
			}
		}
		rest = append(rest, c)
	}
	return rest
}

func (o *offerer) withoutRows(m maze, from, to int) maze {
	return o.squeeze(m, cell{m.size.row - (to - from), m.size.column}, func(c cell) (cell, bool) {
		row, ok := squeezed(c.row, from, to)
		return cell{row, c.column}, ok
	})
}

func (o *offerer) withoutColumns(m maze, from, to int) maze {
	return o.squeeze(m, cell{m.size.row, m.size.column - (to - from)}, func(c cell) (cell, bool) {
		column, ok := squeezed(c.column, from, to)
		return cell{c.row, column}, ok
	})
}

// squeezed returns n after the numbers in [from, to) are removed, and whether n remains.
func squeezed(n, from, to int) (int, bool) {
	if n >= to {
		return n - (to - from), true
	}
	return n, n < from
}

// squeeze plays m in a smaller grid. place maps a cell to its new place, or false if it is gone.
func (o *offerer) squeeze(m maze, size cell, place func(cell) (cell, bool)) maze {
	start, _ := place(m.start)
	start = cell{min(start.row, size.row), min(start.column, size.column)}
	var rest []command
	for _, c := range m.commands {
		at, ok := place(c.meant)
		switch {
		case ok:
			c.meant = at
		case c.letter == 'F':
			c.meant = cell{}
		default:
			continue // the move led to a cell that is gone
		}
		rest = append(rest, c)
	}
	return o.replay(size, start, rest)
}

// replay plays a maze with the commands, skips illegal ones, and finishes the maze with moves.
func (o *offerer) replay(size, start cell, commands []command) maze {
	m := maze{size: size, start: start}
	p := newPlay(size, start)
	for _, c := range commands {
		if !p.unfinished() {
			break
		}
		if c.letter != 'F' {
			if letter, ok := p.toward(c); ok {
				m.commands = append(m.commands, command{letter: letter})
				p.visit(p.last().step(letter))
			}
			continue
		}
		if i := slices.Index(p.list, c.meant); i >= 0 {
			c.position = i + 1
		}
		o.work += len(p.list)
		if c.position <= len(p.list) {
			m.commands = append(m.commands, c)
			p.flip(c.position)
		}
	}
	for p.unfinished() {
		letter := p.move()
		m.commands = append(m.commands, command{letter: letter})
		p.visit(p.last().step(letter))
	}
	o.full = o.full || o.work > maxWork
	return m
}

// toward returns the letter of a move to the cell that c meant, if that is legal now, or else the
// letter of c. The second result is whether the returned move is legal.
func (p *play) toward(c command) (byte, bool) {
	for _, letter := range []byte(letters) {
		if next := p.last().step(letter); next == c.meant && !p.visited(next) {
			return letter, true
		}
	}
	return c.letter, !p.visited(p.last().step(c.letter))
}
