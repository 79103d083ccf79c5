package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"tribunal/internal/tier"
	"tribunal/judge/cli/scripttest"
	"tribunal/judge/internal/config"
)

// TestManySubmissions judges 160 submissions at once with a limit of 128 file descriptors.
func TestManySubmissions(t *testing.T) {
	t.Parallel()
	tier.T2(t, "more submissions than file descriptors")
	tier.Needs(t, "file descriptors for many submissions", "gcc")
	program, err := exec.LookPath("judge") // TestMain puts it on PATH
	if err != nil {
		t.Fatal(err)
	}
	root := t.TempDir()
	if err := scripttest.CopyMissing(root, filepath.Join("testdata", "repo")); err != nil {
		t.Fatal(err)
	}
	compiled := filepath.Join(root, "program")
	if out, err := exec.Command("gcc", "-o", compiled, filepath.Join(root, "sum.c")).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	text, err := os.ReadFile(compiled)
	if err != nil {
		t.Fatal(err)
	}
	const most, count = 128, 160
	args := []string{"-c", fmt.Sprintf(`ulimit -n %d && exec "$@"`, most), "sh", program, "grade", "sum", "-q", "--case", "sample/small"}
	for i := range count { // each program differs, so that none comes from the cache
		name := fmt.Sprint("program-", i)
		if err := os.WriteFile(filepath.Join(root, name), fmt.Append(text, i), 0o755); err != nil {
			t.Fatal(err)
		}
		args = append(args, name)
	}
	cmd := exec.Command("sh", args...)
	cmd.Dir = root
	cmd.Env = append(os.Environ(), config.CacheVariable+"="+filepath.Join(root, "cache"))
	out, err := cmd.CombinedOutput()
	if n := strings.Count(string(out), ": AC 1/1"); err != nil || n != count {
		t.Errorf("%d of %d are accepted with %d descriptors: %v\n%.2000s", n, count, most, err, out)
	}
}
