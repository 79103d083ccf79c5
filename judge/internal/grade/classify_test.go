package grade

import (
	"strings"
	"syscall"
	"testing"
	"time"

	"tribunal/judge/internal/casedata"
	"tribunal/judge/internal/content"
	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/run"
	"tribunal/judge/internal/runner"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/verdict"
)

func TestClassify(t *testing.T) {
	t.Parallel()
	l := limits.Limits{CPU: time.Second, Wall: 3 * time.Second, Memory: 64 * limits.MiB, Output: limits.KiB}
	wrong := diff.Compare([]byte("1\n"), []byte("2\n"), diff.Options{})
	blank := diff.Compare([]byte("1\n"), []byte("1 \n"), diff.Options{})
	nothing := diff.Compare([]byte("1\n"), nil, diff.Options{})
	space := diff.Compare([]byte("1\n"), []byte("\n"), diff.Options{})
	ran := func(cpu, wall time.Duration) sandbox.Result { return sandbox.Result{CPU: cpu, Wall: wall} }
	for _, tt := range []struct {
		why    string
		result sandbox.Result
		c      Comparison
		want   verdict.Verdict
		cause  string
	}{
		{"accepted", ran(time.Second, time.Second), Comparison{}, verdict.AC, ""},
		{"usage equal to the limits is allowed", ran(time.Second, 3*time.Second), Comparison{}, verdict.AC, ""},
		{"a right output within the grace period is TLE", ran(time.Second+1, time.Second), Comparison{}, verdict.TLE, "used more CPU time than 1s"},
		{"stopped for CPU", sandbox.Result{Stop: sandbox.OverCPU, CPU: 1300 * time.Millisecond}, Comparison{}, verdict.TLE, "used more CPU time than 1s"},
		{"over the wall limit, but idle", sandbox.Result{Stop: sandbox.OverWall, CPU: 299 * time.Millisecond, Wall: 3 * time.Second}, Comparison{}, verdict.ILE, "took longer than 3s of wall time"},
		{"over the wall limit, and on the CPU for a tenth of the time", sandbox.Result{Stop: sandbox.OverWall, CPU: 300 * time.Millisecond, Wall: 3 * time.Second}, Comparison{}, verdict.TLE, "took longer than 3s of wall time"},
		{"waiting for a CPU does not count", sandbox.Result{CPU: 900 * time.Millisecond, Wall: 12 * time.Second, CPUWait: 9 * time.Second}, Comparison{}, verdict.AC, ""},
		{"waiting for a CPU does not make a program idle", sandbox.Result{Stop: sandbox.OverWall, CPU: 310 * time.Millisecond, Wall: 30 * time.Second, CPUWait: 27 * time.Second}, Comparison{}, verdict.TLE, "took longer than 3s of wall time"},
		{"over the wall limit without being stopped, idle", ran(time.Millisecond, 3*time.Second+1), Comparison{}, verdict.ILE, "took longer than 3s of wall time"},
		{"the CPU limit precedes the wall limit", ran(2*time.Second, 30*time.Second), Comparison{}, verdict.TLE, "CPU time"},
		{"the output limit precedes memory and time", sandbox.Result{Stop: sandbox.OverOutput, CPU: 9 * time.Second}, Comparison{}, verdict.OLE, "wrote more than 1KiB"},
		{"the memory limit precedes time", sandbox.Result{Stop: sandbox.OverMemory, CPU: 9 * time.Second, Signal: sandbox.Signal(syscall.SIGKILL)}, Comparison{}, verdict.MLE, "used more memory than 64MiB"},
		{"a peak at the limit alone is not MLE", sandbox.Result{Memory: 64 * limits.MiB, Stop: sandbox.Signalled, Signal: sandbox.Signal(syscall.SIGKILL)}, Comparison{}, verdict.RTE, "killed by SIGKILL"},
		{"time precedes a crash", sandbox.Result{Stop: sandbox.Signalled, Signal: sandbox.Signal(syscall.SIGSEGV), CPU: 2 * time.Second}, Comparison{}, verdict.TLE, "CPU time"},
		{"a denied call", sandbox.Result{Stop: sandbox.Forbidden, Signal: sandbox.Signal(syscall.SIGSYS)}, Comparison{}, verdict.SV, "denies"},
		{"time precedes a denied call", sandbox.Result{Stop: sandbox.Forbidden, CPU: 2 * time.Second}, Comparison{}, verdict.TLE, "CPU time"},
		{"the cause of a crash names its signal", sandbox.Result{Stop: sandbox.Signalled, Signal: sandbox.Signal(syscall.SIGSEGV)}, Comparison{}, verdict.RTE, "killed by SIGSEGV (segmentation fault)"},
		{"the cause of a bad status names it", sandbox.Result{ExitCode: 3}, Comparison{}, verdict.RTE, "exited with status 3"},
		{"a right output with a bad status is RTE", sandbox.Result{ExitCode: 1}, Comparison{}, verdict.RTE, "status 1"},
		{"the comparison counts only if nothing else is wrong", sandbox.Result{ExitCode: 1}, Comparison{Mismatch: wrong}, verdict.RTE, "status 1"},
		{"other tokens", ran(0, 0), Comparison{Mismatch: wrong}, verdict.WA, "differs from line 1, column 1"},
		{"same tokens", ran(0, 0), Comparison{Mismatch: blank}, verdict.PE, "differs only in whitespace from line 1, column 2"},
		{"no output", ran(0, 0), Comparison{Mismatch: nothing}, verdict.NO, "wrote nothing"},
		{"white space alone is an output", ran(0, 0), Comparison{Mismatch: space}, verdict.WA, "differs from line 1, column 1"},
		{"no output where white space is expected", ran(0, 0), Comparison{Mismatch: diff.Compare([]byte("\n"), nil, diff.Options{})}, verdict.PE, "differs only in whitespace"},
		{"no output where none is expected", ran(0, 0), Comparison{Mismatch: diff.Compare(nil, nil, diff.Options{})}, verdict.AC, ""},
		{"a crash before any output", sandbox.Result{ExitCode: 1}, Comparison{Mismatch: nothing}, verdict.RTE, "status 1"},
		{"a checker accepts empty output", ran(0, 0), Comparison{Mismatch: nothing, Accepted: true}, verdict.AC, ""},
		{"a checker refuses empty output with a message", ran(0, 0), Comparison{Mismatch: nothing, Refused: true, Message: "no words"}, verdict.WA, "the checker says: no words"},
		{"a checker refuses empty output without a message", ran(0, 0), Comparison{Mismatch: nothing, Refused: true}, verdict.WA, "differs from line 1, column 1"},
		{"a checker accepts other bytes", ran(0, 0), Comparison{Mismatch: wrong, Accepted: true}, verdict.AC, ""},
		{"the first line of a checker's message is the cause", ran(0, 0), Comparison{Mismatch: wrong, Message: "case 3: no\nmore"}, verdict.WA, "the checker says: case 3: no"},
		{"a checker cannot save a slow run", ran(2*time.Second, 0), Comparison{Mismatch: wrong, Accepted: true}, verdict.TLE, "CPU"},
		{"a cancelled run has no verdict", sandbox.Result{Stop: sandbox.Cancelled}, Comparison{}, verdict.None, "cancelled"},
	} {
		v, cause := Classify(l, tt.result, tt.c)
		if v != tt.want || !strings.Contains(cause, tt.cause) || (v == verdict.AC) != (cause == "") {
			t.Errorf("%s: got %v %q, want %v with %q", tt.why, v, cause, tt.want, tt.cause)
		}
	}
	if v, _ := Classify(limits.Limits{}, ran(time.Hour, time.Hour), Comparison{}); v != verdict.AC {
		t.Errorf("a zero limit limits nothing, got %v", v)
	}
}

// TestOverOutput compares the part of an output that is within the output limit.
func TestOverOutput(t *testing.T) {
	t.Parallel()
	l := limits.Limits{Output: 4}
	flood := sandbox.Result{Stop: sandbox.OverOutput, Stdout: 5}
	for _, tt := range []struct {
		why    string
		result sandbox.Result
		got    string
		line   int // of the difference; 0 if there is none
	}{
		{"a difference before the limit", flood, "1\n3\n", 2},
		{"the end is expected before the limit", flood, "1\n2\n", 0},
		{"too much on standard error, after a part of the output", sandbox.Result{Stop: sandbox.OverOutput, Stdout: 4, Stderr: 1 << 40}, "1\n3\n", 0},
	} {
		e := &Evaluator{compare: diff.Options{Mode: diff.Exact}}
		data := casedata.Data{Want: content.Of([]byte("1\n2\n3\n"))}
		got, err := e.Evaluate(t.Context(), l, data, run.Outcome{Reply: runner.Reply{Result: tt.result}}, []byte(tt.got))
		if err != nil {
			t.Fatal(err)
		}
		line := 0
		if got.Mismatch != nil {
			line = got.Mismatch.Line
		}
		if got.Verdict != verdict.OLE || line != tt.line {
			t.Errorf("%s: %v, line %d, want line %d", tt.why, got.Verdict, line, tt.line)
		}
	}
}
