package pkgformat

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/diff"
)

// submission reads a program to judge on a package.
func submission(p *Package, name, language string) (*build.Source, error) {
	return p.submissionFrom(name, language, build.Origin{HandedIn: true}, build.Defaults())
}

// described reads a package of these files, besides the least that one needs.
func described(t *testing.T, files string) *Package {
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
	p, err := Open(t.Context(), dir, t.TempDir())
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
		p := described(t, tt.files)
		_, err := p.Problem()
		if err == nil || !strings.Contains(err.Error(), tt.says) || !strings.HasPrefix(err.Error(), p.Path) {
			t.Errorf("%s: %v, want %q", tt.why, err, tt.says)
		}
	}
}

// TestProblemTellsHow has the problem say how outputs are compared where all cases have that alike.
func TestProblemTellsHow(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why, files string
		want       diff.Mode
	}{
		{"nothing said", "-- problem.yaml --\nname: P\n", diff.Tokens},
		{"a tolerance", "-- problem.yaml --\nname: P\nvalidator_flags: float_tolerance 1e-6\n", diff.Float},
		{"one for a single case", "-- problem.yaml --\nname: P\n-- data/secret/a/testdata.yaml --\noutput_validator_flags: float_tolerance 1e-6\n-- data/secret/a/2.in --\n-- data/secret/a/2.ans --\n", diff.Tokens},
	} {
		made, err := described(t, tt.files).Problem()
		if err != nil {
			t.Fatal(err)
		}
		if got := made.Compare.Mode; got != tt.want {
			t.Errorf("%s: %s, want %s", tt.why, got, tt.want)
		}
	}
}

// TestInclude adds the files of a package to a submission of their language.
func TestInclude(t *testing.T) {
	t.Parallel()
	p := described(t, "-- problem.yaml --\nname: P\n-- include/c/lib/sum.h --\nint sum;\n-- include/default/all.txt --\nfor all\n")
	for _, tt := range []struct{ file, text, want string }{
		{"a.c", "int main;", "a.c lib/sum.h"},
		{"a.py", "print(1)", "a.py all.txt"},
	} {
		name := filepath.Join(t.TempDir(), tt.file)
		if err := os.WriteFile(name, []byte(tt.text), 0o644); err != nil {
			t.Fatal(err)
		}
		s, err := submission(p, name, "")
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
	half := strings.Repeat("{{big}}", maxProgram/big/2)
	p := described(t, "-- problem.yaml --\nname: P\nconstants: {n: 5, big: "+strings.Repeat("b", big)+"}\n"+
		"-- include/c/n.h --\nn {{n}}\n-- submissions/accepted/a.c --\na {{n}}\n"+
		"-- submissions/accepted/bomb/a.c --\n"+half+"\n-- submissions/accepted/bomb/b.c --\n"+half+"\n")
	copied := filepath.Join(t.TempDir(), "a.c")
	if err := os.WriteFile(copied, []byte("a {{n}}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ why, name, want string }{
		{"the package's own", p.File("submissions/accepted/a.c"), "a 5\n"},
		{"the same by another path", p.File("submissions/../submissions/accepted/a.c"), "a 5\n"},
		{"a copy of it is another", copied, "a {{n}}\n"},
	} {
		s, err := submission(p, tt.name, "")
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
	if _, err := submission(p, bomb, ""); err == nil || err.Error() != bomb+": constants make it larger than 16 MiB" {
		t.Errorf("a bomb: %v", err)
	}
	if _, err := submission(p, copied, "cobol"); err == nil || !strings.Contains(err.Error(), "unknown language \"cobol\"") {
		t.Errorf("a language that there is not: %v", err)
	}
}
