package report

import (
	"io"

	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/verdict"
)

// Run writes a line about a run that is not compared with anything: how it ended, and what it used of
// its limits. v and cause are as of [grade.Classify].
func Run(w io.Writer, r sandbox.Result, l limits.Limits, v verdict.Verdict, cause string) error {
	p := &page{}
	if v == verdict.AC {
		p.printf("exited with status 0")
	} else {
		p.printf("%s %s: %s", v.String(), v.Title(), word(cause))
	}
	p.printf("; cpu %s, wall %s, memory %s, output %s\n", ofLimit(r.CPU, l.CPU, duration), ofLimit(r.Wall, l.Wall, duration),
		ofLimit(r.Memory, l.Memory, size), ofLimit(limits.Bytes(r.Stdout), l.Output, size))
	return p.write(w)
}
