// Package grow measures how the CPU time of programs grows with the size of their input.
package grow

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/content"
	"tribunal/judge/internal/fixture"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/verdict"
)

// Bench is what to measure, and with what.
type Bench struct {
	Judge   *grade.Judge   // its fixtures are those of the problem
	Task    grade.Task     // limits, comparison and submissions; cases have no part in it
	Ladder  []fixture.Rung // as the generator has it, to tell which families there are besides; may be nil
	Rungs   []fixture.Rung // of one family, by size
	Seeds   int            // inputs of each size
	Beyond  time.Duration  // CPU time after which a run is stopped; 0 is the limit
	ByBytes bool           // let the bytes of an input be its size
	Stage   func(what string)
}

// Report is what was measured.
type Report struct {
	Problem, Title string
	Family         string
	Others         []string // families that grow as well
	ByBytes        bool
	Seeds          int
	Limit, Beyond  time.Duration // of CPU time
	Programs       []Program     // the reference first
	Notes          []string      // what else used this machine, and what could not be made, one line each
}

// Program is one that was measured.
type Program struct {
	Name      string // its path, or the folder of the reference
	Language  string
	Reference bool
	Start     time.Duration // what it takes for nothing
	Floor     time.Duration // a time stands out from that if it is so much longer
	Points    []Point       // by size; the last may be stopped
	Fit       Fit
	Wrong     int    // runs whose output was not right
	Judged    int    // runs whose output was compared with that of the reference
	Ended     string // why it was not run on larger inputs, one line; "" if there are none
}

// Point is what the runs of a program on the inputs of one size took.
type Point struct {
	Size   int             `json:"size"`
	Bytes  int             `json:"bytes"`   // median of the inputs
	At     float64         `json:"-"`       // the one of these that is the size
	Runs   []time.Duration `json:"runs_ns"` // sorted
	Median time.Duration   `json:"median_ns"`
	Used   bool            `json:"used"`    // takes part in the fit
	Over   bool            `json:"stopped"` // a run was stopped; it does not take part
}

// Run measures. The reference climbs beside the submissions, one run at a time: a
// program that is stopped, or fails, goes no further. The error is the judge's, a
// [*CompileError], a [*GenerateError], or that of one of the problem's own programs.
func Run(ctx context.Context, b *Bench) (*Report, error) {
	if b.Beyond == 0 {
		b.Beyond = b.Task.Limits.CPU
	}
	c := &climb{Bench: b, report: &Report{
		Problem: b.Task.Problem.ID, Title: b.Task.Problem.Title, ByBytes: b.ByBytes, Seeds: b.Seeds,
		Limit: b.Task.Limits.CPU, Beyond: b.Beyond, Notes: slices.Clone(b.Judge.Pool.Busy()),
	}}
	defer c.close()
	if err := c.build(ctx); err != nil {
		return nil, err
	}
	var err error
	if c.arbiter, err = b.Judge.Arbiter(ctx, b.Task.Problem, b.Task.Show); err != nil {
		return nil, err
	}
	c.stage("measuring the start of the programs")
	for _, p := range c.programs {
		if err := c.start(ctx, p); err != nil {
			return nil, err
		}
	}
	c.report.Family = b.Rungs[0].Family()
	for _, f := range growing(b.Ladder) {
		if name := f[0].Family(); name != c.report.Family {
			c.report.Others = append(c.report.Others, name)
		}
	}
	for _, r := range b.Rungs {
		if err := c.rung(ctx, r); err != nil {
			return nil, err
		}
	}
	for _, p := range c.programs {
		p.finish()
		c.report.Programs = append(c.report.Programs, p.Program)
	}
	return c.report, nil
}

// climb is one Run in progress.
type climb struct {
	*Bench
	report   *Report
	programs []*program
	arbiter  *grade.Arbiter
}

type program struct {
	Program
	built *build.Program
}

func (c *climb) close() {
	for _, p := range c.programs {
		if !p.Reference { // that one is the maker's
			p.built.Close()
		}
	}
}

func (c *climb) stage(what string) {
	if c.Stage != nil {
		c.Stage(what)
	}
}

func (c *climb) build(ctx context.Context) error {
	m := c.Judge.Fixtures
	reference, err := m.Program(ctx, m.Problem.Reference)
	if err != nil {
		return err
	}
	c.programs = []*program{{Program{Name: m.Problem.Reference, Language: reference.Language, Reference: true}, reference}}
	for _, s := range c.Task.Submissions {
		c.stage("compiling " + s.Source.Name)
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
	// leastFloor is what times of a few milliseconds differ by. Besides, a time has to be
	// beyond the start by half of it, which is not quite the same in each run.
	leastFloor = 2 * time.Millisecond
)

// start measures what a program takes for an input of no bytes, whatever it says to it.
// One that does not end on it tells nothing.
func (c *climb) start(ctx context.Context, p *program) error {
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

// rung makes the inputs of one size and runs on them the programs that are still
// climbing.
func (c *climb) rung(ctx context.Context, r fixture.Rung) error {
	if !slices.ContainsFunc(c.programs, func(p *program) bool { return p.Ended == "" }) {
		return nil
	}
	c.stage(fmt.Sprintf("measuring size %d", r.Size))
	inputs, err := c.inputs(ctx, r, c.Seeds)
	if err != nil || len(inputs) == 0 {
		return err
	}
	var lengths []int
	points := make([]Point, len(c.programs))
	for _, input := range inputs {
		lengths = append(lengths, len(input))
		f := fixture.Fixture{Input: content.Of(input)}
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
		pt.Size, pt.Bytes = r.Size, lengths[len(lengths)/2]
		if pt.At = float64(pt.Size); c.ByBytes {
			pt.At = float64(max(pt.Bytes, 1))
		}
		slices.Sort(pt.Runs)
		if len(pt.Runs) > 0 {
			pt.Median = pt.Runs[len(pt.Runs)/2]
		}
		p.Points = append(p.Points, pt)
	}
	return nil
}

// one runs a program on one input. The reference, which comes first, says what is right.
func (c *climb) one(ctx context.Context, p *program, pt *Point, r fixture.Rung, f *fixture.Fixture) error {
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
		ruling, err := c.arbiter.Rule(ctx, l, *f, o, output)
		if err != nil {
			return err
		}
		if p.Judged++; ruling.Verdict != verdict.AC {
			p.Wrong++
		}
		return nil
	}
	p.Ended = fmt.Sprintf("%s at size %d", o.Cause(l), r.Size)
	if v, _ := grade.Classify(l, o.Result, grade.Comparison{}); v == verdict.TLE {
		pt.Over = true
		pt.Runs = append(pt.Runs, min(o.CPU, c.Beyond))
	}
	return nil
}

// finish fits.
func (p *program) finish() {
	ended := p.Points
	if n := len(ended); n > 0 && ended[n-1].Over {
		ended = ended[:n-1]
	}
	slices.SortStableFunc(ended, func(a, b Point) int { return cmp.Compare(a.At, b.At) }) // bytes need not follow the ladder
	var samples []sample
	for _, pt := range ended {
		samples = append(samples, sample{pt.At, pt.Median})
	}
	p.Start = begin(samples, p.Start, p.Floor)
	p.Fit = fit(samples, p.Start, p.Floor)
	for i := range p.Fit.Points {
		ended[len(ended)-1-i].Used = true
	}
}
