package scale

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"strconv"
	"time"

	"tribunal/judge/internal/limits"
)

const (
	mostWorkers = 100_000
	mostSeconds = 1e9 // of simulated time, which a time.Duration can hold several times over
	mostSteps   = 1e8 // runs of programs, transfers of pieces and the like, which take about a minute
	longest     = 24 * time.Hour
)

// Check returns an error if a part of the setup makes no sense, or if its simulation would take too long.
// Errors are in one line, and name flags of simulate.
func (s *Setup) Check() error {
	u := Usual(s.Constants)
	for _, err := range []error{
		between("workers", s.Workers, 1, mostWorkers, u.Workers),
		between("slots", s.Slots, 1, 1024, u.Slots),
		between("domains", s.Domains, 1, 1000, u.Domains),
		between("cores", s.Cores, 1, 1024, u.Cores),
		between("rtt", s.RTT, 0, 10*time.Second, u.RTT),
		between("link", s.Link/Gigabit, 1e-6, 1e6, u.Link/Gigabit),
		between("clients", s.Clients, 1, 1_000_000, u.Clients),
		between("load", s.Load, 0.01, 100, u.Load),
		between("cases", s.Cases, 1, 10_000, u.Cases),
		between("case-time", s.Case, 0, longest, u.Case),
		between("case-spread", s.Spread, 0, mostSpread, u.Spread),
		between("compile-time", s.Compile, 0, longest, u.Compile),
		between("source-size", s.Source, 0, limits.MiB, u.Source),
		between("result-size", s.Result, 0, limits.MiB, u.Result),
		between("problems", s.Problems, 1, 1_000_000, u.Problems),
		between("hot", s.Hot, 0, 1, 0.5),
		between("package-size", s.Package, 0, 1024*limits.GiB, u.Package),
		between("open-time", s.Open, 0, longest, u.Open),
		between("judgings", s.Judgings, 100, 10_000_000, u.Judgings),
	} {
		if err != nil {
			return err
		}
	}
	switch {
	case s.Servers != 1 && s.Servers != 3:
		return fmt.Errorf("--servers %d: want 1 or 3", s.Servers)
	case s.Arrivals != 0 && !(s.Arrivals >= 1e-3 && s.Arrivals <= 1e6):
		return fmt.Errorf("--arrivals %s: want 0.001 to 1000000 submissions per second (hint: or 0, for as many as --load needs)", show(s.Arrivals))
	case s.judging() == 0:
		return errors.New("a judging takes no time (hint: give --case-time or --compile-time one)")
	case s.judging() > longest:
		return fmt.Errorf("a judging takes %v: want at most %v (hint: --cases, --case-time and --compile-time)", s.judging(), longest)
	}
	return s.checkLength()
}

// checkLength returns an error if the simulation would take too long.
func (s *Setup) checkLength() error {
	fill, measure := s.spans()
	if measure > mostSeconds {
		return fmt.Errorf("--judgings %d: they take %.0f years, want at most %.0f (hint: more --arrivals)", s.Judgings, years(measure), years(mostSeconds))
	}
	const others = 10 // steps of a judging besides those of its cases
	steps := s.Offered() * (fill + measure) * float64(s.Cases+others)
	if s.Hot > 0 {
		steps += float64(s.Workers) * float64(s.Package) / PieceSize
	}
	if steps > mostSteps {
		return fmt.Errorf("%d workers: about %.0e steps would be simulated, want at most %.0e (hint: fewer --workers, --slots or --cases, or a smaller --load or --package-size)", s.Workers, steps, float64(mostSteps))
	}
	return nil
}

func years(seconds float64) float64 { return seconds / (365 * 24 * 3600) }

// between returns an error if the value of a flag is not between two others. NaN never is.
func between[T cmp.Ordered](flag string, is, from, most, usual T) error {
	if is >= from && is <= most {
		return nil
	}
	return fmt.Errorf("--%s %s: want %s to %s (hint: for example %s)", flag, show(is), show(from), show(most), show(usual))
}

// show formats a value as a flag takes it.
func show(value any) string {
	if v, ok := value.(float64); ok && math.Abs(v) < 1e15 {
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return fmt.Sprint(value)
}
