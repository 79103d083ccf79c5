package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"tribunal/judge/internal/config"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/regen"
)

type regenOptions struct {
	*options
	check bool
}

func regenCommand(o *options) *cobra.Command {
	r := &regenOptions{options: o}
	cmd := &cobra.Command{
		Use:   "regen [PROBLEM…]",
		Short: "Recompute expected outputs with the reference solvers",
		Long: `Recompute expected outputs with the reference solvers and write them into the
case files and cases/PROBLEM/lock.yaml. Only the output lines of a case file are
touched. Pinned outputs are verified and never rewritten: if the reference
disagrees with one, nothing is written for that problem.

Without arguments all problems are regenerated.`,
		Example: "  judge regen\n  judge regen maze\n  judge regen --check",
		RunE: func(cmd *cobra.Command, args []string) error {
			return r.run(cmd.Context(), args)
		},
	}
	cmd.Flags().BoolVar(&r.check, "check", false, "write nothing; exit 1 if anything is stale")
	return cmd
}

func (r *regenOptions) run(ctx context.Context, ids []string) (err error) {
	root, err := r.findRoot()
	if err != nil {
		return err
	}
	c, err := config.Load(root)
	if err != nil {
		return err
	}
	if len(ids) == 0 {
		if ids, err = problem.List(root); err != nil {
			return err
		}
	}
	var problems []*problem.Problem
	for _, id := range ids {
		p, err := problem.Load(root, id)
		if err != nil {
			return usage(err)
		}
		problems = append(problems, p)
	}
	b, err := r.openBench(root, c, 0)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.close()) }()
	stale := false
	for _, p := range problems {
		plan, err := regen.Make(ctx, b.maker(p), c.Diff)
		var pinned *regen.PinnedError
		if errors.As(err, &pinned) {
			fmt.Fprintln(r.std.err, "judge:", err)
			stale = true
			continue
		}
		if err != nil {
			return err
		}
		stale = stale || plan.Stale && r.check
		r.show(plan)
		if !r.check {
			if err := plan.Apply(); err != nil {
				return err
			}
		}
	}
	if stale {
		return status(exitNot)
	}
	return nil
}

// show prints what changes, case by case.
func (r *regenOptions) show(p *regen.Plan) {
	for _, change := range p.Changes {
		switch {
		case change.New:
			fmt.Fprintf(r.std.out, "%s/%s: new\n", p.Problem, change.Case)
		case change.Mismatch == nil:
			fmt.Fprintf(r.std.out, "%s/%s: changed (only its hash is kept)\n", p.Problem, change.Case)
		default:
			fmt.Fprint(r.std.out, change.Mismatch.Format(p.Problem+"/"+change.Case))
		}
	}
	verb := "up to date"
	switch {
	case p.Stale && r.check:
		verb = "stale"
	case p.Renew && r.check:
		verb = "up to date (the lock was made with other programs)"
	case p.Stale, p.Renew:
		verb = "written"
	}
	noun := "cases"
	if p.Cases == 1 {
		noun = "case"
	}
	fmt.Fprintf(r.std.out, "%s: %d %s, %d changed, %s\n", p.Problem, p.Cases, noun, len(p.Changes), verb)
}
