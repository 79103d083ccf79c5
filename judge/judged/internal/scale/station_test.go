package scale

import (
	"math"
	"testing"
	"time"
)

// TestStation compares the mean wait at a station with queueing theory.
func TestStation(t *testing.T) {
	t.Parallel()
	const mean = 10 * time.Millisecond
	fixed := func(dice) time.Duration { return mean }
	for _, tt := range []struct {
		why     string
		servers int
		load    float64 // of each server
		draw    func(dice) time.Duration
		want    float64 // mean wait, in units of the mean service
	}{
		{"M/M/1, half full", 1, 0.5, func(d dice) time.Duration { return d.gap(1 / mean.Seconds()) }, 1},
		{"M/M/1, nearly full", 1, 0.9, func(d dice) time.Duration { return d.gap(1 / mean.Seconds()) }, 9},
		{"M/M/4", 4, 0.8, func(d dice) time.Duration { return d.gap(1 / mean.Seconds()) }, erlang(4, 0.8)},
		{"M/D/1", 1, 0.8, fixed, 0.8 / 2 / 0.2},
		{"M/D/2", 2, 0.8, fixed, crommelin(2, 0.8)},
		{"M/D/16", 16, 0.9, fixed, crommelin(16, 0.9)},
		{"M/G/1 with little spread", 1, 0.7, func(d dice) time.Duration { return d.around(mean, 0.5) }, 0.7 * (1 + 0.25) / 2 / 0.3},
		{"M/G/1 with much spread", 1, 0.6, func(d dice) time.Duration { return d.around(mean, 1.2) }, 0.6 * (1 + 1.44) / 2 / 0.4},
	} {
		t.Run(tt.why, func(t *testing.T) {
			t.Parallel()
			const arrivals = 1_000_000
			var (
				c     clock
				s     = newStation(&c, tt.servers)
				d     = newDice(1)
				rate  = tt.load * float64(tt.servers) / mean.Seconds()
				waits time.Duration
				n     int
			)
			var arrive func()
			arrive = func() {
				if n++; n == arrivals {
					return
				}
				at := c.now
				s.acquire(func() {
					waits += c.now - at
					c.after(tt.draw(d), s.release)
				})
				c.after(d.gap(rate), arrive)
			}
			arrive()
			for c.next() {
			}
			got := waits.Seconds() / float64(n) / mean.Seconds()
			if math.Abs(got-tt.want) > 0.04*tt.want {
				t.Errorf("a mean wait of %.3f services, want %.3f", got, tt.want)
			}
			if got := s.utilisation(c.now); math.Abs(got-tt.load) > 0.01 {
				t.Errorf("busy for %.3f of the time, want %.3f", got, tt.load)
			}
		})
	}
}

// erlang returns the mean wait in M/M/c, in units of the mean service.
func erlang(c int, load float64) float64 {
	a := load * float64(c)
	sum, term := 0.0, 1.0 // term is a^k/k!
	for k := range c {
		sum += term
		term *= a / float64(k+1)
	}
	wait := term / (1 - load) / (sum + term/(1-load)) // the probability that one must wait
	return wait / (float64(c) * (1 - load))
}

// crommelin returns the mean wait in M/D/c, in units of the service: the customers of each server come
// and go in turns, as if it served every c-th of them alone (Crommelin, "Delay probability formulae when
// the holding times are constant", 1932). Spitzer's identity gives the mean of such a random walk.
func crommelin(c int, load float64) float64 {
	a := load * float64(c)
	tail := func(mean float64, from int) (p float64) { // of a Poisson distribution
		for j := from; j < from+400; j++ {
			log, _ := math.Lgamma(float64(j + 1))
			p += math.Exp(-mean + float64(j)*math.Log(mean) - log)
		}
		return p
	}
	wait := 0.0
	for i := 1; i < 1000; i++ {
		mean := float64(i) * a
		wait += tail(mean, i*c) - float64(c)/a*tail(mean, i*c+1)
	}
	return wait
}

// TestCrommelin checks the formula where a simpler one is known.
func TestCrommelin(t *testing.T) {
	t.Parallel()
	for _, load := range []float64{0.3, 0.6, 0.8} {
		if got, want := crommelin(1, load), load/2/(1-load); math.Abs(got-want) > 1e-3*want {
			t.Errorf("load %v: %v, want %v", load, got, want)
		}
	}
}

// TestClock plans events out of order.
func TestClock(t *testing.T) {
	t.Parallel()
	var c clock
	var got []time.Duration
	d := newDice(2)
	for range 1000 {
		at := time.Duration(d.IntN(100))
		c.after(at, func() {
			if c.now != at {
				t.Fatalf("an event for %v happens at %v", at, c.now)
			}
			got = append(got, at)
		})
	}
	order := 0
	for i := range 10 { // all at the same time
		c.after(50, func() {
			if order != i {
				t.Fatalf("the event planned as number %d is number %d", i, order)
			}
			order++
		})
	}
	for c.next() {
	}
	for i := 1; i < len(got); i++ {
		if got[i] < got[i-1] {
			t.Fatalf("%v after %v", got[i], got[i-1])
		}
	}
	if len(got) != 1000 || order != 10 {
		t.Errorf("%d and %d events happened", len(got), order)
	}
}
