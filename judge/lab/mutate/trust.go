package mutate

import (
	"math/rand/v2"
	"slices"
	"time"
)

// cheap bounds the cases on which trusted mutants are probed: it is the maximum CPU time of the
// unmutated schema.
const cheap = 50 * time.Millisecond

// exact reports whether a rule describes the mistake, not only its place. A rule that is not exact
// explains survivors but is not trusted, because a case may kill other mistakes at the same place.
func (r *Rule) exact() bool { return r.Equivalent && (r.Op != "" || r.Change != "") }

// trusted reports whether an exact rule calls a mutant equivalent. lines are the source lines of
// the package.
func (r *Rules) trusted(m *Mutant, lines Lines) bool {
	return r != nil && slices.ContainsFunc(r.Equal, func(rule *Rule) bool {
		return rule.exact() && rule.explains(m, lines.Of(m))
	})
}

// trust marks the mutants to skip because rules call them equivalent. It draws some of them at
// random to run on cheap cases all the same, so that a rule that covers too much does not hide
// mutants for ever.
func (w *work) trust() {
	if !w.o.Trust {
		return
	}
	var list []int
	for i := range w.report.Mutants {
		m := &w.report.Mutants[i]
		if m.Trusted = w.o.Rules.trusted(&m.Mutant, w.report.Lines); m.Trusted {
			list = append(list, i)
		}
	}
	chance := rand.New(rand.NewPCG(w.o.Seed, 0))
	chance.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	for _, i := range list[:min(w.o.Probe, len(list))] {
		w.report.Mutants[i].Probed = true
	}
}

// wanted reports whether to run a mutant on a case that reaches its site.
func (w *work) wanted(m *Result, c int) bool {
	of := &w.report.Cases[c]
	return !of.Left && (!m.Trusted || m.Probed && of.Time <= cheap)
}

// Refutation is a mutant that an exact rule calls equivalent although a case kills it.
type Refutation struct {
	Index int `json:"rule"` // index of Rule in Report.Rules
	ID    int `json:"id"`   // ID of Mutant

	Rule   *Rule   `json:"-"`
	Mutant *Result `json:"-"`
}

// refutes returns the exact rules that a killed mutant contradicts. A kill by a time limit that is
// tighter than the problem's refutes nothing.
func (r *Report) refutes(m *Result) (list []*Rule) {
	if m.Fate != Killed || m.Slow {
		return nil
	}
	for _, rule := range r.Rules {
		if rule.exact() && rule.explains(&m.Mutant, r.Lines.Of(&m.Mutant)) {
			list = append(list, rule)
		}
	}
	return list
}

// Trusted returns how many mutants were skipped because rules call them equivalent, and how many of
// these were run on cheap cases instead.
func (r *Report) Trusted() (skipped, probed int) {
	for i := range r.Mutants {
		switch m := &r.Mutants[i]; {
		case m.Probed:
			probed++
		case m.Trusted:
			skipped++
		}
	}
	return skipped, probed
}
