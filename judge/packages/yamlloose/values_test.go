package yamlloose

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestSplitShell(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why, text string
		want      []string
		open      bool
	}{
		{"only a blank", " ", nil, false},
		{"several blanks", " float_tolerance  1e-6\n", []string{"float_tolerance", "1e-6"}, false},
		{"double quotes", `--message "There are more."`, []string{"--message", "There are more."}, false},
		{"single quotes keep backslashes", `'a\ b'c`, []string{`a\ bc`}, false},
		{"an empty word", `a "" b`, []string{"a", "", "b"}, false},
		{"an escaped blank", `a\ b`, []string{"a b"}, false},
		{"quotes within quotes", `"a\"b" "it's"`, []string{`a"b`, "it's"}, false},
		{"a backslash within quotes", `"a\nb"`, []string{`a\nb`}, false},
		{"a backslash at the end", `a\`, []string{`a\`}, false},
		{"an unclosed quote", `it's`, []string{"its"}, true},
	} {
		got, ok := SplitShell(tt.text)
		if !slices.Equal(got, tt.want) || ok == tt.open {
			t.Errorf("%s: splitShell(%q) = %q, %v", tt.why, tt.text, got, ok)
		}
	}
}

// FuzzSplitShell checks that SplitShell returns words that were quoted with single quotes
// unchanged.
func FuzzSplitShell(f *testing.F) {
	f.Add("a b", "")
	f.Add(`\`, "it's \"")
	f.Fuzz(func(t *testing.T, a, b string) {
		if !utf8.ValidString(a) || !utf8.ValidString(b) {
			return // not text
		}
		quote := func(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
		got, ok := SplitShell(quote(a) + "  " + quote(b))
		if !ok || len(got) != 2 || got[0] != a || got[1] != b {
			t.Errorf("%q and %q became %q, %v", a, b, got, ok)
		}
	})
}
