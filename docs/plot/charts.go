package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tribunal/internal/chart"
)

// picture is a picture of a solver's measurements, with its title and the name of its file.
type picture struct {
	name, title string
	svg         []byte
}

// charts returns the pictures for which a solver has measurements, and none for other subjects.
func charts(s *subject) []picture {
	if !s.solver {
		return nil
	}
	var all []picture
	add := func(name, title string, c *chart.Canvas) {
		if c != nil {
			all = append(all, picture{name, title, c.File(title)})
		}
	}
	add(s.id, "Time for a puzzle of "+s.id, puzzles(s))
	add(s.id+"-positions", "Time against positions of "+s.id, positions(s))
	add(s.id+"-threads", "Speed-up against threads of "+s.id, threads(s))
	return all
}

const width = 720 // of each picture, in pixels

// A race holds the times of the solver and of the baseline, if there is one, on the same input.
type race struct {
	name           string
	at             float64 // the number of positions; 0 if unknown
	each           values  // the times of the solver, in ns
	worst, against float64 // the times for the worst puzzle and of the baseline, in ns; 0 if unknown
}

func (r race) all() []float64 { return []float64{r.each.low(), r.each.high(), r.worst, r.against} }

// races returns a race for each result of the solver that has a time: the time of a whole
// operation if whole is set, otherwise that of a part such as a puzzle, see [isPart].
func races(s *subject, whole bool) []race {
	var all []race
	for _, r := range s.results {
		i := slices.IndexFunc(r.values, func(v values) bool {
			return whole && v.unit == "ns/op" || !whole && isPart(v.unit)
		})
		if i < 0 || r.values[i].low() <= 0 {
			continue
		}
		each := r.values[i]
		one := race{name: r.family, each: each}
		if one.name == "" {
			one.name = r.bench
		} else if r.bench != "Solve" {
			one.name = r.bench + "/" + r.family
		}
		if part := strings.TrimPrefix(each.unit, "ns/"); !whole && part != "puzzle" {
			one.name += ", a " + part
		}
		if v, ok := r.of("worst-ns/puzzle"); ok {
			one.worst = v.median()
		}
		if v, ok := r.of("x-baseline"); ok {
			one.against = v.median() * each.median()
		}
		if v, ok := r.of("positions"); ok {
			one.at = v.median()
		}
		all = append(all, one)
	}
	return all
}

// legendOf returns the legend for the symbols in a picture of races.
func legendOf(all []race) []chart.Key {
	keys := []chart.Key{{Class: "c0", Text: "this solver, and its spread", Circle: true}}
	if slices.ContainsFunc(all, func(r race) bool { return r.worst > 0 }) {
		keys = append(keys, chart.Key{Class: "c0 open", Text: "its worst puzzle", Circle: true})
	}
	if slices.ContainsFunc(all, func(r race) bool { return r.against > 0 }) {
		keys = append(keys, chart.Key{Class: "c1", Text: "the baseline", Circle: true})
	}
	return keys
}

// puzzles draws a row for each family with the time for a puzzle. It returns nil if there are fewer
// than two families.
func puzzles(s *subject) *chart.Canvas {
	all := races(s, false)
	if len(all) < 2 {
		return nil
	}
	var times []float64
	left := 0.0
	for _, r := range all {
		times = append(times, r.all()...)
		left = max(left, chart.WidthOf(r.name))
	}
	low, high, ok := chart.Range(times)
	if !ok {
		return nil
	}
	const row = 22
	c := &chart.Canvas{Width: width}
	top := c.Legend(4, 0, legendOf(all)) + 8
	bottom := top + row*float64(len(all))
	c.Height = bottom + 42
	x := chart.Axis{Title: "time for a puzzle", Ticks: chart.LogTicks(low, high), Show: chart.Duration, Log: true, From: left + 18, To: width - 40}
	c.Grid(x, chart.Axis{Ticks: []float64{0, 1}, Show: func(float64) string { return "" }, From: bottom, To: top})
	for i, r := range all {
		y := top + row*(float64(i)+0.5)
		c.Text("end", x.From-6, y+4, r.name)
		if r.against > 0 {
			c.Line("grid", x.At(r.each.median()), y, x.At(r.against), y)
			c.Circle("c1", x.At(r.against), y)
		}
		if r.worst > 0 {
			c.Line("c0", x.At(r.each.median()), y, x.At(r.worst), y)
			c.Circle("c0 open", x.At(r.worst), y)
		}
		c.Line("c0 spread", x.At(r.each.low()), y, x.At(r.each.high()), y)
		c.Circle("c0", x.At(r.each.median()), y)
	}
	return c
}

// positions draws the times for boards against their numbers of positions. It returns nil if no
// number is known.
func positions(s *subject) *chart.Canvas {
	all := slices.DeleteFunc(races(s, true), func(r race) bool { return r.at <= 0 || strings.HasPrefix(r.name, threadsBench+"/") })
	var times, counts []float64
	for i, r := range all {
		all[i].name = r.name[strings.LastIndex(r.name, "/")+1:]
		times = append(times, r.all()...)
		counts = append(counts, r.at)
	}
	low, high, ok := chart.Range(times)
	if !ok {
		return nil
	}
	fewest, most, _ := chart.Range(counts)
	c := &chart.Canvas{Width: width}
	top := c.Legend(4, 0, legendOf(all)) + 26
	c.Height = top + 360 + 42
	y := chart.Axis{Title: "time", Ticks: chart.LogTicks(low, high), Show: chart.Duration, Log: true, From: top + 360, To: top}
	x := chart.Axis{Title: "positions", Ticks: chart.LogTicks(fewest, most), Show: chart.Count, Log: true, From: y.Room(), To: width - 40}
	c.Grid(x, y)
	var taken []chart.Box
	for _, r := range all {
		px := x.At(r.at)
		if r.against > 0 {
			c.Line("grid", px, y.At(r.each.median()), px, y.At(r.against))
			c.Circle("c1", px, y.At(r.against))
			taken = append(taken, chart.Around(px, y.At(r.against)))
		}
		c.Line("c0 spread", px, y.At(r.each.low()), px, y.At(r.each.high()))
		c.Circle("c0", px, y.At(r.each.median()))
		taken = append(taken, chart.Around(px, y.At(r.each.median())))
	}
	field := chart.Box{Left: x.From, Top: y.To, Right: x.To, Bottom: y.From}
	for _, r := range all {
		taken = c.Label(x.At(r.at), y.At(r.each.median()), r.name, field, taken)
	}
	return c
}

// threadsBench is the benchmark with families of the form BOARD/THREADS.
const threadsBench = "Threads"

// A runner holds the measurements of a board with several numbers of threads.
type runner struct {
	board  string
	times  map[int]float64 // the time by the number of threads, in ns
	faster map[int]values  // the speed-up over one thread by the number of threads
}

// threads returns the numbers of threads in increasing order.
func (r runner) threads() []int {
	var all []int
	for n := range r.faster {
		all = append(all, n)
	}
	slices.Sort(all)
	return all
}

// runners returns a runner for each board that threadsBench measures. It computes missing speed-ups
// from the times.
func runners(s *subject) []runner {
	var all []runner
	for _, r := range s.results {
		slash := strings.LastIndex(r.family, "/")
		n, err := strconv.Atoi(r.family[slash+1:])
		if r.bench != threadsBench || slash < 0 || err != nil || n < 1 {
			continue
		}
		board := r.family[:slash]
		i := slices.IndexFunc(all, func(o runner) bool { return o.board == board })
		if i < 0 {
			i = len(all)
			all = append(all, runner{board, map[int]float64{}, map[int]values{}})
		}
		if v, ok := r.of("ns/op"); ok && v.low() > 0 {
			all[i].times[n] = v.median()
		}
		if v, ok := r.of("speed-up"); ok {
			all[i].faster[n] = v
		}
	}
	for _, r := range all {
		for n, time := range r.times {
			if _, known := r.faster[n]; !known && r.times[1] > 0 {
				r.faster[n] = values{"speed-up", []float64{r.times[1] / time}}
			}
		}
	}
	return slices.DeleteFunc(all, func(r runner) bool { return len(r.faster) == 0 })
}

// threads draws the speed-up of boards against the number of threads, and the ideal speed-up, which
// ends at the number of processors. It returns nil if threads were not measured.
func threads(s *subject) *chart.Canvas {
	all := runners(s)
	if len(all) == 0 {
		return nil
	}
	var keys []chart.Key
	var numbers []float64
	best := float64(s.procs)
	for i, r := range all {
		keys = append(keys, chart.Key{Class: fmt.Sprintf("c%d", i%chart.Colours), Text: r.board, Circle: true})
		for _, n := range r.threads() {
			numbers = append(numbers, float64(n))
			best = max(best, r.faster[n].high())
		}
	}
	slices.Sort(numbers)
	numbers = slices.Compact(numbers)
	keys = append(keys, chart.Key{Class: "ideal", Text: fmt.Sprintf("as many times as threads, up to the %d processors", s.procs)})
	c := &chart.Canvas{Width: width}
	top := c.Legend(4, 0, keys) + 26
	c.Height = top + 240 + 42
	if len(numbers) == 1 {
		numbers = append(numbers, 2*numbers[0])
	}
	y := chart.Axis{Title: "times as fast as one thread", Ticks: chart.LinearTicks(best), Show: chart.Tick, From: top + 240, To: top}
	x := chart.Axis{Title: "threads", Ticks: numbers, Show: chart.Count, Log: true, From: y.Room(), To: width - 40}
	c.Grid(x, y)
	var ideal [][2]float64
	for _, n := range numbers {
		ideal = append(ideal, [2]float64{x.At(n), y.At(min(n, float64(s.procs)))})
	}
	c.Way("ideal", ideal)
	for i, r := range all {
		class := fmt.Sprintf("c%d", i%chart.Colours)
		var way [][2]float64
		for _, n := range r.threads() {
			way = append(way, [2]float64{x.At(float64(n)), y.At(r.faster[n].median())})
		}
		c.Way(class+" way", way)
		for j, n := range r.threads() {
			c.Line(class+" spread", way[j][0], y.At(r.faster[n].low()), way[j][0], y.At(r.faster[n].high()))
			c.Circle(class, way[j][0], way[j][1])
		}
	}
	return c
}
