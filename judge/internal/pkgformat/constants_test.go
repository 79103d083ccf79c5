package pkgformat

import (
	"strings"
	"testing"
)

// TestFill puts constants in their places, and nothing else.
func TestFill(t *testing.T) {
	t.Parallel()
	p := read(t, unpack(t, `
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
		{"none", "int n = 10;", 0, "int n = 10;"},
		{"several, next to each other", "{{n}}{{n}} x {{many}}", 100, "1010 x 5"},
		{"one of several values", "{{many.word}} {{many.nothing}}", 100, "five {{many.nothing}}"},
		{"an empty one", "<{{none}}>", 100, "<>"},
		{"a value is not looked at again", "{{other}}", 100, "{{n}}"},
		{"braces around it", "{{{n}}} {{{{n}}}}", 100, "{10} {{10}}"},
		{"a name that there is not", "{{m}} {{ n }} {{N}} {{}} {{n", 100, "{{m}} {{ n }} {{N}} {{}} {{n"},
		{"no name", "{{2nd}}", 100, "{{2nd}}"},
		{"as large as it may be", "a{{n}}b", 4, "a10b"},
		{"larger", "a{{n}}b", 3, "too large"},
		{"larger by a name that there is not", "{{m}}", 4, "too large"},
	} {
		got, ok := p.Fill([]byte(tt.text), tt.most)
		if !ok {
			got = []byte("too large")
		}
		if string(got) != tt.want {
			t.Errorf("%s: %q becomes %q, want %q", tt.why, tt.text, got, tt.want)
		}
	}
	if note := "hello/problem.yaml:7: constant 2nd is put in no place"; len(p.Notes) != 1 || !strings.Contains(p.Notes[0], note) {
		t.Errorf("notes %q, want %q", p.Notes, note)
	}
}
