package report

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"tribunal/judge/cli/layout"
	"tribunal/judge/internal/account"
	"tribunal/judge/internal/verdict"
)

//go:embed sheet.html
var sheetPage string

var sheetTemplate = layout.Template("sheet", sheetPage)

// A sheetView is the data of the template. All its texts are clean.
type sheetView struct {
	Title        string
	Whose        string // the student whose page it is; "" for the teacher's
	Own          []ownRow
	Kinds        []string
	Facts        [][2]string // how all problems were judged
	Counts       []gradedCount
	Problems     []*sheetColumn
	Students     []sheetRow
	Wrong, Notes []string // what was not judged, and other remarks
	Elapsed      string
}

// A sheetColumn is a problem, with the submissions to it that were not accepted.
type sheetColumn struct {
	ID, Name, Title  string
	Counts           []gradedCount
	Facts            [][2]string
	Accepted, Handed int
	Submissions      []sheetSubmission
}

type sheetSubmission struct {
	*gradedSubmission
	Student string
}

type sheetRow struct {
	Name, Points string
	Page         string // the file with the student's page; "" if there is none
	Accepted     int
	Cells        template.HTML
}

// An ownRow is a problem on the page of a student.
type ownRow struct {
	*sheetColumn
	Cell                  template.HTML
	Points, Cases, Remark string
}

// SheetHTML writes a sheet as an HTML page that needs no other files, no network and no scripts: the
// table, and each submission that was not accepted with its first failing case.
func SheetHTML(w io.Writer, s *account.Sheet) error { return sheetHTML(w, s, "", nil) }

// sheetHTML is SheetHTML, with links to the pages of students. If whose is not "", the only row is that of a student, for
// whom the page is.
func sheetHTML(w io.Writer, s *account.Sheet, whose string, pages map[string]string) error {
	p := sheetView{Whose: layout.Word(whose), Kinds: kinds[:], Elapsed: layout.Duration(s.Elapsed)}
	p.Wrong, p.Notes = notJudged(s)
	all, pictures := map[verdict.Verdict]int{}, gradedPictures{}
	var names []string
	for i, one := range s.Problems {
		counts := s.Verdicts(i)
		c := &sheetColumn{ID: "p" + number(i), Name: layout.Word(one.ID), Title: layout.Word(one.Title), Counts: gradedCounts(counts), Accepted: counts[verdict.AC]}
		for v, n := range counts {
			c.Handed += n
			all[v] += n
		}
		if one.Judging != nil {
			c.Facts = facts(one.Judging)
		}
		p.Problems, names = append(p.Problems, c), append(names, c.Name)
	}
	p.shareFacts()
	p.Title, p.Counts = strings.Join(names, ", "), gradedCounts(all)
	for k := range s.Students {
		one := &s.Students[k]
		var cells htmlRows
		for i := range one.Cells {
			c := &one.Cells[i]
			cell := gradedCell{Kind: kinds[c.Verdict.Kind()], Verdict: sheetCell(c).Text}
			if c.Details != nil && c.Verdict != verdict.AC {
				g := sheetDetail(s.Problems[i].Judging, c.Details, p.Problems[i].ID+"s"+number(k), pictures)
				if whose != "" { // whom commands for the teacher's folders do not help
					for n := range g.Failures {
						f := &g.Failures[n]
						f.Again, f.Kept, f.Command, f.Draw = "", "", "", ""
					}
				}
				p.Problems[i].Submissions = append(p.Problems[i].Submissions, sheetSubmission{g, layout.Word(one.Name)})
				cell.Link = g.ID
			}
			if whose != "" {
				p.Own = append(p.Own, newOwnRow(p.Problems[i], s.Problems[i].Best, c, cell))
				continue
			}
			cells.verdict(cell)
		}
		points := layout.Points(one.Points)
		if whose != "" {
			points = ownPoints(one.Points, one.Best)
		}
		p.Students = append(p.Students, sheetRow{layout.Word(one.Name), points, pages[one.Name], one.Accepted, cells.html()})
	}
	return layout.WritePage(w, sheetTemplate(), p)
}

// newOwnRow returns the row of a problem, whose best submission has so many points, with the result c.
func newOwnRow(problem *sheetColumn, best float64, c *account.Cell, cell gradedCell) ownRow {
	r := ownRow{sheetColumn: problem, Remark: sheetMarks(c)}
	if c.Wrong == "" {
		r.Points = ownPoints(c.Points, best)
	}
	if c.Details != nil && c.Judged > 0 {
		r.Cases = layout.Passed(c.Passed, c.Judged, c.Total, "/")
	}
	var alone htmlRows
	cell.Verdict, _, _ = strings.Cut(cell.Verdict, " ") // the points have a column
	alone.verdict(cell)
	r.Cell = alone.html()
	return r
}

// shareFacts leaves with each problem its limits and what only it has. What is true of all is said once, for the teacher.
func (p *sheetView) shareFacts() {
	const limits = "limits"
	for i, one := range p.Problems {
		if i == 0 {
			p.Facts = one.Facts
		}
		p.Facts = slices.DeleteFunc(slices.Clone(p.Facts), func(f [2]string) bool { return f[0] == limits || !slices.Contains(one.Facts, f) })
	}
	for _, one := range p.Problems {
		one.Facts = slices.DeleteFunc(one.Facts, func(f [2]string) bool {
			return slices.Contains(p.Facts, f) || p.Whose != "" && f[0] != limits
		})
	}
}

// sheetMarks says on the page of a student what is special about the points of a cell.
func sheetMarks(c *account.Cell) string {
	var list []string
	if c.Late {
		list = append(list, "late")
	}
	if c.Shared != "" { // with a name, which is another's
		list = append(list, "of the group")
	}
	if c.Dropped {
		list = append(list, "does not count")
	}
	return strings.Join(list, ", ")
}

// sheetDetail returns the data of a submission with its first failing case, but not what came from the cache.
func sheetDetail(x *account.Execution, s *account.Submission, id string, pictures gradedPictures) *gradedSubmission {
	g := &gradedSubmission{
		ID: id, Name: layout.Word(s.Name), Program: layout.Word(s.Language), Title: s.Verdict.Title(), Why: why(s),
		Verdict: gradedCell{kinds[s.Verdict.Kind()], layout.Code(s.Verdict), ""},
	}
	g.describe(s)
	for i := range s.Cases {
		f := newFailure(x, s, &s.Cases[i])
		f.ID, f.Verdict.Verdict = id+"c", strings.TrimSuffix(f.Verdict.Verdict, earlier) // nothing for a student
		f.draw(pictures, x, s, &s.Cases[i])
		g.Failures = append(g.Failures, f)
	}
	return g
}

// notJudged lists what could not be judged, and what belongs to no student or problem.
func notJudged(s *account.Sheet) (wrong, notes []string) {
	for _, one := range s.Students {
		for i, c := range one.Cells {
			if c.Wrong != "" {
				wrong = append(wrong, layout.Word(one.Name)+", "+layout.Word(s.Problems[i].ID)+": "+layout.Word(c.Wrong))
			}
		}
	}
	for _, note := range folded(s.Notes) {
		notes = append(notes, layout.Word(note))
	}
	return wrong, notes
}

const maxAlike = 3 // names in a note about several files or students

// folded makes one note of several that say the same of files of one type or of students, whose names are what they
// begin with. What they name further on is left out where it differs.
func folded(notes []string) (short []string) {
	type group struct {
		names, ends []string
		says        string
	}
	var groups []*group
	known := map[string]*group{}
	for _, note := range notes {
		name, text, _ := strings.Cut(note, ": ")
		says, end, more := strings.Cut(text, ": ")
		if says = ": " + says; more {
			says += ": "
		}
		if quoted, err := strconv.QuotedPrefix(note); err == nil {
			name, text, says, end = quoted, note[len(quoted):], note[len(quoted):], ""
		} else if text == "" {
			says = ""
		}
		kind := strings.ToLower(filepath.Ext(name))
		if strings.ContainsAny(kind, " ,") { // of a name
			kind = ""
		}
		g := known[kind+says]
		if g == nil || text == "" && g.names[0] != name {
			g = &group{says: says}
			known[kind+says], groups = g, append(groups, g)
		}
		g.names, g.ends = append(g.names, name), append(g.ends, end)
	}
	for _, g := range groups {
		if len(g.names) <= maxAlike {
			for i, name := range g.names {
				short = append(short, name+g.says+g.ends[i])
			}
			continue
		}
		if slices.ContainsFunc(g.ends, func(end string) bool { return end != g.ends[0] }) {
			g.ends[0] = "…"
		}
		says := strings.Replace(g.says, " is ", " are ", 1)
		if strings.HasPrefix(g.says, ":") {
			says = g.says
		}
		short = append(short, fmt.Sprintf("%s and %d more%s%s", strings.Join(g.names[:maxAlike], ", "), len(g.names)-maxAlike, says, g.ends[0]))
	}
	return short
}
