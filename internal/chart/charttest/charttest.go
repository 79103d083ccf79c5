// Package charttest checks pictures in tests.
package charttest

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"testing"

	"tribunal/internal/chart"
)

// Check checks that a picture has the given number of circles between its axes and none outside,
// and that its texts lie in the picture and do not overlap. Circles above the axes belong to the
// legend. Errors begin with the text what.
func Check(t *testing.T, svg []byte, what string, points int) {
	t.Helper()
	d := readBack(t, svg)
	inside := 0
	for _, c := range d.circles {
		if d.field.Holds(c) {
			inside++
		} else if c.Top >= d.field.Top-chart.Radius {
			t.Errorf("%s: the point %v is outside of the axes %v", what, c, d.field)
		}
	}
	if inside != points {
		t.Errorf("%s: %d points, want %d", what, inside, points)
	}
	page := chart.Box{Right: d.width, Bottom: d.height}
	for i, b := range d.texts {
		if !page.Holds(b) {
			t.Errorf("%s: %q is not wholly in the picture", what, d.names[i])
		}
		for j, o := range d.texts[:i] {
			if b.Meets(o) {
				t.Errorf("%s: %q overlaps %q", what, d.names[i], d.names[j])
			}
		}
	}
}

// drawing is the content of a picture.
type drawing struct {
	width, height float64
	field         chart.Box // the area between the axes, from the vertical grid lines
	circles       []chart.Box
	texts         []chart.Box
	names         []string // the contents of texts
}

// readBack parses a picture.
func readBack(t *testing.T, svg []byte) drawing {
	t.Helper()
	var d drawing
	decoder := xml.NewDecoder(strings.NewReader(string(svg)))
	var anchor string
	var x, y float64
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return d
		}
		if err != nil {
			t.Fatalf("%v\n%s", err, svg)
		}
		switch e := token.(type) {
		case xml.StartElement:
			attr := map[string]string{}
			for _, a := range e.Attr {
				attr[a.Name.Local] = a.Value
			}
			number := func(name string) float64 {
				v, err := strconv.ParseFloat(attr[name], 64)
				if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
					t.Fatalf("%s of %s is %q\n%s", name, e.Name.Local, attr[name], svg)
				}
				return v
			}
			anchor = ""
			switch e.Name.Local {
			case "svg":
				if _, err := fmt.Sscanf(attr["viewBox"], "0 0 %g %g", &d.width, &d.height); err != nil {
					t.Fatal(err)
				}
			case "line":
				b := chart.Box{Left: number("x1"), Top: number("y1"), Right: number("x2"), Bottom: number("y2")}
				if attr["class"] != "grid" {
					break
				}
				if d.field == (chart.Box{}) { // the first is the left edge, drawn upwards
					d.field = chart.Box{Left: b.Left, Top: b.Bottom, Right: b.Left, Bottom: b.Top}
				}
				if b.Top == d.field.Bottom && b.Bottom == d.field.Top {
					d.field.Right = max(d.field.Right, b.Right)
				}
			case "circle":
				cx, cy := number("cx"), number("cy")
				d.circles = append(d.circles, chart.Box{Left: cx, Top: cy, Right: cx, Bottom: cy})
			case "text":
				anchor, x, y = attr["text-anchor"], number("x"), number("y")
			}
		case xml.CharData:
			if anchor != "" && strings.TrimSpace(string(e)) != "" {
				d.texts = append(d.texts, chart.TextBox(anchor, x, y, string(e)))
				d.names = append(d.names, string(e))
			}
		case xml.EndElement:
			anchor = ""
		}
	}
}
