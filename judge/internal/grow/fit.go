package grow

import (
	"math"
	"slices"
	"time"

	"tribunal/judge/internal/document"
)

// Fit is the power of the size that the CPU time grows by: time = start + scale·size^Exponent.
type Fit struct {
	Exponent float64         `json:"exponent"` // the least squares of the logarithms
	Low      float64         `json:"low"`      // of the exponent, at 95 % confidence
	High     float64         `json:"high"`
	Scale    document.Number `json:"scale_ns"`
	Sizes    int             `json:"sizes"` // that took part, the largest
	// Doubling, when not 0, says that the times grow rather by powers than by a power:
	// twice as long each time the size grows by so much.
	Doubling float64 `json:"doubling"`
	LimitAt  float64 `json:"limit_at"` // the size at which the limit is reached; 0 if it is not in sight
	base     float64 // with Doubling: ns at size 0
}

const (
	minPoints = 3   // sizes that a fit needs
	minSpan   = 1.5 // times the smallest of them the largest has to be
	// clearly is how many times smaller the squares have to be for times to grow rather by
	// powers, and clearPoints how many sizes that is looked at for.
	clearly     = 4
	clearPoints = 5
)

// sample is the median time of a size.
type sample struct {
	size float64
	time time.Duration
}

// fit fits the times beyond start of samples in ascending order of size: of the largest
// sizes, as many as all take floor longer than it at least: used of them. If there is no
// fit, none tells why.
func fit(all []sample, start, floor time.Duration) (f *Fit, used int, none string) {
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
		return nil, 0, "no run came to its end"
	case len(x) < minPoints:
		return nil, len(x), "too few sizes take longer than the noise"
	case slices.Max(sizes) < minSpan*slices.Min(sizes):
		return nil, len(x), "the sizes that take longer than the noise are too near to each other"
	}
	power := leastSquares(x, y)
	f = &Fit{Exponent: power.slope, Scale: document.Number(math.Exp(power.offset)), Sizes: len(x)}
	free := len(x) - 2
	f.Low, f.High = f.Exponent-student(free)*power.deviation, f.Exponent+student(free)*power.deviation
	if len(x) >= clearPoints && power.slope > 1 {
		if by := leastSquares(sizes, y); by.slope > 0 && clearly*by.squares < power.squares {
			f.Doubling, f.base = math.Ln2/by.slope, math.Exp(by.offset)
		}
	}
	return f, len(x), ""
}

// reaches returns the size at which so much time beyond the start is reached, and false
// if it is not, or beyond any size that means something.
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

// At returns the time beyond the start that the fit gives a size.
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
	squares       float64 // sum of those of what is left over
}

// leastSquares fits a line to three points or more, not all at the same x.
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

// quantiles of Student's distribution for 97.5 %, by degrees of freedom from 1.
var quantiles = []float64{
	12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
	2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086,
}

// student returns a quantile, for many degrees of freedom one that is rather too large.
func student(free int) float64 { return quantiles[min(free, len(quantiles))-1] }

// begin returns what a program takes for next to nothing: the median time of the smallest
// inputs that take it hardly longer than no input at all. The latter is told as start; a
// program may end before it has begun on it, or not end at all.
func begin(all []sample, start, floor time.Duration) time.Duration {
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
