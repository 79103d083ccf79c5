package mutate

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/fixture"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/limits"
)

// Options say what is measured.
type Options struct {
	Task    grade.Task    // its cases, prepared, its limits and how outputs are compared
	Mutants []Mutant      // those to run
	Rules   *Rules        // what people say about survivors; may be nil
	Whole   bool          // Mutants and Task.Cases are all there are
	Matrix  bool          // go on after a first kill
	Patient bool          // run mutants under the problem's own limits
	Trust   bool          // do not run what exact rules call equivalent
	Probe   int           // with Trust, run so many of these all the same, on cheap cases
	Seed    uint64        // chooses them
	Slow    time.Duration // leave out cases on which the unmutated schema takes longer; 0 leaves out none
	Hunt    time.Duration // look for inputs that kill survivors, so long
}

// Event is something that happened while measuring. Events come from one goroutine at a
// time. The set is closed: *Stage, *Progress, *Found, *Done.
type Event interface{ event() }

// Stage tells what begins.
type Stage struct {
	What string `json:"what"`
}

// Progress tells how far the runs of mutants are.
type Progress struct {
	Done    int `json:"done"` // runs of mutants, those counted as done that a kill has saved
	Total   int `json:"total"`
	Runs    int `json:"runs"` // that were made
	Killed  int `json:"killed"`
	Mutants int `json:"mutants"`
}

// Done is the last event, unless Measure fails.
type Done struct{ *Report }

func (*Stage) event()    {}
func (*Progress) event() {}
func (*Found) event()    {}
func (*Done) event()     {}

// Measure builds the schema, runs it unmutated on every case, and then the mutants, each on
// cases that pass its site, until one kills it. An error means that the judge could not
// do its work, or that the unmutated schema is not right: then nothing can be said of its
// mutants.
//
// Which case a mutant is run on next depends on how much each case has cost and killed in
// the rounds before, and on nothing else, so that the same measurements give the same
// report. Scores and survivors do not depend on the order.
func Measure(ctx context.Context, j *grade.Judge, s *Schema, o Options, emit func(Event)) (*Report, error) {
	begun := time.Now()
	w := &work{judge: j, schema: s, o: o, emit: emit, report: &Report{
		Problem: o.Task.Problem.ID, Reference: o.Task.Problem.Show(o.Task.Problem.Reference), Whole: o.Whole && o.Slow == 0, Matrix: o.Matrix, Patient: o.Patient, Trust: o.Trust, Seed: o.Seed,
	}}
	if err := w.open(ctx); err != nil {
		return nil, err
	}
	defer w.close()
	if err := w.baseline(ctx); err != nil {
		return nil, err
	}
	if err := w.rounds(ctx); err != nil {
		return nil, err
	}
	w.report.explain(o.Rules)
	w.report.lone()
	if o.Matrix {
		w.report.Cover = coverOf(w.report)
	}
	if o.Hunt > 0 {
		if err := w.hunt(ctx); err != nil {
			return nil, err
		}
	}
	w.report.Elapsed = time.Since(begun)
	emit(&Done{w.report})
	return w.report, nil
}

// work is one Measure in progress.
type work struct {
	judge  *grade.Judge
	schema *Schema
	o      Options
	emit   func(Event)
	report *Report

	program  *build.Program
	arbiter  *grade.Arbiter
	fixtures []fixture.Fixture // of the cases
	trials   []trial           // likewise
}

// trial is a fixture that mutants are run on, and what the unmutated schema did there.
type trial struct {
	*fixture.Fixture
	limits limits.Limits // of a mutant
	cost   time.Duration // of one run, about
	passed []byte        // bitmap of sites
}

// passes reports whether the unmutated schema passes a site.
func (t *trial) passes(site int) bool {
	return site/8 < len(t.passed) && t.passed[site/8]>>(site%8)&1 == 1
}

// open prepares all that mutants are run with.
func (w *work) open(ctx context.Context) (err error) {
	reference, err := w.judge.Fixtures.Source(w.judge.Fixtures.Problem.Reference)
	if err != nil {
		return err
	}
	w.report.Lines = linesOf(reference, w.judge.Builder.Languages())
	w.emit(&Stage{"compiling the mutants"})
	if w.program, err = w.judge.Builder.Build(ctx, w.schema.Source); err != nil {
		return fmt.Errorf("%s with its mutants: %w", w.judge.Fixtures.Problem.Reference, err)
	}
	if w.arbiter, err = w.judge.Arbiter(ctx, w.o.Task.Problem, w.o.Task.Show); err != nil {
		return err
	}
	for i := range w.o.Task.Cases {
		f, err := w.judge.Fixtures.Make(ctx, &w.o.Task.Cases[i])
		if err != nil {
			return err
		}
		w.fixtures = append(w.fixtures, f)
		w.report.Cases = append(w.report.Cases, Case{Name: f.Name})
	}
	for _, m := range w.o.Mutants {
		w.report.Mutants = append(w.report.Mutants, Result{Mutant: m, Diff: w.schema.Diff(m)})
	}
	return nil
}

func (w *work) close() { w.program.Close() }

// env is the environment in which the schema is a mutant, or tells its sites.
func env(which string) []string { return []string{Variable + "=" + which} }

func (m *Mutant) env() []string { return env(strconv.Itoa(m.ID)) }

// The time that a mutant has on a case, if that is less than the problem's.
const (
	leastTime  = 250 * time.Millisecond
	timeFactor = 10              // of what the unmutated schema takes
	roomFactor = 2               // likewise: at least so much, even beyond the problem's limit
	wallFactor = 4               // wall time in CPU time
	leastWall  = 5 * time.Second // which only mutants that wait for nothing need: others may have the CPU
)

// bound returns the limits of a mutant where the unmutated schema took that CPU time.
// The same ones come back for times that differ a little, so that runs are remembered.
func bound(l limits.Limits, took time.Duration, patient bool) limits.Limits {
	cpu := l.CPU
	if tight := step(timeFactor * took); !patient && (cpu == 0 || tight < cpu) {
		cpu = tight
	}
	if room := step(roomFactor * took); cpu > 0 && cpu < room {
		cpu = room
	}
	if cpu != l.CPU {
		wall := max(wallFactor*cpu, leastWall)
		if l.Wall > 0 && cpu < l.CPU {
			wall = min(wall, l.Wall)
		}
		l.CPU, l.Wall = cpu, wall
	}
	return l
}

// step returns the least time that is leastTime doubled some times and not below d.
func step(d time.Duration) time.Duration {
	t := leastTime
	for t < d {
		t *= 2
	}
	return t
}
