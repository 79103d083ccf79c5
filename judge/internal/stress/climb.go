package stress

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"

	"tribunal/judge/internal/casedata"
	"tribunal/judge/internal/yamlstrict"
)

// Climb is the sequence of inputs of a search: a function of the ladders and of the seed
// alone. All ladders are climbed together, two rungs a round, so that every rung is tried
// early once; after that the k-th rung comes every k² rounds, so that many small inputs are
// tried for each large one. Rungs of the same height come in the order of their sizes. The i-th input has the seed of the first plus i. It is safe for
// concurrent use.
type Climb struct {
	levels [][]casedata.Size // what stands at the same height in its family
	seed   uint64

	mu    sync.Mutex
	rungs []casedata.Size // the sequence as far as it was asked for
	round int
}

// NewClimb returns the sequence for a ladder, which must not be empty.
func NewClimb(ladder []casedata.Size, seed uint64) *Climb {
	c := &Climb{seed: seed}
	height := map[string]int{}
	for _, r := range ladder {
		level := height[r.Family()]
		height[r.Family()]++
		if level == len(c.levels) {
			c.levels = append(c.levels, nil)
		}
		c.levels[level] = append(c.levels[level], r)
	}
	for _, rungs := range c.levels {
		slices.SortStableFunc(rungs, func(a, b casedata.Size) int { return cmp.Compare(a.N, b.N) })
	}
	return c
}

// At returns how the i-th input is made, from 0.
func (c *Climb) At(i int) Source {
	c.mu.Lock()
	defer c.mu.Unlock()
	for len(c.rungs) <= i {
		for level, rungs := range c.levels {
			first, period := (level+1)/2, (level+1)*(level+1)
			if c.round >= first && (c.round-first)%period == 0 {
				c.rungs = append(c.rungs, rungs...)
			}
		}
		c.round++
	}
	return Source{Generate: c.rungs[i].Generate, Seed: c.seed + uint64(i)}
}

// Restrict returns the rungs that the wishes ask for: each is the name of a family, for
// all its rungs, or a family with flags, for just that input with all seeds. Without
// wishes it returns the ladder.
func Restrict(ladder []casedata.Size, wishes []string) ([]casedata.Size, error) {
	if len(wishes) == 0 {
		return ladder, nil
	}
	var families []string
	for _, r := range ladder {
		if !slices.Contains(families, r.Family()) {
			families = append(families, r.Family())
		}
	}
	var list []casedata.Size
	for _, wish := range wishes {
		words := strings.Fields(wish)
		switch {
		case len(words) == 0:
			return nil, fmt.Errorf("no family named (hint: those with a ladder are %s)", strings.Join(families, ", "))
		case len(words) > 1:
			list = append(list, casedata.Size{N: 1, Generate: words})
			continue
		}
		before := len(list)
		for _, r := range ladder {
			if r.Family() == words[0] {
				list = append(list, r)
			}
		}
		if len(list) == before {
			hint := "those are " + strings.Join(families, ", ")
			if near := yamlstrict.Nearest(words[0], families); near != "" {
				hint = fmt.Sprintf("did you mean %s?", near)
			}
			return nil, fmt.Errorf("no family %q with a ladder (hint: %s)", words[0], hint)
		}
	}
	return list, nil
}
