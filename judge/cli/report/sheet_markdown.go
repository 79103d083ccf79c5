package report

import (
	"io"
	"strconv"
	"strings"

	"tribunal/judge/cli/layout"
	"tribunal/judge/internal/account"
	"tribunal/judge/internal/tty"
	"tribunal/judge/internal/verdict"
)

// SheetMarkdown writes a heading and the table of a sheet, in the form of [GradeMarkdown].
func SheetMarkdown(w io.Writer, s *account.Sheet) error {
	var b strings.Builder
	var ids []string
	rule := "| --- |"
	for _, p := range s.Problems {
		ids = append(ids, inlineCode(p.ID))
		rule += " --- |"
	}
	b.WriteString("### " + strings.Join(ids, ", ") + "\n\n| student | " + strings.Join(ids, " | ") + " | points |\n" + rule + " ---: |\n")
	for i, one := range s.Students {
		if b.Len() > maxComment {
			b.WriteString("\n… and " + layout.Count(len(s.Students)-i, "more student") + "\n")
			break
		}
		cells := []string{inlineCode(one.Name)}
		for k := range one.Cells {
			text := sheetCell(&one.Cells[k]).Text
			if c := &one.Cells[k]; c.Verdict != verdict.AC && c.Verdict != verdict.None {
				text = "**" + text + "**"
			}
			cells = append(cells, text)
		}
		b.WriteString("| " + strings.Join(append(cells, layout.Points(one.Points)), " | ") + " |\n")
	}
	sum := []string{"accepted"}
	for i := range s.Problems {
		sum = append(sum, strconv.Itoa(s.Verdicts(i)[verdict.AC]))
	}
	b.WriteString("| " + strings.Join(sum, " | ") + " | |\n\n")
	wrong, notes := notJudged(s)
	for _, text := range append(wrong, notes...) {
		b.WriteString("- " + inlineCode(text) + "\n")
	}
	return tty.Data(w, []byte(b.String()))
}
