// Command draw draws boards of the Marble Game and replays the moves of an answer and an output.
//
//	draw INPUT [ANSWER [OUTPUT]] > picture.svg
//
// The picture is animated by its style sheet; without animation it shows the boards before the first
// move. A bar marks the side that is lifted. The moves of an output are replayed up to the first
// marble that drops into a wrong hole. docs/problem-format.md describes draw programs.
package main

import (
	"fmt"
	"os"
	"strings"

	"tribunal/reference/internal/drawing"
)

func main() { os.Exit(drawing.Main(os.Args[1:], os.Stdout, os.Stderr, draw)) }

func draw(c *drawing.Case) (*drawing.Picture, error) {
	boards, err := read(c.Input)
	if err != nil {
		return nil, err
	}
	p := drawing.New("Marble Game", fmt.Sprintf("%d boards, with the moves of the answer or of an output replayed.", len(boards)))
	if c.Answer != nil || c.Output != nil {
		p.Note("Marbles belong into the holes of their numbers. Point at a board to stop it.")
	}
	pieces := c.Pieces(func(line, _ string) bool { return strings.TrimSpace(line) != "" })
	wrong := func(i int) bool {
		if !pieces.Wrong(i) {
			return false
		}
		output, _ := readClaim(pieces.Sides(i)[0].Lines, i+1)
		answer, why := readClaim(pieces.Sides(i)[1].Lines, i+1)
		return why != "" || output.exact == "" || output.impossible != answer.impossible || len(output.moves) != len(answer.moves) || !boards[i].play(output.moves).won()
	}
	p.Parts(len(boards), "boards", wrong, func(i int, part *drawing.Part) {
		b := boards[i]
		part.Heading("%d: %d × %d, %s", i+1, b.n, b.n, count(len(b.marbles), "marble"))
		sides := pieces.Sides(i)
		if sides[0].Wrong && !wrong(i) {
			sides = sides[:1]
			sides[0].Caption, sides[0].Wrong = "output, as short as expected", false
		}
		for _, s := range sides {
			b.side(part, s, i+1, len(sides))
		}
	})
	return p, nil
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// claim is what an output says about a board.
type claim struct {
	impossible bool
	moves      string
	exact      string // the line, if it is right to the byte
}

// readClaim reads a block of an output. It tolerates other blanks. why says why it cannot be drawn.
func readClaim(block []string, number int) (c claim, why string) {
	if len(block) != 1 {
		return c, "there is nothing"
	}
	text := strings.Join(strings.Fields(block[0]), " ")
	cannot := "it says " + drawing.Quote(block[0])
	says, ok := strings.CutPrefix(text, fmt.Sprintf("Case %d: ", number))
	if !ok {
		return c, cannot
	}
	if text == block[0] {
		c.exact = text
	}
	if says == "impossible" {
		c.impossible = true
		return c, ""
	}
	length, moves, ok := strings.Cut(says, " moves")
	moves = strings.TrimSpace(moves)
	if !ok || strings.Trim(moves, sides) != "" || fmt.Sprint(len(moves)) != length {
		return c, cannot
	}
	c.moves = moves
	return c, ""
}

// mostBytes is the size of the panels of a board, beyond which moves are left out.
const mostBytes = drawing.MaxSize * 4 / 5

// side draws one panel: a board with the moves of an output or answer.
func (b *board) side(part *drawing.Part, s drawing.Side, number, panels int) {
	var c claim
	why := ""
	if s.Missing {
		why = "it ends before this board"
	} else if s.Lines != nil {
		c, why = readClaim(s.Lines, number)
	}
	caption := s.Caption
	switch {
	case s.Lines == nil || why != "":
	case c.impossible:
		caption += ": impossible"
	default:
		caption += ": " + count(len(c.moves), "move")
	}
	r := b.play(c.moves)
	n := len(r.moves)
	panel := drawArena(part, b, caption, panels, r)
	for panel.Size() > mostBytes/panels && n > 0 {
		part.Remove()
		n /= 2
		panel = drawArena(part, b, caption, panels, r.first(n))
	}
	if s.Wrong {
		panel.Wrong()
	}
	switch {
	case n == len(r.moves) && !r.cut:
	case n == 0:
		part.Note("The moves of the %s are not replayed, to keep the picture small.", s.Caption)
	default:
		part.Note("Only the first %d of %d moves of the %s are replayed, to keep the picture small.", n, len(c.moves), s.Caption)
	}
	switch {
	case why != "":
		part.Bad("The %s cannot be drawn: %s.", s.Caption, why)
	case s.Lines == nil || c.impossible:
	case r.fault != "":
		part.Bad("The %s does not win: %s.", s.Caption, r.fault)
	case s.Wrong && c.exact == "":
		part.Bad("The moves of the output win, but there are wrong blanks.")
	}
}
