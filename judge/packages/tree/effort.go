package tree

import "context"

// effort bounds what it takes to read a package beyond its size: packages may hold lists that refer to
// each other, and expressions. A nil effort has no bound.
type effort struct {
	ctx  context.Context
	left int
}

// maxEffort is a bound that takes a few seconds to reach. Real packages need a thousandth of it.
const maxEffort = 1 << 26

// Bound bounds the work until ctx ends; nil ends that.
func (t *Tree) Bound(ctx context.Context) {
	if t.effort = nil; ctx != nil {
		t.effort = &effort{ctx, maxEffort}
	}
}

// Spend counts steps, each of which takes some nanoseconds, on a file of the package. It returns an
// error if there were too many, or if the user has interrupted the judge.
func (t *Tree) Spend(rel string, steps int) error {
	e := t.effort
	if e == nil {
		return nil
	}
	if err := e.ctx.Err(); err != nil {
		return err
	}
	if steps < 0 || steps > e.left {
		return t.Errorf(rel, 0, "split or shorten its lists", "too much work to read")
	}
	e.left -= steps
	return nil
}
