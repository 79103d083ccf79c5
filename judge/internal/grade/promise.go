package grade

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/verdict"
)

// Broken returns a sentence for each promise that the submission breaks, with the case that breaks
// it. If not all cases were judged, it does not report that no case gets what the promise requires.
func (j Judged) Broken(e problem.Expect) []string {
	var found []string
	promise := func(format string, args ...any) {
		text := fmt.Sprintf(format, args...)
		if e.From != "" {
			text += " (promised by " + e.From + ")"
		}
		if !slices.Contains(found, text) {
			found = append(found, text)
		}
	}
	because := func(cause string) string {
		if cause == "" {
			return ""
		}
		return ": " + cause
	}
	d := j.Done
	if d.Verdict == verdict.CE {
		if !mayNotCompile(e) {
			promise("does not compile%s", because(d.Cause))
		}
		return found
	}
	for _, c := range j.Cases {
		if c.Verdict == verdict.JE {
			promise("JE on %s%s", c.Name, because(c.Cause))
		}
	}
	if d.Verdict == verdict.JE && len(found) == 0 { // the points could not be computed
		promise("JE%s", because(d.Cause))
		return found
	}
	if e.Final != 0 && !e.Final.Has(d.Verdict) && d.Verdict != verdict.JE {
		where := ""
		if d.First != "" {
			where = " on " + d.First
		}
		promise("gets %s%s, not %s%s", d.Verdict, where, problem.Expect{Final: e.Final}, because(d.Cause))
	}
	best, none := false, true // if the problem gives no points
	if p := d.Points; p != nil {
		best, none = p.Points == float64(p.Best) && (e.Final == 0 || d.Verdict == verdict.AC), p.Points == 0 && e.Final == 0
		if e.Score != nil && !within(p.Points, *e.Score, e.Decimals) {
			promise("gets %s points, not %s", number(p.Points), between(*e.Score))
		}
		for _, of := range e.Grades {
			for _, g := range p.Groups {
				if g.Group.Name == of.Group && !g.LeftOut && g.Verdict != verdict.None && !of.Verdicts.Has(g.Verdict) {
					found = append(found, fmt.Sprintf("gets %s for %s, not %s (promised by %s)", g.Verdict, of.Group, problem.Expect{Final: of.Verdicts}, of.From))
				}
			}
		}
		for _, r := range e.Rules {
			for _, g := range p.Groups {
				if r.Score != nil && g.Group.Name == r.Cases && !within(g.Points, *r.Score, 0) {
					promise("gets %s points for %s, not %s", number(g.Points), r.Cases, between(*r.Score))
				}
			}
		}
	}
	switch {
	case e.Partial && best:
		promise("gets all points, not a part of them")
	case e.Partial && none:
		promise("gets no points, not a part of them")
	}
	for _, r := range e.Rules {
		met, said := r.Required == 0, r.Message == ""
		matched := false
		for _, c := range j.Cases {
			if !r.Match(c.Name) {
				continue
			}
			matched = true
			if !r.Permitted.Has(c.Verdict) && c.Verdict != verdict.JE {
				promise("gets %s on %s, which %s does not permit%s", c.Verdict, c.Name, quoted(r), because(c.Cause))
			}
			met = met || r.Required.Has(c.Verdict)
			said = said || strings.Contains(c.Message, r.Message)
		}
		switch {
		case d.Judged < d.Total: // perhaps another case does
		case !matched:
			promise("no case matches %s", quoted(r))
		case !met:
			promise("no case gets a required verdict: %s", quoted(r))
		case !said:
			promise("no judge message contains %q: %s", r.Message, quoted(r))
		}
	}
	return found
}

// mayNotCompile reports whether a submission that does not compile keeps the promise: if e is empty
// or has CE among its verdicts.
func mayNotCompile(e problem.Expect) bool {
	if e.Final != 0 && !e.Final.Has(verdict.CE) || e.Partial || e.Score != nil || e.Grades != nil {
		return false
	}
	for _, r := range e.Rules {
		if !r.Permitted.Has(verdict.CE) || r.Required != 0 && !r.Required.Has(verdict.CE) || r.Score != nil || r.Message != "" {
			return false
		}
	}
	return true
}

func number(n float64) string { return strconv.FormatFloat(n, 'g', 10, 64) }

// within reports whether points are in a range, after rounding to a number of decimals. If that is
// 0 they are compared to nine decimals, as DOMjudge does, because points are sums of fractions.
func within(points float64, r [2]float64, decimals int) bool {
	if decimals == 0 {
		decimals = 9
	}
	slack := 0.5000001 * math.Pow10(-decimals) // a half may be rounded either way
	return points >= r[0]-slack && points <= r[1]+slack
}

// between formats a range of points.
func between(r [2]float64) string {
	if r[0] == r[1] {
		return number(r[0])
	}
	return number(r[0]) + " to " + number(r[1])
}

func quoted(r problem.Rule) string { return "“" + r.String() + "”" }
