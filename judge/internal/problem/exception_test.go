package problem

import (
	"testing"
	"time"

	"tribunal/judge/internal/limits"
)

// TestLimitsFor changes limits for some runs, the wall limit in proportion.
func TestLimitsFor(t *testing.T) {
	t.Parallel()
	usual := limits.Limits{CPU: time.Second, Wall: 3 * time.Second, Memory: 64 * limits.MiB, Output: limits.MiB, CPUs: 2}
	p := &Problem{Exceptions: []Exception{
		{Cases: "secret/1", CPU: 5 * time.Second},
		{Cases: "secret/1/1b", CPU: 500 * time.Millisecond, Memory: 32 * limits.MiB},
		{Language: "python3", Memory: 256 * limits.MiB},
		{Language: "java", Cases: "secret/{1,2}", CPU: 2 * time.Second},
	}}
	for _, tt := range []struct {
		why, language, name string
		cpu, wall           time.Duration
		memory              limits.Bytes
	}{
		{"no exception", "cpp", "secret/2/2a", time.Second, 3 * time.Second, 64},
		{"a group", "cpp", "secret/1/1a", 5 * time.Second, 15 * time.Second, 64},
		{"a group whose name only begins like it", "cpp", "secret/11/1a", time.Second, 3 * time.Second, 64},
		{"a case of the group", "cpp", "secret/1/1b", 500 * time.Millisecond, 1500 * time.Millisecond, 32},
		{"a language", "python3", "secret/2/2a", time.Second, 3 * time.Second, 256},
		{"a language for which packages have one code with another", "pypy3", "secret/2/2a", time.Second, 3 * time.Second, 256},
		{"a group and then a language", "python3", "secret/1/1b", 500 * time.Millisecond, 1500 * time.Millisecond, 256},
		{"the last one counts", "java", "secret/1/1a", 2 * time.Second, 6 * time.Second, 64},
		{"an executable has no language", "", "secret/2/2a", time.Second, 3 * time.Second, 64},
	} {
		want := usual
		want.CPU, want.Wall, want.Memory = tt.cpu, tt.wall, tt.memory*limits.MiB
		if got := p.LimitsFor(usual, tt.language, tt.name); got != want {
			t.Errorf("%s: %+v, want %+v", tt.why, got, want)
		}
	}
	want := usual
	want.CPU, want.Wall, want.Memory = 5*time.Second, 15*time.Second, 256*limits.MiB
	if got := p.Loosest(usual); got != want {
		t.Errorf("the loosest limits: %+v, want %+v", got, want)
	}
	if got := (&Problem{}).Loosest(usual); got != usual {
		t.Errorf("the loosest limits without exceptions: %+v, want %+v", got, usual)
	}
	fixed := p.WithExceptions(func(e Exception) Exception { e.CPU = 0; return e })
	if len(fixed.Exceptions) != 2 || len(p.Exceptions) != 4 || fixed.LimitsFor(usual, "cpp", "secret/1/1b").CPU != time.Second {
		t.Errorf("without limits of CPU time: %+v of %+v", fixed.Exceptions, p.Exceptions)
	}
}
