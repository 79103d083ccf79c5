package main

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var updateFlag = flag.Bool("update", false, "write what comes out into testdata/golden")

// newDocument writes a document into a new folder.
func newDocument(t *testing.T, text []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "solvers.md")
	if err := os.WriteFile(path, text, 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func get(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestGolden compares a document and its pictures with reviewed files in testdata/golden.
func TestGolden(t *testing.T) {
	t.Parallel()
	document := newDocument(t, get(t, "testdata/solvers.md"))
	bench := get(t, "testdata/bench.txt")
	for range 2 { // the second time, figures of the first time are replaced
		var stderr bytes.Buffer
		if code := run([]string{document}, bytes.NewReader(bench), &stderr); code != 0 || stderr.Len() > 0 {
			t.Fatalf("exit status %d: %s", code, &stderr)
		}
	}
	got := map[string][]byte{}
	dir := filepath.Dir(document)
	if err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			got[strings.TrimPrefix(path, dir+"/")] = get(t, path)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	golden := filepath.Join("testdata", "golden")
	if *updateFlag {
		if err := os.RemoveAll(golden); err != nil {
			t.Fatal(err)
		}
		for name, data := range got {
			if err := write([]file{{filepath.Join(golden, name), data}}); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, name := range []string{"solvers.md", "solvers/dicey.svg", "solvers/marble-positions.svg", "solvers/marble-threads.svg"} {
		if want := get(t, filepath.Join(golden, name)); !bytes.Equal(got[name], want) {
			t.Errorf("%s is not what it was (hint: look at it, then go test ./docs/plot -update)\n%s", name, got[name])
		}
		delete(got, name)
	}
	for name := range got {
		t.Errorf("%s was written, but no golden file expects it", name)
	}
}

// TestErrors checks the texts of errors, and that no file changes after an error.
func TestErrors(t *testing.T) {
	t.Parallel()
	const (
		pkg    = "pkg: tribunal/reference/slink\n"
		good   = pkg + "BenchmarkSolve/random-2 10 5 ns/puzzle\n"
		place  = "<!-- figures: slink -->\n<!-- end of figures -->\n"
		marble = "pkg: tribunal/reference/marble\nBenchmarkBoards/a-2 1 5 ns/op 7 positions\n"
	)
	for _, tt := range []struct{ why, bench, document, want string }{
		{"empty", "", place, "benchmarks:1: no result before the end (hint: go test -run - -bench . ./reference/...)"},
		{"nothing measured", pkg + "PASS\n", place, "benchmarks:3: no result before the end (hint: go test -run - -bench . ./reference/...)"},
		{"no package", "BenchmarkRun-2 1 5 ns/op\n", place, "benchmarks:1: no line pkg: … before the first result"},
		{"another package, without sub-benchmarks", "pkg: tribunal/judge\nBenchmarkRun-2 1 5 ns/op\n", place, "benchmarks:3: no result before the end (hint: go test -run - -bench . ./reference/...)"},
		{"another package, without a place", "pkg: tribunal/judge\nBenchmarkRun/a/b-2 1 5 ns/op\n", place, "DOC:2: no place for the figures of Run/a (hint: add two lines, <!-- figures: Run/a --> and <!-- end of figures -->)"},
		{"a benchmark failed", good + "--- FAIL: BenchmarkSolve/comb-2\n", place, "benchmarks:3: a benchmark failed: --- FAIL: BenchmarkSolve/comb-2"},
		{"a package failed, after good lines", good + "FAIL\ttribunal/reference/slink\t0.1s\n", place, "benchmarks:3: a benchmark failed: FAIL\ttribunal/reference/slink\t0.1s"},
		{"a panic", good + "panic: no\n", place, "benchmarks:3: a benchmark failed: panic: no"},
		{"no number of runs", pkg + "BenchmarkSolve-2 x 5 ns/op\n", place, "benchmarks:2: x is not a number of runs of BenchmarkSolve-2"},
		{"no runs", pkg + "BenchmarkSolve-2 0 5 ns/op\n", place, "benchmarks:2: 0 is not a number of runs of BenchmarkSolve-2"},
		{"nothing but runs", pkg + "BenchmarkSolve-2 1\n", place, "benchmarks:2: BenchmarkSolve-2 has no value, or a value without a unit"},
		{"the line is cut", pkg + "BenchmarkSolve-2 1 5 ns/op 7\n", place, "benchmarks:2: BenchmarkSolve-2 has no value, or a value without a unit"},
		{"no number", pkg + "BenchmarkSolve-2 1 5,3 ns/op\n", place, "benchmarks:2: 5,3 is not a measurement in ns/op of BenchmarkSolve-2"},
		{"not a number", pkg + "BenchmarkSolve-2 1 NaN ns/op\n", place, "benchmarks:2: NaN is not a measurement in ns/op of BenchmarkSolve-2"},
		{"infinite", pkg + "BenchmarkSolve-2 1 +Inf x-baseline\n", place, "benchmarks:2: +Inf is not a measurement in x-baseline of BenchmarkSolve-2"},
		{"negative", pkg + "BenchmarkSolve-2 1 -5 ns/op\n", place, "benchmarks:2: -5 is not a measurement in ns/op of BenchmarkSolve-2"},
		{"a line without end", good + strings.Repeat("x", 1<<17), place, "benchmarks:3: bufio.Scanner: token too long"},
		{"no place", good, "# Solvers\n", "DOC:1: no place for the figures of slink (hint: add two lines, <!-- figures: slink --> and <!-- end of figures -->)"},
		{"no place for the second", good + marble, place, "DOC:2: no place for the figures of marble (hint: add two lines, <!-- figures: marble --> and <!-- end of figures -->)"},
		{"two places", good, place + place, "DOC:3: the figures of slink already have a place in line 1"},
		{"no end", good, "\n<!-- figures: slink -->\ntext\n", "DOC:2: the figures of slink have no end (hint: add a line <!-- end of figures -->)"},
		{"no end before the next", good, "<!-- figures: slink -->\n<!-- figures: maze -->\n<!-- end of figures -->\n", "DOC:1: the figures of slink have no end (hint: add a line <!-- end of figures -->)"},
	} {
		document := newDocument(t, []byte(tt.document))
		var stderr bytes.Buffer
		code := run([]string{document}, strings.NewReader(tt.bench), &stderr)
		if got := strings.ReplaceAll(stderr.String(), document, "DOC"); code != 1 || got != tt.want+"\n" {
			t.Errorf("%s: exit status %d\n got %s\nwant %s", tt.why, code, got, tt.want)
		}
		if left, _ := os.ReadDir(filepath.Dir(document)); len(left) != 1 || string(get(t, document)) != tt.document {
			t.Errorf("%s: files were written: %v", tt.why, left)
		}
	}
}

// TestNothingHalfWritten checks that nothing changes if a picture cannot be written.
func TestNothingHalfWritten(t *testing.T) {
	t.Parallel()
	document := newDocument(t, get(t, "testdata/solvers.md"))
	folder := strings.TrimSuffix(document, ".md")
	if err := os.MkdirAll(filepath.Join(folder, "marble-threads.svg.new"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := update(document, bytes.NewReader(get(t, "testdata/bench.txt"))); err == nil {
		t.Fatal("no error")
	}
	if !bytes.Equal(get(t, document), get(t, "testdata/solvers.md")) {
		t.Error("the document has changed")
	}
	if left, _ := filepath.Glob(filepath.Join(folder, "*.svg")); len(left) > 0 {
		t.Errorf("written: %v", left)
	}
}

func TestUsage(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"a.md", "b.md"}, {"-x"}} {
		var stderr bytes.Buffer
		if code := run(args, strings.NewReader(""), &stderr); code != 2 || !strings.HasPrefix(stderr.String(), "usage: ") {
			t.Errorf("%q: exit status %d: %s", args, code, &stderr)
		}
	}
}

// TestDocumentHasPlaces checks that the real document has a place for the figures of every problem.
func TestDocumentHasPlaces(t *testing.T) {
	t.Parallel()
	figures := map[string]string{}
	problems, err := filepath.Glob("../../problems/*.yaml")
	if err != nil || len(problems) == 0 {
		t.Fatalf("no problems: %v", err)
	}
	for _, p := range problems {
		figures[strings.TrimSuffix(filepath.Base(p), ".yaml")] = "figures"
	}
	if _, err := splice(get(t, "../../docs/solvers.md"), figures); err != nil {
		t.Errorf("docs/solvers.md:%v", err)
	}
}
