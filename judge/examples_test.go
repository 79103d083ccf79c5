package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/verdict"
)

// TestExamples judges every example submission of every problem, and each must get
// the verdict that its folder names.
func TestExamples(t *testing.T) {
	if testing.Short() {
		exampleProblem(t, "game")
		return
	}
	ids, err := problem.List(repository)
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range ids {
		exampleProblem(t, id)
	}
}

// repository is the one that this package is part of.
const repository = ".."

// exampleProblem judges the examples of one problem, all at once, as a user would
// with judge grade --expect. Its subtests are the submissions.
func exampleProblem(t *testing.T, id string) {
	t.Run(id, func(t *testing.T) {
		set, err := cases.Load(repository, id)
		if err != nil {
			t.Fatal(err)
		}
		if len(set.Lock.Cases) == 0 {
			t.Skipf("not checked: the examples of %s: it has no lock (run judge regen %s)", id, id)
		}
		all, err := filepath.Glob(filepath.Join(repository, "reference", id, "submissions", "*", "*"))
		if err != nil || len(all) == 0 {
			t.Fatalf("no example submissions of %s: %v", id, err)
		}
		var names []string
		for _, name := range all {
			if tool := missingTool(t, name); tool == "" {
				names = append(names, name)
			} else {
				t.Run(filepath.Base(name), func(t *testing.T) { t.Skipf("not checked: %s (no %s)", name, tool) })
			}
		}
		if len(names) == 0 {
			t.Skipf("not checked: the examples of %s: no compiler for any of them", id)
		}
		// A busy machine makes every program slow by the clock. The wall limit is kept
		// only for those that must meet it.
		idle, others := []string{}, []string{}
		for _, name := range names {
			if filepath.Base(filepath.Dir(name)) == verdict.ILE.Folder() {
				idle = append(idle, name)
			} else {
				others = append(others, name)
			}
		}
		gradeExamples(t, id, idle)
		gradeExamples(t, id, others, "--limits", "wall=2m")
	})
}

// gradeExamples judges submissions of a problem and requires the verdicts that are
// expected.
func gradeExamples(t *testing.T, id string, names []string, flags ...string) {
	t.Helper()
	if len(names) == 0 {
		return
	}
	args := slices.Concat([]string{"grade", id, "--root", repository, "--expect", "--json"}, flags, names)
	var stdout, stderr bytes.Buffer
	code := execute(t.Context(), args, stdio{in: bytes.NewReader(nil), out: &stdout, err: &stderr})
	var doc struct {
		Submissions []struct {
			Name, Verdict, Expected, Cause string
			First                          string `json:"first_failure"`
			AsExpected                     bool   `json:"as_expected"`
			Build                          struct{ Error string }
			Worst                          struct {
				CPU  time.Duration `json:"cpu_ns"`
				Wall time.Duration `json:"wall_ns"`
			}
		}
	}
	if err := json.Unmarshal(stdout.Bytes(), &doc); err != nil {
		t.Fatalf("judge grade %s: status %d, %v\n%s", id, code, err, &stderr)
	}
	if len(doc.Submissions) != len(names) {
		t.Errorf("%d submissions judged, %d given", len(doc.Submissions), len(names))
	}
	for _, s := range doc.Submissions {
		t.Run(filepath.Base(filepath.Dir(s.Name))+"/"+filepath.Base(s.Name), func(t *testing.T) {
			if !s.AsExpected {
				t.Errorf("expected %s, got %s: %s: %s (at most %v of CPU time, %v of wall time)\n%s",
					s.Expected, s.Verdict, s.First, s.Cause, s.Worst.CPU, s.Worst.Wall, s.Build.Error)
			}
		})
	}
	if code != exitOK && !t.Failed() {
		t.Errorf("all as expected, but the status is %d\n%s", code, &stderr)
	}
}

// exampleTools are the commands that a language cannot do without.
var exampleTools = map[string][]string{
	"c": {"gcc"}, "cpp": {"g++"}, "go": {"go"}, "java": {"javac", "java"},
	"javascript": {"node"}, "python3": {"python3"}, "rust": {"rustc"},
}

// missingTool returns a command that the submission needs and this machine lacks,
// or "".
func missingTool(t *testing.T, name string) string {
	t.Helper()
	source, err := build.Open(name, "", build.Defaults())
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range exampleTools[source.Language] {
		if ok, err := condition("works:" + tool); err != nil || !ok {
			return tool
		}
	}
	return ""
}

// TestExampleTools keeps the table above complete.
func TestExampleTools(t *testing.T) {
	t.Parallel()
	for name := range build.Defaults() {
		if exampleTools[name] == nil {
			t.Errorf("language %s: no tools named that its examples need", name)
		}
	}
	if _, err := os.Stat(filepath.Join(repository, "problems", "game.yaml")); err != nil {
		t.Errorf("the problem of the short test: %v", err)
	}
}
