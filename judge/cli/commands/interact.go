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

// InteractCommand returns judge interact.
func InteractCommand(o *cli.App) *cobra.Command {
	g := &gradeOptions{App: o}
	cmd := &cobra.Command{
		Use:   "interact PROBLEM|PACKAGE SUBMISSION",
		Short: "Show the messages between a submission and an interactor",
		Long: `Run a submission on one case of an interactive problem, and show the messages between
the submission and the interactor.

Each line begins with the time since the start, and < for output of the interactor or
> for output of the submission. The middle of a very long transcript is left out.`,
		Example: "  judge interact packages/guess solution.py --case secret/2",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 2 {
				return cli.Usage(errors.New("interact needs a problem and one submission (hint: judge interact packages/guess solution.py --case secret/2)"))
			}
			if err := o.Swapped(cmd, args); err != nil {
				return err
			}
			return g.interact(cmd.Context(), args[0], args[1])
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

func (g *gradeOptions) interact(ctx context.Context, path, name string) error {
	return g.WithProblem(ctx, path, 1, func(eng *engine.Engine, s *cli.Subject) error {
		if !s.Interactive() {
			return cli.Usage(fmt.Errorf("%s: not an interactive problem (hint: judge grade %s %s)", path, path, name))
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
			return cli.Usage(fmt.Errorf("%s: no cases", path))
		}
		if err := g.setLimits(ctx, eng, s, &task); err != nil { // before all cases but one are dropped: it may judge submissions on all
			return err
		}
		task.Cases = task.Cases[:1]
		var err error
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
	})
}

// keepTranscript writes the transcript of a case to a file in the folder of --keep, in the form of
// judge interact, and removes it from c.
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
