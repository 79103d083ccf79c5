package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"tribunal/judge/internal/config"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/repo"
	"tribunal/judge/internal/report"
	"tribunal/judge/internal/run"
	"tribunal/judge/internal/verify"
	"tribunal/judge/internal/yamlstrict"
)

type verifyOptions struct {
	*options
	only    []string
	fresh   bool
	slots   int
	reports *reports
}

func verifyCommand(o *options) *cobra.Command {
	v := &verifyOptions{options: o}
	cmd := &cobra.Command{
		Use:   "verify [PROBLEM…|PACKAGE…]",
		Short: "Check that the repository tells the truth",
		Long: `Check that the repository tells the truth: that statement, limits, cases, lock,
reference solver, generator, validator, second opinion and example submissions of
each problem agree with one another.

What is not true is printed on standard output, one line each; notes and a summary
go to standard error. Without arguments the whole repository is checked.

The checks (docs/verify.md):

` + listChecks(),
		Example: "  judge verify\n  judge verify maze --only inputs,bounds",
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := checkSlots(cmd, v.slots); err != nil {
				return err
			}
			return v.run(cmd.Context(), args)
		},
	}
	f := cmd.Flags()
	f.StringSliceVar(&v.only, "only", nil, "only these `checks`, separated by commas; may be repeated")
	v.reports = o.report(cmd, "verify.md", report.Names(report.VerifyFormats(nil)))
	f.BoolVar(&v.fresh, "fresh", false, "run everything, whatever is remembered of earlier runs")
	f.IntVar(&v.slots, "slots", 0, "`runs` at a time (default: as in runner.yaml)")
	return cmd
}

// listChecks explains the checks, one a line.
func listChecks() string {
	var b strings.Builder
	for _, c := range verify.Checks() {
		fmt.Fprintf(&b, "  %-10s  %s\n", c.Name, c.Doc)
	}
	return b.String()
}

func (v *verifyOptions) run(ctx context.Context, ids []string) (err error) {
	if err := v.knownChecks(); err != nil {
		return err
	}
	if packages, err := v.arePackages(ids); err != nil {
		return err
	} else if packages {
		return v.runPackages(ctx, ids)
	}
	root, err := v.findRoot()
	if err != nil {
		return err
	}
	c, err := config.Load(root)
	if err != nil {
		return err
	}
	known, err := repo.List(root)
	if err != nil {
		return err
	}
	var wrong []error
	for _, id := range ids {
		if !slices.Contains(known, id) {
			_, err := repo.Load(root, id)
			wrong = append(wrong, err)
		}
	}
	if err := together(wrong); err != nil {
		return err
	}
	b, err := v.openBench(root, c, v.slots)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.close()) }()
	b.builder.RememberRefusals(v.fresh)
	memo := run.NewMemo(b.cache, b.pool.Facts().Mechanisms)
	memo.Fresh, memo.Confirm = v.fresh, true
	stage, stop := v.stages()
	defer stop()
	r, err := verify.Run(ctx, &verify.Bench{
		Root: root, Show: c.Diff,
		Limits: b.limits,
		Judge: func(p *problem.Problem) *grade.Judge {
			m := b.maker(p)
			m.Memo, m.Fresh = memo, v.fresh
			j := b.judge(m)
			j.Memo = memo
			return j
		},
	}, ids, verify.Options{Only: v.only, Stage: stage})
	if err != nil {
		return err
	}
	return v.tell(r)
}

// tell prints a report. Its exit status is whether all is as it should.
func (v *verifyOptions) tell(r *verify.Report) (err error) {
	err = tell(v.reports, report.VerifyFormats(v.std.err), r)
	if err == nil && len(r.Findings) > 0 {
		return status(exitNot)
	}
	return err
}

// stages returns what is told the checks that begin, and says so of those that take long;
// and what ends that.
func (v *verifyOptions) stages() (begin func(problem, check string), end func()) {
	stop := func() {}
	return func(problem, check string) {
		stop()
		stop = v.std.doing(fmt.Sprintf("checking the %s of %s", check, problem))
	}, func() { stop() }
}

// knownChecks refuses names of checks that there are not.
func (v *verifyOptions) knownChecks() error {
	var names []string
	for _, c := range verify.Checks() {
		names = append(names, c.Name)
	}
	for _, name := range v.only {
		if slices.Contains(names, name) {
			continue
		}
		hint := "the checks are " + strings.Join(names, ", ")
		if near := yamlstrict.Nearest(name, names); near != "" {
			hint = "did you mean " + near + "?"
		}
		return usage(fmt.Errorf("--only: unknown check %q (hint: %s)", name, hint))
	}
	return nil
}

// runPackages checks packages.
func (v *verifyOptions) runPackages(ctx context.Context, paths []string) (err error) {
	if len(v.only) > 0 {
		return usage(errors.New("--only is for problems of the repository (hint: packages are checked as a whole)"))
	}
	root, c, err := v.machine()
	if err != nil {
		return err
	}
	b, err := v.openBench(root, c, v.slots)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.close()) }()
	b.builder.RememberRefusals(v.fresh)
	memo := run.NewMemo(b.cache, b.pool.Facts().Mechanisms)
	memo.Fresh, memo.Confirm = v.fresh, true
	all := &verify.Report{}
	stage, stop := v.stages()
	defer stop()
	var wrong []error // of the user, told together
	for _, path := range paths {
		if _, err := os.Stat(path); err != nil {
			_, _, err := b.openPackage(ctx, path) // which says so
			wrong = append(wrong, err)
		}
	}
	if err := together(wrong); err != nil {
		return err
	}
	for _, path := range paths {
		r, err := b.verifyPackage(ctx, path, memo, func(check string) { stage(path, check) })
		if _, ok := errors.AsType[usageError](err); ok && ctx.Err() == nil {
			wrong = append(wrong, err) // a package that cannot be read; the others are checked
			continue
		}
		if err != nil {
			return err
		}
		all.Add(r)
	}
	if len(wrong) == len(paths) {
		return together(wrong)
	}
	told := v.tell(all)
	return cmp.Or(together(wrong), told)
}

// verifyPackage checks one package.
func (b *bench) verifyPackage(ctx context.Context, path string, memo *run.Memo, stage func(check string)) (*verify.Report, error) {
	pack, p, err := b.openPackage(ctx, path)
	if err != nil {
		return nil, err
	}
	j := b.judge(b.maker(p))
	j.Memo = memo
	r, err := verify.Package(ctx, pack, p, j, b.config.Diff, func(l limits.Limits) limits.Limits { return complete(b.config, l) }, stage)
	return r, errors.Join(err, pack.Close())
}

var errMixed = errors.New("problems of the repository and packages together (hint: one kind at a time)")

// arePackages reports whether arguments name packages; they may not be mixed with
// problems.
func (o *options) arePackages(names []string) (bool, error) {
	n := 0
	for _, name := range names {
		// What does not exist is a misspelt problem, unless it is a path.
		if o.isPackage(name) {
			n++
		}
	}
	if n > 0 && n < len(names) {
		return false, usage(errMixed)
	}
	return n > 0, nil
}
