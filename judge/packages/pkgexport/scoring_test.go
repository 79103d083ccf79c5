package pkgexport

import (
	"fmt"
	"strings"
	"testing"

	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/points"
	"tribunal/judge/internal/problem"
)

// TestDataFolders checks that folders of scored groups sort in case order, and that require_pass
// names the folders.
func TestDataFolders(t *testing.T) {
	t.Parallel()
	list := []cases.Case{{Name: "sample/a", Group: "sample"}, {Name: "g/x", Group: "g"}, {Name: "g/b", Group: "g"}, {Name: "h/y", Group: "h"}, {Name: "z/z", Group: "z"}}
	tree := func(first, second string) *points.Group {
		return &points.Group{Rule: points.ICPC2023{}, Groups: []*points.Group{
			{Name: "sample", Rule: points.ICPC2023{}, Cases: []int{0}},
			{Name: "secret", Rule: points.ICPC2023{}, Groups: []*points.Group{
				{Name: "secret/" + first, Rule: points.ICPC2023{}, Cases: []int{1, 2}},
				{Name: "secret/" + second, Rule: points.ICPC2023{Max: new(30.0), Requires: []string{"sample", "secret/" + first}}, Cases: []int{3, 4}},
			}},
		}}
	}
	for _, tt := range []struct{ why, first, second, want string }{
		{"names that sort in case order", "easy", "hard", "data: | data/sample: a | data/secret: | data/secret/easy: 01-x 02-b | data/secret/hard: y z max_score: 30 require_pass: [sample, secret/easy]"},
		{"names that do not sort in case order", "small", "large", "data: | data/sample: a | data/secret: | data/secret/01-small: 01-x 02-b | data/secret/02-large: y z max_score: 30 require_pass: [sample, secret/01-small]"},
	} {
		p := &plan{Job: &Job{Problem: &problem.Problem{Scoring: true, Groups: tree(tt.first, tt.second)}, Cases: list, Format: Kattis}}
		if err := p.Problem.Groups.Check(); err != nil {
			t.Fatal(err)
		}
		found, err := p.dataFolders()
		if err != nil {
			t.Fatal(err)
		}
		var words []string
		for _, f := range found {
			words = append(words, strings.TrimSpace(f.dir+": "+strings.Join(f.names, " ")+" "+strings.Join(strings.Fields(f.scoreSettings()), " ")))
		}
		if got := strings.Join(words, " | "); got != tt.want {
			t.Errorf("%s: got  %s\nwant %s", tt.why, got, tt.want)
		}
	}
}

// TestCheckScoring checks which formats accept which scoring rules.
func TestCheckScoring(t *testing.T) {
	t.Parallel()
	icpc2023 := &points.Group{Rule: points.ICPC2023{}}
	deep := &points.Group{Rule: points.ICPC2023{}, Groups: []*points.Group{{Name: "secret", Groups: []*points.Group{{Name: "secret/a", Groups: []*points.Group{{Name: "secret/a/b"}}}}}}}
	for _, tt := range []struct {
		why    string
		root   *points.Group
		accept map[Format]bool
	}{
		{"no points", nil, map[Format]bool{Kattis: true, Legacy: true, DOMjudge: true, Polygon: true, DMOJ: true, CMS: true}},
		{"ICPC 2023", icpc2023, map[Format]bool{Kattis: true, DMOJ: true, CMS: true}},
		{"groups nested too deep", deep, nil},
		{"legacy", &points.Group{Rule: points.Legacy{}}, map[Format]bool{Legacy: true}},
		{"Polygon's", &points.Group{Rule: points.Polygon{}}, map[Format]bool{Polygon: true, DMOJ: true, CMS: true}},
	} {
		for _, f := range All() {
			p := &plan{Job: &Job{Problem: &problem.Problem{ID: "p", Groups: tt.root, Scoring: tt.root != nil}, Format: f}, layout: f.layout()}
			if err := p.checkScoring(); (err == nil) != (tt.accept[f] || f == Pairs) {
				t.Errorf("%s: %s: %v", tt.why, f, err)
			}
		}
	}
}

// TestPointsForAllCases checks that Polygon's format has a group for points that only all cases together give.
func TestPointsForAllCases(t *testing.T) {
	t.Parallel()
	names := []string{"sample/1", "tests/1"}
	for share, want := range map[points.Share]string{
		{Best: 7}:                      "tests true [0 1]; ",
		{By: points.OfGroups, Best: 7}: "sample true [0]; tests true [1]; ",
	} {
		p := &plan{Job: &Job{Problem: &problem.Problem{Groups: share.Over(names)}}}
		got := ""
		for _, g := range p.pointed() {
			got += fmt.Sprintln(g.Name, g.Rule.(points.Polygon).Complete, g.Cases)
		}
		if got = strings.ReplaceAll(got, "\n", "; "); got != want {
			t.Errorf("%+v: %s, want %s", share, got, want)
		}
	}
}
