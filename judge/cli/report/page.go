package report

import (
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"tribunal/judge/internal/tty"
	"tribunal/judge/internal/verdict"
)

// A look is the role of a text, which determines its colour.
type look uint8

const (
	plain  look = iota
	strong      // headings and important names
	dim         // less important details
	good        // expected results
	bad         // failures
	broken      // failures of the judge itself
	code        // code in statements
)

var styles = [...]tty.Style{
	strong: tty.Bold,
	dim:    tty.Faint,
	good:   tty.Green,
	bad:    tty.Red,
	broken: tty.BoldMagenta,
	code:   tty.Cyan,
}

// looks returns the look of a verdict.
func looks(v verdict.Verdict) look {
	switch v {
	case verdict.None:
		return dim
	case verdict.AC:
		return good
	case verdict.JE:
		return broken
	}
	return bad
}

// A page collects text, with unprintable characters escaped.
type page struct {
	parts []tty.Text
	color bool
}

// paint returns text in the colour of a look if the page has colours.
func (p *page) paint(l look, text string) tty.Text {
	if !p.color {
		l = plain
	}
	return tty.Paint(styles[l], text)
}

func (p *page) printf(format tty.Format, args ...any) {
	p.parts = append(p.parts, tty.Sprintf(format, args...))
}

// empty reports whether the page has no text.
func (p *page) empty() bool {
	return !slices.ContainsFunc(p.parts, func(t tty.Text) bool { return !t.Empty() })
}

// text returns the whole text of the page.
func (p *page) text() tty.Text { return tty.Join(p.parts, "") }

// write writes the whole text to w with a single write.
func (p *page) write(w io.Writer) error { return tty.Put(w, p.text()) }

// indented adds lines, each after the prefix.
func (p *page) indented(prefix string, lines []string) {
	for _, l := range lines {
		p.printf("%s%s\n", prefix, l)
	}
}

// A cell is one entry of a table.
type cell struct {
	text  string
	look  look
	right bool // whether the text is aligned to the right
}

// table adds rows, each after the prefix, with aligned columns two blanks apart. It counts
// characters, so characters of double width break the alignment. It omits columns without text and
// blanks at the end of lines.
func (p *page) table(prefix string, rows [][]cell) {
	var widths []int
	for _, row := range rows {
		for i, c := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], utf8.RuneCountInString(c.text))
		}
	}
	for _, row := range rows {
		for len(row) > 0 && row[len(row)-1].text == "" {
			row = row[:len(row)-1]
		}
		p.printf("%s", prefix)
		for i, c := range row {
			if widths[i] == 0 {
				continue
			}
			pad := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(c.text))
			if c.right {
				p.printf("%s", pad)
			}
			p.printf("%s", p.paint(c.look, c.text))
			if i == len(row)-1 {
				break
			}
			if !c.right {
				p.printf("%s", pad)
			}
			p.printf("  ")
		}
		p.printf("\n")
	}
}
