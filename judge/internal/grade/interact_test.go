package grade

import (
	"errors"
	"strings"
	"testing"
	"time"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/fixture"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/run"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/verdict"
)

// TestInteractive has programs talk to validators, both of them shell scripts.
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
		{"no answer", `read n`, asks, 1, verdict.WA, "the checker says: no answer"},
		{"a program that fails is to blame for what the validator misses", `read n; exit 7`, asks, 1, verdict.RTE, "ended with status 7"},
		{"one that fails after it was found wrong is not", `while echo 1; do :; done`, `read -r m; exit 43`, 1, verdict.WA, "wrong, without a message"},
		{"one that is killed by a pipe that nobody reads, neither", `exec yes`, `read -r m; exit 43`, 1, verdict.WA, "wrong, without a message"},
		{"found right, and then it fails by itself", `read n; echo $((n + 1)); read x; exit 3`, asks, 1, verdict.RTE, "ended with status 3"},
		{"both wait", `read n; read n; echo 1`, asks, 1, verdict.ILE, "it and the validator waited for each other"},
		{"it alone is idle", `read n; sleep 100`, asks, 1, verdict.ILE, "wall time"},
		{"it computes", `while :; do :; done`, asks, 1, verdict.TLE, ""},
		{"a validator that answers nothing known", `read n; echo 1`, `echo "no such case" >&2; exit 1`, 1, verdict.JE, "the judge failed: validator: ended with status 1: no such case"},
		{"a validator that crashes", `read n; echo 1`, `echo 1; read -r m; kill -SEGV $$`, 1, verdict.JE, "validator: killed by SIGSEGV"},
		{"a validator that hangs when all is said", `echo 1`, `read -r m; sleep 100`, 1, verdict.JE, "validator: took longer than"},
		{"a validator that writes to a program that has ended", `exit 0`, `read -r m; while echo 1; do :; done; kill -PIPE $$`, 1, verdict.WA, "ended before the validator had said all"},
		{"two passes", `read n; echo $((n + 1))`, `[ -e "$3pass" ] && exec 2>&1; touch "$3pass"; read -r n < "$1"; echo "$n"; read -r m; [ "$m" = $((n + 1)) ] || exit 43; [ "$n" = 3 ] && echo 8 > "$3nextpass.in"; exit 42`, 2, verdict.AC, ""},
	} {
		t.Run(tt.why, func(t *testing.T) {
			t.Parallel()
			j := newJudge(t, nil, 1, map[string]string{"reference/p/check/main.sh": tt.validator})
			program, err := j.Fixtures.Program(t.Context(), j.Fixtures.Checker())
			if err != nil {
				t.Fatal(err)
			}
			task := newTask(list("secret/1", "secret/2"), submit(t, tt.program))
			task.All = true
			task.Limits.CPU, task.Limits.Wall = time.Second, time.Minute
			l := limits.Limits{CPU: 20 * time.Second, Wall: time.Minute, Memory: limits.GiB, Processes: 64}
			switch tt.v { // of these it is the time that decides
			case verdict.ILE:
				task.Limits.Wall = 2 * time.Second
			case verdict.JE:
				l.Wall = time.Second
			}
			task.Validator = &Validator{
				Program: program, Always: true, Interactive: true, Passes: tt.passes, Limits: l,
			}
			f := fixture.Fixture{Input: []byte("3\n"), Want: []byte("4\n")}
			task.Data = played{"secret/1": f, "secret/2": f}
			for _, c := range caseEvents(gradeAll(t, j, task)) {
				if c.Verdict != tt.v || !strings.Contains(c.Cause, tt.cause) {
					t.Errorf("%s: got %v %q, want %v %q", c.Name, c.Verdict, c.Cause, tt.v, tt.cause)
				}
			}
		})
	}
}

// TestCannotStart tells a submitted executable that cannot start from a validator that
// cannot.
func TestCannotStart(t *testing.T) {
	t.Parallel()
	start := &sandbox.StartError{Err: errors.New("no such interpreter")}
	s := &submission{program: &build.Program{Language: build.Binary}}
	for err, want := range map[error]verdict.Verdict{start: verdict.RTE, &run.PartnerError{Err: start}: verdict.JE} {
		if v, c := new(grading).judgeCase(t.Context(), s, &attempt{}, run.Outcome{Err: err}); v != want {
			t.Errorf("%v: got %v %q, want %v", err, v, c.Cause, want)
		}
	}
}
