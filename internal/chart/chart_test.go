package chart

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestTicks checks that ticks are few round numbers that enclose all values.
func TestTicks(t *testing.T) {
	t.Parallel()
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		low := math.Pow(10, rnd.Float64()*40-20)
		high := low * math.Pow(10, rnd.Float64()*rnd.Float64()*20)
		if rnd.IntN(4) == 0 { // round values, perhaps equal ones
			low = math.Pow10(rnd.IntN(20) - 10)
			high = low * math.Pow10(rnd.IntN(3))
		}
		for what, ticks := range map[string][]float64{"log": LogTicks(low, high), "linear": LinearTicks(high)} {
			last := ticks[len(ticks)-1]
			if len(ticks) < 2 || len(ticks) > mostTicks || !slices.IsSorted(ticks) || last < high || what == "log" && (ticks[0] > low || ticks[0] <= 0) || what == "linear" && ticks[0] != 0 {
				t.Fatalf("%s ticks from %v to %v: %v", what, low, high, ticks)
			}
		}
	}
	if got, want := LogTicks(3, 60), []float64{2, 5, 10, 20, 50, 100}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got, want := LogTicks(3, 60_000), []float64{1, 10, 100, 1000, 10_000, 100_000}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got, want := LinearTicks(1.9), []float64{0, 0.5, 1, 1.5, 2}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestLabel checks that the name of a point is written where there is room, or not at all.
func TestLabel(t *testing.T) {
	t.Parallel()
	const x, y = 200, 100
	field := Box{0, 0, 400, 200}
	for _, tt := range []struct {
		why   string
		taken []Box
		want  string // part of the text
	}{
		{"no other elements", nil, `x="208" y="104"`},
		{"no room on the right", []Box{{202, 90, 230, 110}}, `x="192" y="104"`},
		{"room only above, on the left", []Box{{201, 70, 300, 130}, {100, 97, 199, 140}}, `x="194" y="92"`},
		{"room only above, on the right", []Box{{100, 70, 199, 130}, {201, 97, 300, 140}}, `x="206" y="92"`},
		{"no room at all", []Box{field}, ""},
	} {
		c := &Canvas{Width: 720}
		c.Label(x, y, "a-board", field, tt.taken)
		if got := c.body.String(); tt.want == "" && got != "" || !strings.Contains(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.why, got, tt.want)
		}
	}
}

func TestUnits(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why  string
		show func(float64) string
		v    float64
		want string
	}{
		{"the shortest unit", Duration, 51.24, "51.2 ns"},
		{"rounded up to the next unit", Duration, 999.6, "1.00 µs"},
		{"rounded down in the same unit", Duration, 999.4, "999 ns"},
		{"milliseconds", Duration, 12_345_678, "12.3 ms"},
		{"no unit above seconds", Duration, 2e12, "2000 s"},
		{"less than one", Duration, 0.5, "0.500 ns"},
		{"round", Duration, 1e9, "1 s"},
		{"rounded up to two digits", Digits, 9.997, "10.0"},
		{"rounded up to three digits", Digits, 99.96, "100"},
		{"a million", Count, 67_900_000, "67.9 M"},
		{"few", Count, 64, "64"},
		{"none", Count, 0, "0"},
		{"a tick", Tick, 0.1 + 0.2, "0.3"},
	} {
		if got := tt.show(tt.v); got != tt.want {
			t.Errorf("%s: %v is shown as %q, want %q", tt.why, tt.v, got, tt.want)
		}
	}
}
