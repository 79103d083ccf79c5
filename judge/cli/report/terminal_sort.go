package report

import (
	"cmp"
	"math"
	"slices"

	"tribunal/judge/internal/account"
)

// An Order is the order of the submissions in the text report on several.
type Order string

// The orders. Submissions that are equal stay in the order in which they were given.
const (
	ByArgument Order = "argument" // as given
	ByName     Order = "name"
	ByVerdict  Order = "verdict" // accepted ones first; equal verdicts by the number of accepted cases
	ByTime     Order = "time"    // the fastest of equal verdicts first
	ByPoints   Order = "points"  // the best points first
)

func Orders() []Order { return []Order{ByArgument, ByName, ByVerdict, ByTime, ByPoints} }

// isArgument reports whether o is the order in which submissions were given.
func (o Order) isArgument() bool { return o == ByArgument || o == "" }

// sorted returns the submissions in the order of the options.
func (t *Terminal) sorted() []*account.Submission {
	list := slices.Clone(t.x.Submissions)
	compare := map[Order]func(a, b *account.Submission) int{
		ByName: func(a, b *account.Submission) int { return cmp.Compare(a.Name, b.Name) },
		ByVerdict: func(a, b *account.Submission) int {
			return cmp.Or(cmp.Compare(a.Verdict, b.Verdict), cmp.Compare(b.Passed, a.Passed))
		},
		ByTime: func(a, b *account.Submission) int {
			return cmp.Or(cmp.Compare(a.Verdict, b.Verdict), cmp.Compare(a.CPU, b.CPU))
		},
		ByPoints: func(a, b *account.Submission) int { return cmp.Compare(pointsOf(b), pointsOf(a)) },
	}[t.o.Order]
	if compare != nil {
		slices.SortStableFunc(list, compare)
	}
	return list
}

// pointsOf returns the points of a submission, negated if fewer are better; less than all others if it has none.
func pointsOf(s *account.Submission) float64 {
	switch {
	case s.Points == nil:
		return math.Inf(-1)
	case fewer(s.Points):
		return -s.Points.Points
	}
	return s.Points.Points
}
