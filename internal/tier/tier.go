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
	"os/exec"
	"testing"
	"time"
)

// Variable is the environment variable that selects T3 if its value is "all".
const Variable = "TRIBUNAL_TESTS"

// All reports whether the tests of T3 run.
func All() bool { return os.Getenv(Variable) == "all" }

// T2 skips a test under -short, with a message that says what is not checked then.
func T2(t testing.TB, what string) {
	t.Helper()
	if testing.Short() {
		t.Skipf("not checked: %s (-short)", what)
	}
}

// T3 skips a test unless the tests of T3 run, with a message that says what is not checked then.
func T3(t testing.TB, what string) {
	t.Helper()
	if !All() {
		t.Skipf("not checked: %s (%s=all checks it)", what, Variable)
	}
}

// Needs skips a test without the tools that it needs, with a message that says what is not checked then.
func Needs(t testing.TB, what string, tools ...string) {
	t.Helper()
	for _, tool := range tools {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("not checked: %s (no %s)", what, tool)
		}
	}
}

// Deadline returns when a test should stop waiting for an event: shortly before the test binary is
// killed, so that the test can still say what has not happened. On a slow host that takes long, so
// tests set no time of their own.
func Deadline(t testing.TB) time.Time {
	if of, ok := t.(interface{ Deadline() (time.Time, bool) }); ok {
		if deadline, ok := of.Deadline(); ok {
			return deadline.Add(-time.Until(deadline) / 10)
		}
	}
	return time.Now().Add(time.Hour)
}

// Late returns a channel on which a value arrives at the test's [Deadline].
func Late(t testing.TB) <-chan time.Time { return time.After(time.Until(Deadline(t))) }
