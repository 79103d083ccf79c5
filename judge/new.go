package main

import (
	"errors"

	"github.com/spf13/cobra"

	"tribunal/judge/internal/scaffold"
)

func newCommand(o *options) *cobra.Command {
	return &cobra.Command{
		Use:   "new ID",
		Short: "Create a new problem from a small working example",
		Long: `Create a new problem from a small working example: a statement, cases, a reference
solver, a generator, an input validator, a brute-force solver and example submissions.

Run 'judge regen ID' next, after which the problem passes 'judge verify ID'. Then
replace the example with your own problem, piece by piece.`,
		Example: "  judge new two-sum\n  judge regen two-sum\n  judge verify two-sum",
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usage(errors.New("new needs the id of the problem (hint: judge new two-sum)"))
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
				_ = o.std.print("%s\n", p)
			}
			err = o.std.print("next: judge regen %s\n", args[0])
			return err
		},
	}
}
