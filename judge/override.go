package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"tribunal/judge/internal/config"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/problem"
)

// caseFlag adds the flag --case, which restricts what a command does (a verb) to chosen cases.
func caseFlag(cmd *cobra.Command, globs *[]string, verb string) {
	cmd.Flags().StringArrayVar(globs, "case", nil, verb+" only the cases that match this `glob`, such as 'edge/*' or statement; may be repeated")
}

// override is the value of the flag --limits: limits that replace those of a problem.
type override string

// flag adds the flag to a command.
func (o *override) flag(cmd *cobra.Command) {
	cmd.Flags().StringVar((*string)(o), "limits", "", "`limits` that override the problem's, such as cpu=2s,memory=64MiB")
}

// apply replaces limits of l. A change of the CPU limit changes the wall limit too, unless the flag
// sets both.
func (o override) apply(c *config.Config, l limits.Limits) (limits.Limits, error) {
	changed, err := l.Override(string(o))
	if err != nil {
		return l, usage(fmt.Errorf("--limits: %w", err))
	}
	if !o.sets("wall") {
		switch derived := wall(c, changed); {
		case changed.CPU > l.CPU:
			changed.Wall = max(l.Wall, derived)
		case changed.CPU < l.CPU:
			changed.Wall = min(l.Wall, derived)
		}
	}
	return changed, nil
}

// exceptions returns the problem without exceptions to the limits that the flag sets.
func (o override) exceptions(p *problem.Problem) *problem.Problem {
	if o == "" || len(p.Exceptions) == 0 {
		return p
	}
	return p.WithExceptions(func(e problem.Exception) problem.Exception {
		if o.sets("cpu") || o.sets("wall") {
			e.CPU = 0
		}
		if o.sets("memory") {
			e.Memory = 0
		}
		return e
	})
}

// sets reports whether the flag sets the limit with this key.
func (o override) sets(key string) bool { return strings.Contains(string(o), key+"=") }

// over is like apply. If neither l nor the flag has a time limit, over calls derive, and applies
// the flag to the limits that it returns.
func (o override) over(c *config.Config, l limits.Limits, derive func() (limits.Limits, error)) (limits.Limits, error) {
	given, err := o.apply(c, l)
	if err != nil || given.CPU > 0 {
		return given, err
	}
	if l, err = derive(); err != nil {
		return l, err
	}
	return o.apply(c, l)
}

// wall returns the wall limit for the CPU limit of l.
func wall(c *config.Config, l limits.Limits) time.Duration {
	return time.Duration(float64(l.CPU) * c.WallFactor)
}
