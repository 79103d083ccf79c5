package report

import (
	"slices"
	"strings"
	"time"

	"tribunal/judge/internal/account"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/verdict"
	"tribunal/judge/internal/watchmode"
)

// A board is the state of a watch as of its latest event. A result stays until a later round
// replaces it, together with the number of its round, so that the user can see which results are
// old.
type board struct {
	watching   watchmode.Watching
	round      watchmode.Round
	stage      watchmode.Stage
	settled    *watchmode.Settled    // nil while the round goes on
	difference *watchmode.Difference // to be shown; nil if none is
	notes      []string              // what this host cannot do, each once
	busy       []string              // what else used the CPUs lately
	blocks     []*block              // the block about all problems first
}

// A block is the state of one problem.
type block struct {
	problem      string // "" for all of them
	round        int    // the latest that is about the problem
	failed       told[*watchmode.Failed]
	expectations told[*watchmode.Expectations]
	graded       map[watchmode.Role]*graded
}

// told is a value with the number of the round that it comes from.
type told[T any] struct {
	what  T
	round int
}

// graded holds the programs of one role that one round has judged.
type graded struct {
	round    int
	limits   limits.Limits
	programs []*program
	first    int // index of the first program of the latest stream of events
}

// A program is the state of judging one program.
type program struct {
	*account.Submission
	failure *account.Case // the first failing case in case order; nil if there is none
}

// roles holds all roles, in the order in which they are shown.
var roles = []watchmode.Role{watchmode.Reference, watchmode.Submission, watchmode.Example, watchmode.BruteForce}

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
			b.block(id).round = e.Number
		}
	case *watchmode.Stage:
		b.stage = *e
	case *watchmode.Failed:
		b.block(e.Problem).failed = told[*watchmode.Failed]{e, b.round.Number}
	case *watchmode.Expectations:
		b.progress(e.Problem).expectations = told[*watchmode.Expectations]{e, b.round.Number}
	case *watchmode.Grading:
		b.progress(e.Problem).grading(b, e)
	case *watchmode.Difference:
		if b.difference != nil { // the second request hides it
			e = nil
		}
		b.difference = e
	case *watchmode.Settled:
		b.settled = e
		for _, k := range b.blocks {
			k.forget()
		}
	}
}

// block returns the block of a problem, which it makes if necessary.
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

// progress returns the block of a problem on which the round works, without failures of earlier
// rounds.
func (b *board) progress(problem string) *block {
	b.block("").forget()
	k := b.block(problem)
	k.forget()
	return k
}

// forget drops a failure if a later round has been about the problem.
func (k *block) forget() {
	if k.failed.round < k.round {
		k.failed = told[*watchmode.Failed]{}
	}
}

// grading updates the block by an event of judging.
func (k *block) grading(b *board, e *watchmode.Grading) {
	g := k.graded[e.Role]
	if begin, ok := e.Event.(*grade.Begin); ok {
		if g == nil || g.round != b.round.Number {
			g = &graded{round: b.round.Number}
			k.graded[e.Role] = g
		}
		b.host(begin)
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

// begin adds the programs of a stream of events. A program that this round has judged before begins
// anew.
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

// host records what the host cannot do, and what else uses its CPUs.
func (b *board) host(e *grade.Begin) {
	for _, n := range hostNotes(e) {
		if !slices.Contains(b.notes, n) {
			b.notes = append(b.notes, n)
		}
	}
	b.busy = e.Busy
}

// hostNotes returns sentences about what the judging needs and the host cannot do.
func hostNotes(e *grade.Begin) []string {
	notes := slices.Clone(e.Notes)
	if _, not := enforced(e.Mechanisms); len(not) > 0 {
		notes = append(notes, "NOT enforced here: "+strings.Join(not, ", "))
	}
	if e.WantedCPUs > e.CPUs {
		notes = append(notes, e.Problem+" asks for "+Count(e.WantedCPUs, "CPU")+", a run gets "+Count(e.CPUs, "CPU")+" here")
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

// right reports whether the verdict is the expected one, and whether that is known yet: for an
// example or a brute, only at the end.
func (p *program) right(r watchmode.Role) (ok, known bool) {
	if !p.Finished {
		return false, p.failure != nil && r != watchmode.Example && r != watchmode.BruteForce
	}
	return watchmode.AsExpected(r, &p.Done), true
}

// slowest returns the case that took the most CPU time, and that time; "" if nothing was measured.
func (p *program) slowest() (name string, cpu time.Duration) {
	for _, c := range p.Cases {
		if c.Result.CPU > cpu {
			name, cpu = c.Name, c.Result.CPU
		}
	}
	return name, cpu
}

// failing reports whether any program has an unexpected verdict.
func (b *board) failing() bool {
	return slices.ContainsFunc(b.blocks, func(k *block) bool {
		_, p := k.wrong()
		return p != nil
	})
}

// pending reports whether changed expected outputs wait to be written.
func (b *board) pending() bool {
	return slices.ContainsFunc(b.blocks, func(k *block) bool {
		e := k.expectations.what
		return e != nil && (e.State == watchmode.Pending || e.State == watchmode.Held)
	})
}

// wrong returns the first program with an unexpected verdict.
func (k *block) wrong() (*graded, *program) {
	for _, r := range roles {
		if g := k.graded[r]; g != nil {
			for _, p := range g.programs {
				if ok, known := p.right(r); known && !ok {
					return g, p
				}
			}
		}
	}
	return nil, nil
}
