package main

import (
	"bytes"
	"cmp"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"tribunal/internal/tier"
	"tribunal/judge/internal/config"
	"tribunal/judge/internal/limits"
)

// TestLargeData judges programs on inputs and outputs of 6 MB. The peak memory of the judge and of
// its largest child process must not grow with the size of the data. Two slots hold six inputs,
// outputs and expected outputs; the judge alone has 32 MiB. The test is not parallel, because a small
// temporary folder has room for this data only.
func TestLargeData(t *testing.T) {
	tier.T2(t, "the memory of the judge beside large data")
	const size, most = 6_000_000, 56 * limits.MiB
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
		"repository/reference/p/gen/main.sh": "yes \"a line of test data $1\" | head -c 5999999\necho\n",
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
		out, peak := peakOf(t, filepath.Join(dir, "repository"), filepath.Join(dir, cache), append(args, "--slots", "2"))
		if args[0] == "grade" && !strings.Contains(out, "AC") {
			t.Fatalf("judge %s:\n%s", strings.Join(args, " "), out)
		}
		if args[0] == "grade" && peak > most {
			t.Errorf("judge %s took %v, want at most %v", strings.Join(args, " "), peak.Human(), limits.Bytes(most))
		}
	}
	judge("one", "grade", "-q", "../package", "../cat.sh")
	judge("one", "regen", "p")
	judge("one", "grade", "-q", "p", "../cat.sh")
	if err := os.RemoveAll(filepath.Join(dir, "one")); err != nil {
		t.Fatal(err)
	}
	judge("two", "grade", "-q", "p", "../cat.sh") // regenerates inputs and outputs
}

// peakOf runs the judge in a folder, with a cache, and returns its output and how much memory it, or the
// largest of its children, occupied.
func peakOf(t *testing.T, dir, cache string, args []string) (string, limits.Bytes) {
	t.Helper()
	figure := filepath.Join(t.TempDir(), "peak")
	cmd := exec.Command("peak", append([]string{figure, "judge"}, args...)...)
	cmd.Dir = dir
	// With usual settings a third of what it occupies is garbage, and more on a busy host.
	cmd.Env = append(os.Environ(), config.CacheVariable+"="+cache, "GOGC=25")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("judge %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	text, err := os.ReadFile(figure)
	if err != nil {
		t.Fatal(err)
	}
	kib, err := strconv.ParseInt(string(text), 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	peak := limits.Bytes(kib) * limits.KiB
	t.Logf("judge %s: %v", strings.Join(args, " "), peak.Human())
	return string(out), peak
}

// peak is a command: it runs the command that its second and following arguments are and writes into
// the file that the first names how many KiB that command, or the largest of its children, occupied.
//
// Linux counts the memory of the process that started a program, which shares it until the program
// is executed, as the program's own. This process is small, but the one that runs all tests is not.
func peak() {
	cmd := exec.Command(os.Args[2], os.Args[3:]...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	err := cmd.Run()
	if usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		err = cmp.Or(err, os.WriteFile(os.Args[1], strconv.AppendInt(nil, usage.Maxrss, 10), 0o644))
	}
	if err != nil {
		log.Fatal(err)
	}
}
