package report

import (
	"fmt"
	"io"
	"strings"

	"tribunal/judge/lab/eval"
)

// Eval writes the summary of an evaluation as text: pass@k, the verdicts, and what was not judged. It
// returns the error of w.
func Eval(w io.Writer, s *eval.Summary, o PageOptions) error {
	p := &page{color: o.Color}
	var rows [][]cell
	for _, m := range s.PassAt {
		if m.Tasks == 0 && m.K > 1 {
			continue
		}
		row := []cell{{text: fmt.Sprint("pass@", m.K), look: strong}, {text: "no task", look: dim}}
		if m.Tasks > 0 {
			row[1] = cell{text: fmt.Sprintf("%.2f %%", 100*float64(m.Mean)), right: true}
			row = append(row, cell{text: "mean of " + Count(m.Tasks, "task")})
		}
		if m.LeftOut > 0 {
			row = append(row, cell{text: fmt.Sprintf("without %s of fewer programs", Count(m.LeftOut, "task")), look: dim})
		}
		rows = append(rows, row)
	}
	p.table("", rows)
	p.printf("\n%s of %s", Count(s.Programs, "program"), Count(len(s.Tasks), "task"))
	if counts := frequencies(s.Verdicts); counts != "" {
		p.printf(": %s", counts)
	}
	p.printf("\n")
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
		p.printf("%s\n", strings.Join(parts, ", "))
	}
	p.printf("judged in %s\n", duration(s.Elapsed))
	return p.write(w)
}
