package invisible

import (
	"bytes"
	"strings"
	"testing"
	"testing/iotest"
)

// TestScan finds each kind, wherever windows begin.
func TestScan(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why, text string
		want      Lines
	}{
		{"plain text", "1 2\n3\n", Lines{}},
		{"nothing", "", Lines{}},
		{"an empty line", "\n\n", Lines{}},
		{"letters beyond ASCII", "ä € 𝄞 e\u0301\n", Lines{}},
		{"tabs between words, form feeds, colours", "a\tb\f\v\x1b[1m\n", Lines{}},
		{"bytes that are no UTF-8", "\xa0\xe3\x80 \xff\n", Lines{}},
		{"CRLF", "1 2\n3\r\n4\r\n", Lines{CRLF: 2}},
		{"CR alone, and at the end", "1\n2\r3\n4\r", Lines{CR: 2, Unended: 3}},
		{"CR CR LF", "1\r\r\n", Lines{CR: 1, CRLF: 1}},
		{"a byte order mark", "\ufeff1\n", Lines{Mark: 1}},
		{"only a byte order mark", "\ufeff", Lines{Mark: 1}},
		{"a mark in the text", "1\n2\ufeff\n", Lines{Blank: 2}},
		{"UTF-16 with a mark", "\xff\xfe1\x00\r\x00\n\x00", Lines{UTF16: 1}},
		{"UTF-16 with a mark, the other byte first", "\xfe\xff\x001\x00\n", Lines{UTF16: 1}},
		{"UTF-16 without a mark", "1\x00 \x002\x00\n\x00", Lines{UTF16: 1}},
		{"UTF-16 without a mark, the other byte first", "\x001\x00\n", Lines{UTF16: 1}},
		{"a text with a NUL", "1 2\n\x00\n", Lines{NUL: 2}},
		{"a file that was cut off by a crash", "1 2\n" + strings.Repeat("\x00", 3), Lines{NUL: 2, Unended: 2}},
		{"numbers in binary", "\x01\x00\x00\x00 \n\x02\x00\x00\x00\r\n", Lines{}},
		{"control characters without NUL are a text", "\x01\x02 \n", Lines{Trailing: 1}},
		{"a blank at the end of a line", "1\n2 \n", Lines{Trailing: 2}},
		{"a tab at the end of a line", "1\n2\t\n", Lines{Trailing: 2}},
		{"a blank before CRLF", "1 \r\n", Lines{CRLF: 1, Trailing: 1}},
		{"a blank at the end", "1\n2 ", Lines{Trailing: 2, Unended: 2}},
		{"a line of blanks", "1\n  \n", Lines{Trailing: 2}},
		{"a blank at the start of a line", " 1\n", Lines{}},
		{"no newline at the end", "1\n2", Lines{Unended: 2}},
		{"a no-break space", "1\u00a02\n", Lines{Blank: 1}},
		{"an ideographic space", "1\n\u30002\n", Lines{Blank: 2}},
		{"no width", "1\u200b2\n", Lines{Blank: 1}},
		{"a line separator", "1\u20282\n", Lines{Blank: 1}},
	} {
		// The text begins in each of these places of a window, after lines of no interest.
		for _, before := range []int{0, window - 4, window - 3, window - 2, window - 1, window, window + 1, window + overlap - 1, window + overlap, window + overlap + 1, 3 * window} {
			text, want := tt.text, tt.want
			if before > 0 && (want[Mark] > 0 || want[UTF16] > 0 || strings.Contains(text, "\x01\x00")) {
				continue // only the start of a file decides
			}
			if before > 0 {
				text = strings.Repeat("x", before-1) + "\n" + text
				for k := range want {
					if want[k] > 0 {
						want[k]++
					}
				}
			}
			if got, err := Scan(strings.NewReader(text)); err != nil || got != want {
				t.Errorf("%s, after %d bytes: got %v %v, want %v", tt.why, before, got, err, want)
			}
		}
		if got, err := Scan(iotest.OneByteReader(strings.NewReader(tt.text))); err != nil || got != tt.want {
			t.Errorf("%s, byte by byte: got %v %v, want %v", tt.why, got, err, tt.want)
		}
	}
}

// TestScanFails checks that an error of the reader is returned.
func TestScanFails(t *testing.T) {
	t.Parallel()
	if _, err := Scan(iotest.TimeoutReader(iotest.OneByteReader(strings.NewReader("12\n")))); err != iotest.ErrTimeout {
		t.Errorf("got %v", err)
	}
}

// TestSurvey counts files and shows the first.
func TestSurvey(t *testing.T) {
	t.Parallel()
	var s Survey
	for _, name := range []string{"a", "b", "c"} {
		s.Add(Lines{CRLF: 3}, func(line int) string { return name + strings.Repeat("!", line) })
	}
	s.Add(Lines{NUL: 1}, func(int) string { return "d" })
	for k, want := range map[Kind]string{CRLF: "3 files have CRLF line ends, the first a!!!", NUL: "1 file has NUL bytes: d", Mark: ""} {
		if got := s.Line(k); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// BenchmarkScan reads lines of numbers.
func BenchmarkScan(b *testing.B) {
	text := bytes.Repeat([]byte("123456 7890123 4567890\n"), 1<<16)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := Scan(bytes.NewReader(text)); err != nil {
			b.Fatal(err)
		}
	}
}
