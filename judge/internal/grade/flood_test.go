package grade

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/verdict"
)

// floodVariable is set for a test process that runs the judge for TestFlood.
const floodVariable = "TRIBUNAL_TEST_FLOOD"

const floodPeak = 64 * limits.MiB

// TestFlood lets programs write a gigabyte and measures the memory of the judge, in a process of
// its own, so that other tests do not count.
func TestFlood(t *testing.T) {
	if os.Getenv(floodVariable) != "" {
		flooded(t)
		return
	}
	t.Parallel()
	cmd := exec.Command(os.Args[0], "-test.run=^TestFlood$", "-test.v")
	cmd.Env = append(os.Environ(), floodVariable+"=1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	_, text, _ := strings.Cut(string(out), "VmHWM:")
	var peak limits.Bytes
	if _, err := fmt.Sscan(text, &peak); err != nil {
		t.Skipf("not checked: the judge's own memory: %v\n%s", err, out)
	}
	peak *= limits.KiB
	t.Logf("the judge used %s at its peak", peak.Human())
	if peak > floodPeak {
		t.Errorf("the judge used %s, want less than %s whatever programs write", peak.Human(), floodPeak)
	}
}

func flooded(t *testing.T) {
	list := []cases.Case{literal("a", "", "x\n")}
	j := newJudge(t, nil, 2, nil)
	task := newTask(list, submit(t,
		"exec head -c 1073741824 /dev/zero",
		"exec head -c 268435456 /dev/zero >&2",
	))
	task.All, task.Keep = true, t.TempDir()
	task.Limits.CPU, task.Limits.Wall, task.Limits.Output = time.Minute, time.Minute, limits.MiB
	for _, c := range caseEvents(gradeAll(t, j, task)) {
		if c.Verdict != verdict.OLE || len(c.Stderr) > 64<<10 {
			t.Errorf("submission %d: %v %s, %d bytes of standard error, want OLE", c.Submission, c.Verdict, c.Cause, len(c.Stderr))
		}
		info, err := os.Stat(c.Kept)
		if err != nil || limits.Bytes(info.Size()) > task.Limits.Output {
			t.Errorf("submission %d: kept %+v, %v, want at most the limit", c.Submission, info, err)
		}
	}
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Skip(err)
	}
	fmt.Println(string(status))
}
