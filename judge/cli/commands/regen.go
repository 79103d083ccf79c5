package commands

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"tribunal/judge/cli"
	"tribunal/judge/cli/format"
	"tribunal/judge/cli/layout"
	"tribunal/judge/cli/report"
	"tribunal/judge/internal/build"
	"tribunal/judge/internal/config"
	"tribunal/judge/internal/engine"
	"tribunal/judge/internal/event"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/regen"
	"tribunal/judge/internal/repo"
	"tribunal/judge/internal/yamlstrict"
)

type regenOptions struct {
	*cli.App
	globs         []string
	check, dryRun bool
	fresh         bool
	stat, verbose bool
	slots         int
	reports       *cli.Reports
}

func RegenCommand(o *cli.App) *cobra.Command {
	r := &regenOptions{App: o}
	cmd := &cobra.Command{
		Use:   "regen [PROBLEM…]",
		Short: "Recompute expected outputs with the reference solvers",
		Long: `Recompute expected outputs with the reference solvers, and write them to the case
files and to cases/PROBLEM/lock.yaml. Without arguments, regenerate all problems.

Only outputs that are out of date according to the lock are computed, and their changes
printed. The files of a problem stay unchanged if its reference solver disagrees with a
pinned output, crashes, exceeds a limit, gives another output when it runs again, or is
contradicted by the problem's brute-force solver (docs/regen.md).

The exit status is 1 if the reference solver was rejected or, with --check, outputs are
stale.`,
		Example: "  judge regen\n  judge regen maze --case 'flips-*'\n  judge regen --check",
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := cli.CheckSlots(cmd, r.slots); err != nil {
				return err
			}
			if r.check && r.dryRun {
				return cli.Usage(errors.New("--check and --dry-run exclude each other (hint: --check only looks for stale outputs; --dry-run also prints the changes)"))
			}
			if r.stat && r.verbose {
				return cli.Usage(errors.New("--stat and --verbose exclude each other (hint: --stat shows no differences, --verbose shows all)"))
			}
			return r.run(cmd.Context(), args)
		},
	}
	f := cmd.Flags()
	f.BoolVar(&r.check, "check", false, "write nothing; exit 1 if anything is stale")
	f.BoolVar(&r.dryRun, "dry-run", false, "print the changes, but write nothing")
	cli.CaseFlag(cmd, &r.globs, "regenerate")
	f.BoolVar(&r.fresh, "fresh", false, "run everything again, regardless of the lock and the cache")
	r.reports = o.Report(cmd, "regen.md", format.Names(report.RegenFormats("", 0)))
	f.BoolVar(&r.stat, "stat", false, "show how many outputs change, and their cases, but no differences")
	f.BoolVarP(&r.verbose, "verbose", "v", false, "show all differences, even if many outputs change in the same way")
	f.IntVar(&r.slots, "slots", 0, "`number` of programs at a time (default: that of runner.yaml)")
	return cmd
}

func (r *regenOptions) run(ctx context.Context, ids []string) (err error) {
	begun := time.Now()
	problems, eng, err := r.open(ids)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, eng.Close()) }()
	sink := cli.Begin(r.reports, report.RegenFormats(r.mode(), r.detail()))
	outcome, all, err := r.all(ctx, eng, problems, sink.Event)
	if err == nil {
		all.Elapsed = time.Since(begun)
		sink.Event(all)
	}
	if err := sink.End(err); err != nil {
		return err
	}
	if outcome != cli.ExitOK {
		return cli.Status(outcome)
	}
	return nil
}

// open loads the problems with these ids, or all problems of the repository, and makes an engine for them.
func (r *regenOptions) open(ids []string) (problems []*problem.Problem, eng *engine.Engine, err error) {
	var wrong []error // errors of the user, reported together
	for _, id := range ids {
		if r.IsPackage(id) {
			wrong = append(wrong, fixedAnswers(id))
		}
	}
	if err := cli.JoinUserErrors(wrong); err != nil {
		return nil, nil, err
	}
	root, err := r.FindRoot()
	if err != nil {
		return nil, nil, err
	}
	c, err := config.Load(root)
	if err != nil {
		return nil, nil, err
	}
	if len(ids) == 0 {
		if ids, err = repo.List(root); err != nil {
			return nil, nil, err
		}
	}
	for i, id := range ids {
		if slices.Contains(ids[:i], id) {
			continue
		}
		p, err := repo.Load(root, id)
		wrong = append(wrong, err)
		problems = append(problems, p)
	}
	if err := cli.JoinUserErrors(wrong); err != nil {
		return nil, nil, err
	}
	eng, err = r.NewEngine(root, c)
	return problems, eng, err
}

// renew regenerates the problems of a repository before judge grade --regen judges on them, as judge
// regen would, and notes what has changed. A refusal is an error.
func renew(ctx context.Context, o *cli.App, slots int, ids ...string) (err error) {
	r := &regenOptions{App: o, slots: slots}
	problems, eng, err := r.open(ids)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, eng.Close()) }()
	for _, p := range problems {
		plan, err := r.regenerate(ctx, eng, p)
		if _, refused := errors.AsType[*regen.Refusal](err); refused {
			return cli.Usage(err)
		}
		if err != nil {
			return err
		}
		if n := len(plan.Changes); n > 0 {
			r.Std.Note("note: %s of %s changed (hint: git diff cases/%s)", layout.Count(n, "expected output"), p.ID, p.ID)
		}
	}
	return nil
}

// fixedAnswers returns an error for a package: its answers are part of it and cannot be
// regenerated.
func fixedAnswers(path string) error {
	if err := cli.NoPackage(path); err != nil {
		return err
	}
	return fmt.Errorf("%s: the answers of a package are fixed, not computed by its reference "+
		"(hint: judge verify %s compares them; judge import %s ID makes a problem whose outputs are computed)", path, path, path)
}

// all regenerates problems, emits the result of each, and returns the exit code and all results.
func (r *regenOptions) all(ctx context.Context, eng *engine.Engine, problems []*problem.Problem, emit event.Emit) (outcome int, all *report.Regenerations, err error) {
	all = &report.Regenerations{Mode: r.mode()}
	for _, p := range problems {
		if err := ctx.Err(); err != nil {
			return outcome, all, err
		}
		done := report.Regeneration{Mode: all.Mode, Problem: p.ID}
		done.Plan, done.Err = r.regenerate(ctx, eng, p)
		code := r.exitCode(done)
		if code == cli.ExitFailed {
			return code, all, done.Err
		}
		outcome = max(outcome, code)
		all.Problems = append(all.Problems, done)
		emit.Send(&done)
		if done.Err != nil && r.reports.Shown() != nil {
			r.Std.PrintError(done.Err)
		}
	}
	return outcome, all, nil
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

// detail returns the level of detail that --stat or --verbose selects.
func (r *regenOptions) detail() report.Detail {
	switch {
	case r.stat:
		return report.Stat
	case r.verbose:
		return report.Full
	}
	return report.Usual
}

// regenerate regenerates one problem. It starts the engine only if the hashes in the lock do not
// prove that the outputs are up to date.
func (r *regenOptions) regenerate(ctx context.Context, eng *engine.Engine, p *problem.Problem) (*regen.Plan, error) {
	o := regen.Options{Show: eng.Config.Diff, Globs: r.globs, Fresh: r.fresh}
	if !r.check {
		o.Keep = filepath.Join(eng.Root, "kept", p.ID)
	}
	plan, err := regen.Look(ctx, eng.CaseData(p), o)
	if err == nil && plan == nil {
		plan, err = r.compute(ctx, eng, p, o)
	}
	if err == nil && !r.check && len(r.globs) == 0 {
		regen.Sweep(o.Keep)
	}
	if err != nil || r.check || r.dryRun {
		return plan, err
	}
	if err := ctx.Err(); err != nil { // the last chance to stop: Apply cannot be interrupted
		return nil, err
	}
	return plan, plan.Apply()
}

// compute computes the outputs of a problem that are out of date.
func (r *regenOptions) compute(ctx context.Context, eng *engine.Engine, p *problem.Problem, o regen.Options) (*regen.Plan, error) {
	if err := eng.Start(r.slots); err != nil {
		return nil, err
	}
	defer r.Std.Announce("computing the outputs of " + p.ID)()
	provider := eng.CaseData(p)
	o.Judge = eng.Judge(provider)
	plan, err := regen.Make(ctx, provider, o)
	if err != nil || r.check && plan.Stale {
		return plan, err // --check needs no confirmation of a stale plan, because it is not applied
	}
	return plan, plan.Confirm(ctx, o.Judge)
}

// exitCode returns the exit code for one problem.
func (r *regenOptions) exitCode(done report.Regeneration) int {
	switch {
	case done.Err == nil && r.check && done.Plan.Stale:
		return cli.ExitNot
	case done.Err == nil:
		return cli.ExitOK
	}
	if _, refused := errors.AsType[*regen.Refusal](done.Err); refused {
		return cli.ExitNot
	}
	_, located := errors.AsType[*yamlstrict.Error](done.Err)
	_, missing := errors.AsType[*build.MissingError](done.Err)
	if located || missing {
		return cli.ExitUsage
	}
	return cli.ExitFailed
}
