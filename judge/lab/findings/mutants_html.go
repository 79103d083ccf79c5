package findings

import (
	_ "embed"
	"io"
	"path"
	"slices"

	"tribunal/judge/cli/layout"
	"tribunal/judge/lab/mutate"
)

//go:embed mutants.html
var mutantsPage string

var mutantsTemplate = layout.Template("mutants", mutantsPage)

// A htmlPage is the data of the template.
type htmlPage struct {
	*mutate.Report
	Operators []htmlOperator
	Files     []htmlFile
	Stale     []string   // errors about rules that match no survivor
	Marks     []string   // the values of Mark
	Parts     []htmlPart // partition of all mutants, for the bar at the top
}

// A htmlPart is the number of mutants with the same mark.
type htmlPart struct {
	Mark, Title string
	N           int
}

type htmlOperator struct {
	Name string
	mutate.Tally
}

type htmlFile struct {
	Name  string
	Lines []htmlLine
}

// A htmlLine is a line of the source with its mutants.
type htmlLine struct {
	Number  int
	Text    string
	Mark    string // the worst mark of its mutants; "" if it has none
	Mutants []htmlMutant
	Killed  int // the number of its mutants that are killed
}

type htmlMutant struct {
	*mutate.Result
	Mark    string
	Verdict string
	Killer  string   // the case that kills the mutant, or ""
	Cause   string   // the cause of the verdict, or the error of the judge
	Reason  string   // the reason that the rule gives
	Lines   []string // the removed and added lines
}

// marks lists the marks of mutants, the worst first. They are CSS classes.
var marks = []string{"survived", "unreached", "failed", "known", "equivalent", "killed"}

// MutantsHTML writes the report as an HTML page that needs no other files.
func MutantsHTML(w io.Writer, r *mutate.Report) error {
	t := r.Tally
	p := htmlPage{Report: r, Marks: marks}
	for _, part := range []htmlPart{
		{"killed", "killed", t.Killed}, {"equivalent", "equivalent", t.Equivalent}, {"known", "known to survive", t.Survived - t.Unexplained},
		{"survived", "survived, not explained", t.Unexplained}, {"failed", "not run", t.Failed},
	} {
		if part.N > 0 {
			p.Parts = append(p.Parts, part)
		}
	}
	names, tallies := r.ByOperator()
	for i, name := range names {
		p.Operators = append(p.Operators, htmlOperator{name, tallies[i]})
	}
	for _, rule := range r.Stale() {
		p.Stale = append(p.Stale, rule.Errorf("", "no survivor matches this rule: %s", rule).Error())
	}
	p.Files = htmlFiles(r)
	return layout.WritePage(w, mutantsTemplate(), p)
}

// htmlFiles returns the files that have mutants, with their lines.
func htmlFiles(r *mutate.Report) (files []htmlFile) {
	at := map[string]int{}
	for i := range r.Mutants {
		m := &r.Mutants[i]
		name := path.Base(m.File)
		if _, known := at[name]; !known {
			at[name] = len(files)
			f := htmlFile{Name: m.File}
			for n, text := range r.Lines[name] {
				f.Lines = append(f.Lines, htmlLine{Number: n + 1, Text: text})
			}
			files = append(files, f)
		}
		f := &files[at[name]]
		if m.Line < 1 || m.Line > len(f.Lines) {
			continue
		}
		l, h := &f.Lines[m.Line-1], newHTMLMutant(m)
		l.Mutants = append(l.Mutants, h)
		if m.Fate == mutate.Killed {
			l.Killed++
		}
		if l.Mark == "" || slices.Index(marks, h.Mark) < slices.Index(marks, l.Mark) {
			l.Mark = h.Mark
		}
	}
	return files
}

func newHTMLMutant(m *mutate.Result) htmlMutant {
	h := htmlMutant{Result: m, Mark: m.Fate.String(), Lines: diffLines(m.Diff, false)}
	if m.Rule != nil {
		h.Mark, h.Reason = "known", m.Rule.Reason
		if m.Rule.Equivalent {
			h.Mark = "equivalent"
		}
	}
	if k := m.Killer(); k != nil {
		h.Verdict, h.Killer, h.Cause = k.Verdict.String(), k.Case, k.Cause
	}
	if m.Error != "" {
		h.Cause = m.Error
	}
	return h
}
