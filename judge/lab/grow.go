package lab

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"tribunal/judge/cli"
	"tribunal/judge/cli/format"
	"tribunal/judge/internal/casedata"
	"tribunal/judge/internal/engine"
	"tribunal/judge/internal/problem"
	"tribunal/judge/lab/findings"
	"tribunal/judge/lab/grow"
)

type growOptions struct {
	*cli.App
	generate, sizes string
	by              string
	language        string
	seeds           int
	beyond          time.Duration
	reports         *cli.Reports
}

func GrowCommand(o *cli.App) *cobra.Command {
	g := &growOptions{App: o}
	cmd := &cobra.Command{
		Use:   "grow PROBLEM SUBMISSION…",
		Short: "Measure how the CPU time of submissions grows with the input",
		Long: `Measure how the CPU time of submissions, and of the reference solver for comparison,
grows with the size of the input.

The inputs come from one family of the generator, in the sizes that it lists with
-ladder, with several seeds for each size. Programs run one at a time. A power of the
size is fitted to the times that stand out from the noise (docs/calibrate.md).`,
		Example: `  judge grow maze solution.py
  judge grow maze --gen storm --svg growth.svg solution.py
  judge grow maze --gen 'dense -M={} -N={}' --sizes 5,10,20,39 solution.py`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) < 2 {
				return cli.Usage(errors.New("grow needs a problem and at least one submission (hint: judge grow maze solution.py)"))
			}
			if err := o.Swapped(cmd, args); err != nil {
				return err
			}
			if g.seeds < 1 || g.seeds > cli.MaxRepeat {
				return cli.Usage(fmt.Errorf("--seeds %d: want a number from 1 to %d", g.seeds, cli.MaxRepeat))
			}
			if g.by != grow.BySize && g.by != grow.ByBytes {
				return cli.Usage(fmt.Errorf("--by %s: want size or bytes", g.by))
			}
			if err := checkBeyond(cmd, g.beyond); err != nil {
				return err
			}
			return g.run(cmd.Context(), args[0], args[1:])
		},
	}
	f := cmd.Flags()
	f.StringVar(&g.generate, "gen", "", "`family` of the inputs, or arguments with {} for the size (default: the first with at least four sizes)")
	f.StringVar(&g.sizes, "sizes", "", "`sizes` to put in place of {}, such as 10,20,40")
	f.StringVar(&g.by, "by", grow.BySize, "fit against the `size` of the generator (size) or the length of the input (bytes)")
	cli.Complete(cmd, "by", func() []string { return []string{grow.BySize, grow.ByBytes} })
	f.IntVar(&g.seeds, "seeds", 3, "`number` of inputs of each size, 1 to 100")
	f.DurationVar(&g.beyond, "beyond", 0, "CPU `time` after which a program is stopped (default: the time limit)")
	f.StringVar(&g.language, "lang", "", "`language` of the sources, whatever their names")
	g.reports = o.Report(cmd, "calibrate.md", format.Names(findings.GrowFormats()))
	g.reports.FileAlias(cmd, "svg", format.Picture, "also write the plot to this `file`")
	return cmd
}

func (g *growOptions) run(ctx context.Context, id string, names []string) error {
	return g.WithProblem(ctx, id, 1, func(eng *engine.Engine, s *cli.Subject) error {
		t, m := engine.Task(eng.Config, s.Problem), s.CaseData(eng)
		var err error
		if t.Submissions, err = (cli.Reading{App: g.App, Language: g.language}).Submissions(ctx, s, names); err != nil {
			return err
		}
		sink := cli.Begin(g.reports, findings.GrowFormats())
		bench := &grow.Experiment{Judge: eng.Judge(m), Task: t, Seeds: g.seeds, Beyond: g.beyond, By: g.by, Emit: sink.Event}
		bench.Emit.Stage("compiling the generator of " + id)
		if err := g.choose(ctx, m, bench); err != nil {
			return sink.End(err)
		}
		return sink.End(g.userError(grow.Run(ctx, bench)))
	}, problem.Outputs, problem.Generator, problem.Reference)
}

// choose sets the sizes to measure, according to the flags --gen and --sizes.
func (g *growOptions) choose(ctx context.Context, m *casedata.Provider, b *grow.Experiment) (err error) {
	if g.sizes != "" || strings.Contains(g.generate, "{}") {
		b.Sizes, err = grow.Template(g.generate, g.sizes)
		return cli.Usage(err)
	}
	if b.Ladder, err = m.Sizes(ctx); err != nil {
		return err
	}
	b.Sizes, err = grow.Choose(b.Ladder, g.generate)
	return cli.Usage(err)
}

// userError converts the error of a measurement into one with the right exit code, if a submission
// does not compile or the generator refuses the user's arguments.
func (g *growOptions) userError(err error) error {
	if compile, ok := errors.AsType[*grow.CompileError](err); ok {
		return g.reports.WriteFinding(compile.Name+" ", strings.TrimPrefix(compile.Error(), compile.Name+" "))
	}
	if _, ok := errors.AsType[*grow.GenerateError](err); ok {
		return cli.Usage(err)
	}
	return err
}
