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
		{"", Exact, "", "nothing said means byte equality"},
		{"exact", Exact, "", "a mode"},
		{"tokens", Tokens, "", "a mode"},
		{"float", Float, "", "a mode"},
		{"Float", "", `unknown way to compare "Float" (hint: exact, tokens or float)`, "names are exact"},
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
			t.Error("New took a mode that does not exist")
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
		{"negative is not set", -1, -1, Options{Mode: Exact, Lines: 12, Bytes: 4096}},
		{"set is kept", 3, 100, Options{Mode: Exact, Lines: 3, Bytes: 100}},
		{"the work is bounded", 1e6, 1 << 20, Options{Mode: Exact, Lines: 256, Bytes: 1 << 20}},
		{"few bytes mean few lines", 12, 100, Options{Mode: Exact, Lines: 6, Bytes: 100}},
		{"a line needs some bytes", 12, 1, Options{Mode: Exact, Lines: 1, Bytes: 16}},
	} {
		got := Options{Lines: tt.lines, Bytes: tt.bytes}.withDefaults()
		if d := cmp.Diff(tt.want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", tt.why, d)
		}
	}
}
