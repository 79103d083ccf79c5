package grow

import (
	"math"
	"slices"
	"time"

	"tribunal/judge/internal/document"
)

// Fit is a power law for the CPU time: time = start + Scale·size^Exponent.
type Fit struct {
	Exponent float64         `json:"exponent"` // by least squares of the logarithms
	Low      float64         `json:"low"`      // lower end of the 95 % confidence interval of Exponent
	High     float64         `json:"high"`     // upper end of this interval
	Scale    document.Number `json:"scale_ns"`
	Sizes    int             `json:"sizes"` // number of sizes in the fit, which uses the largest ones
	// Doubling, if not 0, means that the times grow exponentially rather than by a power: they
	// double each time the size grows by this much.
	Doubling float64 `json:"doubling"`
	LimitAt  float64 `json:"limit_at"` // the size that reaches the CPU time limit; 0 if no meaningful size does
	base     float64 // with Doubling: time beyond the start at size 0, in ns
}

const (
	minPoints = 3   // the least number of sizes in a fit
	minSpan   = 1.5 // the least ratio of the largest to the smallest size in a fit

	// An exponential fit needs at least minExpPoints sizes. The sum of its squared residuals must
	// be smaller than that of the power law by the factor minExpGain.
	minExpGain   = 4
	minExpPoints = 5
)

// sample is the median CPU time of the runs of one size.
type sample struct {
	size float64
	time time.Duration
}

// fit fits the times beyond start. The samples must be in ascending order of size. It uses the
// largest sizes, down to the first whose time exceeds start by less than floor; used is the number
// of sizes that it uses. If f is nil, reason says why there is no fit.
func fit(all []sample, start, floor time.Duration) (f *Fit, used int, reason string) {
	first := len(all)
	for first > 0 && all[first-1].time-start >= max(floor, 1) {
		first--
	}
	var sizes, x, y []float64 // x and y are logarithms
	for _, s := range all[first:] {
		sizes = append(sizes, s.size)
		x, y = append(x, math.Log(s.size)), append(y, math.Log(float64(s.time-start)))
	}
	switch {
	case len(all) == 0:
		return nil, 0, "no run was completed"
	case len(x) < minPoints:
		return nil, len(x), "too few sizes take longer than the noise"
	case slices.Max(sizes) < minSpan*slices.Min(sizes):
		return nil, len(x), "the sizes that take longer than the noise are too close together"
	}
	power := leastSquares(x, y)
	f = &Fit{Exponent: power.slope, Scale: document.Number(math.Exp(power.offset)), Sizes: len(x)}
	free := len(x) - 2
	f.Low, f.High = f.Exponent-student(free)*power.deviation, f.Exponent+student(free)*power.deviation
	if len(x) >= minExpPoints && power.slope > 1 {
		if exp := leastSquares(sizes, y); exp.slope > 0 && minExpGain*exp.squares < power.squares {
			f.Doubling, f.base = math.Ln2/exp.slope, math.Exp(exp.offset)
		}
	}
	return f, len(x), ""
}

// reaches returns the size that takes time t beyond the start, and false if there is none or if it
// is larger than any meaningful size.
func (f *Fit) reaches(t time.Duration) (float64, bool) {
	if t <= 0 {
		return 0, false
	}
	size := math.Exp((math.Log(float64(t)) - math.Log(float64(f.Scale))) / f.Exponent)
	if f.Doubling > 0 {
		size = math.Log2(float64(t)/f.base) * f.Doubling
	}
	const most = 1e15
	if f.Exponent < 0.05 || !(size > 0 && size < most) {
		return 0, false
	}
	return size, true
}

// At returns the fitted time beyond the start for a size.
func (f *Fit) At(size float64) time.Duration {
	if f.Doubling > 0 {
		return time.Duration(f.base * math.Exp2(size/f.Doubling))
	}
	return time.Duration(float64(f.Scale) * math.Pow(size, f.Exponent))
}

// line is a straight line through points.
type line struct {
	slope, offset float64
	deviation     float64 // standard deviation of the slope
	squares       float64 // sum of the squares of the residuals
}

// leastSquares fits a line to at least three points, which must not all have the same x.
func leastSquares(x, y []float64) line {
	n := float64(len(x))
	var mx, my, xx, xy float64
	for i := range x {
		mx, my = mx+x[i]/n, my+y[i]/n
	}
	for i := range x {
		xx += (x[i] - mx) * (x[i] - mx)
		xy += (x[i] - mx) * (y[i] - my)
	}
	l := line{slope: xy / xx}
	l.offset = my - l.slope*mx
	for i := range x {
		rest := y[i] - l.offset - l.slope*x[i]
		l.squares += rest * rest
	}
	l.deviation = math.Sqrt(l.squares / (n - 2) / xx)
	return l
}

// quantiles holds the 97.5 % quantiles of Student's t-distribution, by degrees of freedom from 1.
var quantiles = []float64{
	12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
	2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086,
}

// student returns the 97.5 % quantile for free degrees of freedom. For more than 20 it returns that
// for 20, which is slightly larger.
func student(free int) float64 { return quantiles[min(free, len(quantiles))-1] }

// startTime returns the time of a program on a trivial input: the median over the smallest inputs
// that take less than floor longer than an empty input. start is the time on an empty input, or 0
// if the program did not exit on it. It alone may be too short, because a program may exit at once
// when its input is empty.
func startTime(all []sample, start, floor time.Duration) time.Duration {
	var small []time.Duration
	for _, s := range all {
		if s.time >= start+floor && start > 0 {
			break
		}
		small = append(small, s.time)
		if start == 0 {
			break
		}
	}
	if len(small) == 0 {
		return start
	}
	slices.Sort(small)
	return small[len(small)/2]
}
