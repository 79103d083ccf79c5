package main

import "fmt"

// A goal is something that a puzzle can have more or less of.
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

func makeClimbs(o *options, c chance) ([]*puzzle, error) {
	for _, g := range goals {
		if g.name == o.goal {
			return each(o.n, func() (region, bool) { return o.climb(c, g), true }, anyPuzzle)
		}
	}
	return nil, fmt.Errorf("unknown goal %q (hint: gen -list names the goals)", o.goal)
}

// climb flips cells of a random loop, never one that leads away from the goal.
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
