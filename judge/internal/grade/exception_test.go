package grade

import (
	"context"
	"strings"
	"testing"
	"time"

	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/sandbox/sandboxtest"
	"tribunal/judge/internal/verdict"
)

// TestExceptions judges each case under the limits that the problem sets for it, and reports them.
func TestExceptions(t *testing.T) {
	t.Parallel()
	host := sandboxtest.New(t, func(_ context.Context, r sandboxtest.Run) (sandbox.Result, error) {
		result := r.Print("answer " + string(r.Input))
		result.CPU, result.Memory = 1500*time.Millisecond, limits.Bytes(r.Limits.CPU.Seconds())
		return result, nil
	})
	j := newJudge(t, host, 1, nil)
	task := newTask(numbered(4), submit(t, "exit"))
	task.All, task.Limits.CPU, task.Limits.Wall = true, time.Second, 10*time.Second
	task.Problem.Exceptions = []problem.Exception{
		{Cases: "edge/case-1", CPU: 5 * time.Second},
		{Cases: "edge/case-2", CPU: 2 * time.Second},
		{Cases: "edge/case-3", Memory: limits.GiB},
		{Language: "python3", CPU: 7 * time.Second},
		{Language: "sh", Cases: "edge/case-2", Memory: 2 * limits.GiB},
	}
	for _, uniform := range []bool{false, true} {
		task.Uniform = uniform
		events := gradeAll(t, j, task)
		if b := events[0].(*Begin); (len(b.Exceptions) > 0) == uniform || b.Limits != task.Limits {
			t.Errorf("uniform %v: the report begins with %+v", uniform, b)
		}
		for i, c := range caseEvents(events) {
			want, v := task.Limits, verdict.TLE
			if !uniform {
				switch i {
				case 1:
					want.CPU, want.Wall, v = 5*time.Second, 50*time.Second, verdict.AC
				case 2:
					want.CPU, want.Wall, want.Memory, v = 2*time.Second, 20*time.Second, 2*limits.GiB, verdict.AC
				case 3:
					want.Memory = limits.GiB
				}
			}
			if c.Under(task.Limits) != want || (c.Limits == nil) != (want == task.Limits) || c.Verdict != v || c.Result.Memory != limits.Bytes(want.CPU.Seconds()) {
				t.Errorf("uniform %v: case %d: %v under %+v, which ran with a limit of %d s, want %v under %+v", uniform, i, c.Verdict, c.Limits, c.Result.Memory, v, want)
			}
			if v == verdict.TLE && !strings.HasSuffix(c.Cause, "CPU time than "+want.CPU.String()) {
				t.Errorf("uniform %v: case %d: %s", uniform, i, c.Cause)
			}
		}
	}
}

// TestUntilInProportion lets a run last as much longer as the limit of its case is longer.
func TestUntilInProportion(t *testing.T) {
	t.Parallel()
	var got []time.Duration
	host := sandboxtest.New(t, func(_ context.Context, r sandboxtest.Run) (sandbox.Result, error) {
		got = append(got, r.Limits.CPU)
		return r.Print("answer " + string(r.Input)), nil
	})
	j := newJudge(t, host, 1, nil)
	task := newTask(numbered(2), submit(t, "exit"))
	task.Limits.CPU, task.Submissions[0].Until = time.Second, 1500*time.Millisecond
	task.Problem.Exceptions = []problem.Exception{{Cases: "edge/case-1", CPU: 4 * time.Second}}
	gradeAll(t, j, task)
	if want := 1500*time.Millisecond - j.Pool.Grace(); len(got) != 2 || got[0] != want || got[1] != 6*time.Second-j.Pool.Grace() {
		t.Errorf("runs were stopped after %v, want %v and four times as much", got, want)
	}
}
