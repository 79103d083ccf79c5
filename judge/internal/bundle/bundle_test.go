package bundle

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/pkgformat"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/verdict"
)

// open reads a package of these files, besides the least that one needs.
func open(t *testing.T, files string) *pkgformat.Package {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "p")
	all := txtar.Parse([]byte("-- data/secret/1.in --\n1\n-- data/secret/1.ans --\n1\n" + files)).Files
	for _, f := range all {
		path := filepath.Join(dir, f.Name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	p, err := pkgformat.Open(t.Context(), dir, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	return p
}

// TestUnsupported refuses what cannot be judged as the package means it.
func TestUnsupported(t *testing.T) {
	t.Parallel()
	const head = "-- problem.yaml --\nproblem_format_version: 2025-09\nname: P\nuuid: 5d0a9ee8-0000-4000-8000-000000000004\n"
	for _, tt := range []struct{ why, files, says string }{
		{"scores of two validators", "-- problem.yaml --\nname: P\ntype: scoring\nvalidation: custom score\n-- output_validators/a/a.c --\n-- output_validators/b/b.c --\n", "several output validators of an interactive, multi-pass or scored problem are not supported (hint: they are output_validators/a, output_validators/b; make one of them)"},
		{"who of two would talk", "-- problem.yaml --\nname: P\nvalidation: custom interactive\n-- output_validators/a/a.c --\n-- output_validators/b/b.c --\n", "several output validators of an interactive"},
		{"flags that there are not", "-- problem.yaml --\nname: P\nvalidator_flags: case_insensitive\n", "1.in: output validator: unknown flag \"case_insensitive\""},
		{"points that contradict each other", head + "type: scoring\n-- data/secret/a/test_group.yaml --\nmax_score: 101\n-- data/secret/a/2.in --\n-- data/secret/a/2.ans --\n", "secret"},
		{"a grader that is not there", "-- problem.yaml --\nname: P\ntype: scoring\n-- data/testdata.yaml --\ngrading: custom\n", "grading: custom wants one grader, and there are 0 (hint: put one into graders/)"},
	} {
		p := open(t, tt.files)
		b, err := Open(p, nil, diff.Options{})
		if err == nil || !strings.Contains(err.Error(), tt.says) || !strings.HasPrefix(err.Error(), p.Path) {
			t.Errorf("%s: %v, want %q", tt.why, err, tt.says)
		}
		if b != nil {
			b.Close()
		}
	}
}

// TestDerive finds the time limit from the slowest accepted run.
func TestDerive(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		slowest, want time.Duration
	}{
		{0, time.Second},
		{200 * time.Millisecond, time.Second}, // five times as much, to the tick
		{201 * time.Millisecond, 2 * time.Second},
		{1500 * time.Millisecond, 8 * time.Second},
	} {
		b := &Bundle{Package: &pkgformat.Package{Time: pkgformat.Timing{ACToLimit: 5, Resolution: time.Second}}}
		if got := b.Derive(tt.slowest); got != tt.want {
			t.Errorf("Derive(%v) = %v, want %v", tt.slowest, got, tt.want)
		}
	}
}

// TestTaskTellsHow has the task say how outputs are compared where all cases have that alike.
func TestTaskTellsHow(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why, files string
		want       diff.Mode
	}{
		{"nothing said", "-- problem.yaml --\nname: P\n", diff.Tokens},
		{"a tolerance", "-- problem.yaml --\nname: P\nvalidator_flags: float_tolerance 1e-6\n", diff.Float},
		{"one for a single case", "-- problem.yaml --\nname: P\n-- data/secret/a/testdata.yaml --\noutput_validator_flags: float_tolerance 1e-6\n-- data/secret/a/2.in --\n-- data/secret/a/2.ans --\n", diff.Tokens},
	} {
		b, err := Open(open(t, tt.files), build.New(build.Options{Languages: build.Defaults()}), diff.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := b.Task(limits.Limits{}).Compare.Mode; got != tt.want {
			t.Errorf("%s: %s, want %s", tt.why, got, tt.want)
		}
	}
}

// TestInclude adds the files of a package to a submission of their language.
func TestInclude(t *testing.T) {
	t.Parallel()
	languages := build.Defaults()
	p := open(t, "-- problem.yaml --\nname: P\n-- include/c/lib/sum.h --\nint sum;\n-- include/default/all.txt --\nfor all\n")
	b, err := Open(p, build.New(build.Options{Languages: languages}), diff.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ file, text, want string }{
		{"a.c", "int main;", "a.c lib/sum.h"},
		{"a.py", "print(1)", "a.py all.txt"},
	} {
		name := filepath.Join(t.TempDir(), tt.file)
		if err := os.WriteFile(name, []byte(tt.text), 0o644); err != nil {
			t.Fatal(err)
		}
		s, err := b.Submission(name, "")
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range strings.Fields(tt.want) {
			if _, ok := s.Texts()[f]; ok {
				got = append(got, f)
			}
		}
		if strings.Join(got, " ") != tt.want || len(s.Texts()) != len(got) {
			t.Errorf("%s is judged as %d files, of which %v, want %s", tt.file, len(s.Texts()), got, tt.want)
		}
	}
}

// TestConstants puts constants into the package's own programs, and into no others.
func TestConstants(t *testing.T) {
	t.Parallel()
	const big = 1 << 10
	half := strings.Repeat("{{big}}", maxFilled/big/2)
	p := open(t, "-- problem.yaml --\nname: P\nconstants: {n: 5, big: "+strings.Repeat("b", big)+"}\n"+
		"-- include/c/n.h --\nn {{n}}\n-- submissions/accepted/a.c --\na {{n}}\n"+
		"-- submissions/accepted/bomb/a.c --\n"+half+"\n-- submissions/accepted/bomb/b.c --\n"+half+"\n")
	b, err := Open(p, build.New(build.Options{Languages: build.Defaults()}), diff.Options{})
	if err != nil {
		t.Fatal(err)
	}
	copied := filepath.Join(t.TempDir(), "a.c")
	if err := os.WriteFile(copied, []byte("a {{n}}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ why, name, want string }{
		{"the package's own", p.File("submissions/accepted/a.c"), "a 5\n"},
		{"the same by another path", p.File("submissions/../submissions/accepted/a.c"), "a 5\n"},
		{"a copy of it is another", copied, "a {{n}}\n"},
	} {
		s, err := b.Submission(tt.name, "")
		if err != nil {
			t.Fatal(err)
		}
		if got := string(s.Texts()["a.c"]); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.why, got, tt.want)
		}
		if got := string(s.Texts()["n.h"]); got != "n 5\n" {
			t.Errorf("%s: includes %q", tt.why, got)
		}
	}
	bomb := p.File("submissions/accepted/bomb")
	if _, err := b.Submission(bomb, ""); err == nil || err.Error() != bomb+": constants make it larger than 16 MiB" {
		t.Errorf("a bomb: %v", err)
	}
	if _, err := b.Submission(copied, "cobol"); err == nil || !strings.Contains(err.Error(), "unknown language \"cobol\"") {
		t.Errorf("a language that there is not: %v", err)
	}
}

// TestPace finds the slowest run that the time limit has to leave room for, and none where
// a run was stopped.
func TestPace(t *testing.T) {
	t.Parallel()
	const s = time.Second
	run := func(submission int, name string, v verdict.Verdict, cpu time.Duration) grade.Case {
		return grade.Case{Submission: submission, Name: name, Verdict: v, Cause: "took longer", Result: sandbox.Result{CPU: cpu}}
	}
	for _, tt := range []struct {
		why  string
		runs []grade.Case
		most time.Duration
		err  string
	}{
		{"the most of all", []grade.Case{run(0, "secret/1", verdict.AC, 2*s), run(0, "secret/2", verdict.AC, 5*s), run(0, "secret/3", verdict.AC, s)}, 5 * s, ""},
		{"of one that is wrong as well", []grade.Case{run(0, "secret/1", verdict.WA, 2*s)}, 2 * s, ""},
		{"where nobody promises", []grade.Case{run(1, "secret/2", verdict.TLE, 60*s), run(1, "secret/1", verdict.AC, s)}, s, ""},
		{"too slow", []grade.Case{run(0, "secret/1", verdict.AC, s), run(0, "secret/2", verdict.TLE, 60*s)}, s, "p/a.c: took longer on secret/2, so that no time limit follows from it (hint: give limits: time_limit in problem.yaml)"},
		{"asleep", []grade.Case{run(1, "secret/1", verdict.ILE, s)}, 0, "p/b.c: took longer on secret/1, so that no time limit follows from it (hint: give limits: time_limit in problem.yaml)"},
	} {
		p := pace{of: []string{"p/a.c", "p/b.c"}, rules: [][]pkgformat.Rule{{{}}, {{Cases: "secret/1"}}}}
		var err error
		for _, c := range tt.runs {
			if err == nil {
				err = p.see(&c)
			}
		}
		if got := fmt.Sprint(err); p.most != tt.most || got != cmp.Or(tt.err, "<nil>") {
			t.Errorf("%s: %v, %s, want %v, %s", tt.why, p.most, got, tt.most, tt.err)
		}
	}
}
