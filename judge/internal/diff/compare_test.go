package diff

import (
	"slices"
	"strings"
	"testing"
)

func TestCompare(t *testing.T) {
	t.Parallel()
	type place struct{ line, column, offset int }
	long := "0." + strings.Repeat("7", maxNumber-2)
	tests := []struct {
		why       string
		mode      Mode
		fold      bool
		spaces    bool
		abs, rel  float64
		want, got string
		place     place // of the first difference; zero if the outputs are equal
		notes     []string
	}{
		{why: "nothing was expected and nothing came", want: "", got: ""},
		{why: "same bytes", want: "a b\n", got: "a b\n"},
		{why: "bytes count, not text", want: "\x00\xff\r\n", got: "\x00\xff\r\n"},
		{
			why:  "a byte differs",
			want: "one\ntwo\n", got: "one\ntoo\n", place: place{2, 2, 5},
		},
		{
			why:  "no output at all",
			want: "1\n", got: "", place: place{1, 1, 0}, notes: []string{noteEmpty},
		},
		{
			why:  "no output instead of a newline differs only in white space",
			want: "\n", got: "", place: place{1, 1, 0}, notes: []string{noteWhitespace, noteEmpty},
		},
		{
			why:  "some output instead of none",
			want: "", got: "1\n", place: place{1, 1, 0}, notes: []string{noteLong},
		},
		{
			why:  "the last newline was forgotten",
			want: "1\n", got: "1", place: place{1, 2, 1}, notes: []string{noteWhitespace, noteNewline},
		},
		{
			why:  "the blank line after the last case was forgotten",
			want: "1\n\n", got: "1\n", place: place{2, 1, 2}, notes: []string{noteWhitespace, noteBlankLine},
		},
		{
			why:  "the blank line and the newline before it were forgotten",
			want: "1\n\n", got: "1", place: place{1, 2, 1}, notes: []string{noteWhitespace, noteNewline},
		},
		{
			why:  "a blank line too many",
			want: "1\n", got: "1\n\n", place: place{2, 1, 2}, notes: []string{noteWhitespace, noteExtraLine},
		},
		{
			why:  "the missing final newline is noted even if the first difference is elsewhere",
			want: "1 2\n3\n", got: "1  2\n3", place: place{1, 3, 2}, notes: []string{noteWhitespace, noteNewline},
		},
		{
			why:  "a trailing space",
			want: "1\n", got: "1 \n", place: place{1, 2, 1}, notes: []string{noteWhitespace},
		},
		{
			why:  "an extra space within a word is more than a difference in white space",
			want: "12\n", got: "1 2\n", place: place{1, 2, 1},
		},
		{
			why:  "a missing space between two words is more than a difference in white space",
			want: "1 2\n", got: "12\n", place: place{1, 2, 1},
		},
		{
			why:  "all six blanks are white space",
			want: "1 2 3 4 5 6 7", got: "1\t2\n3\v4\f5\r6 7", place: place{1, 2, 1}, notes: []string{noteWhitespace},
		},
		{
			why:  "a no-break space is not white space",
			want: "1 2\n", got: "1\u00a02\n", place: place{1, 2, 1},
		},
		{
			why:  "the white space differs first, then a word: words differ",
			want: "1 2\n3\n", got: "1  2\n4\n", place: place{1, 3, 2},
		},
		{
			why:  "CRLF line ends",
			want: "1\n2\n", got: "1\r\n2\r\n", place: place{1, 2, 1}, notes: []string{noteWhitespace, noteCRLF},
		},
		{
			why:  "CRLF line ends and an extra newline",
			want: "1\n", got: "1\r\n\r\n", place: place{1, 2, 1}, notes: []string{noteWhitespace, noteExtraLine, noteCRLF},
		},
		{
			why:  "no note about CRLF if the expected output has it too",
			want: "1\r\n2\r\n", got: "1\r\n3\r\n", place: place{2, 1, 3},
		},
		{
			why:  "a prefix",
			want: "1\n2\n3\n", got: "1\n2\n", place: place{3, 1, 4}, notes: []string{noteShort},
		},
		{
			why:  "output that ends within a line: only early end is noted, not the final newline",
			want: "1\n234\n", got: "1\n2", place: place{2, 2, 3}, notes: []string{noteShort},
		},
		{
			why:  "a wrong last line without its newline: both are noted",
			want: "1\n2\n", got: "1\n3", place: place{2, 1, 2}, notes: []string{noteNewline},
		},
		{
			why:  "extra output after the end",
			want: "1\n", got: "1\n2\n", place: place{2, 1, 2}, notes: []string{noteLong},
		},
		{
			why:  "extra output in a last line without a newline",
			want: "1", got: "12\n", place: place{1, 2, 1}, notes: []string{noteLong},
		},
		{
			why:  "a C buffer printed with its padding of NUL bytes",
			want: "ab\n", got: "ab\x00\x00\n", place: place{1, 3, 2}, notes: []string{noteNUL},
		},
		{
			why:  "columns count characters",
			want: "äöü 1\n", got: "äöü 2\n", place: place{1, 5, 7},
		},
		{
			why:  "a difference within a character has the column of the character",
			want: "xé\n", got: "xè\n", place: place{1, 2, 2},
		},
		{
			why:  "bytes of invalid UTF-8 count as one character each",
			want: "\xff\xfe1\n", got: "\xff\xfe2\n", place: place{1, 3, 2},
		},

		{why: "blanks at the end of a line do not count in mode Lines", mode: Lines, want: "1 2 \n3\n", got: "1 2\t\r\n3 \n"},
		{why: "nor do empty lines at the end", mode: Lines, want: "1\n", got: "1\n\n \n\t"},
		{why: "nor those that are missing", mode: Lines, want: "1\n \n\n", got: "1"},
		{why: "nothing but white space is no output", mode: Lines, want: "", got: "\n \n"},
		{
			why:  "blanks at the beginning of a line count",
			mode: Lines, want: " *\n***\n", got: "*\n***\n\n", place: place{1, 1, 0}, notes: []string{noteWhitespace},
		},
		{
			why:  "blanks within a line count",
			mode: Lines, want: "1\n2 3\n", got: "1 \n2  3\n", place: place{2, 3, 4}, notes: []string{noteWhitespace},
		},
		{
			why:  "blanks at the end of the expected line, more of them before a word",
			mode: Lines, want: "1 \n2\n", got: "1   2\n", place: place{1, 3, 2}, notes: []string{noteWhitespace},
		},
		{
			why:  "empty lines elsewhere count",
			mode: Lines, want: "1\n\n2\n", got: "1\n2\n", place: place{2, 1, 2}, notes: []string{noteWhitespace},
		},
		{
			why:  "an empty line too many",
			mode: Lines, want: "1\n2\n", got: "1\n \n2", place: place{2, 1, 2}, notes: []string{noteWhitespace},
		},
		{
			why:  "a word after empty lines at the end",
			mode: Lines, want: "1\n", got: "1\n\n2\n", place: place{2, 1, 2}, notes: []string{noteLong},
		},
		{
			why:  "a missing line: the difference is where it begins, after empty lines",
			mode: Lines, want: "1\n \n 2\n", got: "1\n", place: place{3, 1, 4}, notes: []string{noteShort},
		},
		{
			why:  "a wrong word after white space that does not count",
			mode: Lines, want: "1 \n20\n", got: "1\r\n21\r\n", place: place{2, 2, 4},
		},
		{
			why:  "case counts, whatever the options say",
			mode: Lines, fold: true, spaces: true, want: "a\n", got: "A \n", place: place{1, 1, 0},
		},

		{why: "white space does not count in mode Tokens", mode: Tokens, want: "1 2\n3\n", got: "\n1\t2 \r\n  3"},
		{why: "white space alone has no tokens", mode: Tokens, want: "\n", got: ""},
		{
			why:  "tokens are compared as bytes",
			mode: Tokens, want: "1.0 a\n", got: "1.00 a\n", place: place{1, 4, 3},
		},
		{
			why:  "letter case counts",
			mode: Tokens, want: "Case 1: no", got: "Case 1: NO", place: place{1, 9, 8},
		},
		{
			why:  "a token is cut short",
			mode: Tokens, want: "10 200\n", got: "10 20\n", place: place{1, 6, 5},
		},
		{
			why:  "a missing token: the difference is at the expected token",
			mode: Tokens, want: "1\n2\n\n 3\n", got: "1 2", place: place{4, 2, 6}, notes: []string{noteShort},
		},
		{
			why:  "an extra token: the difference is at the end of the expected output",
			mode: Tokens, want: "1 2\n", got: "1 2 3", place: place{2, 1, 4}, notes: []string{noteLong},
		},
		{
			why:  "no token",
			mode: Tokens, want: "1\n", got: "", place: place{1, 1, 0}, notes: []string{noteEmpty},
		},
		{
			why:  "no note about line ends if white space does not count",
			mode: Tokens, want: "1\n2\n", got: "1\r\n3\r\n", place: place{2, 1, 2},
		},

		{why: "within the absolute tolerance", mode: Float, abs: 0.25, want: "1.5 x", got: "1.75 x"},
		{why: "at the absolute tolerance", mode: Float, abs: 0.25, want: "1.5 x", got: "1.25\nx\n"},
		{
			why:  "beyond the absolute tolerance",
			mode: Float, abs: 0.25, want: "1.5", got: "1.76", place: place{1, 3, 2},
		},
		{why: "within the relative tolerance", mode: Float, rel: 0.5, want: "-8", got: "-12"},
		{
			why:  "the relative tolerance is of the expected number",
			mode: Float, rel: 0.5, want: "-8", got: "-12.1", place: place{1, 2, 1},
		},
		{why: "no tolerance: the same numbers, written differently", mode: Float, want: "1 0.5 0 100", got: "+1.00 .5 -0 1e2"},
		{why: "no tolerance: a small exponent", mode: Float, want: "0.001e-5 12e-99999", got: "1e-8 1.2e-99998"},
		{
			why:  "no tolerance: the next whole number, although it is the same float64",
			mode: Float, want: "9007199254740993", got: "9007199254740992", place: place{1, 16, 15},
		},
		{
			why:  "no tolerance: another sign",
			mode: Float, want: "-1e20", got: "100000000000000000000", place: place{1, 1, 0},
		},
		{why: "the shorter number is a prefix", mode: Float, want: "1.00 2.5 3", got: "1 2.50 3"},
		{why: "words must be the same", mode: Float, want: "yes nan 0x10 1_0 inf", got: "yes nan 0x10 1_0 inf"},
		{
			why:  "a word instead of a number",
			mode: Float, abs: 9, want: "1 yes", got: "1 yet", place: place{1, 5, 4},
		},
		{
			why:  "nan is a word, close to no number",
			mode: Float, abs: 9, want: "1", got: "nan", place: place{1, 1, 0},
		},
		{
			why:  "infinity is a word",
			mode: Float, abs: 9, want: "inf", got: "+inf", place: place{1, 1, 0},
		},
		{
			why:  "a number too large for a float64 is a word",
			mode: Float, abs: 9, want: "1e999", got: "2e999", place: place{1, 1, 0},
		},
		{
			why:  "hexadecimal is a word",
			mode: Float, abs: 9, want: "0x10", got: "0x11", place: place{1, 4, 3},
		},
		{
			why:  "an underscore makes a word",
			mode: Float, abs: 9, want: "1_0", got: "10", place: place{1, 2, 1},
		},
		{why: "the longest number", mode: Float, rel: 1, want: long, got: long[1:] + "8"},
		{
			why:  "a word longer than the longest number is not a number",
			mode: Float, rel: 1, want: long + "7", got: long + "8", place: place{1, maxNumber + 1, maxNumber},
		},
		{
			why:  "white space splits numbers: 1 is close to 12, and the 2 is one too many",
			mode: Float, abs: 99, want: "12", got: "1 2", place: place{1, 3, 2}, notes: []string{noteLong},
		},

		{
			why:  "mode Exact ignores the tolerances",
			mode: Exact, fold: true, want: "a\n", got: "A\n", place: place{1, 1, 0},
		},
		{why: "letter case does not count", mode: Tokens, fold: true, want: "Case 1: no\n", got: "cASE\n1: NO"},
		{
			why:  "letters before the difference differ in case only",
			mode: Tokens, fold: true, want: "Yes No\n", got: "YES nope\n", place: place{1, 7, 6},
		},
		{
			why:  "only the letters of ASCII have a case",
			mode: Tokens, fold: true, want: "é", got: "É", place: place{1, 1, 1},
		},
		{
			why:  "other characters that differ in the bit of case are different",
			mode: Tokens, fold: true, want: "[@1", got: "[`1", place: place{1, 2, 1},
		},
		{why: "the exponent of a number may be E or e", mode: Float, fold: true, want: "1e3 nan", got: "1E3 NaN"},
		{why: "words before a number may differ in case", mode: Float, fold: true, abs: 1, want: "x 1e1", got: "X 1E0000001"},

		{
			why:  "white space counts",
			mode: Tokens, spaces: true, want: "1 2\n", got: "1  2\n", place: place{1, 3, 2}, notes: []string{noteWhitespace},
		},
		{
			why:  "a tab instead of a space",
			mode: Tokens, spaces: true, want: "1 2\n", got: "1\t2\n", place: place{1, 2, 1}, notes: []string{noteWhitespace},
		},
		{
			why:  "white space before the first word counts",
			mode: Tokens, spaces: true, want: "1\n", got: "\n1\n", place: place{1, 1, 0}, notes: []string{noteWhitespace},
		},
		{
			why:  "the last newline counts",
			mode: Tokens, spaces: true, want: "1\n", got: "1", place: place{1, 2, 1}, notes: []string{noteWhitespace, noteNewline},
		},
		{
			why:  "a blank line too many",
			mode: Tokens, spaces: true, want: "1\n", got: "1\n\n", place: place{2, 1, 2}, notes: []string{noteWhitespace, noteExtraLine},
		},
		{
			why:  "white space instead of no output",
			mode: Tokens, spaces: true, want: "", got: " ", place: place{1, 1, 0}, notes: []string{noteWhitespace},
		},
		{
			why:  "no output instead of white space",
			mode: Tokens, spaces: true, want: "\n", got: "", place: place{1, 1, 0}, notes: []string{noteWhitespace, noteEmpty},
		},
		{
			why:  "white space differs first, then a word: the place is that of the white space",
			mode: Tokens, spaces: true, want: "1 2\n3\n", got: "1  2\n4\n", place: place{1, 3, 2},
		},
		{
			why:  "white space differs first, then a word is missing",
			mode: Tokens, spaces: true, want: "1 2\n3\n", got: "1  2\n", place: place{1, 3, 2}, notes: []string{noteShort},
		},
		{
			why:  "CRLF line ends",
			mode: Tokens, spaces: true, want: "1\n2\n", got: "1\r\n2\r\n", place: place{1, 2, 1}, notes: []string{noteWhitespace, noteCRLF},
		},
		{
			why:  "a word too many",
			mode: Tokens, spaces: true, want: "1\n", got: "1\n2", place: place{2, 1, 2}, notes: []string{noteLong, noteNewline},
		},
		{why: "white space counts, case and digits do not", mode: Float, fold: true, spaces: true, abs: 0.1, want: "Yes 1.5\n\n", got: "yes 1.45\n\n"},
		{
			why:  "a close number, then too much white space",
			mode: Float, spaces: true, abs: 1, want: "10\n", got: "9.5 \n", place: place{1, 3, 2}, notes: []string{noteWhitespace},
		},
		{
			why:  "a close number at the end, without its newline",
			mode: Float, spaces: true, abs: 1, want: "10\n", got: "9.5", place: place{1, 3, 2}, notes: []string{noteWhitespace, noteNewline},
		},
		{
			why:  "a far number, before the white space differs",
			mode: Float, spaces: true, abs: 1, want: "10\n", got: "18 \n", place: place{1, 2, 1},
		},
	}
	for _, tt := range tests {
		t.Run(tt.why, func(t *testing.T) {
			o := Options{Mode: tt.mode, FoldCase: tt.fold, Spaces: tt.spaces, Abs: tt.abs, Rel: tt.rel}
			m := Compare([]byte(tt.want), []byte(tt.got), o)
			if m == nil {
				if tt.place != (place{}) {
					t.Fatalf("%q equals %q", tt.got, tt.want)
				}
				return
			}
			if tt.place == (place{}) {
				t.Fatalf("%q differs from %q: %s", tt.got, tt.want, m.Format(""))
			}
			if got := (place{m.Line, m.Column, int(m.Offset)}); got != tt.place {
				t.Errorf("place = %v, want %v", got, tt.place)
			}
			if !slices.Equal(m.Notes, tt.notes) {
				t.Errorf("notes = %q, want %q", m.Notes, tt.notes)
			}
			if got := slices.Contains(m.Notes, noteWhitespace); got != m.Whitespace {
				t.Errorf("whitespace = %v", m.Whitespace)
			}
			if m.Want != int64(len(tt.want)) || m.Got != int64(len(tt.got)) {
				t.Errorf("sizes = %d and %d, want %d and %d", m.Want, m.Got, len(tt.want), len(tt.got))
			}
		})
	}
}

// TestFoldCase compares every byte with every other: only two cases of one letter may be equal.
func TestFoldCase(t *testing.T) {
	t.Parallel()
	const letters = "abcdefghijklmnopqrstuvwxyz"
	const capitals = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	for want := range 256 {
		for got := range 256 {
			w, g := string([]byte{byte(want)}), string([]byte{byte(got)})
			i, j := strings.Index(letters+capitals, w), strings.Index(letters+capitals, g)
			equal := w == g || i >= 0 && j >= 0 && i%26 == j%26
			o := Options{Mode: Tokens, FoldCase: true, Spaces: true}
			if m := Compare([]byte("x"+w+"x"), []byte("x"+g+"x"), o); (m == nil) != equal {
				t.Errorf("%q for %q: equal = %v", g, w, m == nil)
			}
		}
	}
}
