package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"tribunal/internal/tier"
	"tribunal/judge/cli"
	"tribunal/judge/cli/scripttest"
	"tribunal/judge/internal/cache/cachetest"
	"tribunal/judge/internal/config"
)

// TestNoReader runs commands whose standard output or error is a pipe without a reader, like judge
// … | head -1 after head has exited.
func TestNoReader(t *testing.T) {
	t.Parallel()
	tier.Needs(t, "output without a reader", "gcc")
	program, err := exec.LookPath("judge") // TestMain puts it on PATH
	if err != nil {
		t.Fatal(err)
	}
	root := t.TempDir()
	if err := scripttest.CopyMissing(root, filepath.Join("testdata", "repo")); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		why    string
		args   []string
		stderr bool // standard error has no reader, instead of standard output
		want   int
	}{
		{"a report", []string{"grade", "sum", "sum.c", "--all"}, false, cli.ExitGone},
		{"verdicts only", []string{"grade", "sum", "sum.c", "-q"}, false, cli.ExitGone},
		{"a document", []string{"grade", "sum", "sum.c", "--json"}, false, cli.ExitGone},
		{"a report beside one in a file, which gets the error", []string{"grade", "sum", "sum.c", "--report", "json=out.json"}, false, cli.ExitGone},
		{"a statement", []string{"show", "sum"}, false, cli.ExitGone},
		{"the help of cobra", []string{"--help"}, false, cli.ExitGone},
		{"data", []string{"schema", "problem"}, false, cli.ExitGone},
		{"an error that cannot be printed still sets the exit status", []string{"grade", "sum", "gone.c"}, true, cli.ExitUsage},
		{"no output to the pipe", []string{"grade", "sum", "sum.c", "-q"}, true, cli.ExitOK},
	} {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		r.Close()
		temp := t.TempDir()
		var other bytes.Buffer
		cmd := exec.Command(program, tt.args...)
		cmd.Dir = root
		cmd.Env = append(os.Environ(), config.CacheVariable+"="+cachetest.Dir(t), "TMPDIR="+temp, "TRIBUNAL_FRESH=1") // else nothing is left to interrupt
		cmd.Stdout, cmd.Stderr = w, &other
		if tt.stderr {
			cmd.Stdout, cmd.Stderr = &other, w
		}
		_ = cmd.Run()
		w.Close()
		if got := cmd.ProcessState.ExitCode(); got != tt.want || !tt.stderr && other.Len() > 0 {
			t.Errorf("%s: exited with status %d, want %d; the other output is %q", tt.why, got, tt.want, other.String())
		}
		if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
			t.Errorf("%s: temporary files left: %v, %v", tt.why, left, err)
		}
	}
	if text, err := os.ReadFile(filepath.Join(root, "out.json")); !bytes.Contains(text, []byte(`"errors":["nothing reads the output any more"]`)) {
		t.Errorf("the report in the file: %s, %v", text, err)
	}
}
