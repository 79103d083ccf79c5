// Package calibrate runs a problem's example submissions beyond its limits and proposes limits.
//
// calibrate.go measures the programs, and languages.go compares their languages. propose.go
// proposes limits, rounded by round.go. slowest.go derives the time limit of a package that gives
// none.
package calibrate

import (
	"context"
	"errors"
	"slices"
	"time"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/document"
	"tribunal/judge/internal/event"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/quote"
	"tribunal/judge/internal/verdict"
)

// Target is the problem to calibrate, with the judge that runs its programs.
type Target struct {
	Judge      *grade.Judge // its CaseData is that of the problem
	Task       grade.Task   // with the prepared cases and the present limits; without submissions
	WallSet    bool         // the problem sets the wall limit
	WallFactor float64      // if the problem sets no wall limit: its ratio to the CPU limit
}

// Options sets how long and how often programs run.
type Options struct {
	Beyond time.Duration // CPU time limit of the runs; 0 is ten times the present limit
	Repeat int           // runs of each deciding case; at least 1
	Emit   event.Emit    // receives each [*event.Stage] and [*Program], and finally the [*Report]
}

// The schema names of a [Report] in JSON, and of the events before it; see docs/calibrate.md. They
// are versioned like the schema of judge grade.
const (
	Schema       = "tribunal/calibrate/1"
	EventsSchema = "tribunal/calibrate-events/1"
)

// Report holds the measurements and the proposed limits.
type Report struct {
	document.Head
	Problem   string        `json:"problem"`
	Title     string        `json:"title"`
	Cases     int           `json:"cases"`
	Beyond    time.Duration `json:"beyond_ns"` // CPU time limit of the runs
	Repeat    int           `json:"repeat"`
	Programs  []Program     `json:"programs"`  // the reference, then the examples that should get AC, TLE, MLE
	Languages []Language    `json:"languages"` // languages of the accepted programs, the fastest first
	Limits    []Proposal    `json:"limits"`    // proposals for cpu, wall and memory, in this order
	Line      string        `json:"line"`      // the proposed limits as written in a problem's file; "" if none are proposed
	Findings  []string      `json:"findings"`  // mistakes in the present limits, one line each
	Notes     []string      `json:"notes"`     // programs that were not measured, and other load on this machine, one line each

	Present     limits.Limits `json:"-"`
	wallSet     bool          // the problem sets the wall limit
	busy        bool          // other programs used this machine, so wall times mean nothing
	proposed    limits.Limits
	wallFollows bool // the proposed wall limit is the machine's default for the proposed CPU limit
}

func (*Report) Kind() string { return event.End }

// Program holds the measurements of one program.
type Program struct {
	Name      string          `json:"name"` // its path, or the folder of the reference
	Language  string          `json:"language"`
	Reference bool            `json:"-"`
	Want      verdict.Verdict `json:"want"`
	Got       verdict.Verdict `json:"got"`          // the verdict under the raised limits
	Cause     string          `json:"cause"`        // why the program does not count; "" if it counts
	CPU       time.Duration   `json:"cpu_ns"`       // median CPU time of the runs on Case
	Low       time.Duration   `json:"low_ns"`       // minimum CPU time of these runs
	High      time.Duration   `json:"high_ns"`      // maximum CPU time of these runs
	AtLeast   bool            `json:"at_least"`     // the program was stopped, so CPU is only a lower bound
	Wall      time.Duration   `json:"wall_ns"`      // minimum wall time of these runs, because other load only makes it longer
	Case      string          `json:"case"`         // the slowest case; if Cause is not "", the case that it concerns
	Memory    limits.Bytes    `json:"memory_bytes"` // maximum over the cases
	MemoryAt  string          `json:"memory_case"`  // the case with this maximum
	perCase   map[string]time.Duration
}

func (*Program) Kind() string { return "program" }

// counts reports whether limits are derived from the program: it got AC, or the verdict that it
// should get.
func (p *Program) counts() bool { return p.Cause == "" }

// Groups lists the expected verdicts that constrain a limit, in the order in which their programs
// are measured and shown.
var Groups = []struct {
	Want  verdict.Verdict
	Title string // heading of the programs in reports, such as "too slow"
	stage string // the progress message
}{
	{verdict.AC, "accepted", "measuring accepted programs"},
	{verdict.TLE, "too slow", "measuring programs that are too slow"},
	{verdict.MLE, "too much memory", "measuring programs that use too much memory"},
}

// Run measures the programs and proposes limits. An error means that the judge failed, or that one
// of the problem's own programs cannot be built.
func Run(ctx context.Context, b *Target, o Options) (*Report, error) {
	if o.Beyond == 0 {
		o.Beyond = 10 * b.Task.Limits.CPU
	}
	c := &calibration{Target: b, Options: o}
	c.report = &Report{
		Head: document.NewHead(Schema), Problem: b.Task.Problem.ID, Title: b.Task.Problem.Title, Cases: len(b.Task.Cases), Present: b.Task.Limits,
		wallSet: b.WallSet, Beyond: o.Beyond, Repeat: max(o.Repeat, 1), Notes: slices.Clone(b.Judge.Pool.Busy()),
	}
	c.report.busy = len(c.report.Notes) > 0
	groups, err := c.submissions(ctx)
	if err != nil {
		return nil, err
	}
	for _, g := range Groups {
		if len(groups[g.Want]) == 0 {
			continue
		}
		c.Emit.Stage(g.stage)
		if err := c.measure(ctx, g.Want, groups[g.Want]); err != nil {
			return nil, err
		}
	}
	c.report.compare()
	c.report.propose(b.WallFactor)
	c.Emit.Send(c.report)
	return c.report, nil
}

// calibration is the state of a Run.
type calibration struct {
	*Target
	Options
	report    *Report
	reference *build.Source
}

// submissions opens the programs to measure, by their expected verdicts: the example submissions,
// and the reference if it is not one of them. It adds a note for each program that it cannot open
// or whose compiler is missing.
func (c *calibration) submissions(ctx context.Context) (map[verdict.Verdict][]grade.Submission, error) {
	m, of := c.Judge.CaseData, c.Task.Problem
	groups := map[verdict.Verdict][]grade.Submission{}
	if of.Reference != "" && of.Submission(of.Reference) == nil {
		if _, err := m.Program(ctx, of.Reference); err != nil {
			return nil, err
		}
		source, err := m.Source(of.Reference)
		if err != nil {
			return nil, err
		}
		groups[verdict.AC] = []grade.Submission{{Source: source, Expected: verdict.AC}}
		c.reference = source
	}
	for i := range of.Submissions {
		sub := &of.Submissions[i]
		want := sub.Expect.Main()
		if !measured(want) {
			continue
		}
		source, err := of.Own(sub, c.Judge.Builder.Languages())
		if err == nil {
			_, err = c.Judge.Builder.Key(ctx, source)
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			c.report.Notes = append(c.report.Notes, "not measured: "+of.Show(sub.Path)+": "+err.Error())
			continue
		}
		if sub.Path == of.Reference {
			c.reference = source
		}
		groups[want] = append(groups[want], grade.Submission{Source: source, Expected: want})
	}
	return groups, nil
}

// measured reports whether an expected verdict constrains a limit.
func measured(want verdict.Verdict) bool {
	for _, g := range Groups {
		if g.Want == want {
			return true
		}
	}
	return false
}

// measure judges programs under raised limits, several runs at a time. It then repeats the slowest
// cases of each, one run at a time.
func (c *calibration) measure(ctx context.Context, want verdict.Verdict, list []grade.Submission) error {
	task := c.Task
	task.Submissions, task.Limits, task.Uniform = list, c.raised(want), true
	// For a program that must be stopped, the first case that stops it is enough.
	task.All = want == verdict.AC
	all, err := c.Judge.Collect(ctx, task)
	if err != nil {
		return err
	}
	for _, j := range all {
		p := c.summary(j)
		p.Reference = j.Source == c.reference
		if p.counts() && !p.AtLeast && want != verdict.MLE {
			if err := c.decide(ctx, p, j); err != nil {
				return err
			}
		}
		c.Emit.Send(p)
		c.report.Programs = append(c.report.Programs, *p)
	}
	return nil
}

// raised returns the limits of the measured runs. It raises the memory limit only for programs that
// must get MLE, because some runtimes use all the memory that they are allowed.
func (c *calibration) raised(want verdict.Verdict) limits.Limits {
	l := c.Task.Limits
	l.CPU = c.Beyond
	l.Wall = max(l.Wall, time.Duration(c.WallFactor*float64(c.Beyond)), limits.PatientWall)
	if want == verdict.MLE {
		l.Memory = limits.Least(l.Memory)
	}
	return l
}

// summary returns the measurements of a program that ran once on each case.
func (c *calibration) summary(j grade.Judged) *Program {
	p := &Program{
		Name: j.Source.Name, Language: j.Source.Language, Want: j.Expected, Got: j.Done.Verdict,
		perCase: map[string]time.Duration{},
	}
	for _, e := range j.Cases {
		p.perCase[e.Name] = e.Result.CPU
		if e.Result.CPU > p.CPU || p.Case == "" {
			p.CPU, p.Wall, p.Case = min(e.Result.CPU, c.Beyond), e.Result.Wall, e.Name
		}
		if e.Result.Memory > p.Memory {
			p.Memory, p.MemoryAt = e.Result.Memory, e.Name
		}
	}
	p.Low, p.High = p.CPU, p.CPU
	switch {
	case p.Got == verdict.AC:
	case p.Got == p.Want:
		p.AtLeast = true
	default:
		p.Case, p.Cause = j.Done.First, quote.First(j.Done.Cause)
		if p.Cause == "" {
			p.Cause = p.Got.Title()
		}
	}
	return p
}

// maxDeciding is the largest number of cases that decide repeats for a program.
const maxDeciding = 3

// decide repeats the slowest cases of a program, with no other run beside it, and sets the
// program's times to those of the case with the largest median.
func (c *calibration) decide(ctx context.Context, p *Program, j grade.Judged) error {
	c.Emit.Stage("measuring " + p.Name)
	slowest := slices.SortedFunc(slices.Values(j.Cases), func(a, b grade.Case) int { return int(b.Result.CPU - a.Result.CPU) })
	p.CPU, p.Case = 0, ""
	for i, e := range slowest {
		if i == maxDeciding || i > 0 && 5*e.Result.CPU < 4*slowest[0].Result.CPU {
			break
		}
		task := c.Task
		task.Cases, task.Submissions, task.Limits = []cases.Case{c.Task.Cases[e.Index]}, []grade.Submission{j.Submission}, c.raised(p.Want)
		task.Uniform, task.Repeat = true, c.report.Repeat
		again, err := c.Judge.Collect(ctx, task)
		if err != nil {
			return err
		}
		if len(again[0].Cases) == 0 {
			return errors.New(p.Name + ": no run on " + e.Name)
		}
		p.addRepeated(again[0].Cases[0])
	}
	return nil
}

// addRepeated replaces the program's times by those of a repeated case if their median is larger.
func (p *Program) addRepeated(e grade.Case) {
	runs := e.Attempts
	if len(runs) == 0 {
		runs = []grade.Attempt{{CPU: e.Result.CPU, Wall: e.Result.Wall}}
	}
	var cpu, wall []time.Duration
	for _, r := range runs {
		cpu, wall = append(cpu, r.CPU), append(wall, r.Wall)
	}
	slices.Sort(cpu)
	slices.Sort(wall)
	if m := cpu[len(cpu)/2]; m > p.CPU || p.Case == "" {
		p.CPU, p.Low, p.High, p.Wall, p.Case = m, cpu[0], cpu[len(cpu)-1], wall[0], e.Name
	}
}
