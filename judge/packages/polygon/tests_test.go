package polygon

import "testing"

func TestNumbered(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why, pattern string
		n            int
		want         string
	}{
		{"two digits", "tests/%02d.a", 7, "tests/07.a"},
		{"more digits than the width", "tests/%02d", 123, "tests/123"},
		{"no leading zeros", "%d.in", 5, "5.in"},
		{"no verb", "tests/x", 5, "tests/x"},
		{"other format verbs stay as they are", "%s%n%02x", 5, "%s%n%02x"},
	} {
		if got := numbered(tt.pattern, tt.n); got != tt.want {
			t.Errorf("%s: numbered(%q, %d) = %q, want %q", tt.why, tt.pattern, tt.n, got, tt.want)
		}
	}
}
