package mutate

import (
	"cmp"
	"context"
	"slices"
	"time"

	"tribunal/judge/internal/document"
	"tribunal/judge/internal/verdict"
)

// overhead is the approximate cost of a run besides the program itself.
const overhead = 2 * time.Millisecond

// pair is a mutant and the trial to run it on, by their indices.
type pair struct{ mutant, on int }

// rounds runs the mutants. In each round, every remaining mutant runs on one case that reaches its
// site: the one with the most expected kills in relation to its cost.
func (w *work) rounds(ctx context.Context) error {
	w.emit.Stage("running the mutants")
	left := make([][]bool, len(w.report.Mutants)) // the cases on which a mutant has not run yet
	p := Progress{Mutants: len(left)}
	w.trust()
	for i := range left {
		left[i] = make([]bool, len(w.trials))
		w.report.Mutants[i].Fate = Unreached
		for c := range w.trials {
			if !w.trials[c].passes(w.report.Mutants[i].Site) {
				continue
			}
			w.report.Mutants[i].Fate = Survived
			if left[i][c] = w.wanted(&w.report.Mutants[i], c); left[i][c] {
				p.Total++
			}
		}
	}
	drop := func(mutant int) {
		for c, is := range left[mutant] {
			if is {
				left[mutant][c] = false
				p.Done++
			}
		}
	}
	for {
		order := w.order()
		var round []pair
		for i := range left {
			if at := slices.IndexFunc(order, func(c int) bool { return left[i][c] }); at >= 0 {
				round = append(round, pair{i, order[at]})
				left[i][order[at]] = false
			}
		}
		if len(round) == 0 {
			return nil
		}
		err := w.try(ctx, len(round), w.judge.Memo, func(i int) (*Mutant, *trial) {
			return &w.report.Mutants[round[i].mutant].Mutant, &w.trials[round[i].on]
		}, func(i int, r judgement) {
			m := &w.report.Mutants[round[i].mutant]
			alive := m.Fate == Survived
			w.record(round[i], r)
			p.Done++
			p.Runs++
			if alive && m.Fate == Killed {
				p.Killed++
			}
			if m.Fate == Failed || m.Fate == Killed && (!w.o.Matrix || late(r.Verdict)) {
				drop(round[i].mutant)
			}
			w.emit.Send(new(p))
		})
		if err != nil {
			return err
		}
	}
}

// late reports whether a verdict is about time.
func late(v verdict.Verdict) bool { return v == verdict.TLE || v == verdict.ILE }

// order returns the cases by decreasing number of expected kills in relation to their cost. A case
// on which no mutant has run yet is expected to kill one mutant in two, and more if it reaches
// more sites.
func (w *work) order() []int {
	var list []int
	worth := make([]float64, len(w.trials))
	for i, t := range w.trials {
		list = append(list, i)
		c := w.report.Cases[i]
		sites := float64(c.Sites+1) / float64(w.schema.Sites+1)
		worth[i] = (float64(c.Kills) + sites) / float64(c.Runs+2) / (t.cost + overhead).Seconds()
	}
	slices.SortStableFunc(list, func(a, b int) int { return cmp.Compare(worth[b], worth[a]) })
	return list
}

// record adds a run to the results of its mutant and its case.
func (w *work) record(p pair, r judgement) {
	m, c := &w.report.Mutants[p.mutant], &w.report.Cases[p.on]
	w.report.Runs++
	if r.cached {
		w.report.Cached++
	}
	c.Runs++
	if r.err != nil {
		if m.Fate != Killed {
			m.Fate, m.Error = Failed, document.First(r.err.Error())
		}
		return
	}
	m.Runs = append(m.Runs, Run{c.Name, r.Verdict, r.Cause, p.on})
	if r.Verdict == verdict.AC {
		return
	}
	c.Kills++
	if m.Fate != Killed {
		m.Fate, m.Slow = Killed, r.slow
		c.First++
	}
}
