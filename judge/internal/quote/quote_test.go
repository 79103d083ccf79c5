package quote

import "testing"

func TestQuote(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ why, said, of, first, last string }{
		{"nothing", "", "", "", ""},
		{"nothing but white space", " \n\t\n", "", "", ""},
		{"a line", "no such row\n", "no such row", "no such row", "no such row"},
		{"a line without its end", "no such row", "no such row", "no such row", "no such row"},
		{"several", "\n\none \r\n\n two\n three\n\n", "one \r\n\n two\n three", "one", "three"},
		{"bytes that are no text", "caf\351\350\n\377", "caf\uFFFD\n\uFFFD", "caf\uFFFD", "\uFFFD"},
	} {
		of := Of([]byte(tt.said))
		if of != tt.of || First(of) != tt.first || Last(of) != tt.last {
			t.Errorf("%s: %q, first %q, last %q", tt.why, of, First(of), Last(of))
		}
		want := "ended"
		if tt.first != "" {
			want += ": " + tt.first
		}
		if got := With("ended", tt.first); got != want {
			t.Errorf("%s: %q, want %q", tt.why, got, want)
		}
	}
}

func TestComplaint(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ why, said, want string }{
		{"nothing", "", ""},
		{"several lines", "no such row\nusage: x\n", "no such row"},
		{"a traceback", "Traceback (most recent call last):\n  File \"x.py\", line 1, in <module>\nEOFError: EOF when reading a line\n", "EOFError: EOF when reading a line"},
		{"a traceback without its end", "Traceback (most recent call last):\n", "Traceback (most recent call last):"},
	} {
		if got := Complaint(tt.said); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.why, got, tt.want)
		}
	}
}

func TestLine(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"": "", "Ü b.c": "Ü b.c", "a\nb\tc\x1b[1m\x7f": `a\nb\tc\x1b[1m\x7f`} {
		if got := Line(text); got != want {
			t.Errorf("Line(%q) = %q, want %q", text, got, want)
		}
	}
}
