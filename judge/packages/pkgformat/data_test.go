package pkgformat

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tribunal/judge/packages/draft"
)

func TestData(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why     string
		archive string
		facts   string
		notes   string
	}{
		{
			why: "sample comes first, and in a folder cases and groups are sorted by name without extension",
			archive: `
-- problem.yaml --
-- data/secret/10.in --
-- data/secret/10.ans --
-- data/secret/2.in --
-- data/secret/2.ans --
-- data/secret/a-b.in --
-- data/secret/a-b.ans --
-- data/secret/a.in --
-- data/secret/a.ans --
-- data/secret/5/x.in --
-- data/secret/5/x.ans --
-- data/secret/5/y/z.in --
-- data/secret/5/y/z.ans --
-- data/sample/zz.in --
-- data/sample/zz.ans --
-- data/secret/A.in --
-- data/secret/A.ans --
`,
			facts: `
case sample/zz
case secret/10
case secret/2
case secret/5/x in secret/5: data/secret/5/x.in data/secret/5/x.ans
case secret/5/y/z in secret/5/y: data/secret/5/y/z.in data/secret/5/y/z.ans
case secret/A
case secret/a
case secret/a-b
`,
		},
		{
			why: "legacy: the flags of the problem come first, then those of the innermost group with flags",
			archive: `
-- problem.yaml --
validator_flags: case_sensitive 'a b'
-- data/testdata.yaml --
output_validator_flags: float_tolerance 1e-6
input_validator_flags: --all
-- data/sample/1.in --
-- data/sample/1.ans --
-- data/secret/g/testdata.yaml --
output_validator_flags: space_change_sensitive
-- data/secret/g/1.in --
-- data/secret/g/1.ans --
-- data/secret/g/h/testdata.yaml --
input_validator_flags: {name: check, flags: -n 5}
-- data/secret/g/h/1.in --
-- data/secret/g/h/1.ans --
`,
			facts: `
case sample/1 args [] input {["--all"] map[]} output ["case_sensitive" "a b" "float_tolerance" "1e-6"]
case secret/g/1 args [] input {["--all"] map[]} output ["case_sensitive" "a b" "space_change_sensitive"]
case secret/g/h/1 args [] input {[] map["check":["-n" "5"]]} output ["case_sensitive" "a b" "space_change_sensitive"]
`,
		},
		{
			why: "a group selects one of several output validators, and an inner group all of them again",
			archive: `
-- problem.yaml --
validation: custom
validator_flags: -x
-- output_validators/a.py --
-- output_validators/b/b.py --
-- data/testdata.yaml --
output_validator_flags: {name: a, flags: -y z}
-- data/secret/1.in --
-- data/secret/1.ans --
-- data/secret/g/testdata.yaml --
output_validator_flags: -w
-- data/secret/g/1.in --
-- data/secret/g/1.ans --
`,
			facts: `
case secret/1 args [] input {[] map[]} output ["-x" "-y" "z"]
case secret/1 validated by a
case secret/g/1 args [] input {[] map[]} output ["-x" "-w"]
`,
		},
		{
			why: "without settings of groups, every case has the flags of the problem",
			archive: `
-- problem.yaml --
validator_flags: float_tolerance 1e-4
-- data/secret/1.in --
-- data/secret/1.ans --
`,
			facts: `case secret/1 args [] input {[] map[]} output ["float_tolerance" "1e-4"]`,
		},
		{
			why: "the later formats have lists of arguments, a YAML file for each case, and constants in arguments",
			archive: `
-- problem.yaml --
problem_format_version: 2025-09
name: X
constants: {eps: 1e-5, other: '{{eps}}'}
-- data/secret/test_group.yaml --
args: [a b, '{{other}}']
output_validator_args: [float_tolerance, '{{eps}}']
input_validator_args: {v.py: [x], w: []}
full_feedback: true
-- data/secret/1.in --
-- data/secret/1.ans --
-- data/secret/2.in --
-- data/secret/2.ans --
-- data/secret/2.yaml --
args: [c]
output_validator_args: [case_sensitive]
input_validator_args: [y]
answer_validator_args: {w.py: [-a]}
hint: think
description: an edge
-- data/secret/2.files/data.txt --
-- data/secret/2.files/in/ner.txt --
-- data/secret/2.files/.hidden --
-- data/secret/3.in --
-- data/secret/3.ans --
-- data/secret/3.args --
--n 5
-- data/secret/3.hint --
-- data/secret/3.desc --
-- data/secret/3.interaction --
`,
			facts: `
case secret/1 args ["a b" "{{eps}}"] input {[] map["v.py":["x"] "w":[]]} output ["float_tolerance" "1e-5"]
case secret/2 args ["c"] input {["y"] map[]} output ["case_sensitive"]
case secret/2 answer {[] map["w.py":["-a"]]}
case secret/2 has data/secret/2.files
case secret/2 has think
case secret/2 has an edge
case secret/2 has the file data.txt
case secret/2 has the file in/ner.txt
!case secret/2 has the file .hidden
case secret/3 args ["--n" "5"] input {[] map["v.py":["x"] "w":[]]} output ["float_tolerance" "1e-5"]
case secret/3 has data/secret/3.interaction
case secret/3 has data/secret/3.hint
case secret/3 has data/secret/3.desc
`,
		},
		{
			why: "cases that test validators are not among the cases to judge, and need no notes",
			archive: `
-- problem.yaml --
problem_format_version: 2025-09
name: X
-- data/secret/1.in --
-- data/secret/1.ans --
-- data/secret/1.out --
-- data/invalid_input/g/a.in --
-- data/invalid_answer/b.in --
-- data/invalid_answer/b.ans --
-- data/invalid_output/c.in --
-- data/invalid_output/c.ans --
-- data/invalid_output/c.out --
-- data/valid_output/d.in --
-- data/valid_output/d.ans --
-- data/valid_output/d.out --
`,
			facts: `
case secret/1
!case invalid_output/c
`,
		},
	} {
		t.Run(tt.why, func(t *testing.T) {
			t.Parallel()
			p := readPackage(t, unpack(t, tt.archive))
			wantFacts(t, p, tt.facts)
			wantNotes(t, p, tt.notes)
		})
	}
}

func TestSpecialData(t *testing.T) {
	t.Parallel()
	p := readPackage(t, unpack(t, `
-- problem.yaml --
-- data/secret/1.in --
-- data/secret/1.ans --
-- data/secret/1.out --
-- data/invalid_input/g/a.in --
-- data/invalid_answer/b.in --
-- data/invalid_answer/b.ans --
-- data/invalid_output/c.in --
-- data/invalid_output/c.ans --
-- data/invalid_output/c.out --
-- data/valid_output/d.in --
-- data/valid_output/d.ans --
-- data/valid_output/d.out --
`))
	wantFacts(t, p, "invalid_input invalid_input/g/a: data/invalid_input/g/a.in")
	wantFacts(t, p, "invalid_answer invalid_answer/b: data/invalid_answer/b.in data/invalid_answer/b.ans")
	wantFacts(t, p, "invalid_output invalid_output/c: data/invalid_output/c.in data/invalid_output/c.ans data/invalid_output/c.out")
	wantFacts(t, p, "valid_output valid_output/d: data/valid_output/d.in data/valid_output/d.ans data/valid_output/d.out")
	if got := caseOf(p, "secret/1").Output; got != "" {
		t.Errorf("a .out file beside an ordinary case is an output to validate: %s", got)
	}
	if caseOf(p, "valid_output/d") != nil {
		t.Error("a case that tests validators is among the cases for submissions")
	}
}

func TestSettings(t *testing.T) {
	t.Parallel()
	p := readPackage(t, unpack(t, `
-- problem.yaml --
type: scoring
grading: {accept_score: 5, range: 0 100}
-- data/testdata.yaml --
on_reject: continue
grader_flags: first_error sum
-- data/secret/testdata.yaml --
range: 0 +inf
score_aggregation: sum
max_score: 40
-- data/secret/a/testdata.yaml --
on_reject: break
accept_score: 10
reject_score: -1
-- data/secret/a/1.in --
-- data/secret/a/1.ans --
-- data/secret/b/test_group.yaml --
max_score: unbounded
score_aggregation: min
require_pass: sample
static_validation_score: 3
-- data/secret/b/1.in --
-- data/secret/b/1.ans --
-- data/secret/c/test_group.yaml --
scoring: {score: 7, aggregation: pass-fail, require_pass: [sample, secret/a]}
-- data/secret/c/1.in --
-- data/secret/c/1.ans --
`))
	secret := p.Data.Groups[0]
	a, b, c := secret.Groups[0].Settings, secret.Groups[1].Settings, secret.Groups[2].Settings
	notes := sortedNotes(p)
	for _, tt := range []struct {
		why string
		ok  bool
	}{
		{"the groups are a tree", secret.Name == "secret" && secret.Groups[0].Name == "secret/a" && len(secret.Groups) == 3},
		{"a group has its cases", secret.Groups[1].Cases[0] == caseOf(p, "secret/b/1")},
		{"a group inherits the settings of problem.yaml", *secret.Settings.AcceptScore == 5 && *b.AcceptScore == 5},
		{"a group overrides inherited settings", a.OnReject == "break" && *a.AcceptScore == 10 && *a.RejectScore == -1},
		{"legacy keys are inherited one by one", b.OnReject == "continue" && len(a.GraderFlags) == 2},
		{"ranges may be infinite", b.Range[0] == 0 && b.Range[1] > 1e300},
		{"max_score is a number", *secret.Settings.MaxScore == 40 && secret.Settings.Aggregation == "sum"},
		{"the settings about points of the later formats are not inherited", a.MaxScore == nil && a.Aggregation == "" && a.Static == ""},
		{"max_score is unbounded", b.Unbounded && b.MaxScore == nil && b.Aggregation == "min"},
		{"require_pass names one group", len(b.RequirePass) == 1 && b.RequirePass[0] == "sample"},
		{"the score of static validation is read", b.Static == "3"},
		{"static validation and keys of other formats are noted, each once", slices.Equal(notes, []string{
			"hello/data/secret/b/test_group.yaml:4: static validation is not supported",
			"hello/data: max_score does not affect points in the format legacy: data/secret/testdata.yaml and 1 more",
			"hello/data: require_pass does not affect points in the format legacy: data/secret/b/test_group.yaml",
			"hello/data: score_aggregation does not affect points in the format legacy: data/secret/testdata.yaml and 1 more",
		})},
		{"the draft's mapping scoring is read", *c.MaxScore == 7 && c.Aggregation == "pass-fail" && len(c.RequirePass) == 2},
	} {
		if !tt.ok {
			t.Errorf("false: %s\na %+v\nb %+v\nc %+v\n%q", tt.why, a, b, c, notes)
		}
	}
}

// sortedNotes returns the notes about a package, sorted, without the path of the parent folder.
func sortedNotes(p *draft.Draft) []string {
	var notes []string
	for _, n := range p.Notes {
		notes = append(notes, strings.TrimPrefix(n, filepath.Dir(p.Path)+"/"))
	}
	slices.Sort(notes)
	return notes
}

// TestSettingsOfLegacy checks that legacy keys about points get a note in the later formats if they
// do not affect points there. Kattis' and DOMjudge's tools know no others in 2023-07.
func TestSettingsOfLegacy(t *testing.T) {
	t.Parallel()
	const data = `
-- data/testdata.yaml --
on_reject: continue
-- data/secret/a/testdata.yaml --
on_reject: break
-- data/secret/a/1.in --
-- data/secret/a/1.ans --
`
	for head, want := range map[string][]string{
		"problem_format_version: 2023-07-draft\ntype: scoring\n":                                                  nil,
		"problem_format_version: 2025-09\ntype: scoring\n":                                                        {"hello/data: on_reject does not affect points in the format 2025-09: data/testdata.yaml and 1 more"},
		"problem_format_version: 2023-07-draft\ntype: scoring\n-- data/secret/b/testdata.yaml --\nmax_score: 5\n": {"hello/data: on_reject does not affect points in the format 2023-07: data/testdata.yaml and 1 more"},
		"problem_format_version: 2023-07-draft\n":                                                                 nil, // not a scoring problem
		"type: scoring\n": nil,
	} {
		p := readPackage(t, unpack(t, "-- problem.yaml --\nname: x\n"+head+data[1:]))
		if notes := slices.DeleteFunc(sortedNotes(p), func(n string) bool { return !strings.Contains(n, "on_reject") }); !slices.Equal(notes, want) {
			t.Errorf("%q: %q, want %q", head, notes, want)
		}
	}
}

func TestInputArgs(t *testing.T) {
	t.Parallel()
	all := draft.InputArgs{All: []string{"x"}}
	by := draft.InputArgs{By: map[string][]string{"v": {"y"}, "u": {"z"}, "u.py": {"z", "z"}}}
	if got := all.Of("v"); len(got) != 1 || got[0] != "x" {
		t.Errorf("arguments for all validators: got %q for one of them", got)
	}
	if got := by.Of("v"); len(got) != 1 || got[0] != "y" {
		t.Errorf("arguments by validator: got %q", got)
	}
	if got := by.Of("input_validators/v.py"); len(got) != 1 || got[0] != "y" {
		t.Errorf("a key without the extension: got %q", got)
	}
	if got := by.Of("input_validators/u.py"); len(got) != 2 {
		t.Errorf("keys with and without the extension: got %q, want those of the key with it", got)
	}
	if got := by.Of("w"); got != nil {
		t.Errorf("a validator without a key: got %q, want none", got)
	}
}
