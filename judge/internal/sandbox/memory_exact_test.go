//go:build linux

package sandbox

import (
	"os"
	"strings"
	"testing"
	"time"

	"tribunal/judge/internal/limits"
)

// TestMappings counts the mappings of processes, and stops when there are enough.
func TestMappings(t *testing.T) {
	t.Parallel()
	line := "7f0000000000-7f0000001000 r--p 00000000 00:00 0 " + strings.Repeat(" ", 50) + "\n"
	for _, tt := range []struct {
		why    string
		lines  int // -1: the process has ended
		enough limits.Bytes
		least  limits.Bytes
		most   limits.Bytes
	}{
		{"all of them", 5000, limits.GiB, 5000 * mappingSize, 5000 * mappingSize},
		{"no more than needed, but for a block", 5000, 100 * mappingSize, 101 * mappingSize, 1000 * mappingSize},
		{"a process that has ended", -1, limits.GiB, 0, 0},
	} {
		p := process{thread: t.TempDir(), holding: holding{mappable: limits.GiB}}
		if tt.lines >= 0 {
			if err := os.WriteFile(p.thread+"/maps", []byte(strings.Repeat(line, tt.lines)), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if got := p.mappings(tt.enough); got < tt.least || got > tt.most {
			t.Errorf("%s: got %d bytes, want %d to %d", tt.why, got, tt.least, tt.most)
		}
	}
}

// TestHidden counts the most that is possible for a process that the kernel does not show.
func TestHidden(t *testing.T) {
	t.Parallel()
	if os.Geteuid() == 0 {
		t.Skip("not checked: mappings that the kernel hides (root sees all)")
	}
	p := process{thread: t.TempDir(), holding: holding{mappable: limits.MiB}}
	if err := os.WriteFile(p.thread+"/maps", nil, 0); err != nil {
		t.Fatal(err)
	}
	if got := p.mappings(limits.GiB); got != limits.MiB {
		t.Errorf("got %v, want %v", got, limits.MiB)
	}
}

// TestCostly checks for how long a figure is reused.
func TestCostly(t *testing.T) {
	t.Parallel()
	var c costly
	measured := 0
	measure := func(func() bool) limits.Bytes { measured++; return limits.Bytes(measured) }
	for _, least := range []time.Duration{time.Hour, 0} {
		if got := c.value(least, measure); got != 1 {
			t.Errorf("least %v: got the %dth figure, want the first", least, got)
		}
	}
	c.until = time.Now()
	if got := c.value(time.Hour, measure); got != 2 {
		t.Errorf("afterwards: got the %dth figure, want the second", got)
	}
}
