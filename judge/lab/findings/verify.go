package findings

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"tribunal/judge/cli/format"
	"tribunal/judge/cli/layout"
	"tribunal/judge/internal/event"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/yamlstrict"
	"tribunal/judge/lab/verify"
)

// A Verify is a sink that renders the events of judge verify as text. It writes findings to one
// writer, and notes, a line or two about each problem and totals to another, each when its event
// comes. It is not safe for concurrent use.
type Verify struct {
	w     io.Writer
	notes format.Output
	bar   *layout.Bar // nil if there is no progress bar at the moment
	err   error       // the first error of the writers
}

// NewVerify returns a Verify that writes findings to w and everything else to notes. If notes is
// live, the Verify draws a progress bar there.
func NewVerify(w io.Writer, notes format.Output) *Verify { return &Verify{w: w, notes: notes} }

// Event renders e. Close returns errors of the writers.
func (v *Verify) Event(e event.Event) {
	switch e := e.(type) {
	case *verify.Begun:
		v.begin(e.What)
	case *verify.Progress:
		if v.bar != nil {
			v.bar.Count(e.Done, e.Total, "")
		}
	case *verify.Finding:
		v.write(v.w, func(p *layout.Page) { p.Printf("%s\n", layout.Word(e.String())) })
	case *verify.Note:
		v.write(v.notes.Writer, func(p *layout.Page) { p.Printf("%s\n", layout.Word(e.String())) })
	case *verify.Summary:
		v.write(v.notes.Writer, func(p *layout.Page) { checked(p, e) })
	case *verify.Report:
		v.stop()
		v.write(v.notes.Writer, func(p *layout.Page) { totals(p, e) })
	}
}

// Close removes the progress bar and returns the first error of the writers.
func (v *Verify) Close() error {
	v.stop()
	return v.err
}

func (v *Verify) begin(what string) {
	v.stop()
	if v.notes.Live {
		v.bar = layout.NewBar(v.notes.Writer, v.notes.Width, what, time.Now())
	}
}

func (v *Verify) stop() {
	if v.bar != nil {
		v.bar.Stop()
		v.bar = nil
	}
}

// write writes the text that fill adds to a page, above the progress bar.
func (v *Verify) write(w io.Writer, fill func(*layout.Page)) {
	p := &layout.Page{}
	fill(p)
	put := func() {
		if v.err == nil {
			v.err = p.Write(w)
		}
	}
	if v.bar == nil {
		put()
	} else {
		v.bar.Interrupt(put)
	}
}

// checked adds the counts and the margins of a problem.
func checked(p *layout.Page, s *verify.Summary) {
	parts := []string{layout.Count(s.Cases, "case")}
	if s.Examples > 0 {
		parts = append(parts, layout.Count(s.Examples, "example"))
	}
	if s.Unchecked > 0 {
		parts = append(parts, fmt.Sprintf("%d not checked", s.Unchecked))
	}
	if s.Brute != (verify.Reach{}) {
		parts = append(parts, fmt.Sprintf("brute agrees on %d", s.Brute.Agrees))
	}
	if s.Brute.Beyond > 0 {
		parts = append(parts, fmt.Sprintf("%d too large for it", s.Brute.Beyond))
	}
	if s.Brute.Declined > 0 {
		parts = append(parts, fmt.Sprintf("%d declined", s.Brute.Declined))
	}
	p.Printf("%s: %s\n", layout.Word(s.Problem), strings.Join(parts, ", "))
	parts = nil
	for _, m := range s.Margins {
		if m.Have > 0 && m.Need > 0 {
			parts = append(parts, fmt.Sprintf("%s %s of %s (%s)", layout.Word(m.Limit), quantity(m, m.Need), quantity(m, m.Have), times(m)))
		}
	}
	if len(parts) > 0 {
		p.Printf("%s: %s\n", layout.Word(s.Problem), strings.Join(parts, ", "))
	}
}

// totals adds the last lines: how far an interrupted work came, and the numbers of everything.
func totals(p *layout.Page, r *verify.Report) {
	if at := r.Stopped; at != nil {
		p.Printf("stopped while checking the %s of %s", layout.Word(at.Check), layout.Word(cmp.Or(at.Problem, "the repository")))
		if at.Total > 0 {
			p.Printf(", after %d of %s", at.Done, layout.Count(at.Total, "run"))
		}
		p.Printf("\n")
	}
	p.Printf("%s, %s, %s", layout.Count(len(r.Problems), "problem"), layout.Count(len(r.Checks), "check"), layout.Count(len(r.Findings), "finding"))
	if r.Stopped != nil {
		p.Printf(" so far")
	}
	p.Printf("\n")
}

// times returns the limit as a multiple of what is needed, such as 3.4× or 41×.
func times(m verify.Margin) string {
	n := float64(m.Have) / float64(m.Need)
	switch {
	case n < 10:
		return fmt.Sprintf("%.1f×", n)
	case n > 1000:
		return "over 1000×"
	}
	return fmt.Sprintf("%.0f×", n)
}

// quantity formats an amount in the unit of a margin.
func quantity(m verify.Margin, n int64) string {
	if m.Unit == "ns" {
		return layout.Duration(time.Duration(n))
	}
	return layout.Size(limits.Bytes(n))
}

// ofVerify returns the findings of judge verify.
func ofVerify(r *verify.Report) format.Annotations {
	a := format.Annotations{Command: "judge verify", Partial: r.Stopped != nil}
	for _, c := range verify.Checks() {
		if slices.Contains(r.Checks, c.Name) {
			a.Rules = append(a.Rules, [2]string{c.Name, c.Doc})
		}
	}
	for _, f := range r.Findings {
		a.List = append(a.List, format.NewAnnotation(f.Check, false, yamlstrict.Error{File: f.File, Line: f.Line, Msg: f.Text, Hint: f.Hint}))
	}
	for _, n := range r.Notes {
		a.Notes = append(a.Notes, layout.Word(n.String()))
	}
	return a
}
