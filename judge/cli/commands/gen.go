package commands

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"tribunal/judge/cli"
	"tribunal/judge/internal/casedata"
	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/engine"
	"tribunal/judge/internal/problem"
	"tribunal/judge/lab/stress"
)

type genOptions struct {
	*cli.App
	out, save, note string
}

func GenCommand(o *cli.App) *cobra.Command {
	g := &genOptions{App: o}
	cmd := &cobra.Command{
		Use:   "gen [flags] PROBLEM FAMILY [-flag=value …] [-seed=N]",
		Short: "Generate an input with a problem's generator",
		Long: `Generate an input with a problem's generator, in the sandbox, check it with the
problem's input validator, and print it. Without FAMILY, list the families of inputs
that the generator can make.

Flags of judge gen come before PROBLEM, those of the generator after it. The same
family, flags and seed give the same bytes on every machine (docs/generators.md).`,
		Example: `  judge gen maze
  judge gen maze random -n=5 -m=5 -seed=7
  judge gen -o big.in marble walls -n=40 -seed=3
  judge gen --save edge/walls-3 --note 'Many walls.' marble walls -n=8 -seed=3`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cli.Usage(errors.New("gen needs a problem (hint: judge gen maze lists the families of its generator)"))
			}
			return g.run(cmd.Context(), args[0], args[1:])
		},
	}
	f := cmd.Flags()
	f.SetInterspersed(false)
	f.StringVarP(&g.out, "output", "o", "", "write the input to this `file`")
	f.StringVar(&g.save, "save", "", "add the input to the problem's cases as `group/name`, with its expected output")
	f.StringVar(&g.note, "note", "", "`text` that describes the saved case")
	return cmd
}

func (g *genOptions) run(ctx context.Context, id string, args []string) (err error) {
	s, err := g.Open(ctx, id, 0)
	if err != nil {
		return err
	}
	defer s.Close(&err)
	if err := s.Need(problem.Generator, problem.Check); err != nil {
		return cli.Usage(err)
	}
	list := len(args) == 0 || args[0] == "-list" || args[0] == "--list"
	var source stress.Source
	switch {
	case list && (g.out != "" || g.save != "" || len(args) > 1):
		return cli.Usage(errors.New("gen: no family named (hint: judge gen " + id + " lists them)"))
	case !list:
		if source, err = parseSource(args); err != nil {
			return cli.Usage(fmt.Errorf("gen %s: %w", id, err))
		}
	}
	if g.note != "" && g.save == "" {
		return cli.Usage(errors.New("--note needs --save (hint: it is the note of the saved case)"))
	}
	if err := cli.CheckFile("-o", g.out); err != nil {
		return err
	}
	if g.save != "" {
		if err := CheckSave(s.Problem, g.save); err != nil {
			return err
		}
	}
	eng, err := s.Engine()
	if err != nil {
		return err
	}
	provider := s.CaseData(eng)
	if list {
		text, err := provider.Families(ctx)
		if err == nil {
			_, err = g.Std.Out.Write(text)
		}
		return err
	}
	search := &stress.Search{Judge: eng.Judge(provider), Task: engine.Task(s.Config, s.Problem)}
	input, err := search.Make(ctx, source)
	if errors.Is(err, stress.ErrRefused) {
		g.Std.PrintError(err)
		return cli.Status(cli.ExitNot)
	}
	if refusal, ok := errors.AsType[*casedata.Refusal](err); ok {
		return cli.Usage(refusal)
	}
	if err != nil {
		return err
	}
	if g.save != "" {
		return Save(ctx, eng, g.App, s.Problem, cases.Case{Name: g.save, Note: g.note, Generate: source.Generate, Seed: &source.Seed})
	}
	return g.WriteData(g.out, input)
}

// parseSource splits the arguments of a generator into the seed and the rest. The default seed is
// 1.
func parseSource(args []string) (stress.Source, error) {
	s := stress.Source{Seed: 1}
	for i := 0; i < len(args); i++ {
		name, value, ok := strings.Cut(args[i], "=")
		if name != "-seed" && name != "--seed" {
			s.Generate = append(s.Generate, args[i])
			continue
		}
		if !ok && i+1 < len(args) {
			i++
			value = args[i]
		}
		seed, err := strconv.ParseUint(value, 10, 64)
		if err != nil {
			return s, fmt.Errorf("%s: want a whole number from 0 (hint: -seed=1)", args[i])
		}
		s.Seed = seed
	}
	if len(s.Generate) == 0 || strings.HasPrefix(s.Generate[0], "-") {
		return s, errors.New("no family named (hint: the family comes first: FAMILY -flag=value …)")
	}
	return s, nil
}
