//go:build linux

package doctor

import (
	"os"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"tribunal/judge/internal/sandbox"
)

func TestJudge(t *testing.T) {
	t.Parallel()
	const report = "ready\n\noutcome {\"broke\":false,\"seen\":\"EPERM\"}\n"
	a := &attack{stops: []sandbox.StopReason{sandbox.OverMemory}}
	for _, tt := range []struct {
		why    string
		result sandbox.Result
		stdout string
		want   outcome
	}{
		{"the attacker reports that the jail holds", sandbox.Result{}, report, held("EPERM")},
		{"the attacker reports that it broke the jail", sandbox.Result{}, strings.Replace(report, "false", "true", 1), broke("EPERM")},
		{"a report after other output", sandbox.Result{}, "ready\nx outcome {}" + report[6:], held("EPERM")},
		{"killed by the filter during its attack", sandbox.Result{Stop: sandbox.Forbidden}, "ready\n", held("denied")},
		{"killed by the filter before its attack", sandbox.Result{Stop: sandbox.Forbidden}, "", broke("forbidden")},
		{"the limit that it attacks", sandbox.Result{Stop: sandbox.OverMemory}, "ready\n", held("over_memory")},
		{"another limit", sandbox.Result{Stop: sandbox.OverWall}, "ready\n", broke("over_wall")},
		{"no report", sandbox.Result{}, "ready\n", broke("the attack exited with status 0")},
		{"a report, but status 2", sandbox.Result{ExitCode: 2}, report, broke("the attack exited with status 2")},
		{"a report, but a crash", sandbox.Result{Stop: sandbox.Signalled, Signal: sandbox.Signal(syscall.SIGSEGV)}, report, broke("the attack died of SIGSEGV")},
	} {
		if got := a.judge(tt.result, []byte(tt.stdout)); got != tt.want {
			t.Errorf("%s: got %+v, want %+v", tt.why, got, tt.want)
		}
	}
}

func TestRefused(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why      string
		err      error
		refusals []unix.Errno
		want     outcome
	}{
		{"the call succeeded", nil, nil, broke("allowed")},
		{"the right is missing", unix.EPERM, nil, held("EPERM")},
		{"the kernel lacks the call", unix.ENOSYS, nil, held("ENOSYS")},
		{"the kernel examined the arguments", unix.EINVAL, nil, broke("reached the kernel: EINVAL")},
		{"an error that is a refusal for this call", unix.ESRCH, []unix.Errno{unix.ESRCH}, held("ESRCH")},
		{"a wrapped error", &os.PathError{Op: "open", Path: "/", Err: unix.EROFS}, nil, held("EROFS")},
	} {
		if got := refused(tt.err, tt.refusals...); got != tt.want {
			t.Errorf("%s: got %+v, want %+v", tt.why, got, tt.want)
		}
	}
}

// TestPayloadNames checks that no payload hides another of the same name.
func TestPayloadNames(t *testing.T) {
	t.Parallel()
	if got, want := len(folderPayloads()), 2+len(leftovers); got != want {
		t.Errorf("%d payloads of folders, want %d", got, want)
	}
	want := len(lastingPayloads()) + len(folderPayloads())
	for _, a := range attacks() {
		if a.do != nil {
			want++
		}
	}
	if got := len(payloads()); got != want {
		t.Errorf("%d payloads have names of their own, want %d", got, want)
	}
}
