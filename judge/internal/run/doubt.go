package run

import (
	"time"

	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/sandbox"
)

// Doubtful reports whether the same program could have ended otherwise if this host
// had done something else meanwhile: its CPU time is within a fifth of the limit and it
// ended by itself, or it is over its wall limit by less than that or waited for a CPU on
// the way there, which cannot be measured to the last millisecond. What was stopped for
// anything else, such as an endless loop, is certain; so is one that slept, and one that
// was within its limits and far from that of CPU time.
func Doubtful(l limits.Limits, grace time.Duration, r sandbox.Result) bool {
	switch r.Stop {
	case sandbox.Exited, sandbox.Signalled:
		return near(l.CPU, r.CPU) || l.Wall > 0 && r.Counted() > l.Wall
	case sandbox.OverWall:
		return Starved(l, grace, r)
	}
	return false
}

// near reports whether an amount is within a fifth of its limit, if there is one.
func near[T time.Duration | limits.Bytes](limit, used T) bool {
	return limit > 0 && 5*max(limit-used, used-limit) <= limit
}

// Starved reports whether a run is over its wall limit and waited for a CPU for the grace
// and a tenth of the time: less than any other does it say what the program is worth.
func Starved(l limits.Limits, grace time.Duration, r sandbox.Result) bool {
	over := r.Stop == sandbox.OverWall || l.Wall > 0 && r.Counted() > l.Wall
	return over && r.CPUWait > 0 && r.CPUWait >= max(grace, r.Wall/10)
}
