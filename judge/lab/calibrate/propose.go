package calibrate

import (
	"fmt"
	"math"
	"strings"
	"time"

	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/verdict"
)

// Proposal is a range for one limit, and the proposed value in it.
type Proposal struct {
	Limit    string `json:"limit"` // cpu, wall or memory
	Unit     string `json:"unit"`  // of the amounts: ns or B
	Present  int64  `json:"present"`
	OK       bool   `json:"ok"`       // the present limit is within the range
	Least    int64  `json:"least"`    // smallest limit with enough room for all accepted programs; 0 if there are none
	By       string `json:"by"`       // the accepted program from which Least is derived
	On       string `json:"case"`     // the case from which Least is derived
	Most     int64  `json:"most"`     // largest limit that stops all programs that must be stopped; 0 if there are none
	Stops    string `json:"stops"`    // the program from which Most is derived; "" if there is none
	AtLeast  bool   `json:"at_least"` // the run of Stops was stopped, so Most is only a lower bound
	Proposed int64  `json:"proposed"` // 0 if Least exceeds Most
}

// unbounded is the upper end of the range if there is no program that must be stopped.
const unbounded = math.MaxInt64

func (p *Proposal) most() int64 {
	if p.Stops == "" {
		return unbounded
	}
	return p.Most
}

// propose derives proposals and findings from the measured programs. If the problem sets no wall
// limit, its wall limit is wallFactor times the CPU limit.
func (r *Report) propose(wallFactor float64) {
	for i := range r.Programs {
		if p := &r.Programs[i]; !p.counts() {
			on := ""
			if p.Case != "" {
				on = " on " + p.Case
			}
			r.find("%s gets %s%s and does not count: %s", p.Name, p.Got, on, p.Cause)
		}
	}
	cpu, memory := r.cpu(), r.memory()
	r.proposed = r.Present
	r.proposed.CPU, r.proposed.Memory = time.Duration(cpu.Proposed), limits.Bytes(memory.Proposed)
	wall := r.wall(wallFactor)
	r.proposed.Wall = time.Duration(wall.Proposed)
	r.Limits = []Proposal{cpu, wall, memory}
	for i := range r.Limits {
		p := &r.Limits[i]
		p.OK = p.Least <= p.Present && p.Present <= p.most()
	}
	if cpu.Proposed == 0 || memory.Proposed == 0 {
		r.proposed = limits.Limits{}
		return
	}
	r.Line = r.line()
}

func (r *Report) find(format string, args ...any) {
	r.Findings = append(r.Findings, fmt.Sprintf(format, args...))
}

// each calls f for each program that counts and should get the verdict.
func (r *Report) each(want verdict.Verdict, f func(*Program)) {
	for i := range r.Programs {
		if p := &r.Programs[i]; p.Want == want && p.counts() {
			f(p)
		}
	}
}

func (r *Report) cpu() Proposal {
	c := Proposal{Limit: "cpu", Unit: "ns", Present: int64(r.Present.CPU)}
	r.each(verdict.AC, func(p *Program) {
		if n := int64(limits.Least(p.CPU)); n > c.Least {
			c.Least, c.By, c.On = n, p.Name, p.Case
		}
		if limits.Tight(r.Present.CPU, p.CPU) {
			r.find("cpu: %s needs %v of %v on %s, more than half", p.Name, short(p.CPU), r.Present.CPU, p.Case)
		}
	})
	slow := time.Duration(0)
	r.each(verdict.TLE, func(p *Program) {
		if n := int64(limits.Most(p.CPU)); c.Stops == "" || n < c.Most {
			c.Most, c.Stops, c.AtLeast, slow = n, p.Name, p.AtLeast, p.CPU
		}
		switch {
		case p.CPU <= r.Present.CPU && !p.AtLeast:
			r.find("cpu: %s takes %v of %v on %s, and is not stopped", p.Name, short(p.CPU), r.Present.CPU, p.Case)
		case p.CPU < limits.Beyond(r.Present.CPU):
			r.find("cpu: %s takes %v on %s, but a limit of %v is sure to stop only programs that take at least %v", p.Name, short(p.CPU), p.Case, r.Present.CPU, limits.Beyond(r.Present.CPU))
		}
	})
	if c.Stops == "" {
		r.find("cpu: no example exceeds it")
	}
	c.Proposed = nearest(times, c.Present, c.Least, c.most())
	if c.Proposed == 0 {
		r.find("cpu: no limit is right: %s takes %v on %s and needs at least %v, %s takes %v and needs at most %v, %.2g times less",
			c.By, short(time.Duration(c.Least)/2), c.On, short(time.Duration(c.Least)), c.Stops, short(slow), short(time.Duration(c.Most)), float64(c.Least)/float64(c.Most))
	}
	return c
}

func (r *Report) memory() Proposal {
	m := Proposal{Limit: "memory", Unit: "B", Present: int64(r.Present.Memory)}
	r.each(verdict.AC, func(p *Program) {
		if n := int64(limits.Least(p.Memory)); n > m.Least {
			m.Least, m.By, m.On = n, p.Name, p.MemoryAt
		}
		if limits.Tight(r.Present.Memory, p.Memory) {
			r.find("memory: %s needs %s of %s on %s, more than half", p.Name, p.Memory.Human(), r.Present.Memory.Human(), p.MemoryAt)
		}
	})
	r.each(verdict.MLE, func(p *Program) {
		if n := int64(p.Memory) - 1; m.Stops == "" || n < m.Most {
			m.Most, m.Stops, m.AtLeast = n, p.Name, p.AtLeast
		}
		if p.Memory <= r.Present.Memory {
			r.find("memory: %s takes %s of %s, and is not stopped", p.Name, p.Memory.Human(), r.Present.Memory.Human())
		}
	})
	m.Proposed = nearest(sizes, m.Present, m.Least, m.most())
	if m.Proposed == 0 {
		r.find("memory: no limit is right: %s needs at least %s, %s needs less than %s",
			m.By, limits.Bytes(m.Least).Human(), m.Stops, limits.Bytes(m.Most+1).Human())
	}
	return m
}

// wall proposes the wall limit that goes with the proposed CPU limit. It has only a lower bound:
// room for the accepted programs, and enough for a program to reach the CPU limit on all of its
// CPUs.
func (r *Report) wall(factor float64) Proposal {
	w := Proposal{Limit: "wall", Unit: "ns", Present: int64(r.Present.Wall)}
	if r.busy {
		r.Notes = append(r.Notes, "wall: not measured, because other programs use this machine")
	}
	r.each(verdict.AC, func(p *Program) {
		if r.busy {
			return
		}
		if n := int64(limits.Least(p.Wall)); n > w.Least {
			w.Least, w.By, w.On = n, p.Name, p.Case
		}
		if limits.Tight(r.Present.Wall, p.Wall) {
			r.find("wall: %s needs %v of %v on %s, more than half", p.Name, short(p.Wall), r.Present.Wall, p.Case)
		}
	})
	cpus := time.Duration(max(r.Present.CPUs, 1))
	if cpus*r.Present.Wall <= r.Present.CPU {
		r.find("wall: %v of CPU time cannot be reached in %v", r.Present.CPU, r.Present.Wall)
	}
	reached := max(w.Least, int64(r.proposed.CPU/cpus)+int64(time.Millisecond))
	present := w.Present
	if !r.wallSet {
		present = int64(float64(r.proposed.CPU) * factor)
	}
	w.Proposed = nearest(times, present, reached, unbounded)
	r.wallFollows = !r.wallSet && w.Proposed == present
	return w
}

// line returns the proposed limits as they are written in a problem's file. It omits the wall limit
// if that is the machine's default.
func (r *Report) line() string {
	parts := []string{"cpu: " + quantityText(r.proposed.CPU)}
	if !r.wallFollows {
		parts = append(parts, "wall: "+quantityText(r.proposed.Wall))
	}
	parts = append(parts, "memory: "+r.proposed.Memory.String(), "output: "+r.proposed.Output.String())
	if r.proposed.CPUs > 1 {
		parts = append(parts, fmt.Sprintf("cpus: %d", r.proposed.CPUs))
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// quantityText formats a time as a whole number of one unit, as in problem files.
func quantityText(d time.Duration) string {
	for _, u := range []struct {
		name string
		size time.Duration
	}{{"s", time.Second}, {"ms", time.Millisecond}, {"us", time.Microsecond}} {
		if d%u.size == 0 {
			return fmt.Sprintf("%d%s", d/u.size, u.name)
		}
	}
	return d.String()
}

// short rounds a duration for display.
func short(d time.Duration) time.Duration {
	switch {
	case d >= 10*time.Second:
		return d.Round(100 * time.Millisecond)
	case d >= 100*time.Millisecond:
		return d.Round(time.Millisecond)
	}
	return d.Round(100 * time.Microsecond)
}
