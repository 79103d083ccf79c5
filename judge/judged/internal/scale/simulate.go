package scale

import (
	"context"
	"slices"
	"time"
)

// Point is the performance of a service with one number of workers.
type Point struct {
	Workers  int           `json:"workers"`
	Offered  float64       `json:"offered"`    // submissions per second
	Verdicts float64       `json:"verdicts"`   // per second
	Grows    bool          `json:"grows"`      // more is handed in than judged, so that times grow for ever
	Taken    time.Duration `json:"taken_ns"`   // within which 95 of 100 submissions were acknowledged
	Judged   time.Duration `json:"judged_ns"`  // within which 95 of 100 had their verdicts
	Fetched  time.Duration `json:"fetched_ns"` // the longest time until a worker had the hot package; 0 if none needed it
	Stations []Busy        `json:"stations"`   // in the order of [Stations]
}

// Busy is how busy a station is, in the domain where it is busiest.
type Busy struct {
	Station string  `json:"station"`
	Share   float64 `json:"share"`   // of the time
	Carries float64 `json:"carries"` // verdicts per second of a domain that would keep it busy all the time; 0 if it is idle
}

// Stations names the stations on the way of a submission.
var Stations = []string{slotsStation, "cpu", "link", "ledger", "fold", "leader", "tasks", "results", "answers", "packages"}

// slotsStation is the station of the workers. All others are of the service.
const slotsStation = "slots"

// stations returns the stations of a domain, in the order of Stations. The slots are those of all workers.
func (d *domain) stations() [][]*station {
	var slots []*station
	for _, m := range d.workers {
		slots = append(slots, m.slots)
	}
	return [][]*station{slots, {d.cpu}, {d.link}, {d.ledger}, {d.fold}, {d.leader}, {d.work}, {d.results}, {d.answers}, {d.blobs}}
}

// Simulate simulates a setup, which must pass Check. The same setup gives the same point.
func Simulate(s Setup) Point {
	p, _ := simulate(context.Background(), s)
	return p
}

// simulate is Simulate. The error is that of ctx, if that ends before.
func simulate(ctx context.Context, s Setup) (Point, error) {
	r := &run{dice: newDice(s.Seed), Setup: &s}
	for _, n := range r.divide() {
		r.domains = append(r.domains, newDomain(r, n))
	}
	rate := s.Offered()
	fill, measure := s.spans()
	during := seconds(measure)
	r.from = seconds(fill)
	r.after(0, func() { r.arrive(rate, r.from+during) })
	r.after(r.from, r.begin)
	for r.now < r.from+during && ctx.Err() == nil && r.next() {
	}
	p := r.point(rate, during)
	for r.fetching > 0 && ctx.Err() == nil && r.next() { // until the slowest worker has the package
	}
	if len(r.fetched) > 0 {
		p.Fetched = slices.Max(r.fetched)
	}
	return p, ctx.Err()
}

// run is a simulation in progress.
type run struct {
	clock
	dice
	*Setup
	domains []*domain
	from    time.Duration // when measuring begins; before that, queues fill

	arrived                int // submissions since measuring began
	fetching               int // workers that fetch the package
	taken, judged, fetched []time.Duration
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

// divide divides the workers among the domains, as the submissions are divided.
func (r *run) divide() []int {
	n := min(r.Domains, r.Workers)
	shares := make([]float64, n)
	for p := range r.Problems {
		shares[p%n] += (1 - r.Hot) / float64(r.Problems)
	}
	shares[0] += r.Hot
	machines, left := make([]int, n), r.Workers
	for i := range machines {
		machines[i] = max(1, int(shares[i]*float64(r.Workers)))
		left -= machines[i]
	}
	for i := 0; left != 0; i = (i + 1) % n { // rounding left some workers over, or gave too many away
		if left > 0 {
			machines[i]++
			left--
		} else if machines[i] > 1 {
			machines[i]--
			left++
		}
	}
	return machines
}

// arrive hands in a submission, and plans the next.
func (r *run) arrive(rate float64, end time.Duration) {
	if r.now >= end {
		return
	}
	s := &submission{born: r.now, each: r.around(r.Case, r.Spread)}
	at := r.IntN(r.Problems) % len(r.domains)
	if r.Float64() < r.Hot {
		at, s.hot = 0, r.now >= r.from // a submission for the new version of the hot problem
	}
	if r.now >= r.from {
		r.arrived++
	}
	r.domains[at].submit(s)
	r.after(r.gap(rate), func() { r.arrive(rate, end) })
}

func (r *run) begin() {
	for _, d := range r.domains {
		d.done = 0
		for _, list := range d.stations() {
			for _, s := range list {
				s.reset()
			}
		}
	}
}

// acknowledged notes that a submission was taken.
func (r *run) acknowledged(s *submission) {
	if s.born >= r.from {
		r.taken = append(r.taken, r.now-s.born)
	}
}

func (d *domain) ended(s *submission) {
	d.done++
	if s.born >= d.from {
		d.run.judged = append(d.run.judged, d.now-s.born)
	}
}

// took notes how long a worker took to get a package.
func (r *run) took(t time.Duration) {
	r.fetched = append(r.fetched, t)
	r.fetching--
}

// point returns what was measured during a time, with so many submissions offered per second.
func (r *run) point(rate float64, during time.Duration) Point {
	p := Point{Workers: r.Workers, Offered: rate, Taken: within(r.taken), Judged: within(r.judged)}
	judged := 0
	for _, d := range r.domains {
		judged += d.done
	}
	p.Verdicts = float64(judged) / during.Seconds()
	p.Grows = float64(judged) < 0.95*float64(r.arrived)
	for i, name := range Stations {
		busiest := Busy{Station: name}
		for _, d := range r.domains {
			share, all := 0.0, d.stations()[i]
			for _, s := range all {
				share += s.utilisation(during) / float64(len(all))
			}
			if share > busiest.Share {
				busiest.Share = share
				busiest.Carries = float64(d.done) / during.Seconds() / share
			}
		}
		p.Stations = append(p.Stations, busiest)
	}
	return p
}

// within returns the 95th percentile of the times, 0 if there are none.
func within(times []time.Duration) time.Duration {
	if len(times) == 0 {
		return 0
	}
	slices.Sort(times)
	return times[(len(times)*95+99)/100-1]
}
