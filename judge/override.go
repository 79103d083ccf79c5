package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"tribunal/judge/internal/config"
	"tribunal/judge/internal/engine"
	"tribunal/judge/internal/limits"
)

// caseFlag adds the flag --case, which restricts what a command does (a verb) to chosen cases.
func caseFlag(cmd *cobra.Command, globs *[]string, verb string) {
	cmd.Flags().StringArrayVar(globs, "case", nil, verb+" only the cases that match this `glob`, such as 'edge/*'; may be repeated")
}

// override is the value of the flag --limits.
type override struct{ engine.Override }

// flag adds the flag to a command.
func (o *override) flag(cmd *cobra.Command) {
	cmd.Flags().StringVar((*string)(&o.Override), "limits", "", "`limits` that override the problem's, such as cpu=2s,memory=64MiB")
}

// apply is Apply with an error of the user.
func (o override) apply(c *config.Config, l limits.Limits) (limits.Limits, error) {
	changed, err := o.Apply(c, l)
	if err != nil {
		return l, usage(fmt.Errorf("--limits: %w", err))
	}
	return changed, nil
}

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
