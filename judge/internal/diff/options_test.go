package diff

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseMode(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		s    string
		want Mode
		err  string
		why  string
	}{
		{"", Exact, "", "the default is byte equality"},
		{"exact", Exact, "", "a mode"},
		{"lines", Lines, "", "a mode"},
		{"tokens", Tokens, "", "a mode"},
		{"float", Float, "", "a mode"},
		{"Float", "", `unknown way to compare "Float" (hint: exact, lines, tokens or float)`, "the case of a name counts"},
	} {
		got, err := ParseMode(tt.s)
		text := ""
		if err != nil {
			text = err.Error()
		}
		if got != tt.want || text != tt.err {
			t.Errorf("ParseMode(%q) = %q, %q; want %q, %q: %s", tt.s, got, text, tt.want, tt.err, tt.why)
		}
	}
}

func TestParse(t *testing.T) {
	t.Parallel()
	const hint = " (hint: exact, lines, tokens or float:1e-6)"
	for _, tt := range []struct {
		s    string
		want Options
		err  string
		why  string
	}{
		{"exact", Options{Mode: Exact}, "", "a mode"},
		{"lines", Options{Mode: Lines}, "", "a mode"},
		{"tokens", Options{Mode: Tokens}, "", "case counts, unlike in packages"},
		{"float:1e-6", Options{Mode: Float, Abs: 1e-6, Rel: 1e-6}, "", "the tolerance is absolute or relative"},
		{"float:0", Options{Mode: Float}, "", "the same numbers, written differently"},
		{"float", Options{}, `unknown way to compare "float"` + hint, "a user has to say the tolerance"},
		{"float:", Options{}, `float: "" is not a number (hint: decimal, such as 0.001 or 1e-6)`, "no tolerance"},
		{"float:-1", Options{}, "float: -1 is negative (hint: a tolerance is 0 or more)", "not a tolerance"},
		{"lines:1", Options{}, `unknown way to compare "lines:1"` + hint, "only numbers have a tolerance"},
		{"", Options{}, `unknown way to compare ""` + hint, "there is no default"},
	} {
		got, err := Parse(tt.s)
		text := ""
		if err != nil {
			got, text = Options{}, err.Error()
		}
		if got != tt.want || text != tt.err {
			t.Errorf("Parse(%q) = %+v, %q; want %+v, %q: %s", tt.s, got, text, tt.want, tt.err, tt.why)
		}
	}
}

func TestNewPanicsOnUnknownMode(t *testing.T) {
	t.Parallel()
	defer func() {
		if recover() == nil {
			t.Error("New accepted an unknown mode")
		}
	}()
	New(nil, Options{Mode: "lenient"})
}

func TestOptionsDefaults(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why          string
		lines, bytes int
		want         Options
	}{
		{"the zero value", 0, 0, Options{Mode: Exact, Lines: 12, Bytes: 4096}},
		{"negative numbers mean the defaults", -1, -1, Options{Mode: Exact, Lines: 12, Bytes: 4096}},
		{"numbers within the bounds are kept", 3, 100, Options{Mode: Exact, Lines: 3, Bytes: 100}},
		{"at most 256 lines, because aligning them takes time", 1e6, 1 << 20, Options{Mode: Exact, Lines: 256, Bytes: 1 << 20}},
		{"few bytes reduce the number of lines", 12, 100, Options{Mode: Exact, Lines: 6, Bytes: 100}},
		{"at least 16 bytes, for one line", 12, 1, Options{Mode: Exact, Lines: 1, Bytes: 16}},
	} {
		got := Options{Lines: tt.lines, Bytes: tt.bytes}.withDefaults()
		if d := cmp.Diff(tt.want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", tt.why, d)
		}
	}
}
