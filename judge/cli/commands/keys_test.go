package commands

import (
	"bufio"
	"io"
	"slices"
	"strings"
	"testing"
)

// TestReadKey reads keys as terminals send them.
func TestReadKey(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why, in string
		want    []string
	}{
		{"letters", "rq", []string{"r", "q"}},
		{"arrows, in both modes of a terminal", "\x1b[A\x1bOB", []string{"\x1b[A", "\x1bOB"}},
		{"a key with a number", "\x1b[5~j", []string{"\x1b[5~", "j"}},
		{"a key with modifiers", "\x1b[1;5Ag", []string{"\x1b[1;5A", "g"}},
		{"Esc before another key", "\x1bq", []string{"q"}},
		{"a sequence without an end", "\x1b[" + strings.Repeat("1", 40), nil},
		{"the end within a sequence", "r\x1b[", []string{"r"}},
		{"bytes beyond ASCII", "\xc3q", []string{"Ã", "q"}},
	} {
		r := bufio.NewReader(strings.NewReader(tt.in))
		var got []string
		for {
			key, err := readKey(r)
			if err == io.EOF {
				break
			} else if err != nil {
				t.Fatal(err)
			}
			got = append(got, key)
		}
		if tt.want == nil {
			if len(got) > 40 || slices.Contains(got, "") {
				t.Errorf("%s: %q", tt.why, got)
			}
			continue
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.why, got, tt.want)
		}
	}
}
