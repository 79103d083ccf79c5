package points

import (
	"fmt"
	"strings"
	"testing"

	"tribunal/judge/internal/verdict"
)

// TestShare checks the points of submissions, and of their groups, for what people write.
func TestShare(t *testing.T) {
	t.Parallel()
	names := strings.Fields("easy/1 easy/2 hard/1 hard/2 hard/3 hard/4")
	for _, tt := range []struct {
		why, text, passed string // a + for each case that passes
		want              string // the points, then those of the groups
	}{
		{"all or nothing", "10", "++++++", "10 of 10"},
		{"all or nothing, with a failure", "10", "+++++-", "0 of 10"},
		{"part of the cases", "cases", "+-++--", "0.5 of 1, easy 0.17 of 0.33, hard 0.33 of 0.67"},
		{"thirds add up to the whole", "cases", "++++++", "1 of 1, easy 0.33 of 0.33, hard 0.67 of 0.67"},
		{"part of the groups", "groups", "++-+++", "0.5 of 1, easy 0.5 of 0.5, hard 0 of 0.5"},
		{"part of the cases, of more points", "cases:12", "-+++++", "10 of 12, easy 2 of 4, hard 8 of 8"},
		{"part of the groups, of more points", "groups:0.5", "+-++++", "0.25 of 0.5, easy 0 of 0.25, hard 0.25 of 0.25"},
		{"nothing was judged", "cases:6", "......", "0 of 6, easy 0 of 2, hard 0 of 4"},
	} {
		s, err := ParseShare(tt.text)
		if err != nil {
			t.Fatal(err)
		}
		var results []Result
		for _, c := range tt.passed {
			results = append(results, Result{Verdict: map[rune]verdict.Verdict{'+': verdict.AC, '-': verdict.WA}[c]})
		}
		g := s.Over(names)
		if err := g.Check(); err != nil {
			t.Errorf("%s: %v", tt.why, err)
		}
		score, err := g.Add(results, nil)
		got := fmt.Sprintf("%v of %v", score.Points, score.Best)
		for _, o := range score.Groups[1:] {
			got += fmt.Sprintf(", %s %v of %v", o.Group.Name, o.Points, o.Best)
		}
		if got != tt.want || err != nil {
			t.Errorf("%s: %s, error %v, want %s", tt.why, got, err, tt.want)
		}
	}
}

func TestParseShare(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "case", "0", "-1", "1e9", "nan", "inf", "cases:", "cases:0", "groups:x", "10:cases", "cases:1:2"} {
		if s, err := ParseShare(text); err == nil || !strings.Contains(err.Error(), "(hint: write cases, groups or a number, or both as in cases:10)") {
			t.Errorf("%q is %+v, error %v", text, s, err)
		}
	}
}
