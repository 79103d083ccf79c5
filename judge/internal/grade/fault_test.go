package grade

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"testing"

	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/sandbox/sandboxtest"
	"tribunal/judge/internal/verdict"
)

// TestBoxDies has boxes die under runs: such a case is run once more, since neither
// it nor the program is to blame, and no more than once.
func TestBoxDies(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why    string
		dies   int // of the first runs of the second case
		all    bool
		repeat int
		keep   bool
		want   verdict.Verdict
	}{
		{why: "a box that dies once costs nothing", dies: 1, want: verdict.AC},
		{why: "nor when all cases are run", dies: 1, all: true, want: verdict.AC},
		{why: "what it had written is not kept", dies: 1, keep: true, want: verdict.AC},
		{why: "nor does it count among the runs that were asked for", dies: 1, repeat: 3, want: verdict.AC},
		{why: "a program under which boxes keep dying has no verdict", dies: 2, want: verdict.JE},
	} {
		var died atomic.Int32
		host := sandboxtest.New(t, func(_ context.Context, r sandboxtest.Run) (sandbox.Result, error) {
			if string(r.Input) == "1\n" && int(died.Add(1)) <= tt.dies {
				r.Print("answer 1\nanswer 1\n")
				return sandbox.Result{}, fmt.Errorf("container: %w", sandbox.ErrDied)
			}
			return r.Print("answer " + string(r.Input)), nil
		})
		j := newJudge(t, host, 1, nil)
		task := newTask(numbered(3), submit(t, "unread"))
		task.All, task.Repeat = tt.all, tt.repeat
		if tt.keep {
			task.Keep = t.TempDir()
		}
		var got []verdict.Verdict
		err := j.Grade(t.Context(), task, func(e Event) {
			if c, ok := e.(*Case); ok {
				got = append(got, c.Verdict)
				if len(c.Attempts) > 0 && len(c.Attempts) != tt.repeat {
					t.Errorf("%s: %d attempts are told", tt.why, len(c.Attempts))
				}
			}
		})
		want := []verdict.Verdict{verdict.AC, tt.want, verdict.AC}
		if tt.want != verdict.AC && !tt.all {
			want = want[:2]
		}
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %v, %v, want %v", tt.why, got, err, want)
		}
		if tt.keep {
			text, err := os.ReadFile(filepath.Join(task.Keep, "edge", "case-1.out"))
			if err != nil || string(text) != "answer 1\n" {
				t.Errorf("%s: kept %q, %v", tt.why, text, err)
			}
		}
	}
}

// TestOutputCannotBeKept fails to prepare every case, and goes on.
func TestOutputCannotBeKept(t *testing.T) {
	t.Parallel()
	j := newJudge(t, player(t, nil), 2, map[string]string{"reference/p/check/main.sh": "exit 43"})
	// Outputs for a checker are kept below the host's folder, which somebody removes.
	if err := os.RemoveAll(j.Host.Temp()); err != nil {
		t.Fatal(err)
	}
	task := newTask(numbered(3), submit(t, "AC AC AC"))
	task.All, task.Checker = true, true
	cases, done := 0, 0
	err := j.Grade(t.Context(), task, func(e Event) {
		switch e := e.(type) {
		case *Case:
			cases++
			if e.Verdict != verdict.JE || e.Cause == "" {
				t.Errorf("%s: %v, %q", e.Name, e.Verdict, e.Cause)
			}
		case *Done:
			done++
			if e.Verdict != verdict.JE || e.Judged != 3 {
				t.Errorf("%+v", e)
			}
		}
	})
	if err != nil || cases != 3 || done != 1 {
		t.Errorf("%d cases, %d done, %v: what fails for one case is no failure of the others", cases, done, err)
	}
}
