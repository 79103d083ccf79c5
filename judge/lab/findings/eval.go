package findings

import (
	"fmt"
	"io"
	"strings"

	"tribunal/judge/cli/layout"
	"tribunal/judge/lab/eval"
)

// Eval writes the summary of an evaluation as text: pass@k, the verdicts, and what was not judged. It
// returns the error of w.
func Eval(w io.Writer, s *eval.Summary, o layout.Options) error {
	p := &layout.Page{Color: o.Color}
	var rows [][]layout.Cell
	for _, m := range s.PassAt {
		if m.Tasks == 0 && m.K > 1 {
			continue
		}
		row := []layout.Cell{{Text: fmt.Sprint("pass@", m.K), Look: layout.Strong}, {Text: "no task", Look: layout.Dim}}
		if m.Tasks > 0 {
			row[1] = layout.Cell{Text: fmt.Sprintf("%.2f %%", 100*float64(m.Mean)), Right: true}
			row = append(row, layout.Cell{Text: "mean of " + layout.Count(m.Tasks, "task")})
		}
		if m.LeftOut > 0 {
			row = append(row, layout.Cell{Text: fmt.Sprintf("without %s of fewer programs", layout.Count(m.LeftOut, "task")), Look: layout.Dim})
		}
		rows = append(rows, row)
	}
	p.Table("", rows)
	p.Printf("\n%s of %s", layout.Count(s.Programs, "program"), layout.Count(len(s.Tasks), "task"))
	if counts := layout.Frequencies(s.Verdicts); counts != "" {
		p.Printf(": %s", counts)
	}
	p.Printf("\n")
	var parts []string
	for _, part := range []struct {
		n    int
		text string
	}{{s.Same, "the same as another"}, {s.Known, "judged earlier"}, {s.NotJudged, "not judged"}, {s.Skipped, "skipped because of errors"}} {
		if part.n > 0 {
			parts = append(parts, fmt.Sprint(part.n, " ", part.text))
		}
	}
	if parts != nil {
		p.Printf("%s\n", strings.Join(parts, ", "))
	}
	if s.Extracted > 0 {
		p.Printf("%d of %s were taken out of a fence\n", s.Extracted, layout.Count(s.Programs+s.NotJudged, "program"))
	}
	if s.Fenced > 0 {
		p.Printf("%s judged with a fence of Markdown, from which --extract took nothing\n", layout.Count(s.Fenced, "program"))
	}
	p.Printf("judged in %s\n", layout.Duration(s.Elapsed))
	return p.Write(w)
}
