package grade

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/content"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/points"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/quote"
	"tribunal/judge/internal/run"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/verdict"
)

// grader returns the function that package points calls to run a problem's grader, nil if g is nil.
func (j *Judge) grader(ctx context.Context, g *problem.Grader) points.Grader {
	if g == nil {
		return nil
	}
	return func(flags []string, results []points.Part) (points.Part, error) {
		program, err := j.CaseData.Program(ctx, g.Program)
		if err != nil {
			return points.Part{}, err
		}
		return j.askGrader(ctx, program, g.Limits, flags, results)
	}
}

func (j *Judge) askGrader(ctx context.Context, program *build.Program, l limits.Limits, flags []string, results []points.Part) (points.Part, error) {
	var lines bytes.Buffer
	for _, s := range results {
		fmt.Fprintln(&lines, s.Verdict.ICPC(), strconv.FormatFloat(s.Points, 'f', -1, 64))
	}
	var output bytes.Buffer
	o := j.Pool.Run(ctx, run.Job{Program: program, Args: flags, Input: content.Of(lines.Bytes()), Stdout: &output, Limits: l})
	if o.Err != nil {
		return points.Part{}, o.Err
	}
	switch {
	case o.Stop != sandbox.Exited:
		return points.Part{}, failure(o.Cause(l), quote.Of(o.Stderr))
	case o.ExitCode != 0:
		return points.Part{}, failure(fmt.Sprintf("exited with status %d", o.ExitCode), quote.Of(o.Stderr))
	}
	return graded(output.String(), results)
}

// graded parses the output of a grader for these results. A grader names only AC, WA, TLE or RTE;
// graded returns the finer verdict of the first result of that kind.
func graded(output string, results []points.Part) (points.Part, error) {
	bad := fmt.Errorf("wrote %.40q, not a verdict (AC, WA, TLE or RTE) and points", output)
	words := strings.Fields(output)
	if len(words) != 2 {
		return points.Part{}, bad
	}
	n, err := strconv.ParseFloat(words[1], 64)
	if err != nil || math.IsNaN(n) || math.IsInf(n, 0) {
		return points.Part{}, bad
	}
	for _, s := range results {
		if s.Verdict.ICPC().String() == words[0] {
			return points.Part{Verdict: s.Verdict, Points: n}, nil
		}
	}
	for _, v := range verdict.BigFive() {
		if v != verdict.CE && v.String() == words[0] {
			return points.Part{Verdict: v, Points: n}, nil
		}
	}
	return points.Part{}, bad
}
