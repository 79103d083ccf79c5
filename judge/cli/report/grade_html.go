package report

import (
	"cmp"
	_ "embed"
	"html/template"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"tribunal/judge/cli/layout"
	"tribunal/judge/internal/account"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/verdict"
)

//go:embed grade.html
var gradePage string

var gradeTemplate = layout.Template("grade", gradePage)

// kinds lists the CSS classes of the kinds of verdicts.
var kinds = [...]string{
	verdict.NotJudged: "none", verdict.Accepted: "ok", verdict.WrongOutput: "wrong", verdict.TooSlow: "slow",
	verdict.TooMuch: "much", verdict.Crashed: "crash", verdict.NotBuilt: "build", verdict.JudgeFailed: "judge",
}

// A gradedPage is the data of the template. All its texts are clean.
type gradedPage struct {
	Problem, Title       string
	Kinds                []string
	Facts                [][2]string // what was judged and how, each with its name
	Counts               []gradedCount
	Marks                []string // explanations of the marks after verdicts
	Cases                []string
	CPU, Wall            string // limits
	Memory               string
	Scored               bool
	Promised, AsPromised int                 // how many submissions have an expected result, and how many got it
	Submissions          []*gradedSubmission // the best first
	Accepted             []int               // by case: how many submissions were accepted
	Elapsed              string
}

// A gradedCount is the number of submissions with the same verdict.
type gradedCount struct {
	Kind, Verdict, Title string
	N                    int
}

// A gradedCell is a verdict in a table.
type gradedCell struct {
	Kind, Verdict string
	Link          string // the id of its explanation; "" if there is none
}

// A gradedUsage is a measurement with its part of the limit.
type gradedUsage struct {
	Text    string // "" if nothing was measured
	Percent int    // at most 100; 0 without a limit
	Over    bool   // whether it exceeds the limit
}

type gradedSubmission struct {
	ID, Name, Program string
	Verdict           gradedCell
	Title             string
	Expectation       string
	Expected          string // the expected verdict, or another promise; "" if nothing is expected
	Unexpected        bool
	Points            string
	Groups            [][2]string // the points of test groups
	Accepted          string
	CPU, Wall, Memory gradedUsage
	Why               string
	Cells             template.HTML // the verdicts on all cases
	Compiler          []string      // lines
	Failures          []gradedFailure
	Cases             template.HTML // the rows of those that were judged
	Open              bool          // whether its details are shown at first
}

// A gradedFailure is a failing case in full.
type gradedFailure struct {
	ID, Name, Title    string
	Verdict            gradedCell
	Cause              string
	Place              string       // where the difference is
	Difference         []gradedLine // "" without a difference
	Note, Input        []string     // lines
	Message, Stderr    []string     // lines
	MoreStderr         bool         // whether lines before Stderr are left out
	Usage, Again, Kept string
	Command, Draw      string
	gradedPicture
}

// A gradedLine is a line of a difference.
type gradedLine struct{ Class, Text string }

// openSubmissions is the number of submissions up to which their details are shown at first.
const openSubmissions = 3

// GradeHTML writes the report as an HTML page that needs no other files, no network and no scripts.
func GradeHTML(w io.Writer, x *account.Execution) error {
	p := gradedPage{
		Problem: layout.Word(x.Problem), Title: layout.Word(x.Title), Kinds: kinds[:], Facts: facts(x), Elapsed: layout.Duration(x.Elapsed),
		CPU: limitText(x.Limits.CPU, layout.Duration), Wall: limitText(x.Limits.Wall, layout.Duration), Memory: limitText(x.Limits.Memory, layout.Size),
		Accepted: make([]int, len(x.Cases)),
	}
	for _, name := range x.Cases {
		p.Cases = append(p.Cases, layout.Word(name))
	}
	anyUnstable, anyCached, pictures := false, false, gradedPictures{}
	counts := map[verdict.Verdict]int{}
	for _, i := range bestFirst(x.Submissions) {
		s := x.Submissions[i]
		p.Submissions = append(p.Submissions, newGraded(x, i, pictures))
		p.Scored = p.Scored || s.Points != nil
		counts[s.Verdict]++
		if s.AsExpected != nil {
			if p.Promised++; *s.AsExpected {
				p.AsPromised++
			}
		}
		anyUnstable, anyCached = anyUnstable || s.Count(unstable) > 0, anyCached || s.Count(cached) > 0
		for k := range s.Cases {
			if c := &s.Cases[k]; c.Verdict == verdict.AC {
				p.Accepted[c.Index]++
			}
		}
	}
	p.Counts = gradedCounts(counts)
	if anyUnstable {
		p.Marks = append(p.Marks, unsure+": unstable, the verdicts of its runs differ")
	}
	if anyCached {
		p.Marks = append(p.Marks, earlier+": cached, measured by an earlier run")
	}
	return layout.WritePage(w, gradeTemplate(), p)
}

// gradedCounts returns the numbers of submissions by verdict, in the order of verdicts.
func gradedCounts(counts map[verdict.Verdict]int) (list []gradedCount) {
	for _, v := range append(verdict.All(), verdict.None) {
		if n := counts[v]; n > 0 {
			list = append(list, gradedCount{kinds[v.Kind()], layout.Code(v), v.Title(), n})
		}
	}
	return list
}

// facts returns what was judged and how.
func facts(x *account.Execution) (list [][2]string) {
	add := func(name, text string) { list = append(list, [2]string{name, text}) }
	if x.Dialect != "" {
		add("dialect", layout.Word(x.Dialect)+", because "+layout.Word(x.Because))
	}
	for _, g := range x.LeftOut {
		add("left out", layout.Word(g.Name)+", an optional group of "+layout.Count(g.Cases, "case"))
	}
	add("limits", layout.Limits(x.Limits)+"; compared: "+layout.Word(x.Compare))
	add("sandbox", mechanisms(x.Mechanisms))
	running := layout.Count(x.Slots, "program") + " at a time, " + layout.Count(max(x.CPUs, 1), "CPU") + " each"
	if x.Repeat > 1 {
		running += ", every case " + strconv.Itoa(x.Repeat) + " times"
	}
	add("running", running)
	for _, n := range slices.Concat(x.Notes, x.Busy) {
		add("note", layout.Word(n))
	}
	add("judge", layout.Word(x.Judge))
	return list
}

// bestFirst returns the indices of submissions, the best first: by points, then accepted ones, then by
// accepted cases, then by name.
func bestFirst(list []*account.Submission) []int {
	order := make([]int, len(list))
	for i := range order {
		order[i] = i
	}
	score := func(s *account.Submission) float64 {
		if s.Points == nil {
			return 0
		}
		return s.Points.Points
	}
	accepted := func(s *account.Submission) int {
		if s.Verdict == verdict.AC {
			return 1
		}
		return 0
	}
	slices.SortStableFunc(order, func(i, j int) int {
		a, b := list[i], list[j]
		return cmp.Or(cmp.Compare(score(b), score(a)), accepted(b)-accepted(a), b.Passed-a.Passed, strings.Compare(a.Name, b.Name))
	})
	return order
}

// newGraded returns the data of a submission.
func newGraded(x *account.Execution, index int, pictures gradedPictures) *gradedSubmission {
	s := x.Submissions[index]
	g := &gradedSubmission{
		ID: "s" + number(index), Name: layout.Word(s.Name), Program: from(&s.Built), Title: s.Verdict.Title(), Why: why(s),
		Verdict: gradedCell{kinds[s.Verdict.Kind()], layout.Code(s.Verdict), ""}, Open: len(x.Submissions) <= openSubmissions,
	}
	text, l := expectation(s)
	g.Expectation, g.Unexpected = text, l == layout.Bad
	if text != "" {
		g.Expected = cmp.Or(s.Expected.String(), text)
	}
	g.describe(s)
	if s.Wall > 0 {
		g.CPU, g.Wall, g.Memory = usageOf(s.CPU, x.Limits.CPU, layout.Duration), usageOf(s.Wall, x.Limits.Wall, layout.Duration), usageOf(s.Memory, x.Limits.Memory, layout.Size)
	}
	links := map[int]string{} // by case
	remarks := 0
	var rows htmlRows
	for i := range s.Cases {
		c := &s.Cases[i]
		cell := gradedVerdict(s, c.Index)
		if c.Verdict != verdict.AC && len(g.Failures) < MaxFull {
			f := newFailure(x, s, c)
			f.ID = g.ID + "c" + number(c.Index)
			f.draw(pictures, x, s, c)
			links[c.Index], cell.Link = f.ID, f.ID
			g.Failures = append(g.Failures, f)
		}
		remark := joined(layout.Word(c.Cause), runsOf(x, c), origin(*c))
		if remark != "" {
			if remarks++; remarks > maxBrief {
				remark = ""
			}
		}
		rows.begin(layout.Word(c.Name))
		rows.verdict(cell)
		if c.Verdict == verdict.JE { // nothing was measured
			rows.usage(gradedUsage{})
			rows.usage(gradedUsage{})
			rows.usage(gradedUsage{})
		} else {
			l := c.Under(x.Limits)
			rows.usage(usageOf(c.CPU, l.CPU, layout.Duration))
			rows.usage(usageOf(c.Wall, l.Wall, layout.Duration))
			rows.usage(usageOf(c.Memory, l.Memory, layout.Size))
		}
		rows.text("remark", remark)
	}
	g.Cases = rows.html()
	var cells htmlRows
	for i := range x.Cases {
		cell := gradedVerdict(s, i)
		cell.Link = links[i]
		cells.verdict(cell)
	}
	g.Cells = cells.html()
	return g
}

// describe adds how many cases were accepted, points, and what the compiler printed.
func (g *gradedSubmission) describe(s *account.Submission) {
	if s.Judged > 0 {
		g.Accepted = layout.Passed(s.Passed, s.Judged, s.Total, "/")
	}
	if s.Points != nil {
		g.Points = layout.Points(s.Points.Points)
		for _, row := range pointsRows(s.Points) {
			g.Groups = append(g.Groups, [2]string{strings.TrimSpace(row[0].Text), row[1].Text})
		}
	}
	var more bool
	if g.Compiler, more = layout.Head(s.Error, maxErrors); more {
		g.Compiler = append(g.Compiler, "…")
	}
}

// gradedVerdict returns the verdict on a case with its marks.
func gradedVerdict(s *account.Submission, i int) gradedCell {
	kind := verdict.NotJudged
	if c := s.On(i); c != nil {
		kind = c.Verdict.Kind()
	}
	return gradedCell{Kind: kinds[kind], Verdict: verdictOn(s, i).Text}
}

// newFailure returns the data of a failing case, without ID, commands and picture.
func newFailure(x *account.Execution, s *account.Submission, c *account.Case) gradedFailure {
	f := gradedFailure{Name: layout.Word(c.Name), Title: c.Verdict.Title(), Verdict: gradedVerdict(s, c.Index), Again: runsOf(x, c), Kept: layout.Word(c.Kept)}
	if !shown(c.Mismatch, c.Verdict) {
		f.Cause = layout.Word(c.Cause)
	}
	if c.Mismatch != nil {
		lines, more := layout.Head(c.Mismatch.Format(""), layout.MaxDiff)
		for i, l := range lines {
			class := ""
			switch {
			case i == 0:
				f.Place = strings.TrimPrefix(l, ": ")
				continue
			case strings.HasPrefix(l, "- "):
				class = "want"
			case strings.HasPrefix(l, "+ "):
				class = "got"
			}
			f.Difference = append(f.Difference, gradedLine{class, l})
		}
		if more {
			f.Difference = append(f.Difference, gradedLine{"", "…"})
		}
	}
	var more bool
	f.Note, _ = layout.Head(c.Note, maxMessage)
	if f.Input, more = beginning(c.Shown); more {
		f.Input = append(f.Input, "…")
	}
	if f.Message, more = layout.Head(c.Message, maxMessage); more {
		f.Message = append(f.Message, "…")
	}
	f.Stderr, more = layout.Tail(c.Stderr, layout.MaxStderr)
	if (more || c.Truncated) && len(f.Stderr) > 0 {
		f.Stderr = append([]string{"…"}, f.Stderr...)
	}
	if c.Verdict != verdict.JE {
		f.Usage = usage(c, c.Under(x.Limits))
	}
	return f
}

// runsOf describes the runs of a case, if there were several.
func runsOf(x *account.Execution, c *account.Case) string {
	if x.Repeat <= 1 || c.Spread == nil {
		return rerun(*c, c.Under(x.Limits))
	}
	return tally(c.Attempts) + ", cpu " + layout.Duration(c.Spread.CPU.Least) + " … " + layout.Duration(c.Spread.CPU.Most)
}

// usageOf returns a measurement as a part of its limit; 0 means no limit.
func usageOf[T time.Duration | limits.Bytes](measured, limit T, text func(T) string) gradedUsage {
	u := gradedUsage{Text: text(measured)}
	if limit > 0 {
		u.Percent, u.Over = int(min(measured, limit)*100/limit), measured > limit
	}
	return u
}

// limitText returns "of 1 s", or "" without a limit.
func limitText[T time.Duration | limits.Bytes](limit T, text func(T) string) string {
	if limit == 0 {
		return ""
	}
	return "of " + text(limit)
}
