package main

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// palette is the colours of a picture, whose background is the page's.
type palette struct {
	ink, faint, page string
	series           [colours]string
}

const colours = 6

var (
	light = palette{"#24292f", "#d0d7de", "#ffffff", [colours]string{"#0969da", "#bc4c00", "#1a7f37", "#8250df", "#bf3989", "#6e7781"}}
	dark  = palette{"#e6edf3", "#3d444d", "#0d1117", [colours]string{"#4493f8", "#f0883e", "#3fb950", "#ab7df8", "#db61a2", "#9198a1"}}
)

// rules returns a palette as CSS. It has no variables, which not all viewers know.
func (p palette) rules() string {
	var b strings.Builder
	fmt.Fprintf(&b, "text{fill:%s}.grid{stroke:%s}.ideal{stroke:%s}\n", p.ink, p.faint, p.ink)
	for i, c := range p.series {
		fmt.Fprintf(&b, ".c%d{stroke:%s;fill:%s}", i, c, c)
	}
	fmt.Fprintf(&b, ".open{fill:%s}\n", p.page)
	return b.String()
}

// style is of all pictures.
var style = fmt.Sprintf("<style>\ntext{font:%dpx sans-serif}\n%s@media (prefers-color-scheme:dark){\n%s}\n.ideal{stroke-dasharray:4 4;fill:none}.way{fill:none}.spread{stroke-width:3}\n</style>\n", fontSize, light.rules(), dark.rules())

// canvas is a picture that is drawn from back to front.
type canvas struct {
	width, height float64
	body          bytes.Buffer
}

// place shows a coordinate, in tenths.
func place(v float64) string {
	return strconv.FormatFloat(math.Round(v*10)/10, 'f', -1, 64)
}

func escaped(text string) string {
	var b bytes.Buffer
	_ = xml.EscapeText(&b, []byte(text)) // into memory
	return b.String()
}

func (c *canvas) line(class string, x1, y1, x2, y2 float64) {
	fmt.Fprintf(&c.body, `<line class="%s" x1="%s" y1="%s" x2="%s" y2="%s"/>`+"\n", class, place(x1), place(y1), place(x2), place(y2))
}

func (c *canvas) circle(class string, x, y float64) {
	fmt.Fprintf(&c.body, `<circle class="%s" cx="%s" cy="%s" r="%d"/>`+"\n", class, place(x), place(y), radius)
}

// way draws a line through points.
func (c *canvas) way(class string, points [][2]float64) {
	fmt.Fprintf(&c.body, `<polyline class="%s" points="`, class)
	for i, p := range points {
		if i > 0 {
			c.body.WriteByte(' ')
		}
		c.body.WriteString(place(p[0]) + "," + place(p[1]))
	}
	c.body.WriteString("\"/>\n")
}

// text writes at a point that is its start, middle or end.
func (c *canvas) text(anchor string, x, y float64, text string) {
	if text == "" {
		return
	}
	fmt.Fprintf(&c.body, `<text text-anchor="%s" x="%s" y="%s">%s</text>`+"\n", anchor, place(x), place(y), escaped(text))
}

// file returns the whole picture.
func (c *canvas) file(title string) []byte {
	var out bytes.Buffer
	fmt.Fprintf(&out, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %s %s" role="img">`+"\n<title>%s</title>\n", place(c.width), place(c.height), escaped(title))
	out.WriteString(style)
	out.Write(c.body.Bytes())
	out.WriteString("</svg>\n")
	return out.Bytes()
}

const (
	radius   = 4
	fontSize = 12
)

// widthOf is about how wide a text is: rather more than less, since the font is the
// reader's.
func widthOf(text string) float64 { return 0.6 * fontSize * float64(utf8.RuneCountInString(text)) }

// box is where something is drawn.
type box struct{ left, top, right, bottom float64 }

func (b box) meets(o box) bool {
	return b.left < o.right && o.left < b.right && b.top < o.bottom && o.top < b.bottom
}

func (b box) holds(o box) bool {
	return b.left <= o.left && o.right <= b.right && b.top <= o.top && o.bottom <= b.bottom
}

// textBox is where a text is drawn.
func textBox(anchor string, x, y float64, text string) box {
	left, w := x, widthOf(text)
	switch anchor {
	case "middle":
		left -= w / 2
	case "end":
		left -= w
	}
	return box{left, y - fontSize, left + w, y + fontSize/4}
}

// key is an entry of a legend.
type key struct {
	class, text string
	circle      bool // or else a line
}

// legend writes entries beside each other, as many lines of them as are needed, and
// returns how far down it goes.
func (c *canvas) legend(left, top float64, keys []key) float64 {
	const row, sign, gap = 18, 22, 16
	x, y := left, top+row
	for _, k := range keys {
		w := sign + widthOf(k.text) + gap
		if x > left && x+w > c.width {
			x, y = left, y+row
		}
		if k.circle {
			c.circle(k.class, x+sign/2, y-radius)
		} else {
			c.line(k.class, x, y-radius, x+sign-4, y-radius)
		}
		c.text("start", x+sign, y, k.text)
		x += w
	}
	return y + row/2
}

// grid draws the axes of a field, with their titles: the vertical one's above it.
func (c *canvas) grid(x, y axis) {
	for _, v := range x.ticks {
		c.line("grid", x.at(v), y.from, x.at(v), y.to)
		c.text("middle", x.at(v), y.from+20, x.show(v))
	}
	c.text("middle", (x.from+x.to)/2, y.from+36, x.title)
	for _, v := range y.ticks {
		c.line("grid", x.from, y.at(v), x.to, y.at(v))
		c.text("end", x.from-6, y.at(v)+4, y.show(v))
	}
	c.text("start", 4, y.to-14, y.title)
}
