package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// played is a go test whose runs, one after another, are the events of one test each: "pass p T", "fail p T",
// "skip p T message". An ExitError is what go test ends with if something failed.
func played(t *testing.T, runs ...string) (func(io.Writer, []string, ...string) error, *[]string) {
	t.Helper()
	var calls []string
	return func(out io.Writer, _ []string, args ...string) error {
		if len(calls) == len(runs) {
			t.Fatalf("more runs than played: %q", args)
		}
		run := runs[len(calls)]
		calls = append(calls, strings.Join(args, " "))
		var failed error
		status := "pass"
		for line := range strings.SplitSeq(run, "\n") {
			part := strings.SplitN(line, " ", 4)
			if len(part) == 4 {
				fmt.Fprintf(out, `{"Action":"output","Package":%q,"Test":%q,"Output":%q}`+"\n", part[1], part[2], part[3]+"\n")
			}
			fmt.Fprintf(out, `{"Action":%q,"Package":%q,"Test":%q}`+"\n", part[0], part[1], part[2])
			if part[0] == "fail" || part[0] == "die" { // the process
				failed, status = &exec.ExitError{}, "fail"
			}
		}
		pkg := strings.Fields(run)[1]
		fmt.Fprintf(out, `{"Action":"output","Package":%q,"Output":"%s\t%s\n"}`+"\n", pkg, status, pkg)
		fmt.Fprintf(out, `{"Action":%q,"Package":%q}`+"\n", status, pkg)
		return failed
	}, &calls
}

func TestGate(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why   string
		runs  []string
		known string
		code  int
		again []string // the arguments of second runs, from -run on
		lines []string // of the output, in order
	}{
		{
			"all is well", []string{"pass p TestA\nskip p TestB     b_test.go:7: not checked: zip (no zip: apt-get install zip)"}, "", 0, nil,
			[]string{"pass\tp", "not checked: 1 (no zip: apt-get install zip)", "1 passed, 0 failed, 1 skipped"},
		},
		{
			"a test that fails once", []string{"fail p TestA boom", "pass p TestA"}, "", 0, []string{"-run=^TestA$ p"},
			[]string{"boom", "again, alone: p TestA", "host-sensitive: p TestA: failed once, passed alone (not listed yet: mend it)", "1 passed, 0 failed, 0 skipped"},
		},
		{
			"the process dies in a test, while others wait", []string{"run p T\nrun p T/a panic: test timed out\nrun p T/b\npause p T/b\ndie p T/a", "fail p T/a again"}, "", 1, []string{`-run=^T$/^a$ p`},
			[]string{"panic: test timed out", "again, alone: p T/a", "failed: p T/a", "0 passed, 1 failed, 0 skipped"},
		},
		{
			"a known one", []string{"fail p TestA boom", "pass p TestA"}, "p TestA waits for a clock", 0, []string{"-run=^TestA$ p"},
			[]string{"host-sensitive: p TestA: failed once, passed alone (waits for a clock)"},
		},
		{
			"a test that fails twice", []string{"fail p TestA boom", "fail p TestA bang"}, "", 1, []string{"-run=^TestA$ p"},
			[]string{"boom", "bang", "failed: p TestA", "0 passed, 1 failed, 0 skipped"},
		},
		{
			"only the part that failed runs again", []string{"pass p T/b\nfail p T/a.c boom\nfail p T", "pass p T/a.c\npass p T"}, "", 0, []string{`-run=^T$/^a\.c$ p`},
			[]string{"host-sensitive: p T/a.c", "2 passed, 0 failed, 0 skipped"},
		},
		{
			"a test that is not there again", []string{"fail p TestA boom", "pass p TestB"}, "", 1, []string{"-run=^TestA$ p"},
			[]string{"failed: p TestA"},
		},
	} {
		t.Run(tt.why, func(t *testing.T) {
			t.Parallel()
			known := filepath.Join(t.TempDir(), "known")
			if err := os.WriteFile(known, []byte("# comment\n"+tt.known+"\n"), 0o644); err != nil {
				t.Fatal(err)
			}
			var out strings.Builder
			g := &gate{out: &out}
			var calls *[]string
			g.goTest, calls = played(t, tt.runs...)
			code, err := g.test([]string{"p"}, files{sensitive: known})
			if code != tt.code || err != nil {
				t.Errorf("status %d, error %v; want %d", code, err, tt.code)
			}
			var again []string
			for _, call := range (*calls)[1:] {
				again = append(again, call[strings.Index(call, "-run="):])
			}
			if diff := cmp.Diff(tt.again, again); diff != "" {
				t.Errorf("second runs differ (-want +got):\n%s", diff)
			}
			rest := out.String()
			for _, line := range tt.lines {
				_, after, found := strings.Cut(rest, line)
				if !found {
					t.Fatalf("no %q in the rest of the output:\n%s", line, out.String())
				}
				rest = after
			}
		})
	}
}

// TestManyFailures checks that nothing runs again if too much fails, and that everything that failed is named.
func TestManyFailures(t *testing.T) {
	t.Parallel()
	var run []string
	for i := range mostAgain + 1 {
		run = append(run, fmt.Sprintf("fail p Test%d boom", i))
	}
	var out strings.Builder
	g := &gate{out: &out}
	g.goTest, _ = played(t, strings.Join(run, "\n"))
	if code, err := g.test(nil, files{}); code != 1 || err != nil || strings.Count(out.String(), "\nfailed: ") != mostAgain+1 {
		t.Errorf("status %d, error %v:\n%s", code, err, out.String())
	}
}

// TestBroken checks that a package without a result of a test is red: it does not build, or its process ended.
func TestBroken(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ why, events, want string }{
		{
			"it does not build",
			`{"ImportPath":"p [p.test]","Action":"build-output","Output":"p/x.go:1: syntax error\n"}
{"ImportPath":"p [p.test]","Action":"build-fail"}
{"Action":"output","Package":"p","Output":"FAIL\tp [build failed]\n"}
{"Action":"fail","Package":"p","FailedBuild":"p [p.test]"}`, "p/x.go:1: syntax error",
		},
		{
			"its process ended before its tests",
			`{"Action":"output","Package":"p","Output":"panic: out of time\n"}
{"Action":"fail","Package":"p"}`, "panic: out of time",
		},
	} {
		var out strings.Builder
		g := &gate{out: &out, goTest: func(out io.Writer, _ []string, _ ...string) error {
			fmt.Fprintln(out, tt.events)
			return &exec.ExitError{}
		}}
		if code, err := g.test(nil, files{}); code != 1 || err != nil || !strings.Contains(out.String(), tt.want) || !strings.Contains(out.String(), "failed: p\n0 passed, 1 failed") {
			t.Errorf("%s: status %d, error %v:\n%s", tt.why, code, err, out.String())
		}
	}
	g := &gate{out: io.Discard, goTest: func(io.Writer, []string, ...string) error { return errors.New("no go") }}
	if _, err := g.test(nil, files{}); err == nil {
		t.Error("a go command that cannot be started is no error")
	}
}

func TestSplit(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ message, what, reason string }{
		{"zip (no zip)", "zip", "no zip"},
		{"what a (b) is", "what a (b) is", ""},
		{"mode x (cannot set it: y (z))", "mode x", "cannot set it: y (z)"},
		{"root reads everything", "root reads everything", ""},
		{"odd)", "odd)", ""},
	} {
		if what, reason := split(tt.message); what != tt.what || reason != tt.reason {
			t.Errorf("%s: got %q and %q", tt.message, what, reason)
		}
	}
}

// TestUnchecked checks that messages are found in skipped tests and in those that leave out a part, but not in the
// commands of a session.
func TestUnchecked(t *testing.T) {
	t.Parallel()
	r := newResults()
	r.note("p A", "    a_test.go:3: not checked: one (x)\n--- SKIP: A\n", true)
	r.note("p B", "        > skip 'not checked: two (y)'\n        testscript.go:5: not checked: three (z)\n", false)
	r.note("p C", "--- SKIP: C\n", true)
	r.note("p D", "    d_test.go:9: run by TestE\n--- SKIP: D\n", true)
	want := map[string]string{"one": "x", "three": "z", "p C": "it does not say why"}
	if diff := cmp.Diff(want, r.unchecked); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestCompareUnchecked(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "list")
	now := map[string]string{"zip": "no zip", "user": "root"}
	compare := func(update bool, now map[string]string) ([]string, error) {
		l, err := readLists(files{unchecked: file, update: update})
		if err != nil {
			return nil, err
		}
		return l.compare(&results{unchecked: now}, "")
	}
	if _, err := compare(true, now); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		why  string
		now  map[string]string
		want int
	}{
		{"the same", now, 0},
		{"less", map[string]string{"zip": "no zip"}, 0},
		{"for another reason", map[string]string{"zip": "zip is broken"}, 0},
		{"something else instead", map[string]string{"zip": "no zip", "wine": "no wine"}, 0},
		{"more", map[string]string{"zip": "no zip", "user": "root", "wine": "no wine"}, 1},
	} {
		if found, err := compare(false, tt.now); len(found) != tt.want || err != nil {
			t.Errorf("%s: %q, %v", tt.why, found, err)
		}
	}
}

func TestCounts(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	tallies := filepath.Join(dir, "tallies")
	write := func(name, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	table := filepath.Join(dir, "counts")
	compare := func(update bool) ([]string, error) {
		l, err := readLists(files{counts: table, update: update})
		if err != nil {
			return nil, err
		}
		return l.compare(newResults(), tallies)
	}
	write(filepath.Join(tallies, "judge+scripts+x"), "start judge\nbuild k1\nbuild k2\nbuild k1\nrun a\nrun a\n")
	write(table, heading+"old\t1\t1\t1\n")
	if _, err := compare(true); err != nil {
		t.Fatal(err)
	}
	if text, _ := os.ReadFile(table); string(text) != heading+"judge/scripts/x\t1\t2\t2\nold\t1\t1\t1\n" {
		t.Errorf("the table is:\n%s", text)
	}
	for _, tt := range []struct {
		why   string
		runs  int
		wants []string
	}{
		{"as many", 2, nil},
		{"a few more, as on a busy host", 23, nil},
		{"more", 24, []string{"judge/scripts/x cost more: 24 runs in the sandbox, the table has 2"}},
	} {
		write(filepath.Join(tallies, "judge+scripts+x"), "start judge\n"+strings.Repeat("run a\n", tt.runs))
		found, err := compare(false)
		if err != nil || !slices.EqualFunc(found, tt.wants, strings.Contains) {
			t.Errorf("%s: %q, %v", tt.why, found, err)
		}
	}
	write(table, "judge/scripts/x 1 0 -\n")
	for _, update := range []bool{false, true} {
		if found, err := compare(update); len(found) > 0 || err != nil {
			t.Errorf("as many as it takes: %q, %v", found, err)
		}
	}
	if text, _ := os.ReadFile(table); string(text) != heading+"judge/scripts/x\t1\t0\t-\n" {
		t.Errorf("the table is:\n%s", text)
	}
}

// TestBadLists checks that a list that cannot be read is refused before any test runs.
func TestBadLists(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "list")
	for _, tt := range []struct {
		why, text string
		names     files
		want      string
	}{
		{"too few numbers", "# a comment\nx 1 2\n", files{counts: file}, ":2: want a package and three numbers"},
		{"too many", "x 1 2 3 4\n", files{counts: file}, ":1: want a package and three numbers"},
		{"no number", "x 1 two 3\n", files{counts: file}, ":1: want a package and three numbers"},
		{"no reason", "x TestA\n", files{sensitive: file}, ":1: want a package, a test and the reason"},
		{"no file", "", files{unchecked: file + "s"}, "lists: there is no such list (hint: -update"},
	} {
		if err := os.WriteFile(file, []byte(tt.text), 0o644); err != nil {
			t.Fatal(err)
		}
		g := &gate{out: io.Discard}
		g.goTest, _ = played(t)
		if _, err := g.test(nil, tt.names); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want %q", tt.why, err, tt.want)
		}
	}
}

// TestUpdateFails checks that no list is written if a test failed, which may have cost less than it does.
func TestUpdateFails(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "counts")
	g := &gate{out: io.Discard}
	g.goTest, _ = played(t, "fail p TestA boom", "fail p TestA bang")
	code, err := g.test(nil, files{counts: file, update: true})
	if _, statErr := os.Stat(file); code != 1 || err != nil || statErr == nil {
		t.Errorf("status %d, error %v; the list: %v", code, err, statErr)
	}
}

// TestMutants checks which places change, and that a change that tests must notice is killed.
func TestMutants(t *testing.T) {
	t.Parallel()
	const text = "package p\n\nimport \"os\"\n\nfunc f(a int) bool {\n\tif a < 3 {\n\t\tos.Exit(0)\n\t}\n\treturn true\n}\n"
	list, err := mutantsIn("p.go", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range list {
		if text[m.begin:m.end] != m.from {
			t.Errorf("line %d: %q is not at its place", m.line, m.from)
		}
		got = append(got, fmt.Sprintf("%d: %s → %s", m.line, m.from, m.to))
	}
	want := []string{"6: a < 3 → !(a < 3)", "6: < → <=", "6: 3 → 4", "7: os.Exit(0) → {}", "7: 0 → 1", "9: true → false"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
