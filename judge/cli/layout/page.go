// Package layout has what all reports are made of: pages of cells with looks, words for amounts, the bar of a
// work that goes on, and the frame of HTML pages. Text from outside is cleaned by [Word], [Line], [Head] and
// [Tail]; a [Page] escapes what they leave.
package layout

import (
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"tribunal/judge/internal/tty"
	"tribunal/judge/internal/verdict"
)

// A Look is the role of a text, which determines its colour.
type Look uint8

const (
	Plain  Look = iota
	Strong      // headings and important names
	Dim         // less important details
	Good        // expected results
	Bad         // failures
	Broken      // failures of the judge itself
	Source      // code in statements
)

var styles = [...]tty.Style{
	Strong: tty.Bold,
	Dim:    tty.Faint,
	Good:   tty.Green,
	Bad:    tty.Red,
	Broken: tty.BoldMagenta,
	Source: tty.Cyan,
}

// LookOf returns the look of a verdict.
func LookOf(v verdict.Verdict) Look {
	switch v {
	case verdict.None:
		return Dim
	case verdict.AC:
		return Good
	case verdict.JE:
		return Broken
	}
	return Bad
}

// A Page collects text, with unprintable characters escaped.
type Page struct {
	parts []tty.Text
	Color bool
}

// Paint returns text in the colour of a look if the page has colours.
func (p *Page) Paint(l Look, text string) tty.Text {
	if !p.Color {
		l = Plain
	}
	return tty.Paint(styles[l], text)
}

// Printf adds text.
func (p *Page) Printf(format tty.Format, args ...any) {
	p.parts = append(p.parts, tty.Sprintf(format, args...))
}

// Empty reports whether the page has no text.
func (p *Page) Empty() bool {
	return !slices.ContainsFunc(p.parts, func(t tty.Text) bool { return !t.Empty() })
}

// Text returns the whole text of the page.
func (p *Page) Text() tty.Text { return tty.Join(p.parts, "") }

// Write writes the whole text to w with a single write.
func (p *Page) Write(w io.Writer) error { return tty.Put(w, p.Text()) }

// Indented adds lines, each after the prefix.
func (p *Page) Indented(prefix string, lines []string) {
	for _, l := range lines {
		p.Printf("%s%s\n", prefix, l)
	}
}

// A Cell is one entry of a table.
type Cell struct {
	Text  string
	Look  Look
	Right bool // whether the text is aligned to the right
}

// Left returns a cell whose text is aligned to the left.
func Left(text string, look Look) Cell { return Cell{text, look, false} }

// Right returns a cell whose text is aligned to the right.
func Right(text string, look Look) Cell { return Cell{text, look, true} }

// Table adds rows, each after the prefix, with aligned columns two blanks apart. It counts
// characters, so characters of double width break the alignment. It omits columns without text and
// blanks at the end of lines.
func (p *Page) Table(prefix string, rows [][]Cell) {
	var widths []int
	for _, row := range rows {
		for i, c := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], utf8.RuneCountInString(c.Text))
		}
	}
	for _, row := range rows {
		for len(row) > 0 && row[len(row)-1].Text == "" {
			row = row[:len(row)-1]
		}
		p.Printf("%s", prefix)
		for i, c := range row {
			if widths[i] == 0 {
				continue
			}
			pad := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(c.Text))
			if c.Right {
				p.Printf("%s", pad)
			}
			p.Printf("%s", p.Paint(c.Look, c.Text))
			if i == len(row)-1 {
				break
			}
			if !c.Right {
				p.Printf("%s", pad)
			}
			p.Printf("  ")
		}
		p.Printf("\n")
	}
}

// Notes adds a line for each note.
func Notes(p *Page, list []string) {
	for _, n := range list {
		p.Printf("note: %s\n", Word(n))
	}
}
