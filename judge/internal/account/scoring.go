package account

import (
	"cmp"
	"math"
	"path"
	"slices"

	"tribunal/judge/internal/verdict"
)

// Scoring says how a sheet turns results into points. The zero Scoring gives a point for each accepted submission.
// Problems with points of their own keep them.
type Scoring struct {
	By      Rule
	Weight  float64            // points of a problem that is solved whole; 0 stands for 1
	Weights map[string]float64 // the same by problem; such a problem's own points become a part of these
	Late    float64            // the part of its points that a late submission loses
	Drop    int                // how many problems of each student do not count: those with the fewest points
}

// A Rule says which part of a problem's points a submission gets.
type Rule string

// The rules.
const (
	ByVerdict Rule = ""       // all if it is accepted, otherwise none
	ByCases   Rule = "cases"  // the part of the cases that it passes
	ByGroups  Rule = "groups" // the part of the groups of which it passes all cases
)

// Best returns the points of a problem that has none of its own, and whether they were given for this problem.
func (s *Scoring) Best(problem string) (points float64, given bool) {
	if w, is := s.Weights[problem]; is {
		return w, true
	}
	return cmp.Or(s.Weight, 1), false
}

// score sets the points of a cell of a problem that was judged on these cases, and of which best is the most.
func (s *Scoring) score(c *Cell, problem string, cases []string, of *Submission) (best float64) {
	best, given := s.Best(problem)
	switch own := of.Points; {
	case own != nil && given && own.Best.Finite() && own.Best > 0:
		c.Points = best * own.Points / float64(own.Best)
	case own != nil:
		c.Points, best = own.Points, 0
		if own.Best.Finite() {
			best = float64(own.Best)
		}
	default:
		c.Points = best * s.By.part(cases, of)
	}
	if c.Late {
		c.Points *= 1 - s.Late
	}
	if c.Late || s.By != ByVerdict || given {
		c.Points = math.Round(c.Points*100) / 100 // thirds need no ten digits
	}
	return best
}

// part returns the part of a problem's points, from 0 to 1.
func (r Rule) part(cases []string, of *Submission) float64 {
	accepted := of.Verdict == verdict.AC
	if r == ByVerdict || accepted || len(cases) == 0 {
		if accepted {
			return 1
		}
		return 0
	}
	groups, passed := map[string]bool{}, 0
	for i, name := range cases {
		if r == ByGroups {
			name = path.Dir(name)
		}
		c := of.On(i)
		whole, seen := groups[name]
		groups[name] = (whole || !seen) && c != nil && c.Verdict == verdict.AC
	}
	for _, whole := range groups {
		if whole {
			passed++
		}
	}
	return float64(passed) / float64(len(groups))
}

// drop marks the cells of a student that do not count, and returns the points that the others have and could have.
func (s *Scoring) drop(one *Student, problems []SheetProblem) (points, best float64) {
	order := make([]int, len(one.Cells))
	for i := range order {
		one.Cells[i].Dropped, order[i] = false, i
	}
	slices.SortStableFunc(order, func(a, b int) int { // of equal points those of the larger problem, which the student misses more
		return cmp.Or(cmp.Compare(one.Cells[a].Points, one.Cells[b].Points), cmp.Compare(problems[b].Best, problems[a].Best))
	})
	for k, i := range order {
		if one.Cells[i].Dropped = k < s.Drop; !one.Cells[i].Dropped {
			points, best = points+one.Cells[i].Points, best+problems[i].Best
		}
	}
	return math.Round(points*1e6) / 1e6, math.Round(best*1e6) / 1e6
}
