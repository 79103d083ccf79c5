package watchmode

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tribunal/judge/internal/build"
)

// TestAffects checks that a path affects exactly the programs that read it.
func TestAffects(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":                      "module m\n\ngo 1.26\n",
		"reference/a/main.go":         "package main\n\nimport _ \"m/reference/words\"\n\nfunc main() {}\n",
		"reference/a/main_test.go":    "package main\n",
		"reference/a/plan9.go":        "//go:build plan9\n\npackage main\n",
		"reference/a/gen/main.go":     "package main\n\nfunc main() {}\n",
		"reference/a/check/main.cpp":  "int main() {}\n",
		"reference/b/main.go":         "package main\n\nimport _ \"m/shared\"\n\nfunc main() {}\n",
		"reference/b/brute/main.go":   "package main\n\nimport _ \"m/reference/words\"\n\nfunc main() {}\n",
		"reference/c/main.go":         "package main\n\nimport _ \"example.com/else\"\n",
		"reference/words/words.go":    "package words\n\nimport _ \"embed\"\n\n//go:embed list.txt\nvar List string\n",
		"reference/words/list.txt":    "a\n",
		"shared/shared.go":            "package shared\n",
		"reference/a/README.md":       "",
		"work/a/solution/main.cpp":    "int main() {}\n",
		"reference/words/unused.txt":  "",
		"reference/a/gen/testdata/in": "",
	} {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	l := &repositoryLayout{root: root, submission: watchedSubmission{filepath.Join(root, "work/a/solution"), "a"}}
	l.readSources([]string{"a", "b", "c"}, build.Defaults())
	for _, tt := range []struct{ why, path, want string }{
		{"the configuration", "runner.yaml", " machine"},
		{"the module of all Go programs", "go.mod", " reference, a generator, a reference, b brute, b reference"},
		{"a statement", "problems/a.yaml", "a statement"},
		{"not a document", "problems/a.txt", ""},
		{"one group of cases", "cases/b/edge.yaml", "b cases edge"},
		{"an input file of a case", "cases/b/edge/large.in", "b cases edge"},
		{"a source of an output validator", "reference/b/output_validators/even/check.h", "b checker"},
		{"an input validator", "reference/b/input_validators/any/run", "b checker"},
		{"an answer validator", "reference/b/answer_validators/any/run", "b checker"},
		{"a group with a name that the loader refuses", "cases/b/edge.yml", "b cases"},
		{"the folder of all groups", "cases/b", "b cases"},
		{"a lock", "cases/b/lock.yaml", "b lock"},
		{"mutants.yaml, which only judge mutants reads", "cases/b/mutants.yaml", ""},
		{"notes beside cases", "cases/b/notes.txt", ""},
		{"a solver", "reference/a/main.go", "a reference"},
		{"a test, which is not part of the program", "reference/a/main_test.go", ""},
		{"a file that a build constraint excludes", "reference/a/plan9.go", ""},
		{"a text beside the sources", "reference/a/README.md", ""},
		{"a generator", "reference/a/gen/main.go", "a generator"},
		{"data of the generator's tests", "reference/a/gen/testdata/in", ""},
		{"a checker in another language", "reference/a/check/main.cpp", "a checker"},
		{"a package that two programs import", "reference/words/words.go", "a reference, b brute"},
		{"a file that the package embeds", "reference/words/list.txt", "a reference, b brute"},
		{"a file that the package does not embed", "reference/words/unused.txt", ""},
		{"a package outside of reference/", "shared/shared.go", "b reference"},
		{"any file in the folder of a program whose sources cannot be found", "reference/c/else.go", "c reference"},
		{"an example in such a folder", "reference/c/submissions/accepted/x.go", "c example reference/c/submissions/accepted/x.go"},
		{"an example", "reference/a/submissions/accepted/x.cpp", "a example reference/a/submissions/accepted/x.cpp"},
		{"a file of an example", "reference/a/submissions/accepted/x/y/z.h", "a example reference/a/submissions/accepted/x"},
		{"the submission", "work/a/solution/main.cpp", "a submission"},
		{"a folder beside the submission", "work/a/solution2", ""},
	} {
		var got []string
		for _, e := range l.Affects(filepath.Join(root, tt.path)) {
			got = append(got, strings.TrimRight(fmt.Sprint(e.Problem, " ", e.Part, " ", e.Name), " "))
		}
		slices.Sort(got)
		if got := strings.Join(got, ", "); got != tt.want {
			t.Errorf("%s: %s concerns %q, want %q", tt.why, tt.path, got, tt.want)
		}
	}
	if got := l.outside(); !slices.Equal(got, []string{filepath.Join(root, "shared")}) {
		t.Errorf("folders of sources outside of reference/: %q", got)
	}
}
