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
	l := &repositoryLayout{root: root, handed: handed{filepath.Join(root, "work/a/solution"), "a"}}
	l.learn([]string{"a", "b", "c"}, build.Defaults())
	for _, tt := range []struct{ why, path, want string }{
		{"the machine", "runner.yaml", " machine"},
		{"what all Go programs are made with", "go.mod", " reference, a generator, a reference, b brute, b reference"},
		{"a statement", "problems/a.yaml", "a statement"},
		{"not a document", "problems/a.txt", ""},
		{"one group of cases", "cases/b/edge.yaml", "b cases edge"},
		{"what a case has in a file", "cases/b/edge/large.in", "b cases edge"},
		{"a validator of a package", "reference/b/output_validators/even/check.h", "b checker"},
		{"one of inputs", "reference/b/input_validators/any/run", "b checker"},
		{"one of answers", "reference/b/answer_validators/any/run", "b checker"},
		{"a group with a name that the loader refuses", "cases/b/edge.yml", "b cases"},
		{"all groups", "cases/b", "b cases"},
		{"a lock", "cases/b/lock.yaml", "b lock"},
		{"what is reserved", "cases/b/mutants.yaml", ""},
		{"notes beside cases", "cases/b/notes.txt", ""},
		{"a solver", "reference/a/main.go", "a reference"},
		{"tests are no part of the program", "reference/a/main_test.go", ""},
		{"nor is what a constraint leaves out", "reference/a/plan9.go", ""},
		{"nor a text", "reference/a/README.md", ""},
		{"a generator", "reference/a/gen/main.go", "a generator"},
		{"data of its tests", "reference/a/gen/testdata/in", ""},
		{"a checker in another language", "reference/a/check/main.cpp", "a checker"},
		{"a package that two programs import", "reference/words/words.go", "a reference, b brute"},
		{"what it embeds", "reference/words/list.txt", "a reference, b brute"},
		{"and what it does not", "reference/words/unused.txt", ""},
		{"a package outside of reference/", "shared/shared.go", "b reference"},
		{"a program that cannot be read may be made of anything there", "reference/c/else.go", "c reference"},
		{"but not of its examples", "reference/c/submissions/accepted/x.go", "c example reference/c/submissions/accepted/x.go"},
		{"an example", "reference/a/submissions/accepted/x.cpp", "a example reference/a/submissions/accepted/x.cpp"},
		{"a file of an example", "reference/a/submissions/accepted/x/y/z.h", "a example reference/a/submissions/accepted/x"},
		{"the submission", "work/a/solution/main.cpp", "a submission"},
		{"something beside it", "work/a/solution2", ""},
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
		t.Errorf("programs are made of files in %q besides reference/", got)
	}
}
