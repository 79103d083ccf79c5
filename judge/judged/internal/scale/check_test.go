package scale

import (
	"context"
	"errors"
	"math"
	"testing"
	"time"

	"tribunal/judge/internal/limits"
)

func TestCheck(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why, want string
		edit      func(*Setup)
	}{
		{"as usual", "", func(*Setup) {}},
		{"the most workers", "", func(s *Setup) { s.Workers = mostWorkers }},
		{"no workers", "--workers 0: want 1 to 100000 (hint: for example 1)", func(s *Setup) { s.Workers = 0 }},
		{"less than no slots", "--slots -4: want 1 to 1024 (hint: for example 2)", func(s *Setup) { s.Slots = -4 }},
		{"two servers", "--servers 2: want 1 or 3", func(s *Setup) { s.Servers = 2 }},
		{"no number", "--load NaN: want 0.01 to 100 (hint: for example 0.8)", func(s *Setup) { s.Load = math.NaN() }},
		{"infinite", "--link +Inf: want 0.000001 to 1000000 (hint: for example 10)", func(s *Setup) { s.Link = math.Inf(1) }},
		{"less than nothing", "--rtt -1s: want 0s to 10s (hint: for example 200µs)", func(s *Setup) { s.RTT = -time.Second }},
		{"more than all", "--hot 1.5: want 0 to 1 (hint: for example 0.5)", func(s *Setup) { s.Hot = 1.5 }},
		{"a large source", "--source-size 3GiB: want 0B to 1MiB (hint: for example 4KiB)", func(s *Setup) { s.Source = 3 * limits.GiB }},
		{"nothing to do", "a judging takes no time (hint: give --case-time or --compile-time one)", func(s *Setup) { s.Case, s.Compile = 0, 0 }},
		{"days", "a judging takes 48h0m0.5s: want at most 24h0m0s (hint: --cases, --case-time and --compile-time)", func(s *Setup) { s.Case, s.Cases = 24*time.Hour, 2 }},
		{"nearly never", "--arrivals 0.0001: want 0.001 to 1000000 submissions per second (hint: or 0, for as many as --load needs)", func(s *Setup) { s.Arrivals = 1e-4 }},
		{"no rate", "--arrivals NaN: want 0.001 to 1000000 submissions per second (hint: or 0, for as many as --load needs)", func(s *Setup) { s.Arrivals = math.NaN() }},
		{"a century", "--judgings 10000000: they take 317 years, want at most 32 (hint: more --arrivals)", func(s *Setup) { s.Arrivals, s.Judgings = 1e-3, 10_000_000 }},
		{"too much", "1 workers: about 2e+09 steps would be simulated, want at most 1e+08 (hint: fewer --workers, --slots or --cases, or a smaller --load or --package-size)", func(s *Setup) { s.Judgings, s.Cases, s.Case = 10_000_000, 110, time.Millisecond }},
		{"a huge package", "1000 workers: about 4e+09 steps would be simulated, want at most 1e+08 (hint: fewer --workers, --slots or --cases, or a smaller --load or --package-size)", func(s *Setup) { s.Workers, s.Hot, s.Package = 1000, 0.5, 1024*limits.GiB }},
	} {
		s := Usual(Measured())
		tt.edit(&s)
		got := ""
		if err := s.Check(); err != nil {
			got = err.Error()
		}
		if got != tt.want {
			t.Errorf("%s: %q, want %q", tt.why, got, tt.want)
		}
	}
}

// TestLongest simulates what takes longest: nothing overflows.
func TestLongest(t *testing.T) {
	t.Parallel()
	s := Usual(Measured())
	s.Cases, s.Case, s.Compile, s.Spread = 1, longest, 0, mostSpread
	s.Judgings = 18_000
	if err := s.Check(); err != nil {
		t.Fatal(err)
	}
	if p := Simulate(s); p.Judged < time.Hour || p.Verdicts <= 0 || p.of(slotsStation).Share > 1.01 {
		t.Errorf("%+v", p)
	}
}

// TestInterrupted checks that a simulation ends when its context does.
func TestInterrupted(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if c, err := Draw(ctx, Usual(Measured()), []int{1000}); !errors.Is(err, context.Canceled) || c != nil {
		t.Errorf("%v, %v", c, err)
	}
	if p, err := simulate(ctx, Usual(Measured())); !errors.Is(err, context.Canceled) || p.Verdicts > 0 {
		t.Errorf("it went on: %+v, %v", p, err)
	}
}
