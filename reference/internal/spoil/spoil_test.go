package spoil

import (
	"bytes"
	"slices"
	"testing"
)

func TestInputs(t *testing.T) {
	input := []byte("2 3\n1 2 3\n4 5 6\n0 0\n")
	first := slices.Collect(Inputs(input, 500))
	if len(first) != 500 || !slices.EqualFunc(first, slices.Collect(Inputs(input, 500)), bytes.Equal) {
		t.Errorf("%d inputs, or other ones the second time", len(first))
	}
	seen := make(map[string]bool)
	for _, text := range first {
		seen[string(text)] = true
	}
	if len(seen) < 250 || string(input) != "2 3\n1 2 3\n4 5 6\n0 0\n" {
		t.Errorf("only %d different inputs, or the original has changed: %q", len(seen), input)
	}
	for range Inputs(nil, 500) { // must not panic although there is nothing to change
	}
}

func TestStrict(t *testing.T) {
	for _, test := range []struct{ why, text, want string }{
		{"strict already", "1 2\n3\n", "1 2\n3\n"},
		{"blanks", " 1\t 2 \n", "1 2\n"},
		{"CRLF", "1 2\r\n", "1 2\n"},
		{"empty lines", "\n1\n \n\n2\n\n", "1\n2\n"},
		{"no final newline", "1", "1\n"},
		{"leading zeros", "007 0 000 F 010 -0\n", "7 0 0 F 10 -0\n"},
		{"nothing", "\n", ""},
	} {
		if got := Strict([]byte(test.text)); string(got) != test.want {
			t.Errorf("%s: got %q, want %q", test.why, got, test.want)
		}
	}
}
