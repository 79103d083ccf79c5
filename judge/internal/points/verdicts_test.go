package points

import (
	"slices"
	"testing"

	"tribunal/judge/internal/verdict"
)

// TestEveryVerdictCounts checks that no rule accepts a group with a case that is not accepted
// beside an accepted one. A new verdict must be given its severity.
func TestEveryVerdictCounts(t *testing.T) {
	t.Parallel()
	rules := map[string]Rule{
		"legacy": Legacy{Continue: true}, "legacy, first error": Legacy{Continue: true, Verdicts: FirstError},
		"later, sum": ICPC2023{}, "later, pass-fail": ICPC2023{Aggregation: PassFail}, "later, minimum": ICPC2023{Aggregation: Min},
		"domjudge": DOMjudge{Counts: true, Continue: true}, "polygon": Polygon{}, "polygon, complete": Polygon{Complete: true},
	}
	for _, v := range verdict.All() {
		if !slices.Contains(severity, v) {
			t.Errorf("%v is missing: add it to severity", v)
		}
		if v == verdict.AC {
			continue
		}
		for why, r := range rules {
			for _, list := range [][]Result{of(v, ac), of(ac, v), of(v, v)} {
				all := &Group{Rule: r, Cases: []int{0, 1}}
				if got, err := all.Add(list, nil); err != nil || got.Verdict != v {
					t.Errorf("%s: %v adds up to %v, error %v; want %v", why, list, got.Verdict, err, v)
				}
			}
		}
	}
	legacy := Legacy{Continue: true}
	if got := legacy.verdict(&node{}, []verdict.Verdict{ac, 15, wa}); got != 15 {
		t.Errorf("a verdict that is not in severity adds up to %v", got)
	}
}
