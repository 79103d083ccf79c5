package report

import (
	"fmt"
	"io"
	"strings"

	"tribunal/judge/cli/layout"
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
func Case(w io.Writer, d CaseData, o layout.Options) error {
	if o.Width <= 0 {
		o.Width = 80
	}
	p := &layout.Page{Color: o.Color}
	p.Printf("%s", p.Paint(layout.Strong, layout.Word(d.Case.Name)))
	if d.Case.Optional {
		p.Printf(", optional")
	}
	p.Printf("\n")
	lines, more := layout.Head(d.Case.Note, maxMessage)
	if more {
		lines = append(lines, "…")
	}
	p.Indented("  ", lines)
	if text := origins(d.Case); text != "" {
		p.Printf("%s\n", p.Paint(layout.Dim, text))
	}
	if len(d.Case.Args) > 0 {
		p.Printf("%s %s\n", p.Paint(layout.Dim, "arguments:"), layout.Word(strings.Join(d.Case.Args, " ")))
	}
	addSample(p, Sample{Name: d.Case.Name, Input: d.In, Output: d.Out}, o.Width)
	for _, part := range []struct {
		text  string
		whole int64
		flag  string
	}{{d.In, d.Size, "input"}, {d.Out, d.Want, "answer"}} {
		if shown := int64(len(part.text)); shown < part.whole || strings.Count(part.text, "\n") > maxSample {
			p.Printf("not the whole %s, which has %d bytes (hint: --%s)\n", part.flag, part.whole, part.flag)
		}
	}
	if len(d.Draw) > 0 {
		p.Printf("%s %s\n", p.Paint(layout.Dim, "picture:"), Shell(d.Draw))
	}
	return p.Write(w)
}

// origins says where the input and the expected output of a case come from.
func origins(c *cases.Case) string {
	var parts []string
	switch {
	case c.Generate != nil:
		parts = append(parts, fmt.Sprintf("input made by gen %s -seed=%d", layout.Word(strings.Join(c.Generate, " ")), *c.Seed))
	case c.InputFile != "":
		parts = append(parts, "input in "+layout.Word(c.InputFile))
	case c.File != "":
		parts = append(parts, fmt.Sprintf("input in %s:%d", layout.Word(c.File), c.Line))
	}
	switch {
	case c.Pinned:
		parts = append(parts, "output pinned")
	case c.OutputFile != "":
		parts = append(parts, "output in "+layout.Word(c.OutputFile))
	case c.Given == nil:
		parts = append(parts, "output by the reference")
	}
	return strings.Join(parts, "; ")
}

// Cases writes a table of cases, one line each. It returns the error of w.
func Cases(w io.Writer, list []cases.Case, o layout.Options) error {
	p := &layout.Page{Color: o.Color}
	var table [][]layout.Cell
	for i := range list {
		c := &list[i]
		note, _, _ := strings.Cut(strings.TrimSpace(c.Note), "\n")
		if c.Optional {
			note = strings.TrimSuffix("optional; "+note, "; ")
		}
		table = append(table, []layout.Cell{{Text: layout.Word(c.Name), Look: layout.Strong}, {Text: layout.Word(note)}})
	}
	p.Table("", table)
	return p.Write(w)
}
