package grade

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/sandbox/sandboxtest"
	"tribunal/judge/internal/verdict"
)

// player plays submissions whose text gives the result for each case: a verdict, or "hang". takes,
// if not nil, returns the duration of the i-th run to start.
func player(t testing.TB, takes func(i int) time.Duration) *sandboxtest.Host {
	var h *sandboxtest.Host
	h = sandboxtest.New(t, func(ctx context.Context, r sandboxtest.Run) (sandbox.Result, error) {
		text, err := os.ReadFile(filepath.Join(r.Spec.Mounts[0].Source, filepath.Base(r.Args[1])))
		if err != nil {
			return sandbox.Result{}, err
		}
		index, err := strconv.Atoi(strings.TrimSpace(string(r.Input)))
		if err != nil {
			return sandbox.Result{}, err
		}
		word := strings.Fields(string(text))[index]
		d := time.Duration(0)
		if takes != nil {
			d = takes(h.Runs())
		}
		if word == "hang" {
			d = time.Hour
		}
		select {
		case <-time.After(d):
		case <-ctx.Done():
			return sandbox.Result{Stop: sandbox.Cancelled}, nil
		}
		switch word {
		case "AC":
			return r.Print(fmt.Sprintln("answer", index)), nil
		case "PE":
			return r.Print(fmt.Sprint("answer ", index)), nil
		case "WA":
			return r.Print("no idea\n"), nil
		case "RTE":
			r.Stderr.Write([]byte("caf\xe9"))
			return sandbox.Result{ExitCode: 1}, nil
		case "TLE":
			return sandbox.Result{Stop: sandbox.OverCPU, CPU: 11 * time.Second}, nil
		case "JE":
			return sandbox.Result{}, errors.New("container died")
		case "lost":
			return sandbox.Result{}, &sandbox.StartError{Err: errors.New("no such file or directory")}
		}
		return sandbox.Result{}, fmt.Errorf("no such word: %s", word)
	})
	return h
}

func TestEvents(t *testing.T) {
	t.Parallel()
	const (
		begin = "begin p [a.sh] [edge/case-0 edge/case-1 edge/case-2]\n"
		built = `0 built sh ""` + "\n"
		ac0   = `0 0 edge/case-0 AC ""` + "\n"
		ac1   = `0 1 edge/case-1 AC ""` + "\n"
		ac2   = `0 2 edge/case-2 AC ""` + "\n"
		wa1   = `0 1 edge/case-1 WA "differs from line 1, column 1"` + "\n"
		end   = "end\n"
	)
	for _, tt := range []struct {
		why  string
		all  bool
		subs []string
		want string
	}{
		{"all cases are accepted", false, []string{"AC AC AC"}, begin + built + ac0 + ac1 + ac2 + `0 done AC "" 3/3/3` + "\n" + end},
		{"the first failure ends the judging", false, []string{"AC WA AC"}, begin + built + ac0 + wa1 + `0 done WA "edge/case-1" 1/2/3` + "\n" + end},
		{"with All the judging continues, and the first failure decides", true, []string{"AC WA JE"}, begin + built + ac0 + wa1 +
			`0 2 edge/case-2 JE "the judge failed: container died"` + "\n" + `0 done WA "edge/case-1" 1/3/3` + "\n" + end},
		{"a failure of the judge ends the judging too", false, []string{"AC JE AC"}, begin + built + ac0 +
			`0 1 edge/case-1 JE "the judge failed: container died"` + "\n" + `0 done JE "edge/case-1" 1/2/3` + "\n" + end},
		{"a toolchain that does not start is the judge's failure", false, []string{"lost AC AC"}, begin + built +
			`0 0 edge/case-0 JE "the judge failed: cannot start: no such file or directory"` + "\n" + `0 done JE "edge/case-0" 0/1/3` + "\n" + end},
		{"same tokens", false, []string{"AC PE AC"}, begin + built + ac0 +
			`0 1 edge/case-1 PE "differs only in whitespace from line 1, column 9"` + "\n" + `0 done PE "edge/case-1" 1/2/3` + "\n" + end},
		{"a submission that does not compile is not judged on any case", false, []string{" "}, begin +
			`0 built sh "the source is empty"` + "\n" + `0 done CE "" 0/0/3` + "\n" + end},
		{"several submissions, each up to its first failure", false, []string{"WA AC AC", " ", "AC AC AC"}, "begin p [a.sh b.sh c.sh] [edge/case-0 edge/case-1 edge/case-2]\n" +
			built + `1 built sh "the source is empty"` + "\n" + `2 built sh ""` + "\n" +
			`0 0 edge/case-0 WA "differs from line 1, column 1"` + "\n" + `0 done WA "edge/case-0" 0/1/3` + "\n" +
			`1 done CE "" 0/0/3` + "\n" +
			`2 0 edge/case-0 AC ""` + "\n" + `2 1 edge/case-1 AC ""` + "\n" + `2 2 edge/case-2 AC ""` + "\n" + `2 done AC "" 3/3/3` + "\n" + end},
	} {
		j := newJudge(t, player(t, nil), 2, nil)
		task := newTask(numbered(3), submit(t, tt.subs...))
		task.All = tt.all
		events := gradeAll(t, j, task)
		if got := eventLines(events); got != tt.want {
			t.Errorf("%s: got\n%swant\n%s", tt.why, got, tt.want)
		}
		checkProgress(t, tt.why, events, 3*len(tt.subs))
	}
}

// checkProgress checks that progress counts every case once, up to total.
func checkProgress(t *testing.T, why string, events []Event, total int) {
	t.Helper()
	last := &Progress{}
	for _, e := range events {
		if p, ok := e.(*Progress); ok {
			if p.Done != last.Done+1 || p.Total != total || verdict.Worst(p.Worst, last.Worst) != p.Worst {
				t.Errorf("%s: progress %+v after %+v", why, p, last)
			}
			last = p
		}
	}
	if last.Done != total {
		t.Errorf("%s: progress ends at %d of %d", why, last.Done, total)
	}
}

func TestMeasurements(t *testing.T) {
	t.Parallel()
	results := []sandbox.Result{
		{CPU: 3 * time.Second, Wall: 4 * time.Second, Memory: limits.MiB, Stdout: 9},
		{CPU: time.Second, Wall: 9 * time.Second, Memory: 7 * limits.MiB, ExitCode: 1},
		{CPU: 2 * time.Second, Wall: time.Second, Memory: 2 * limits.MiB, Stop: sandbox.Signalled, Signal: 11},
	}
	j := newJudge(t, sandboxtest.New(t, func(_ context.Context, r sandboxtest.Run) (sandbox.Result, error) {
		if r.Limits.CPUs != 2 || len(r.CPUs) != 2 {
			t.Errorf("a run may use %d CPUs and is on %v, want all CPUs of the host", r.Limits.CPUs, r.CPUs)
		}
		index, _ := strconv.Atoi(strings.TrimSpace(string(r.Input)))
		r.Print(fmt.Sprintln("answer", index))
		r.Stderr.Write([]byte(strings.Repeat("caf\xe9 ", 2000)))
		return results[index], nil
	}), 2, nil)
	task := newTask(numbered(3), submit(t, "x"))
	task.All, task.Limits.CPUs = true, 8
	task.Submissions[0].Expected = verdict.RTE
	events := gradeAll(t, j, task)
	begin := events[0].(*Begin)
	if begin.Slots != 1 || begin.CPUs != 2 || begin.WantedCPUs != 8 || begin.Compare != "exact" || begin.Mechanisms.Mode == "" {
		t.Errorf("begin %+v", begin)
	}
	for i, c := range caseEvents(events) {
		if c.Result != results[i] {
			t.Errorf("case %d: %+v, want what was measured: %+v", i, c.Result, results[i])
		}
		if !strings.HasSuffix(c.Stderr, "caf\uFFFD ") || len(c.Stderr) > 8<<10 || !c.Truncated {
			t.Errorf("case %d: %d bytes of standard error, truncated %v", i, len(c.Stderr), c.Truncated)
		}
	}
	done := events[len(events)-2].(*Done)
	if done.CPU != 3*time.Second || done.Wall != 9*time.Second || done.Memory != 7*limits.MiB || done.Expected != verdict.RTE || done.Cause != "exited with status 1" {
		t.Errorf("done %+v, want the largest of each measurement", done)
	}
}

// TestOrderIsNotLuck grades random submissions with random durations of runs: the events must
// depend only on the first failure in case order.
func TestOrderIsNotLuck(t *testing.T) {
	t.Parallel()
	words := []string{"AC", "AC", "AC", "AC", "AC", "AC", "WA", "PE", "RTE", "TLE", "JE"}
	for seed := range uint64(50) {
		random := rand.New(rand.NewPCG(seed, 1))
		n, slots, all := 1+random.IntN(12), 1+random.IntN(4), random.IntN(2) == 0
		var texts []string
		want := make([]string, 1+random.IntN(3)) // the verdicts reported for each
		for i := range want {
			var text, told []string
			failed := false
			for range n {
				w := words[random.IntN(len(words))]
				text = append(text, w)
				if all || !failed {
					told = append(told, w)
				}
				failed = failed || w != "AC"
			}
			texts, want[i] = append(texts, strings.Join(text, " ")), strings.Join(told, " ")
		}
		first := ""
		for round := range 2 {
			synctest.Test(t, func(t *testing.T) {
				j := newJudge(t, player(t, func(int) time.Duration {
					return time.Duration(rand.IntN(1000)) * time.Millisecond
				}), slots, nil)
				task := newTask(numbered(n), submit(t, texts...))
				task.All = all
				events := gradeAll(t, j, task)
				got := make([][]string, len(texts))
				for _, c := range caseEvents(events) {
					got[c.Submission] = append(got[c.Submission], c.Verdict.String())
				}
				for i := range got {
					if g := strings.Join(got[i], " "); g != want[i] {
						t.Errorf("seed %d: submission %d: got %s, want %s for %s", seed, i, g, want[i], texts[i])
					}
				}
				checkProgress(t, fmt.Sprint("seed ", seed), events, n*len(texts))
				if text := eventLines(events); round == 0 {
					first = text
				} else if text != first {
					t.Errorf("seed %d: one time\n%sand then\n%s", seed, first, text)
				}
			})
		}
	}
}

// TestLaterCasesAreStopped checks that a failure stops the runs of later cases.
func TestLaterCasesAreStopped(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		host := player(t, func(int) time.Duration { return time.Second })
		j := newJudge(t, host, 3, nil)
		start := time.Now()
		events := gradeAll(t, j, newTask(numbered(6), submit(t, "AC WA hang hang hang hang")))
		if took := time.Since(start); took > 3*time.Second {
			t.Errorf("it took %v: runs after the failure must be stopped", took)
		}
		if host.Runs() > 4 {
			t.Errorf("%d runs were started", host.Runs())
		}
		if got := len(caseEvents(events)); got != 2 {
			t.Errorf("%d cases were reported, want those up to the failure", got)
		}
		checkProgress(t, "a failure", events, 6)
	})
}

// TestSubmissionsTakeTurns judges four submissions that are too slow on their first case and hang on
// the others. Two slots judge two of them at a time.
func TestSubmissionsTakeTurns(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		j := newJudge(t, player(t, func(i int) time.Duration { return time.Second + time.Duration(i)*time.Millisecond }), 2, nil)
		const slow = "TLE hang hang hang"
		start := time.Now()
		events := gradeAll(t, j, newTask(numbered(4), submit(t, slow, slow, slow, slow)))
		if took := time.Since(start); took > 3*time.Second {
			t.Errorf("it took %v: while a case failed, the other slot had the next case of the same program", took)
		}
		checkProgress(t, "four failures", events, 16)
	})
}

func TestGradeIsCancelled(t *testing.T) {
	t.Parallel()
	for _, all := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			j := newJudge(t, player(t, nil), 2, nil)
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(time.Minute, cancel)
			task := newTask(numbered(4), submit(t, "AC hang AC AC"))
			task.All = all
			var events []Event
			err := j.Grade(ctx, task, func(e Event) { events = append(events, e) })
			if !errors.Is(err, context.Canceled) {
				t.Errorf("got %v", err)
			}
			want := "begin p [a.sh] [edge/case-0 edge/case-1 edge/case-2 edge/case-3]\n0 built sh \"\"\n0 0 edge/case-0 AC \"\"\n"
			if got := eventLines(events); got != want {
				t.Errorf("got\n%swant the events before the cancellation, and no verdict:\n%s", got, want)
			}
		})
	}
}

// TestDoesNotStart checks that a submission is to blame if its executable, whether submitted or
// compiled, does not start, but not if the interpreter of its script does not start.
func TestDoesNotStart(t *testing.T) {
	t.Parallel()
	image, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	handedIn, err := build.Open(image, "", shell)
	if err != nil {
		t.Fatal(err)
	}
	compiled, err := build.Read("c.exe", "c.exe", strings.NewReader("text"), "", shell)
	if err != nil {
		t.Fatal(err)
	}
	j := newJudge(t, sandboxtest.New(t, func(context.Context, sandboxtest.Run) (sandbox.Result, error) {
		return sandbox.Result{}, &sandbox.StartError{Err: errors.New("exec format error")}
	}), 1, nil)
	events := caseEvents(gradeAll(t, j, newTask(numbered(1), append(submit(t, "AC"), Submission{Source: handedIn}, Submission{Source: compiled}))))
	got := make([]string, 3)
	for _, e := range events {
		got[e.Submission] = fmt.Sprintf("%v %s", e.Verdict, e.Cause)
	}
	want := []string{"JE the judge failed: cannot start: exec format error", "RTE cannot start: exec format error", "RTE cannot start: exec format error"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestUnprepared checks that Grade returns an error with the place of a case whose data cannot be
// loaded.
func TestUnprepared(t *testing.T) {
	t.Parallel()
	seed := uint64(1)
	c := cases.Case{Name: "large/x", Group: "large", Generate: []string{"5"}, Seed: &seed}
	j := newJudge(t, player(t, nil), 1, map[string]string{"reference/p/gen/main.sh": "echo"})
	err := j.Grade(t.Context(), newTask([]cases.Case{c}, submit(t, "AC")), func(Event) {})
	if err == nil || !strings.Contains(err.Error(), "case x: not in the cache") {
		t.Errorf("got %v", err)
	}
}

func TestKeep(t *testing.T) {
	t.Parallel()
	list := numbered(4)
	for _, tt := range []struct {
		why  string
		subs []string
		all  bool
		want map[string]string
	}{
		{"the outputs as they were, right or wrong", []string{"AC PE WA RTE"}, true, map[string]string{
			"edge/case-0.out": "answer 0\n", "edge/case-1.out": "answer 1", "edge/case-2.out": "no idea\n", "edge/case-3.out": "",
		}},
		{"no output of cases that were not judged, in whatever order runs end", []string{"AC WA AC hang"}, false, map[string]string{
			"edge/case-0.out": "answer 0\n", "edge/case-1.out": "no idea\n",
		}},
		{"a folder for each of several submissions", []string{"AC AC AC AC", "WA AC AC AC"}, false, map[string]string{
			"1-a.sh/edge/case-0.out": "answer 0\n", "1-a.sh/edge/case-1.out": "answer 1\n",
			"1-a.sh/edge/case-2.out": "answer 2\n", "1-a.sh/edge/case-3.out": "answer 3\n",
			"2-b.sh/edge/case-0.out": "no idea\n",
		}},
	} {
		synctest.Test(t, func(t *testing.T) {
			// Later runs are faster, so that some beyond the failure come to an end.
			j := newJudge(t, player(t, func(i int) time.Duration { return time.Second / time.Duration(i) }), 4, nil)
			task := newTask(list, submit(t, tt.subs...))
			task.All, task.Keep = tt.all, t.TempDir()
			var told []string
			for _, c := range caseEvents(gradeAll(t, j, task)) {
				told = append(told, c.Kept)
			}
			found := 0
			err := filepath.WalkDir(task.Keep, func(path string, d os.DirEntry, err error) error {
				if err != nil || d.IsDir() {
					return err
				}
				found++
				name, err := filepath.Rel(task.Keep, path)
				if err != nil {
					return err
				}
				text, err := os.ReadFile(path)
				if want, ok := tt.want[filepath.ToSlash(name)]; !ok || string(text) != want {
					t.Errorf("%s: %s holds %q, want %q (%v)", tt.why, name, text, want, ok)
				}
				if !slices.Contains(told, path) {
					t.Errorf("%s: no event reports %s", tt.why, name)
				}
				return err
			})
			if err != nil || found != len(tt.want) || found != len(told) {
				t.Errorf("%s: %d files, %d reported, want %d (%v)", tt.why, found, len(told), len(tt.want), err)
			}
		})
	}
}

func TestKeepNowhere(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	j := newJudge(t, player(t, nil), 1, nil)
	task := newTask(numbered(1), submit(t, "AC"))
	task.Keep = filepath.Join(file, "kept")
	if err := j.Grade(t.Context(), task, func(Event) {}); err == nil || !strings.Contains(err.Error(), "not a directory") {
		t.Errorf("got %v, want the failure", err)
	}
}
