package commands

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"tribunal/judge/cli"
	"tribunal/judge/cli/layout"
	"tribunal/judge/cli/report"
	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/config"
	"tribunal/judge/internal/content"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/repo"
)

// ProblemsCommand returns judge problems, which is judge show without arguments.
func ProblemsCommand(o *cli.App) *cobra.Command {
	return &cobra.Command{
		Use:     "problems",
		Short:   "List the problems of the repository",
		Long:    "List the problems of the repository, as judge show does without arguments.",
		Example: "  judge show",
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return cli.Usage(fmt.Errorf("problems takes no arguments (hint: judge show %s prints a problem)", args[0]))
			}
			return listProblems(o)
		},
	}
}

func listProblems(o *cli.App) error {
	root, err := o.FindRoot()
	if err != nil {
		return err
	}
	c, err := config.Load(root)
	if err != nil {
		return err
	}
	ids, err := repo.List(root)
	if err != nil {
		return err
	}
	var rows []report.ProblemRow
	var broken error // the first error; problems without errors are listed all the same
	for _, id := range ids {
		p, err := repo.Load(root, id)
		if err != nil {
			broken = cmp.Or(broken, err)
			continue
		}
		set, err := p.Cases()
		if err != nil {
			broken = cmp.Or(broken, err)
			continue
		}
		required := len(cases.Required(set.Cases))
		rows = append(rows, report.ProblemRow{
			ID: p.ID, Title: p.Title, Limits: c.Complete(p.Limits),
			Cases: required, Optional: len(set.Cases) - required, Submissions: len(p.Submissions),
			Authors: p.Authors, License: p.License, Keywords: p.Keywords,
		})
	}
	if len(rows) == 0 {
		return broken
	}
	t := o.Std.Terminal(o.Std.Out)
	return errors.Join(report.Problems(o.Std.Out, rows, layout.Options{Color: t.Color, Width: t.Width}), broken)
}

func ShowCommand(o *cli.App) *cobra.Command {
	var language string
	cmd := &cobra.Command{
		Use:   "show [PROBLEM|PACKAGE]",
		Short: "Print a problem's statement and samples, or list the problems",
		Long: `Print the statement of a problem or package with its limits and samples. Without one,
list the problems of the repository with their limits and numbers of cases and examples.`,
		Example: "  judge show\n  judge show maze\n  judge show packages/guess --language de",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 && language == "" {
				return listProblems(o)
			}
			if len(args) != 1 {
				return cli.Usage(errors.New("show needs one problem (hint: judge show lists them)"))
			}
			return showProblem(cmd.Context(), o, args[0], language)
		},
	}
	cmd.Flags().StringVar(&language, "language", "", "print the statement file in this `language`, such as de")
	return cmd
}

func showProblem(ctx context.Context, o *cli.App, id, language string) (err error) {
	s, err := o.Open(ctx, id, 0)
	if err != nil {
		return err
	}
	defer s.Close(&err)
	s.PrintNotes()
	set, err := s.Cases()
	if err != nil {
		return err
	}
	data := report.StatementData{
		ID: s.ID, Title: s.Title, Source: s.Source, Limits: s.Config.Complete(s.Limits), Exceptions: s.Exceptions,
		Authors: s.Authors, License: s.License, Keywords: s.Keywords,
		Statement: s.Statement, Input: s.Input, Output: s.Output, Rulings: s.Rulings,
		Optional: set.Optional(), Fewer: s.Groups != nil && s.Groups.Fewer(),
	}
	text, err := textIn(s.Problem, id, language)
	if err != nil {
		return err
	}
	if text != nil {
		data.Title, data.Input, data.Output = cmp.Or(text.Title, data.Title), "", ""
		if data.Statement, err = statementOf(text); err != nil {
			return err
		}
	}
	if s.Limits.CPU == 0 {
		o.Std.Note("note: the time limit is derived from the submissions (hint: judge calibrate %s)", id)
	}
	for _, b := range s.Bounds {
		data.Bounds = append(data.Bounds, report.Bound{Name: b.Name, Lo: b.Lo, Hi: b.Hi})
	}
	for _, name := range s.Samples {
		sample, err := findSample(set, s.Problem, name)
		if err != nil {
			return err
		}
		data.Samples = append(data.Samples, sample)
	}
	t := o.Std.Terminal(o.Std.Out)
	return report.Statement(o.Std.Out, data, layout.Options{Color: t.Color, Width: t.Width})
}

// statementOf returns a package's statement as Markdown. If the statement is not text, such as a
// PDF, statementOf returns a sentence that names the file.
func statementOf(t *problem.Text) (string, error) {
	switch path.Ext(t.Path) {
	case ".md", ".txt":
	case ".tex":
		text, err := t.Read()
		return "```\n" + strings.TrimRight(string(text), "\n") + "\n```\n", err
	default:
		return "The statement is not text: see " + t.Path + ".\n", nil
	}
	text, err := t.Read()
	return strings.ReplaceAll(string(text), "\r\n", "\n"), err
}

// findSample returns the case that the statement shows as a sample. In the repository its input and
// output must be literals in the case file; the samples of a package are read from its files.
func findSample(set *cases.Set, p *problem.Problem, name string) (sample report.Sample, err error) {
	i := slices.IndexFunc(set.Cases, func(c cases.Case) bool { return c.Name == name })
	if i < 0 {
		return sample, cli.Usage(fmt.Errorf("%s: sample %s is not a case of %s", p.Path, name, p.ID))
	}
	c := &set.Cases[i]
	if c.Given == nil && (c.Input == nil || c.Output == nil) {
		return sample, c.Errorf("", "give it a literal input and a pinned output", "a sample of the statement must be written out in the case file")
	}
	sample.Name = name
	if c.Given == nil {
		sample.Input, sample.Output = *c.Input, *c.Output
		return sample, nil
	}
	for _, part := range []struct {
		read func() (content.Content, error)
		to   *string
	}{{c.Given.Input, &sample.Input}, {c.Given.Output, &sample.Output}} {
		data, err := part.read()
		if err != nil {
			return sample, err
		}
		text, err := data.Bytes()
		if err != nil {
			return sample, err
		}
		*part.to = string(text)
	}
	return sample, nil
}
