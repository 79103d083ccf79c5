package cli

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// TestSilence checks how often lines say how far the judge is, and that a script can turn them off.
func TestSilence(t *testing.T) {
	for _, tt := range []struct {
		why, setting string
		work         time.Duration
		want         int
	}{
		{"short work", "", 29 * time.Second, 0},
		{"long work", "", 31 * time.Second, 1},
		{"very long work", "", 100 * time.Second, 3},
		{"turned off", "off", 100 * time.Second, 0},
		{"another value", "on", 31 * time.Second, 1},
	} {
		t.Setenv("TRIBUNAL_PROGRESS", tt.setting)
		synctest.Test(t, func(t *testing.T) {
			var out strings.Builder
			s := Stdio{Err: &out, quiet: newSilence()}
			stop := s.Follow("judging", false).Stop
			time.Sleep(tt.work)
			stop()
			if got := strings.Count(out.String(), "judge: judging"); got != tt.want {
				t.Errorf("%s: %d lines, want %d:\n%s", tt.why, got, tt.want, out.String())
			}
		})
	}
}

// TestSay checks that such a line has what is known so far.
func TestSay(t *testing.T) {
	t.Setenv("TRIBUNAL_PROGRESS", "")
	synctest.Test(t, func(t *testing.T) {
		var out strings.Builder
		a := Stdio{Err: &out, quiet: newSilence()}.Follow("judging", false)
		a.Say(10, 40, "pass@1 50 %")
		time.Sleep(31 * time.Second)
		a.Stop()
		if want := "judge: judging 10/40 · 0:30 · about 1:30 left · pass@1 50 %\n"; out.String() != want {
			t.Errorf("%q, want %q", out.String(), want)
		}
	})
}
