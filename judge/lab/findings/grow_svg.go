package findings

import (
	"fmt"

	"tribunal/internal/chart"
	"tribunal/judge/lab/grow"
)

// GrowthSVG returns the plot of growth as an SVG picture, or nil if no time stands out.
func GrowthSVG(r *grow.Report) []byte {
	g, ok := growAxes(r)
	if !ok {
		return nil
	}
	const width, height = 720, 360
	c := &chart.Canvas{Width: width}
	var keys []chart.Key
	for i := range r.Programs {
		q := &r.Programs[i]
		text := growName(q)
		if q.Fit != nil {
			text += fmt.Sprintf(": %s^%.2f", r.By, q.Fit.Exponent)
		}
		keys = append(keys, chart.Key{Class: series(i), Text: text, Circle: true})
	}
	limited := withinLimit(g.y, r.Limit)
	if limited {
		keys = append(keys, chart.Key{Class: "ideal", Text: "the limit"})
	}
	top := c.Legend(4, 0, keys) + 26
	c.Height = top + height + 42
	g.y.From, g.y.To = top+height, top
	g.x.From, g.x.To = g.y.Room(), width-40
	c.Grid(g.x, g.y)
	if limited {
		c.Line("ideal", g.x.From, g.y.At(float64(r.Limit)), g.x.To, g.y.At(float64(r.Limit)))
	}
	for i := range r.Programs {
		q := &r.Programs[i]
		if from, to := fitEnds(q); q.Fit != nil {
			c.Way(series(i)+" ideal", g.curve(q, from, to))
		}
		for k := range q.Points {
			if pt := &q.Points[k]; standsOut(q, pt) {
				g.point(c, q, pt, series(i))
			}
		}
	}
	return c.File("CPU time of " + r.Problem + " by " + r.By + ", inputs of " + r.Family)
}

func series(i int) string { return fmt.Sprintf("c%d", i%chart.Colours) }

// curve returns points on the fitted curve between two sizes, within the plotting area.
func (g *growGrid) curve(q *grow.Program, from, to float64) (points [][2]float64) {
	const steps = 32
	for i := range steps + 1 {
		size := from + (to-from)*float64(i)/steps
		t := float64(q.Fit.At(size))
		if t >= g.y.Ticks[0] && t <= g.y.Ticks[len(g.y.Ticks)-1] {
			points = append(points, [2]float64{g.x.At(size), g.y.At(t)})
		}
	}
	return points
}

// point draws the median and the range of a point's times, minus the time for an empty input. The
// mark of a run that was stopped is an open circle.
func (g *growGrid) point(c *chart.Canvas, q *grow.Program, pt *grow.Point, class string) {
	x, y := g.x.At(pt.At), g.y.At(beyondStart(q, pt))
	if pt.Over {
		c.Circle(class+" open", x, y)
		return
	}
	at := func(i int) float64 {
		return g.y.At(min(max(float64(pt.Runs[i]-q.Start), g.y.Ticks[0]), g.y.Ticks[len(g.y.Ticks)-1]))
	}
	c.Line(class+" spread", x, at(0), x, at(len(pt.Runs)-1))
	c.Circle(class, x, y)
}
