// Command draw draws a flipping game with a shortest play.
//
//	draw INPUT [ANSWER [OUTPUT]] > picture.svg
//
// An output only says how many moves are needed. So draw finds a shortest play itself, by trying all
// sets of moves, and shows the board after each of its moves. docs/problem-format.md describes draw
// programs.
package main

import (
	"bytes"
	"fmt"
	"math/bits"
	"os"
	"strconv"
	"strings"

	"tribunal/reference/internal/drawing"
)

func main() { os.Exit(drawing.Main(os.Args[1:], os.Stdout, os.Stderr, draw)) }

const (
	boardSide   = 4
	patternSide = 3
	cells       = boardSide * boardSide
)

// board is a set of cells: bit 4r+c is row r and column c. As a board it is the set of black chips.
type board uint16

func (b board) has(row, col int) bool { return b>>(boardSide*row+col)&1 != 0 }

// pattern says which chips a move flips, in rows around its centre.
type pattern [patternSide][patternSide]bool

func draw(c *drawing.Case) (*drawing.Picture, error) {
	start, flips, err := read(c.Input)
	if err != nil {
		return nil, err
	}
	p := drawing.New("Flipping game", "The board, the pattern, and a shortest play that turns all chips to one side, if there is one.")
	p.Compare(c)
	moves, possible := fewest(start, flips)
	found := "Impossible"
	if possible {
		found = strconv.Itoa(len(moves))
	}
	part := new(drawing.Part)
	drawBoard(part.Panel(drawing.Half, boardSide*size+2, "board"), 0, 0, size, start, 0)
	drawPattern(part.Panel(drawing.Half, boardSide*size+2, "pattern"), flips)
	switch {
	case c.Output == nil:
	case c.Answer != nil && !bytes.Equal(c.Output, c.Answer):
		part.Bad("Output: %s.", says(c.Output))
	default:
		part.Note("Output: %s.", says(c.Output))
	}
	if c.Answer != nil {
		part.Note("Expected: %s.", says(c.Answer))
	}
	switch {
	case c.Answer != nil && strings.TrimSpace(string(c.Answer)) != found:
		part.Bad("By all sets of moves, %s is expected.", found)
	case c.Answer == nil:
		part.Note("By all sets of moves: %s.", found)
	}
	p.Add(part)
	if possible && len(moves) > 0 {
		p.Add(play(start, flips, moves))
	}
	return p, nil
}

// says returns the words of an answer or output.
func says(text []byte) string {
	words := strings.TrimSpace(string(text))
	if words == "" {
		return "nothing"
	}
	return drawing.Quote(words)
}

// read returns the board and the pattern.
func read(input []byte) (start board, p pattern, err error) {
	in := drawing.NewLines(input)
	row := func(of string, width int, alphabet string) (string, error) {
		what := fmt.Sprintf("a row of the %s", of)
		fields, err := in.Due(what)
		if err == nil && (len(fields) != 1 || len(fields[0]) != width || strings.Trim(fields[0], alphabet) != "") {
			err = in.Errorf("%s is not %s (hint: %d characters %c or %c)", drawing.Quote(strings.Join(fields, " ")), what, width, alphabet[0], alphabet[1])
		}
		if err != nil {
			return "", err
		}
		return fields[0], nil
	}
	for r := range boardSide {
		text, err := row("board", boardSide, "WB")
		if err != nil {
			return 0, p, err
		}
		for c, chip := range text {
			if chip == 'B' {
				start |= 1 << (boardSide*r + c)
			}
		}
	}
	for r := range p {
		text, err := row("pattern", patternSide, "01")
		if err != nil {
			return 0, p, err
		}
		for c, digit := range text {
			p[r][c] = digit == '1'
		}
	}
	return start, p, in.End()
}

// at returns the cells that a move flips, given by its centre.
func (p pattern) at(centre int) (flipped board) {
	for r, row := range p {
		for c, flips := range row {
			y, x := centre/boardSide+r-1, centre%boardSide+c-1
			if flips && 0 <= y && y < boardSide && 0 <= x && x < boardSide {
				flipped |= 1 << (boardSide*y + x)
			}
		}
	}
	return flipped
}

// fewest returns the centres of a shortest play, in reading order, or false if there is none. Each
// set of moves differs from the next in one move, as in a Gray code.
func fewest(start board, p pattern) (centres []int, possible bool) {
	now, set, best := start, uint16(0), -1
	for n := 1; ; n++ {
		if (now == 0 || now == ^board(0)) && (best < 0 || bits.OnesCount16(set) < bits.OnesCount16(uint16(best))) {
			best = int(set)
		}
		if n == 1<<cells {
			break
		}
		move := bits.TrailingZeros(uint(n))
		set ^= 1 << move
		now ^= p.at(move)
	}
	for centre := range cells {
		if best >= 0 && best>>centre&1 != 0 {
			centres = append(centres, centre)
		}
	}
	return centres, best >= 0
}

const size = 28 // of a cell of the large board

// drawBoard draws a board with its upper left at a point. The chips in turned have a frame.
func drawBoard(panel *drawing.Panel, x, y, cell float64, b, turned board) {
	panel.Rect("floor", x, y, boardSide*cell, boardSide*cell)
	for r := range boardSide {
		for c := range boardSide {
			class := "white"
			if b.has(r, c) {
				class = "black"
			}
			if turned.has(r, c) {
				panel.Rect("mark", x+cell*float64(c), y+cell*float64(r), cell, cell)
			}
			panel.Circle(class, x+cell*(float64(c)+0.5), y+cell*(float64(r)+0.5), 0.36*cell)
		}
	}
}

func drawPattern(panel *drawing.Panel, p pattern) {
	panel.Letters = 13
	for r, row := range p {
		for c, flips := range row {
			class, digit := "floor", "0"
			if flips {
				class, digit = "mark", "1"
			}
			panel.Rect(class, size*float64(c), size*float64(r), size-1, size-1)
			panel.Text("", size*(float64(c)+0.5), size*(float64(r)+0.5), digit)
		}
	}
	panel.Rect("ring r1", size+1, size+1, size-3, size-3)
}

// play shows a shortest play: the board after each move, with the flipped chips marked and a frame
// round the centre.
func play(start board, p pattern, moves []int) *drawing.Part {
	const (
		cell   = 20.0
		column = drawing.Full / 4.0
		row    = boardSide*cell + 26
	)
	part := new(drawing.Part)
	part.Heading("A shortest play, found by draw")
	panel := part.Panel(drawing.Full, row*float64((len(moves)+3)/4), "after each move; its centre has a frame")
	b := start
	for i, centre := range moves {
		flipped := p.at(centre)
		b ^= flipped
		x, y := column*float64(i%4), row*float64(i/4)
		panel.Text("", x+boardSide*cell/2, y+12, fmt.Sprintf("%d: (%d, %d)", i+1, centre/boardSide+1, centre%boardSide+1))
		drawBoard(panel, x, y+20, cell, b, flipped)
		panel.Rect("ring r1", x+cell*float64(centre%boardSide)+1, y+20+cell*float64(centre/boardSide)+1, cell-2, cell-2)
	}
	return part
}
