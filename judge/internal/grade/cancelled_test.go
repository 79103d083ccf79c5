package grade

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tribunal/judge/internal/content"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/sandbox/sandboxtest"
	"tribunal/judge/internal/verdict"
)

// TestCancelledLeavesNothing cancels Grades in the middle of runs. Grade must close all files and
// keep no output that no event has reported, such as that of a run that ended before an earlier
// one.
func TestCancelledLeavesNothing(t *testing.T) {
	t.Parallel()
	for _, checker := range []bool{false, true} {
		ctx, cancel := context.WithCancel(t.Context())
		host := sandboxtest.New(t, func(ctx context.Context, r sandboxtest.Run) (sandbox.Result, error) {
			if r.Spec.Folder.Path != "" {
				return sandbox.Result{ExitCode: problem.ExitRefuses}, nil // the checker
			}
			r.Print("half of an output")
			switch string(r.Input) {
			case "2":
				return sandbox.Result{}, nil
			case "3":
				cancel()
			}
			<-ctx.Done()
			return sandbox.Result{Stop: sandbox.Cancelled}, nil
		})
		j := newJudge(t, host, 2, map[string]string{"reference/p/check/main.sh": "exit 42"})
		task := newTask(list("secret/1", "secret/2", "secret/3"), submit(t, "unread"))
		task.All = true
		if checker {
			task.checked()
		}
		played{"secret/1": {}, "secret/2": {Input: content.Of([]byte("2"))}, "secret/3": {Input: content.Of([]byte("3"))}}.give(task.Cases)
		if !checker {
			task.Keep = t.TempDir()
		}
		if err := j.Grade(ctx, task, func(e Event) {
			if c, ok := e.(*Case); ok && c.Verdict != verdict.None {
				t.Errorf("reported %+v", c)
			}
		}); !errors.Is(err, context.Canceled) {
			t.Fatalf("the error is %v", err)
		}
		if !checker {
			_ = filepath.WalkDir(task.Keep, func(path string, d fs.DirEntry, err error) error {
				if err == nil && !d.IsDir() {
					t.Errorf("%s is kept", path)
				}
				return err
			})
		}
		open, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Skipf("not checked: whether files stay open (%v)", err)
		}
		for _, fd := range open {
			target, _ := os.Readlink("/proc/self/fd/" + fd.Name())
			if strings.HasPrefix(target, filepath.Join(j.Temp, "output-")) || task.Keep != "" && strings.HasPrefix(target, task.Keep) {
				t.Errorf("%s is open", target)
			}
		}
	}
}
