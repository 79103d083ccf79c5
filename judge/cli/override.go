package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"tribunal/judge/internal/config"
	"tribunal/judge/internal/engine"
	"tribunal/judge/internal/limits"
)

// CaseFlag adds the flag --case, which restricts what a command does (a verb) to chosen cases.
func CaseFlag(cmd *cobra.Command, globs *[]string, verb string) {
	cmd.Flags().StringArrayVar(globs, "case", nil, verb+" only the cases that match this `glob`, such as 'edge/*'; may be repeated")
}

// Override is the value of the flag --limits.
type Override struct{ engine.Override }

// AddFlag adds the flag to a command.
func (o *Override) AddFlag(cmd *cobra.Command) {
	cmd.Flags().StringVar((*string)(&o.Override), "limits", "", "`limits` that override the problem's, such as cpu=2s,memory=64MiB")
}

// Change is Apply with an error of the user.
func (o Override) Change(c *config.Config, l limits.Limits) (limits.Limits, error) {
	changed, err := o.Apply(c, l)
	if err != nil {
		return l, Usage(fmt.Errorf("--limits: %w", err))
	}
	return changed, nil
}

// Over is like Change. If neither l nor the flag has a time limit, over calls derive, and applies
// the flag to the limits that it returns.
func (o Override) Over(c *config.Config, l limits.Limits, derive func() (limits.Limits, error)) (limits.Limits, error) {
	given, err := o.Change(c, l)
	if err != nil || given.CPU > 0 {
		return given, err
	}
	if l, err = derive(); err != nil {
		return l, err
	}
	return o.Change(c, l)
}
