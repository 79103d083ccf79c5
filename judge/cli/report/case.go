package report

import (
	"fmt"
	"io"
	"strings"

	"tribunal/judge/internal/cases"
)

// CaseData is what [Case] shows of a case. The texts are the beginnings of longer ones if the case is
// large.
type CaseData struct {
	Case       *cases.Case
	In, Out    string
	Size, Want int64    // sizes of the whole input and expected output in bytes
	Draw       []string // words of the command that draws the case; nil if there is none
}

// MaxCase is the size in bytes of the beginning of an input or output that [Case] shows.
const MaxCase = 64 << 10

// Case writes a case as text for a terminal: what it is for, where it comes from, its input and its
// expected output. It returns the error of w.
func Case(w io.Writer, d CaseData, o PageOptions) error {
	if o.Width <= 0 {
		o.Width = 80
	}
	p := &page{color: o.Color}
	p.printf("%s", p.paint(strong, word(d.Case.Name)))
	if d.Case.Optional {
		p.printf(", optional")
	}
	p.printf("\n")
	lines, more := head(d.Case.Note, maxMessage)
	if more {
		lines = append(lines, "…")
	}
	p.indented("  ", lines)
	if text := origins(d.Case); text != "" {
		p.printf("%s\n", p.paint(dim, text))
	}
	if len(d.Case.Args) > 0 {
		p.printf("%s %s\n", p.paint(dim, "arguments:"), word(strings.Join(d.Case.Args, " ")))
	}
	p.sample(Sample{Name: d.Case.Name, Input: d.In, Output: d.Out}, o.Width)
	for _, part := range []struct {
		text  string
		whole int64
		flag  string
	}{{d.In, d.Size, "input"}, {d.Out, d.Want, "answer"}} {
		if shown := int64(len(part.text)); shown < part.whole || strings.Count(part.text, "\n") > maxSample {
			p.printf("not the whole %s, which has %d bytes (hint: --%s)\n", part.flag, part.whole, part.flag)
		}
	}
	if len(d.Draw) > 0 {
		p.printf("%s %s\n", p.paint(dim, "picture:"), Shell(d.Draw))
	}
	return p.write(w)
}

// origins says where the input and the expected output of a case come from.
func origins(c *cases.Case) string {
	var parts []string
	switch {
	case c.Generate != nil:
		parts = append(parts, fmt.Sprintf("input made by gen %s -seed=%d", word(strings.Join(c.Generate, " ")), *c.Seed))
	case c.InputFile != "":
		parts = append(parts, "input in "+word(c.InputFile))
	case c.File != "":
		parts = append(parts, fmt.Sprintf("input in %s:%d", word(c.File), c.Line))
	}
	switch {
	case c.Pinned:
		parts = append(parts, "output pinned")
	case c.OutputFile != "":
		parts = append(parts, "output in "+word(c.OutputFile))
	case c.Given == nil:
		parts = append(parts, "output by the reference")
	}
	return strings.Join(parts, "; ")
}

// Cases writes a table of cases, one line each. It returns the error of w.
func Cases(w io.Writer, list []cases.Case, o PageOptions) error {
	p := &page{color: o.Color}
	var table [][]cell
	for i := range list {
		c := &list[i]
		note, _, _ := strings.Cut(strings.TrimSpace(c.Note), "\n")
		if c.Optional {
			note = strings.TrimSuffix("optional; "+note, "; ")
		}
		table = append(table, []cell{{text: word(c.Name), look: strong}, {text: word(note)}})
	}
	p.table("", table)
	return p.write(w)
}
