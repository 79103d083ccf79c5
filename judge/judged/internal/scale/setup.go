package scale

import (
	"time"

	"tribunal/judge/internal/limits"
)

// Setup is the subject of a simulation: a service, its workers and the submissions. [Usual] returns one.
type Setup struct {
	Constants *Constants `json:"-"`

	Workers int           `json:"-"`
	Slots   int           `json:"slots"`       // of a worker
	Domains int           `json:"domains"`     // of JetStream, each with a service; problems and workers are divided among them
	Servers int           `json:"servers"`     // of a domain: 1, in the process of the service, or 3 that keep everything
	Cores   int           `json:"cores"`       // of each server
	RTT     time.Duration `json:"rtt_ns"`      // between two hosts, there and back
	Link    float64       `json:"link_bits_s"` // what a server can send, in bits per second

	Clients  int           `json:"clients"`      // that hand in at a time, in a domain: others wait until one has its acknowledgement
	Arrivals float64       `json:"arrivals"`     // submissions per second; 0 means as many as keep the share Load of the slots busy
	Load     float64       `json:"load"`         // may be more than 1
	Cases    int           `json:"cases"`        // of a problem, all of which are judged
	Case     time.Duration `json:"case_ns"`      // the mean time of a case in a slot
	Spread   float64       `json:"spread"`       // the standard deviation of that time between submissions, as a share of the mean
	Compile  time.Duration `json:"compile_ns"`   // the time of a compilation in a slot
	Source   limits.Bytes  `json:"source_bytes"` // of a submission
	Result   limits.Bytes  `json:"result_bytes"` // of a judging

	Problems int           `json:"problems"`      // all equally popular
	Hot      float64       `json:"hot"`           // the share of submissions for one further problem, whose package no worker has at first
	Package  limits.Bytes  `json:"package_bytes"` // of that problem
	Open     time.Duration `json:"open_ns"`       // what a worker needs to open the package when it has it

	Judgings int    `json:"judgings"` // how many are simulated, about
	Seed     uint64 `json:"seed"`
}

// Gigabit is the number of bits in a Gbit.
const Gigabit = 1e9

// Usual returns a small service: workers with two slots, and problems with 20 cases of 100 ms.
func Usual(c *Constants) Setup {
	return Setup{
		Constants: c, Workers: 1, Slots: 2, Domains: 1, Servers: 1, Cores: c.Cores, RTT: 200 * time.Microsecond, Link: 10 * Gigabit,
		Clients: 64, Load: 0.8, Cases: 20, Case: 100 * time.Millisecond, Spread: 0.5, Compile: 500 * time.Millisecond,
		Source: 4 * limits.KiB, Result: 12 * limits.KiB,
		Problems: 12, Package: 20 * limits.MiB, Open: time.Second, Judgings: 5000, Seed: 1,
	}
}

// judging returns the mean time in slots of a judging.
func (s *Setup) judging() time.Duration { return s.Compile + time.Duration(s.Cases)*s.Case }

// Capacity returns how many judgings per second the slots of all workers can do.
func (s *Setup) Capacity() float64 { return float64(s.Workers*s.Slots) / s.judging().Seconds() }

// Offered returns how many submissions per second are handed in.
func (s *Setup) Offered() float64 {
	if s.Arrivals > 0 {
		return s.Arrivals
	}
	return s.Load * s.Capacity()
}

// spans returns how many seconds a simulation lasts: first until the queues have filled, and then while it
// measures.
func (s *Setup) spans() (fill, measure float64) {
	measure = max(float64(s.Judgings)/s.Offered(), 5*s.judging().Seconds())
	return measure/4 + 2*s.judging().Seconds(), measure
}
