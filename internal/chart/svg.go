// Package chart draws measurements as SVG pictures for light and dark pages.
package chart

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"math"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
)

// palette holds the colours of a picture. The picture is transparent; page is the background of the
// page around it.
type palette struct {
	ink, faint, page string
	series           [Colours]string
}

// Colours is the number of distinct colours of series. Their classes are c0, c1 and so on.
const Colours = 6

var (
	light = palette{"#24292f", "#d0d7de", "#ffffff", [Colours]string{"#0969da", "#bc4c00", "#1a7f37", "#8250df", "#bf3989", "#6e7781"}}
	dark  = palette{"#e6edf3", "#3d444d", "#0d1117", [Colours]string{"#4493f8", "#f0883e", "#3fb950", "#ab7df8", "#db61a2", "#9198a1"}}
)

// rules returns a palette as CSS. It avoids variables because not all viewers know them.
func (p palette) rules() string {
	var b strings.Builder
	fmt.Fprintf(&b, "text{fill:%s}.grid{stroke:%s}.ideal{stroke:%s}\n", p.ink, p.faint, p.ink)
	for i, c := range p.series {
		fmt.Fprintf(&b, ".c%d{stroke:%s;fill:%s}", i, c, c)
	}
	fmt.Fprintf(&b, ".open{fill:%s}\n", p.page)
	return b.String()
}

// style is the style sheet of every picture.
var style = sync.OnceValue(func() string {
	return fmt.Sprintf("<style>\ntext{font:%dpx sans-serif}\n%s@media (prefers-color-scheme:dark){\n%s}\n.ideal{stroke-dasharray:4 4;fill:none}.way{fill:none}.spread{stroke-width:3}\n</style>\n", fontSize, light.rules(), dark.rules())
})

// Canvas is a picture, drawn from back to front. Each element has one or more classes: c0 to c5 are
// the colours of series, spread is a broad line, way a line through several points, ideal a dashed
// line, open an unfilled circle, and grid a line in the background.
type Canvas struct {
	Width, Height float64
	body          bytes.Buffer
}

// place formats a coordinate, rounded to tenths.
func place(v float64) string {
	return strconv.FormatFloat(math.Round(v*10)/10, 'f', -1, 64)
}

// escaped escapes a text for XML.
func escaped(text string) string {
	var b bytes.Buffer
	_ = xml.EscapeText(&b, []byte(text)) // cannot fail in memory
	return b.String()
}

// Line draws a line between two points.
func (c *Canvas) Line(class string, x1, y1, x2, y2 float64) {
	fmt.Fprintf(&c.body, `<line class="%s" x1="%s" y1="%s" x2="%s" y2="%s"/>`+"\n", class, place(x1), place(y1), place(x2), place(y2))
}

// Circle draws a circle of the radius [Radius] around a point.
func (c *Canvas) Circle(class string, x, y float64) {
	fmt.Fprintf(&c.body, `<circle class="%s" cx="%s" cy="%s" r="%d"/>`+"\n", class, place(x), place(y), Radius)
}

// Way draws a line through several points.
func (c *Canvas) Way(class string, points [][2]float64) {
	fmt.Fprintf(&c.body, `<polyline class="%s" points="`, class)
	for i, p := range points {
		if i > 0 {
			c.body.WriteByte(' ')
		}
		c.body.WriteString(place(p[0]) + "," + place(p[1]))
	}
	c.body.WriteString("\"/>\n")
}

// Text writes a text. anchor is "start", "middle" or "end", the part of the text at the point (x,
// y).
func (c *Canvas) Text(anchor string, x, y float64, text string) {
	if text == "" {
		return
	}
	fmt.Fprintf(&c.body, `<text text-anchor="%s" x="%s" y="%s">%s</text>`+"\n", anchor, place(x), place(y), escaped(text))
}

// File returns the content of an SVG file with the picture.
func (c *Canvas) File(title string) []byte {
	var out bytes.Buffer
	fmt.Fprintf(&out, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %s %s" role="img">`+"\n<title>%s</title>\n", place(c.Width), place(c.Height), escaped(title))
	out.WriteString(style())
	out.Write(c.body.Bytes())
	out.WriteString("</svg>\n")
	return out.Bytes()
}

// Radius is the radius of circles.
const Radius = 4

const fontSize = 12

// WidthOf estimates the width of a text. The estimate is generous, because the font depends on the
// viewer.
func WidthOf(text string) float64 { return 0.6 * fontSize * float64(utf8.RuneCountInString(text)) }

// Box is the area of an element.
type Box struct{ Left, Top, Right, Bottom float64 }

// Meets reports whether two boxes overlap.
func (b Box) Meets(o Box) bool {
	return b.Left < o.Right && o.Left < b.Right && b.Top < o.Bottom && o.Top < b.Bottom
}

// Holds reports whether o lies entirely inside b.
func (b Box) Holds(o Box) bool {
	return b.Left <= o.Left && o.Right <= b.Right && b.Top <= o.Top && o.Bottom <= b.Bottom
}

// TextBox returns the estimated area of a text. The parameters are those of [Canvas.Text].
func TextBox(anchor string, x, y float64, text string) Box {
	left, w := x, WidthOf(text)
	switch anchor {
	case "middle":
		left -= w / 2
	case "end":
		left -= w
	}
	return Box{left, y - fontSize, left + w, y + fontSize/4}
}

// Key is an entry of a legend.
type Key struct {
	Class, Text string
	Circle      bool // whether the symbol is a circle instead of a line
}

// Legend writes a legend with entries side by side, in as many rows as they need, and returns the y
// coordinate below it.
func (c *Canvas) Legend(left, top float64, keys []Key) float64 {
	const row, sign, gap = 18, 22, 16
	x, y := left, top+row
	for _, k := range keys {
		w := sign + WidthOf(k.Text) + gap
		if x > left && x+w > c.Width {
			x, y = left, y+row
		}
		if k.Circle {
			c.Circle(k.Class, x+sign/2, y-Radius)
		} else {
			c.Line(k.Class, x, y-Radius, x+sign-4, y-Radius)
		}
		c.Text("start", x+sign, y, k.Text)
		x += w
	}
	return y + row/2
}

// Grid draws the grid lines, labels and titles of two axes. The title of the vertical axis is above
// it.
func (c *Canvas) Grid(x, y Axis) {
	for _, v := range x.Ticks {
		c.Line("grid", x.At(v), y.From, x.At(v), y.To)
		c.Text("middle", x.At(v), y.From+20, x.Show(v))
	}
	c.Text("middle", (x.From+x.To)/2, y.From+36, x.Title)
	for _, v := range y.Ticks {
		c.Line("grid", x.From, y.At(v), x.To, y.At(v))
		c.Text("end", x.From-6, y.At(v)+4, y.Show(v))
	}
	c.Text("start", 4, y.To-14, y.Title)
}
