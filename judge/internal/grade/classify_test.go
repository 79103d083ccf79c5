package grade

import (
	"strings"
	"syscall"
	"testing"
	"time"

	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/limits"
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
		{"all is well", ran(time.Second, time.Second), Comparison{}, verdict.AC, ""},
		{"exactly at the limits is within them", ran(time.Second, 3*time.Second), Comparison{}, verdict.AC, ""},
		{"a right answer inside the grace period is TLE", ran(time.Second+1, time.Second), Comparison{}, verdict.TLE, "used more CPU time than 1s"},
		{"stopped for CPU", sandbox.Result{Stop: sandbox.OverCPU, CPU: 1300 * time.Millisecond}, Comparison{}, verdict.TLE, "used more CPU time than 1s"},
		{"slow but idle", sandbox.Result{Stop: sandbox.OverWall, CPU: 299 * time.Millisecond, Wall: 3 * time.Second}, Comparison{}, verdict.ILE, "took longer than 3s of wall time"},
		{"slow and at work for a tenth of it", sandbox.Result{Stop: sandbox.OverWall, CPU: 300 * time.Millisecond, Wall: 3 * time.Second}, Comparison{}, verdict.TLE, "took longer than 3s of wall time"},
		{"what it waited for a CPU does not count", sandbox.Result{CPU: 900 * time.Millisecond, Wall: 12 * time.Second, CPUWait: 9 * time.Second}, Comparison{}, verdict.AC, ""},
		{"nor does it make a program idle", sandbox.Result{Stop: sandbox.OverWall, CPU: 310 * time.Millisecond, Wall: 30 * time.Second, CPUWait: 27 * time.Second}, Comparison{}, verdict.TLE, "took longer than 3s of wall time"},
		{"over wall without being stopped, idle", ran(time.Millisecond, 3*time.Second+1), Comparison{}, verdict.ILE, "took longer than 3s of wall time"},
		{"CPU wins over wall", ran(2*time.Second, 30*time.Second), Comparison{}, verdict.TLE, "CPU time"},
		{"output wins over memory and time", sandbox.Result{Stop: sandbox.OverOutput, CPU: 9 * time.Second}, Comparison{}, verdict.OLE, "wrote more than 1KiB"},
		{"memory wins over time", sandbox.Result{Stop: sandbox.OverMemory, CPU: 9 * time.Second, Signal: sandbox.Signal(syscall.SIGKILL)}, Comparison{}, verdict.MLE, "used more memory than 64MiB"},
		{"a peak at the limit alone is not MLE", sandbox.Result{Memory: 64 * limits.MiB, Stop: sandbox.Signalled, Signal: sandbox.Signal(syscall.SIGKILL)}, Comparison{}, verdict.RTE, "killed by SIGKILL"},
		{"time wins over a crash", sandbox.Result{Stop: sandbox.Signalled, Signal: sandbox.Signal(syscall.SIGSEGV), CPU: 2 * time.Second}, Comparison{}, verdict.TLE, "CPU time"},
		{"a denied call", sandbox.Result{Stop: sandbox.Forbidden, Signal: sandbox.Signal(syscall.SIGSYS)}, Comparison{}, verdict.SV, "denies"},
		{"time wins over a denied call", sandbox.Result{Stop: sandbox.Forbidden, CPU: 2 * time.Second}, Comparison{}, verdict.TLE, "CPU time"},
		{"a crash is told with its signal", sandbox.Result{Stop: sandbox.Signalled, Signal: sandbox.Signal(syscall.SIGSEGV)}, Comparison{}, verdict.RTE, "killed by SIGSEGV (segmentation fault)"},
		{"a status is told with its number", sandbox.Result{ExitCode: 3}, Comparison{}, verdict.RTE, "exited with status 3"},
		{"a right answer with a bad status is RTE", sandbox.Result{ExitCode: 1}, Comparison{}, verdict.RTE, "status 1"},
		{"the comparison counts only when all else is well", sandbox.Result{ExitCode: 1}, Comparison{Mismatch: wrong}, verdict.RTE, "status 1"},
		{"other tokens", ran(0, 0), Comparison{Mismatch: wrong}, verdict.WA, "differs from line 1, column 1"},
		{"same tokens", ran(0, 0), Comparison{Mismatch: blank}, verdict.PE, "differs only in whitespace from line 1, column 2"},
		{"nothing at all", ran(0, 0), Comparison{Mismatch: nothing}, verdict.NO, "wrote nothing"},
		{"nothing but white space is an answer", ran(0, 0), Comparison{Mismatch: space}, verdict.WA, "differs from line 1, column 1"},
		{"nothing where white space is wanted", ran(0, 0), Comparison{Mismatch: diff.Compare([]byte("\n"), nil, diff.Options{})}, verdict.PE, "differs only in whitespace"},
		{"nothing where nothing is wanted", ran(0, 0), Comparison{Mismatch: diff.Compare(nil, nil, diff.Options{})}, verdict.AC, ""},
		{"a crash before the first byte", sandbox.Result{ExitCode: 1}, Comparison{Mismatch: nothing}, verdict.RTE, "status 1"},
		{"a checker accepts nothing", ran(0, 0), Comparison{Mismatch: nothing, Accepted: true}, verdict.AC, ""},
		{"a checker's refusal of nothing is its own", ran(0, 0), Comparison{Mismatch: nothing, Refused: true, Message: "no words"}, verdict.WA, "the checker says: no words"},
		{"even if it says nothing either", ran(0, 0), Comparison{Mismatch: nothing, Refused: true}, verdict.WA, "differs from line 1, column 1"},
		{"a checker accepts other bytes", ran(0, 0), Comparison{Mismatch: wrong, Accepted: true}, verdict.AC, ""},
		{"a checker's words are the cause", ran(0, 0), Comparison{Mismatch: wrong, Message: "case 3: no\nmore"}, verdict.WA, "the checker says: case 3: no"},
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
