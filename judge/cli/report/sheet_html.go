package report

import (
	_ "embed"
	"html/template"
	"io"
	"slices"
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
	Own          bool // whether it is the page of a student
	Kinds        []string
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

// SheetHTML writes a sheet as an HTML page that needs no other files, no network and no scripts: the
// table, and each submission that was not accepted with its first failing case.
func SheetHTML(w io.Writer, s *account.Sheet) error { return sheetHTML(w, s, "", nil) }

// sheetHTML is SheetHTML for a page with a name in its title, unless that is "", and with links to the pages of
// students.
func sheetHTML(w io.Writer, s *account.Sheet, whose string, pages map[string]string) error {
	p := sheetView{Kinds: kinds[:], Elapsed: layout.Duration(s.Elapsed)}
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
			if c.Facts = facts(one.Judging); whose != "" {
				c.Facts = slices.DeleteFunc(c.Facts, func(f [2]string) bool { return f[0] != "limits" })
			}
		}
		p.Problems, names = append(p.Problems, c), append(names, c.Name)
	}
	p.Title, p.Counts = strings.Join(names, ", "), gradedCounts(all)
	if whose != "" {
		p.Own, p.Title = true, layout.Word(whose)+": "+p.Title
	}
	for k := range s.Students {
		one := &s.Students[k]
		var cells htmlRows
		for i := range one.Cells {
			c := &one.Cells[i]
			text := sheetCell(c).Text
			cell := gradedCell{Kind: kinds[c.Verdict.Kind()], Verdict: text}
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
			cells.verdict(cell)
		}
		p.Students = append(p.Students, sheetRow{layout.Word(one.Name), sheetPoints(one, whose != ""), pages[one.Name], one.Accepted, cells.html()})
	}
	return layout.WritePage(w, sheetTemplate(), p)
}

// sheetDetail returns the data of a submission with its first failing case.
func sheetDetail(x *account.Execution, s *account.Submission, id string, pictures gradedPictures) *gradedSubmission {
	g := &gradedSubmission{
		ID: id, Name: layout.Word(s.Name), Program: from(&s.Built), Title: s.Verdict.Title(), Why: why(s),
		Verdict: gradedCell{kinds[s.Verdict.Kind()], layout.Code(s.Verdict), ""},
	}
	g.describe(s)
	for i := range s.Cases {
		f := newFailure(x, s, &s.Cases[i])
		f.ID = id + "c"
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
	for _, note := range s.Notes {
		notes = append(notes, layout.Word(note))
	}
	return wrong, notes
}
