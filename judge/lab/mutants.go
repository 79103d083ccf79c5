package lab

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"tribunal/judge/cli"
	"tribunal/judge/cli/format"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/problem"
	"tribunal/judge/lab/findings"
	"tribunal/judge/lab/mutate"
)

type mutantsOptions struct {
	*cli.App
	mutate.Selection
	globs                  []string
	slots                  int
	reports                *cli.Reports
	matrix, patient, fresh bool
	trust                  bool
	probe                  int
	seed                   uint64
	slow, hunt             string
	min                    float64
}

func MutantsCommand(o *cli.App) *cobra.Command {
	m := &mutantsOptions{App: o}
	cmd := &cobra.Command{
		Use:   "mutants PROBLEM|PACKAGE",
		Short: "Measure how many mutants of the reference solver the cases kill",
		Long: `Measure how many mutants of a problem's reference solver its cases kill.

A mutant is the reference solver with one small change. One that no case rejects is
either a mistake that the cases do not catch, or equivalent to the reference. Rules in
cases/PROBLEM/mutants.yaml explain the equivalent ones (docs/mutants.md).

The exit status is 1 if a survivor is not explained, a rule is out of date or refuted,
or the score is below --min.`,
		Example: `  judge mutants game
  judge mutants maze --in main.go:flip --op boundary
  judge mutants maze --matrix --html maze.html
  judge mutants slink --hunt 5m`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return cli.Usage(errors.New("mutants needs one problem (hint: judge show lists them)"))
			}
			if err := cli.CheckSlots(cmd, m.slots); err != nil {
				return err
			}
			for _, flag := range []string{"id", "sample"} {
				if n, _ := cmd.Flags().GetInt(flag); cmd.Flags().Changed(flag) && n < 1 {
					return cli.Usage(fmt.Errorf("--%s %d: want a number from 1", flag, n))
				}
			}
			if m.probe < 0 {
				return cli.Usage(fmt.Errorf("--probe %d: want a number from 0", m.probe))
			}
			if !(m.min >= 0 && m.min <= 100) { // rejects NaN as well
				return cli.Usage(fmt.Errorf("--min %v: want a percentage from 0 to 100", m.min))
			}
			return m.run(cmd.Context(), args[0])
		},
	}
	f := cmd.Flags()
	cli.CaseFlag(cmd, &m.globs, "run")
	f.StringVar(&m.Op, "op", "", "run only mutants of this `operator`, such as boundary")
	cli.Complete(cmd, "op", operatorNames)
	f.StringVar(&m.In, "in", "", "run only mutants in this `file` or function, such as main.go or main.go:solve")
	f.IntVar(&m.ID, "id", 0, "show the mutant with this `number`, and run it on every case")
	f.IntVar(&m.Sample, "sample", 0, "run only every `n`th mutant")
	f.BoolVar(&m.matrix, "matrix", false, "run every mutant on every case, to show which cases suffice")
	f.BoolVar(&m.patient, "patient", false, "give mutants the problem's time limit instead of ten times the reference's time")
	f.BoolVar(&m.trust, "trust", false, "skip the mutants that mutants.yaml declares equivalent by a rule with op or change, except for a sample")
	f.IntVar(&m.probe, "probe", 40, "`number` of mutants in the sample of --trust")
	f.Uint64Var(&m.seed, "seed", 1, "`seed` that selects the sample of --trust")
	f.StringVar(&m.slow, "slow", "", "skip cases on which the reference solver takes longer than this `duration`")
	f.StringVar(&m.hunt, "hunt", "", "search for inputs that kill survivors, for this `duration`")
	f.Float64Var(&m.min, "min", 0, "minimum `percentage` of mutants that must be killed")
	f.BoolVar(&m.fresh, "fresh", false, "run everything again, instead of reusing results of earlier runs")
	f.IntVar(&m.slots, "slots", 0, "`number` of programs at a time (default: that of runner.yaml)")
	m.reports = o.Report(cmd, "mutants.md", format.Names(findings.MutantsFormats(findings.MutantsOptions{})))
	m.reports.Alias(cmd, "rules", format.Rules, "print draft rules for mutants.yaml instead of the report")
	m.reports.FileAlias(cmd, "html", format.HTML, "also write the report to this `file` as an HTML page")
	return cmd
}

// mutantGrace is the time by which a mutant may exceed a time limit before it is killed. It is
// short because many mutants loop forever, and the exact time of a mutant that is too slow does not
// matter.
const mutantGrace = 50 * time.Millisecond

func (m *mutantsOptions) run(ctx context.Context, id string) (err error) {
	o := mutate.Options{Matrix: m.matrix || m.ID > 0, Patient: m.patient, Trust: m.trust, Probe: m.probe, Seed: m.seed}
	for _, flag := range []struct {
		name, text string
		to         *time.Duration
	}{{"slow", m.slow, &o.Slow}, {"hunt", m.hunt, &o.Hunt}} {
		if flag.text != "" {
			if *flag.to, err = limits.ParseDuration(flag.text); err != nil {
				return cli.Usage(fmt.Errorf("--%s: %w", flag.name, err))
			}
		}
	}
	s, err := m.OpenToRun(ctx, id, m.slots)
	if err != nil {
		return err
	}
	defer s.Close(&err)
	if err := s.Need(problem.Outputs, problem.Reference); err != nil {
		return cli.Usage(err)
	}
	c, p := s.Config, s.Problem
	c.Grace = min(c.Grace, mutantGrace)
	eng, err := s.Engine()
	if err != nil {
		return err
	}
	if o.Task, err = s.Task(ctx, eng); err != nil {
		return err
	}
	if o.Task.Cases, err = cli.ChosenCases(m.globs, o.Task.Cases); err != nil {
		return err
	}
	provider := s.CaseData(eng)
	reference, err := provider.Source(provider.Problem.Reference)
	if err != nil {
		return err
	}
	if o.Rules, err = mutate.LoadRules(p.Root, p.ID, reference, c.Build.Languages); err != nil {
		return err
	}
	schema, err := mutate.Derive(reference, c.Build.Languages)
	if err != nil {
		return cli.Usage(err)
	}
	if o.Mutants, err = schema.Select(m.Selection); err != nil {
		return cli.Usage(err)
	}
	o.Whole = m.Selection == mutate.Selection{} && len(m.globs) == 0
	if err := eng.Prepare(ctx, provider, o.Task.Cases); err != nil {
		return err
	}
	eng.Builder.RememberRefusals(m.fresh)
	judge := eng.Judge(provider)
	judge.Memo = eng.NewMemo()
	judge.Memo.Fresh = m.fresh
	sink := cli.Begin(m.reports, findings.MutantsFormats(findings.MutantsOptions{Problem: p.ID, Least: m.min, Each: m.ID > 0}))
	r, err := mutate.Measure(ctx, judge, schema, o, sink.Event)
	if err := sink.End(err); err != nil {
		return err
	}
	return m.exitCode(r)
}

// exitCode returns the exit status for a report as an error.
func (m *mutantsOptions) exitCode(r *mutate.Report) error {
	switch t := r.Tally; {
	case t.Failed > 0:
		return cli.Status(cli.ExitFailed)
	case t.Unexplained > 0, len(r.Stale()) > 0, len(r.Refuted) > 0, t.Score() < m.min:
		return cli.Status(cli.ExitNot)
	}
	return nil
}

// operatorNames returns the operators, for completions.
func operatorNames() (names []string) {
	for _, op := range mutate.Operators() {
		names = append(names, op.Name)
	}
	return names
}
