// Package grow measures how the CPU time of programs grows with the size of their input.
//
// choose.go chooses the sizes, grow.go measures, run.go makes inputs and runs programs, and fit.go
// fits a power law to the times.
package grow

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/casedata"
	"tribunal/judge/internal/content"
	"tribunal/judge/internal/document"
	"tribunal/judge/internal/event"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/verdict"
)

// Experiment sets which programs to measure, and on which inputs.
type Experiment struct {
	Judge  *grade.Judge    // its CaseData is that of the problem
	Task   grade.Task      // limits, comparison and submissions; its cases are not used
	Ladder []casedata.Size // all sizes of the generator, to name other families; may be nil
	Sizes  []casedata.Size // sizes to measure, of one family, ascending
	Seeds  int             // number of inputs of each size
	Beyond time.Duration   // CPU time limit of the runs; 0 is that of Task
	By     string          // how the size of an input is measured: BySize or ByBytes
	Emit   event.Emit      // receives each [*event.Stage] and [*Measured], and finally the [*Report]
}

// The schema names of a [Report] in JSON, and of the events before it; see docs/calibrate.md. They
// are versioned like the schema of judge grade.
const (
	Schema       = "tribunal/grow/1"
	EventsSchema = "tribunal/grow-events/1"
)

// How the size of an input is measured.
const (
	BySize  = "size"  // by the generator's size N
	ByBytes = "bytes" // by the length of the input
)

// Report holds the measurements.
type Report struct {
	document.Head
	Problem  string        `json:"problem"`
	Title    string        `json:"title"`
	Family   string        `json:"family"`
	Others   []string      `json:"others"`    // other families with several sizes
	By       string        `json:"by"`        // BySize or ByBytes
	Seeds    int           `json:"seeds"`     // number of inputs of each size
	Limit    time.Duration `json:"limit_ns"`  // CPU time limit of the problem
	Beyond   time.Duration `json:"beyond_ns"` // CPU time limit of the runs
	Programs []Program     `json:"programs"`  // the reference first
	Notes    []string      `json:"notes"`     // other load on this machine, and inputs that could not be made, one line each
}

func (*Report) Kind() string { return event.End }

// Program holds the measurements of one program.
type Program struct {
	Name      string        `json:"name"` // its path, or the folder of the reference
	Language  string        `json:"language"`
	Reference bool          `json:"reference"`
	Start     time.Duration `json:"start_ns"` // CPU time on a trivial input
	Floor     time.Duration `json:"floor_ns"` // a time counts if it exceeds Start by at least this much
	Points    []Point       `json:"points"`   // in ascending order of size; runs of the last point may have been stopped
	Fit       *Fit          `json:"fit"`      // nil if there is none
	NoFit     string        `json:"no_fit"`   // why Fit is nil, one line; otherwise ""
	Ended     string        `json:"ended"`    // why the program did not run on larger inputs, one line; "" if it ran on all inputs
	Wrong     int           `json:"wrong"`    // number of runs with a wrong output
	Judged    int           `json:"judged"`   // number of runs whose output was compared with the reference's
}

// Measured reports the times of a program on the inputs of one size.
type Measured struct {
	Program string `json:"program"`
	Point   `json:"point"`
	Ended   string `json:"ended"` // as in Program
}

func (*Measured) Kind() string { return "point" }

// Point holds the times of a program on the inputs of one size.
type Point struct {
	Size   int             `json:"size"`
	Bytes  int             `json:"bytes"`   // median length of the inputs
	At     float64         `json:"-"`       // Size or Bytes, as chosen by Experiment.By
	Runs   []time.Duration `json:"runs_ns"` // CPU times, sorted
	Median time.Duration   `json:"median_ns"`
	Used   bool            `json:"used"`    // the fit includes the point
	Over   bool            `json:"stopped"` // a run was stopped, so the fit does not include the point
}

// Run measures the reference and the submissions, one run at a time, on inputs of ascending size. A
// program that is stopped or fails does not run on larger inputs. The error is a [*CompileError], a
// [*GenerateError], the error of one of the problem's own programs, or a failure of the judge.
func Run(ctx context.Context, b *Experiment) error {
	if b.Beyond == 0 {
		b.Beyond = b.Task.Limits.CPU
	}
	c := &measurement{Experiment: b, report: &Report{
		Head: document.NewHead(Schema), Problem: b.Task.Problem.ID, Title: b.Task.Problem.Title, By: b.By, Seeds: b.Seeds,
		Limit: b.Task.Limits.CPU, Beyond: b.Beyond, Notes: slices.Clone(b.Judge.Pool.Busy()),
	}}
	defer c.close()
	if err := c.build(ctx); err != nil {
		return err
	}
	var err error
	if c.evaluator, err = b.Judge.Evaluator(ctx, b.Task.Problem, b.Task.Show); err != nil {
		return err
	}
	c.Emit.Stage("measuring the start of the programs")
	for _, p := range c.programs {
		if err := c.start(ctx, p); err != nil {
			return err
		}
	}
	c.report.Family = b.Sizes[0].Family()
	for _, f := range growing(b.Ladder) {
		if name := f[0].Family(); name != c.report.Family {
			c.report.Others = append(c.report.Others, name)
		}
	}
	for _, r := range b.Sizes {
		if err := c.measure(ctx, r); err != nil {
			return err
		}
	}
	for _, p := range c.programs {
		p.finish(b.Task.Limits.CPU)
		c.report.Programs = append(c.report.Programs, p.Program)
	}
	c.Emit.Send(c.report)
	return nil
}

// measurement is the state of a Run.
type measurement struct {
	*Experiment
	report    *Report
	programs  []*program
	evaluator *grade.Evaluator
}

type program struct {
	Program
	built *build.Program
}

func (c *measurement) close() {
	for _, p := range c.programs {
		if !p.Reference { // the provider closes the reference
			p.built.Close()
		}
	}
}

func (c *measurement) build(ctx context.Context) error {
	m := c.Judge.CaseData
	reference, err := m.Program(ctx, m.Problem.Reference)
	if err != nil {
		return err
	}
	c.programs = []*program{{Program{Name: m.Problem.Reference, Language: reference.Language, Reference: true}, reference}}
	for _, s := range c.Task.Submissions {
		c.Emit.Stage("compiling " + s.Source.Name)
		built, err := c.Judge.Builder.Build(ctx, s.Source)
		if compile, ok := errors.AsType[*build.CompileError](err); ok {
			return &CompileError{s.Source.Name, compile}
		}
		if err != nil {
			return fmt.Errorf("%s: %w", s.Source.Name, err)
		}
		c.programs = append(c.programs, &program{Program{Name: s.Source.Name, Language: s.Source.Language}, built})
	}
	return nil
}

// CompileError reports that a submission does not compile.
type CompileError struct {
	Name string
	err  *build.CompileError
}

func (e *CompileError) Error() string { return fmt.Sprintf("%s does not compile: %v", e.Name, e.err) }

const (
	// startRuns is the number of runs from which the start of a program is measured.
	startRuns = 5
	// leastFloor is the noise in times of a few milliseconds. The floor is also at least half the
	// start, because the start varies between runs.
	leastFloor = 2 * time.Millisecond
)

// start measures the CPU time of a program on an empty input, whatever its result, and sets Start
// and Floor. If the program does not exit, Start stays 0.
func (c *measurement) start(ctx context.Context, p *program) error {
	var runs []time.Duration
	for range startRuns {
		o, _, err := c.run(ctx, p, content.Content{})
		if err != nil {
			return fmt.Errorf("%s: %w", p.Name, err)
		}
		if o.Stop != sandbox.Exited && o.Stop != sandbox.Signalled {
			p.Floor = leastFloor
			return nil
		}
		runs = append(runs, o.CPU)
	}
	slices.Sort(runs)
	p.Start = runs[len(runs)/2]
	p.Floor = max(leastFloor, p.Start/2, runs[len(runs)-1]-runs[0])
	return nil
}

// measure makes the inputs of one size, and runs on them the programs that have not been stopped or
// failed on smaller ones.
func (c *measurement) measure(ctx context.Context, r casedata.Size) error {
	if !slices.ContainsFunc(c.programs, func(p *program) bool { return p.Ended == "" }) {
		return nil
	}
	c.Emit.Stage(fmt.Sprintf("measuring size %d", r.N))
	inputs, err := c.inputs(ctx, r, c.Seeds)
	if err != nil || len(inputs) == 0 {
		return err
	}
	var lengths []int
	points := make([]Point, len(c.programs))
	for _, input := range inputs {
		lengths = append(lengths, len(input))
		f := casedata.Data{Input: content.Of(input)}
		for i, p := range c.programs {
			if p.Ended == "" {
				if err := c.runOn(ctx, p, &points[i], r, &f); err != nil {
					return err
				}
			}
		}
	}
	slices.Sort(lengths)
	for i, p := range c.programs {
		pt := points[i]
		if len(pt.Runs) == 0 && !pt.Over {
			continue
		}
		pt.Size, pt.Bytes = r.N, lengths[len(lengths)/2]
		if pt.At = float64(pt.Size); c.By == ByBytes {
			pt.At = float64(max(pt.Bytes, 1))
		}
		slices.Sort(pt.Runs)
		if len(pt.Runs) > 0 {
			pt.Median = pt.Runs[len(pt.Runs)/2]
		}
		p.Points = append(p.Points, pt)
		c.Emit.Send(&Measured{p.Name, pt, p.Ended})
	}
	return nil
}

// runOn runs a program on one input and adds its time to pt. The reference must run first: it sets
// the expected output in f.
func (c *measurement) runOn(ctx context.Context, p *program, pt *Point, r casedata.Size, f *casedata.Data) error {
	o, output, err := c.run(ctx, p, f.Input)
	if err != nil {
		return fmt.Errorf("%s: %w", p.Name, err)
	}
	l := c.limits()
	if o.OK(l) {
		pt.Runs = append(pt.Runs, o.CPU)
		if p.Reference {
			f.Want = content.Of(append([]byte{}, output...))
			return nil
		}
		if want, _ := f.Want.Held(); want == nil {
			return nil
		}
		judgement, err := c.evaluator.Evaluate(ctx, l, *f, o, output)
		if err != nil {
			return err
		}
		if p.Judged++; judgement.Verdict != verdict.AC {
			p.Wrong++
		}
		return nil
	}
	p.Ended = fmt.Sprintf("%s at size %d", o.Cause(l), r.N)
	if v, _ := grade.Classify(l, o.Result, grade.Comparison{}); v == verdict.TLE {
		pt.Over = true
		pt.Runs = append(pt.Runs, min(o.CPU, c.Beyond))
	}
	return nil
}

// finish fits the times and computes the size at which the fit reaches the CPU time limit.
func (p *program) finish(limit time.Duration) {
	complete := p.Points
	if n := len(complete); n > 0 && complete[n-1].Over {
		complete = complete[:n-1]
	}
	slices.SortStableFunc(complete, func(a, b Point) int { return cmp.Compare(a.At, b.At) }) // a larger size may have fewer bytes
	var samples []sample
	for _, pt := range complete {
		samples = append(samples, sample{pt.At, pt.Median})
	}
	p.Start = startTime(samples, p.Start, p.Floor)
	f, used, reason := fit(samples, p.Start, p.Floor)
	if p.Fit, p.NoFit = f, reason; f != nil {
		f.LimitAt, _ = f.reaches(limit - p.Start)
	}
	for i := range used {
		complete[len(complete)-1-i].Used = true
	}
}
