package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"tribunal/judge/cli"
	"tribunal/judge/cli/scripttest"
	"tribunal/judge/internal/cache/cachetest"
	"tribunal/judge/internal/config"
	"tribunal/judge/internal/sandbox"
)

// TestEndWhileOpening ends commands early, while their sandbox may still be opening, and checks that
// they leave no process, no control group and no temporary file. Processes that the judge has not
// waited for become children of this process. So the test is not parallel.
func TestEndWhileOpening(t *testing.T) {
	program, err := exec.LookPath("judge") // TestMain puts it on PATH
	if err != nil {
		t.Fatal(err)
	}
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0) }()
	root, bad := t.TempDir(), t.TempDir()
	for _, dir := range []string{root, bad} {
		if err := scripttest.CopyMissing(dir, filepath.Join("testdata", "repo")); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(bad, config.File), []byte("sandbox: {mode: none}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		why       string
		root      string
		args      []string
		interrupt bool // as soon as the sandbox has begun to open; the command then waits for standard input
		want      int
		message   string
	}{
		{"no such problem", root, []string{"grade", "summ", "sum.c"}, false, cli.ExitUsage, "summ"},
		{"no such submission", root, []string{"grade", "sum", "gone.c"}, false, cli.ExitUsage, "gone.c"},
		{"no such package", root, []string{"grade", "./gone", "sum.c"}, false, cli.ExitUsage, "gone"},
		{"a wrong configuration", bad, []string{"grade", "sum", "sum.c"}, false, cli.ExitUsage, "runner.yaml:1"},
		{"an interrupt", root, []string{"grade", "sum", "--lang", "c", "-"}, true, cli.ExitInterrupted, "interrupted"},
	} {
		temp, before := t.TempDir(), childrenOf(t)
		r, w, err := os.Pipe() // its end never comes before the interrupt
		if err != nil {
			t.Fatal(err)
		}
		var stderr strings.Builder
		cmd := exec.Command(program, tt.args...)
		cmd.Dir, cmd.Stdin, cmd.Stderr = tt.root, r, &stderr
		cmd.Env = append(os.Environ(), config.CacheVariable+"="+cachetest.Dir(t), "TMPDIR="+temp)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		for tt.interrupt {
			if list, _ := os.ReadDir(temp); len(list) > 0 {
				_ = cmd.Process.Signal(os.Interrupt)
				break
			}
		}
		_ = cmd.Wait()
		r.Close()
		w.Close()
		if got := cmd.ProcessState.ExitCode(); got != tt.want || !strings.Contains(stderr.String(), tt.message) {
			t.Errorf("%s: exited with status %d, want %d, and wrote %q", tt.why, got, tt.want, &stderr)
		}
		if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
			t.Errorf("%s: temporary files left: %v, %v", tt.why, left, err)
		}
		if after := childrenOf(t); !slices.Equal(after, before) {
			t.Errorf("%s: processes left: %v, before there were %v", tt.why, after, before)
		}
		folders, err := sandbox.CgroupFolders()
		if err != nil {
			t.Fatal(err)
		}
		for _, dir := range folders {
			if left, _ := filepath.Glob(filepath.Join(dir, fmt.Sprintf("tribunal-%d.*", cmd.Process.Pid))); len(left) > 0 {
				t.Errorf("%s: control groups left: %v", tt.why, left)
			}
		}
	}
}

// childrenOf returns the children of this process, also those that have ended, in ascending order.
func childrenOf(t *testing.T) (list []int) {
	t.Helper()
	files, err := filepath.Glob("/proc/self/task/*/children")
	if err != nil || len(files) == 0 {
		t.Skip("not checked: this kernel does not list the children of a process")
	}
	for _, file := range files {
		text, _ := os.ReadFile(file)
		for word := range strings.FieldsSeq(string(text)) {
			if n, err := strconv.Atoi(word); err == nil {
				list = append(list, n)
			}
		}
	}
	slices.Sort(list)
	return list
}
