package grade

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/casedata"
	"tribunal/judge/internal/content"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/run"
	"tribunal/judge/internal/runner"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/verdict"
)

// TestInteractive runs programs with validators, both shell scripts.
func TestInteractive(t *testing.T) {
	t.Parallel()
	const asks = `read -r n < "$1"; echo "$n"; read -r m || { echo "no answer" > "$3judgemessage.txt"; exit 43; }; [ "$m" = $((n + 1)) ] && exit 42; echo "$m" > "$3judgemessage.txt"; exit 43`
	for _, tt := range []struct {
		why, program, validator string
		passes                  int
		v                       verdict.Verdict
		cause                   string // what it contains
	}{
		{"right", `read n; echo $((n + 1))`, asks, 1, verdict.AC, ""},
		{"wrong", `read n; echo $n`, asks, 1, verdict.WA, "the checker says: 3"},
		{"the last line of a log is the cause", `read n; echo $n`, `echo 1; read -r m; printf 'thinking of 2\nheard %s\ntoo low\n' "$m" > "$3judgemessage.txt"; exit 43`, 1, verdict.WA, "the checker says: too low"},
		{"no answer", `read n`, asks, 1, verdict.WA, "the checker says: no answer"},
		{"a program that fails first is to blame, although the validator refuses it", `read n; exit 7`, asks, 1, verdict.RTE, "exited with status 7"},
		{"a program that fails after it was refused gets the refusal", `while echo 1; do :; done`, `read -r m; exit 43`, 1, verdict.WA, "wrong, without a message"},
		{"a program that is killed by SIGPIPE after it was refused", `exec yes`, `read -r m; exit 43`, 1, verdict.WA, "wrong, without a message"},
		{"a program that never ends after it was refused is stopped", `while :; do :; done`, `exit 43`, 1, verdict.WA, "wrong, without a message"},
		{"accepted, and then it fails", `read n; echo $((n + 1)); read x; exit 3`, asks, 1, verdict.RTE, "exited with status 3"},
		{"accepted with points, and then it fails", `read n; echo 4; read x; exit 3`, `read -r n <"$1"; echo "$n"; read -r m; echo 0.5 > "$3score_multiplier.txt"; exit 42`, 1, verdict.RTE, "exited with status 3"},
		{"both wait", `read n; read n; echo 1`, asks, 1, verdict.ILE, "the program and the validator waited for each other"},
		{"only the program is idle", `read n; sleep 100`, asks, 1, verdict.ILE, "wall time"},
		{"it computes", `while :; do :; done`, asks, 1, verdict.TLE, ""},
		{"a validator with an unknown exit status", `read n; echo 1`, `echo "no such case" >&2; exit 1`, 1, verdict.JE, "the judge failed: validator: exited with status 1: no such case"},
		{"a validator that crashes", `read n; echo 1`, `echo 1; read -r m; kill -SEGV $$`, 1, verdict.JE, "validator: killed by SIGSEGV"},
		{"a validator that hangs after the program has exited", `echo 1`, `read -r m; sleep 100`, 1, verdict.JE, "validator: took longer than"},
		{"a validator that only sleeps after the program has failed", `exit 7`, `exec sleep 1000`, 1, verdict.RTE, "exited with status 7; the validator did not end"},
		{"a validator that writes to a program that has exited", `exit 0`, `read -r m; line=$(printf %4096s); while echo "$line"; do :; done; kill -PIPE $$`, 1, verdict.WA, "exited before the validator had written everything"},
		{"a validator whose language reports a broken pipe as an error", `exit 0`, `trap "" PIPE; read -r m; line=$(printf %4096s); while echo "$line"; do :; done; echo "echo: Broken pipe" >&2; exit 1`, 1, verdict.WA, "exited before the validator had written everything"},
		{"a validator that accepts, and writes to a program that has exited", `read n; echo $((n + 1))`, `read -r n < "$1"; echo "$n"; read -r m; read -r end; echo bye && exit 42`, 1, verdict.AC, ""},
		{"a validator that reports a broken pipe while the program still reads", `read n; echo 1`, `echo "Broken pipe" >&2; exit 1`, 1, verdict.JE, "validator: exited with status 1: Broken pipe"},
		{"two passes", `read n; echo $((n + 1))`, `[ -e "$3pass" ] && exec 2>&1; touch "$3pass"; read -r n < "$1"; echo "$n"; read -r m; [ "$m" = $((n + 1)) ] || exit 43; [ "$n" = 3 ] && echo 8 > "$3nextpass.in"; exit 42`, 2, verdict.AC, ""},
	} {
		t.Run(tt.why, func(t *testing.T) {
			t.Parallel()
			j := newJudge(t, nil, 1, map[string]string{"reference/p/check/main.sh": tt.validator})
			task := newTask(list("secret/1", "secret/2"), submit(t, tt.program))
			task.All = true
			task.Limits.CPU, task.Limits.Wall = time.Minute, 10*time.Minute
			l := limits.Limits{CPU: time.Minute, Wall: 10 * time.Minute, Memory: limits.GiB, Processes: 64}
			switch { // only what exceeds a time limit has a short one
			case tt.v == verdict.TLE:
				task.Limits.CPU = 200 * time.Millisecond
			case tt.v == verdict.ILE:
				task.Limits.Wall = 2 * time.Second
			case strings.Contains(tt.cause, "took longer"):
				l.Wall = time.Second
			}
			task.Problem.Validator = &problem.Validator{Program: check, Always: true, Interactive: true, Passes: tt.passes, Limits: l}
			f := casedata.Data{Input: content.Of([]byte("3\n")), Want: content.Of([]byte("4\n"))}
			played{"secret/1": f, "secret/2": f}.give(task.Cases)
			for _, c := range caseEvents(gradeAll(t, j, task)) {
				if c.Verdict != tt.v || !strings.Contains(c.Cause, tt.cause) {
					t.Errorf("%s: got %v %q, want %v %q", c.Name, c.Verdict, c.Cause, tt.v, tt.cause)
				}
				if c.Score != nil || c.Multiplier != nil { // no row has points that count
					t.Errorf("%s: it has points: %v %v", c.Name, c.Score, c.Multiplier)
				}
				if tt.v == verdict.WA && c.Result.Stop.String() == "over_cpu" {
					t.Errorf("%s: it ran for %v", c.Name, c.Result.CPU)
				}
			}
		})
	}
}

// TestInteractor runs programs with a testlib interactor, whose output a checker validates.
func TestInteractor(t *testing.T) {
	t.Parallel()
	const (
		asks = `read -r n < "$1"; echo "$n"; read -r m || { echo "no number" >&2; exit 2; }; echo "$m" > "$2"`
		same = `[ "$(cat "$2")" = "$(cat "$3")" ] && exit 0; echo "it is $(cat "$2") for $(cat "$1")" >&2; exit 1`
	)
	for _, tt := range []struct {
		why, program, interactor, checker string // checker is "" for none
		v                                 verdict.Verdict
		cause, score                      string // what the cause contains
	}{
		{"the checker accepts", `read n; echo $((n + 1))`, asks, same, verdict.AC, "", ""},
		{"the checker refuses", `read n; echo $n`, asks, same, verdict.WA, "the checker says: it is 3 for 3", ""},
		{"the interactor refuses, and the checker is not asked", `read n; echo 4`, asks + `; echo no >&2; exit 1`, `exit 0`, verdict.WA, "the checker says: no", ""},
		{"a wrong format", `read n`, asks, same, verdict.PE, "the checker says: no number", ""},
		{"no checker", `read n; echo $n`, asks, "", verdict.AC, "", ""},
		{"nothing written is an empty output", `read n`, `cat "$1"; read -r m; exit 0`, same, verdict.WA, "it is  for 3", ""},
		{"a link is not followed", `read n`, `ln -s "$3" "$2"; cat "$1"; exit 0`, same, verdict.JE, "open feedback/output: not a regular file", ""},
		{"the interactor gets the answer file", `read n; echo 5`, `read -r a < "$3"; [ "$a" = 4 ] && exit 1; exit 0`, same, verdict.WA, "wrong, without a message", ""},
		{"a program that fails gets the verdict of its own end", `read n; echo $((n + 1)); exit 7`, asks, same, verdict.RTE, "exited with status 7", ""},
		{"the interactor's own failure", `read n; echo 4`, `echo "FAIL no test" >&2; exit 3`, same, verdict.JE, "the judge failed: interactor: exited with status 3 (its own failure): FAIL no test", ""},
		{"the checker's failure", `read n; echo 4`, asks, `exit 3`, verdict.JE, "the judge failed: checker: exited with status 3", ""},
		{"points of the checker", `read n; echo 4`, asks, `echo "points 12.5 fine" >&2; exit 7`, verdict.AC, "", "12.5"},
		{"points of the interactor", `read n; echo 4`, asks + `; echo "points 7" >&2; exit 7`, same, verdict.AC, "", "7"},
		{"both wait", `read n; read n`, asks, same, verdict.ILE, "the program and the interactor waited for each other", ""},
	} {
		t.Run(tt.why, func(t *testing.T) {
			t.Parallel()
			j := newJudge(t, nil, 1, map[string]string{"reference/p/brute/main.sh": tt.interactor, "reference/p/check/main.sh": tt.checker})
			task := newTask(list("tests/01", "tests/02"), submit(t, tt.program))
			task.All = true
			task.Limits.CPU, task.Limits.Wall = time.Minute, 10*time.Minute
			if tt.v == verdict.ILE {
				task.Limits.Wall = 2 * time.Second
			}
			v := problem.Validator{Protocol: problem.Testlib, Always: true, Limits: limits.Limits{CPU: 20 * time.Second, Wall: time.Minute, Memory: limits.GiB, Processes: 64}}
			interactor := v
			interactor.Program, interactor.Interactive = "reference/p/brute", true
			if tt.checker != "" {
				v.Program, interactor.Then = check, &v
			}
			task.Problem.Validator = &interactor
			f := casedata.Data{Input: content.Of([]byte("3\n")), Want: content.Of([]byte("4\n"))}
			played{"tests/01": f, "tests/02": f}.give(task.Cases)
			for _, c := range caseEvents(gradeAll(t, j, task)) {
				score := ""
				if c.Score != nil {
					score = fmt.Sprint(*c.Score)
				}
				if c.Verdict != tt.v || !strings.Contains(c.Cause, tt.cause) || score != tt.score {
					t.Errorf("%s: got %v %q score %q, want %v %q %q", c.Name, c.Verdict, c.Cause, score, tt.v, tt.cause, tt.score)
				}
			}
		})
	}
}

// TestCannotStart checks that a compiled submission that cannot start is RTE, and a validator that
// cannot start is JE.
func TestCannotStart(t *testing.T) {
	t.Parallel()
	start := &sandbox.StartError{Err: errors.New("no such interpreter")}
	exe, err := build.Read("a.exe", "a.exe", strings.NewReader("text"), "", shell)
	if err != nil {
		t.Fatal(err)
	}
	program, err := newJudge(t, nil, 1, nil).Builder.Build(t.Context(), exe)
	if err != nil {
		t.Fatal(err)
	}
	defer program.Close()
	a := &attempt{examination: &examination{sub: &submission{program: program}}}
	for err, want := range map[error]verdict.Verdict{start: verdict.RTE, &runner.InteractorError{Err: start}: verdict.JE} {
		if r, _ := a.judgeRun(t.Context(), run.Outcome{Err: err}, nil); r.event.Verdict != want {
			t.Errorf("%v: got %v %q, want %v", err, r.event.Verdict, r.event.Cause, want)
		}
	}
}

// TestInteractionNotStarted judges an interaction that was cancelled before it got its CPUs: it has
// an outcome, but no interactor's part.
func TestInteractionNotStarted(t *testing.T) {
	t.Parallel()
	c := &checker{validator: problem.Validator{Protocol: problem.Testlib}}
	o := run.Outcome{Reply: runner.Reply{Result: sandbox.Result{Stop: sandbox.Cancelled}}}
	if got, err := c.judgeInteraction(t.Context(), interaction{outcome: o}); err != nil || got.Verdict != verdict.None {
		t.Errorf("got %+v, %v", got, err)
	}
}

// TestInteractionUntimed checks when a program that exceeded its time limit would have been accepted
// without it.
func TestInteractionUntimed(t *testing.T) {
	t.Parallel()
	accepts, refuses := sandbox.Result{ExitCode: problem.ExitAccepts}, sandbox.Result{ExitCode: problem.ExitRefuses}
	const slow, fast = 2 * time.Second, time.Second
	for _, tt := range []struct {
		why        string
		program    sandbox.Result
		interactor sandbox.Result
		v, untimed verdict.Verdict
	}{
		{"in time", sandbox.Result{CPU: fast}, accepts, verdict.AC, verdict.None},
		{"too slow, and accepted", sandbox.Result{CPU: slow}, accepts, verdict.TLE, verdict.AC},
		{"too slow, and refused", sandbox.Result{CPU: slow}, refuses, verdict.TLE, verdict.None},
		{"too slow, and stopped", sandbox.Result{CPU: slow, Stop: sandbox.OverCPU}, accepts, verdict.TLE, verdict.None},
		{"too slow, and failed", sandbox.Result{CPU: slow, ExitCode: 1}, accepts, verdict.TLE, verdict.None},
		{"too slow, and the interactor was stopped", sandbox.Result{CPU: slow}, sandbox.Result{ExitCode: problem.ExitAccepts, Stop: sandbox.OverWall}, verdict.TLE, verdict.None},
		{"failed in time", sandbox.Result{CPU: fast, ExitCode: 1}, accepts, verdict.RTE, verdict.None},
	} {
		o := run.Outcome{Reply: runner.Reply{Result: tt.program, Interaction: &runner.Interaction{Interactor: tt.interactor, First: runner.SubmissionSide}}}
		got, err := (&checker{}).judgeExits(interaction{limits: limits.Limits{CPU: fast}, outcome: o})
		if err != nil || got.Verdict != tt.v || got.Untimed != tt.untimed {
			t.Errorf("%s: got %v, untimed %v, %v, want %v, %v", tt.why, got.Verdict, got.Untimed, err, tt.v, tt.untimed)
		}
	}
}

// TestInteractiveMemo judges each program three times, with an interactor that is another the third
// time.
func TestInteractiveMemo(t *testing.T) {
	t.Parallel()
	const asks = `read -r n < "$1"; echo "$n"; read -r m || exit 43; echo "got $m" > "$3judgemessage.txt"; [ "$m" = $((n + 1)) ] && exit 42; exit 43`
	for _, tt := range []struct {
		why, program, validator string
		v                       verdict.Verdict
		cached                  bool
	}{
		{"accepted", `read n; echo $((n + 1))`, asks, verdict.AC, true},
		{"refused, with a message", `read n; echo $n`, asks, verdict.WA, true},
		{"a program that fails alone", `read n; echo $((n + 1)); read x; exit 3`, asks, verdict.RTE, true},
		{"stopped, because the interactor decided", `while :; do :; done`, `exit 43`, verdict.WA, true},
		{"both fail, and the first decides", `read n; exit 7`, asks, verdict.RTE, false},
		{"the interactor fails", `read n; echo 1`, `exit 1`, verdict.JE, false},
	} {
		t.Run(tt.why, func(t *testing.T) {
			t.Parallel()
			var first string
			memo := withMemo(newJudge(t, nil, 1, nil)).Memo
			for i, validator := range []string{tt.validator, tt.validator, tt.validator + "\n"} {
				j := newJudge(t, nil, 1, map[string]string{"reference/p/check/main.sh": validator})
				j.Memo = memo
				task := newTask(list("secret/1"), submit(t, tt.program))
				task.Limits.CPU, task.Limits.Wall = time.Minute, 10*time.Minute
				task.Problem.Validator = &problem.Validator{Program: check, Always: true, Interactive: true, Passes: 1, Limits: limits.Validator}
				played{"secret/1": {Input: content.Of([]byte("3\n")), Want: content.Of([]byte("4\n"))}}.give(task.Cases)
				events := gradeAll(t, j, task)
				c := caseEvents(events)[0]
				if got := fmt.Sprint(c.Verdict, c.Cause, c.Message); i == 0 {
					first = got
				} else if got != first {
					t.Errorf("run %d: %s, the first time %s", i, got, first)
				}
				if want := i == 1 && tt.cached; c.Verdict != tt.v || c.Cached != want {
					t.Errorf("run %d: %v (%s), cached %v; want %v, cached %v", i, c.Verdict, c.Cause, c.Cached, tt.v, want)
				}
			}
		})
	}
}
