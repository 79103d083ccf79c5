package run

import (
	"time"

	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/sandbox"
)

// Doubtful reports whether the run of the same program could have ended differently on a less busy
// host. A program that ended by itself is doubtful if its CPU time is within a fifth of the limit,
// or if it exceeded its wall limit. A program that was stopped at its wall limit is doubtful if it
// was [Starved], because waiting for a CPU cannot be measured to the millisecond. Any other run is
// certain: for example, one that was stopped at its CPU limit, or one that slept until its wall
// limit.
func Doubtful(l limits.Limits, grace time.Duration, r sandbox.Result) bool {
	switch r.Stop {
	case sandbox.Exited, sandbox.Signalled:
		return limits.Near(l.CPU, r.CPU) || l.Wall > 0 && r.Counted() > l.Wall
	case sandbox.OverWall:
		return Starved(l, grace, r)
	}
	return false
}

// Starved reports whether a run exceeded its wall limit and had waited for a CPU for a long time:
// for at least the grace, and for at least a tenth of its wall time.
func Starved(l limits.Limits, grace time.Duration, r sandbox.Result) bool {
	over := r.Stop == sandbox.OverWall || l.Wall > 0 && r.Counted() > l.Wall
	return over && r.CPUWait > 0 && r.CPUWait >= max(grace, r.Wall/10)
}
