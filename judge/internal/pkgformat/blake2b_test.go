package pkgformat

import (
	"fmt"
	"strings"
	"testing"
)

func TestBlake2b(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ why, text, want string }{
		{"nothing", "", "e4a6a0577479b2b4"},
		{"a seed of pisek", "0 0 01", "b0f3769b96f4a99a"},
		{"two blocks", "0 3 " + strings.Repeat("x", 200), "79dfc98797e3f69b"},
		{"a whole block", strings.Repeat("x", 128), "901ce374e8e12402"},
	} {
		if got := fmt.Sprintf("%016x", blake2b8(tt.text)); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.why, got, tt.want)
		}
	}
}
