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

// Slow is an input on which a program takes long.
type Slow struct {
	Source
	Size    int             `json:"size"`  // of its rung
	Bytes   int             `json:"bytes"` // of the input
	Verdict verdict.Verdict `json:"verdict"`
	CPU     time.Duration   `json:"cpu_ns"` // the median of its runs alone
	Limit   time.Duration   `json:"limit_ns"`
	Runs    int             `json:"runs"` // so many
}

const (
	hopeful   = 4 // rungs that are followed from round to round
	seeds     = 8 // inputs of each in a round
	finalists = 3 // inputs that are run alone
	finalRuns = 3 // times
)

// tried is an input on which a program was timed beside others.
type tried struct {
	source Source
	rung   int // index into the ladder
	input  []byte
	cpu    time.Duration
}

// Slowest hunts for the input on which A takes the most CPU time. It climbs all ladders
// once, the lowest rungs first, then tries more seeds of the rungs that were worst, until
// bound ends, or count inputs have been tried (0 is no bound), or A is over its limit.
// The worst inputs are then run alone, and the median of those runs counts. It returns
// nil if A answered nothing in time. What A prints does not count, and runs that end badly
// for another reason than their time are left out.
func (s *Search) Slowest(ctx, bound context.Context, ladder []casedata.Size, seed uint64, count int) (*Slow, error) {
	c, err := s.newCourse(ctx, nil)
	if err != nil {
		return nil, err
	}
	var worst []tried // the slowest first
	var round []tried // what is tried now
	var broken error  // of the problem's own programs
	c.holds = func(t *trial) bool {
		return t.failed != nil || t.refusal != "" || t.judged && t.timed()
	}
	done := 0
	c.told = func(i int, t *trial) {
		done++
		s.count(t)
		s.Emit.Tell(&Progress{done, t.Source})
		if err := t.blame(s); err != nil && broken == nil {
			broken = err
		}
		if t.judged && (t.A.Verdict == verdict.AC || t.timed()) {
			worst = append(worst, tried{t.Source, round[i].rung, t.Input, t.A.CPU})
		}
	}
	for rungs, each := order(ladder), 1; bound.Err() == nil && (count == 0 || done < count); each = seeds {
		round = nil
		for range each {
			for _, r := range rungs {
				round = append(round, tried{source: Source{ladder[r].Generate, seed}, rung: r})
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
		if t != nil { // over the limit: nothing can be told to be slower
			worst = worst[:1]
			break
		}
		if rungs = best(worst); len(rungs) == 0 { // A has answered nothing yet
			rungs = order(ladder)
		}
		worst = worst[:min(len(worst), hopeful*seeds)]
	}
	return s.final(ctx, worst[:min(len(worst), finalists)], ladder)
}

// order returns the indices of the rungs, the lowest of every family first.
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

// best returns the rungs of the slowest inputs, each once.
func best(worst []tried) (rungs []int) {
	for _, t := range worst {
		if len(rungs) < hopeful && !slices.Contains(rungs, t.rung) {
			rungs = append(rungs, t.rung)
		}
	}
	return rungs
}

// final runs the worst inputs alone, and returns the one with the largest median.
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
			slowest = &Slow{w.source, ladder[w.rung].N, len(w.input), v, median, s.A.Limits.CPU, len(times)}
		}
	}
	return slowest, nil
}
