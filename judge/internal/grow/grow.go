// Package grow measures how the CPU time of programs grows with the size of their input.
// grow.go measures, choose.go chooses the sizes, and fit.go fits the times.
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

// Bench describes a measurement.
type Bench struct {
	Judge  *grade.Judge    // its CaseData is that of the problem
	Task   grade.Task      // limits, comparison and submissions; its cases are not used
	Ladder []casedata.Size // all sizes of the generator, to name other families; may be nil
	Sizes  []casedata.Size // sizes to measure, of one family, ascending
	Seeds  int             // inputs of each size
	Beyond time.Duration   // CPU time limit of the runs; 0 is the task's
	By     string          // definition of the size of an input: BySize or ByBytes
	Emit   event.Emit      // receives each [*event.Stage] and [*Measured], and finally the [*Report]
}

// The schemas of the JSON forms of a [Report] and of the events before it; see docs/calibrate.md.
// They are versioned like the schema of judge grade.
const (
	Schema       = "tribunal/grow/1"
	EventsSchema = "tribunal/grow-events/1"
)

// The definitions of the size of an input.
const (
	BySize  = "size" // by the generator
	ByBytes = "bytes"
)

// Report holds the measurements.
type Report struct {
	document.Head
	Problem  string        `json:"problem"`
	Title    string        `json:"title"`
	Family   string        `json:"family"`
	Others   []string      `json:"others"` // further families with several sizes
	By       string        `json:"by"`     // BySize or ByBytes
	Seeds    int           `json:"seeds"`
	Limit    time.Duration `json:"limit_ns"` // of CPU time; so is Beyond
	Beyond   time.Duration `json:"beyond_ns"`
	Programs []Program     `json:"programs"` // the reference first
	Notes    []string      `json:"notes"`    // other users of this machine, and inputs that could not be made, one line each
}

// Kind is [event.End].
func (*Report) Kind() string { return event.End }

// Program holds the measurements of one program.
type Program struct {
	Name      string        `json:"name"` // its path, or the folder of the reference
	Language  string        `json:"language"`
	Reference bool          `json:"reference"`
	Start     time.Duration `json:"start_ns"` // its time on a trivial input
	Floor     time.Duration `json:"floor_ns"` // least significant time beyond Start
	Points    []Point       `json:"points"`   // by size; runs of the last may have been stopped
	Fit       *Fit          `json:"fit"`      // nil if there is none
	NoFit     string        `json:"no_fit"`   // why there is none, one line; else ""
	Ended     string        `json:"ended"`    // why it did not run on larger inputs, one line; "" if it ran on all
	Wrong     int           `json:"wrong"`    // runs whose output was not right
	Judged    int           `json:"judged"`   // runs whose output was compared with that of the reference
}

// Measured reports the times of a program on the inputs of one size.
type Measured struct {
	Program string `json:"program"`
	Point   `json:"point"`
	Ended   string `json:"ended"` // as in Program
}

// Kind is "point".
func (*Measured) Kind() string { return "point" }

// Point holds the times of a program on the inputs of one size.
type Point struct {
	Size   int             `json:"size"`
	Bytes  int             `json:"bytes"`   // median length of the inputs
	At     float64         `json:"-"`       // Size or Bytes, by Bench.By
	Runs   []time.Duration `json:"runs_ns"` // sorted
	Median time.Duration   `json:"median_ns"`
	Used   bool            `json:"used"`    // part of the fit
	Over   bool            `json:"stopped"` // a run was stopped, so that the point is not part of the fit
}

// Run measures the reference and the submissions, one run at a time, on inputs of ascending size. A
// program that is stopped or fails does not run on larger inputs. The error is the judge's, a
// [*CompileError], a [*GenerateError], or that of one of the problem's own programs.
func Run(ctx context.Context, b *Bench) error {
	if b.Beyond == 0 {
		b.Beyond = b.Task.Limits.CPU
	}
	c := &measurement{Bench: b, report: &Report{
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
	c.Emit.Tell(c.report)
	return nil
}

// measurement is the state of a Run.
type measurement struct {
	*Bench
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
	startRuns = 5
	// leastFloor is the noise of times of a few milliseconds. A significant time must also exceed
	// the start by half of it, because the start differs between runs.
	leastFloor = 2 * time.Millisecond
)

// start measures the time of a program on an empty input, whatever its result. If the program does
// not exit, Start stays 0.
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

// measure makes the inputs of one size and runs the programs on them that have not ended.
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
				if err := c.one(ctx, p, &points[i], r, &f); err != nil {
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
		c.Emit.Tell(&Measured{p.Name, pt, p.Ended})
	}
	return nil
}

// one runs a program on one input. The reference comes first, and its output is the expected one.
func (c *measurement) one(ctx context.Context, p *program, pt *Point, r casedata.Size, f *casedata.Data) error {
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
	ended := p.Points
	if n := len(ended); n > 0 && ended[n-1].Over {
		ended = ended[:n-1]
	}
	slices.SortStableFunc(ended, func(a, b Point) int { return cmp.Compare(a.At, b.At) }) // bytes need not grow with the size
	var samples []sample
	for _, pt := range ended {
		samples = append(samples, sample{pt.At, pt.Median})
	}
	p.Start = startTime(samples, p.Start, p.Floor)
	f, used, none := fit(samples, p.Start, p.Floor)
	if p.Fit, p.NoFit = f, none; f != nil {
		f.LimitAt, _ = f.reaches(limit - p.Start)
	}
	for i := range used {
		ended[len(ended)-1-i].Used = true
	}
}
