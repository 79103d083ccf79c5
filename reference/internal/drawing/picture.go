package drawing

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// The measures of a picture. Texts can be read if it is shown at its width in pixels or larger.
const (
	Width = 400                    // of every picture
	Full  = Width - 2*margin       // width of a panel that fills a row
	Half  = (Width - 3*margin) / 2 // width of a panel beside another

	margin   = 12
	fontSize = 12
	leading  = 16 // from one line of text to the next

	// MaxSize bounds the size of a picture in bytes, and maxHeight its height. Parts that would exceed
	// it are left out with a note.
	MaxSize   = 300_000
	maxHeight = 20_000
	reserve   = 4_000 // bytes for the end of the picture
)

// Picture is an SVG picture: panels in rows from left to right, with texts between.
type Picture struct {
	title string
	body  bytes.Buffer
	desc  string
	y     float64
}

// New returns a picture with a title and a description for readers who cannot see it.
func New(title, desc string) *Picture {
	p := &Picture{title: title, desc: desc}
	p.heading(title, "title")
	return p
}

// Note writes a line of text below everything drawn so far, or several if it is long.
func (p *Picture) Note(text string) { p.lines("", text) }

func (p *Picture) heading(text, class string) {
	p.y += 8
	p.lines(class, text)
}

func (p *Picture) lines(class, text string) {
	for _, line := range wrap(text, Full) {
		p.y += leading
		writeText(&p.body, class, margin, p.y, line)
	}
}

// Parts draws the n parts of a case, such as its mazes, each under its own heading, as far as there
// is room. The parts for which wrong returns true come first; wrong may be nil. noun is a part's
// name in the plural. draw fills part i.
func (p *Picture) Parts(n int, noun string, wrong func(i int) bool, draw func(i int, part *Part)) {
	var order, others []int
	for i := range n {
		if wrong != nil && wrong(i) {
			order = append(order, i)
		} else {
			others = append(others, i)
		}
	}
	if len(order) > 0 && n > 1 {
		p.Note(fmt.Sprintf("%d of %d %s differ from the answer; they come first.", len(order), n, noun))
	}
	for drawn, i := range append(order, others...) {
		part := &Part{id: "p" + strconv.Itoa(i)}
		draw(i, part)
		if !p.Add(part) {
			p.Note(fmt.Sprintf("%d of %d %s are not drawn, to keep the picture small.", n-drawn, n, noun))
			return
		}
	}
	if n == 0 {
		p.Note("The input has no " + noun + ".")
	}
}

// Add draws a part below everything drawn so far. It returns false, and draws nothing, if there is no
// room for it. Parts with animations come from [Picture.Parts].
func (p *Picture) Add(part *Part) bool {
	size, y := p.body.Len(), p.y
	p.place(part)
	if p.body.Len() > MaxSize-reserve || p.y > maxHeight {
		p.body.Truncate(size)
		p.y = y
		return false
	}
	return true
}

// SVG returns the picture as the content of an SVG file.
func (p *Picture) SVG() []byte {
	height := p.y + margin
	var out bytes.Buffer
	fmt.Fprintf(&out, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %s" width="%d" height="%s" role="img" aria-labelledby="title desc">`+"\n",
		Width, Number(height), Width*3/2, Number(height*3/2))
	fmt.Fprintf(&out, "<title id=\"title\">%s</title>\n<desc id=\"desc\">%s</desc>\n", escape(p.title), escape(p.desc))
	out.WriteString(style())
	fmt.Fprintf(&out, "<rect class=\"page\" width=\"%d\" height=\"%s\"/>\n", Width, Number(height))
	out.Write(p.body.Bytes())
	out.WriteString("</svg>\n")
	return out.Bytes()
}

// Part is a part of a picture: a heading, panels in rows, and notes below them.
type Part struct {
	id      string // distinguishes the names of its animations from those of other parts
	heading string
	panels  []*Panel
	notes   []note
	names   int
}

type note struct{ class, text string }

// Heading sets the heading.
func (t *Part) Heading(format string, args ...any) { t.heading = fmt.Sprintf(format, args...) }

// Note adds a note.
func (t *Part) Note(format string, args ...any) {
	t.notes = append(t.notes, note{"", fmt.Sprintf(format, args...)})
}

// Bad adds a note about something wrong.
func (t *Part) Bad(format string, args ...any) {
	t.notes = append(t.notes, note{"wrong", fmt.Sprintf(format, args...)})
}

// Panel adds a panel of a size under a caption, to the right of the panel before it if both fit into
// a row. The caller draws into it.
func (t *Part) Panel(width, height float64, caption string) *Panel {
	p := &Panel{Width: width, Height: height, Letters: fontSize, part: t, caption: caption}
	t.panels = append(t.panels, p)
	return p
}

// Remove takes out the panel that was added last, so that it can be drawn in another way.
func (t *Part) Remove() { t.panels = t.panels[:len(t.panels)-1] }

// name returns a new name for an animation.
func (t *Part) name() string {
	t.names++
	return t.id + "-" + strconv.Itoa(t.names)
}

// place writes the part below everything drawn so far.
func (p *Picture) place(t *Part) {
	p.heading(t.heading, "head")
	x, height := 0.0, 0.0 // right end and height of the row
	for _, panel := range t.panels {
		width := max(panel.Width, Half) // its caption may be longer than its picture
		if x+margin+width > Width-margin {
			p.y, x, height = p.y+height, 0, 0
		}
		top := p.y + margin/2
		for _, line := range wrap(panel.caption, width) {
			top += leading
			writeText(&p.body, panel.class, x+margin, top-4, line)
		}
		fmt.Fprintf(&p.body, "<g transform=\"translate(%s %s)\" text-anchor=\"middle\" style=\"font-size:%spx\">\n", Number(x+margin), Number(top), Number(panel.Letters))
		p.body.Write(panel.body.Bytes())
		p.body.WriteString("</g>\n")
		x += margin + width
		height = max(height, top+panel.Height-p.y+2)
	}
	p.y += height
	for _, n := range t.notes {
		p.lines(n.class, n.text)
	}
}

// mostText is the number of runes of a text that are drawn.
const mostText = 500

// wrap cuts a text into lines that fit into a width, and cuts off the end of a very long text. The
// estimate of the width is generous.
func wrap(text string, width float64) (lines []string) {
	most := max(int(width/(fontSize*0.56)), 8)
	if runes := []rune(text); len(runes) > mostText {
		text = string(runes[:mostText]) + "…"
	}
	line := 0 // runes in the last line
	for _, word := range strings.Fields(text) {
		for runes := []rune(word); len(runes) > 0; {
			n := min(len(runes), most)
			if len(lines) > 0 && line+1+n <= most {
				lines[len(lines)-1] += " " + string(runes[:n])
				line += 1 + n
			} else {
				lines, line = append(lines, string(runes[:n])), n
			}
			runes = runes[n:]
		}
	}
	return lines
}

func writeText(to *bytes.Buffer, class string, x, y float64, text string) {
	fmt.Fprintf(to, "<text%s x=\"%s\" y=\"%s\">%s</text>\n", attribute("class", class), Number(x), Number(y), escape(text))
}

// attribute returns an attribute with a blank before it, or "" if the value is empty.
func attribute(name, value string) string {
	if value == "" {
		return ""
	}
	return fmt.Sprintf(" %s=\"%s\"", name, value)
}

// Number formats a coordinate, rounded to hundredths.
func Number(v float64) string {
	return strconv.FormatFloat(math.Round(v*100)/100, 'f', -1, 64)
}

// escape returns a text as content of an XML element. Bytes that XML does not allow are replaced.
func escape(text string) string {
	var b bytes.Buffer
	_ = xml.EscapeText(&b, []byte(text)) // cannot fail in memory
	return b.String()
}
