package run

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"tribunal/judge/internal/content"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/runner"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/sandbox/sandboxtest"
)

// TestMemoCopies checks that the memo returns the files that a program left, that it distinguishes
// runs by the files that the program got, and that it records no run with files that it cannot keep.
func TestMemoCopies(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		why         string
		out         []runner.CopyOut
		other, fail bool // the second run gets another file, the first one crashes
		runs        int  // after which the third run has ended
	}{
		{"files, of which one is missing", []runner.CopyOut{{Name: "left", Most: 9}, {Name: "none", Most: 9}}, false, false, 1},
		{"a program that crashed leaves no files", []runner.CopyOut{{Name: "left", Most: 9}}, false, true, 1},
		{"the second run gets another file", []runner.CopyOut{{Name: "left", Most: 9}}, true, false, 2},
		{"a folder is not recorded", []runner.CopyOut{{Name: ".", Most: 99, Files: 9}}, false, false, 3},
		{"a large file is not recorded", []runner.CopyOut{{Name: "large", Most: 4 * limits.MiB}}, false, false, 3},
		{"a file that cannot be copied is not recorded", []runner.CopyOut{{Name: "folder", Most: 9}}, false, false, 3},
	} {
		host := sandboxtest.New(t, func(_ context.Context, r sandboxtest.Run) (sandbox.Result, error) {
			for name, size := range map[string]int{"left": 5, "large": maxOutput + 1} {
				if err := os.WriteFile(filepath.Join(r.Dir, name), bytes.Repeat([]byte("x"), size), 0o600); err != nil {
					return sandbox.Result{}, err
				}
			}
			if err := os.MkdirAll(filepath.Join(r.Dir, "folder"), 0o700); err != nil {
				return sandbox.Result{}, err
			}
			if test.fail {
				return sandbox.Result{Stop: sandbox.Signalled, Signal: sandbox.Signal(syscall.SIGSEGV)}, nil
			}
			return sandbox.Result{}, nil
		})
		p, memo := newPool(t, host, 1), newMemo(t, t.TempDir())
		job := Job{Program: programs(t, 1)[0], Limits: memoLimits, Folder: sandbox.Folder{Path: "/check", Size: 8 * limits.MiB, Mode: 0o755}, Out: test.out}
		var want, got string
		for i := range 3 {
			job.In = []runner.File{{Name: "given", Mode: 0o444}}
			if test.other && i > 0 {
				job.In[0].Content = content.Of([]byte("1\n"))
			}
			o := p.Recall(t.Context(), job, memo)
			if o.Err != nil {
				t.Fatalf("%s: %v", test.why, o.Err)
			}
			var left strings.Builder
			for _, out := range test.out {
				text, err := o.Copies.Get(out.Name).Content.Bytes()
				fmt.Fprintf(&left, "%d bytes, %v, missing: %v; ", len(text), err, errors.Is(o.Copies.Get(out.Name).Err, fs.ErrNotExist))
			}
			if want, got = got, left.String(); i > 0 && got != want {
				t.Errorf("%s: run %d left %s, want %s", test.why, i+1, got, want)
			}
			if err := o.Copies.Close(); err != nil {
				t.Fatal(err)
			}
		}
		if host.Runs() != test.runs {
			t.Errorf("%s: %d runs, want %d", test.why, host.Runs(), test.runs)
		}
	}
}

// TestTalkOf checks which interactions are recorded: those that another run would repeat.
func TestTalkOf(t *testing.T) {
	t.Parallel()
	answers := &Interactor{Answers: []int{42, 43}, Out: []runner.CopyOut{{Name: "left"}, {Name: "none"}}}
	failed, refuses := sandbox.Result{ExitCode: 1}, sandbox.Result{ExitCode: 43}
	for _, tt := range []struct {
		why                 string
		program, interactor sandbox.Result
		first               runner.Side
		left                int // size of the file that the interactor left
		want                bool
	}{
		{"an answer", sandbox.Result{}, refuses, runner.InteractorSide, 5, true},
		{"an answer after the program has failed", failed, refuses, runner.SubmissionSide, 5, true},
		{"no answer", sandbox.Result{}, failed, runner.SubmissionSide, 5, false},
		{"no answer, although the program fails later", failed, failed, runner.InteractorSide, 5, false},
		{"no answer, because the program has failed", failed, failed, runner.SubmissionSide, 5, true},
		{"killed with the status of an answer", sandbox.Result{}, sandbox.Result{ExitCode: 43, Stop: sandbox.OverWall}, runner.InteractorSide, 5, false},
		{"a large file is not recorded", sandbox.Result{}, refuses, runner.InteractorSide, maxOutput + 1, false},
	} {
		o := Outcome{Reply: runner.Reply{Result: tt.program, Interaction: &runner.Interaction{Interactor: tt.interactor, First: tt.first}}}
		o.Interaction.Copies.Put("left", runner.Copy{Content: content.Of(make([]byte, tt.left))})
		got := talkOf(o, answers)
		if (got != nil) != tt.want || got != nil && (got.Interactor != tt.interactor || got.First != tt.first || len(got.Left) != 1 || len(got.Left["left"]) != tt.left) {
			t.Errorf("%s: got %+v, want it recorded: %v", tt.why, got, tt.want)
		}
	}
}
