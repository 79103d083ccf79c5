// Package lab has the commands that measure how good problems and programs are, one file each.
package lab

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"tribunal/judge/cli"
	"tribunal/judge/cli/format"
	"tribunal/judge/internal/build"
	"tribunal/judge/internal/config"
	"tribunal/judge/internal/engine"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/repo"
	"tribunal/judge/internal/yamlstrict"
	"tribunal/judge/lab/findings"
	"tribunal/judge/lab/verify"
	"tribunal/judge/packages/pkgformat"
)

type verifyOptions struct {
	*cli.App
	only        []string
	cases       []string
	submissions []string
	languages   []string
	limits      cli.Override
	fresh       bool
	slots       int
	reports     *cli.Reports
}

func VerifyCommand(o *cli.App) *cobra.Command {
	v := &verifyOptions{App: o}
	cmd := &cobra.Command{
		Use:   "verify [PROBLEM…|PACKAGE…]",
		Short: "Check that the parts of problems are consistent",
		Long: `Check that the parts of each problem or package are consistent: statement, limits,
cases, expected outputs, reference solver, generator, validators, brute-force solver
and example submissions. Without arguments, check all problems of the repository.

Findings are printed to standard output, notes and a summary to standard error. The exit
status is 1 if there is a finding.

The checks (docs/verify.md):

` + listChecks(),
		Example: "  judge verify\n  judge verify maze --only inputs,bounds\n  judge verify packages/guess packages/sum.zip",
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := cli.CheckSlots(cmd, v.slots); err != nil {
				return err
			}
			if cmd.Flags().Changed("only") && len(v.only) == 0 {
				v.only = []string{""} // not the name of a check, so --only= is an error
			}
			return v.run(cmd.Context(), args)
		},
	}
	f := cmd.Flags()
	f.StringSliceVar(&v.only, "only", nil, "run only these `checks`, separated by commas; may be repeated")
	cli.Complete(cmd, "only", checkNames)
	cli.CaseFlag(cmd, &v.cases, "check")
	f.StringArrayVar(&v.submissions, "submission", nil, "judge only the example submissions that match this `glob`, such as accepted or 'slow*.py'; may be repeated")
	v.limits.AddFlag(cmd)
	f.StringArrayVar(&v.languages, "lang", nil, "the language of all sources with a file name extension, as `.EXT=LANGUAGE`; may be repeated")
	v.reports = o.Report(cmd, "verify.md", format.Names(findings.VerifyFormats(format.Output{})))
	f.BoolVar(&v.fresh, "fresh", false, "run everything again, instead of reusing results of earlier runs")
	f.IntVar(&v.slots, "slots", 0, "`number` of programs at a time (default: that of runner.yaml)")
	return cmd
}

// listChecks returns the names and explanations of the checks, one per line.
func listChecks() string {
	var b strings.Builder
	for _, c := range verify.Checks() {
		fmt.Fprintf(&b, "  %-10s  %s\n", c.Name, c.Doc)
	}
	return b.String()
}

func (v *verifyOptions) run(ctx context.Context, names []string) (err error) {
	if err := v.knownChecks(); err != nil {
		return err
	}
	root, c, known, err := v.checkNames(names)
	if err != nil {
		return err
	}
	if _, err := v.limits.Change(c, limits.Limits{}); err != nil {
		return err
	}
	if err := v.assignLanguages(c); err != nil {
		return err
	}
	if names, err = v.distinct(names); err != nil {
		return err
	}
	eng, err := v.StartEngine(root, c, v.slots)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, eng.Close()) }()
	eng.Builder.RememberRefusals(v.fresh)
	memo := eng.NewMemo()
	memo.Fresh, memo.Confirm, memo.Edges = v.fresh, true, true
	defer memo.Flush()
	notes := v.reports.Notes()
	sink := cli.Begin(v.reports, findings.VerifyFormats(notes))
	sink.Live = notes.Live
	r, err := verify.Run(ctx, &verify.Environment{
		Root: root, Known: known, Show: c.Diff,
		Load: func(ctx context.Context, name string) (*problem.Problem, func() error, error) {
			p, done, err := v.read(ctx, eng, name)
			if p != nil {
				p = v.limits.Exceptions(p)
			}
			return p, done, err
		},
		Judge: func(p *problem.Problem) *grade.Judge {
			m := eng.CaseData(p)
			m.Memo, m.Fresh = memo, v.fresh
			j := eng.Judge(m)
			j.Memo = memo
			return j
		},
		Limits: func(ctx context.Context, j *grade.Judge, t grade.Task) (l limits.Limits, from string, err error) {
			l, err = v.limits.Over(c, eng.Limits(t.Problem), func() (l limits.Limits, err error) {
				l, from, err = eng.DeriveLimits(ctx, j, t)
				return l, err
			})
			return l, from, err
		},
	}, names, verify.Options{Only: v.only, Cases: v.cases, Submissions: v.submissions, Emit: sink.Event})
	if wrong, ok := errors.AsType[*verify.UnmatchedError](err); ok {
		err = cli.Usage(fmt.Errorf("--%s: %w", wrong.Of, wrong))
	}
	if r != nil && r.Stopped != nil { // the report on what is known has been written
		return cmp.Or(sink.End(nil), err)
	}
	if err = sink.End(err); err == nil && len(r.Findings) > 0 {
		return cli.Status(cli.ExitNot)
	}
	return err
}

// assignLanguages applies --lang to the languages of c.
func (v *verifyOptions) assignLanguages(c *config.Config) (err error) {
	for _, value := range v.languages {
		ext, name, found := strings.Cut(value, "=")
		if !found || !strings.HasPrefix(ext, ".") || len(ext) < 2 {
			return cli.Usage(fmt.Errorf("--lang %s: is not of the form .EXT=LANGUAGE (hint: write it like .cc=cpp)", value))
		}
		if c.Build.Languages, err = build.Assign(c.Build.Languages, ext, name); err != nil {
			return cli.Usage(fmt.Errorf("--lang %s: %w", value, err))
		}
	}
	return nil
}

// checkNames checks the names of problems and packages. It returns the repository, the
// configuration and the ids of all problems; if names are only packages, no repository is needed.
// The error joins the errors of all wrong names.
func (v *verifyOptions) checkNames(names []string) (root string, c *config.Config, known []string, err error) {
	packages := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return !v.IsPackage(name) })
	if len(names) > 0 && len(packages) == len(names) {
		root, c, err = v.PackageConfig()
	} else if root, err = v.FindRoot(); err == nil {
		if c, err = config.Load(root); err == nil {
			known, err = repo.List(root)
		}
	}
	if err != nil {
		return "", nil, nil, err
	}
	var wrong []error // errors of the user, reported together
	for _, name := range names {
		switch {
		case slices.Contains(packages, name):
			wrong = append(wrong, cli.NoPackage(name))
		case !slices.Contains(known, name):
			_, err := repo.Load(root, name)
			wrong = append(wrong, err)
		}
	}
	return root, c, known, cli.JoinUserErrors(wrong)
}

// distinct returns names without repetitions. Different paths of the same package count as
// repetitions.
func (v *verifyOptions) distinct(names []string) (list []string, err error) {
	places := map[string]bool{}
	for _, name := range names {
		place := name
		if v.IsPackage(name) {
			if place, err = cli.RealPath(name); err != nil {
				return nil, err
			}
		}
		if !places[place] {
			places[place] = true
			list = append(list, name)
		}
	}
	return list, nil
}

// read reads a problem of the repository or a package, and returns a function that closes it.
func (v *verifyOptions) read(ctx context.Context, eng *engine.Engine, name string) (*problem.Problem, func() error, error) {
	if !v.IsPackage(name) {
		p, err := repo.Load(eng.Root, name)
		return p, func() error { return nil }, err
	}
	pack, p, err := v.OpenPackage(ctx, name, pkgformat.In(eng.Host.Temp()), eng)
	if err != nil {
		return nil, nil, err
	}
	return p, pack.Close, nil
}

// knownChecks returns an error if --only names an unknown check.
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
			hint = "did you mean " + near + "? " + hint
		}
		return cli.Usage(fmt.Errorf("--only: unknown check %q (hint: %s)", name, hint))
	}
	return nil
}

// checkNames returns the checks, for completions.
func checkNames() (names []string) {
	for _, c := range verify.Checks() {
		names = append(names, c.Name)
	}
	return names
}
