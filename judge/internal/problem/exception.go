package problem

import (
	"cmp"
	"slices"
	"time"

	"tribunal/judge/internal/limits"
)

// Exception replaces limits of a problem in some of the runs.
type Exception struct {
	Language string        `json:"language"`     // code that packages use for the language of the submission; "" for all
	Cases    string        `json:"cases"`        // pattern of cases and groups, see [MatchPath]; "" for all
	CPU      time.Duration `json:"cpu_ns"`       // the wall limit changes in proportion; 0 replaces nothing
	Memory   limits.Bytes  `json:"memory_bytes"` // 0 replaces nothing
}

// LimitsFor returns the limits of a run of a submission in a language on the case of that name: those
// given, changed by the exceptions of the problem. If several exceptions set the same limit, the last
// one counts.
func (p *Problem) LimitsFor(usual limits.Limits, language, name string) limits.Limits {
	l := usual
	for _, e := range p.Exceptions {
		if e.Language != "" && !slices.Contains(Codes(language), e.Language) || e.Cases != "" && !MatchPath(e.Cases, name) {
			continue
		}
		l.CPU, l.Memory = cmp.Or(e.CPU, l.CPU), cmp.Or(e.Memory, l.Memory)
	}
	return inProportion(l, usual)
}

// inProportion returns l with the wall limit of usual, changed as the CPU limit is.
func inProportion(l, usual limits.Limits) limits.Limits {
	if l.CPU != usual.CPU && usual.CPU > 0 {
		l.Wall = time.Duration(float64(usual.Wall) * (float64(l.CPU) / float64(usual.CPU)))
	}
	return l
}

// Loosest returns limits under which every run has at least the CPU time and the memory that the exceptions of the
// problem give it.
func (p *Problem) Loosest(usual limits.Limits) limits.Limits {
	l := usual
	for _, e := range p.Exceptions {
		l.CPU, l.Memory = max(l.CPU, e.CPU), max(l.Memory, e.Memory)
	}
	return inProportion(l, usual)
}

// WithExceptions returns the problem with its exceptions replaced by what change makes of them. One that
// then sets no limit is dropped.
func (p *Problem) WithExceptions(change func(Exception) Exception) *Problem {
	other := *p
	other.Exceptions = nil
	for _, e := range p.Exceptions {
		if e = change(e); e.CPU > 0 || e.Memory > 0 {
			other.Exceptions = append(other.Exceptions, e)
		}
	}
	return &other
}
