package tty

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"golang.org/x/sys/unix"
)

func TestClean(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ in, want, why string }{
		{"plain text", "plain text", "printable text stays as it is"},
		{"é·∎ 日本 👩", "é·∎ 日本 👩", "letters and signs of any script"},
		{"\x1b[31m", `\x1b[31m`, "colours that the judge did not choose"},
		{"a\r\n\tb", `a\r\n\tb`, "one line stays one line"},
		{"\x00\x7f\u009b", `\x00\x7f\u009b`, "both sets of control characters"},
		{"\u202a\u202e\u2066\u2069\u200f", `\u202a\u202e\u2066\u2069\u200f`, "marks that change the direction of text"},
		{"\u200b\ufeff\u00ad\u2060\U000e0041", `\u200b\ufeff\u00ad\u2060\U000e0041`, "invisible characters"},
		{"\u3164\u115f\u034f\ufe0f", `\u3164\u115f\u034f\ufe0f`, "letters and marks without a shape: two names would look the same"},
		{"\u00a0\u2003\u2028\u2029", `\u00a0\u2003\u2028\u2029`, "blanks other than the space, and line ends"},
		{"\xff\xc3\xed\xa0\x80", `\xff\xc3\xed\xa0\x80`, "bytes of no character"},
		{"\xc2\x1b[m", `\xc2\x1b[m`, "an incomplete character does not hide the next"},
		{"\ufffd", "\ufffd", "the replacement character itself is printable"},
		{`\x1b`, `\x1b`, "text that is spelled out already"},
	} {
		if got := Clean(tt.in); got != tt.want {
			t.Errorf("%s: Clean(%q) = %q, want %q", tt.why, tt.in, got, tt.want)
		}
	}
}

func TestCut(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		in   string
		cols int
		want string
		why  string
	}{
		{"", 1, "", "an empty line"},
		{"abcd", 4, "abcd", "just fits"},
		{"abcde", 4, "abc…", "one too many"},
		{"日本語", 6, "日本語", "wide characters take two columns"},
		{"日本語", 5, "日本…", "half a character does not fit"},
		{"日本語", 4, "日…", "half a character does not fit beside the …"},
		{"日本", 1, "…", "only the … fits"},
		{"\x1b[31mabcd\x1b[0m", 4, "\x1b[31mabcd\x1b[0m", "colours take no columns"},
		{"\x1b[31mabcde\x1b[0m", 4, "\x1b[31mabc…\x1b[0m", "colours end where the line ends"},
		{"e\u0301e\u0301", 2, "e\u0301e\u0301", "marks above letters take no columns"},
	} {
		if got := (Text{tt.in}).Cut(tt.cols).String(); got != tt.want {
			t.Errorf("%s: cut %q to %d is %q, want %q", tt.why, tt.in, tt.cols, got, tt.want)
		}
	}
}

// unsafe returns a part of text that a terminal would obey; "" if there is none.
func unsafe(text string) string {
	for i, r := range text {
		switch {
		case r == '\n':
		case r == utf8.RuneError && !strings.HasPrefix(text[i:], "\ufffd"):
			return "a byte of no character"
		case r < ' ', r == 0x7f, unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp):
			return string(r)
		}
	}
	return ""
}

// hostile are texts that a terminal would obey, or that would look like something else.
var hostile = []string{
	"\x1b[2J", "\x1b]52;c;ZXZpbA==\a", "a\nverdict     AC accepted", "a\rb", "\u009b31m", "\u202egnp.c", "\u2066\u2069", "\ufeffa", "a\u200bb",
	"\x7f", "\x00", "\xff\xfe", "\xe2\x80", "\u2028", "\u0085", "é日本👩\u200d🚀", "%s%n%!", "\x1b[31mred\x1b[0m", "\U000e0041",
}

// FuzzSprintf checks that an argument never adds a line or a sequence, whatever its verb, and that
// a Text stays as it is.
func FuzzSprintf(f *testing.F) {
	for _, s := range hostile {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := Sprintf("%s|%v|%q|%-20s|%x|%s|%v|%s\n", s, s, s, s, s, errors.New(s), []string{s}, Paint(Red, s)).String()
		if n := strings.Count(got, "\n"); n != 1 {
			t.Errorf("%q makes %d lines", s, n)
		}
		painted := Paint(Red, s).String()
		if s != "" && (!strings.HasPrefix(painted, "\x1b[31m") || !strings.HasSuffix(painted, "\x1b[0m")) || !strings.HasSuffix(got, "|"+painted+"\n") {
			t.Errorf("%q is painted as %q, in %q", s, painted, got)
		}
		if bad := unsafe(strings.Replace(got, painted, "", 1)); bad != "" && s != "" {
			t.Errorf("%q shows %q: %q", s, bad, got)
		}
		if again := Clean(Clean(s)); again != Clean(s) {
			t.Errorf("%q is cleaned to %q, and that to %q", s, Clean(s), again)
		}
		if lines := Lines(s).String(); unsafe(lines) != "" || strings.Count(lines, "\n") > strings.Count(s, "\n") {
			t.Errorf("%q has the lines %q", s, lines)
		}
	})
}

// FuzzWriter checks that, in whatever pieces text is written, nothing unprintable but newlines and
// tabs comes out, that a JSON document keeps its meaning, and that a Text is written unchanged.
func FuzzWriter(f *testing.F) {
	for _, s := range hostile {
		f.Add(s, uint8(1))
		f.Add(s+s, uint8(3))
	}
	f.Fuzz(func(t *testing.T, s string, piece uint8) {
		var whole, pieces bytes.Buffer
		w := NewWriter(&whole, nil)
		if n, err := w.Write([]byte(s)); n != len(s) || err != nil {
			t.Errorf("wrote %d of %d bytes: %v", n, len(s), err)
		}
		w.Flush()
		if bad := unsafe(strings.ReplaceAll(whole.String(), "\t", "")); bad != "" {
			t.Errorf("%q lets %q through: %q", s, bad, whole.String())
		}
		w = NewWriter(&pieces, nil)
		for rest := []byte(s); len(rest) > 0; {
			n := min(int(piece%7)+1, len(rest))
			w.Write(rest[:n])
			rest = rest[n:]
		}
		w.Flush()
		if pieces.String() != whole.String() {
			t.Errorf("in pieces %q is %q, as a whole %q", s, pieces.String(), whole.String())
		}

		document, err := json.Marshal(map[string]string{s: s})
		if err != nil {
			t.Fatal(err)
		}
		var written bytes.Buffer
		w = NewWriter(&written, nil)
		w.Write(document)
		var want, got map[string]string
		if err := json.Unmarshal(document, &want); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(written.Bytes(), &got); err != nil {
			t.Fatalf("%s is not a JSON document: %s: %v", document, written.Bytes(), err)
		}
		for name, value := range want {
			if got[name] != value {
				t.Errorf("%s changed to %s", document, written.Bytes())
			}
		}

		text := Sprintf("%s%s%s", BeginFrame, Paint(Bold, s), EndFrame)
		var put bytes.Buffer
		if Put(NewWriter(&put, nil), text); put.String() != text.String() {
			t.Errorf("%q is put as %q", text, put.String())
		}
	})
}

// broken is a pipe without a reader.
type broken struct{ after int }

func (b *broken) Write(p []byte) (int, error) {
	if b.after--; b.after < 0 {
		return 0, unix.EPIPE
	}
	return len(p), nil
}

func TestLost(t *testing.T) {
	t.Parallel()
	gone := 0
	w := NewWriter(&broken{after: 2}, func() { gone++ })
	for i, put := range []func() error{
		func() error { _, err := w.Write([]byte("a")); return err },
		func() error { return Put(w, Paint(Bold, "b")) },
		func() error { return Put(w, Paint(Bold, "c")) },
		func() error { _, err := w.Write([]byte("d")); return err },
		func() error { return Data(w, []byte("e")) },
	} {
		if err := put(); (err != nil) != (i >= 2) || w.Lost() != (i >= 2) {
			t.Errorf("write %d: error %v, lost %v", i, err, w.Lost())
		}
	}
	if gone != 1 {
		t.Errorf("gone was called %d times, want once", gone)
	}
}

// TestWrap checks that no character but blanks is lost, and that the styles go on.
func TestWrap(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why  string
		line Text
		cols int
		want []string
	}{
		{"a line that fits", Sprintf("  one two"), 9, []string{"  one two"}},
		{"nothing", Text{}, 9, []string{""}},
		{"at blanks, and further lines are indented", Sprintf("  one two three four"), 11, []string{"  one two", "    three", "    four"}},
		{"a blank just after the edge", Sprintf("one two"), 3, []string{"one", " tw", " o"}},
		{"blanks at the end", Sprintf("one  "), 3, []string{"one"}},
		{"several blanks", Sprintf("one   two"), 5, []string{"one", "  two"}},
		{"a word that is longer than a line", Sprintf("abcdefghij"), 4, []string{"abcd", "  ef", "  gh", "  ij"}},
		{"the indentation is no place to break", Sprintf("    abcdef"), 6, []string{"    ab", "   cde", "   f"}},
		{"a number and its unit stay together", Sprintf("2 ms of 1 s, 5 cached"), 10, []string{"2 ms of", "  1 s, 5", "  cached"}},
		{"also if the number ends at the edge", Sprintf("2 ms of 1 s"), 9, []string{"2 ms of", "  1 s"}},
		{"unless they do not fit", Sprintf("1234 MiB"), 5, []string{"1234", "  MiB"}},
		{"a style that goes on", Sprintf("a %s d", Paint(Red, "b c")), 3, []string{"a \x1b[31mb\x1b[0m", " \x1b[31mc\x1b[0m", " d"}},
		{"wide characters", Sprintf("日本 語日"), 5, []string{"日本", "  語", "  日"}},
		{"a character that is wider than a line", Sprintf("日"), 1, []string{"…"}},
	} {
		var got []string
		for _, row := range tt.line.Wrap(tt.cols) {
			got = append(got, row.String())
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.why, got, tt.want)
		}
	}
}
