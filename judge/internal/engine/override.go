package engine

import (
	"strings"

	"tribunal/judge/internal/config"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/problem"
)

// Override is text with limits that replace those of a problem, as [limits.Limits.Override] reads it.
type Override string

// Apply replaces limits of l. A change of the CPU limit changes the wall limit too, unless the text sets
// both.
func (o Override) Apply(c *config.Config, l limits.Limits) (limits.Limits, error) {
	changed, err := l.Override(string(o))
	if err != nil {
		return l, err
	}
	if !o.Sets("wall") {
		switch derived := c.Wall(changed); {
		case changed.CPU > l.CPU:
			changed.Wall = max(l.Wall, derived)
		case changed.CPU < l.CPU:
			changed.Wall = min(l.Wall, derived)
		}
	}
	return changed, nil
}

// Exceptions returns the problem without exceptions to the limits that the text sets.
func (o Override) Exceptions(p *problem.Problem) *problem.Problem {
	if o == "" || len(p.Exceptions) == 0 {
		return p
	}
	return p.WithExceptions(func(e problem.Exception) problem.Exception {
		if o.Sets("cpu") || o.Sets("wall") {
			e.CPU = 0
		}
		if o.Sets("memory") {
			e.Memory = 0
		}
		return e
	})
}

// Sets reports whether the text sets the limit with this key.
func (o Override) Sets(key string) bool { return strings.Contains(string(o), key+"=") }
