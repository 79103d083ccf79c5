package verify

import (
	"strings"

	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/points"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/verdict"
)

// state is what the judged cases of a submission say about its promise. It does not depend on which
// side of a limit a time that is near it happens to be.
type state uint8

const (
	undecided state = iota // other cases, or times near a limit, decide
	kept                   // it holds, whatever other cases get
	broken                 // it does not hold, whatever other cases get
)

// decision follows the cases of a submission, in case order, until they decide about its promise.
type decision struct {
	promise problem.Expect
	problem *problem.Problem
	groups  *points.Group // nil if the first failing case decides; they are not Custom
	limits  limits.Limits
	names   []string // of all cases, in case order
	slow    bool     // look for a case that takes even longer than [limits.Beyond]
	cases   []grade.Case
}

// add adds a case, and reports whether the remaining ones need not be judged.
func (d *decision) add(c *grade.Case) bool {
	d.cases = append(d.cases, *c)
	if d.groups != nil && d.promisesPoints() {
		return false // all cases that count have points
	}
	switch d.state() {
	case broken:
		return true
	case kept:
		// Of a submission that passes so far, the number of passed cases is wanted too. One that
		// is only too slow may be slower on a later case.
		return d.fails() && !(d.slow && d.merelyLate() && !over(d.limits, d.cases))
	}
	return false
}

// fails reports whether a case certainly fails.
func (d *decision) fails() bool {
	for i := range d.cases {
		if !d.possible(&d.cases[i]).Has(verdict.AC) {
			return true
		}
	}
	return false
}

// merelyLate reports whether all cases would have been accepted without time limits.
func (d *decision) merelyLate() bool {
	for _, c := range d.cases {
		if c.Verdict != verdict.AC && c.Untimed != verdict.AC {
			return false
		}
	}
	return true
}

// edges returns the names of the cases whose verdicts depend on times near a limit.
func (d *decision) edges() (names []string) {
	for i := range d.cases {
		if c := &d.cases[i]; d.possible(c) != verdict.SetOf(c.Verdict) {
			names = append(names, c.Name)
		}
	}
	return names
}

// possible returns the verdicts that a case may get in another run or on another machine: its own
// and, if its time is [limits.Near] a limit, that on the other side.
func (d *decision) possible(c *grade.Case) verdict.Set {
	set := verdict.SetOf(c.Verdict)
	l, r := c.Under(d.limits), c.Result
	switch {
	case r.Stop == sandbox.OverCPU, r.Stop == sandbox.OverWall:
	case !limits.Near(l.CPU, r.CPU) && !limits.Near(l.Wall, r.Counted()):
	case r.CPU > limits.Past(l.CPU), l.Wall > 0 && r.Counted() > limits.Past(l.Wall): // certainly too slow
	case c.Verdict.Is(verdict.TooSlow) && c.Untimed != verdict.None:
		set |= verdict.SetOf(c.Untimed)
	case c.Verdict != verdict.JE && c.Verdict != verdict.None:
		// This includes what the judge stops for another reason, like too much memory: on a slower
		// machine its time is over before.
		set |= verdict.SetOf(verdict.TLE)
	}
	return set
}

// state returns what the cases say about the promise.
func (d *decision) state() state {
	for _, c := range d.cases {
		if c.Verdict == verdict.JE {
			return broken
		}
	}
	var parts []state
	if d.groups != nil {
		parts = append(parts, d.scored())
	} else {
		parts = append(parts, d.final())
	}
	if !d.problem.Scoring && (d.promise.Partial || d.promise.Score != nil) { // a promise about points, which there are none of
		parts = append(parts, undecided)
	}
	for _, r := range d.promise.Rules {
		parts = append(parts, d.rule(r))
	}
	all := kept
	for _, p := range parts {
		if p == broken {
			return broken
		}
		all = min(all, p)
	}
	return all
}

// complete reports whether all cases were judged.
func (d *decision) complete() bool { return len(d.cases) == len(d.names) }

// final returns what the cases say about the verdict of the submission, which is that of its first
// failing case.
func (d *decision) final() state {
	if d.promise.Final == 0 {
		return kept
	}
	var can verdict.Set // verdicts that the submission may get
	fails := false
	for i := range d.cases {
		p := d.possible(&d.cases[i])
		can |= p &^ verdict.SetOf(verdict.AC)
		if fails = !p.Has(verdict.AC); fails {
			break
		}
	}
	switch {
	case !fails && !d.complete():
		return undecided
	case !fails:
		can |= verdict.SetOf(verdict.AC)
	}
	switch {
	case can&^d.promise.Final == 0:
		return kept
	case can&d.promise.Final == 0:
		return broken
	}
	return undecided
}

// rule returns what the cases say about a rule.
func (d *decision) rule(r problem.Rule) state {
	matched, met, may, said := false, r.Required == 0, false, r.Message == ""
	result := kept
	for i := range d.cases {
		c := &d.cases[i]
		if !r.Match(c.Name) {
			continue
		}
		p := d.possible(c)
		switch {
		case p&r.Permitted == 0:
			return broken
		case p&^r.Permitted != 0:
			result = undecided
		}
		matched = true
		met = met || p&^r.Required == 0
		may = may || p&r.Required != 0
		said = said || strings.Contains(c.Message, r.Message)
	}
	for _, name := range d.names[len(d.cases):] {
		if r.Match(name) && verdict.OfCase()&^r.Permitted != 0 {
			result = undecided
			break
		}
	}
	switch {
	case matched && met && said:
		return result
	case d.complete() && (!matched || !said || !may && !met):
		return broken
	}
	return undecided
}
