package commands

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"tribunal/judge/cli"
	"tribunal/judge/cli/report"
	"tribunal/judge/internal/engine"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/verdict"
)

// InteractCommand returns judge interact, which is judge run with --case.
func InteractCommand(o *cli.App) *cobra.Command {
	g := &gradeOptions{App: o}
	cmd := &cobra.Command{
		Use:   "interact PROBLEM|PACKAGE SUBMISSION",
		Short: "Show the messages between a submission and an interactor",
		Long: `Show the messages between a submission and an interactor, as judge run does with --case.
Without --case, the first case is run.`,
		Example: "  judge run packages/guess solution.py --case secret/2",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 2 {
				return cli.Usage(errors.New("interact needs a problem and one submission (hint: judge run packages/guess solution.py --case secret/2)"))
			}
			if err := o.Swapped(cmd, args); err != nil {
				return err
			}
			return g.WithProblem(cmd.Context(), args[0], 1, func(_ *engine.Engine, s *cli.Subject) error {
				if !s.Interactive() {
					return cli.Usage(fmt.Errorf("%s: not an interactive problem (hint: judge grade %s %s)", args[0], args[0], args[1]))
				}
				return g.interact(cmd.Context(), s, args[1])
			})
		},
	}
	f := cmd.Flags()
	f.StringArrayVar(&g.globs, "case", nil, "the `case` to run, such as secret/2 (default: the first)")
	f.StringVar(&g.language, "lang", "", "`language` of the sources, whatever their names")
	g.limits.AddFlag(cmd)
	return cmd
}

// transcript is the maximum size of the recorded output of each side.
const transcript = limits.MiB

// interact runs a submission on the first of the chosen cases of an interactive problem, and prints the messages.
func (g *gradeOptions) interact(ctx context.Context, s *cli.Subject, name string) error {
	eng, err := s.Engine()
	if err != nil {
		return err
	}
	if err := eng.Programs(ctx, s.CaseData(eng)); err != nil {
		return err
	}
	task := engine.Task(s.Config, s.Problem)
	task.Transcript = transcript
	if err := g.setCases(s, &task); err != nil {
		return err
	}
	if len(task.Cases) == 0 {
		return cli.Usage(fmt.Errorf("%s: no cases", s.Path))
	}
	if err := g.setLimits(ctx, eng, s, &task); err != nil { // before all cases but one are dropped: it may judge submissions on all
		return err
	}
	task.Cases = task.Cases[:1]
	if task.Submissions, err = g.reading().Submissions(ctx, s, []string{name}); err != nil {
		return err
	}
	if err := eng.Prepare(ctx, s.CaseData(eng), task.Cases); err != nil {
		return err
	}
	judged, err := eng.Judge(s.CaseData(eng)).Collect(ctx, task)
	if err != nil {
		return err
	}
	return g.printInteraction(judged[0], task.Limits)
}

// keepTranscript writes the transcript of a case to a file in the folder of --keep, in the form of
// judge run, and removes it from c.
func keepTranscript(t grade.Task, c *grade.Case) (err error) {
	if t.Keep == "" || t.Transcript == 0 {
		return nil
	}
	name := t.KeptName(c.Submission, c.Index, ".transcript")
	f, err := grade.CreateKept(t.Keep, name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if err := report.Interaction(f, *c, c.Under(t.Limits)); err != nil {
		return err
	}
	c.Kept, c.Transcript = filepath.Join(t.Keep, name), nil
	return nil
}

// printInteraction prints the result of the one case that was judged, and returns the exit status.
func (g *gradeOptions) printInteraction(j grade.Judged, l limits.Limits) error {
	if len(j.Cases) == 0 { // the submission does not compile
		if err := g.Std.Print("%s %s: %s\n", j.Done.Verdict, j.Done.Verdict.Title(), j.Done.Cause); err != nil {
			return err
		}
		return cli.Status(cli.ExitNot)
	}
	if err := report.Interaction(g.Std.Out, j.Cases[0], j.Cases[0].Under(l)); err != nil {
		return err
	}
	switch j.Done.Verdict {
	case verdict.AC:
		return nil
	case verdict.JE:
		return cli.Status(cli.ExitFailed)
	}
	return cli.Status(cli.ExitNot)
}
