package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"tribunal/internal/tier"
	"tribunal/judge/cli"
	"tribunal/judge/internal/cache/cachetest"
	"tribunal/judge/internal/config"
)

// repository is the path of this repository.
const repository = ".."

// TestExamples judges examples of one problem, two from each folder of submissions, and checks that
// they get the verdicts of their folders. The whole of judge verify checks all examples of all
// problems.
func TestExamples(t *testing.T) {
	tier.T3(t, "examples of a problem of this repository")
	t.Setenv(config.CacheVariable, cachetest.Dir(t))
	root := t.TempDir()
	for _, name := range []string{"go.mod", "go.sum", "runner.yaml", "problems/game.yaml"} {
		text, err := os.ReadFile(filepath.Join(repository, name))
		if err == nil {
			err = writeTestFile(filepath.Join(root, name), string(text))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"cases/game", "reference/game", "reference/internal"} {
		if err := os.CopyFS(filepath.Join(root, name), os.DirFS(filepath.Join(repository, name))); err != nil {
			t.Fatal(err)
		}
	}
	submissions := filepath.Join("reference", "game", "submissions")
	folders, err := os.ReadDir(filepath.Join(root, submissions))
	if err != nil {
		t.Fatal(err)
	}
	for _, folder := range folders {
		entries, err := os.ReadDir(filepath.Join(root, submissions, folder.Name()))
		if err != nil {
			t.Fatal(err)
		}
		some := spread(entries, 2)
		for _, e := range entries {
			if slices.Contains(some, e) {
				continue
			}
			if err := os.RemoveAll(filepath.Join(root, submissions, folder.Name(), e.Name())); err != nil {
				t.Fatal(err)
			}
		}
	}
	var stdout, stderr bytes.Buffer
	code := execute(t.Context(), []string{"verify", "game", "--only", "examples", "--root", root, "--json"},
		cli.Stdio{In: bytes.NewReader(nil), Out: &stdout, Err: &stderr})
	var doc struct {
		Findings []struct{ File, Text string }
		Notes    []struct{ Text string }
		Problems []struct{ Examples, Unchecked int }
	}
	if err := json.Unmarshal(stdout.Bytes(), &doc); err != nil {
		t.Fatalf("judge verify: status %d, %v\n%s", code, err, &stderr)
	}
	for _, f := range doc.Findings {
		t.Errorf("%s: %s", f.File, f.Text)
	}
	for _, n := range doc.Notes {
		t.Log(n.Text)
	}
	if code != cli.ExitOK && !t.Failed() {
		t.Errorf("no findings, but exit status %d\n%s", code, &stderr)
	}
	if len(doc.Problems) != 1 || doc.Problems[0].Examples == 0 {
		t.Errorf("got %d problems %+v, want one problem with examples", len(doc.Problems), doc.Problems)
	}
}

// TestBeyond judges programs that rely on guarantees of the original statement of slink: at least
// two rows and columns, and puzzles that can be solved by its rules. The programs must be accepted
// on the required cases, and each case of the optional group beyond must fail at least one program.
func TestBeyond(t *testing.T) {
	tier.T3(t, "programs for the original of slink")
	t.Setenv(config.CacheVariable, cachetest.Dir(t))
	needs := map[string]string{"wrong_answer/original_rules.cpp": "g++", "wrong_answer/original_rules_until_done.c": "gcc", "run_time_error/at_least_two_rows.py": "python3"}
	failed := map[string]bool{} // whether a program fails the case of this name
	for name, tool := range needs {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("not checked: programs for the original of slink (%v)", err)
		}
		submission := filepath.Join(repository, "reference", "slink", "submissions", filepath.FromSlash(name))
		promised := gradeJSON(t, "slink", submission, "--limits", "cpu=10s,wall=5m")
		if promised.Verdict != "AC" {
			t.Errorf("%s: gets %s on %s, a required case", name, promised.Verdict, promised.First)
		}
		if tool == "gcc" {
			continue // takes too long on most cases of beyond
		}
		beyond := gradeJSON(t, "slink", submission, "--case", "beyond", "--all", "--limits", "wall=5m")
		for _, c := range beyond.Cases {
			failed[c.Name] = failed[c.Name] || c.Verdict != "AC"
		}
	}
	if len(failed) == 0 {
		t.Error("no cases in the group beyond")
	}
	for name, fails := range failed {
		if !fails {
			t.Errorf("%s: no program fails this case, so it belongs to a required group", name)
		}
	}
}

// graded is a submission in the JSON document of judge grade.
type graded struct {
	Verdict string
	First   string `json:"first_failure"`
	Cases   []struct{ Name, Verdict string }
}

// gradeJSON judges one submission on a problem of the repository.
func gradeJSON(t *testing.T, problem, submission string, flags ...string) graded {
	t.Helper()
	var stdout, stderr bytes.Buffer
	code := execute(t.Context(), append([]string{"grade", problem, submission, "--json", "--root", repository}, flags...),
		cli.Stdio{In: bytes.NewReader(nil), Out: &stdout, Err: &stderr})
	var doc struct{ Submissions []graded }
	if err := json.Unmarshal(stdout.Bytes(), &doc); err != nil || len(doc.Submissions) != 1 {
		t.Fatalf("judge grade %s %s: status %d, %v\n%s", problem, submission, code, err, &stderr)
	}
	return doc.Submissions[0]
}
