package mutate

import (
	"cmp"
	"math/bits"
	"slices"
	"time"

	"tribunal/judge/internal/verdict"
)

// Cover is a set of cases that kills every mutant that some case kills.
type Cover struct {
	Cases []string      `json:"cases"`  // names of the cases, in case order
	Time  time.Duration `json:"cpu_ns"` // CPU time of the unmutated schema on these cases
	Exact bool          `json:"exact"`  // the cover is minimal: no other has fewer cases, or as many cases and less time
}

// explain applies the rules to the survivors.
func (r *Report) explain(rules *Rules) {
	if rules == nil {
		return
	}
	r.Rules = slices.Concat(rules.Equal, rules.Survive)
	for i := range r.Mutants {
		m := &r.Mutants[i]
		if !m.survives() {
			continue
		}
		for _, rule := range r.Rules {
			if rule.explains(&m.Mutant, r.Lines.Of(&m.Mutant)) {
				if rule.Explains++; m.Rule == nil {
					m.Rule = rule
				}
			}
		}
	}
}

// killers returns the indices of the cases known to kill a mutant.
func (r *Result) killers() (list []int) {
	for _, run := range r.Runs {
		if run.Verdict != verdict.AC {
			list = append(list, run.on)
		}
	}
	return list
}

// countOnly counts for each case the mutants that no other case is known to kill.
func (r *Report) countOnly() {
	if !r.Matrix {
		return
	}
	for i := range r.Cases {
		r.Cases[i].Only = new(int)
	}
	for i := range r.Mutants {
		if k := r.Mutants[i].killers(); len(k) == 1 {
			*r.Cases[k[0]].Only++
		}
	}
}

// A set is a bit set.
type set []uint64

func (s set) has(i int) bool { return s[i/64]>>(i%64)&1 == 1 }
func (s set) add(i int)      { s[i/64] |= 1 << (i % 64) }

func (s set) size() (n int) {
	for _, word := range s {
		n += bits.OnesCount64(word)
	}
	return n
}

func (s set) within(of set) bool {
	for i, word := range s {
		if word&^of[i] != 0 {
			return false
		}
	}
	return true
}

// maxSteps bounds the search for a smallest cover.
const maxSteps = 20_000

// coverOf returns a smallest set of cases that kills all mutants that some case kills. Finding it
// is NP-hard (set cover), so the search has a bounded number of steps: if they are not enough,
// coverOf returns the best cover found. The first cover that the search finds is the greedy one.
func coverOf(r *Report) *Cover {
	var wanted []set // for each killed mutant, the cases that kill it
	for i := range r.Mutants {
		k := r.Mutants[i].killers()
		if len(k) == 0 {
			continue
		}
		s := make(set, (len(r.Cases)+63)/64)
		for _, c := range k {
			s.add(c)
		}
		wanted = append(wanted, s)
	}
	// A mutant needs no row if all killers of another mutant kill it too.
	slices.SortStableFunc(wanted, func(a, b set) int { return cmp.Or(cmp.Compare(a.size(), b.size()), slices.Compare(a, b)) })
	var rows []set
	for _, s := range wanted {
		if !slices.ContainsFunc(rows, func(t set) bool { return t.within(s) }) {
			rows = append(rows, s)
		}
	}
	f := &covering{rows: rows, cases: r.Cases, steps: maxSteps}
	f.search(nil, 0, make([]bool, len(rows)))
	slices.Sort(f.best)
	c := &Cover{Time: f.time, Exact: f.steps > 0}
	for _, i := range f.best {
		c.Cases = append(c.Cases, r.Cases[i].Name)
	}
	return c
}

// covering is the search for a smallest set of cases that contains an element of every row.
type covering struct {
	rows  []set
	cases []Case
	steps int           // number of steps left
	found bool          // best is set
	best  []int         // the best cover so far
	time  time.Duration // CPU time of best
}

// search tries all ways of extending chosen to a cover. done marks the rows that chosen covers, and
// took is the CPU time of chosen.
func (f *covering) search(chosen []int, took time.Duration, done []bool) {
	first := slices.Index(done, false) // rows are sorted, so no open row has fewer cases
	if first < 0 {
		if !f.found || len(chosen) < len(f.best) || len(chosen) == len(f.best) && took < f.time {
			f.found, f.best, f.time = true, slices.Clone(chosen), took
		}
		return
	}
	if f.found && len(chosen)+f.atLeast(done) > len(f.best) {
		return
	}
	gain := map[int]int{}
	for i, row := range f.rows {
		for c := range f.cases {
			if !done[i] && row.has(c) {
				gain[c]++
			}
		}
	}
	var choices []int
	for c := range f.cases {
		if f.rows[first].has(c) {
			choices = append(choices, c)
		}
	}
	slices.SortStableFunc(choices, func(a, b int) int {
		return cmp.Or(cmp.Compare(gain[b], gain[a]), cmp.Compare(f.cases[a].Time, f.cases[b].Time))
	})
	for _, c := range choices {
		if f.steps--; f.found && f.steps <= 0 {
			return
		}
		next := slices.Clone(done)
		for i, row := range f.rows {
			next[i] = next[i] || row.has(c)
		}
		f.search(append(slices.Clip(chosen), c), took+f.cases[c].Time, next)
	}
}

// atLeast returns a lower bound for the number of cases that cover the remaining rows: the size of
// a set of rows that share no cases.
func (f *covering) atLeast(done []bool) (n int) {
	used := make(set, (len(f.cases)+63)/64)
	for i, row := range f.rows {
		if done[i] {
			continue
		}
		shares := false
		for j, word := range row {
			shares = shares || word&used[j] != 0
		}
		if !shares {
			n++
			for j, word := range row {
				used[j] |= word
			}
		}
	}
	return n
}
