package layout

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

// TestProgress checks the texts of progress.
func TestProgress(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		done, total int
		spent       time.Duration
		want, why   string
	}{
		{0, 0, 0, "compiling", "just begun"},
		{0, 0, 41 * time.Second, "compiling · 0:41", "nothing is counted"},
		{17, 202, 41 * time.Second, "compiling 17/202 · 0:41 · about 7:26 left", "the rest takes as long for each part"},
		{10, 40, time.Second - 1, "compiling 10/40", "too early for an estimate"},
		{39, 40, 10 * time.Second, "compiling 39/40 · 0:10 · about 0:01 left", "never 0:00"},
		{40, 40, 10 * time.Second, "compiling 40/40 · 0:10", "nothing is left"},
		{0, 40, 10 * time.Second, "compiling 0/40 · 0:10", "no part tells how long one takes"},
		{1, 2, 3723 * time.Second, "compiling 1/2 · 1:02:03 · about 1:02:03 left", "hours"},
	} {
		if got := Progress("compiling", tt.done, tt.total, tt.spent); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.why, got, tt.want)
		}
	}
}

// TestBarNarrow checks that a bar gives up its picture before its words.
func TestBarNarrow(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		width         int
		picture, says bool
	}{{100, true, true}, {80, false, true}, {40, false, false}} {
		var out bytes.Buffer
		begun := time.Now()
		b := &Bar{w: &out, Width: tt.width, what: "judging", begun: begun, now: func() time.Time { return begun.Add(6 * time.Second) }}
		b.Count(45, 300, "pass@1 100 % · 7.4/s")
		b.Draw()
		if got := out.String(); strings.Contains(got, "[=") != tt.picture || strings.Contains(got, "7.4/s") != tt.says || !strings.Contains(got, "judging 45/300") {
			t.Errorf("in %d columns: %q", tt.width, got)
		}
	}
}
