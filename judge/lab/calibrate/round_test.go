package calibrate

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"tribunal/judge/internal/limits"
)

func TestNearestTime(t *testing.T) {
	t.Parallel()
	const ms, s = time.Millisecond, time.Second
	for _, tt := range []struct {
		why                        string
		present, least, most, want time.Duration
	}{
		{"the present limit is within the range", 1 * s, 200 * ms, 3 * s, 1 * s},
		{"the present limit need not be round", 1234 * ms, 200 * ms, 3 * s, 1234 * ms},
		{"the range is only this limit", 1 * s, 1 * s, 1 * s, 1 * s},
		{"up to 1, 2 or 5", 100 * ms, 230 * ms, 3 * s, 500 * ms},
		{"up to whole seconds", 1 * s, 6300 * ms, 30 * s, 7 * s},
		{"down to 1, 2 or 5", 5 * s, 100 * ms, 900 * ms, 500 * ms},
		{"down to whole seconds", 20 * s, 1 * s, 9600 * ms, 9 * s},
		{"only numbers of two digits", 1 * s, 1100 * ms, 1900 * ms, 1100 * ms},
		{"only numbers of three digits", 1 * s, 1130 * ms, 1190 * ms, 1130 * ms},
		{"down to three digits", 3 * s, 1130 * ms, 1190 * ms, 1190 * ms},
		{"no number of whole milliseconds", 3 * s, 1*ms + 1, 1*ms + 2, 1*ms + 1},
		{"least exceeds most", 1 * s, 2 * s, 1 * s, 0},
		{"no upper bound", 1 * s, 2500 * ms, math.MaxInt64, 3 * s},
	} {
		if got := time.Duration(nearest(times, int64(tt.present), int64(tt.least), int64(tt.most))); got != tt.want {
			t.Errorf("%s: from %v to %v, now %v: %v, want %v", tt.why, tt.least, tt.most, tt.present, got, tt.want)
		}
	}
}

func TestNearestSize(t *testing.T) {
	t.Parallel()
	const MiB = limits.MiB
	for _, tt := range []struct {
		why                        string
		present, least, most, want limits.Bytes
	}{
		{"the present limit is within the range", 100 * MiB, 20 * MiB, 300 * MiB, 100 * MiB},
		{"up to a power of two", 64 * MiB, 70 * MiB, 300 * MiB, 128 * MiB},
		{"the range is only a power of two", 64 * MiB, 128 * MiB, 128 * MiB, 128 * MiB},
		{"up to a multiple of 64 MiB", 64 * MiB, 130 * MiB, 200 * MiB, 192 * MiB},
		{"up to a multiple of 1 MiB", 64 * MiB, 130 * MiB, 140 * MiB, 130 * MiB},
		{"down to a power of two", 1024 * MiB, 70 * MiB, 300 * MiB, 256 * MiB},
	} {
		if got := limits.Bytes(nearest(sizes, int64(tt.present), int64(tt.least), int64(tt.most))); got != tt.want {
			t.Errorf("%s: from %v to %v, now %v: %v, want %v", tt.why, tt.least, tt.most, tt.present, got, tt.want)
		}
	}
}

// TestNearestBetween checks that nearest returns a number within random ranges, and keeps the
// present number if it is within the range.
func TestNearestBetween(t *testing.T) {
	t.Parallel()
	rnd := rand.New(rand.NewPCG(3, 7))
	amount := func() int64 { return int64(math.Pow(10, 6+rnd.Float64()*6)) }
	for range 20_000 {
		present, least := amount(), amount()
		most := least + rnd.Int64N(least)
		got := nearest(times, present, least, most)
		if got < least || got > most {
			t.Fatalf("from %d to %d, now %d: %d", least, most, present, got)
		}
		if least <= present && present <= most && got != present {
			t.Fatalf("from %d to %d: %d in place of %d", least, most, got, present)
		}
	}
}
