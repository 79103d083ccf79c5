// Package tier says which tests run: units at each save, those that join real processes with go test, and
// everything on request.
//
//	T1  go test -short ./...                   units, tables, played runners and clocks
//	T2  go test ./...                          also sessions with the real program in the strongest jail
//	T3  TRIBUNAL_TESTS=all go test ./...       also weaker jails one by one, other systems, browsers, clusters
//
// A test that a tier leaves out is skipped with a message that begins with "not checked: ", as every skipped test
// of this repository does, and ends with the reason in parentheses.
package tier

import (
	"os"
	"testing"
)

// Variable is the environment variable that selects T3 if its value is "all".
const Variable = "TRIBUNAL_TESTS"

// All reports whether the tests of T3 run.
func All() bool { return os.Getenv(Variable) == "all" }

// T2 skips a test under -short. what is what is then not checked.
func T2(t testing.TB, what string) {
	t.Helper()
	if testing.Short() {
		t.Skipf("not checked: %s (-short)", what)
	}
}

// T3 skips a test unless the tests of T3 run. what is what is then not checked.
func T3(t testing.TB, what string) {
	t.Helper()
	if !All() {
		t.Skipf("not checked: %s (%s=all checks it)", what, Variable)
	}
}
