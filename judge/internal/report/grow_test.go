package report

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"tribunal/internal/chart/charttest"
	"tribunal/judge/internal/document"
	"tribunal/judge/internal/grow"
)

// grown returns a report with random measurements, and the number of points that stand out.
func grown(rnd *rand.Rand) (r *grow.Report, visible int) {
	r = &grow.Report{
		Problem: "maze", Title: "Maze", Family: "dense", Seeds: 1 + rnd.IntN(3),
		Limit: time.Second, Beyond: time.Second, By: []string{grow.BySize, grow.ByBytes}[rnd.IntN(2)],
	}
	for i := range 1 + rnd.IntN(10) {
		p := grow.Program{Name: strings.Repeat("n", 1+rnd.IntN(30)) + ".cpp", Reference: i == 0, Start: time.Duration(rnd.Int64N(int64(50 * time.Millisecond)))}
		scale, exponent := math.Pow(10, 3+4*rnd.Float64()), 3*rnd.Float64()
		for size := 1; size <= 1<<rnd.IntN(12); size *= 2 {
			t := time.Duration(scale * math.Pow(float64(size), exponent))
			pt := grow.Point{Size: size, Bytes: 3 * size, At: float64(size), Used: t > 2*time.Millisecond}
			if t > r.Beyond {
				t, pt.Used, pt.Over = r.Beyond, false, true
			}
			for range r.Seeds {
				pt.Runs = append(pt.Runs, p.Start+t)
			}
			pt.Median = p.Start + t
			if p.Points = append(p.Points, pt); pt.Used || pt.Over && t > p.Start {
				visible++
			}
			if pt.Over {
				break
			}
		}
		p.NoFit = "none"
		if rnd.IntN(3) > 0 {
			p.NoFit, p.Fit = "", &grow.Fit{Exponent: exponent, Low: exponent - 0.1, High: exponent + 0.1, Scale: document.Number(scale), Sizes: 3}
		}
		r.Programs = append(r.Programs, p)
	}
	return r, visible
}

// TestGrowthPictures checks pictures of random measurements: all points that stand out lie between
// the axes, and no text hides another.
func TestGrowthPictures(t *testing.T) {
	t.Parallel()
	for seed := range uint64(200) {
		r, visible := grown(rand.New(rand.NewPCG(seed, 11)))
		svg := GrowthSVG(r)
		if (svg == nil) != (visible == 0) {
			t.Fatalf("seed %d: picture of %d points: %v", seed, visible, svg != nil)
		}
		if svg != nil {
			charttest.Check(t, svg, "growth", visible)
		}
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

// TestGrowthText checks that plots of random measurements fit into the width.
func TestGrowthText(t *testing.T) {
	t.Parallel()
	for seed := range uint64(200) {
		rnd := rand.New(rand.NewPCG(seed, 12))
		r, visible := grown(rnd)
		width := 40 + rnd.IntN(100)
		lines := newPlot(r, width).draw(&page{})
		if (len(lines) == 0) != (visible == 0) {
			t.Fatalf("seed %d: plot of %d points has %d lines", seed, visible, len(lines))
		}
		for _, l := range lines[:max(len(lines)-1, 0)] { // the last is the legend
			if n := utf8.RuneCountInString(l.String()); n > width {
				t.Errorf("seed %d: %d columns of %d: %s", seed, n, width, l)
			}
		}
		var text strings.Builder
		if err := Growth(&text, r, GrowOptions{Width: width}); err != nil {
			t.Fatal(err)
		}
		for l := range strings.Lines(text.String()) {
			if strings.HasSuffix(l, " \n") {
				t.Errorf("seed %d: a line ends in blanks: %q", seed, l)
			}
		}
		if t.Failed() {
			return
		}
	}
}
