package report

import (
	"io"

	"tribunal/judge/cli/layout"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/verdict"
)

// Run writes a line about a run that is not compared with anything: how it ended, and what it used of
// its limits. v and cause are as of [grade.Classify].
func Run(w io.Writer, r sandbox.Result, l limits.Limits, v verdict.Verdict, cause string) error {
	p := &layout.Page{}
	if v == verdict.AC {
		p.Printf("exited with status 0")
	} else {
		p.Printf("%s %s: %s", v.String(), v.Title(), layout.Word(cause))
	}
	p.Printf("; cpu %s, wall %s, memory %s, output %s\n", layout.OfLimit(r.CPU, l.CPU, layout.Duration), layout.OfLimit(r.Wall, l.Wall, layout.Duration),
		layout.OfLimit(r.Memory, l.Memory, layout.Size), layout.OfLimit(limits.Bytes(r.Stdout), l.Output, layout.Size))
	return p.Write(w)
}
