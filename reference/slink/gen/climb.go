package main

import (
	"slices"
	"strings"

	"tribunal/reference/internal/family"
)

// A goal is a quantity of a puzzle that climb increases.
type goal struct {
	name, about string
	value       func(*puzzle) int
}

var goals = []goal{
	{"twos", "many 2s", func(p *puzzle) int { return p.tally(2) }},
	{"threes", "many 3s", func(p *puzzle) int { return p.tally(3) }},
	{"work", "many colourings to try", func(p *puzzle) int { return count(p).work }},
	{"open", "many edges that counting alone leaves open", openEdges},
}

// goalOption is the flag that names a goal.
func goalOption() family.Option {
	var names, abouts []string
	for _, g := range goals {
		names = append(names, g.name)
		abouts = append(abouts, g.name+": "+g.about)
	}
	return family.Choice("goal", strings.Join(abouts, "; "), names...)
}

func makeClimbs(o *options, c chance) ([]*puzzle, error) {
	i := slices.IndexFunc(goals, func(g goal) bool { return g.name == o.goal })
	return each(o.n, func() (region, bool) { return o.climb(c, goals[i]), true }, anyPuzzle)
}

// climb flips cells of a random loop, and undoes each flip that lowers the value of the goal.
func (o *options) climb(c chance, g goal) region {
	r := o.random(c)
	best := 0
	for range o.steps {
		i, j := c.below(r.rows), c.below(r.cols)
		if !r.canFlip(i, j) {
			continue
		}
		r.flip(i, j)
		value := -1
		if p, ok := r.numbers(); ok {
			value = g.value(p)
		}
		if value < best {
			r.flip(i, j)
			continue
		}
		best = value
	}
	return r
}
