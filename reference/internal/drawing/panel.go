package drawing

import (
	"bytes"
	"fmt"
	"strings"
)

// Panel is a rectangle of a [Part] with shapes, drawn from back to front. Coordinates begin at its
// upper left. Classes are those of the style sheet, several with blanks between them.
type Panel struct {
	Width, Height float64
	Letters       float64 // size of its letters
	part          *Part
	caption       string
	class         string // of the caption
	body          bytes.Buffer
}

// Size returns the size of its shapes in bytes.
func (p *Panel) Size() int { return p.body.Len() }

// Wrong colours the caption.
func (p *Panel) Wrong() { p.class = "wrong" }

// Rect draws a rectangle.
func (p *Panel) Rect(class string, x, y, width, height float64) {
	fmt.Fprintf(&p.body, "<rect%s x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\"/>\n", attribute("class", class), Number(x), Number(y), Number(width), Number(height))
}

// Circle draws a circle.
func (p *Panel) Circle(class string, x, y, radius float64) {
	fmt.Fprintf(&p.body, "<circle%s cx=\"%s\" cy=\"%s\" r=\"%s\"/>\n", attribute("class", class), Number(x), Number(y), Number(radius))
}

// Text writes a text around a point.
func (p *Panel) Text(class string, x, y float64, text string) {
	writeText(&p.body, class, x, y+0.36*p.Letters, text)
}

// Spread writes the letters of an ASCII text in rows of most letters, each letter in a field of the
// given size. The first field begins at the point.
func (p *Panel) Spread(x, y, width, height float64, most int, text string) {
	for row := 0; len(text) > 0; row++ {
		line := text[:min(most, len(text))]
		text = text[len(line):]
		var places []string
		for i := range len(line) {
			places = append(places, Number(x+width*(float64(i)+0.5)))
		}
		fmt.Fprintf(&p.body, "<text style=\"font-size:%dpx\" x=\"%s\" y=\"%s\">%s</text>\n", fontSize, strings.Join(places, " "), Number(y+height*(float64(row)+0.5)+0.36*fontSize), escape(line))
	}
}

// Path draws lines. It draws nothing if there are none.
func (p *Panel) Path(class string, l *Line) {
	if !l.Empty() {
		fmt.Fprintf(&p.body, "<path%s d=\"%s\"/>\n", attribute("class", class), l.data.String())
	}
}

// Group draws the shapes of inner in a group. style is the value of its attribute of that name.
func (p *Panel) Group(class, style string, inner func()) {
	fmt.Fprintf(&p.body, "<g%s%s>\n", attribute("class", class), attribute("style", style))
	inner()
	p.body.WriteString("</g>\n")
}

// Line collects lines for [Panel.Path]. The zero Line is empty.
type Line struct {
	data strings.Builder
	x, y string // the end of the last line
}

// Move begins a line at a point.
func (l *Line) Move(x, y float64) {
	to := [2]string{Number(x), Number(y)}
	if l.Empty() || to != [2]string{l.x, l.y} {
		l.data.WriteString("M" + to[0] + " " + to[1])
	}
	l.x, l.y = to[0], to[1]
}

// To continues it to a point.
func (l *Line) To(x, y float64) {
	to := [2]string{Number(x), Number(y)}
	switch {
	case to[1] == l.y:
		l.data.WriteString("H" + to[0])
	case to[0] == l.x:
		l.data.WriteString("V" + to[1])
	default:
		l.data.WriteString("L" + to[0] + " " + to[1])
	}
	l.x, l.y = to[0], to[1]
}

// Segment adds a line between two points.
func (l *Line) Segment(x1, y1, x2, y2 float64) {
	l.Move(x1, y1)
	l.To(x2, y2)
}

// Empty reports whether there are no lines.
func (l *Line) Empty() bool { return l.data.Len() == 0 }
