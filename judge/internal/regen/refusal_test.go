package regen

import (
	"errors"
	"strings"
	"testing"
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
