package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/config"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/regen"
	"tribunal/judge/internal/repo"
	"tribunal/judge/internal/report"
	"tribunal/judge/internal/yamlstrict"
)

type regenOptions struct {
	*options
	globs         []string
	check, dryRun bool
	fresh         bool
	stat, verbose bool
	slots         int
	reports       *reports
}

func regenCommand(o *options) *cobra.Command {
	r := &regenOptions{options: o}
	cmd := &cobra.Command{
		Use:   "regen [PROBLEM…]",
		Short: "Recompute expected outputs with the reference solvers",
		Long: `Recompute expected outputs with the reference solvers and write them into the
case files and cases/PROBLEM/lock.yaml. Only outputs that do not agree with the lock
are computed, only the output lines of a case file are touched, and changes are
shown. Without arguments all problems are regenerated.

Nothing is written for a problem whose reference disagrees with a pinned output,
crashes or exceeds a limit, prints something else the second time, or is
contradicted by the problem's brute (docs/regen.md).`,
		Example: "  judge regen\n  judge regen maze --case 'flips-*'\n  judge regen --check",
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := checkSlots(cmd, r.slots); err != nil {
				return err
			}
			if r.check && r.dryRun {
				return usage(errors.New("--check and --dry-run together (hint: --check only says what is stale; --dry-run does everything but the writing)"))
			}
			if r.stat && r.verbose {
				return usage(errors.New("--stat and --verbose together (hint: one shows no difference, the other all)"))
			}
			return r.run(cmd.Context(), args)
		},
	}
	f := cmd.Flags()
	f.BoolVar(&r.check, "check", false, "write nothing; exit 1 if anything is stale")
	f.BoolVar(&r.dryRun, "dry-run", false, "do everything but the writing")
	f.StringArrayVar(&r.globs, "case", nil, "only the cases that match this `glob`, as in 'edge/*' or statement; may be repeated")
	f.BoolVar(&r.fresh, "fresh", false, "trust neither the lock nor the cache: run everything again")
	r.reports = o.report(cmd, "regen.md", report.Names(report.RegenFormats("", 0, time.Time{})))
	f.BoolVar(&r.stat, "stat", false, "show how many expected outputs change and how, and no differences")
	f.BoolVarP(&r.verbose, "verbose", "v", false, "show all differences, also of many changes of one kind")
	f.IntVar(&r.slots, "slots", 0, "`runs` at a time (default: as in runner.yaml)")
	return cmd
}

func (r *regenOptions) run(ctx context.Context, ids []string) (err error) {
	begun := time.Now()
	var wrong []error // errors of the user, reported together
	for _, id := range ids {
		if r.isPackage(id) {
			wrong = append(wrong, given(id))
		}
	}
	if err := together(wrong); err != nil {
		return err
	}
	root, err := r.findRoot()
	if err != nil {
		return err
	}
	c, err := config.Load(root)
	if err != nil {
		return err
	}
	if len(ids) == 0 {
		if ids, err = repo.List(root); err != nil {
			return err
		}
	}
	var problems []*problem.Problem
	for i, id := range ids {
		if slices.Contains(ids[:i], id) {
			continue
		}
		p, err := repo.Load(root, id)
		wrong = append(wrong, err)
		problems = append(problems, p)
	}
	if err := together(wrong); err != nil {
		return err
	}
	eng, err := r.newEngine(root, c)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, eng.close()) }()
	sink := begin(r.reports, report.RegenFormats(r.mode(), r.detail(), begun))
	outcome, err := r.all(ctx, eng, problems, sink.Event)
	if err := sink.end(err); err != nil {
		return err
	}
	if outcome != exitOK {
		return status(outcome)
	}
	return nil
}

// given returns the error that the expected outputs of a package are given, not derived.
func given(path string) error {
	if err := noPackage(path); err != nil {
		return err
	}
	return fmt.Errorf("%s: the package's answers are given, and not derived from its reference "+
		"(hint: judge verify %s compares the two; judge import %s ID makes a problem of it, whose outputs are derived)", path, path, path)
}

// all regenerates problems, calls told with the result of each and with nil after the last, and
// returns the exit code.
func (r *regenOptions) all(ctx context.Context, eng *engine, problems []*problem.Problem, told func(*report.Regeneration)) (outcome int, err error) {
	for _, p := range problems {
		if err := ctx.Err(); err != nil {
			return outcome, err
		}
		done := report.Regeneration{Problem: p.ID}
		done.Plan, done.Err = r.regenerate(ctx, eng, p)
		worth := r.worth(done)
		if worth == exitFailed {
			return worth, done.Err
		}
		outcome = max(outcome, worth)
		told(&done)
		if done.Err != nil && r.reports.shown() != nil {
			r.std.fault(done.Err)
		}
	}
	told(nil)
	return outcome, nil
}

func (r *regenOptions) mode() report.RegenMode {
	switch {
	case r.check:
		return report.Check
	case r.dryRun:
		return report.DryRun
	}
	return report.Write
}

// detail returns how much of the changes is shown.
func (r *regenOptions) detail() report.Detail {
	switch {
	case r.stat:
		return report.Stat
	case r.verbose:
		return report.Full
	}
	return report.Usual
}

// regenerate regenerates one problem. It starts the engine only if hashes do not show that the
// outputs are current.
func (r *regenOptions) regenerate(ctx context.Context, eng *engine, p *problem.Problem) (*regen.Plan, error) {
	o := regen.Options{Show: eng.config.Diff, Globs: r.globs, Fresh: r.fresh}
	if !r.check {
		o.Keep = filepath.Join(eng.root, "kept", p.ID)
	}
	plan, err := regen.Look(ctx, eng.caseData(p), o)
	if err == nil && plan == nil {
		plan, err = r.compute(ctx, eng, p, o)
	}
	if err == nil && !r.check && len(r.globs) == 0 {
		regen.Sweep(o.Keep)
	}
	if err != nil || r.check || r.dryRun {
		return plan, err
	}
	if err := ctx.Err(); err != nil { // once begun, writing is not interrupted
		return nil, err
	}
	return plan, plan.Apply()
}

func (r *regenOptions) compute(ctx context.Context, eng *engine, p *problem.Problem, o regen.Options) (*regen.Plan, error) {
	if err := eng.start(r.slots); err != nil {
		return nil, err
	}
	provider := eng.caseData(p)
	o.Judge = eng.judge(provider)
	plan, err := regen.Make(ctx, provider, o)
	if err != nil || r.check && plan.Stale {
		return plan, err // --check has its answer: a stale plan is not applied, so do not confirm it
	}
	return plan, plan.Confirm(ctx, o.Judge)
}

// worth returns the exit code for one problem.
func (r *regenOptions) worth(done report.Regeneration) int {
	switch {
	case done.Err == nil && r.check && done.Plan.Stale:
		return exitNot
	case done.Err == nil:
		return exitOK
	}
	if _, refused := errors.AsType[*regen.Refusal](done.Err); refused {
		return exitNot
	}
	_, located := errors.AsType[*yamlstrict.Error](done.Err)
	_, missing := errors.AsType[*build.MissingError](done.Err)
	if located || missing {
		return exitUsage
	}
	return exitFailed
}
