package repo

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tribunal/judge/internal/points"
	"tribunal/judge/internal/verdict"
)

func TestScoringErrors(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ why, data, want string }{
		{"no scoring", "type: [scoring]\n", "5: type scoring without the key scoring, which defines the points (hint: add scoring: {groups: …})"},
		{"another type", "scoring: {groups: [{name: secret/a}]}\n", "5: the key scoring, but type is not scoring (hint: add type: [scoring])"},
		{"both pass-fail and scoring", "type: [pass-fail, scoring]\nscoring: {groups: [{name: secret/a}]}\n", "5: both pass-fail and scoring (hint: leave one of them out)"},
		{"rules that make no verdicts", "type: [pass-fail]\nscoring: {groups: [{name: secret/a}]}\n", "6: the key scoring, but type is not scoring (hint: add type: [scoring])"},
		{"points of a group without points", "type: [pass-fail]\nscoring:\n  rules: legacy\n  groups:\n    - {name: secret/a, range: [0, 1]}\n", "9: range does not belong to these rules (hint: these rules have on_reject, grader_flags)"},
		{"a grader without points", "type: [pass-fail]\nscoring:\n  rules: legacy\n  grader: g\n  groups:\n    - {name: secret/a, grading: custom}\n", "8: grader in a problem without points (hint: leave it out, or write type: [scoring])"},
		{"no groups", "type: [scoring]\nscoring: {groups: []}\n", "6: groups: empty list"},
		{"a key of other rules", "type: [scoring]\nscoring:\n  groups:\n    - {name: secret/a, range: [0, 1]}\n", "8: range does not belong to these rules (hint: these rules have require_pass, max_score, score_aggregation)"},
		{"an objective of other rules", "type: [scoring]\nscoring:\n  objective: min\n  groups:\n    - {name: secret/a}\n", "7: objective does not belong to these rules (hint: add rules: legacy, or leave it out)"},
		{"a minimum with Polygon's rules", "type: [scoring]\nscoring:\n  rules: polygon\n  groups:\n    - {name: a, score_aggregation: min}\n", "9: these rules have no min (hint: write sum or pass-fail)"},
		{"not a number", "type: [scoring]\nscoring:\n  groups:\n    - {name: secret/a, max_score: lots}\n", `8: max_score: "lots" is not a number of points (hint: write it like 30 or 0.5, or inf)`},
		{"NaN", "type: [scoring]\nscoring:\n  groups:\n    - {name: secret/a, max_score: nan}\n", `8: max_score: "nan" is not a number of points (hint: write it like 30 or 0.5, or inf)`},
		{"unknown flags", "type: [scoring]\nscoring:\n  rules: legacy\n  groups:\n    - {name: secret/a, grader_flags: [max, mni]}\n", `9: unknown grader flag "mni" (hint: the default grader knows `},
		{"no grader", "type: [scoring]\nscoring:\n  rules: legacy\n  groups:\n    - {name: secret/a, grading: custom}\n", "7: grading: custom without a grader (hint: add grader: NAME)"},
		{"a grader that no group uses", "type: [scoring]\nscoring:\n  rules: legacy\n  grader: g\n  groups:\n    - {name: secret/a}\n", "8: a grader that no group uses (hint: write grading: custom in a group)"},
		{"a group twice", "type: [scoring]\nscoring:\n  groups:\n    - {name: secret/a}\n    - {name: secret/a}\n", `9: two groups are called "secret/a"`},
		{"cases twice", "type: [scoring]\nscoring:\n  groups:\n    - {name: secret/x, cases: [a]}\n    - {name: secret/y, cases: [a]}\n", "9: the cases of a are in two groups"},
		{"cases in no group", "type: [scoring]\nscoring:\n  groups:\n    - {name: secret/a}\n", "7: the cases of b are in no group (hint: add b to the cases of one)"},
		{"no such cases", "type: [scoring]\nscoring:\n  groups:\n    - {name: secret/a, cases: [a, bb]}\n", "8: there is no group of cases bb (hint: they are sample, a, b)"},
		{"points that do not add up", "type: [scoring]\nscoring:\n  groups:\n    - {name: secret/a, max_score: 30}\n    - {name: secret/b, max_score: 80}\n", "6: secret: it has 100 points, but the groups in it need 110"},
		{"a required group that comes later", "type: [scoring]\nscoring:\n  groups:\n    - {name: secret/a, max_score: 30, require_pass: [secret/b]}\n    - {name: secret/b, max_score: 70}\n", "6: secret/a: it requires secret/b, which comes later"},
		{"two validators that give scores", "type: [scoring]\noutput_validators: [{name: a}, {name: b}]\nscoring: {groups: [{name: secret/a}]}\n", "6: several output validators of a scoring problem, whose scores cannot be combined (hint: combine them into one)"},
	} {
		root := repository(t, map[string]string{
			"problems/maze.yaml":     head + tt.data + tail,
			"cases/maze/sample.yaml": "cases:\n  - name: a\n    input: x\n...\n",
			"cases/maze/a.yaml":      "cases:\n  - name: a\n    input: y\n...\n",
			"cases/maze/b.yaml":      "cases:\n  - name: a\n    input: z\n...\n",
		})
		_, err := Load(root, "maze")
		want := root + "/problems/maze.yaml:" + tt.want
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s:\ngot  %v\nwant %s", tt.why, err, want)
		}
	}
	root := repository(t, map[string]string{
		"problems/maze.yaml":     head + "type: [scoring]\nscoring: {groups: [{name: secret/a, max_score: 30}, {name: secret/b, require_pass: [secret/a]}]}\n" + tail,
		"cases/maze/sample.yaml": "cases:\n  - name: a\n    input: x\n...\n",
		"cases/maze/a.yaml":      "cases:\n  - name: a\n    input: y\n...\n",
		"cases/maze/b.yaml":      "note: n\noptional: true\ncases:\n  - name: a\n    input: z\n...\n",
	})
	if _, err := Load(root, "maze"); err == nil || err.Error() != root+"/problems/maze.yaml:6: the group b is optional, but points count all cases (hint: leave optional out of its file)" {
		t.Errorf("an optional group: %v", err)
	}
	if err := os.WriteFile(filepath.Join(root, "cases/maze/b.yaml"), []byte("cases:\n  - name: a\n    input: z\n...\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	p, err := Load(root, "maze")
	if err != nil {
		t.Fatal(err)
	}
	all, err := p.Groups.Add([]points.Result{{Verdict: verdict.AC}, {Verdict: verdict.AC}, {Verdict: verdict.WA}}, nil)
	if err != nil || all.Points != 30 || all.Best != 100 {
		t.Errorf("groups that the document does not name: %+v, %v", all, err)
	}
	if err := os.WriteFile(filepath.Join(root, "problems/maze.yaml"), []byte(head+"type: [pass-fail]\nscoring: {rules: legacy, groups: [{grader_flags: [ignore_sample]}, {name: secret, cases: [a, b], on_reject: continue}]}\n"+tail), 0o666); err != nil {
		t.Fatal(err)
	}
	if p, err = Load(root, "maze"); err != nil {
		t.Fatal(err)
	}
	all, err = p.Groups.Add([]points.Result{{Verdict: verdict.AC}, {Verdict: verdict.WA}, {Verdict: verdict.RTE}}, nil)
	if err != nil || p.Scoring || all.Verdict != verdict.RTE {
		t.Errorf("groups without points: %+v, %v, points %v", all, err, p.Scoring)
	}
}
