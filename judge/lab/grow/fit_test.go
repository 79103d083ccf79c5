package grow

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

// TestRecover fits power laws with noise, a start and a floor. It checks that the fitted exponents
// are close, and that about 95 % of the true ones are within their confidence intervals.
func TestRecover(t *testing.T) {
	t.Parallel()
	rnd := rand.New(rand.NewPCG(5, 8))
	const trials = 2000
	outside := 0
	for range trials {
		exponent := 0.5 + 3*rnd.Float64()
		start := time.Duration(rnd.Int64N(int64(60 * time.Millisecond)))
		largest := float64(100*time.Millisecond) * (1 + 20*rnd.Float64())
		n := 5 + rnd.IntN(8)
		var all []sample
		for i := range n {
			size := math.Pow(2, float64(i))
			exact := largest * math.Pow(size/math.Pow(2, float64(n-1)), exponent)
			all = append(all, sample{size, start + time.Duration(exact*math.Exp(0.05*rnd.NormFloat64()))})
		}
		f, _, _ := fit(all, start, 2*time.Millisecond)
		if f == nil {
			continue // a large exponent leaves few sizes above the floor
		}
		if math.Abs(f.Exponent-exponent) > 0.5 {
			t.Errorf("%.2f comes out as %.2f of %d sizes", exponent, f.Exponent, f.Sizes)
		}
		if exponent < f.Low || f.High < exponent {
			outside++
		}
	}
	if share := float64(outside) / trials; share < 0.01 || share > 0.10 {
		t.Errorf("%.1f %% of the exponents are outside their confidence intervals, want about 5 %%", 100*share)
	}
}

func TestFit(t *testing.T) {
	t.Parallel()
	const ms = time.Millisecond
	of := func(times ...time.Duration) (all []sample) {
		for i, d := range times {
			all = append(all, sample{math.Pow(2, float64(i)), d})
		}
		return all
	}
	for _, tt := range []struct {
		why      string
		all      []sample
		start    time.Duration
		exponent float64
		points   int
		reason   string
	}{
		{"linear", of(10*ms, 20*ms, 40*ms, 80*ms), 0, 1, 4, ""},
		{"quadratic", of(10*ms, 40*ms, 160*ms), 0, 2, 3, ""},
		{"the time of the start is subtracted", of(60*ms, 70*ms, 90*ms, 130*ms), 50 * ms, 1, 4, ""},
		{"sizes below the floor are not used", of(51*ms, 50*ms, 51*ms, 54*ms, 58*ms, 66*ms), 50 * ms, 1, 3, ""},
		{"a small size that took long by chance", of(58*ms, 50*ms, 51*ms, 54*ms, 58*ms, 66*ms), 50 * ms, 1, 3, ""},
		{"the size does not matter", of(10*ms, 10*ms, 10*ms), 0, 0, 3, ""},
		{"no run", nil, 0, 0, 0, "no run was completed"},
		{"all is noise", of(50*ms, 51*ms, 50*ms), 50 * ms, 0, 0, "too few sizes take longer than the noise"},
		{"two sizes are too few", of(50*ms, 60*ms, 90*ms), 50 * ms, 0, 2, "too few sizes take longer than the noise"},
		{"sizes that hardly differ", []sample{{100, 10 * ms}, {101, 11 * ms}, {102, 12 * ms}}, 0, 0, 3,
			"the sizes that take longer than the noise are too close together"},
	} {
		f, used, reason := fit(tt.all, tt.start, 3*ms)
		if used != tt.points || reason != tt.reason || (f == nil) != (reason != "") || f != nil && math.Abs(f.Exponent-tt.exponent) > 1e-9 {
			t.Errorf("%s: %+v of %d, %s, want exponent %v of %d", tt.why, f, used, reason, tt.exponent, tt.points)
		}
	}
}

// TestDoubling checks that 2^n is recognized as exponential growth, and n^3 is not.
func TestDoubling(t *testing.T) {
	t.Parallel()
	var powers, cube []sample
	for n := 4.0; n <= 14; n++ {
		powers = append(powers, sample{n, time.Duration(1e6 * math.Exp2(n/1.5))})
		cube = append(cube, sample{n, time.Duration(1e6 * n * n * n)})
	}
	f, _, _ := fit(powers, 0, 0)
	if math.Abs(f.Doubling-1.5) > 0.01 {
		t.Errorf("2^(n/1.5) doubles each %v", f.Doubling)
	}
	if n, ok := f.reaches(time.Duration(1e6 * math.Exp2(20))); !ok || math.Abs(n-30) > 0.1 {
		t.Errorf("2^(n/1.5) reaches 2^20 at %v, want 30", n)
	}
	if f, _, _ := fit(cube, 0, 0); f.Doubling != 0 || math.Abs(f.Exponent-3) > 1e-6 {
		t.Errorf("n^3 comes out as %+v", f)
	}
}

func TestReaches(t *testing.T) {
	t.Parallel()
	f := Fit{Exponent: 2, Scale: 1e3} // 1 µs times the square of the size
	if n, ok := f.reaches(time.Second); !ok || math.Abs(n-1000) > 1e-6 {
		t.Errorf("the square reaches 1 s at %v, %v, want 1000", n, ok)
	}
	if got := f.At(1000); got != time.Second {
		t.Errorf("the square of 1000 takes %v, want 1 s", got)
	}
	for why, f := range map[string]Fit{
		"the time does not grow": {Exponent: 0.01, Scale: 1e3}, "the time falls": {Exponent: -1, Scale: 1e3},
		"the size would be too large": {Exponent: 0.1, Scale: 1e3},
	} {
		if n, ok := f.reaches(time.Second); ok {
			t.Errorf("%s: reached at %v", why, n)
		}
	}
}

func TestStartTime(t *testing.T) {
	t.Parallel()
	const ms = time.Millisecond
	for _, tt := range []struct {
		why         string
		times       []time.Duration
		start, want time.Duration
	}{
		{"small inputs take a little longer than an empty one", []time.Duration{12 * ms, 11 * ms, 13 * ms, 40 * ms}, 10 * ms, 12 * ms},
		{"even the smallest input takes long", []time.Duration{30 * ms, 60 * ms}, 10 * ms, 10 * ms},
		{"the program did not exit on an empty input", []time.Duration{30 * ms, 60 * ms}, 0, 30 * ms},
		{"it exited on no input", nil, 0, 0},
	} {
		var all []sample
		for i, d := range tt.times {
			all = append(all, sample{float64(i + 1), d})
		}
		if got := startTime(all, tt.start, 5*ms); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.why, got, tt.want)
		}
	}
}
