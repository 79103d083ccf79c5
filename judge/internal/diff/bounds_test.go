package diff

import (
	"bytes"
	"os"
	"strings"
	"testing"
)

// TestMemoryIsBounded writes far more than a Comparer may keep, in forms that make it keep as much
// as possible.
func TestMemoryIsBounded(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why   string
		mode  Mode
		want  string
		piece string
	}{
		{"wrong from the beginning", Exact, "a", "b"},
		{"white space without end", Exact, "a", " "},
		{"newlines without end", Exact, "a\n", "\n"},
		{"white space without end, which is equal", Tokens, "a", " "},
		{"blanks without end that may not count", Lines, "a", " "},
		{"empty lines without end that may not count", Lines, "a", "\n"},
		{"equal words before the difference", Tokens, strings.Repeat("a ", 1<<15), "a\t\t"},
		{"a number without end", Float, "1", "1"},
		{"wrong numbers", Float, "1", "2 "},
		{"close numbers", Float, strings.Repeat("1 ", 1<<15), "1.000 "},
		{"words that are equal except for case", Tokens, strings.Repeat("a ", 1<<15), "A "},
	} {
		o := Options{Mode: tt.mode, FoldCase: true, Lines: 4, Bytes: 256}
		const times = 1 << 15
		for _, pieces := range []int{times, 1} {
			c := New([]byte(tt.want), o)
			for range pieces {
				c.Write([]byte(strings.Repeat(tt.piece, times/pieces)))
			}
			kept := cap(c.before) + cap(c.after) + cap(c.words.held)
			// append may reserve twice the needed capacity.
			if most := 2 * (4*o.reach() + 4*maxNumber); kept > most {
				t.Errorf("%s, in %d pieces: keeps %d bytes, want at most %d", tt.why, pieces, kept, most)
			}
			c.Close()
		}
	}
}

// failing is a source whose reads fail as soon as left of them have succeeded.
type failing struct {
	*bytes.Reader
	left int
}

func (f *failing) ReadAt(p []byte, off int64) (int, error) {
	if f.left--; f.left < 0 {
		return 0, os.ErrDeadlineExceeded
	}
	return f.Reader.ReadAt(p, off)
}

// TestSourceFails checks that Err reports the failure of any read of the expected output, and that
// the outputs then never count as equal.
func TestSourceFails(t *testing.T) {
	t.Parallel()
	for _, x := range corpus() {
		for _, step := range []int{7, 100} {
			for good, failed := 0, true; failed; good++ {
				from := &failing{bytes.NewReader(x.want), good}
				c := newComparer(&text{source: from, size: len(x.want), step: step}, x.o)
				c.Write(x.got)
				m := c.Close()
				if failed = from.left < 0; failed && (m == nil || c.Err() != os.ErrDeadlineExceeded) || !failed && c.Err() != nil {
					t.Fatalf("after %d reads: %v, %v", good, m, c.Err())
				}
				if good > 20 && good%13 > 0 {
					good += 12
				}
			}
		}
	}
}
