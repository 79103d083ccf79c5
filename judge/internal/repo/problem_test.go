package repo

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/verdict"
)

var update = flag.Bool("update", false, "rewrite the golden files")

const (
	head = "id: maze\ntitle: Maze\nsource: a contest\nlimits: {cpu: 1s, memory: 64MiB}\n"
	tail = "statement: |\n  Walk.\ninput: |\n  One maze.\noutput: |\n  The way.\n"
)

// repository writes files below a new root and returns it.
func repository(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, content := range files {
		file := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func TestLoad(t *testing.T) {
	t.Parallel()
	full := `id: marble
title: 2048
source: ICPC World Finals 2007, problem F
limits: {cpu: 20s, wall: 12s, memory: 1GiB, output: 1MiB, cpus: 2}
bounds: {N: [2, 40], M: [-1, 1600]}
compare: float
tolerance: {abs: 1e-6, rel: 0}
fold_case: true
spaces: true
checker: true
package: {format: legacy}
input_validators:
  - {name: b, protocol: testlib, args: [--n, 5]}
  - name: A.1_
answer_validators:
  - {name: c, args: [x]}
feedback: first
numbered: true
samples: [sample/statement, edge/1]
statement: |
  Roll.

  Well.
input: |
  Boards.
output: |
  Moves.
rulings:
  - Ties are free.
  - |
    A long one.
`
	root := repository(t, map[string]string{
		"problems/maze.yaml": head + tail, "problems/marble.yaml": full,
		"reference/marble/submissions/wrong_answer/b.py": "", "reference/marble/submissions/accepted/a.c": "", "reference/marble/submissions/accepted/a.c~": "",
		"reference/marble/submissions/notes/c.py": "", "reference/marble/submissions/README": "",
	})
	tests := []struct {
		why  string
		want problem.Problem
	}{
		{"everything", problem.Problem{
			ID: "marble", Title: "2048", Source: "ICPC World Finals 2007, problem F", Origin: "legacy", LenientAnswers: true,
			Limits:  limits.Limits{CPU: 20 * time.Second, Wall: 12 * time.Second, Memory: limits.GiB, Output: limits.MiB, CPUs: 2},
			Bounds:  []problem.Bound{{Name: "N", Lo: 2, Hi: 40, Line: 5}, {Name: "M", Lo: -1, Hi: 1600, Line: 5}},
			Compare: diff.Options{Mode: diff.Float, Abs: 1e-6, FoldCase: true, Spaces: true}, Feedback: problem.FeedbackFirst, Numbered: true,
			Samples: []string{"sample/statement", "edge/1"}, Open: []string{"sample/statement", "edge/1"},
			Validator: &problem.Validator{Program: "reference/marble/check", Protocol: problem.ICPC},
			InputValidators: []problem.InputValidator{
				{Name: "b", Program: "reference/marble/input_validators/b", Protocol: problem.Testlib, Flags: []string{"--n", "5"}},
				{Name: "A.1_", Program: "reference/marble/input_validators/A.1_", Protocol: problem.ICPC},
			},
			AnswerValidators: []problem.InputValidator{
				{Name: "c", Program: "reference/marble/answer_validators/c", Protocol: problem.Answers, Flags: []string{"x"}},
			},
			Statement: "Roll.\n\nWell.\n", Input: "Boards.\n", Output: "Moves.\n", Rulings: []string{"Ties are free.", "A long one.\n"},
			Submissions: []problem.Submission{
				{Path: "reference/marble/submissions/accepted/a.c", Expect: problem.Expect{Final: verdict.SetOf(verdict.AC), From: "its folder"}},
				{Path: "reference/marble/submissions/wrong_answer/b.py", Expect: problem.Expect{Final: verdict.SetOf(verdict.WA), From: "its folder"}},
			},
		}},
		{"defaults", problem.Problem{
			ID: "maze", Title: "Maze", Source: "a contest",
			Limits:  limits.Limits{CPU: time.Second, Memory: 64 * limits.MiB, Output: 64 * limits.MiB, CPUs: 1},
			Compare: diff.Options{Mode: diff.Exact}, Statement: "Walk.\n", Input: "One maze.\n", Output: "The way.\n",
		}},
	}
	for _, tt := range tests {
		got, err := Load(root, tt.want.ID)
		if err != nil {
			t.Errorf("%s: %v", tt.why, err)
			continue
		}
		bare := Bare(root, tt.want.ID)
		tt.want.Path, tt.want.Root = filepath.Join(root, "problems", tt.want.ID+".yaml"), root
		tt.want.Reference, tt.want.Generator, tt.want.Brute, tt.want.Check, tt.want.Draw = bare.Reference, bare.Generator, bare.Brute, bare.Check, bare.Draw
		if d := cmp.Diff(&tt.want, got, cmpopts.IgnoreFields(problem.Problem{}, "Read", "Beside", "Files", "Place")); d != "" {
			t.Errorf("%s:\n%s", tt.why, d)
		}
	}
}

func TestLoadErrors(t *testing.T) {
	t.Parallel()
	tests := []struct{ why, data, want string }{
		{"an empty file", "", `1: empty document`},
		{"a misspelt key", head + "boundz: {N: [1, 2]}\n" + tail, `5: unknown field "boundz" (hint: did you mean "bounds"?)`},
		{"an unknown limit", strings.Replace(head, "memory", "mem", 1) + tail, `4: limits: unknown field "mem" (hint: the fields are cpu, wall, memory, output, cpus, code, compilation_time, compilation_memory, validation_passes, validation_time, validation_memory, validation_output)`},
		{"a key twice", head + head + tail, `5: duplicate key "id" (hint: the first is on line 1)`},
		{"no limits", strings.Replace(head, "limits: {cpu: 1s, memory: 64MiB}\n", "", 1) + tail, `1: missing key "limits" (hint: what one run may use)`},
		{"no memory limit", strings.Replace(head, ", memory: 64MiB", "", 1) + tail, `4: limits: missing key "memory" (hint: peak memory of the whole process tree, such as 64MiB)`},
		{"a bare number of seconds", strings.Replace(head, "1s", "20", 1) + tail, `4: cpu: 20 has no unit (hint: did you mean 20s?)`},
		{"a bare number of bytes", strings.Replace(head, "64MiB", "64", 1) + tail, `4: memory: 64 has no unit (hint: did you mean 64MiB?)`},
		{"decimal megabytes", strings.Replace(head, "64MiB", "64MB", 1) + tail, `4: memory: size "64MB" has an unknown unit "MB" (hint: the units are B, KiB, MiB, GiB)`},
		{"no time at all", strings.Replace(head, "1s", "0s", 1) + tail, `4: cpu: want at least 1ms, found 0s`},
		{"negative time", strings.Replace(head, "1s", "-1s", 1) + tail, `4: cpu: time "-1s" is not a positive number with a unit (hint: write it like 1s, 300ms or 2m)`},
		{"more than a day", strings.Replace(head, "1s", "1s, wall: 25h", 1) + tail, `4: wall: want at most 24h, found 25h`},
		{"no output at all", strings.Replace(head, "1s", "1s, output: 0B", 1) + tail, `4: output: want at least 1B, found 0B`},
		{"no CPU", strings.Replace(head, "1s", "1s, cpus: 0", 1) + tail, `4: cpus: want at least 1, found 0`},
		{"more CPUs than hosts have", strings.Replace(head, "1s", "1s, cpus: 1025", 1) + tail, `4: cpus: want at most 1024, found 1025`},
		{"id and file name differ", strings.Replace(head, "maze", "mase", 1) + tail, `1: id mase does not match the file name (hint: write id: maze, or rename the file)`},
		{"an id with a slash", strings.Replace(head, "maze", "../maze", 1) + tail, `1: id: bad form "../maze" (hint: it must match [a-z0-9][a-z0-9-]*)`},
		{"an empty title", strings.Replace(head, "Maze", "''", 1) + tail, `2: title: empty text (hint: name of the problem)`},
		{"bounds in the wrong order", head + "bounds:\n  N: [1, 2]\n  M: [2, 1]\n" + tail, `7: bounds: M: 2 is larger than 1 (hint: write [smallest, largest])`},
		{"one bound", head + "bounds: {N: [1]}\n" + tail, `5: N: want a list of 2, found one of 1`},
		{"an unknown comparison", head + "compare: tokenz\n" + tail, `5: compare: want one of exact, lines, tokens, float, found "tokenz" (hint: did you mean "tokens"?)`},
		{"float without a tolerance", head + "compare: float\n" + tail, `5: compare: float without a tolerance (hint: add tolerance: {abs: 1e-6, rel: 1e-6})`},
		{"float with a negative tolerance", head + "compare: float\ntolerance: {abs: -1}\n" + tail, `6: abs: want at least 0, found -1`},
		{"a tolerance without float", head + "tolerance: {abs: 1e-6}\n" + tail, `5: tolerance with compare: exact (hint: write compare: float, or leave the tolerance out)`},
		{"fold_case where bytes are compared", head + "fold_case: true\n" + tail, `5: fold_case with compare: exact (hint: write compare: tokens, or leave it out)`},
		{"spaces where bytes are compared", head + "spaces: true\n" + tail, `5: spaces with compare: exact (hint: write compare: tokens, or leave it out)`},
		{"a checker beside output validators", head + "checker: true\noutput_validators: [{name: a}]\n" + tail, `5: both checker and output_validators (hint: leave one of them out)`},
		{"an unknown protocol", head + "output_validators: [{name: a, protocol: kattis}]\n" + tail, `5: protocol: want one of icpc, testlib, found "kattis"`},
		{"two validators with the same name", head + "input_validators:\n  - name: a\n  - name: a\n" + tail, `7: two validators are called a (hint: each validator has a folder and a name of its own)`},
		{"an answer validator of testlib's", head + "answer_validators:\n  - {name: a, protocol: testlib}\n" + tail, `6: testlib has no protocol for answer validators (hint: leave it out)`},
		{"a validator in another folder", head + "output_validators: [{name: ../a}]\n" + tail, `5: name: bad form "../a" (hint: it must match [A-Za-z0-9_][A-Za-z0-9_.-]*)`},
		{"no validator to talk to", head + "type: [interactive]\n" + tail, `5: interactive without an output validator (hint: add output_validators: [{name: …}])`},
		{"a checker cannot request another pass", head + "type: [multi-pass]\nchecker: true\n" + tail, `5: multi-pass without an output validator (hint: add output_validators: [{name: …}])`},
		{"testlib cannot request another pass", head + "type: [multi-pass]\noutput_validators: [{name: a, protocol: testlib}]\n" + tail, `5: multi-pass with the protocol testlib, in which a validator cannot request another pass (hint: use a validator with the protocol icpc)`},
		{"two interactors", head + "type: [interactive]\noutput_validators: [{name: a}, {name: b}]\n" + tail, `6: several output validators of a problem that is interactive (hint: combine them into one)`},
		{"an interactor with two validators after it", head + "type: [interactive]\noutput_validators: [{name: a, protocol: testlib}, {name: b}, {name: c}]\n" + tail, `6: several output validators of a problem that is interactive (hint: combine them into one)`},
		{"passes of a problem that is not multi-pass", strings.Replace(head, "limits: {", "limits: {validation_passes: 3, ", 1) + tail, `4: validation_passes of a problem that is not multi-pass (hint: add type: [multi-pass], or leave it out)`},
		{"one pass", strings.Replace(head, "limits: {", "limits: {validation_passes: 1, ", 1) + tail, `4: validation_passes: want at least 2, found 1`},
		{"an unknown type", head + "type: [interactiv]\n" + tail, `5: type: want one of pass-fail, scoring, interactive, multi-pass, found "interactiv" (hint: did you mean "interactive"?)`},
		{"a statement in another folder", head + "statements: [{language: de, file: ../a.md}]\n" + tail, `5: file: bad form "../a.md" (hint: it must match [A-Za-z0-9_][A-Za-z0-9_.-]*(/[A-Za-z0-9_][A-Za-z0-9_.-]*)*)`},
		{"a malformed uuid", head + "uuid: x\n" + tail, `5: uuid: bad form "x" (hint: it must match [0-9A-Fa-f-]{36})`},
		{"languages that are not a list", head + "languages: c cpp\n" + tail, `5: languages: want a list, found the text "c cpp"`},
		{"a key of an older version", head + "package: {format: legacy, validator: icpc}\n" + tail, `5: package: unknown field "validator" (hint: the fields are format)`},
		{"a sample that is not group/name", head + "samples: [statement]\n" + tail, `5: samples: bad form "statement" (hint: it must match [a-z0-9][a-z0-9-]*/[a-z0-9][a-z0-9-]*)`},
		{"a sample twice", head + "samples: [sample/a, sample/a]\n" + tail, `5: samples: sample/a is listed twice`},
		{"an empty statement", head + strings.Replace(tail, "|\n  Walk.", "''", 1), `5: statement: empty text (hint: the task, in Markdown)`},
		{"CRLF", strings.ReplaceAll(head, "\n", "\r\n") + tail, `1: CRLF line ends; expected outputs would be wrong (hint: save the file with LF line ends, or, if git made them, write "* -text" to .gitattributes and check the files out again)`},
		{"a second document", head + tail + "---\n" + head, `11: a second document begins here (hint: keep one document in a file and nothing after its ...)`},
	}
	for _, tt := range tests {
		root := repository(t, map[string]string{"problems/maze.yaml": tt.data})
		_, err := Load(root, "maze")
		want := filepath.Join(root, "problems/maze.yaml") + ":" + tt.want
		if err == nil || err.Error() != want {
			t.Errorf("%s:\ngot  %v\nwant %s", tt.why, err, want)
		}
	}
}

func TestUnknown(t *testing.T) {
	t.Parallel()
	root := repository(t, map[string]string{"problems/maze.yaml": "", "problems/marble.yaml": "", "problems/.#maze.yaml": "", "problems/notes.md": "", "x.yaml": ""})
	tests := []struct{ id, want, why string }{
		{"marbel", `unknown problem "marbel" (hint: did you mean marble? known: marble, maze)`, "near to a known id"},
		{"slink", `unknown problem "slink" (hint: known: marble, maze)`, "not near to a known id"},
		{"../x", `unknown problem "../x" (hint: known: marble, maze)`, "a file outside of problems"},
		{"", `unknown problem "" (hint: known: marble, maze)`, "an empty id"},
	}
	for _, tt := range tests {
		if _, err := Load(root, tt.id); err == nil || err.Error() != tt.want {
			t.Errorf("%s: got %v, want %s", tt.why, err, tt.want)
		}
	}
}

func TestList(t *testing.T) {
	t.Parallel()
	tests := []struct {
		why   string
		files map[string]string
		want  string // the ids, or the error after the path of the root
	}{
		{"sorted, other files left out", map[string]string{"problems/maze.yaml": "", "problems/a-1.yaml": "", "problems/.x.yaml": "", "problems/x.md": ""}, "a-1 maze"},
		{"no folder", nil, "/problems: no such folder (hint: run this at the top of the repository)"},
		{"no problems", map[string]string{"problems/x.md": ""}, "/problems: no problems (hint: judge new begins one)"},
		{"a file that nobody would read", map[string]string{"problems/x.yml": ""}, "/problems/x.yml: not read as a problem (hint: problem files end in .yaml)"},
		{"a name that cannot be an id", map[string]string{"problems/X.yaml": ""}, `/problems/X.yaml: bad problem id "X" (hint: it must match [a-z0-9][a-z0-9-]*)`},
		{"a file in place of the folder", map[string]string{"problems": ""}, "/problems: not a directory"},
	}
	for _, tt := range tests {
		root := repository(t, tt.files)
		ids, err := List(root)
		got := strings.Join(ids, " ")
		if err != nil {
			got = strings.ReplaceAll(strings.TrimPrefix(err.Error(), root), root, "ROOT")
		}
		if got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.why, got, tt.want)
		}
	}
}

func TestSchemaGolden(t *testing.T) {
	t.Parallel()
	got, err := Schema()
	if err != nil {
		t.Fatal(err)
	}
	const golden = "testdata/schema.json"
	if *update {
		if err := os.WriteFile(golden, got, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(string(got), "\n")); d != "" {
		t.Error(d)
	}
}

func FuzzDecodeProblem(f *testing.F) {
	f.Add([]byte(head + "bounds: {N: [2, 40]}\ncompare: float\ntolerance: {abs: 1e-6}\nsamples: [sample/a]\nrulings: [12]\n" + tail))
	f.Add([]byte("limits: &a {cpu: *a}\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := parse("", "problems/maze.yaml", data)
		if err != nil {
			if s := err.Error(); !strings.HasPrefix(s, "problems/maze.yaml:") || strings.ContainsAny(s, "\n\r\x00\x1b") || !utf8.ValidString(s) {
				t.Errorf("unfit message %q", s)
			}
			return
		}
		l := p.Limits
		if p.ID != "maze" || l.CPU <= 0 || l.CPU > 24*time.Hour || l.Wall < 0 || l.Memory <= 0 || l.Output <= 0 || l.CPUs < 1 || l.CPUs > 1024 {
			t.Errorf("problem breaks its contract: %+v", p)
		}
		if c := p.Compare; (c.Mode == diff.Float) != (c.Abs != 0 || c.Rel != 0) {
			t.Errorf("compare is %+v", c)
		}
	})
}
