package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestBenchmarksAreDocumented checks that docs/scale.md has a place for the figures of each benchmark, and
// the command that measures them.
func TestBenchmarksAreDocumented(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(filepath.Join(repository, "docs", "scale.md"))
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("bench_*test.go")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	benchmark := regexp.MustCompile(`(?m)^func Benchmark(\w+)\(`)
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range benchmark.FindAllSubmatch(text, -1) {
			for _, want := range []string{"\n<!-- figures: " + string(m[1]) + " -->\n", " -bench " + string(m[1]) + " "} {
				if !strings.Contains(string(page), want) {
					t.Errorf("docs/scale.md does not have %q", want)
				}
			}
		}
	}
}
