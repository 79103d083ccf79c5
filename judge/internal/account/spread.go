package account

import (
	"slices"
	"time"

	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/verdict"
)

// Spread is the range of the measurements over the runs of one case.
type Spread struct {
	CPU     Times         `json:"cpu"`
	Wall    Times         `json:"wall"`
	CPUWait time.Duration `json:"-"`            // the maximum
	Memory  limits.Bytes  `json:"memory_bytes"` // the maximum
}

// Times are the minimum, median and maximum of several times. The median of an even number of times
// is the lower middle one, so that it is a time that was measured.
type Times struct {
	Least  time.Duration `json:"min_ns"`
	Median time.Duration `json:"median_ns"`
	Most   time.Duration `json:"max_ns"`
}

// NewSpread returns the spread of the attempts, without those in which the judge failed and so
// measured nothing. It returns nil if none is left.
func NewSpread(list []grade.Attempt) *Spread {
	var s Spread
	var cpu, wall []time.Duration
	for _, a := range list {
		if a.Verdict != verdict.JE {
			cpu, wall = append(cpu, a.CPU), append(wall, a.Wall)
			s.CPUWait, s.Memory = max(s.CPUWait, a.CPUWait), max(s.Memory, a.Memory)
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
