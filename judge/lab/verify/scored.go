package verify

import (
	"slices"

	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/points"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/verdict"
)

// maxEdges is how many cases at the edge of a limit are tried on both sides of it, in all
// combinations, to see what their submission may get.
const maxEdges = 8

// promisesPoints reports whether the promise is about points, or about the verdicts of groups, which
// are known when the points are.
func (d *decision) promisesPoints() bool {
	return d.promise.Partial || d.promise.Score != nil || d.promise.Grades != nil ||
		slices.ContainsFunc(d.promise.Rules, func(r problem.Rule) bool { return r.Score != nil })
}

// scored returns what the cases say about the verdict and the points that the groups give a
// submission.
func (d *decision) scored() state {
	var edges []int // places of cases in d.cases
	for i := range d.cases {
		if d.possible(&d.cases[i]) != verdict.SetOf(d.cases[i].Verdict) {
			edges = append(edges, i)
		}
	}
	if len(edges) > maxEdges {
		return undecided
	}
	results := d.results()
	holds, fails := false, false
	for sides := range 1 << len(edges) {
		for bit, i := range edges {
			c := &d.cases[i]
			own := verdict.SetOf(c.Verdict)
			if sides>>bit&1 == 1 {
				own = d.possible(c) &^ own
			}
			results[c.Index].Verdict = own.List()[0]
		}
		switch d.with(results) {
		case undecided:
			return undecided
		case kept:
			holds = true
		case broken:
			fails = true
		}
	}
	switch {
	case holds && fails:
		return undecided
	case fails:
		return broken
	}
	return kept
}

// results returns the results of the cases, by case index.
func (d *decision) results() []points.Result {
	results := make([]points.Result, len(d.names))
	for _, c := range d.cases {
		results[c.Index] = c.Counted(d.problem)
	}
	return results
}

// with returns what the results of the cases say about the verdict and the points.
func (d *decision) with(results []points.Result) state {
	score, err := d.groups.Add(results, nil)
	if err == nil && (score.Verdict == verdict.None || score.Open > 0 && d.promisesPoints()) {
		return undecided
	}
	done := grade.Done{Verdict: score.Verdict, Points: &score, Total: 1} // not all cases are judged, so they break no rule
	if err != nil {
		done = grade.Done{Verdict: verdict.JE, Total: 1}
	}
	if !d.problem.Scoring || !d.promisesPoints() {
		done.Points = nil
	}
	if len((grade.Judged{Done: done}).Broken(d.promise)) > 0 {
		return broken
	}
	return kept
}
