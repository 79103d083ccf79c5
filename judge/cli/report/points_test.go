package report

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"tribunal/judge/internal/account"
	"tribunal/judge/internal/document"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/points"
	"tribunal/judge/internal/verdict"
)

// TestPoints checks the points of groups, among them a group without a maximum and a group that is
// left out.
func TestPoints(t *testing.T) {
	t.Parallel()
	tally := &points.Score{Points: 12.5, Best: document.Number(math.Inf(1)), Verdict: verdict.WA, Groups: []points.Outcome{
		{Group: &points.Group{}, Points: 12.5, Best: document.Number(math.Inf(1)), Verdict: verdict.WA},
		{Group: &points.Group{Name: "secret/a"}, Points: 12.5, Best: 20, Verdict: verdict.WA},
		{Group: &points.Group{Name: "secret/b"}, Best: 80, LeftOut: true, Required: "secret/a"},
	}}
	var b strings.Builder
	out := onTerminal(&b, TerminalOptions{})
	events := one(begin([]string{"secret/a/1"}, "a.c"), grade.Built{}, &grade.Done{Verdict: verdict.WA, First: "secret/a/1", Total: 1, Judged: 1, Points: tally})
	for _, e := range events {
		out.Event(e)
	}
	for _, want := range []string{"points      12.5\n", "  secret/a  12.5 of 20, WA\n", "  secret/b  0 of 80, left out: needs secret/a\n"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
	var doc struct {
		Submissions []struct {
			Points struct {
				Points float64
				Best   *float64
				Groups []struct{ Best *float64 }
			}
		}
	}
	if err := json.Unmarshal(documentOf(t, events), &doc); err != nil {
		t.Fatal(err)
	}
	if p := doc.Submissions[0].Points; p.Points != 12.5 || p.Best != nil || len(p.Groups) != 3 || *p.Groups[1].Best != 20 {
		t.Errorf("in JSON it is %+v", p)
	}
}

// TestFewerPoints checks that points of which fewer are better say so, and come first.
func TestFewerPoints(t *testing.T) {
	t.Parallel()
	of := func(n float64, fewer bool) *points.Score {
		return &points.Score{Points: n, Best: 1, Groups: []points.Outcome{{Group: &points.Group{Rule: points.Legacy{Minimize: fewer}}, Points: n, Best: 1}}}
	}
	if got := pointsRows(of(3, true))[0][1].Text; got != "3 of 1, fewer are better" {
		t.Errorf("got %s", got)
	}
	for _, tt := range []struct {
		why         string
		first, then *points.Score
	}{
		{"more are better", of(3, false), of(2, false)},
		{"fewer are better", of(2, true), of(3, true)},
		{"any points are better than none", of(-3, false), nil},
		{"also if fewer are better", of(3, true), nil},
	} {
		var first, then account.Submission
		first.Points, then.Points = tt.first, tt.then
		if a, b := pointsOf(&first), pointsOf(&then); a <= b {
			t.Errorf("%s: %v counts less than %v", tt.why, a, b)
		}
	}
}

// TestPointsOfSeveral checks the table of the points of several submissions, one of which has no
// points.
func TestPointsOfSeveral(t *testing.T) {
	t.Parallel()
	tally := func(a, b float64, left bool) *points.Score {
		return &points.Score{Points: a + b, Best: 100, Groups: []points.Outcome{
			{Group: &points.Group{}, Points: a + b, Best: document.Number(math.Inf(1))},
			{Group: &points.Group{Name: "secret/a"}, Points: a, Best: 20},
			{Group: &points.Group{Name: "secret/b"}, Points: b, Best: document.Number(math.Inf(1)), LeftOut: left},
		}}
	}
	var text strings.Builder
	out := onTerminal(&text, TerminalOptions{})
	for _, e := range []grade.Event{
		begin([]string{"secret/a/1"}, "a.c", "b.c", "c.c"),
		&grade.Done{Submission: 0, Verdict: verdict.CE, Total: 1},
		&grade.Done{Submission: 1, Verdict: verdict.AC, Total: 1, Judged: 1, Points: tally(20, 7.5, false)},
		&grade.Done{Submission: 2, Verdict: verdict.AC, Total: 1, Judged: 1, Points: tally(0, 0, true)},
		&grade.End{},
	} {
		out.Event(e)
	}
	const want = "points      1     2  3\n" +
		"all         ·  27.5  0  of 100\n" +
		"  secret/a  ·    20  0  of 20\n" +
		"  secret/b  ·   7.5  ·\n"
	if !strings.Contains(text.String(), want) {
		t.Errorf("no\n%s in\n%s", want, text.String())
	}
}
