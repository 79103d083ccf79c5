package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/mutate"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/report"
	"tribunal/judge/internal/run"
)

type mutantsOptions struct {
	gradeOptions
	mutate.Selection
	matrix, patient, fresh bool
	trust                  bool
	probe                  int
	seed                   uint64
	slow, hunt             string
	min                    float64
}

func mutantsCommand(o *options) *cobra.Command {
	m := &mutantsOptions{gradeOptions: gradeOptions{options: o}}
	cmd := &cobra.Command{
		Use:   "mutants PROBLEM|PACKAGE",
		Short: "Measure how many wrong variants of the reference the cases kill",
		Long: `Measure how many wrong variants of a problem's reference solver its cases kill.

Each mutant is the reference with one small mistake. It is run, in the jail, on the
cases that execute the place of the mistake, until one of them rejects it. A mutant
that survives is either a mistake that the cases would let a contestant make, or an
equivalent program: cases/PROBLEM/mutants.yaml says which (docs/mutants.md).

Exit status 1: a survivor is not explained there, an explanation is out of date or
not true, or the score is below --min.`,
		Example: `  judge mutants game
  judge mutants maze --in main.go:flip --op boundary
  judge mutants maze --matrix --html maze.html
  judge mutants slink --hunt 5m`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usage(errors.New("mutants wants one problem (hint: judge problems lists them)"))
			}
			if err := checkSlots(cmd, m.slots); err != nil {
				return err
			}
			for _, flag := range []string{"id", "sample"} {
				if n, _ := cmd.Flags().GetInt(flag); cmd.Flags().Changed(flag) && n < 1 {
					return usage(fmt.Errorf("--%s %d: want a number from 1", flag, n))
				}
			}
			if m.probe < 0 {
				return usage(fmt.Errorf("--probe %d: want a number from 0", m.probe))
			}
			if !(m.min >= 0 && m.min <= 100) { // nor is NaN one
				return usage(fmt.Errorf("--min %v: want a percentage from 0 to 100", m.min))
			}
			return m.run(cmd.Context(), args[0])
		},
	}
	f := cmd.Flags()
	f.StringArrayVar(&m.globs, "case", nil, "only the cases that match this `glob`, as in 'edge/*' or statement; may be repeated")
	f.StringVar(&m.Op, "op", "", "only mutants of this `operator`, as in boundary")
	f.StringVar(&m.In, "in", "", "only mutants in this `file` or function, as in main.go or main.go:solve")
	f.IntVar(&m.ID, "id", 0, "only the mutant of this `number`, on every case; shows it")
	f.IntVar(&m.Sample, "sample", 0, "only every so `many`th mutant")
	f.BoolVar(&m.matrix, "matrix", false, "run every mutant on every case: shows which case kills which mutants, and which cases are enough")
	f.BoolVar(&m.patient, "patient", false, "give mutants the problem's own time, not ten times what the reference takes")
	f.BoolVar(&m.trust, "trust", false, "skip mutants that rules of mutants.yaml with op or change call equivalent, except a sample")
	f.IntVar(&m.probe, "probe", 40, "with --trust, `how many` of these are run anyway, on cheap cases")
	f.Uint64Var(&m.seed, "seed", 1, "chooses the sample of --probe")
	f.StringVar(&m.slow, "slow", "", "leave out cases that take the unmutated program longer than this `duration`")
	f.StringVar(&m.hunt, "hunt", "", "search for inputs that kill survivors, for this `duration`")
	f.Float64Var(&m.min, "min", 0, "least `percentage` that must be killed")
	f.BoolVar(&m.fresh, "fresh", false, "run everything, whatever is remembered of earlier runs")
	f.IntVar(&m.slots, "slots", 0, "`runs` at a time (default: as in runner.yaml)")
	m.reports = o.report(cmd, "mutants.md", report.Names(report.MutantsFormats(report.MutantsOptions{})))
	m.reports.alias(cmd, "rules", report.Rules, "print draft rules for mutants.yaml about the survivors, without reasons, in place of the report")
	m.reports.fileAlias(cmd, "html", report.Page, "write the report to this `file` as a page for browsers as well")
	return cmd
}

// mutantGrace is how far a mutant may exceed a limit. It is short because many mutants loop for
// ever, and how long they would take does not matter.
const mutantGrace = 50 * time.Millisecond

func (m *mutantsOptions) run(ctx context.Context, id string) (err error) {
	o := mutate.Options{Matrix: m.matrix || m.ID > 0, Patient: m.patient, Trust: m.trust, Probe: m.probe, Seed: m.seed}
	for _, flag := range []struct {
		name, text string
		to         *time.Duration
	}{{"slow", m.slow, &o.Slow}, {"hunt", m.hunt, &o.Hunt}} {
		if flag.text != "" {
			if *flag.to, err = limits.ParseDuration(flag.text); err != nil {
				return usage(fmt.Errorf("--%s: %w", flag.name, err))
			}
		}
	}
	s, err := m.open(ctx, id, m.slots)
	if err != nil {
		return err
	}
	defer s.close(&err)
	if err := s.Need(problem.Outputs, problem.Reference); err != nil {
		return usage(err)
	}
	c, p := s.config, s.Problem
	c.Grace = min(c.Grace, mutantGrace)
	eng, err := s.engine()
	if err != nil {
		return err
	}
	if o.Task, err = s.task(ctx, eng); err != nil {
		return err
	}
	if o.Task.Cases, err = m.chosen(o.Task.Cases); err != nil {
		return err
	}
	provider := s.caseData(eng)
	reference, err := provider.Source(provider.Problem.Reference)
	if err != nil {
		return err
	}
	if o.Rules, err = mutate.LoadRules(p.Root, p.ID, reference, c.Build.Languages); err != nil {
		return err
	}
	schema, err := mutate.Derive(reference, c.Build.Languages)
	if err != nil {
		return usage(err)
	}
	if o.Mutants, err = schema.Select(m.Selection); err != nil {
		return usage(err)
	}
	o.Whole = m.Selection == mutate.Selection{} && len(m.globs) == 0
	if err := m.prepare(ctx, provider, o.Task.Cases); err != nil {
		return err
	}
	judge := eng.judge(provider)
	judge.Memo = run.NewMemo(eng.cache, eng.pool.Facts().Mechanisms)
	judge.Memo.Fresh = m.fresh
	sink := begin(m.reports, report.MutantsFormats(report.MutantsOptions{Problem: p.ID, Least: m.min, Each: m.ID > 0, Notes: m.std.err}))
	r, err := mutate.Measure(ctx, judge, schema, o, sink.Event)
	if err := sink.end(err); err != nil {
		return err
	}
	return m.worth(r)
}

// worth returns the exit status for a report, as an error.
func (m *mutantsOptions) worth(r *mutate.Report) error {
	switch t := r.Tally; {
	case t.Failed > 0:
		return status(exitFailed)
	case t.Unexplained > 0, len(r.Stale()) > 0, len(r.Refuted) > 0, t.Score() < m.min:
		return status(exitNot)
	}
	return nil
}
