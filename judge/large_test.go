package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"tribunal/judge/internal/config"
	"tribunal/judge/internal/limits"
)

// TestLargeData judges programs on inputs and outputs of 20 MB. The peak memory of the judge and of
// its largest child process must not grow with the size of the data.
func TestLargeData(t *testing.T) {
	t.Parallel()
	const size, most = 20_000_000, 2 * 64 * limits.MiB // most bounds the memory of two slots
	program, err := exec.LookPath("judge")             // testscript puts it on PATH
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, text := range map[string]string{
		"package/problem.yaml":         "name: Copy\nlimits: {output: 64, time_limit: 20}\n",
		"package/data/secret/other.in": "1\n", "package/data/secret/other.ans": "1\n",
		"cat.sh": "exec cat\n",
		"repository/problems/p.yaml": `id: p
title: Copy
source: the judge's own tests
limits: {cpu: 20s, wall: 2m, memory: 256MiB, output: 32MiB}
statement: |
  Copy the input.
input: |
  Lines.
output: |
  The same lines.
`,
		"repository/cases/p/large.yaml":      "cases:\n  - name: one\n    generate: [a]\n    seed: 1\n\n  - name: two\n    generate: [b]\n    seed: 1\n\n...\n",
		"repository/reference/p/main.sh":     "exec cat\n",
		"repository/reference/p/gen/main.sh": "yes \"a line of test data $1\" | head -c 19999999\necho\n",
	} {
		if err := writeTestFile(filepath.Join(dir, name), text); err != nil {
			t.Fatal(err)
		}
	}
	first := filepath.Join(dir, "package/data/secret/1.in")
	if err := os.WriteFile(first, bytes.Repeat([]byte("a line of 20 bytes.\n"), size/20), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"1.ans", "2.in", "2.ans", "3.in", "3.ans"} {
		if err := os.Link(first, filepath.Join(filepath.Dir(first), name)); err != nil {
			t.Fatal(err)
		}
	}
	judge := func(cache string, args ...string) {
		t.Helper()
		cmd := exec.Command(program, append(args, "--slots", "2")...)
		cmd.Dir = filepath.Join(dir, "repository")
		cmd.Env = append(os.Environ(), config.CacheVariable+"="+filepath.Join(dir, cache))
		out, err := cmd.CombinedOutput()
		if err != nil || args[0] == "grade" && !strings.Contains(string(out), "AC") {
			t.Fatalf("judge %s: %v\n%s", strings.Join(args, " "), err, out)
		}
		usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage)
		if !ok {
			t.Fatal(errors.New("no figures"))
		}
		peak := limits.Bytes(usage.Maxrss) * limits.KiB
		if t.Logf("judge %s: %v", strings.Join(args, " "), peak.Human()); args[0] == "grade" && peak > most {
			t.Errorf("judge %s took %v, want at most %v", strings.Join(args, " "), peak.Human(), limits.Bytes(most))
		}
	}
	judge("one", "grade", "-q", "../package", "../cat.sh")
	judge("one", "regen", "p")
	judge("one", "grade", "-q", "p", "../cat.sh")
	judge("two", "grade", "-q", "p", "../cat.sh") // regenerates inputs and outputs
}
