package findings

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"tribunal/internal/chart/charttest"
	"tribunal/judge/cli/layout"
	"tribunal/judge/cli/layout/layouttest"
	"tribunal/judge/internal/document"
	"tribunal/judge/lab/grow"
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

// TestGrowth compares the report that docs/calibrate.md shows, and one with a program that is stopped, with golden files.
func TestGrowth(t *testing.T) {
	t.Parallel()
	const us, ms = time.Microsecond, time.Millisecond
	points := func(used int, medians ...time.Duration) (list []grow.Point) {
		sizes := []int{500, 2000, 4500, 8000, 12500, 32000, 50000}
		bytes := []int{11396, 15896, 23396, 33896, 47396, 105896, 161005}
		for i, m := range medians {
			spread := m / 50
			list = append(list, grow.Point{
				Size: sizes[i], Bytes: bytes[i], At: float64(sizes[i]), Median: m, Used: i >= used,
				Runs: []time.Duration{m - spread, m, m + spread},
			})
		}
		return list
	}
	r := &grow.Report{
		Problem: "dicey", Title: "A Dicey Problem", Family: "field", Others: []string{"random", "thin", "none", "length", "lines", "revisit", "wide", "lies", "names"}, Seeds: 3, By: grow.BySize,
		Limit: time.Second, Beyond: time.Second,
		Programs: []grow.Program{
			{
				Name: "reference/dicey", Reference: true, Start: 1900 * us,
				Points: points(1, 1940*us, 2100*us, 2300*us, 2900*us, 3800*us, 5600*us, 11*ms),
				Fit:    &grow.Fit{Exponent: 0.86, Low: 0.79, High: 0.93, Scale: 800, Sizes: 6, LimitAt: 12.7e6},
			},
			{
				Name: "depth_first.cpp", Start: 2 * ms, Judged: 21,
				Points: points(1, 2050*us, 2200*us, 2500*us, 3300*us, 4800*us, 7500*us, 15*ms),
				Fit:    &grow.Fit{Exponent: 0.87, Low: 0.81, High: 0.93, Scale: 1100, Sizes: 6, LimitAt: 7.54e6},
			},
		},
	}
	stopped := *r
	stopped.Programs = append(slices.Clone(r.Programs), grow.Program{
		Name: "slow.py", Start: 20 * ms, Points: points(3, 30*ms, 140*ms, 490*ms),
		NoFit: "too few sizes take longer than the noise", Ended: "used more CPU time than 1s at size 2000",
	})
	stopped.Programs[1].Wrong = 1
	last := &stopped.Programs[2].Points[2]
	last.Over, last.Runs = true, []time.Duration{time.Second}
	for _, tt := range []struct {
		name string
		r    *grow.Report
	}{{"grow.txt", r}, {"grow-stopped.txt", &stopped}} {
		var text strings.Builder
		if err := Growth(&text, tt.r, GrowOptions{}); err != nil {
			t.Fatal(err)
		}
		layouttest.Golden(t, tt.name, text.String())
	}
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
		lines := newPlot(r, width).draw(&layout.Page{})
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
