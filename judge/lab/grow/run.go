package grow

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"time"

	"tribunal/judge/internal/casedata"
	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/content"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/run"
	"tribunal/judge/internal/sandbox"
)

// limits returns the limits of a run. The wall limit is so long that it stops only runs that sleep.
func (c *measurement) limits() limits.Limits {
	l := c.Task.Limits
	l.CPU = c.Beyond
	l.Wall = max(l.Wall, 3*c.Beyond, time.Minute)
	l.CPUs = c.Judge.Pool.Width(l.CPUs)
	return l
}

// run runs a program once and returns its standard output.
func (c *measurement) run(ctx context.Context, p *program, input content.Content) (run.Outcome, []byte, error) {
	var stdout bytes.Buffer
	o := c.Judge.Pool.Run(ctx, run.Job{Program: p.built, Input: input, Stdout: &stdout, ReadOnly: c.Task.Problem.ReadOnly, Limits: c.limits()})
	return o, stdout.Bytes(), cmp.Or(ctx.Err(), o.Err)
}

// inputs returns the generator's inputs of a size for the seeds 1 to seeds. It notes and skips a
// seed for which the generator reports that there is no input.
func (c *measurement) inputs(ctx context.Context, r casedata.Size, seeds int) ([][]byte, error) {
	m := c.Judge.CaseData
	list := make([]cases.Case, seeds)
	for i := range list {
		seed := uint64(i + 1)
		list[i] = cases.Case{Generate: r.Generate, Seed: &seed}
	}
	const noInput = 1 // exit status of a generator if there is no input for its arguments
	var inputs [][]byte
	err := m.RunAll(ctx, m.Problem.Generator, list, func(e *cases.Case) (run.Job, error) { return casedata.GenerateJob(e), nil },
		func(e *cases.Case, o run.Outcome, input []byte) error {
			l := casedata.GenerateJob(e).Limits
			switch {
			case o.OK(l):
				inputs = append(inputs, bytes.Clone(input))
			case o.Stop == sandbox.Exited && o.ExitCode == noInput:
				c.report.Notes = append(c.report.Notes, fmt.Sprintf("no input of size %d with seed %d: %s", r.N, *e.Seed, casedata.Cause(o, l)))
			default:
				return &GenerateError{Args: r.Generate, Cause: casedata.Cause(o, l)}
			}
			return nil
		})
	return inputs, err
}

// GenerateError reports that the generator failed or rejected its arguments.
type GenerateError struct {
	Args  []string
	Cause string
}

func (e *GenerateError) Error() string {
	return fmt.Sprintf("generator %q: %s (hint: judge gen PROBLEM lists families and their flags)", e.Args, e.Cause)
}
