package account

import (
	"slices"
	"time"

	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/verdict"
)

// Spread is the range of what was measured over the runs of one case.
type Spread struct {
	CPU    Times         `json:"cpu"`
	Wall   Times         `json:"wall"`
	Waited time.Duration `json:"-"`            // the most
	Memory limits.Bytes  `json:"memory_bytes"` // the most
}

// Times are the least, the median and the most of several times. Of an even number the
// median is the lower of the two in the middle: one that was measured.
type Times struct {
	Least  time.Duration `json:"min_ns"`
	Median time.Duration `json:"median_ns"`
	Most   time.Duration `json:"max_ns"`
}

// NewSpread returns the spread of the attempts but those in which the judge failed, which
// measured nothing; nil if there are no others.
func NewSpread(list []grade.Attempt) *Spread {
	var s Spread
	var cpu, wall []time.Duration
	for _, a := range list {
		if a.Verdict != verdict.JE {
			cpu, wall = append(cpu, a.CPU), append(wall, a.Wall)
			s.Waited, s.Memory = max(s.Waited, a.Waited), max(s.Memory, a.Memory)
		}
	}
	if len(cpu) == 0 {
		return nil
	}
	s.CPU, s.Wall = timesOf(cpu), timesOf(wall)
	return &s
}

func timesOf(list []time.Duration) Times {
	slices.Sort(list)
	return Times{list[0], list[(len(list)-1)/2], list[len(list)-1]}
}
