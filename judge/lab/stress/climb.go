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

// Climb is the sequence of inputs of a search, which depends only on the generator's sizes and the
// seed. It climbs the sizes of all families together: each round tries up to two further sizes of
// every family, so that every size is tried once early. After that, the k-th size of a family comes
// every k² rounds, so that many small inputs are tried for each large one. The k-th sizes of
// different families come in ascending order. The seed of the i-th input is the first seed plus i.
// A Climb is safe for concurrent use.
type Climb struct {
	levels [][]casedata.Size // levels[k] holds the sizes number k+1 of all families, ascending
	seed   uint64

	mu    sync.Mutex
	sizes []casedata.Size // the sequence so far
	round int
}

// NewClimb returns the sequence for the sizes of a generator; ladder must not be empty.
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
	for _, sizes := range c.levels {
		slices.SortStableFunc(sizes, func(a, b casedata.Size) int { return cmp.Compare(a.N, b.N) })
	}
	return c
}

// At returns the source of the i-th input, from 0.
func (c *Climb) At(i int) Source {
	c.mu.Lock()
	defer c.mu.Unlock()
	for len(c.sizes) <= i {
		for level, sizes := range c.levels {
			first, period := (level+1)/2, (level+1)*(level+1)
			if c.round >= first && (c.round-first)%period == 0 {
				c.sizes = append(c.sizes, sizes...)
			}
		}
		c.round++
	}
	return Source{Generate: c.sizes[i].Generate, Seed: c.seed + uint64(i)}
}

// Restrict returns the sizes to search. A wish is the name of a family, which selects all of its
// sizes in the ladder, or a family with flags, which adds a size with these flags. Without wishes,
// Restrict returns the whole ladder.
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
			return nil, fmt.Errorf("no family named (hint: families with a ladder: %s)", strings.Join(families, ", "))
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
			hint := "families with a ladder: " + strings.Join(families, ", ")
			if near := yamlstrict.Nearest(words[0], families); near != "" {
				hint = fmt.Sprintf("did you mean %s?", near)
			}
			return nil, fmt.Errorf("no family %q with a ladder (hint: %s)", words[0], hint)
		}
	}
	return list, nil
}
