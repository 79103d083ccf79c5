package drawing

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// Blocks cuts a text into blocks of whole lines. A line for which begins returns true starts a new
// block. Lines lose their ends, and empty lines at the end of a block are left out, so that a block
// without its empty line can still be drawn. Text before the first block is left out, too.
func Blocks(text []byte, begins func(line, before string) bool) [][]string {
	var blocks [][]string
	before := ""
	for line := range bytes.Lines(text) {
		line := strings.TrimRight(string(line), "\r\n")
		if begins(line, before) {
			blocks = append(blocks, nil)
		}
		if n := len(blocks); n > 0 {
			blocks[n-1] = append(blocks[n-1], line)
		}
		before = line
	}
	for i, b := range blocks {
		for len(b) > 0 && b[len(b)-1] == "" {
			b = b[:len(b)-1]
		}
		blocks[i] = b
	}
	return blocks
}

// block returns block i, or nil if there are not so many.
func block(blocks [][]string, i int) []string {
	if i < len(blocks) {
		return blocks[i]
	}
	return nil
}

// Difference says where an output first differs from the answer, or returns "".
func Difference(output, answer []byte) string {
	if bytes.Equal(output, answer) {
		return ""
	}
	line, column, at := 1, 1, 0
	for at < len(output) && at < len(answer) && output[at] == answer[at] {
		column++
		if output[at] == '\n' {
			line, column = line+1, 1
		}
		at++
	}
	show := func(text []byte) string {
		if at == len(text) {
			return "the end"
		}
		return fmt.Sprintf("%q", text[at:at+1])
	}
	return fmt.Sprintf("first difference: line %d, column %d: %s instead of %s", line, column, show(output), show(answer))
}

// Pieces are the blocks of the answer and the output of a case, one for each part of the input.
type Pieces struct {
	c              *Case
	answer, output [][]string
}

// Pieces cuts the answer and the output into [Blocks].
func (c *Case) Pieces(begins func(line, before string) bool) *Pieces {
	return &Pieces{c, Blocks(c.Answer, begins), Blocks(c.Output, begins)}
}

// Wrong reports whether the output has another block for part i than the answer.
func (p *Pieces) Wrong(i int) bool {
	return p.c.Output != nil && p.c.Answer != nil && !slices.Equal(block(p.answer, i), block(p.output, i))
}

// Side is what a panel shows of a part: the input with an output or answer.
type Side struct {
	Caption string
	Lines   []string // the block to draw; nil for the input alone
	Missing bool     // there is no such block, although there is an output or answer
	Wrong   bool     // a block of the output that differs from that of the answer
	Want    []string // the answer's block, if Wrong
}

// Sides returns what to draw of part i, from left to right: the output and, if it is wrong, the
// answer; or what there is of them.
func (p *Pieces) Sides(i int) []Side {
	answer := Side{Caption: "answer", Lines: block(p.answer, i), Missing: i >= len(p.answer)}
	output := Side{Caption: "output", Lines: block(p.output, i), Missing: i >= len(p.output)}
	switch {
	case p.c.Output == nil && p.c.Answer == nil:
		return []Side{{Caption: "input"}}
	case p.c.Output == nil:
		return []Side{answer}
	case p.c.Answer == nil:
		return []Side{output}
	case p.Wrong(i):
		output.Wrong, output.Want, answer.Caption = true, answer.Lines, "expected"
		return []Side{output, answer}
	}
	output.Caption = "output, as expected"
	return []Side{output}
}

// Compare writes how the output as a whole compares with the answer, if there are both.
func (p *Picture) Compare(c *Case) {
	switch d := Difference(c.Output, c.Answer); {
	case c.Output == nil || c.Answer == nil:
	case d == "":
		p.Note("The output is as expected.")
	default:
		p.lines("wrong", "The output is not the expected one; "+d+".")
	}
}

// Fit returns the size of a square of a board with some columns, so that panels of such boards fill
// a row. Two panels share a row if squares are at least of the smallest size then.
func Fit(panels, columns int, smallest, largest float64) float64 {
	if half := Half / float64(columns); panels > 1 && half >= smallest {
		return min(half, largest)
	}
	return min(Full/float64(columns), largest)
}
