package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// chart is a picture, its title and the name of its file.
type chart struct {
	name, title string
	svg         []byte
}

// charts returns the pictures of a problem, those that there are figures for.
func charts(p *problem) []chart {
	var all []chart
	add := func(name, title string, c *canvas) {
		if c != nil {
			all = append(all, chart{name, title, c.file(title)})
		}
	}
	add(p.id, "Time for a puzzle of "+p.id, puzzles(p))
	add(p.id+"-positions", "Time against positions of "+p.id, positions(p))
	add(p.id+"-threads", "Speed-up against threads of "+p.id, threads(p))
	return all
}

const width = 720

// A race is one input solved twice: how long the solver and the baseline took.
type race struct {
	name           string
	at             float64 // positions, if that is known
	each           values  // ns
	worst, against float64 // ns, 0 if they are not known
}

func (r race) all() []float64 { return []float64{r.each.low(), r.each.high(), r.worst, r.against} }

// races returns the results whose time is known for a whole operation, or else for a
// part.
func races(p *problem, whole bool) []race {
	var all []race
	for _, r := range p.results {
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
		if what := strings.TrimPrefix(each.unit, "ns/"); !whole && what != "puzzle" {
			one.name += ", a " + what
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

// legendOf tells the signs that races are drawn by.
func legendOf(all []race) []key {
	keys := []key{{"c0", "this solver, and its spread", true}}
	if slices.ContainsFunc(all, func(r race) bool { return r.worst > 0 }) {
		keys = append(keys, key{"c0 open", "its worst puzzle", true})
	}
	if slices.ContainsFunc(all, func(r race) bool { return r.against > 0 }) {
		keys = append(keys, key{"c1", "the baseline", true})
	}
	return keys
}

// puzzles draws the time for a puzzle of each family, one below the other, if there
// are several.
func puzzles(p *problem) *canvas {
	all := races(p, false)
	if len(all) < 2 {
		return nil
	}
	var times []float64
	left := 0.0
	for _, r := range all {
		times = append(times, r.all()...)
		left = max(left, widthOf(r.name))
	}
	low, high, ok := rangeOf(times)
	if !ok {
		return nil
	}
	const row = 22
	c := &canvas{width: width}
	top := c.legend(4, 0, legendOf(all)) + 8
	bottom := top + row*float64(len(all))
	c.height = bottom + 42
	x := axis{"time for a puzzle", logTicks(low, high), duration, true, left + 18, width - 40}
	c.grid(x, axis{ticks: []float64{0, 1}, show: func(float64) string { return "" }, from: bottom, to: top})
	for i, r := range all {
		y := top + row*(float64(i)+0.5)
		c.text("end", x.from-6, y+4, r.name)
		if r.against > 0 {
			c.line("grid", x.at(r.each.median()), y, x.at(r.against), y)
			c.circle("c1", x.at(r.against), y)
		}
		if r.worst > 0 {
			c.line("c0", x.at(r.each.median()), y, x.at(r.worst), y)
			c.circle("c0 open", x.at(r.worst), y)
		}
		c.line("c0 spread", x.at(r.each.low()), y, x.at(r.each.high()), y)
		c.circle("c0", x.at(r.each.median()), y)
	}
	return c
}

// positions draws the time of boards against how many positions they have.
func positions(p *problem) *canvas {
	all := slices.DeleteFunc(races(p, true), func(r race) bool { return r.at <= 0 || strings.HasPrefix(r.name, threadsBench+"/") })
	var times, counts []float64
	for i, r := range all {
		all[i].name = r.name[strings.LastIndex(r.name, "/")+1:]
		times = append(times, r.all()...)
		counts = append(counts, r.at)
	}
	low, high, ok := rangeOf(times)
	if !ok {
		return nil
	}
	fewest, most, _ := rangeOf(counts)
	c := &canvas{width: width}
	top := c.legend(4, 0, legendOf(all)) + 26
	c.height = top + 360 + 42
	y := axis{"time", logTicks(low, high), duration, true, top + 360, top}
	x := axis{"positions", logTicks(fewest, most), count, true, y.room(), width - 40}
	c.grid(x, y)
	var taken []box
	for _, r := range all {
		px := x.at(r.at)
		if r.against > 0 {
			c.line("grid", px, y.at(r.each.median()), px, y.at(r.against))
			c.circle("c1", px, y.at(r.against))
			taken = append(taken, around(px, y.at(r.against)))
		}
		c.line("c0 spread", px, y.at(r.each.low()), px, y.at(r.each.high()))
		c.circle("c0", px, y.at(r.each.median()))
		taken = append(taken, around(px, y.at(r.each.median())))
	}
	field := box{x.from, y.to, x.to, y.from}
	for _, r := range all {
		taken = c.label(x.at(r.at), y.at(r.each.median()), r.name, field, taken)
	}
	return c
}

func around(x, y float64) box { return box{x - radius, y - radius, x + radius, y + radius} }

// label names a point, beside it where nothing else is. A name without room is left
// out: the table has it.
func (c *canvas) label(x, y float64, name string, field box, taken []box) []box {
	for _, l := range []struct {
		anchor string
		x, y   float64
	}{
		{"start", x + 8, y + 4}, {"end", x - 8, y + 4}, {"middle", x, y + 18}, {"middle", x, y - 9},
		{"start", x + 6, y + 16}, {"end", x - 6, y + 16}, {"start", x + 6, y - 8}, {"end", x - 6, y - 8},
	} {
		b := textBox(l.anchor, l.x, l.y, name)
		b = box{b.left - 1, b.top - 1, b.right + 1, b.bottom + 1}
		if field.holds(b) && !slices.ContainsFunc(taken, b.meets) {
			c.text(l.anchor, l.x, l.y, name)
			return append(taken, b)
		}
	}
	return taken
}

// threadsBench is the benchmark whose families are BOARD/THREADS.
const threadsBench = "Threads"

// A runner is a board that was solved by several numbers of threads.
type runner struct {
	board  string
	times  map[int]float64 // ns
	faster map[int]values  // than one thread
}

func (r runner) threads() []int {
	var all []int
	for n := range r.faster {
		all = append(all, n)
	}
	slices.Sort(all)
	return all
}

// runners returns what the benchmark of threads measured. Where a speed-up is not
// told it is that of the times.
func runners(p *problem) []runner {
	var all []runner
	for _, r := range p.results {
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
			if _, told := r.faster[n]; !told && r.times[1] > 0 {
				r.faster[n] = values{"speed-up", []float64{r.times[1] / time}}
			}
		}
	}
	return slices.DeleteFunc(all, func(r runner) bool { return len(r.faster) == 0 })
}

// threads draws how much faster boards are solved by more threads, and what those
// beyond the processors cost.
func threads(p *problem) *canvas {
	all := runners(p)
	if len(all) == 0 {
		return nil
	}
	var keys []key
	var numbers []float64
	best := float64(p.procs)
	for i, r := range all {
		keys = append(keys, key{fmt.Sprintf("c%d", i%colours), r.board, true})
		for _, n := range r.threads() {
			numbers = append(numbers, float64(n))
			best = max(best, r.faster[n].high())
		}
	}
	slices.Sort(numbers)
	numbers = slices.Compact(numbers)
	keys = append(keys, key{"ideal", fmt.Sprintf("as many times as threads, up to the %d processors", p.procs), false})
	c := &canvas{width: width}
	top := c.legend(4, 0, keys) + 26
	c.height = top + 240 + 42
	if len(numbers) == 1 {
		numbers = append(numbers, 2*numbers[0])
	}
	y := axis{"times as fast as one thread", linearTicks(best), tick, false, top + 240, top}
	x := axis{"threads", numbers, count, true, y.room(), width - 40}
	c.grid(x, y)
	var ideal [][2]float64
	for _, n := range numbers {
		ideal = append(ideal, [2]float64{x.at(n), y.at(min(n, float64(p.procs)))})
	}
	c.way("ideal", ideal)
	for i, r := range all {
		class := fmt.Sprintf("c%d", i%colours)
		var way [][2]float64
		for _, n := range r.threads() {
			way = append(way, [2]float64{x.at(float64(n)), y.at(r.faster[n].median())})
		}
		c.way(class+" way", way)
		for j, n := range r.threads() {
			c.line(class+" spread", way[j][0], y.at(r.faster[n].low()), way[j][0], y.at(r.faster[n].high()))
			c.circle(class, way[j][0], way[j][1])
		}
	}
	return c
}

// tick shows a round number.
func tick(v float64) string { return strconv.FormatFloat(v, 'g', 6, 64) }
