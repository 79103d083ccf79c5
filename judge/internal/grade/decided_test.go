package grade

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/sandbox/sandboxtest"
	"tribunal/judge/internal/verdict"
)

// TestDecided lets submissions be decided by some of their cases. The first hangs on a later case,
// which must be stopped.
func TestDecided(t *testing.T) {
	t.Parallel()
	for slots := range 3 {
		synctest.Test(t, func(t *testing.T) {
			j := newJudge(t, player(t, nil), 1+slots, nil)
			task := newTask(numbered(4), submit(t, "AC TLE AC hang", "WA WA AC WA", "AC AC AC AC"))
			late := func(c *Case) bool { return c.Verdict == verdict.TLE }
			accepted := func(c *Case) bool { return c.Verdict == verdict.AC }
			task.All = true
			task.Submissions[0].Decided, task.Submissions[1].Decided, task.Submissions[2].Decided = late, accepted, late
			events := gradeAll(t, j, task)
			var got []string
			for _, e := range events {
				if d, ok := e.(*Done); ok {
					got = append(got, fmt.Sprintf("%s %s %d/%d/%d", d.Verdict, d.First, d.Passed, d.Judged, d.Total))
				}
			}
			want := "TLE edge/case-1 1/2/4, WA edge/case-0 1/3/4, AC  4/4/4"
			if got := strings.Join(got, ", "); got != want {
				t.Errorf("with %d slots %s, want %s", 1+slots, got, want)
			}
			checkProgress(t, "decided", events, 12)
		})
	}
}

// TestEdges judges a submission whose time is a little over the limit, and checks how long and how
// often it runs.
func TestEdges(t *testing.T) {
	t.Parallel()
	const s = time.Second
	for _, tt := range []struct {
		why   string
		edges bool
		until time.Duration
		runs  int64
		limit time.Duration // of the runs
	}{
		{"it is repeated until two runs in a row agree", false, 0, 3, 10 * s},
		{"unless the task accepts times near a limit", true, 0, 1, 10 * s},
		{"it may run until 15 s, with a grace of 100 ms", true, 15 * s, 1, 14900 * time.Millisecond},
		{"but is not stopped earlier", true, 5 * s, 1, 10 * s},
	} {
		var runs atomic.Int64
		host := sandboxtest.New(t, func(_ context.Context, r sandboxtest.Run) (sandbox.Result, error) {
			runs.Add(1)
			if r.Limits.CPU != tt.limit {
				t.Errorf("%s: runs with a limit of %v, want %v", tt.why, r.Limits.CPU, tt.limit)
			}
			result := r.Print("answer 0\n")
			result.CPU = 10*s + 1
			return result, nil
		})
		task := newTask(numbered(1), submit(t, "any"))
		task.Edges, task.Submissions[0].Until = tt.edges, tt.until
		c := caseEvents(gradeAll(t, newJudge(t, host, 1, nil), task))[0]
		if c.Verdict != verdict.TLE || c.Untimed != verdict.AC || runs.Load() != tt.runs {
			t.Errorf("%s: %s, without limits %s, after %d runs; want %d", tt.why, c.Verdict, c.Untimed, runs.Load(), tt.runs)
		}
	}
}

// TestAlone checks that a task can measure with nothing beside each run, and that the memo knows
// these measurements afterwards, also as those of runs that need not be alone.
func TestAlone(t *testing.T) {
	t.Parallel()
	var now, runs atomic.Int64
	var cpu atomic.Int64
	host := sandboxtest.New(t, func(_ context.Context, r sandboxtest.Run) (sandbox.Result, error) {
		runs.Add(1)
		if now.Add(1) > 1 && cpu.Load() == 2 {
			t.Error("two runs at a time")
		}
		defer now.Add(-1)
		result := r.Print(fmt.Sprint("answer ", string(r.Input)))
		result.CPU = 10*time.Second + time.Duration(cpu.Load())
		return result, nil
	})
	j := withMemo(newJudge(t, host, 2, nil))
	j.Memo.Edges = true
	task := newTask(numbered(3), submit(t, "any"))
	task.All, task.Edges = true, true
	for _, tt := range []struct {
		why   string
		alone bool
		cpu   int64 // of runs, beyond the limit
		want  time.Duration
		runs  int64 // since the beginning
	}{
		{"first beside others", false, 1, 1, 3},
		{"alone: the first measurement does not do", true, 2, 2, 6},
		{"alone again", true, 3, 2, 6},
		{"the measurement alone replaces the first", false, 4, 2, 6},
	} {
		cpu.Store(tt.cpu)
		task.Alone = tt.alone
		for _, c := range caseEvents(gradeAll(t, j, task)) {
			if got := c.Result.CPU - 10*time.Second; got != tt.want {
				t.Errorf("%s: measured %d, want %d", tt.why, got, tt.want)
			}
		}
		if runs.Load() != tt.runs {
			t.Errorf("%s: %d runs, want %d", tt.why, runs.Load(), tt.runs)
		}
	}
}
