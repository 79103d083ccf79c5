package commands

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"tribunal/judge/cli"
	"tribunal/judge/cli/layout"
	"tribunal/judge/cli/report"
	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/tty"
	"tribunal/judge/packages/pkgexport"
)

type caseOptions struct {
	*cli.App
	input, answer, samples bool
	out                    string
}

func CaseCommand(o *cli.App) *cobra.Command {
	c := &caseOptions{App: o}
	cmd := &cobra.Command{
		Use:   "case PROBLEM|PACKAGE [CASE…]",
		Short: "Show the test cases of a problem, or write them to files",
		Long: `Show test cases of a problem: what each is for, its input and its expected output.
Without CASE, list the cases.

A case is named as edge/one, or by a pattern, such as 'edge/*'. Generated inputs are
generated, and outputs of which only a hash is kept are computed.

With -o the cases are written as pairs of files, GROUP/NAME.in and GROUP/NAME.ans, to
a new folder or .zip archive, which every command takes as a package.`,
		Example: `  judge case game
  judge case game edge/white-already --input | ./solution
  judge case game --samples -o samples.zip`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cli.Usage(errors.New("case needs a problem (hint: judge show lists them)"))
			}
			if c.input && c.answer {
				return cli.Usage(errors.New("--input and --answer exclude each other (hint: -o DIR writes both)"))
			}
			if c.out != "" && (c.input || c.answer) {
				return cli.Usage(errors.New("-o writes inputs and answers (hint: leave out --input and --answer)"))
			}
			return c.run(cmd.Context(), args[0], args[1:])
		},
	}
	f := cmd.Flags()
	f.BoolVar(&c.input, "input", false, "print nothing but the input of the case")
	f.BoolVar(&c.answer, "answer", false, "print nothing but the expected output of the case")
	f.BoolVar(&c.samples, "samples", false, "choose the samples of the statement")
	f.StringVarP(&c.out, "output", "o", "", "write the cases to this new `folder or archive`")
	return cmd
}

func (c *caseOptions) run(ctx context.Context, id string, globs []string) (err error) {
	s, err := c.Open(ctx, id, 0)
	if err != nil {
		return err
	}
	defer s.Close(&err)
	if c.out != "" {
		if err := checkOutside(s.Repository, c.out); err != nil {
			return err
		}
		if err := pkgexport.CheckTarget(c.out); err != nil {
			return cli.Usage(err)
		}
	}
	set, err := s.Cases()
	if err != nil {
		return err
	}
	list, err := c.choose(s, set.Cases, globs)
	if err != nil {
		return err
	}
	one := c.input || c.answer
	if one && len(list) != 1 {
		return cli.Usage(fmt.Errorf("%s: %d cases match, and --input and --answer print one (hint: name it, or write all with -o DIR)", id, len(list)))
	}
	t := c.Std.Terminal(c.Std.Out)
	page := layout.Options{Color: t.Color, Width: t.Width}
	if len(globs) == 0 && !c.samples && c.out == "" && !one {
		return report.Cases(c.Std.Out, list, page)
	}
	eng, err := s.Engine()
	if err != nil {
		return err
	}
	provider := s.CaseData(eng)
	stop := c.Std.Announce("preparing the cases of " + s.ID)
	if c.input {
		err = provider.PrepareInputs(ctx, list)
	} else if err = set.Missing(); err == nil {
		err = provider.Prepare(ctx, list)
	}
	stop()
	if err != nil {
		return err
	}
	if c.out != "" {
		job := pkgexport.Job{Problem: s.Problem, Cases: list, CaseData: provider, Format: pkgexport.Pairs}
		done, err := job.Write(ctx, c.out)
		if bad, ok := errors.AsType[*pkgexport.TargetError](err); ok {
			return cli.Usage(bad)
		}
		if err != nil {
			return err
		}
		return c.Std.Print("%s: %s\n", c.out, layout.Count(done.Cases, "case"))
	}
	for i := range list {
		if c.input {
			text, err := provider.Input(ctx, &list[i])
			if err != nil {
				return err
			}
			return tty.Data(c.Std.Out, text)
		}
		data, err := provider.Load(ctx, &list[i])
		if err != nil {
			return err
		}
		if c.answer {
			text, err := data.Want.Bytes()
			if err != nil {
				return err
			}
			return tty.Data(c.Std.Out, text)
		}
		d := report.CaseData{Case: &list[i], Size: data.Input.Size(), Want: data.Want.Size()}
		in, err := data.Input.Start(report.MaxCase)
		if err != nil {
			return err
		}
		out, err := data.Want.Start(report.MaxCase)
		if err != nil {
			return err
		}
		d.In, d.Out = string(in), string(out)
		if s.Need(problem.Draw) == nil {
			d.Draw = []string{"judge", "draw", s.ID, list[i].Name, "-o", list[i].Short() + ".svg"}
		}
		if i > 0 {
			if err := c.Std.Print("\n"); err != nil {
				return err
			}
		}
		if err := report.Case(c.Std.Out, d, page); err != nil {
			return err
		}
	}
	return nil
}

// choose returns the cases that the arguments and --samples select, in case order, or all cases.
func (c *caseOptions) choose(s *cli.Subject, list []cases.Case, globs []string) ([]cases.Case, error) {
	if c.samples {
		list = slices.DeleteFunc(slices.Clone(list), func(one cases.Case) bool { return !slices.Contains(s.Samples, one.Name) })
		if len(list) == 0 {
			return nil, cli.Usage(fmt.Errorf("%s: the statement has no samples (hint: judge case %s lists the cases)", s.Name, s.Name))
		}
	}
	list, err := cli.Matching(globs, list)
	return list, cli.Usage(err)
}
