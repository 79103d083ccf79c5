package account

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"tribunal/judge/internal/document"
	"tribunal/judge/internal/event"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/verdict"
)

// SheetSchema names the JSON form of a [Sheet]. It changes as [Schema] does.
const SheetSchema = "tribunal/sheet/1"

// Sheet is the result of judging what several students handed in for several problems. Its JSON form
// is the document that docs/sheets.md describes.
type Sheet struct {
	document.Head
	Problems []SheetProblem `json:"problems"`
	Students []Student      `json:"students"`
	Columns  []string       `json:"columns"` // those of the roster
	Notes    []string       `json:"notes"`
	Elapsed  time.Duration  `json:"elapsed_ns"`

	Scoring Scoring `json:"-"`
}

// Kind is "end", because the sheet is the last event of its judging. The events before it are
// [event.Stage], [SheetProgress] and [SheetResult].
func (*Sheet) Kind() string { return event.End }

// SheetProgress counts the cases of all submissions for a problem, for a progress display.
type SheetProgress struct {
	Done  int `json:"done"`
	Total int `json:"total"`
}

func (*SheetProgress) Kind() string { return "progress" }

func (p *SheetProgress) Counts() (done, total int) { return p.Done, p.Total }

// SheetResult is the event that a student has a result for a problem. Those of submissions that are
// judged come as soon as they are known, and the others at the end.
type SheetResult struct {
	Student string `json:"student"`
	Problem string `json:"problem"`
	*Cell
}

func (*SheetResult) Kind() string { return "result" }

// SheetProblem is a column of a sheet.
type SheetProblem struct {
	ID    string  `json:"id"`
	Title string  `json:"title"`
	Cases int     `json:"cases"` // 0 if no submission could be judged
	Best  float64 `json:"best"`  // the points of a submission that is right; 0 if there is no maximum

	Feedback problem.Feedback `json:"-"` // how much students see
	Samples  []string         `json:"-"` // names of the cases that they know

	Judging *Execution `json:"-"` // how the submissions were judged, without them; nil if none was
}

// Student is a row of a sheet.
type Student struct {
	Name     string   `json:"name"`
	Points   float64  `json:"points"`   // of the problems that count
	Best     float64  `json:"best"`     // the most that it could be
	Accepted int      `json:"accepted"` // problems whose submission is accepted
	Columns  []string `json:"columns"`  // its fields in the roster; none if it is not there
	Cells    []Cell   `json:"cells"`    // in the order of the problems
}

// Cell is the result of a student's submission for a problem.
type Cell struct {
	Submission string          `json:"submission"` // its path; "" if nothing was handed in
	Wrong      string          `json:"wrong"`      // why it was not judged, such as several files for one problem; else ""
	Verdict    verdict.Verdict `json:"verdict"`    // None if it was not judged
	Points     float64         `json:"points"`
	Late       bool            `json:"late"`    // it was handed in late
	Dropped    bool            `json:"dropped"` // its points do not count
	Shared     string          `json:"shared"`  // the student of the same group who handed it in; "" if it is the student's own
	Passed     int             `json:"passed"`
	Judged     int             `json:"judged"`
	Total      int             `json:"total"`
	First      string          `json:"first_failure"`
	Cause      string          `json:"cause"`
	Language   string          `json:"language"`
	CPU        time.Duration   `json:"cpu_ns"` // the largest of any case, and so are those below
	Wall       time.Duration   `json:"wall_ns"`
	Memory     limits.Bytes    `json:"memory_bytes"`
	Cached     int             `json:"cached"` // cases whose result is that of an earlier run

	Details *Submission `json:"-"` // the submission with its first failing case; nil if it was not judged
}

// NewSheet returns a sheet for these students and problems, in which nobody has handed in anything.
func NewSheet(students []string, problems []SheetProblem) *Sheet {
	s := &Sheet{Head: document.NewHead(SheetSchema), Problems: problems, Columns: []string{}}
	for _, name := range students {
		s.Students = append(s.Students, Student{Name: name, Columns: []string{}, Cells: make([]Cell, len(problems))})
	}
	return s
}

// Cell returns the cell of a student for the problem with this index.
func (s *Sheet) Cell(student string, problem int) *Cell {
	i, _ := slices.BinarySearchFunc(s.Students, student, func(one Student, name string) int { return strings.Compare(one.Name, name) })
	return &s.Students[i].Cells[problem]
}

// Judged records how the submissions for a problem were judged.
func (s *Sheet) Judged(problem int, x *Execution) {
	how := *x
	how.Submissions = nil
	s.Problems[problem].Judging = &how
}

// Set fills a cell of the problem with this index with the result of its submission, of which it keeps the first
// failing case.
func (s *Sheet) Set(c *Cell, problem int, of *Submission) {
	c.Details = of.upToFailure()
	d := of.Done
	c.Verdict, c.Passed, c.Judged, c.Total, c.First, c.Cause = d.Verdict, d.Passed, d.Judged, d.Total, d.First, d.Cause
	c.Language, c.CPU, c.Wall, c.Memory, c.Cached = of.Language, d.CPU, d.Wall, d.Memory, d.Cached
	if d.Verdict == verdict.None {
		c.Wrong, c.Cause = d.Cause, ""
	}
	s.Scoring.score(c, &s.Problems[problem], of)
}

// Sum adds up the points of the students. With ranked set it then sorts the students by points, the
// most first, and those with the same points by name.
func (s *Sheet) Sum(ranked bool) {
	for i := range s.Students {
		one := &s.Students[i]
		one.Points, one.Best = s.Scoring.drop(one, s.Problems)
		one.Accepted = 0
		for _, c := range one.Cells {
			if c.Verdict == verdict.AC {
				one.Accepted++
			}
		}
	}
	if ranked {
		slices.SortStableFunc(s.Students, func(a, b Student) int { return cmp.Compare(b.Points, a.Points) })
	}
}

// Verdicts returns how many submissions for a problem have each verdict.
func (s *Sheet) Verdicts(problem int) map[verdict.Verdict]int {
	count := map[verdict.Verdict]int{}
	for _, one := range s.Students {
		if c := one.Cells[problem]; c.Submission != "" {
			count[c.Verdict]++
		}
	}
	return count
}
