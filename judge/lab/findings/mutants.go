package findings

import (
	"cmp"
	"fmt"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"tribunal/judge/cli/format"
	"tribunal/judge/cli/layout"
	"tribunal/judge/internal/event"
	"tribunal/judge/internal/yamlstrict"
	"tribunal/judge/lab/mutate"
)

// MutantsOptions are the options of [NewMutants].
type MutantsOptions struct {
	Live    bool // draw a progress bar
	Color   bool
	Each    bool    // show every mutant with its runs, instead of a summary
	Least   float64 // the required score, in per cent
	Problem string
	Width   int // columns of the terminal; 0 means 80
}

// A Mutants is a sink that renders a measurement of mutants as text: first the progress, then a
// report. It is not safe for concurrent use.
type Mutants struct {
	w     io.Writer
	o     MutantsOptions
	err   error       // the first error of the writers
	bar   *layout.Bar // nil if there is no progress bar at the moment
	begun time.Time   // when the stage began
	now   func() time.Time
}

// NewMutants returns a Mutants that writes to w.
func NewMutants(w io.Writer, o MutantsOptions) *Mutants {
	if o.Width <= 0 {
		o.Width = 80
	}
	return &Mutants{w: w, o: o, now: time.Now}
}

// Event renders e.
func (m *Mutants) Event(e event.Event) {
	switch e := e.(type) {
	case *event.Stage:
		m.begun = m.now()
		if m.bar != nil {
			m.bar.Stage(e.What)
		} else if m.o.Live {
			m.bar = layout.NewBar(m.w, m.o.Width, e.What, m.begun)
		}
	case *mutate.Progress:
		m.progress(e)
	case *mutate.Found:
		m.Close()
		m.write(m.w, func(p *layout.Page) { foundInput(p, m.o.Problem, e) })
	case *mutate.Report:
		m.Close()
		m.write(m.w, func(p *layout.Page) { m.report(p, e) })
	}
}

// progress moves the bar, if there is one.
func (m *Mutants) progress(e *mutate.Progress) {
	if m.bar == nil {
		return
	}
	rate := ""
	if s := m.now().Sub(m.begun).Seconds(); s > 0 {
		rate = fmt.Sprintf(", %.0f runs/s", float64(e.Runs)/s)
	}
	text := fmt.Sprintf("%d of %s killed%s", e.Killed, layout.Count(e.Mutants, "mutant"), rate)
	m.bar.Count(e.Done, e.Total, text)
}

// Close removes the progress bar, and returns the first error of the writer.
func (m *Mutants) Close() error {
	if m.bar != nil {
		m.bar.Stop()
		m.bar = nil
	}
	return m.err
}

func (m *Mutants) write(w io.Writer, fill func(*layout.Page)) {
	p := &layout.Page{Color: m.o.Color}
	fill(p)
	if m.err == nil {
		m.err = p.Write(w)
	}
}

// report adds the result of the measurement.
func (m *Mutants) report(p *layout.Page, r *mutate.Report) {
	if m.o.Each {
		for i := range r.Mutants {
			inspected(p, r, &r.Mutants[i])
		}
		return
	}
	survivors(p, r)
	operators(p, r)
	killers(p, r)
	if r.Matrix {
		matrixOf(p, r)
	}
	refuted(p, r)
	stale(p, r)
	mutantsSummary(p, r, m.o.Least)
}

// inspected adds one mutant with the verdict on each case.
func inspected(p *layout.Page, r *mutate.Report, m *mutate.Result) {
	mutantLine(p, &m.Mutant)
	p.Indented("  ", diffLines(m.Diff, true))
	if m.Rule != nil {
		p.Printf("  %s: %s\n", explained(m.Rule), layout.Word(m.Rule.Reason))
	}
	var rows [][]layout.Cell
	for _, run := range m.Runs {
		rows = append(rows, []layout.Cell{
			{Text: layout.Word(run.Case)}, {Text: run.Verdict.String(), Look: layout.LookOf(run.Verdict)}, {Text: layout.Word(run.Cause)},
		})
	}
	p.Table("  ", rows)
	switch m.Fate {
	case mutate.Unreached:
		p.Printf("  no case reaches this place\n")
	case mutate.Failed:
		p.Printf("  %s\n", p.Paint(layout.Broken, layout.Word(m.Error)))
	}
}

// mutantLine adds a line with the position, the operator, the change and the number of a mutant.
func mutantLine(p *layout.Page, m *mutate.Mutant) {
	p.Printf("%s:%d:%d: %s: %s  %s\n", layout.Word(m.File), m.Line, m.Column, p.Paint(layout.Strong, m.Op),
		layout.Word(m.Change()), p.Paint(layout.Dim, "--id "+strconv.Itoa(m.ID)))
}

// diffLines returns the lines of a difference. It includes unchanged lines only if all is set.
func diffLines(text string, all bool) (list []string) {
	for l := range strings.Lines(text) {
		if all || strings.HasPrefix(l, "-") || strings.HasPrefix(l, "+") {
			list = append(list, layout.Line(strings.TrimRight(l, "\n")))
		}
	}
	return list
}

// explained says what a rule declares about the mutants that it matches.
func explained(r *mutate.Rule) string {
	if r.Equivalent {
		return "equivalent"
	}
	return "known to survive"
}

// survivors adds the mutants that survive and that no rule explains, by function: first the mutants
// that the judge failed to run, then those that no case reaches, then those that every case
// accepts.
func survivors(p *layout.Page, r *mutate.Report) {
	for _, fate := range []mutate.Fate{mutate.Failed, mutate.Unreached, mutate.Survived} {
		heading, titled := "", false
		for i := range r.Mutants {
			m := &r.Mutants[i]
			if m.Fate != fate || m.Rule != nil {
				continue
			}
			if !titled {
				titled = true
				p.Printf("%s\n", p.Paint(layout.Strong, map[mutate.Fate]string{
					mutate.Failed: "The judge failed to run:", mutate.Unreached: "No case reaches:", mutate.Survived: "Every case accepts:",
				}[fate]))
			}
			if in := path.Base(m.File) + ":" + m.Func; in != heading {
				p.Printf("\n%s\n", p.Paint(layout.Strong, layout.Word(strings.TrimSuffix(in, ":"))))
				heading = in
			}
			mutantLine(p, &m.Mutant)
			switch fate {
			case mutate.Failed:
				p.Printf("    %s\n", p.Paint(layout.Broken, layout.Word(m.Error)))
			case mutate.Survived:
				p.Indented("    ", diffLines(m.Diff, false))
			}
		}
		if titled {
			p.Printf("\n")
		}
	}
}

// operators adds a table with the numbers of mutants of each operator.
func operators(p *layout.Page, r *mutate.Report) {
	rows := [][]layout.Cell{{{Text: "operator", Look: layout.Strong}, {Text: "mutants", Look: layout.Strong, Right: true}, {Text: "killed", Look: layout.Strong, Right: true},
		{Text: "equivalent", Look: layout.Strong, Right: true}, {Text: "survived", Look: layout.Strong, Right: true}, {Text: "score", Look: layout.Strong, Right: true}}}
	names, tallies := r.ByOperator()
	number := func(n int) layout.Cell { return layout.Cell{Text: strconv.Itoa(n), Right: true} }
	for i, t := range tallies {
		rows = append(rows, []layout.Cell{{Text: layout.Word(names[i])}, number(t.All), number(t.Killed), number(t.Equivalent), number(t.Survived), {Text: layout.Percent(t.Score()), Right: true}})
	}
	p.Table("", rows)
	p.Printf("\n")
}

// maxKillers is the number of cases in the list of the cases that kill most.
const maxKillers = 10

// killers adds the list of the cases that kill most, and the cases that were left out.
func killers(p *layout.Page, r *mutate.Report) {
	list := slices.Clone(r.Cases)
	slices.SortStableFunc(list, func(a, b mutate.Case) int {
		return cmp.Or(cmp.Compare(b.Kills, a.Kills), cmp.Compare(a.Runs, b.Runs))
	})
	rows := [][]layout.Cell{{{Text: "case", Look: layout.Strong}, {Text: "kills", Look: layout.Strong, Right: true}, {Text: "of runs", Look: layout.Strong, Right: true}, {Text: "takes", Look: layout.Strong, Right: true}}}
	for _, c := range list[:min(len(list), maxKillers)] {
		rows = append(rows, []layout.Cell{{Text: layout.Word(c.Name)}, {Text: strconv.Itoa(c.Kills), Right: true}, {Text: strconv.Itoa(c.Runs), Right: true}, {Text: layout.Duration(c.Time), Right: true}})
	}
	p.Table("", rows)
	p.Printf("\n")
	var slow []string
	for _, c := range r.Cases {
		if c.Left {
			slow = append(slow, layout.Word(c.Name))
		}
	}
	if len(slow) > 0 {
		p.Printf("left out because they are slow, so the score is a lower bound: %s\n\n", strings.Join(slow, ", "))
	}
}

// matrixOf adds the results that need a full matrix: the redundant cases, whose mutants other cases
// kill too, and a small set of cases that kills the same mutants as all cases.
func matrixOf(p *layout.Page, r *mutate.Report) {
	var idle []string
	for _, c := range r.Cases {
		if *c.Only == 0 && !c.Left {
			idle = append(idle, layout.Word(c.Name))
		}
	}
	if len(idle) > 0 {
		p.Printf("%s redundant, because other cases kill the same mutants: %s\n\n", layout.Count(len(idle), "case"), strings.Join(idle, ", "))
	}
	var names []string
	for _, c := range r.Cover.Cases {
		names = append(names, layout.Word(c))
	}
	set := "small set of cases, found greedily, that kills the same mutants"
	if r.Cover.Exact {
		set = "smallest set of cases that kills the same mutants"
	}
	p.Printf("%s (%d): %s\n\n", set, len(names), strings.Join(names, ", "))
}

// refuted adds the mutants that a rule declares equivalent but a case kills.
func refuted(p *layout.Page, r *mutate.Report) {
	for _, f := range r.Refuted {
		p.Printf("%s\n  ", p.Paint(layout.Bad, layout.Word(refutation(&f).Error())))
		mutantLine(p, &f.Mutant.Mutant)
	}
}

// stale adds the rules that match no survivor.
func stale(p *layout.Page, r *mutate.Report) {
	for _, rule := range r.Stale() {
		p.Printf("%s\n", p.Paint(layout.Bad, layout.Word(staleness(rule).Error())))
	}
}

// refutation returns the error of a rule that a killed mutant refutes.
func refutation(f *mutate.Refutation) *yamlstrict.Error {
	k := f.Mutant.Killer()
	return f.Rule.Errorf("make the rule more specific, or remove it",
		"this rule declares a mutant equivalent, but %s kills it (%s): %s", k.Case, k.Verdict, f.Rule)
}

// staleness returns the error of a rule that matches no survivor.
func staleness(r *mutate.Rule) *yamlstrict.Error {
	return r.Errorf("correct the rule, or remove it", "no survivor matches this rule: %s", r)
}

// mutantsSummary adds the numbers of mutants by their fate, and the score.
func mutantsSummary(p *layout.Page, r *mutate.Report, least float64) {
	t := r.Tally
	painted := func(name string, l layout.Look, text, more string) {
		p.Printf("%-12s%s%s\n", name, p.Paint(l, text), more)
	}
	row := func(name, text string) { painted(name, layout.Plain, text, "") }
	row("mutants", fmt.Sprintf("%d of %s on %s", t.All, layout.Word(r.Reference), layout.Count(len(r.Cases), "case")))
	if r.Left+r.Same > 0 {
		row("left out", fmt.Sprintf("%d that do not compile, %d that compile to the program of the reference", r.Left, r.Same))
	}
	late := fmt.Sprintf("%d by time", t.Late)
	if t.Slow > 0 {
		late += fmt.Sprintf(" (%d under tighter limits than the problem's, see --patient)", t.Slow)
	}
	row("killed", fmt.Sprintf("%d: %d by a wrong answer, %d by a crash, %s, %d by memory or output", t.Killed, t.Wrong, t.Crashed, late, t.Over))
	if t.Equivalent > 0 {
		text := fmt.Sprintf("%d, declared in mutants.yaml", t.Equivalent)
		if skipped, probed := r.Trusted(); skipped+probed > 0 {
			text += fmt.Sprintf("; %d of them not run, and a sample of %d (seed %d) on cheap cases only", skipped, probed, r.Seed)
		}
		row("equivalent", text)
	}
	if t.Failed > 0 {
		painted("not run", layout.Broken, fmt.Sprintf("%d: the judge failed", t.Failed), "")
	}
	survived := strconv.Itoa(t.Survived)
	if t.Survived > 0 {
		survived += fmt.Sprintf(": %d explained, %d not; %d not reached by any case", t.Survived-t.Unexplained, t.Unexplained, t.Unreached)
	}
	row("survived", survived)
	l := layout.Good
	if t.Unexplained > 0 || t.Score() < least {
		l = layout.Bad
	}
	below := ""
	if t.Score() < least {
		below = fmt.Sprintf(", below the required %s", layout.Percent(least))
	}
	painted("score", l, layout.Percent(t.Score()), below)
	if h := r.Hunt; h != nil {
		kills := 0
		for _, f := range h.Found {
			kills += len(f.Kills)
		}
		row("hunted", fmt.Sprintf("%s, %d of them kill %s", layout.Count(h.Inputs, "new input"), len(h.Found), layout.Count(kills, "survivor")))
	}
	row("took", fmt.Sprintf("%s for %s, %d of them from the cache", layout.Duration(r.Elapsed), layout.Count(r.Runs, "run"), r.Cached))
}

// foundInput adds the command that prints an input found by the hunt, and the mutants that the
// input kills.
func foundInput(p *layout.Page, problem string, e *mutate.Found) {
	p.Printf("%s\n", p.Paint(layout.Strong, layout.Word("judge "+e.Command(problem))))
	for _, m := range e.Kills {
		p.Printf("  %-4s", p.Paint(layout.LookOf(m.Verdict), m.Verdict.String()))
		mutantLine(p, m.Mutant)
	}
}

// ofMutants returns the rules of mutants.yaml that are wrong, and the survivors that no rule
// explains.
func ofMutants(r *mutate.Report) format.Annotations {
	const wrong, survivor = "rule", "survivor"
	a := format.Annotations{Command: "judge mutants", Rules: [][2]string{
		{wrong, "rules of mutants.yaml match survivors, and no killed mutant that they declare equivalent"},
		{survivor, "some case kills each mutant that no rule explains"},
	}}
	for _, f := range r.Refuted {
		a.List = append(a.List, format.NewAnnotation(wrong, false, *refutation(&f)))
	}
	for _, rule := range r.Stale() {
		a.List = append(a.List, format.NewAnnotation(wrong, false, *staleness(rule)))
	}
	for i := range r.Mutants {
		m := &r.Mutants[i]
		e := yamlstrict.Error{File: m.File, Line: m.Line, Msg: m.Op + ": " + m.Change(), Hint: "judge mutants " + r.Problem + " --id " + strconv.Itoa(m.ID)}
		switch {
		case m.Rule != nil:
		case m.Fate == mutate.Survived:
			e.Msg = "every case accepts a mutant: " + e.Msg
			a.List = append(a.List, format.NewAnnotation(survivor, true, e))
		case m.Fate == mutate.Unreached:
			e.Msg = "no case reaches a mutant: " + e.Msg
			a.List = append(a.List, format.NewAnnotation(survivor, true, e))
		case m.Fate == mutate.Failed:
			a.Notes = append(a.Notes, layout.Word(m.File+":"+strconv.Itoa(m.Line)+": the judge failed to run a mutant: "+m.Error))
		}
	}
	return a
}
