package yamltext

import (
	"errors"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

func TestScalar(t *testing.T) {
	t.Parallel()
	tests := []struct{ text, want, why string }{
		{"a\n", "|\n  a", "one line"},
		{"a\nb\n", "|\n  a\n  b", "several lines"},
		{"a", "|-\n  a", "no final line end is shown by the minus"},
		{"a\n\n", "|+\n  a\n", "a final empty line is shown by the plus"},
		{"a\n\n\n", "|+\n  a\n\n", "two final empty lines are shown by the plus"},
		{"a\n\nb\n", "|\n  a\n\n  b", "an empty line within gets no blanks"},
		{" a\n", "|2\n   a", "a first blank needs the indentation spelled out"},
		{"\ta\n", "|2\n  \ta", "a first tab needs the indentation spelled out"},
		{"\na\n", "|2\n\n  a", "a first empty line needs the indentation spelled out, because blanks could follow"},
		{"\n a\n", "|2\n\n   a", "a first empty line before a line with a blank"},
		{"a\n  b\n", "|\n  a\n    b", "blanks on later lines are plain"},
		{"a\tb\n", "|\n  a\tb", "a tab within a line is plain"},
		{"...\n---\n# x\n", "|\n  ...\n  ---\n  # x", "indented, these are only text"},
		{"é·∎\n", "|\n  é·∎", "visible letters of any script"},
		{"", `""`, "a block cannot be empty"},
		{"\n", `"\n"`, "a block of one empty line is hard to read"},
		{"\n\n", "\"\\\n  \\n\\\n  \\n\"", "a block of two empty lines is hard to read"},
		{"a \n", `"a \n"`, "editors trim a blank at the end of a line"},
		{"a\t\n", `"a\t\n"`, "editors trim a tab at the end of a line"},
		{"a ", `"a "`, "editors trim a blank at the end of the text"},
		{"a \n b\n", "\"\\\n  a \\n\\\n  \\ b\\n\"", "one line each; a first blank is escaped, else it is indentation"},
		{" \n", `" \n"`, "a line of blanks only"},
		{"a\r\nb\r\n", "\"\\\n  a\\r\\n\\\n  b\\r\\n\"", "CRLF is spelled out"},
		{"say \"\\\" \n", `"say \"\\\" \n"`, "quotes and backslashes"},
		{"\x00\x07\x7f\u0085\u00a0\n", `"\x00\x07\x7F\x85\xA0\n"`, "control characters, next line, no-break space"},
		{"\u2028\u2029\ufeff\u200b\n", `"\u2028\u2029\uFEFF\u200B\n"`, "what YAML takes for a line end, drops, or nobody sees"},
		{"\U000E0001", `"\U000E0001"`, "invisible beyond 16 bits"},
		{"\ufffd\n", `"\uFFFD\n"`, "the replacement character itself is valid"},
	}
	for _, tt := range tests {
		got, err := Scalar(tt.text, 0)
		if err != nil || got != tt.want {
			t.Errorf("%s: Scalar(%q) = %q, %v; want %q", tt.why, tt.text, got, err, tt.want)
		}
		roundTrip(t, tt.text, 4)
	}
	if got, err := Scalar("a\n", 4); got != "|\n      a" || err != nil {
		t.Errorf("Scalar at column 4 = %q, %v; lines stand two deeper than the key", got, err)
	}
	if _, err := Scalar("a\xff", 0); !errors.Is(err, ErrInvalidUTF8) {
		t.Errorf("Scalar of invalid UTF-8: %v", err)
	}
}

// roundTrip puts text into a list of mappings, between other keys, and reads it
// with the real reader.
func roundTrip(t *testing.T, text string, column int) {
	t.Helper()
	scalar, err := Scalar(text, column)
	if err != nil {
		return
	}
	for line := range strings.SplitSeq(scalar, "\n") {
		if strings.TrimRight(line, " \t") != line {
			t.Errorf("Scalar(%q) has a line that a trimming editor would change: %q", text, line)
		}
	}
	pad := strings.Repeat(" ", column)
	for _, tail := range []string{pad + "next: x\n...\n", "...\n"} {
		doc := "k:\n" + pad[:column-2] + "- first: y\n" + pad + "text: " + scalar + "\n" + tail
		var got struct{ K []map[string]string }
		if err := yaml.Unmarshal([]byte(doc), &got); err != nil {
			t.Fatalf("%q does not read: %v\n%s", text, err, doc)
		}
		if len(got.K) != 1 || got.K[0]["text"] != text || got.K[0]["first"] != "y" || strings.Contains(tail, "next") != (got.K[0]["next"] == "x") {
			t.Fatalf("%q reads back as %q in\n%s", text, got.K, doc)
		}
	}
}

func FuzzScalarRoundTrip(f *testing.F) {
	for _, s := range []string{"", "a\n", "\n \n", " a \n\tb", "#\n...\n", "\u2028x\r\n", "a: b\n- c\n\n\n"} {
		f.Add(s, uint8(0))
	}
	f.Fuzz(func(t *testing.T, text string, deep uint8) {
		roundTrip(t, text, 2+int(deep%9))
	})
}

// TestScalarShortTexts tries every text of up to five characters over those that
// have a meaning in YAML's layout.
func TestScalarShortTexts(t *testing.T) {
	t.Parallel()
	const letters = " \n\ta#"
	var try func(text string, left int)
	try = func(text string, left int) {
		roundTrip(t, text, 2)
		if left > 0 {
			for _, c := range letters {
				try(text+string(c), left-1)
			}
		}
	}
	try("", 5)
}
