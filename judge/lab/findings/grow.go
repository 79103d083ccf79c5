package findings

import (
	"fmt"
	"io"
	"path/filepath"
	"time"

	"tribunal/internal/chart"
	"tribunal/judge/cli/layout"
	"tribunal/judge/internal/tty"
	"tribunal/judge/lab/grow"
)

// GrowOptions are the options of [Growth].
type GrowOptions struct {
	Color bool
	Width int // columns; 0 means 80
}

// Growth writes the growth of the programs' times as text: the fitted powers, a table and a plot.
func Growth(w io.Writer, r *grow.Report, o GrowOptions) error {
	p := &layout.Page{Color: o.Color}
	p.Printf("%s: %s; inputs of %s, %d of each size\n", p.Paint(layout.Strong, layout.Word(r.Problem)), layout.Word(r.Title), layout.Word(r.Family), r.Seeds)
	if len(r.Others) > 0 {
		p.Printf("%s\n", p.Paint(layout.Dim, "other families for --gen: "+layout.FirstOf(r.Others, maxFamilies)))
	}
	p.Printf("limit: cpu %s; runs are stopped at %s\n", layout.Duration(r.Limit), layout.Duration(r.Beyond))
	for _, n := range r.Notes {
		p.Printf("note: %s\n", layout.Word(n))
	}
	p.Printf("\n")
	growths(p, r)
	p.Printf("\n")
	grownPoints(p, r)
	if lines := newPlot(r, o.Width).draw(p); len(lines) > 0 {
		p.Printf("\n")
		for _, l := range lines {
			p.Printf("%s\n", l)
		}
	}
	return p.Write(w)
}

// maxFamilies is the largest number of other families that are named.
const maxFamilies = 12

// growths adds a table with the power of the size by which each program's time grows.
func growths(p *layout.Page, r *grow.Report) {
	rows := [][]layout.Cell{{layout.Left("program", layout.Strong), layout.Right("start", layout.Strong), layout.Left("grows as", layout.Strong), layout.Left("95 % range", layout.Strong), layout.Right("sizes", layout.Strong), layout.Left("at the limit", layout.Strong)}}
	var notes []string
	for i := range r.Programs {
		q := &r.Programs[i]
		row := []layout.Cell{layout.Left(string(sign(i))+" "+growName(q), seriesLook(i)), layout.Right(layout.Duration(q.Start), layout.Plain)}
		if f := q.Fit; f == nil {
			used := 0
			for _, pt := range q.Points {
				if pt.Used {
					used++
				}
			}
			row = append(row, layout.Left("unknown", layout.Dim), layout.Cell{}, layout.Right(fmt.Sprint(used), layout.Plain))
			notes = append(notes, fmt.Sprintf("%s: %s%s", growName(q), q.NoFit, advice(r, q)))
		} else {
			row = append(row, layout.Left(fmt.Sprintf("%s^%.2f", r.By, f.Exponent), layout.Strong),
				layout.Left(fmt.Sprintf("%.2f to %.2f", f.Low, f.High), layout.Plain), layout.Right(fmt.Sprint(f.Sizes), layout.Plain), layout.Left(atLimit(r, q), layout.Plain))
			if f.Doubling > 0 {
				notes = append(notes, fmt.Sprintf("%s: the growth looks exponential, the time doubles for each %s more", growName(q), chart.Digits(f.Doubling)))
			}
		}
		if q.Ended != "" {
			notes = append(notes, fmt.Sprintf("%s: %s, not run on larger inputs", growName(q), layout.Word(q.Ended)))
		}
		if q.Wrong > 0 {
			notes = append(notes, fmt.Sprintf("%s: %d of %s differ from the reference", growName(q), q.Wrong, layout.Count(q.Judged, "output")))
		}
		rows = append(rows, row)
	}
	p.Table("", rows)
	for _, n := range notes {
		p.Printf("%s\n", n)
	}
}

// advice returns a hint on how to get enough measurements for a fit, or "".
func advice(r *grow.Report, q *grow.Program) string {
	if n := len(q.Points); n > 0 && q.Points[n-1].Over {
		return " (hint: --beyond lets the program run longer; --gen and --sizes give smaller steps)"
	}
	return ""
}

// atLimit returns the size at which a program reaches the limit, according to its fit.
func atLimit(r *grow.Report, q *grow.Program) string {
	size := q.Fit.LimitAt
	if size == 0 {
		return "not in sight"
	}
	text := "size " + chart.Count(size)
	if r.By == grow.ByBytes {
		text = chart.Count(size) + " bytes"
	}
	if size > q.Points[len(q.Points)-1].At {
		return text + ", by the fit"
	}
	return text
}

func growName(q *grow.Program) string {
	if q.Reference {
		return "the reference"
	}
	return layout.Word(filepath.Base(q.Name))
}

// grownPoints adds the table of times by size.
func grownPoints(p *layout.Page, r *grow.Report) {
	head := []layout.Cell{layout.Right("size", layout.Strong), layout.Right("bytes", layout.Strong)}
	for i := range r.Programs {
		head = append(head, layout.Right(tty.Paint(tty.Plain, growName(&r.Programs[i])).Cut(24).String(), layout.Strong), layout.Cell{})
	}
	rows := [][]layout.Cell{head}
	longest := 0 // the program with the most points, which has run on every size
	for i := range r.Programs {
		if len(r.Programs[i].Points) > len(r.Programs[longest].Points) {
			longest = i
		}
	}
	for k, top := range r.Programs[longest].Points {
		row := []layout.Cell{layout.Right(fmt.Sprint(top.Size), layout.Plain), layout.Right(fmt.Sprint(top.Bytes), layout.Dim)}
		for i := range r.Programs {
			q := &r.Programs[i]
			if k >= len(q.Points) || q.Points[k].Size != top.Size {
				row = append(row, layout.Cell{}, layout.Cell{})
				continue
			}
			row = append(row, timeCells(&q.Points[k])...)
		}
		rows = append(rows, row)
	}
	p.Table("", rows)
	p.Printf("%s\n", p.Paint(layout.Dim, "dim times are hardly longer than for an empty input and are left out of the fit"))
}

// timeCells returns the cells for the median time of a point and its spread.
func timeCells(pt *grow.Point) []layout.Cell {
	if pt.Over {
		return []layout.Cell{layout.Right("≥ "+layout.Duration(pt.Runs[len(pt.Runs)-1]), layout.Bad), {}}
	}
	look := layout.Plain
	if !pt.Used {
		look = layout.Dim
	}
	spread := ""
	if low, high := pt.Runs[0], pt.Runs[len(pt.Runs)-1]; high > low && pt.Median > 0 {
		spread = fmt.Sprintf("±%.0f %%", 50*float64(high-low)/float64(pt.Median))
	}
	return []layout.Cell{layout.Right(layout.Duration(pt.Median), look), layout.Right(spread, layout.Dim)}
}

// beyondStart returns the time of a point minus the time for an empty input, in ns; at least 0.
func beyondStart(q *grow.Program, pt *grow.Point) float64 {
	t := pt.Median - q.Start
	if pt.Over {
		t = pt.Runs[len(pt.Runs)-1] - q.Start
	}
	return float64(max(t, 0))
}

// A growGrid holds the axes of a plot of growth, in text or in a picture.
type growGrid struct {
	x, y chart.Axis
}

// growAxes returns axes that hold all points that stand out, and the limit unless it is far away.
// ok is false if no point stands out.
func growAxes(r *grow.Report) (g growGrid, ok bool) {
	var sizes, times []float64
	for i := range r.Programs {
		q := &r.Programs[i]
		for k := range q.Points {
			if pt := &q.Points[k]; standsOut(q, pt) {
				sizes, times = append(sizes, pt.At), append(times, beyondStart(q, pt))
			}
		}
	}
	low, high, ok := chart.Range(times)
	if !ok {
		return g, false
	}
	if limit := float64(r.Limit); limit > high && limit < 100*high {
		high = limit
	}
	least, most, _ := chart.Range(sizes)
	g.x = chart.Axis{Title: r.By, Ticks: chart.LogTicks(least, most), Show: chart.Count, Log: true}
	g.y = chart.Axis{Title: "CPU time without the start", Ticks: chart.LogTicks(low, high), Show: chart.Duration, Log: true}
	return g, true
}

// standsOut reports whether the time of a point is clearly longer than that of an empty input.
func standsOut(q *grow.Program, pt *grow.Point) bool {
	return (pt.Used || pt.Over) && beyondStart(q, pt) > 0
}

// fitEnds returns the smallest and the largest size among the points of a program's fit.
func fitEnds(q *grow.Program) (from, to float64) {
	for _, pt := range q.Points {
		if pt.Used {
			if from == 0 {
				from = pt.At
			}
			to = pt.At
		}
	}
	return from, to
}

// withinLimit reports whether the limit lies on an axis.
func withinLimit(a chart.Axis, limit time.Duration) bool {
	return a.Ticks[0] <= float64(limit) && float64(limit) <= a.Ticks[len(a.Ticks)-1]
}
