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
		{"tokens", Tokens, "", "a mode"},
		{"float", Float, "", "a mode"},
		{"Float", "", `unknown way to compare "Float" (hint: exact, tokens or float)`, "the case of a name counts"},
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
