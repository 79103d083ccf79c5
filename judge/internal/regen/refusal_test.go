package regen

import (
	"errors"
	"strings"
	"testing"

	"tribunal/judge/internal/casedata"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/problem"
)

// TestRefusalShowsInputs checks that the text of a refusal shows a bounded part of the input,
// without characters that move the cursor.
func TestRefusalShowsInputs(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ why, input, shown string }{
		{"a short input", "1 2\n3\n", "  1 2\n  3"},
		{"without a line end", "1 2", "  1 2"},
		{"an escape sequence", "a\x1b[2J\tb\r\n", "  a\uFFFD[2J\tb\uFFFD"},
		{"not UTF-8", "\xff\n", "  \uFFFD"},
		{"many lines", strings.Repeat("1\n", 13), strings.Repeat("  1\n", 12) + "  …"},
		{"as many lines as are shown", strings.Repeat("1\n", 12), strings.TrimSuffix(strings.Repeat("  1\n", 12), "\n")},
		{"a long line", strings.Repeat("x", 1025), "  " + strings.Repeat("x", 1024) + "\n  …"},
	} {
		r := &Refusal{Kind: Disputed, Case: "edge/a", Input: beginning([]byte(tt.input)), Err: errors.New("e.yaml:1: why")}
		if got, want := r.Error(), "e.yaml:1: why\ninput of edge/a:\n"+tt.shown; got != want {
			t.Errorf("%s: got\n%q, want\n%q", tt.why, got, want)
		}
	}
}

// TestRefusalShowsStandardError checks that a trace does not move the located line off the screen.
func TestRefusalShowsStandardError(t *testing.T) {
	t.Parallel()
	trace := func(n int) string {
		return strings.Repeat("  above\n", 6) + strings.Repeat("  between\n", n) + strings.Repeat("  below\n", 6)
	}
	for _, tt := range []struct{ why, stderr, shown string }{
		{"as many lines as are shown", trace(0), trace(0)},
		{"a line that takes no less room if it is left out", trace(1), trace(1)},
		{"a long trace", trace(500), strings.Replace(trace(1), "between", "… 500 lines", 1)},
	} {
		r := &Refusal{Kind: Failed, Case: "edge/a", Stderr: strings.ReplaceAll(tt.stderr, "  ", ""), Err: errors.New("e.yaml:1: why")}
		if got, want := r.Error(), "e.yaml:1: why\nits standard error:\n"+strings.TrimSuffix(tt.shown, "\n"); got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", tt.why, got, want)
		}
	}
}

// TestOutputValidator checks that no output is written that the problem's output validator does not accept.
func TestOutputValidator(t *testing.T) {
	t.Parallel()
	for exit, want := range map[int]string{
		problem.ExitAccepts: "",
		problem.ExitRefuses: "case statement: the checker refuses the reference's output: wrong, without a message",
		1:                   "case statement: the checker fails on the reference's output: exited with status 1",
	} {
		r := newRepository(t, map[string]string{"cases/p/sample.yaml": strings.Replace(sample, "    pinned: true\n", "", 1), "reference/p/check/main.sh": "validator"})
		r.checks = exit
		r.open(func(m *casedata.Provider, j *grade.Judge) {
			m.Problem.Validator = &problem.Validator{Program: "reference/p/check", Passes: 1, Limits: limits.Validator}
			for range 2 { // a refusal is not remembered
				_, err := Make(t.Context(), m, Options{Judge: j})
				if (err != nil) != (want != "") || want != "" && !strings.Contains(r.refused(err, Rejected, "sample/statement").Error(), want) {
					t.Errorf("exit status %d: got %v, want %s", exit, err, want)
				}
			}
		})
	}
}
