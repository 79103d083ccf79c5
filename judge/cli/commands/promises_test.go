package commands

import (
	"slices"
	"testing"

	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/points"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/verdict"
)

// TestPromisesOfPoints checks that a promise is about the points of the problem, and not about those of --points.
func TestPromisesOfPoints(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why    string
		given  bool
		broken []string
	}{
		{"points of the problem", false, nil},
		{"points of --points", true, []string{"gets no points, not a part of them"}},
	} {
		p := promises{0: {name: "a.c", expect: problem.Expect{Partial: true}}}
		d := &grade.Done{Verdict: verdict.WA, Points: &points.Score{Points: 1, Best: 2}}
		p.decide(d, tt.given)
		if !slices.Equal(p[0].broken, tt.broken) || *d.AsExpected != (tt.broken == nil) || d.Points == nil {
			t.Errorf("%s: %q, want %q", tt.why, p[0].broken, tt.broken)
		}
	}
}
