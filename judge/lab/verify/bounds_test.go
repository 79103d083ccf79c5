package verify

import (
	"fmt"
	"testing"
)

func TestParseExtents(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ why, text, want string }{
		{"no output", "", "[]"},
		{"two quantities", "a -1 5\nb 0 0\n", "[{a -1 5} {b 0 0}]"},
		{"no final newline", "a 1 2", "[{a 1 2}]"},
		{"a word too few", "a 1\n", "error"},
		{"a word too many", "a 1 2 3\n", "error"},
		{"not a number", "a 1 x\n", "error"},
		{"LO larger than HI", "a 2 1\n", "error"},
		{"an empty line", "a 1 2\n\n", "error"},
		{"HI does not fit into 64 bits", "a 1 9223372036854775808\n", "error"},
	} {
		list, err := parseExtents([]byte(tt.text))
		got := fmt.Sprint(list)
		if err != nil {
			got = "error"
		}
		if got != tt.want {
			t.Errorf("%s: got %s (%v), want %s", tt.why, got, err, tt.want)
		}
	}
}
