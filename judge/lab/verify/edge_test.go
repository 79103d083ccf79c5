package verify

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/sandbox/sandboxtest"
)

// TestEdges checks that a time near the limit decides nothing, unless both sides of the limit break the promise.
func TestEdges(t *testing.T) {
	t.Parallel()
	const (
		limit = time.Second
		none  = "submissions: no submission is accepted"
	)
	for _, tt := range []struct {
		why, path string
		cpu       time.Duration
		output    string
		notes     []string
		findings  []string
		done      string // verdict, first failing case and number of passed cases
	}{
		{"right at the edge", "submissions/time_limit_exceeded/a", limit + limit/50, "1\n", []string{
			"submissions/time_limit_exceeded/a: is at the edge of the time limit: 1.02s of CPU time at a limit of 1s on secret/1, which may be AC or TLE on another machine (promised by its folder)",
		}, []string{none}, "TLE secret/1 0"},
		{"right, just below the edge", "submissions/accepted/a", limit - limit/50, "1\n", []string{
			"submissions/accepted/a: is at the edge of the time limit: 980ms of CPU time at a limit of 1s on secret/1, which may be AC or TLE on another machine (promised by its folder)",
		}, nil, "AC  1"},
		{"wrong at the edge", "submissions/time_limit_exceeded/a", limit - limit/50, "2\n", []string{
			"submissions/time_limit_exceeded/a: is at the edge of the time limit: 980ms of CPU time at a limit of 1s on secret/1, which may be WA or TLE on another machine (promised by its folder)",
		}, []string{none}, "WA secret/1 0"},
		{"clearly too slow", "submissions/time_limit_exceeded/a", 2 * limit, "2\n", nil, []string{none}, "TLE secret/1 0"},
		{"both sides break the promise", "submissions/run_time_error/a", limit + limit/50, "2\n", nil, []string{
			"submissions/run_time_error/a: gets TLE on secret/1, not RTE: used more CPU time than 1s (promised by its folder)",
			none,
		}, "TLE secret/1 0"},
		{"far from the edge", "submissions/accepted/a", limit / 2, "1\n", nil, nil, "AC  1"},
	} {
		t.Run(tt.why, func(t *testing.T) {
			t.Parallel()
			s := openPackage(t, sandboxtest.New(t, func(_ context.Context, r sandboxtest.Run) (sandbox.Result, error) {
				result := r.Print(tt.output)
				if result.CPU = tt.cpu; tt.cpu > limits.Beyond(limit) { // otherwise it ends by itself
					result.Stop = sandbox.OverCPU
				}
				result.Wall = result.CPU
				return result, nil
			}), tt.path)
			s.env = &Environment{Limits: func(context.Context, *grade.Judge, grade.Task) (limits.Limits, string, error) {
				return limits.Limits{CPU: limit, Wall: 10 * limit}, "", nil
			}}
			if err := checkExamples(t.Context(), s); err != nil {
				t.Fatal(err)
			}
			var notes, findings []string
			for _, n := range s.report.Notes {
				notes = append(notes, strings.ReplaceAll(n.Text, s.p.Root+"/", ""))
			}
			for _, f := range s.report.Findings {
				findings = append(findings, strings.TrimPrefix(f.File, s.p.Root+"/")+": "+f.Text)
			}
			d := s.results.judged[0].Done
			if done := fmt.Sprintf("%s %s %d", d.Verdict, d.First, d.Passed); done != tt.done {
				t.Errorf("got %q, want %q", done, tt.done)
			}
			if !slices.Equal(notes, tt.notes) || !slices.Equal(findings, tt.findings) {
				t.Errorf("notes %q, findings %q; want %q, %q", notes, findings, tt.notes, tt.findings)
			}
		})
	}
}

// withPoints is an edit for TestChecks that gives points to the group edge, of which all cases must be accepted.
var withPoints = replace(problemFile, "samples:", "type: [scoring]\nscoring: {groups: [{name: secret/edge, max_score: 100}, {name: sample}]}\nsamples:")
