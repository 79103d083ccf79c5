package main

import (
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// A drawing is what a test reads back from a picture.
type drawing struct {
	width, height float64
	field         box // within the lines of the grid that go all the way
	circles       []box
	texts         []box
	names         []string
}

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
				b := box{number("x1"), number("y1"), number("x2"), number("y2")}
				if attr["class"] != "grid" {
					break
				}
				if d.field == (box{}) { // the first is the left edge, from below
					d.field = box{b.left, b.bottom, b.left, b.top}
				}
				if b.top == d.field.bottom && b.bottom == d.field.top {
					d.field.right = max(d.field.right, b.right)
				}
			case "circle":
				cx, cy := number("cx"), number("cy")
				d.circles = append(d.circles, box{cx, cy, cx, cy})
			case "text":
				anchor, x, y = attr["text-anchor"], number("x"), number("y")
			}
		case xml.CharData:
			if anchor != "" && strings.TrimSpace(string(e)) != "" {
				d.texts = append(d.texts, textBox(anchor, x, y, string(e)))
				d.names = append(d.names, string(e))
			}
		case xml.EndElement:
			anchor = ""
		}
	}
}

// check requires that so many points are inside the axes, and that every text is in
// the picture and hides no other.
func (d drawing) check(t *testing.T, what string, points int) {
	t.Helper()
	inside := 0
	for _, c := range d.circles {
		if d.field.holds(c) {
			inside++
		} else if c.top >= d.field.top-radius {
			t.Errorf("%s: a point at %v is outside the axes %v", what, c, d.field)
		}
	}
	if inside != points {
		t.Errorf("%s: %d points, want %d", what, inside, points)
	}
	page := box{0, 0, d.width, d.height}
	for i, b := range d.texts {
		if !page.holds(b) {
			t.Errorf("%s: %q is not wholly in the picture", what, d.names[i])
		}
		for j, o := range d.texts[:i] {
			if b.meets(o) {
				t.Errorf("%s: %q is written over %q", what, d.names[i], d.names[j])
			}
		}
	}
}

var pictures = flag.Int("pictures", 200, "how many random pictures are drawn")

// TestPictures draws random measurements, tiny and huge, with and without baselines.
func TestPictures(t *testing.T) {
	t.Parallel()
	for seed := range uint64(*pictures) {
		rnd := rand.New(rand.NewPCG(seed, 6))
		widest := rnd.Float64() * 9 // up to 10 s
		value := func() float64 { return math.Pow(10, 1+rnd.Float64()*widest) }
		name := func(i int) string { return fmt.Sprintf("%s-%d", strings.Repeat("n", 1+rnd.IntN(30)), i) }
		p := &problem{id: "marble", procs: 1 + rnd.IntN(8)}
		puzzlePoints, boardPoints, threadPoints := 0, 0, 0
		for i := range 2 + rnd.IntN(11) {
			r := &result{bench: "Solve", family: name(i)}
			for range 1 + rnd.IntN(3) {
				r.add("ns/puzzle", value())
			}
			puzzlePoints++
			if rnd.IntN(2) == 0 {
				r.add("worst-ns/puzzle", value())
				puzzlePoints++
			}
			if rnd.IntN(2) == 0 {
				r.add("x-baseline", math.Pow(10, rnd.Float64()*5-1))
				puzzlePoints++
			}
			b := &result{bench: "Boards", family: name(i)}
			b.add("ns/op", value())
			b.add("positions", math.Ceil(value()))
			boardPoints++
			if rnd.IntN(2) == 0 {
				b.add("x-baseline", math.Pow(10, rnd.Float64()*5-1))
				boardPoints++
			}
			p.results = append(p.results, r, b)
		}
		for i := range 1 + rnd.IntN(8) {
			board := name(i)
			for n := 1; n <= 64; n *= 2 {
				if n > 1 && rnd.IntN(3) == 0 {
					continue
				}
				r := &result{bench: "Threads", family: fmt.Sprintf("%s/%d", board, n)}
				r.add("ns/op", 1e9+rnd.Float64()*1e9)
				if rnd.IntN(2) == 0 {
					r.add("speed-up", rnd.Float64()*8)
				}
				p.results = append(p.results, r)
				threadPoints++
			}
		}
		points := []int{puzzlePoints, boardPoints, threadPoints}
		for i, c := range charts(p) {
			readBack(t, c.svg).check(t, fmt.Sprintf("%s of seed %d", c.name, seed), points[i])
			if again := charts(p)[i]; string(again.svg) != string(c.svg) {
				t.Errorf("%s of seed %d is another one the second time", c.name, seed)
			}
		}
		if t.Failed() {
			return
		}
	}
}

// TestTicks wants few round numbers that leave no value out.
func TestTicks(t *testing.T) {
	t.Parallel()
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		low := math.Pow(10, rnd.Float64()*40-20)
		high := low * math.Pow(10, rnd.Float64()*rnd.Float64()*20)
		if rnd.IntN(4) == 0 { // round values, and the same one twice
			low = math.Pow10(rnd.IntN(20) - 10)
			high = low * math.Pow10(rnd.IntN(3))
		}
		for what, ticks := range map[string][]float64{"log": logTicks(low, high), "linear": linearTicks(high)} {
			last := ticks[len(ticks)-1]
			if len(ticks) < 2 || len(ticks) > mostTicks || !slices.IsSorted(ticks) || last < high || what == "log" && (ticks[0] > low || ticks[0] <= 0) || what == "linear" && ticks[0] != 0 {
				t.Fatalf("%s ticks from %v to %v: %v", what, low, high, ticks)
			}
		}
	}
	if got, want := logTicks(3, 60), []float64{2, 5, 10, 20, 50, 100}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got, want := logTicks(3, 60_000), []float64{1, 10, 100, 1000, 10_000, 100_000}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got, want := linearTicks(1.9), []float64{0, 0.5, 1, 1.5, 2}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestLabel names a point where there is room, or not at all.
func TestLabel(t *testing.T) {
	t.Parallel()
	const x, y = 200, 100
	field := box{0, 0, 400, 200}
	for _, tt := range []struct {
		why   string
		taken []box
		want  string // part of the text
	}{
		{"nothing is there", nil, `x="208" y="104"`},
		{"something is at the right", []box{{202, 90, 230, 110}}, `x="192" y="104"`},
		{"there is room only above at the left", []box{{201, 70, 300, 130}, {100, 97, 199, 140}}, `x="194" y="92"`},
		{"there is room only above at the right", []box{{100, 70, 199, 130}, {201, 97, 300, 140}}, `x="206" y="92"`},
		{"everything is taken", []box{field}, ""},
	} {
		c := &canvas{width: width}
		c.label(x, y, "a-board", field, tt.taken)
		if got := c.body.String(); tt.want == "" && got != "" || !strings.Contains(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.why, got, tt.want)
		}
	}
}
