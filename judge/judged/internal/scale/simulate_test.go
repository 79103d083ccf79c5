package scale

import (
	"math"
	"reflect"
	"testing"
	"time"

	"tribunal/judge/internal/limits"
)

// cheap are costs of a service that is hardly busy: a microsecond for each step.
func cheap() *Constants {
	each := Step{Each: time.Microsecond}
	costs := Costs{each, each, each, Step{Delay: time.Microsecond}, each, each, Step{}, each, each}
	return &Constants{Cores: 2, Single: costs, Cluster: costs}
}

// fast is a setup with many cheap judgings: workers with a slot, for 10 ms each.
func fast(workers int, edit ...func(*Setup)) Setup {
	s := Usual(cheap())
	s.Workers, s.Slots, s.Cases, s.Case, s.Compile, s.Spread = workers, 1, 1, 10*time.Millisecond, 0, 0
	s.RTT, s.Link, s.Clients, s.Judgings = 0, 1e12, answerers, 20_000
	for _, e := range edit {
		e(&s)
	}
	return s
}

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if math.Abs(got-want) > tolerance*want {
		t.Errorf("%s: %.4g, want %.4g", what, got, want)
	}
}

// TestKeepsUp checks a service that has time: all that is handed in is judged, and each station is busy
// for what it does.
func TestKeepsUp(t *testing.T) {
	t.Parallel()
	s := fast(40, func(s *Setup) {
		c := &s.Constants.Single
		c.Submit, c.Judge = Step{Each: 20 * time.Microsecond, PerKiB: 5 * time.Microsecond}, Step{Each: 100 * time.Microsecond}
		c.Append, c.Fold = Step{Each: 30 * time.Microsecond}, Step{PerKiB: 6 * time.Microsecond}
		s.Source, s.Result = 4*limits.KiB, 12*limits.KiB
	})
	p := Simulate(s)
	rate := 0.8 * 40 / 0.01 // per second
	near(t, "offered", p.Offered, rate, 1e-9)
	near(t, "verdicts", p.Verdicts, rate, 0.03)
	near(t, "slots", p.of("slots").Share, 0.8, 0.03)
	near(t, "cpu", p.of("cpu").Share, rate*140e-6/2, 0.03)
	near(t, "ledger", p.of("ledger").Share, rate*60e-6, 0.03)
	near(t, "fold", p.of("fold").Share, rate*16*6e-6*4/3, 0.03)
	near(t, "what the ledger carries", p.of("ledger").Carries, 1/60e-6, 0.03)
	if p.Grows || p.Fetched != 0 || p.Taken <= 50*time.Microsecond || p.Taken > time.Millisecond || p.Judged < 10*time.Millisecond {
		t.Errorf("%+v", p)
	}
}

// TestBends makes one station slow, and checks what the service carries with it.
func TestBends(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why     string
		edit    func(*Setup)
		want    float64 // verdicts per second, in a domain
		station string
	}{
		{"two records for each submission", func(s *Setup) { s.Constants.Single.Append.Each = 500 * time.Microsecond }, 1000, "ledger"},
		{"the same in half of the domains", func(s *Setup) { s.Constants.Single.Append.Each, s.Domains = 500*time.Microsecond, 2 }, 1000, "ledger"},
		{"the cores", func(s *Setup) { s.Constants.Single.Judge.Each, s.Cores = 4*time.Millisecond, 4 }, 1000, "cpu"},
		{"the cores of three servers", func(s *Setup) {
			s.Servers, s.Cores = 3, 4
			s.Constants.Cluster.Judge.Each = 12 * time.Millisecond
		}, 1000, "cpu"},
		{"queues, of which that of results is busy even if no worker waits", func(s *Setup) {
			s.Constants.Single.Push.Each, s.Constants.Single.Deliver.Each = 400*time.Microsecond, 600*time.Microsecond
		}, 1000, "results"},
		{"two records that are read again", func(s *Setup) { s.Constants.Single.Fold.Each = 500 * time.Microsecond }, 1000, "fold"},
		{"a leader far from its servers, with 16 ways there and back at a time", func(s *Setup) {
			s.Servers, s.RTT = 3, 5*time.Millisecond
			s.Slots = 3 // so that workers ask in time
		}, handOuts / 0.015, "leader"},
		{"results far from the service", func(s *Setup) {
			s.Constants.Single.Append.Delay = 32 * time.Millisecond
		}, answerers / 0.032, "answers"},
		{"a link for a source thrice and a result once, and for a result", func(s *Setup) {
			s.Link, s.Source, s.Result = 1e9, 30*limits.KiB, 30*limits.KiB
		}, 1e9 / 8 / (3 * 40 * 1024), "link"},
	} {
		t.Run(tt.why, func(t *testing.T) {
			t.Parallel()
			s := fast(100, tt.edit)
			s.Arrivals = tt.want / 2 * float64(s.Domains)
			c, err := Draw(t.Context(), s, []int{100})
			if err != nil {
				t.Fatal(err)
			}
			b := c.Busiest()[0]
			near(t, "what it carries", b.Carries, tt.want, 0.05)
			if b.Station != tt.station {
				t.Errorf("%s is busiest, want %s", b.Station, tt.station)
			}
		})
	}
}

// TestOverload hands in more than the ledger can take. Clients that wait for their acknowledgements leave
// half of it to results.
func TestOverload(t *testing.T) {
	t.Parallel()
	s := fast(100, func(s *Setup) { s.Constants.Single.Append.Each, s.Clients = 500*time.Microsecond, answerers })
	p := Simulate(s)
	near(t, "verdicts", p.Verdicts, 1000, 0.05)
	if !p.Grows || p.of("ledger").Share < 0.99 {
		t.Errorf("%+v", p)
	}
}

// TestFetch lets all workers fetch a package at the same time, over a link that takes a tenth of a second
// for each.
func TestFetch(t *testing.T) {
	t.Parallel()
	const workers = 50
	s := fast(workers, func(s *Setup) { s.Package, s.Open, s.Link = 3*PieceSize, time.Second, 10*4*PieceSize*8 })
	r := &run{dice: newDice(1), Setup: &s}
	d := newDomain(r, workers)
	judged := 0
	for _, m := range d.workers {
		for range 3 { // submissions that come meanwhile
			m.fetch(func() { judged++ })
		}
	}
	for r.next() {
	}
	near(t, "the last package", r.now.Seconds(), 1+workers*0.1, 0.01)
	if len(r.fetched) != workers || judged != 3*workers {
		t.Errorf("%d packages were fetched, and %d submissions judged", len(r.fetched), judged)
	}
}

// TestHot checks that only the new version of a hot problem is fetched, once by each worker.
func TestHot(t *testing.T) {
	t.Parallel()
	s := fast(20, func(s *Setup) { s.Hot, s.Package, s.Open = 0.5, PieceSize, 30*time.Millisecond })
	p := Simulate(s)
	near(t, "verdicts", p.Verdicts, p.Offered, 0.05)
	near(t, "the slowest fetch", p.Fetched.Seconds(), 0.03, 0.05)
	s.Link, s.Source, s.Result, s.Judgings = 20*4*PieceSize*8, 0, 0, 100
	if p, during := Simulate(s), seconds(100/p.Offered); p.Fetched < during { // it comes when nothing is handed in any more
		t.Errorf("the slowest fetch is over after %v, before %v", p.Fetched, during)
	}
	s.Hot = 0
	if p := Simulate(s); p.Fetched != 0 {
		t.Errorf("without a hot problem, packages are fetched: %+v", p)
	}
}

// TestHotDomain has half of the submissions in one of four domains, which gets the workers for them.
func TestHotDomain(t *testing.T) {
	t.Parallel()
	s := fast(80, func(s *Setup) {
		s.Domains, s.Hot, s.Package, s.Open = 4, 0.5, 0, 0
		s.Constants.Single.Append.Each = 100 * time.Microsecond
	})
	p := Simulate(s)
	near(t, "verdicts", p.Verdicts, p.Offered, 0.05)
	near(t, "the ledger of the hot domain", p.of("ledger").Share, p.Offered*(0.5+0.5/4)*200e-6, 0.05)
}

func TestDivide(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why                        string
		workers, domains, problems int
		hot                        float64
		want                       []int
	}{
		{"one domain", 7, 1, 12, 0, []int{7}},
		{"evenly", 8, 4, 12, 0, []int{2, 2, 2, 2}},
		{"what rounding leaves", 10, 4, 12, 0, []int{3, 3, 2, 2}},
		{"a hot problem", 8, 4, 12, 0.5, []int{5, 1, 1, 1}},
		{"only a hot problem", 8, 4, 12, 1, []int{5, 1, 1, 1}},
		{"fewer workers than domains", 3, 5, 12, 0, []int{1, 1, 1}},
		{"fewer problems than domains", 8, 3, 2, 0, []int{3, 4, 1}},
	} {
		s := Setup{Workers: tt.workers, Domains: tt.domains, Problems: tt.problems, Hot: tt.hot}
		if got := (&run{Setup: &s}).divide(); !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s: %v, want %v", tt.why, got, tt.want)
		}
	}
}

// TestRepeats checks that a setup always gives the same point, and another seed another.
func TestRepeats(t *testing.T) {
	t.Parallel()
	s := Usual(Measured())
	s.Workers, s.Hot, s.Servers, s.Domains, s.Judgings = 30, 0.3, 3, 2, 1000
	a, b := Simulate(s), Simulate(s)
	if !reflect.DeepEqual(a, b) {
		t.Errorf("%+v\n%+v", a, b)
	}
	s.Seed++
	if reflect.DeepEqual(a, Simulate(s)) {
		t.Error("the seed does not matter")
	}
}
