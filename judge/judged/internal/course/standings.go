package course

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"

	"tribunal/judge/internal/verdict"
	"tribunal/judge/judged/internal/ledger"
)

const accepted = verdict.AC

// usualPenalty is that of the ICPC for a rejected attempt.
const usualPenalty = 20 * time.Minute

// Standings are a table of participants and problems.
type Standings struct {
	Problems []ledger.CourseProblem `json:"problems" doc:"in the order of the cells"`
	Rows     []Row                  `json:"rows"`
	Frozen   bool                   `json:"frozen" doc:"outcomes of what was handed in since the freeze are missing"`
}

// Row is the row of a participant. The rows with the same rank are equal.
type Row struct {
	Rank    int           `json:"rank"`
	Login   string        `json:"login"`
	Name    string        `json:"name"`
	Group   string        `json:"group,omitempty"`
	Solved  int           `json:"solved"`
	Penalty time.Duration `json:"penalty_ns,omitempty" doc:"with icpc"`
	Points  float64       `json:"points" doc:"with points"`
	Cells   []Cell        `json:"cells" doc:"one for each problem"`

	last time.Duration // when the last problem was solved, which decides between equal ones
}

// Cell is what a participant did at a problem.
type Cell struct {
	Attempts   int           `json:"attempts" doc:"that count: with an outcome, up to the first accepted one"`
	Pending    int           `json:"pending" doc:"without an outcome, or with one that the freeze hides"`
	Solved     bool          `json:"solved"`
	First      bool          `json:"first" doc:"nobody solved it earlier"`
	At         time.Duration `json:"at_ns,omitempty" doc:"of the accepted submission, since the course began"`
	Points     float64       `json:"points"`
	Late       bool          `json:"late"`
	Submission string        `json:"judging,omitempty" doc:"that counts: the best one, or the last if none has points"`

	scored time.Duration // when Points became what it is, since the course began
}

// Tried reports whether there is anything in the cell.
func (c *Cell) Tried() bool { return c.Attempts > 0 || c.Pending > 0 }

// StandingsOf adds up the submissions of a course, in any order. whole shows what a freeze hides. Members who do not
// participate have no row.
func StandingsOf(c *ledger.CourseState, members []ledger.PersonState, submissions []ledger.Submission, whole bool, now time.Time) *Standings {
	s := &Standings{Problems: c.Problems, Frozen: !whole && frozen(&c.Course, now)}
	rows := map[string]int{}
	for i := range members {
		if m := &members[i]; m.Role == ledger.Participant && !m.Erased {
			rows[m.Login] = len(s.Rows)
			s.Rows = append(s.Rows, Row{Login: m.Login, Name: cmp.Or(m.Name, m.Login), Group: m.Group, Cells: make([]Cell, len(c.Problems))})
		}
	}
	column := map[string]int{}
	for i, p := range c.Problems {
		column[p.Problem] = i
	}
	ordered := slices.Clone(submissions)
	slices.SortFunc(ordered, func(a, b ledger.Submission) int { return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.First, b.First)) })
	for i := range ordered {
		sub := &ordered[i]
		login, _ := ledger.LoginOf(c.ID, sub.Submitter)
		at, known := rows[login]
		k, has := column[sub.Problem]
		if !known || !has || sub.Erased || sub.Run {
			continue
		}
		s.count(c, &s.Rows[at], k, sub)
	}
	s.rank(c)
	return s
}

// count adds a submission, which is later than those before.
func (s *Standings) count(c *ledger.CourseState, row *Row, k int, sub *ledger.Submission) {
	cell := &row.Cells[k]
	if cell.Solved && c.Scoring != ledger.Points && c.Scoring != "" {
		return
	}
	outcome, done := sub.Outcome()
	if j := sub.Counts(); !done && j != nil && j.Status == ledger.Dropped {
		return
	}
	if !done || s.Frozen && !sub.At.Before(c.Freeze) {
		cell.Pending++
		return
	}
	if outcome.Verdict == verdict.CE || outcome.Verdict == verdict.JE {
		cell.Submission = cmp.Or(cell.Submission, sub.ID)
		return
	}
	late := IsLate(&c.Course, row.Group, sub.At)
	points, _ := PointsOf(&c.Course, &s.Problems[k], &outcome, late)
	if !cell.Solved {
		cell.Attempts++
	}
	elapsed := time.Duration(0)
	if open := c.Times(row.Group).Open; !open.IsZero() {
		elapsed = max(0, sub.At.Sub(open))
	}
	if points > cell.Points {
		cell.scored = elapsed
	}
	if cell.Submission == "" || points > cell.Points || cell.Points == 0 && !cell.Solved {
		cell.Submission, cell.Points, cell.Late = sub.ID, points, late
	}
	if outcome.Verdict == accepted && !cell.Solved {
		cell.Solved, cell.At = true, elapsed
		s.first(k, row, sub)
	}
}

// first marks the first accepted submission to a problem: submissions are counted in order.
func (s *Standings) first(k int, row *Row, _ *ledger.Submission) {
	for i := range s.Rows {
		if s.Rows[i].Cells[k].First {
			return
		}
	}
	row.Cells[k].First = true
}

// rank sums up the cells, and sorts the rows.
func (s *Standings) rank(c *ledger.CourseState) {
	penalty := cmp.Or(c.Penalty, usualPenalty)
	for i := range s.Rows {
		r := &s.Rows[i]
		for k := range r.Cells {
			cell := &r.Cells[k]
			r.Points += cell.Points
			if !cell.Solved {
				continue
			}
			r.Solved++
			if c.Scoring == ledger.ICPC {
				r.Penalty += cell.At.Truncate(time.Minute) + time.Duration(cell.Attempts-1)*penalty
				r.last = max(r.last, cell.At.Truncate(time.Minute))
			}
		}
		r.Points = math.Round(r.Points*100) / 100
	}
	order := func(a, b *Row) int {
		switch c.Scoring {
		case ledger.ICPC:
			return cmp.Or(b.Solved-a.Solved, cmp.Compare(a.Penalty, b.Penalty), cmp.Compare(a.last, b.last))
		case ledger.Practice:
			return b.Solved - a.Solved
		}
		return cmp.Compare(b.Points, a.Points)
	}
	slices.SortFunc(s.Rows, func(a, b Row) int {
		return cmp.Or(order(&a, &b), strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)), strings.Compare(a.Login, b.Login))
	})
	for i := range s.Rows {
		s.Rows[i].Rank = i + 1
		if i > 0 && order(&s.Rows[i-1], &s.Rows[i]) == 0 {
			s.Rows[i].Rank = s.Rows[i-1].Rank
		}
	}
}
