package report

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tribunal/judge/cli/layout"
	"tribunal/judge/internal/account"
	"tribunal/judge/internal/regen"
	"tribunal/judge/internal/tty"
	"tribunal/judge/internal/verdict"
	"tribunal/judge/internal/watchmode"
)

const (
	maxChanges  = 20  // changed expected outputs of a problem that are shown
	maxExamples = 5   // examples of a problem with an unexpected verdict that are named
	maxWhole    = 300 // lines of a difference that the key d shows; more than the comparison keeps
)

// block adds the block of one problem.
func (f *frame) block(k *block) {
	if k.problem == "" && k.failed.value == nil {
		return
	}
	f.lines = append(f.lines, ranked{rank: spare})
	if k.problem != "" {
		f.heading(k)
	}
	f.failed(k)
	f.changes(k)
	for _, r := range roles {
		switch g := k.graded[r]; {
		case g == nil:
		case r == watchmode.Example:
			f.examples(k, g)
		default:
			for _, m := range g.programs {
				f.program(k, r, g, m)
			}
		}
		if r == watchmode.Submission {
			f.smaller(k)
		}
	}
}

// smaller adds the counterexample that was found after the round.
func (f *frame) smaller(k *block) {
	if k.smaller == nil {
		return
	}
	f.add(vital, detail, func(p *layout.Page) {
		inner := &layout.Page{Color: p.Color}
		counterexample(inner, k.smaller, f.cols-4)
		for _, l := range inner.Text().Lines() {
			p.Printf("    %s\n", l)
		}
	})
}

// heading adds the name of the problem and the state of its expected outputs.
func (f *frame) heading(k *block) {
	text, l, rank := "", layout.Plain, fine
	if e := k.expectations.value; e != nil {
		text, l = state(e)
		text = "  " + text
	}
	if _, m := k.wrong(); m != nil || k.failed.value != nil || l != layout.Good {
		rank = vital
	}
	f.add(rank, rank, func(p *layout.Page) {
		p.Printf("%s%s%s", p.Paint(layout.Strong, layout.Word(k.problem)), p.Paint(l, text), f.earlier(p, k, k.expectations.round))
	})
}

// state describes the state of expected outputs, and returns its look.
func state(e *watchmode.Expectations) (string, layout.Look) {
	n := "lock"
	if list := changes(e); len(list) > 0 {
		n = layout.Count(len(list), "expected output")
	}
	switch e.State {
	case watchmode.Fresh:
		return "expected outputs are fresh", layout.Good
	case watchmode.Checking:
		return n + " would change, checking the change", layout.Plain
	case watchmode.Pending:
		return n + " would change, press g to write", layout.Bad
	case watchmode.Held:
		return n + " held: " + layout.Word(e.Why), layout.Bad
	case watchmode.Written:
		return n + " written", layout.Strong
	case watchmode.Outdated:
		return "expected outputs are fresh, press g to renew the lock", layout.Good
	}
	return n + " " + layout.Word(string(e.State)), layout.Plain
}

// changes returns the changes of expected outputs.
func changes(e *watchmode.Expectations) []regen.Change {
	if e == nil || e.Plan == nil {
		return nil
	}
	return e.Plan.Changes
}

// earlier returns the round that a result comes from, if a later round has worked on the problem.
func (f *frame) earlier(p *layout.Page, k *block, round int) tty.Text {
	if round == 0 || round >= k.round {
		return tty.Text{}
	}
	return p.Paint(layout.Dim, "  (round "+strconv.Itoa(round)+")")
}

// failed adds the error of a problem.
func (f *frame) failed(k *block) {
	e := k.failed.value
	if e == nil {
		return
	}
	first, _, _ := strings.Cut(e.Err.Error(), "\n")
	f.add(vital, vital, func(p *layout.Page) { p.Printf("  %s\n", p.Paint(layout.Bad, layout.Word(first))) })
	f.add(detail, detail, func(p *layout.Page) { furtherLines(p, e.Err) })
}

// furtherLines adds the lines of an error after the first.
func furtherLines(p *layout.Page, err error) {
	_, text, _ := strings.Cut(err.Error(), "\n")
	lines, more := layout.Head(text, maxErrors)
	p.Indented("  ", lines)
	if more {
		p.Printf("  …\n")
	}
}

// changes adds the changes of expected outputs.
func (f *frame) changes(k *block) {
	f.add(changed, changed, func(p *layout.Page) { showChanges(p, changes(k.expectations.value)) })
}

// showChanges adds the first of the changes and the number of the others.
func showChanges(p *layout.Page, list []regen.Change) {
	for _, c := range list[:min(len(list), maxChanges)] {
		showChange(p, c)
	}
	if more := len(list) - maxChanges; more > 0 {
		p.Printf("  … and %d more\n", more)
	}
}

// showChange adds the difference between the old and the new version of an expected output.
func showChange(p *layout.Page, c regen.Change) {
	name := p.Paint(layout.Strong, layout.Word(c.Case))
	switch {
	case c.New:
		p.Printf("  %s: new\n", name)
	case c.Mismatch == nil:
		p.Printf("  %s: changed (only its hash is kept)\n", name)
	default:
		p.Printf("  %s: %s\n", name, p.Paint(layout.Dim, "- old, + new"))
		p.Difference(c.Mismatch, layout.MaxDiff, layout.Bad, layout.Good)
	}
}

// program adds a line with the verdict of a program, and a row with a character for each case.
func (f *frame) program(k *block, r watchmode.Role, g *graded, m *program) {
	ok, known := m.asExpected(r)
	row := vital
	if known && ok || g.round < k.round {
		row = fine
	}
	f.add(row, row, func(p *layout.Page) {
		v := m.Verdict
		if !m.Finished && m.failure != nil {
			v = m.failure.Verdict
		}
		name := layout.Word(m.Name)
		if runes, most := []rune(name), max(f.cols/2, 1); len(runes) > most {
			name = "…" + string(runes[len(runes)-most:]) // keep the end, in which long paths differ
		}
		if r == watchmode.Served {
			name += " on the server"
		}
		code, rest := cmp.Or(v.String(), "…"), m.progress(g)
		if m.Finished && v == verdict.None { // the server does not show it
			code, rest = notRun, ": "+layout.Word(m.Cause)
		}
		p.Printf("  %s %s%s%s", p.Paint(layout.LookOf(v), fmt.Sprintf("%-3s", code)), name, f.earlier(p, k, g.round), rest)
	})
	marks := course
	if known && ok {
		marks = spare
	}
	f.add(marks, marks, func(p *layout.Page) {
		var marks []glyph
		for i := range m.Total {
			v := verdict.None
			if c := m.On(i); c != nil {
				v = c.Verdict
			}
			marks = append(marks, mark(v))
		}
		for row := range slices.Chunk(marks, max(f.cols-4, 1)) {
			p.Printf("    %s\n", painted(p, row))
		}
	})
	f.explained(k, m)
}

// mark returns the character for a verdict: a dot for AC, an underscore for none, otherwise its
// first letter.
func mark(v verdict.Verdict) glyph {
	switch v {
	case verdict.None:
		return glyph{"_", layout.Dim}
	case verdict.AC:
		return glyph{"·", layout.Good}
	}
	return glyph{v.String()[:1], layout.LookOf(v)}
}

// progress returns the number of cases that a program has passed, the slowest case, and the number
// of cached cases.
func (m *program) progress(g *graded) string {
	if len(m.Cases) == 0 {
		return ""
	}
	text := "  " + layout.Passed(m.Count(func(c *account.Case) bool { return c.Verdict == verdict.AC }), len(m.Cases), m.Total, " of ")
	if c := m.slowest(); c != nil {
		text += ", slowest " + layout.Word(c.Name) + " " + layout.OfLimit(c.Result.CPU, c.Under(g.limits).CPU, layout.Duration)
	}
	if n := m.Count(cached); n > 0 {
		text += fmt.Sprintf(", %d cached", n)
	}
	return text
}

// examples adds the number of examples that get their expected verdict, and the others by name.
func (f *frame) examples(k *block, g *graded) {
	var judged, right int
	var wrong []*program
	for _, m := range g.programs {
		switch ok, known := m.asExpected(watchmode.Example); {
		case ok:
			right++
			judged++
		case known:
			wrong = append(wrong, m)
			judged++
		}
	}
	row, rest, l := fine, detail, layout.Good
	if len(wrong) > 0 {
		row, l = vital, layout.Bad
	}
	if g.round < k.round {
		row, rest = fine, changed
	}
	f.add(row, row, func(p *layout.Page) {
		p.Printf("  %s", p.Paint(l, fmt.Sprintf("%d of %s as expected", right, layout.Count(len(g.programs), "example"))))
		if judged < len(g.programs) {
			p.Printf(", %d to come", len(g.programs)-judged)
		}
		p.Printf("%s", f.earlier(p, k, g.round))
	})
	for i, m := range wrong {
		f.add(rest, rest, func(p *layout.Page) {
			if i == maxExamples {
				p.Printf("    … and %d more", len(wrong)-i)
				return
			}
			p.Printf("    ")
			sentence(p, m.Submission)
		})
		if i == maxExamples {
			return
		}
		f.explained(k, m)
	}
}

// explain adds the first failure of a program in full, or the output of its compiler.
func (m *program) explain(p *layout.Page, g *graded) {
	switch {
	case m.Error != "":
		compiler(p, m.Error, maxErrors)
	case m.failure != nil:
		l := m.failure.Under(g.limits)
		failure(p, *m.failure, l, rerun(*m.failure, l), commands{})
	}
}

// explained adds the explanation of m if it is the first program of the problem with an unexpected
// verdict.
func (f *frame) explained(k *block, m *program) {
	if g, first := k.wrong(); m == first {
		heading, rest := vital, detail
		if g.round < k.round { // perhaps out of date
			heading, rest = fine, changed
		}
		f.add(heading, rest, func(p *layout.Page) {
			prefix := "    "
			if m.Error != "" {
				prefix = "" // the compiler's output is indented already
			}
			inner := &layout.Page{Color: p.Color}
			if m.explain(inner, g); inner.Empty() {
				return
			}
			for _, l := range inner.Text().Lines() {
				p.Printf("%s%s\n", prefix, l)
			}
		})
	}
}

// difference adds the whole difference of a case, which the user has requested.
func difference(p *layout.Page, e *watchmode.Difference) {
	if e.Case == "" {
		p.Printf("no case failed: there is no difference to show\n")
		return
	}
	p.Printf("%s, %s: %s\n", p.Paint(layout.Strong, layout.Word(e.Problem+"/"+e.Case)), e.Role, layout.Word(e.Cause))
	if e.Mismatch == nil {
		p.Printf("  no difference to show: the output was not compared\n")
		return
	}
	p.Printf("  %s\n", p.Paint(layout.Dim, "- expected, + written"))
	p.Difference(e.Mismatch, maxWhole, layout.Good, layout.Bad)
}
