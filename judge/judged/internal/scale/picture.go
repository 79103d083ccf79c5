package scale

import (
	"fmt"
	"time"

	"tribunal/internal/chart"
)

type Picture struct {
	Name string // of its file, without the extension
	SVG  []byte
}

// Pictures draws a curve, which must have at least two points: the verdicts, how busy the stations are,
// and the times, each against the number of workers.
func (c *Curve) Pictures() []Picture {
	return []Picture{{"verdicts", c.verdicts()}, {"busy", c.busy()}, {"times", c.times()}}
}

// series is a line of a picture, with a value for each point of the curve. Values of 0 are left out.
type series struct {
	class, name string
	values      []float64
}

// ideal is the class of a line without points.
const ideal = "ideal"

// collect returns a value of each point.
func (c *Curve) collect(of func(*Point) float64) (values []float64) {
	for i := range c.Points {
		values = append(values, of(&c.Points[i]))
	}
	return values
}

func (c *Curve) verdicts() []byte {
	got := c.collect(func(p *Point) float64 { return p.Verdicts })
	offered := c.collect(func(p *Point) float64 { return p.Offered })
	return c.draw("Verdicts per second", "verdicts per second", chart.Count, []series{{ideal, "handed in", offered}, {"c0", "judged", got}})
}

func (c *Curve) times() []byte {
	of := func(of func(*Point) time.Duration) []float64 {
		return c.collect(func(p *Point) float64 { return float64(of(p)) })
	}
	judged := func(p *Point) time.Duration {
		if p.Grows {
			return 0 // the few that were judged say nothing about the others
		}
		return p.Judged
	}
	all := []series{
		{"c0", "submissions judged", of(judged)},
		{"c1", "submissions taken", of(func(p *Point) time.Duration { return p.Taken })},
	}
	if c.fetches() {
		all = append(all, series{"c2", "the hot package fetched, by the slowest worker", of(func(p *Point) time.Duration { return p.Fetched })})
	}
	return c.draw("Times of submissions", "within which 95 of 100 were", chart.Duration, all)
}

// busy draws the busiest stations, as many as there are colours, with the slots.
func (c *Curve) busy() []byte {
	shown := c.Busiest()
	shown = append([]Busy{{Station: slotsStation}}, shown[:min(len(shown), chart.Colours-1)]...)
	var all []series
	for i, s := range shown {
		share := c.collect(func(p *Point) float64 { return 100 * p.of(s.Station).Share })
		all = append(all, series{fmt.Sprint("c", i), s.Station, share})
	}
	return c.draw("Busy stations", "% of the time", chart.Tick, all)
}

// draw draws series over the numbers of workers. Both axes are logarithmic.
func (c *Curve) draw(title, unit string, show func(float64) string, all []series) []byte {
	const fieldHeight, width = 260, 720
	canvas := &chart.Canvas{Width: width}
	var keys []chart.Key
	var values []float64
	for _, s := range all {
		keys = append(keys, chart.Key{Class: s.class, Text: s.name, Circle: s.class != ideal})
		values = append(values, s.values...)
	}
	top := canvas.Legend(4, 0, keys) + 26
	canvas.Height = top + fieldHeight + 42
	low, high, _ := chart.Range(values)
	workers := c.collect(func(p *Point) float64 { return float64(p.Workers) })
	y := chart.Axis{Title: unit, Ticks: chart.LogTicks(low, high), Show: show, Log: true, From: top + fieldHeight, To: top}
	x := chart.Axis{Title: "workers", Ticks: chart.LogTicks(workers[0], workers[len(workers)-1]), Show: chart.Count, Log: true, From: y.Room(), To: width - 40}
	canvas.Grid(x, y)
	for _, s := range all {
		var way [][2]float64
		for i, v := range s.values {
			if v > 0 {
				way = append(way, [2]float64{x.At(workers[i]), y.At(v)})
			}
		}
		if s.class == ideal {
			canvas.Way(ideal, way)
			continue
		}
		canvas.Way(s.class+" way", way)
		for _, p := range way {
			canvas.Circle(s.class, p[0], p[1])
		}
	}
	return canvas.File(title)
}
