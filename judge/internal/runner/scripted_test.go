package runner_test

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/runner"
	"tribunal/judge/internal/runner/runnertest"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/sandbox/sandboxtest"
)

// TestScripted runs the conformance suite on a runner with scripted programs, because tests that
// use scripts should see what they would see with real programs.
func TestScripted(t *testing.T) {
	t.Parallel()
	local := runner.NewLocal(sandboxtest.New(t, act), 2)
	defer local.Close()
	runnertest.Suite(t, runnertest.Subject{Runner: local, Scripted: true})
}

// act plays the suite's actor.
func act(ctx context.Context, r sandboxtest.Run) (res sandbox.Result, err error) {
	stdout, stderr := io.Discard, io.Discard
	if r.Stdout != nil {
		stdout = r.Stdout
	}
	if r.Command.Stderr != nil {
		stderr = r.Command.Stderr
	}
	print := func(text string) {
		left := int64(r.Limits.Output) - res.Stdout
		if res.Stdout += int64(len(text)); r.Limits.Output > 0 && int64(len(text)) > left {
			text, res.Stop = text[:max(left, 0)], sandbox.OverOutput
		}
		_, _ = io.WriteString(stdout, text)
	}
	place := func(name string) string { return filepath.Join(r.Dir, strings.TrimPrefix(name, r.Spec.Folder.Path)) }
	if r.Dir != "" {
		for _, f := range r.FolderFiles {
			if err = put(place(f.Name), f); err != nil {
				return res, err
			}
		}
	}
	for words := r.Args[1:]; len(words) > 1 && err == nil && res.Stop == sandbox.Exited; words = words[2:] {
		about := words[1]
		n, _ := strconv.Atoi(about)
		switch words[0] {
		case "exit":
			res.ExitCode = n
			return res, nil
		case "raise":
			res.Stop, res.Signal = sandbox.Signalled, sandbox.Signal(n)
		case "burn":
			if res.CPU = time.Duration(n) * time.Millisecond; r.Limits.CPU > 0 && res.CPU > r.Limits.CPU {
				res.Stop = sandbox.OverCPU
			}
		case "touch":
			if res.Memory = limits.Bytes(n) * limits.MiB; r.Limits.Memory > 0 && res.Memory > r.Limits.Memory {
				res.Stop = sandbox.OverMemory
			}
		case "sleep":
			if res.Stop = sandbox.OverWall; r.Limits.Wall == 0 || r.Limits.Wall > time.Second {
				<-ctx.Done()
				res.Stop = sandbox.Cancelled
			}
		case "print":
			print(about)
		case "many":
			print(strings.Repeat("x", min(n, 1<<20)))
		case "err":
			_, err = io.WriteString(stderr, about)
		case "errs":
			_, err = io.WriteString(stderr, strings.Repeat("x", n))
		case "env":
			value := "unset"
			for _, setting := range r.Env {
				if text, ok := strings.CutPrefix(setting, about+"="); ok {
					value = text
				}
			}
			print(value)
		case "cat":
			text, started := r.Files[about]
			switch {
			case about == "/dev/stdin":
				text = r.Input
			case !started:
				text, err = os.ReadFile(place(about))
			}
			print(string(text))
		case "save":
			err = os.WriteFile(place(about), r.Input, 0o644)
		case "link":
			err = os.Symlink("/etc/passwd", place(about))
		case "there":
			if _, err := os.Lstat(place(about)); err != nil && r.Files[about] == nil {
				print("no")
			} else {
				print("yes")
			}
		}
	}
	return res, err
}

// put creates a file that a run is given in its folder.
func put(path string, f sandbox.File) error {
	if f.Mode.IsDir() {
		return os.Mkdir(path, f.Mode.Perm())
	}
	data, err := io.ReadAll(f.From())
	if err != nil {
		return err
	}
	return os.WriteFile(path, data, f.Mode.Perm())
}
