package report

import (
	"fmt"
	"io"
	"path/filepath"
	"time"

	"tribunal/internal/chart"
	"tribunal/judge/internal/grow"
	"tribunal/judge/internal/tty"
)

// GrowOptions say how a [Growth] is shown.
type GrowOptions struct {
	Color bool
	Width int // columns; 0 means 80
}

// Growth writes how programs grow, for people: what the times grow by, a table of them
// and a plot.
func Growth(w io.Writer, r *grow.Report, o GrowOptions) error {
	p := &page{color: o.Color}
	p.printf("%s: %s; inputs of %s, %d of each size\n", p.paint(strong, word(r.Problem)), word(r.Title), word(r.Family), r.Seeds)
	if len(r.Others) > 0 {
		p.printf("%s\n", p.paint(dim, "--gen takes another family: "+some(r.Others, maxFamilies)))
	}
	p.printf("limit: cpu %s; runs are stopped at %s\n", duration(r.Limit), duration(r.Beyond))
	for _, n := range r.Notes {
		p.printf("note: %s\n", word(n))
	}
	p.printf("\n")
	growths(p, r)
	p.printf("\n")
	grownPoints(p, r)
	if lines := newPlot(r, o.Width).draw(p); len(lines) > 0 {
		p.printf("\n")
		for _, l := range lines {
			p.printf("%s\n", l)
		}
	}
	return p.write(w)
}

// maxFamilies is how many other families are named.
const maxFamilies = 12

// growths tells what each program's time grows by.
func growths(p *page, r *grow.Report) {
	rows := [][]cell{{{"program", strong, false}, {"start", strong, true}, {"grows by", strong, false}, {"95 % sure", strong, false}, {"sizes", strong, true}, {"at the limit", strong, false}}}
	var notes []string
	for i := range r.Programs {
		q := &r.Programs[i]
		row := []cell{{string(sign(i)) + " " + growName(q), seriesLook(i), false}, {duration(q.Start), plain, true}}
		if f := q.Fit; f == nil {
			used := 0
			for _, pt := range q.Points {
				if pt.Used {
					used++
				}
			}
			row = append(row, cell{"not known", dim, false}, cell{}, cell{fmt.Sprint(used), plain, true})
			notes = append(notes, fmt.Sprintf("%s: %s%s", growName(q), q.NoFit, advice(r, q)))
		} else {
			row = append(row, cell{fmt.Sprintf("%s^%.2f", r.By, f.Exponent), strong, false},
				cell{fmt.Sprintf("%.2f to %.2f", f.Low, f.High), plain, false}, cell{fmt.Sprint(f.Sizes), plain, true}, cell{atLimit(r, q), plain, false})
			if f.Doubling > 0 {
				notes = append(notes, fmt.Sprintf("%s: grows rather by powers, twice as long for each %s more", growName(q), chart.Digits(f.Doubling)))
			}
		}
		if q.Ended != "" {
			notes = append(notes, fmt.Sprintf("%s: %s, and was not run on larger ones", growName(q), word(q.Ended)))
		}
		if q.Wrong > 0 {
			notes = append(notes, fmt.Sprintf("%s: %d of %s compared with the reference are wrong", growName(q), q.Wrong, Count(q.Judged, "output")))
		}
		rows = append(rows, row)
	}
	p.table("", rows)
	for _, n := range notes {
		p.printf("%s\n", n)
	}
}

// advice tells how there may be a fit.
func advice(r *grow.Report, q *grow.Program) string {
	if n := len(q.Points); n > 0 && q.Points[n-1].Over {
		return " (hint: --beyond lets it run longer; --gen and --sizes give smaller steps)"
	}
	return ""
}

// atLimit tells the size at which a program reaches the limit, by its fit.
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
	return word(filepath.Base(q.Name))
}

// points lists the times by size.
func grownPoints(p *page, r *grow.Report) {
	head := []cell{{"size", strong, true}, {"bytes", strong, true}}
	for i := range r.Programs {
		head = append(head, cell{tty.Paint(tty.Plain, growName(&r.Programs[i])).Cut(24).String(), strong, true}, cell{})
	}
	rows := [][]cell{head}
	longest := 0 // who has climbed highest has seen every size
	for i := range r.Programs {
		if len(r.Programs[i].Points) > len(r.Programs[longest].Points) {
			longest = i
		}
	}
	for k, top := range r.Programs[longest].Points {
		row := []cell{{fmt.Sprint(top.Size), plain, true}, {fmt.Sprint(top.Bytes), dim, true}}
		for i := range r.Programs {
			q := &r.Programs[i]
			if k >= len(q.Points) || q.Points[k].Size != top.Size {
				row = append(row, cell{}, cell{})
				continue
			}
			row = append(row, timeCells(&q.Points[k])...)
		}
		rows = append(rows, row)
	}
	p.table("", rows)
	p.printf("%s\n", p.paint(dim, "dim times do not stand out from the start, and take no part in the fit"))
}

func timeCells(pt *grow.Point) []cell {
	if pt.Over {
		return []cell{{"≥ " + duration(pt.Runs[len(pt.Runs)-1]), bad, true}, {}}
	}
	look := plain
	if !pt.Used {
		look = dim
	}
	spread := ""
	if low, high := pt.Runs[0], pt.Runs[len(pt.Runs)-1]; high > low && pt.Median > 0 {
		spread = fmt.Sprintf("±%.0f %%", 50*float64(high-low)/float64(pt.Median))
	}
	return []cell{{duration(pt.Median), look, true}, {spread, dim, true}}
}

// beyondStart returns the time of a point that the size makes, in ns, or 0 if it is not
// more than nothing.
func beyondStart(q *grow.Program, pt *grow.Point) float64 {
	t := pt.Median - q.Start
	if pt.Over {
		t = pt.Runs[len(pt.Runs)-1] - q.Start
	}
	return float64(max(t, 0))
}

// A grid is what a plot of growth is drawn on, in characters or in a picture.
type growGrid struct {
	x, y chart.Axis
}

// growAxes returns the axes that hold all points that stand out, and the limit where it
// is not far away; false if there are none.
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
	g.y = chart.Axis{Title: "CPU time beyond the start", Ticks: chart.LogTicks(low, high), Show: chart.Duration, Log: true}
	return g, true
}

// standsOut reports whether a point stands out from the start.
func standsOut(q *grow.Program, pt *grow.Point) bool {
	return (pt.Used || pt.Over) && beyondStart(q, pt) > 0
}

// ends returns the least and the largest size of the points that a program's fit holds.
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

// withinLimit reports whether the limit has a place on an axis.
func withinLimit(a chart.Axis, limit time.Duration) bool {
	return a.Ticks[0] <= float64(limit) && float64(limit) <= a.Ticks[len(a.Ticks)-1]
}
