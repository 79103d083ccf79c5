package account

import (
	"cmp"
	"math"
	"slices"

	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/points"
	"tribunal/judge/internal/verdict"
)

// Scoring says how a sheet turns results into points. The zero Scoring gives a point for each accepted submission.
// Problems with points of their own keep them.
type Scoring struct {
	points.Share
	Weights map[string]float64 // the most points by problem; such a problem's own points become a part of these
	Late    float64            // the part of its points that a late submission loses
	Drop    int                // how many problems of each student do not count: those with the fewest points
}

// Of returns how a problem without points of its own gives them, and whether the most were said for this one.
func (s *Scoring) Of(problem string) (share points.Share, given bool) {
	w, given := s.Weights[problem]
	return points.Share{By: s.By, Best: cmp.Or(w, s.Best, 1)}, given
}

// Apply has a task give the points, unless its problem has some of its own or nothing is said about them. It then judges
// all cases, if part of them counts.
func (s *Scoring) Apply(t *grade.Task) {
	share, given := s.Of(t.Problem.ID)
	if t.Problem.Scoring || !given && s.Share == (points.Share{}) {
		return
	}
	var names []string
	for _, c := range t.Cases {
		names = append(names, c.Name)
	}
	t.Points, t.All = share.Over(names), t.All || share.By != points.NoPortion
}

// score sets the points of a cell of a problem. Those of a submission without any, such as one that does not compile,
// are 0.
func (s *Scoring) score(c *Cell, p *SheetProblem, of *Submission) {
	share, given := s.Of(p.ID)
	c.Points = 0
	switch own := of.Points; {
	case own != nil && given && own.Best.Finite() && own.Best > 0:
		c.Points = share.Best * own.Points / float64(own.Best)
	case own != nil:
		c.Points, p.Best = own.Points, 0
		if own.Best.Finite() {
			p.Best = float64(own.Best)
		}
	case of.Verdict == verdict.AC:
		c.Points = share.Best
	}
	if c.Late {
		c.Points *= 1 - s.Late
	}
	if c.Late || given {
		c.Points = math.Round(c.Points*100) / 100 // thirds need no ten digits
	}
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
