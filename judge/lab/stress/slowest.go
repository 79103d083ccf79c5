package stress

import (
	"cmp"
	"context"
	"slices"
	"time"

	"tribunal/judge/internal/casedata"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/verdict"
)

// Slow is an input on which a program takes a long time.
type Slow struct {
	Source
	Size    int             `json:"size"`  // size in the unit of the generator's family
	Bytes   int             `json:"bytes"` // length of the input
	Verdict verdict.Verdict `json:"verdict"`
	CPU     time.Duration   `json:"cpu_ns"` // median CPU time of runs with no other run beside them
	Limit   time.Duration   `json:"limit_ns"`
	Runs    int             `json:"runs"` // number of runs of which CPU is the median
}

const (
	roundSizes = 4 // number of the slowest sizes that a round tries again
	roundSeeds = 8 // number of inputs of each size in such a round
	finalists  = 3 // number of the slowest inputs that are run again alone
	finalRuns  = 3 // number of runs of each finalist
)

// tried is an input with the CPU time of one run, beside other runs.
type tried struct {
	source Source
	size   int // index into the generator's sizes
	input  []byte
	cpu    time.Duration
}

// Slowest searches for the input on which A takes the most CPU time. It tries every size once, the
// smallest of each family first, then more seeds of the slowest sizes, until bound ends, count
// inputs have been tried (0 means no limit), or A exceeds its limit. It then runs the slowest
// inputs again, one at a time, and returns the one with the largest median. It returns nil if no
// run of A was completed. A's output does not matter; Slowest ignores runs that fail for a reason
// other than time.
func (s *Search) Slowest(ctx, bound context.Context, ladder []casedata.Size, seed uint64, count int) (*Slow, error) {
	c, err := s.newPipeline(ctx, nil)
	if err != nil {
		return nil, err
	}
	var worst []tried // the slowest inputs, in descending order
	var round []tried // the inputs of the current round
	var broken error  // the first error of one of the problem's own programs
	c.holds = func(t *trial) bool {
		return t.failed != nil || t.refusal != "" || t.judged && t.timed()
	}
	done := 0
	c.onTrial = func(i int, t *trial) {
		done++
		s.count(t)
		s.Emit.Send(&Progress{done, t.Source})
		if err := t.programError(s); err != nil && broken == nil {
			broken = err
		}
		if t.judged && (t.A.Verdict == verdict.AC || t.timed()) {
			worst = append(worst, tried{t.Source, round[i].size, t.Input, t.A.CPU})
		}
	}
	for sizes, each := order(ladder), 1; bound.Err() == nil && (count == 0 || done < count); each = roundSeeds {
		round = nil
		for range each {
			for _, r := range sizes {
				round = append(round, tried{source: Source{ladder[r].Generate, seed}, size: r})
				seed++
			}
		}
		if count > 0 {
			round = round[:min(len(round), count-done)]
		}
		t, _, err := c.run(ctx, bound, len(round), func(i int) *trial { return &trial{Source: round[i].source} })
		if err := cmp.Or(err, broken); err != nil {
			return nil, err
		}
		slices.SortStableFunc(worst, func(a, b tried) int { return cmp.Compare(b.cpu, a.cpu) })
		if t != nil { // A exceeded its limit: no input can take longer, because the limit ends the run
			worst = worst[:1]
			break
		}
		if sizes = best(worst); len(sizes) == 0 { // no run of A was completed yet
			sizes = order(ladder)
		}
		worst = worst[:min(len(worst), roundSizes*roundSeeds)]
	}
	return s.final(ctx, worst[:min(len(worst), finalists)], ladder)
}

// order returns the indices of the sizes, the smallest of every family first.
func order(ladder []casedata.Size) []int {
	height := make([]int, len(ladder))
	list := make([]int, len(ladder))
	for i, r := range ladder {
		list[i] = i
		if i > 0 && ladder[i-1].Family() == r.Family() {
			height[i] = height[i-1] + 1
		}
	}
	slices.SortStableFunc(list, func(a, b int) int { return cmp.Compare(height[a], height[b]) })
	return list
}

// best returns the sizes of the slowest inputs, at most roundSizes, without duplicates.
func best(worst []tried) (sizes []int) {
	for _, t := range worst {
		if len(sizes) < roundSizes && !slices.Contains(sizes, t.size) {
			sizes = append(sizes, t.size)
		}
	}
	return sizes
}

// final runs the slowest inputs alone, and returns the one with the largest median.
func (s *Search) final(ctx context.Context, worst []tried, ladder []casedata.Size) (slowest *Slow, err error) {
	for _, w := range worst {
		var times []time.Duration
		v := verdict.AC
		for range finalRuns {
			o, _, err := s.alone(ctx, &s.A, w.input)
			if err = cmp.Or(err, o.Err); err != nil {
				return nil, err
			}
			times = append(times, o.CPU)
			one, _ := grade.Classify(s.A.Limits, o.Result, grade.Comparison{})
			v = verdict.Worst(v, one)
		}
		slices.Sort(times)
		if median := times[len(times)/2]; slowest == nil || median > slowest.CPU {
			slowest = &Slow{w.source, ladder[w.size].N, len(w.input), v, median, s.A.Limits.CPU, len(times)}
		}
	}
	return slowest, nil
}
