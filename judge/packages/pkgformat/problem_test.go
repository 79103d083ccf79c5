package pkgformat

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/diff"
	"tribunal/judge/packages/draft"
)

// openSubmission reads a submission to a package.
func openSubmission(p *draft.Draft, name, language string) (*build.Source, error) {
	return p.Contestant(name, language, build.Defaults())
}

// readFiles reads a package of one case and the given files, a txtar archive.
func readFiles(t *testing.T, files string) *draft.Draft {
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
	p, err := openDraft(t.Context(), dir, Options{Scratch: In(t.TempDir())})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	return p
}

// TestUnsupported checks the errors for packages that tribunal cannot judge.
func TestUnsupported(t *testing.T) {
	t.Parallel()
	const head = "-- problem.yaml --\nproblem_format_version: 2025-09\nname: P\nuuid: 5d0a9ee8-0000-4000-8000-000000000004\n"
	for _, tt := range []struct{ why, files, want string }{
		{"two output validators with scores", "-- problem.yaml --\nname: P\ntype: scoring\nvalidation: custom score\n-- output_validators/a/a.c --\n-- output_validators/b/b.c --\n", "several output validators of an interactive, multi-pass or scored problem are not supported (hint: combine output_validators/a, output_validators/b into one program)"},
		{"two output validators of an interactive problem", "-- problem.yaml --\nname: P\nvalidation: custom interactive\n-- output_validators/a/a.c --\n-- output_validators/b/b.c --\n", "several output validators of an interactive"},
		{"unknown flags", "-- problem.yaml --\nname: P\nvalidator_flags: case_insensitive\n", "1.in: output validator: unknown flag \"case_insensitive\""},
		{"scores that do not add up", head + "type: scoring\n-- data/secret/a/test_group.yaml --\nmax_score: 101\n-- data/secret/a/2.in --\n-- data/secret/a/2.ans --\n", "secret"},
		{"a missing grader", "-- problem.yaml --\nname: P\ntype: scoring\n-- data/testdata.yaml --\ngrading: custom\n", "grading: custom needs one grader, but there are 0 (hint: put a grader into graders/)"},
	} {
		p := readFiles(t, tt.files)
		_, err := p.Problem()
		if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.HasPrefix(err.Error(), p.Path) {
			t.Errorf("%s: %v, want %q", tt.why, err, tt.want)
		}
	}
}

// TestOpenCases checks which cases submitters may see whole.
func TestOpenCases(t *testing.T) {
	t.Parallel()
	const latest = "-- problem.yaml --\nproblem_format_version: 2025-09\nname: P\nuuid: 5d0a9ee8-0000-4000-8000-000000000004\n" +
		"-- data/sample/a.in --\n-- data/sample/a.ans --\n-- data/sample/b.in --\n-- data/sample/b.ans --\n-- data/secret/2.in --\n-- data/secret/2.ans --\n"
	for _, tt := range []struct {
		why, files string
		want       []string
	}{
		{"samples", latest, []string{"sample/a", "sample/b"}},
		{"a group that says so", latest + "-- data/secret/test_group.yaml --\nfull_feedback: true\n", []string{"sample/a", "sample/b", "secret/1", "secret/2"}},
		{"cases that say something else than their group", latest + "-- data/secret/test_group.yaml --\nfull_feedback: true\n-- data/secret/1.yaml --\nfull_feedback: false\n-- data/sample/b.yaml --\nfull_feedback: false\n", []string{"sample/a", "secret/2"}},
		{"no samples", "-- problem.yaml --\nname: P\n", nil},
	} {
		made, err := readFiles(t, tt.files).Problem()
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(made.Open, tt.want) {
			t.Errorf("%s: %q, want %q", tt.why, made.Open, tt.want)
		}
	}
}

// TestProblemCompare checks how a problem compares outputs: as its cases do if all do the same, and
// by tokens otherwise.
func TestProblemCompare(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why, files string
		want       diff.Mode
	}{
		{"no flags", "-- problem.yaml --\nname: P\n", diff.Tokens},
		{"a tolerance", "-- problem.yaml --\nname: P\nvalidator_flags: float_tolerance 1e-6\n", diff.Float},
		{"a tolerance for one case only", "-- problem.yaml --\nname: P\n-- data/secret/a/testdata.yaml --\noutput_validator_flags: float_tolerance 1e-6\n-- data/secret/a/2.in --\n-- data/secret/a/2.ans --\n", diff.Tokens},
	} {
		made, err := readFiles(t, tt.files).Problem()
		if err != nil {
			t.Fatal(err)
		}
		if got := made.Compare.Mode; got != tt.want {
			t.Errorf("%s: %s, want %s", tt.why, got, tt.want)
		}
	}
}

// TestInclude checks which files of a package are added to submissions, by language.
func TestInclude(t *testing.T) {
	t.Parallel()
	p := readFiles(t, "-- problem.yaml --\nname: P\n-- include/c/lib/sum.h --\nint sum;\n-- include/default/all.txt --\nfor all\n")
	for _, tt := range []struct{ file, text, want string }{
		{"a.c", "int main;", "a.c lib/sum.h"},
		{"a.py", "print(1)", "a.py all.txt"},
	} {
		name := filepath.Join(t.TempDir(), tt.file)
		if err := os.WriteFile(name, []byte(tt.text), 0o644); err != nil {
			t.Fatal(err)
		}
		s, err := openSubmission(p, name, "")
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
			t.Errorf("%s is judged as %d files, among them %v, want %s", tt.file, len(s.Texts()), got, tt.want)
		}
	}
}

// TestConstants checks that constants are filled into the package's own programs only.
func TestConstants(t *testing.T) {
	t.Parallel()
	const big = 1 << 10
	half := strings.Repeat("{{big}}", (16<<20)/big/2)
	p := readFiles(t, "-- problem.yaml --\nname: P\nconstants: {n: 5, big: "+strings.Repeat("b", big)+"}\n"+
		"-- include/c/n.h --\nn {{n}}\n-- submissions/accepted/a.c --\na {{n}}\n"+
		"-- submissions/accepted/bomb/a.c --\n"+half+"\n-- submissions/accepted/bomb/b.c --\n"+half+"\n")
	copied := filepath.Join(t.TempDir(), "a.c")
	if err := os.WriteFile(copied, []byte("a {{n}}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ why, name, want string }{
		{"a submission of the package", p.File("submissions/accepted/a.c"), "a 5\n"},
		{"the same submission by another path", p.File("submissions/../submissions/accepted/a.c"), "a 5\n"},
		{"a copy of that submission", copied, "a {{n}}\n"},
	} {
		s, err := openSubmission(p, tt.name, "")
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
	if _, err := openSubmission(p, bomb, ""); err == nil || err.Error() != bomb+": with constants filled in, larger than 16 MiB" {
		t.Errorf("a bomb: %v", err)
	}
	if _, err := openSubmission(p, copied, "cobol"); err == nil || !strings.Contains(err.Error(), "unknown language \"cobol\"") {
		t.Errorf("an unknown language: %v", err)
	}
}
