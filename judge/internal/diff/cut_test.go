package diff

import (
	"fmt"
	"testing"
)

// TestCut compares outputs that went on after what was written: nothing is said about their ends.
func TestCut(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why       string
		mode      Mode
		want, got string
		text      string // of the mismatch; "" if there is none
	}{
		{"a difference before the cut", Exact, "one\ntwo\n", "one\ntoo\nthr", "line 2, column 2\n  one⏎\n- two⏎\n+ too⏎\n+ thr…\n  …\n"},
		{"the cut follows the difference", Exact, "one\ntwo\n", "one\nt.", "line 2, column 2\n  one⏎\n- two⏎\n+ t.…\n  …\n"},
		{"it goes on after the expected end", Exact, "1\n", "1\n1\n1\n1", "line 2, column 1 (extra output after the expected end)\n  1⏎\n- ∎\n+ 1⏎\n+ 1⏎\n+ 1…\n  …\n"},
		{"blank lines without end", Exact, "1\n", "1\n\n\n", "line 2, column 1 (differs only in whitespace, extra newline at end)\n  1⏎\n- ∎\n+ ⏎\n+ ⏎\n+ …\n  …\n"},
		{"all so far is right", Exact, "1\n2\n3\n", "1\n2\n", ""},
		{"all is right, but it goes on", Exact, "1\n2\n", "1\n2\n", ""},
		{"nothing so far", Exact, "1\n", "", ""},
		{"words that are right so far", Tokens, "1 2 3\n", "1 2 ", ""},
		{"a word that may go on is not wrong yet", Tokens, "1 22 3\n", "1 2", ""},
		{"a wrong word", Tokens, "1 2 3\n", "1 4 3", "line 1, column 3\n- 1·2·3⏎\n+ 1·4·3…\n  …\n"},
	} {
		c := New([]byte(tt.want), Options{Mode: tt.mode})
		fmt.Fprint(c, tt.got)
		m := c.CloseCut()
		text := ""
		if m != nil {
			text = m.Format("")
		}
		if text != tt.text {
			t.Errorf("%s:\n%swant\n%s", tt.why, text, tt.text)
		}
		if d := c.Close(); m != nil && d != m {
			t.Errorf("%s: closed again: %v", tt.why, d)
		}
	}
}
