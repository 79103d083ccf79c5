package mutate

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/casedata"
	"tribunal/judge/internal/document"
	"tribunal/judge/internal/event"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/limits"
)

// Options sets what to measure.
type Options struct {
	Task    grade.Task    // the prepared cases, the limits and the comparison
	Mutants []Mutant      // the mutants to run
	Rules   *Rules        // explanations of survivors; may be nil
	Whole   bool          // Mutants has all mutants, and Task all cases
	Matrix  bool          // run a mutant on further cases after the first kill
	Patient bool          // run mutants under the problem's own limits
	Trust   bool          // skip mutants that an exact rule (with Op or Change) calls equivalent
	Probe   int           // with Trust, number of skipped mutants to run all the same, on cheap cases
	Seed    uint64        // seed with which the mutants of Probe are chosen
	Slow    time.Duration // skip cases on which the unmutated schema takes longer; 0 skips none
	Hunt    time.Duration // how long to search for inputs that kill survivors; 0 does not search
}

// Progress counts runs.
type Progress struct {
	Done    int `json:"done"` // runs made, and runs saved by kills
	Total   int `json:"total"`
	Runs    int `json:"runs"` // runs made
	Killed  int `json:"killed"`
	Mutants int `json:"mutants"`
}

func (*Progress) Kind() string { return "progress" }

func (p *Progress) Counts() (done, total int) { return p.Done, p.Total }

// Measure builds the schema, runs it unmutated on every case, and then runs each mutant on cases
// that reach its site until one kills it. It returns an error if the judge failed, or if the
// unmutated schema is not accepted: then the results of its mutants would mean nothing.
//
// The next case of a mutant depends only on what each case has cost and killed in earlier rounds,
// so the same measurements give the same report. Scores and survivors do not depend on the order.
//
// It emits an [event.Stage] before each stage, a [*Progress] after each run, a [*Found] for each
// input that a hunt finds, and at last the report.
func Measure(ctx context.Context, j *grade.Judge, s *Schema, o Options, emit event.Emit) (*Report, error) {
	begun := time.Now()
	w := &work{judge: j, schema: s, o: o, emit: emit, report: &Report{
		Head: document.NewHead(ReportSchema), Problem: o.Task.Problem.ID, Reference: o.Task.Problem.Show(o.Task.Problem.Reference),
		Whole: o.Whole && o.Slow == 0, Matrix: o.Matrix, Patient: o.Patient, Trust: o.Trust, Seed: o.Seed,
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
	w.report.countOnly()
	if o.Matrix {
		w.report.Cover = coverOf(w.report)
	}
	if o.Hunt > 0 {
		if err := w.hunt(ctx); err != nil {
			return nil, err
		}
	}
	w.report.Elapsed = time.Since(begun)
	w.report.Summarize()
	emit.Send(w.report)
	return w.report, nil
}

// work is the state of one Measure.
type work struct {
	judge  *grade.Judge
	schema *Schema
	o      Options
	emit   event.Emit
	report *Report

	program   *build.Program
	evaluator *grade.Evaluator
	data      []casedata.Data // one for each case
	trials    []trial         // one for each case
}

// trial is the data of a case to run mutants on, with the result of the unmutated schema.
type trial struct {
	*casedata.Data
	limits limits.Limits // limits of a mutant on the case
	cost   time.Duration // estimated time of one run
	passed []byte        // bit set of the sites that the unmutated schema reached
	every  bool          // sites are not known: the mutants are programs of their own
}

// passes reports whether the unmutated schema reached a site.
func (t *trial) passes(site int) bool {
	return t.every || site/8 < len(t.passed) && t.passed[site/8]>>(site%8)&1 == 1
}

// open prepares the program, the evaluator and the case data.
func (w *work) open(ctx context.Context) (err error) {
	reference, err := w.judge.CaseData.Source(w.judge.CaseData.Problem.Reference)
	if err != nil {
		return err
	}
	w.report.Lines = linesOf(reference, w.judge.Builder.Languages())
	w.emit.Stage("compiling the mutants")
	if w.program, err = w.judge.Builder.Build(ctx, w.schema.Source); err != nil {
		return fmt.Errorf("%s with its mutants: %w", w.judge.CaseData.Problem.Reference, err)
	}
	w.report.Left = w.schema.Left
	if w.schema.Separate {
		if err := w.compile(ctx); err != nil {
			return fmt.Errorf("%s with its mutants: %w", w.judge.CaseData.Problem.Reference, err)
		}
	}
	if w.evaluator, err = w.judge.Evaluator(ctx, w.o.Task.Problem, w.o.Task.Show); err != nil {
		return err
	}
	for i := range w.o.Task.Cases {
		f, err := w.judge.CaseData.Load(ctx, &w.o.Task.Cases[i])
		if err != nil {
			return err
		}
		w.data = append(w.data, f)
		w.report.Cases = append(w.report.Cases, Case{Name: f.Name})
	}
	for _, m := range w.o.Mutants {
		w.report.Mutants = append(w.report.Mutants, Result{Mutant: m, Diff: document.First(w.schema.Diff(m))})
	}
	return nil
}

func (w *work) close() { w.program.Close() }

// env returns the environment in which the schema is the given mutant, or reports its sites.
func env(which string) []string { return []string{Variable + "=" + which} }

func (m *Mutant) env() []string { return env(strconv.Itoa(m.ID)) }

// The CPU time limit of a mutant on a case, unless the problem's is lower.
const (
	leastTime  = 250 * time.Millisecond
	timeFactor = 10              // the limit as a multiple of the unmutated schema's CPU time
	roomFactor = 2               // the least multiple, even if it exceeds the problem's limit
	wallFactor = 4               // wall limit divided by CPU limit
	leastWall  = 5 * time.Second // generous: only idle mutants use it up, and others may have to wait for a CPU
)

// bound returns the limits of a mutant on a case; took is the CPU time of the unmutated schema. It
// rounds, so that runs with slightly different times find each other's results in the memo.
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

// step returns the smallest doubling of leastTime that is at least d.
func step(d time.Duration) time.Duration {
	t := leastTime
	for t < d {
		t *= 2
	}
	return t
}
