package scale

import (
	"math"
	"math/rand/v2"
	"time"
)

// dice draws the times of a simulation.
type dice struct{ *rand.Rand }

func newDice(seed uint64) dice { return dice{rand.New(rand.NewPCG(seed, 0))} }

// around draws from a log-normal distribution with this mean, whose standard deviation is given as a share of the
// mean.
func (d dice) around(mean time.Duration, spread float64) time.Duration {
	if mean == 0 || spread == 0 {
		return mean
	}
	variance := math.Log1p(spread * spread) // of the logarithm
	return time.Duration(float64(mean) * math.Exp(math.Sqrt(variance)*d.NormFloat64()-variance/2))
}

// gap draws the time until the next of independent events with a rate, in events per second.
func (d dice) gap(rate float64) time.Duration {
	return time.Duration(d.ExpFloat64() / rate * float64(time.Second))
}
