package report

import (
	"slices"
	"strings"

	"tribunal/judge/cli/layout"
	"tribunal/judge/internal/account"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/verdict"
	"tribunal/judge/internal/watchmode"
)

// A board is the state of judge watch after its latest event. A result stays until a later round
// replaces it. It keeps the number of its round, so that the user can see which results are old.
type board struct {
	watching   watchmode.Watching
	round      watchmode.Round
	stage      watchmode.Stage
	settled    *watchmode.Settled          // the outcome of the round; nil before its end
	difference *watchmode.Difference       // the difference to show in place of the blocks; nil if none
	notes      []string                    // distinct notes about abilities that this host lacks
	busy       []string                    // notes about other processes that used the CPUs recently
	submitted  dated[*watchmode.Submitted] // the latest, and the round in which it was sent
	served     []string                    // notes of the server about what was submitted
	blocks     []*block                    // first the block for errors about all problems
}

// A block is the state of one problem.
type block struct {
	problem      string // "" for all problems
	round        int    // the latest round that works on the problem
	failed       dated[*watchmode.Failed]
	expectations dated[*watchmode.Expectations]
	graded       map[watchmode.Role]*graded
	smaller      *watchmode.Counterexample // found after the latest round; nil if none
}

// dated is a value with the number of the round that it comes from.
type dated[T any] struct {
	value T
	round int
}

// graded holds the programs of one role, as judged in one round.
type graded struct {
	round    int
	limits   limits.Limits
	programs []*program
	first    int // index of the first program that the latest grade.Begin announced
}

// A program holds the results of a program so far.
type program struct {
	*account.Submission
	failure *account.Case // the first failing case, in case order; nil if no case has failed
}

// roles lists the roles in the order of the screen.
var roles = []watchmode.Role{watchmode.Reference, watchmode.Submission, watchmode.Example, watchmode.BruteForce, watchmode.Served}

// apply updates the board by an event.
func (b *board) apply(e watchmode.Event) {
	switch e := e.(type) {
	case *watchmode.Watching:
		b.watching = *e
		b.block("")
		for _, id := range e.Problems {
			b.block(id)
		}
	case *watchmode.Round:
		b.round, b.stage, b.settled, b.difference = *e, watchmode.Stage{}, nil, nil
		gone := func(id string) bool { return slices.Contains(e.Gone, id) }
		b.blocks = slices.DeleteFunc(b.blocks, func(k *block) bool { return gone(k.problem) })
		ids := slices.DeleteFunc(slices.Concat(b.watching.Problems, e.Problems), gone)
		slices.Sort(ids)
		b.watching.Problems = slices.Compact(ids)
		for _, id := range append([]string{""}, e.Problems...) {
			b.block(id).round, b.block(id).smaller = e.Number, nil
		}
	case *watchmode.Stage:
		b.stage = *e
	case *watchmode.Failed:
		b.block(e.Problem).failed = dated[*watchmode.Failed]{e, b.round.Number}
	case *watchmode.Expectations:
		b.progress(e.Problem).expectations = dated[*watchmode.Expectations]{e, b.round.Number}
	case *watchmode.Grading:
		b.progress(e.Problem).grading(b, e)
	case *watchmode.Difference:
		if b.difference != nil { // the same key hides it again
			e = nil
		}
		b.difference = e
	case *watchmode.Counterexample:
		b.block(e.Problem).smaller = e
	case *watchmode.Submitted:
		if last := b.submitted.value; e.State == watchmode.Already && last != nil && last.State != watchmode.Sent {
			e = &watchmode.Submitted{Submission: e.Submission, Server: e.Server, State: e.State, Why: last.Why} // for which it still waits
		}
		b.submitted.value = e
		if e.State == watchmode.Sent {
			b.submitted.round, b.served = b.round.Number, nil
			for _, k := range b.blocks {
				delete(k.graded, watchmode.Served)
			}
		}
	case *watchmode.Settled:
		b.settled = e
		for _, k := range b.blocks {
			k.forget()
		}
	}
}

// block returns the block of a problem; it creates the block if there is none.
func (b *board) block(problem string) *block {
	for _, k := range b.blocks {
		if k.problem == problem {
			return k
		}
	}
	k := &block{problem: problem, graded: map[watchmode.Role]*graded{}}
	b.blocks = append(b.blocks, k)
	return k
}

// progress returns the block of a problem for a new result of the round, and drops errors of
// earlier rounds from the block.
func (b *board) progress(problem string) *block {
	b.block("").forget()
	k := b.block(problem)
	k.forget()
	return k
}

// forget drops the error of an earlier round if a later round has worked on the problem.
func (k *block) forget() {
	if k.failed.round < k.round {
		k.failed = dated[*watchmode.Failed]{}
	}
}

// grading updates the block by an event of judging.
func (k *block) grading(b *board, e *watchmode.Grading) {
	g := k.graded[e.Role]
	if begin, ok := e.Event.(*grade.Begin); ok {
		round := b.round.Number
		if e.Role == watchmode.Served {
			round, b.served = b.submitted.round, ownNotes(begin)
		} else {
			b.noteHost(begin)
		}
		if g == nil || g.round != round {
			g = &graded{round: round}
			k.graded[e.Role] = g
		}
		g.begin(begin)
		return
	}
	switch e := e.Event.(type) {
	case *grade.Built:
		g.programs[g.first+e.Submission].Apply(e)
	case *grade.Case:
		g.programs[g.first+e.Submission].add(e)
	case *grade.Done:
		g.programs[g.first+e.Submission].Apply(e)
	}
}

// begin adds the programs that e announces. It replaces programs of the same name.
func (g *graded) begin(e *grade.Begin) {
	g.limits = e.Limits
	g.programs = slices.DeleteFunc(g.programs, func(p *program) bool {
		return slices.ContainsFunc(e.Submissions, func(name string) bool { return name == p.Name })
	})
	g.first = len(g.programs)
	for _, name := range e.Submissions {
		g.programs = append(g.programs, &program{Submission: account.NewSubmission(name, len(e.Cases), 0)})
	}
}

// noteHost records the notes about abilities that the host lacks and about other users of its CPUs.
func (b *board) noteHost(e *grade.Begin) {
	for _, n := range hostNotes(e) {
		if !slices.Contains(b.notes, n) {
			b.notes = append(b.notes, n)
		}
	}
	b.busy = e.Busy
}

// ownNotes returns the notes that concern those who watch their own programs, which is not what an attacker could do.
func ownNotes(e *grade.Begin) []string {
	return slices.DeleteFunc(slices.Clone(e.Notes), func(n string) bool { return strings.HasPrefix(n, sandbox.KnownGaps) })
}

// hostNotes returns notes about abilities that the host lacks: limits that it does not enforce, and
// too few CPUs for the problem.
func hostNotes(e *grade.Begin) []string {
	notes := ownNotes(e)
	if _, not := enforced(e.Mechanisms); len(not) > 0 {
		notes = append(notes, "NOT enforced here: "+strings.Join(not, ", "))
	}
	if e.WantedCPUs > e.CPUs {
		notes = append(notes, e.Problem+" asks for "+layout.Count(e.WantedCPUs, "CPU")+", a run gets "+layout.Count(e.CPUs, "CPU")+" here")
	}
	return notes
}

// add records the verdict on a case.
func (p *program) add(e *grade.Case) {
	p.Apply(e)
	if e.Verdict != verdict.AC && (p.failure == nil || e.Index < p.failure.Index) {
		p.failure = new(account.NewCase(e))
	}
}

// asExpected reports whether the verdict is the expected one, and whether this is known yet. For
// an example or a brute-force solver, it is known only after the last case.
func (p *program) asExpected(r watchmode.Role) (ok, known bool) {
	if !p.Finished {
		return false, p.failure != nil && r != watchmode.Example && r != watchmode.BruteForce
	}
	return watchmode.AsExpected(r, &p.Done), true
}

// slowest returns the case that took the most CPU time; nil if no time was measured.
func (p *program) slowest() (most *account.Case) {
	for i := range p.Cases {
		if c := &p.Cases[i]; c.Result.CPU > 0 && (most == nil || c.Result.CPU > most.Result.CPU) {
			most = c
		}
	}
	return most
}

// failing reports whether any program has an unexpected verdict here, and whether one of them has written a wrong
// output, whose difference can be shown.
func (b *board) failing() (any, differs bool) {
	for _, k := range b.blocks {
		if g, p := k.wrong(); p != nil && g != k.graded[watchmode.Served] {
			any, differs = true, differs || p.failure != nil && p.failure.Mismatch != nil
		}
	}
	return any, differs
}

// submission describes what becomes of the submission to the server, "" if nothing was submitted or there is a result.
func (b *board) submission() (string, layout.Look) {
	e := b.submitted.value
	if e == nil || slices.ContainsFunc(b.blocks, func(k *block) bool { return k.graded[watchmode.Served] != nil }) {
		return "", layout.Plain
	}
	first, _, _ := strings.Cut(e.Why, "\n")
	switch e.State {
	case watchmode.Waiting:
		return "submitting " + layout.Word(e.Submission) + ": " + layout.Word(first), layout.Bad
	case watchmode.Already:
		text := "already submitting " + layout.Word(e.Submission) + " to " + layout.Word(e.Server)
		if first != "" {
			text += ": " + layout.Word(first)
		}
		return text, layout.Strong
	case watchmode.Refused:
		return "not submitted: " + layout.Word(first), layout.Bad
	}
	return "submitted " + layout.Word(e.Submission) + ", waiting for the verdict of " + layout.Word(e.Server), layout.Strong
}

// pending reports whether changed expected outputs have not been written yet.
func (b *board) pending() bool {
	return slices.ContainsFunc(b.blocks, func(k *block) bool {
		e := k.expectations.value
		return e != nil && (e.State == watchmode.Pending || e.State == watchmode.Held || e.State == watchmode.Outdated)
	})
}

// wrong returns the first program with an unexpected verdict.
func (k *block) wrong() (*graded, *program) {
	for _, r := range roles {
		if g := k.graded[r]; g != nil {
			for _, p := range g.programs {
				if ok, known := p.asExpected(r); known && !ok {
					return g, p
				}
			}
		}
	}
	return nil, nil
}
