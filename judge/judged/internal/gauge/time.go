package gauge

import (
	"math"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"tribunal/judge/judged/internal/scale"
)

// The sizes in bytes with which steps are measured, and the number of callers at a time.
const (
	little  = 1 << 10
	much    = 24 << 10
	callers = 32
)

// together calls do with 0 to n-1, by some callers at a time, and returns how long a call takes that way.
func together(callers, n int, do func(i int) error) (time.Duration, error) {
	var g errgroup.Group
	begin := time.Now()
	for c := range callers {
		g.Go(func() error {
			for i := c; i < n; i += callers {
				if err := do(i); err != nil {
					return err
				}
			}
			return nil
		})
	}
	err := g.Wait()
	return time.Since(begin) / time.Duration(n), err
}

// apart calls do with 0 to n-1, one after the other. It returns the median of the times and their spread, without
// the slowest twentieth, which other programs have disturbed.
func apart(n int, do func(i int) error) (median time.Duration, spread float64, err error) {
	times := make([]time.Duration, n)
	for i := range times {
		begin := time.Now()
		if err := do(i); err != nil {
			return 0, 0, err
		}
		times[i] = time.Since(begin)
	}
	slices.Sort(times)
	times = times[:n-n/20]
	var sum, squares float64
	for _, t := range times {
		sum += t.Seconds()
		squares += t.Seconds() * t.Seconds()
	}
	mean := sum / float64(len(times))
	variance := max(0, squares/float64(len(times))-mean*mean)
	return times[len(times)/2], math.Sqrt(variance) / mean, nil
}

// fastest measures in several rounds and returns the shortest time: something else slowed the others.
func (g *gauge) fastest(measure func() (time.Duration, error)) (least time.Duration, err error) {
	for range g.calls.rounds {
		t, err := measure()
		if err != nil {
			return 0, err
		}
		if least == 0 || t < least {
			least = t
		}
	}
	return max(least, 1), nil
}

// linear returns the step that takes the time small for [little] bytes, the time large for [much] bytes, and
// grows evenly between them.
func linear(small, large time.Duration) scale.Step {
	perKiB := max(0, large-small) / ((much - little) >> 10)
	return scale.Step{Each: max(small-perKiB*little>>10, 1), PerKiB: perKiB}
}

// late returns s with the delay that makes it take the time alone for [little] bytes, which was measured while
// nothing else happened.
func late(s scale.Step, alone time.Duration, spread float64) scale.Step {
	s.Delay, s.Spread = max(0, alone-s.Each-s.PerKiB*little>>10), spread
	return s
}
