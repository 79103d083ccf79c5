//go:build linux

package sandbox

import (
	"strings"
	"testing"
)

// TestEnds checks that Ends keeps everything, or the beginning and the end.
func TestEnds(t *testing.T) {
	t.Parallel()
	full := strings.Repeat("a", endSize)
	for _, tt := range []struct {
		why   string
		parts []string
		want  string
	}{
		{"nothing", nil, ""},
		{"a little, in parts", []string{"ab", "", "c"}, "abc"},
		{"as much as is kept", []string{full + full[1:], "b"}, full + full[1:] + "b"},
		{"one byte more than is kept", []string{full, "b" + full}, full + "\n…\n" + full},
		{"much more, at once", []string{"x" + full + full + full + "y"}, "x" + full[1:] + "\n…\n" + full[1:] + "y"},
		{"much more, in parts", []string{"x", full, full, full, "y"}, "x" + full[1:] + "\n…\n" + full[1:] + "y"},
	} {
		var e Ends
		for _, p := range tt.parts {
			if n, err := e.Write([]byte(p)); n != len(p) || err != nil {
				t.Errorf("%s: wrote %d, %v", tt.why, n, err)
			}
		}
		if got := string(e.Bytes()); got != tt.want || e.Truncated() != strings.Contains(tt.want, "…") {
			t.Errorf("%s: %d bytes, truncated %v, want %d", tt.why, len(got), e.Truncated(), len(tt.want))
		}
	}
}
