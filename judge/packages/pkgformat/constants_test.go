package pkgformat

import (
	"strings"
	"testing"
)

// TestFill checks that constants are filled in and everything else stays as it is.
func TestFill(t *testing.T) {
	t.Parallel()
	p := readPackage(t, unpack(t, `
-- problem.yaml --
name: X
constants:
  n: 10
  other: '{{n}}'
  none: ''
  many: {value: 5, word: five}
  2nd: 2
-- data/secret/1.in --
-- data/secret/1.ans --
`))
	for _, tt := range []struct {
		why, text string
		most      int
		want      string
	}{
		{"no name in braces", "int n = 10;", 0, "int n = 10;"},
		{"several names, next to each other", "{{n}}{{n}} x {{many}}", 100, "1010 x 5"},
		{"one of several values", "{{many.word}} {{many.nothing}}", 100, "five {{many.nothing}}"},
		{"an empty value", "<{{none}}>", 100, "<>"},
		{"a name in a value is not replaced", "{{other}}", 100, "{{n}}"},
		{"more braces around a name", "{{{n}}} {{{{n}}}}", 100, "{10} {{10}}"},
		{"an unknown name", "{{m}} {{ n }} {{N}} {{}} {{n", 100, "{{m}} {{ n }} {{N}} {{}} {{n"},
		{"an invalid name", "{{2nd}}", 100, "{{2nd}}"},
		{"exactly as large as allowed", "a{{n}}b", 4, "a10b"},
		{"larger than allowed", "a{{n}}b", 3, "too large"},
		{"larger than allowed, with an unknown name", "{{m}}", 4, "too large"},
	} {
		got, ok := p.Fill([]byte(tt.text), tt.most)
		if !ok {
			got = []byte("too large")
		}
		if string(got) != tt.want {
			t.Errorf("%s: %q becomes %q, want %q", tt.why, tt.text, got, tt.want)
		}
	}
	if note := "hello/problem.yaml:7: constant 2nd is never filled in"; len(p.Notes) != 1 || !strings.Contains(p.Notes[0], note) {
		t.Errorf("notes %q, want %q", p.Notes, note)
	}
}
