package run

import (
	"time"

	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/sandbox"
)

// Doubtful reports whether the same program could have ended otherwise if this host
// had done something else meanwhile: it ended by itself with its CPU or wall time
// within a fifth of the limit, or it went over its wall limit although it was ready
// to run and had no CPU for the grace and a tenth of the time. What was stopped for
// anything else, such as an endless loop, is certain; so is one that slept.
func Doubtful(l limits.Limits, grace time.Duration, r sandbox.Result) bool {
	switch r.Stop {
	case sandbox.Exited, sandbox.Signalled:
		return near(l.CPU, r.CPU) || near(l.Wall, r.Wall) || Starved(grace, r)
	case sandbox.OverWall:
		return Starved(grace, r)
	}
	return false
}

// near reports whether an amount is within a fifth of its limit, if there is one.
func near[T time.Duration | limits.Bytes](limit, used T) bool {
	return limit > 0 && 5*max(limit-used, used-limit) <= limit
}

// Starved reports whether a run over its wall limit would have had the time.
func Starved(grace time.Duration, r sandbox.Result) bool {
	return r.Waited > 0 && r.Waited >= max(grace, r.Wall/10)
}
