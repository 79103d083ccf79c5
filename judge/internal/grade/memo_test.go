package grade

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/run"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/sandbox/sandboxtest"
	"tribunal/judge/internal/verdict"
)

// withMemo gives the judge a memo.
func withMemo(j *Judge) *Judge {
	j.Memo = run.NewMemo(j.CaseData.Cache, j.Pool.Facts().Mechanisms)
	return j
}

// cached returns the indices of the cases whose events say that they come from the memo.
func cached(events []Event) (list []int) {
	for _, c := range caseEvents(events) {
		if c.Cached {
			list = append(list, c.Index)
		}
	}
	return list
}

// TestMemo judges the same submission twice, and then with other expected outputs.
func TestMemo(t *testing.T) {
	t.Parallel()
	host := player(t, nil)
	j := withMemo(newJudge(t, host, 2, nil))
	task := newTask(numbered(5), submit(t, "AC PE RTE TLE JE"))
	task.All = true
	first := gradeAll(t, j, task)
	if got := cached(first); len(got) > 0 {
		t.Errorf("the first time, cases %v are cached", got)
	}
	again := gradeAll(t, j, task)
	if got := cached(again); !slices.Equal(got, []int{0, 1, 2, 3}) || host.Runs() != 6 {
		t.Errorf("cases %v are cached, and there were %d runs; want the judge's failure run again", got, host.Runs())
	}
	if eventLines(again) != eventLines(first) {
		t.Errorf("got\n%swant the same as before:\n%s", eventLines(again), eventLines(first))
	}
	for i, c := range caseEvents(again) {
		want := *caseEvents(first)[i]
		want.Cached = c.Cached
		if d := cmp.Diff(&want, c); d != "" {
			t.Errorf("case %d differs when cached (-ran +cached):\n%s", i, d)
		}
	}
	if done := again[len(again)-2].(*Done); done.Cached != 4 || done.Judged != 5 || done.CPU != 11*time.Second {
		t.Errorf("done %+v, want 4 of 5 cached, measured as before", done)
	}
	checkProgress(t, "cached", again, 5)

	task.Cases[0].Output, task.Cases[1].Output = new("no idea\n"), new("answer 1")
	third := gradeAll(t, j, task)
	var got []string
	for _, c := range caseEvents(third) {
		got = append(got, c.Verdict.String())
	}
	if got := strings.Join(got, " "); got != "WA AC RTE TLE JE" || host.Runs() != 7 {
		t.Errorf("other expectations: %s after %d runs", got, host.Runs())
	}

	j.Memo = nil
	if got := cached(gradeAll(t, j, task)); len(got) > 0 || host.Runs() != 12 {
		t.Errorf("without a memo cases %v are cached after %d runs", got, host.Runs())
	}
}

// TestMemoIsNotAsked checks that repeated runs neither use nor fill the memo, and that the memo
// reports a doubtful outcome only after other runs have confirmed it.
func TestMemoIsNotAsked(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why, text string
		repeat    int
		known     []int // cases that come from the memo the second time
		runs      int   // number of runs in both gradings together
	}{
		{"a doubtful case that a rerun made certain is in the memo", "tle/AC/AC AC", 0, []int{0, 1}, 3},
		{"so is a doubtful case whose reruns agreed", "AC tle/tle/tle/TLE", 0, []int{0, 1}, 4},
		{"a doubtful case whose reruns differed is run again", "AC tle/ac/tle/ac", 0, []int{0}, 5},
		{"a case that was accepted once near the limit is run again", "AC ac/ac", 0, []int{0}, 3},
		{"a case whose box died, but not that of the rerun, is in the memo", "died/AC/AC AC", 0, []int{0, 1}, 3},
		{"repeated runs neither use nor fill the memo", "AC/AC/AC/AC AC/AC/AC/AC", 2, nil, 8},
	} {
		host := rerunner(t, true, func() time.Duration { return 0 })
		j := withMemo(newJudge(t, host, 2, nil))
		task := newTask(numbered(2), submit(t, tt.text))
		task.All, task.Repeat = true, tt.repeat
		gradeAll(t, j, task)
		if got := cached(gradeAll(t, j, task)); !slices.Equal(got, tt.known) || host.Runs() != tt.runs {
			t.Errorf("%s: cases %v are cached after %d runs, want %v after %d", tt.why, got, host.Runs(), tt.known, tt.runs)
		}
	}
	host := rerunner(t, true, func() time.Duration { return 0 })
	j := withMemo(newJudge(t, host, 1, nil))
	task := newTask(numbered(1), submit(t, "AC/AC/AC"))
	gradeAll(t, j, task)
	task.Repeat = 2
	if got := cached(gradeAll(t, j, task)); len(got) > 0 || host.Runs() != 3 {
		t.Errorf("repeated runs come from the memo: cases %v, %d runs", got, host.Runs())
	}
}

// TestMemoDecides checks that no case after the one that decides about a submission is run when the
// memo knows those before it.
func TestMemoDecides(t *testing.T) {
	t.Parallel()
	for range 20 {
		j := withMemo(newJudge(t, sandboxtest.New(t, func(_ context.Context, r sandboxtest.Run) (sandbox.Result, error) {
			return r.Print("answer " + string(r.Input)), nil
		}), 2, nil))
		task := newTask(numbered(2), submit(t, "x"))
		gradeAll(t, j, task)
		j.Pool = newJudge(t, sandboxtest.New(t, func(context.Context, sandboxtest.Run) (sandbox.Result, error) {
			t.Error("a program was run")
			return sandbox.Result{}, nil
		}), 2, nil).Pool
		task.Cases = numbered(9)
		task.Submissions[0].Decided = func(c *Case) bool { return c.Index == 1 }
		if list := caseEvents(gradeAll(t, j, task)); len(list) != 2 {
			t.Errorf("%d cases are reported, want 2", len(list))
		}
	}
}

// TestMemoKnowsValidators checks that an unchanged task runs neither submission nor validator again,
// and that the validator is asked about another answer.
func TestMemoKnowsValidators(t *testing.T) {
	t.Parallel()
	host := sandboxtest.New(t, func(_ context.Context, r sandboxtest.Run) (sandbox.Result, error) {
		if r.Dir == "" {
			return r.Print("other " + string(r.Input)), nil
		}
		if !strings.Contains(string(r.Input), "1") {
			return sandbox.Result{ExitCode: problem.ExitAccepts}, nil
		}
		if err := os.Mkdir(filepath.Join(r.Dir, feedback), 0o700); err != nil {
			return sandbox.Result{}, err
		}
		return sandbox.Result{ExitCode: problem.ExitRefuses}, os.WriteFile(filepath.Join(r.Dir, feedback, judgeMessage), []byte("no good"), 0o600)
	})
	j := withMemo(newJudge(t, host, 2, map[string]string{"reference/p/check/main.sh": "exit 42"}))
	task := newTask(numbered(2), submit(t, "x"))
	task.Problem, task.All = task.Problem.WithValidator(&problem.Validator{Program: check}), true
	for i, runs := range []int{4, 4, 5} {
		if i == 2 {
			task.Cases[0].Output = new("another answer")
		}
		list := caseEvents(gradeAll(t, j, task))
		if list[0].Verdict != verdict.AC || list[1].Verdict != verdict.WA || list[1].Message != "no good" || host.Runs() != runs {
			t.Errorf("time %d: %s (%s), %s with message %q after %d runs, want AC, WA with \"no good\" after %d", i+1, list[0].Verdict, list[0].Cause, list[1].Verdict, list[1].Message, host.Runs(), runs)
		}
	}
}

// TestMemoNeedsNoBox judges from the memo alone: any run fails the test. Outputs are kept.
func TestMemoNeedsNoBox(t *testing.T) {
	t.Parallel()
	dir, none := t.TempDir(), false
	j := withMemo(newJudge(t, sandboxtest.New(t, func(_ context.Context, r sandboxtest.Run) (sandbox.Result, error) {
		if none {
			t.Error("a program was run")
		}
		return r.Print("answer " + string(r.Input)), nil
	}), 2, nil))
	task := newTask(numbered(20), submit(t, "x"))
	gradeAll(t, j, task)
	if err := j.Pool.ReleaseCPUs(); err != nil {
		t.Fatal(err)
	}
	none, task.Keep, task.Order = true, dir, []int{7, 3}
	events := gradeAll(t, j, task)
	if done := events[len(events)-2].(*Done); done.Verdict != verdict.AC || done.Cached != 20 {
		t.Errorf("done %+v", done)
	}
	for i := range task.Cases {
		text, err := os.ReadFile(filepath.Join(dir, "edge", fmt.Sprintf("case-%d.out", i)))
		if err != nil || string(text) != fmt.Sprintln("answer", i) {
			t.Errorf("kept %q of case %d (%v)", text, i, err)
		}
	}
}

// TestMemoInTheSandbox runs real programs, and a checker that also validates outputs from the memo.
func TestMemoInTheSandbox(t *testing.T) {
	t.Parallel()
	j := withMemo(newJudge(t, nil, 2, map[string]string{"reference/p/check/main.sh": `read -r word; [ "$word" = right ] && exit 42; exit 43`}))
	task := newTask(numbered(3), submit(t, "read n\nset -- right wrong 'answer 2'\nshift $n\necho $1; echo talk >&2\n"))
	task.All = true
	task.checked()
	first, again := gradeAll(t, j, task), gradeAll(t, j, task)
	if got := eventLines(first); !strings.Contains(got, `0 done WA "edge/case-1" 2/3/3`) {
		t.Errorf("got\n%s", got)
	}
	if got := cached(again); len(cached(first)) > 0 || !slices.Equal(got, []int{0, 1, 2}) || eventLines(first) != eventLines(again) {
		t.Errorf("cases %v are cached, and the events are\n%safter\n%s", got, eventLines(again), eventLines(first))
	}
	for i, c := range caseEvents(again) {
		if was := caseEvents(first)[i]; c.Result != was.Result || c.Stderr != "talk\n" {
			t.Errorf("case %d: %+v %q, want what was measured: %+v", i, c.Result, c.Stderr, was.Result)
		}
	}
}

// TestMemoOfTheReference checks that judging a reference needs no run if it has just computed the
// expected outputs.
func TestMemoOfTheReference(t *testing.T) {
	t.Parallel()
	host := sandboxtest.New(t, func(_ context.Context, r sandboxtest.Run) (sandbox.Result, error) {
		return r.Print("answer " + string(r.Input)), nil
	})
	j := withMemo(newJudge(t, host, 2, map[string]string{"reference/p/main.sh": "x"}))
	source, err := build.Open(filepath.Join(j.CaseData.Problem.Root, j.CaseData.Problem.Reference), "", shell)
	if err != nil {
		t.Fatal(err)
	}
	for _, memo := range []*run.Memo{nil, j.Memo} {
		task := newTask(numbered(3), []Submission{{Source: source}})
		task.Limits.CPUs = 8 // more CPUs than there are
		if memo != nil {
			task.Cases = numbered(6)[3:]
		}
		j.CaseData.Limits, j.CaseData.Memo = task.Limits, memo
		if err := j.CaseData.PrepareOutputs(t.Context(), task.Cases); err != nil {
			t.Fatal(err)
		}
		before := host.Runs()
		gradeAll(t, j, task)
		if runs := host.Runs() - before; (runs == 0) != (memo != nil) {
			t.Errorf("memo %v: %d runs to judge the reference", memo != nil, runs)
		}
	}
}
