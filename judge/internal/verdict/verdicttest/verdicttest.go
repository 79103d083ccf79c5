// Package verdicttest checks that a table in a test covers every verdict.
package verdicttest

import (
	"testing"

	"tribunal/judge/internal/verdict"
)

// Each calls check with every verdict and its row. A verdict without a row fails the test, so that
// a new verdict cannot be forgotten. A row for None is optional.
func Each[T any](t *testing.T, rows map[verdict.Verdict]T, check func(v verdict.Verdict, want T)) {
	t.Helper()
	for _, v := range verdict.All() {
		if _, ok := rows[v]; !ok {
			t.Errorf("%v (%s) has no row: decide what is expected of it, and add one", v, v.Title())
		}
	}
	for v, want := range rows {
		check(v, want)
	}
}
