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

// maxComment is the size in bytes from which on rows are left out, because a comment on GitHub holds
// 65,536 characters.
const maxComment = 60_000

// GradeMarkdown writes a heading and a table with a row for each submission, in the Markdown of
// GitHub and GitLab, for a comment in a code review. Texts of others are code, in which nothing is a
// link, a mention or markup.
func GradeMarkdown(w io.Writer, x *account.Execution) error {
	var b strings.Builder
	b.WriteString("### " + inlineCode("judge grade "+x.Problem) + ": " + verdictCounts(x) + "\n\n")
	scored := false
	for _, s := range x.Submissions {
		scored = scored || s.Points != nil
	}
	columns, rule := "| submission | verdict |", "| --- | --- |"
	if scored {
		columns, rule = columns+" points |", rule+" ---: |"
	}
	b.WriteString(columns + " accepted | cpu | wall | memory | first failure |\n" + rule + " ---: | ---: | ---: | ---: | --- |\n")
	for i, s := range x.Submissions {
		if b.Len() > maxComment {
			b.WriteString("\n… and " + layout.Count(len(x.Submissions)-i, "more submission") + "\n")
			break
		}
		markdownRow(&b, s, scored)
	}
	for _, s := range x.Submissions {
		if c := s.Deciding(); c != nil && drawCommand(x, s, c) != "" {
			b.WriteString("\nDraw " + inlineCode(c.Name) + ": " + inlineCode(drawCommand(x, s, c)) + "\n")
			break
		}
	}
	b.WriteString("\nLimits: " + layout.Limits(x.Limits) + ". Judged in " + layout.Duration(x.Elapsed) + ".\n")
	if text := FromCache(x.Submissions...); text != "" {
		b.WriteString("\n" + text + ".\n")
	}
	return tty.Data(w, []byte(b.String()))
}

func markdownRow(b *strings.Builder, s *account.Submission, scored bool) {
	result := layout.Code(s.Verdict)
	if text, l := expectation(s); text != "" && l == layout.Bad {
		result = "**" + text + "**"
	} else if text != "" {
		result += " (" + text + ")"
	} else if s.Verdict != verdict.AC {
		result = "**" + result + "**"
	}
	cells := []string{inlineCode(s.Name), result}
	if scored {
		text := ""
		if s.Points != nil {
			text = ofPoints(s.Points.Points, s.Points.Best)
		}
		cells = append(cells, text)
	}
	accepted := ""
	if s.Judged > 0 {
		accepted = layout.Passed(s.Passed, s.Judged, s.Total, "/")
	}
	cells = append(cells, accepted)
	if s.Wall > 0 {
		cells = append(cells, layout.Duration(s.CPU), layout.Duration(s.Wall), layout.Size(s.Memory))
	} else {
		cells = append(cells, "", "", "")
	}
	cells = append(cells, inlineCode(why(s)))
	b.WriteString("| " + strings.Join(cells, " | ") + " |\n")
}

// verdictCounts counts the verdicts, in the order of [verdict.All]: "3 AC, 1 WA".
func verdictCounts(x *account.Execution) string {
	counts := map[verdict.Verdict]int{}
	for _, s := range x.Submissions {
		counts[s.Verdict]++
	}
	var parts []string
	for _, v := range append(verdict.All(), verdict.None) {
		if n := counts[v]; n > 0 {
			parts = append(parts, strconv.Itoa(n)+" "+layout.Code(v))
		}
	}
	return strings.Join(parts, ", ")
}

// inlineCode returns a clean text as code that may stand in a table. Its fence is longer than any
// run of backquotes in it, and the bars in it are escaped.
func inlineCode(text string) string {
	text = layout.Word(text)
	if strings.TrimSpace(text) == "" {
		return ""
	}
	fence := "`"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	pad := ""
	if strings.HasPrefix(text, "`") || strings.HasSuffix(text, "`") || strings.HasPrefix(text, " ") && strings.HasSuffix(text, " ") {
		pad = " " // Markdown removes it
	}
	return fence + pad + escapeBars(text) + pad + fence
}

// escapeBars escapes the bars in code in a table. Readers disagree whether a bar after two backslashes
// is escaped, so those before a bar are doubled; they remain visible.
func escapeBars(text string) string {
	parts := strings.Split(text, "|")
	for i, part := range parts[:len(parts)-1] {
		parts[i] = part + part[len(strings.TrimRight(part, `\`)):]
	}
	return strings.Join(parts, `\|`)
}
