package main

import (
	"errors"

	"github.com/spf13/cobra"

	"tribunal/judge/internal/scaffold"
)

func newCommand(o *options) *cobra.Command {
	return &cobra.Command{
		Use:   "new ID",
		Short: "Begin a new problem with a small one that works",
		Long: `Begin a new problem with a small one that works: a statement, cases, a reference
solver, a generator, an input validator, a brute and example submissions. After
judge regen ID it passes judge verify; then make it your own, piece by piece.`,
		Example: "  judge new two-sum\n  judge regen two-sum\n  judge verify two-sum",
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usage(errors.New("new wants one id (hint: judge new two-sum)"))
			}
			if err := scaffold.CheckID(args[0]); err != nil {
				return usage(err)
			}
			root, err := o.findRoot()
			if err != nil {
				return err
			}
			places, err := scaffold.Write(root, args[0])
			if err != nil {
				return err
			}
			for _, p := range places {
				_ = o.std.say("%s\n", p)
			}
			err = o.std.say("next: judge regen %s\n", args[0])
			return err
		},
	}
}
