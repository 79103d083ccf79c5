package main

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/config"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/report"
)

func problemsCommand(o *options) *cobra.Command {
	return &cobra.Command{
		Use:   "problems",
		Short: "List the problems with their limits and counts",
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usage(fmt.Errorf("problems takes no arguments (hint: judge show %s)", args[0]))
			}
			return listProblems(o)
		},
	}
}

func listProblems(o *options) error {
	root, err := o.findRoot()
	if err != nil {
		return err
	}
	c, err := config.Load(root)
	if err != nil {
		return err
	}
	ids, err := problem.List(root)
	if err != nil {
		return err
	}
	var rows []report.ProblemRow
	var broken error // the first; the others are listed all the same
	for _, id := range ids {
		p, err := problem.Load(root, id)
		if err != nil {
			broken = cmp.Or(broken, err)
			continue
		}
		set, err := cases.Load(root, id)
		if err != nil {
			broken = cmp.Or(broken, err)
			continue
		}
		required := len(cases.Required(set.Cases))
		rows = append(rows, report.ProblemRow{
			ID: p.ID, Title: p.Title, Limits: problemLimits(c, p),
			Cases: required, Optional: len(set.Cases) - required, Submissions: countSubmissions(root, id),
		})
	}
	if len(rows) == 0 {
		return broken
	}
	t := terminalOf(o.std.out)
	return errors.Join(report.Problems(o.std.out, rows, report.PageOptions{Color: t.color, Width: t.width}), broken)
}

// countSubmissions counts the examples in the verdict folders of a problem.
func countSubmissions(root, id string) int {
	list, _ := filepath.Glob(filepath.Join(root, "reference", id, "submissions", "*", "*"))
	return len(list)
}

func showCommand(o *options) *cobra.Command {
	return &cobra.Command{
		Use:   "show PROBLEM",
		Short: "Print a problem's statement with its samples",
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usage(errors.New("show wants one problem (hint: judge problems lists them)"))
			}
			return showProblem(o, args[0])
		},
	}
}

func showProblem(o *options, id string) error {
	root, c, p, err := o.load(id)
	if err != nil {
		return err
	}
	set, err := cases.Load(root, id)
	if err != nil {
		return err
	}
	data := report.StatementData{
		ID: p.ID, Title: p.Title, Source: p.Source, Limits: problemLimits(c, p),
		Statement: p.Statement, Input: p.Input, Output: p.Output, Rulings: p.Rulings,
		Optional: set.Optional(),
	}
	for _, b := range p.Bounds {
		data.Bounds = append(data.Bounds, report.Bound{Name: b.Name, Lo: b.Lo, Hi: b.Hi})
	}
	for _, name := range p.Samples {
		sample, err := findSample(set, p, name)
		if err != nil {
			return err
		}
		data.Samples = append(data.Samples, sample)
	}
	t := terminalOf(o.std.out)
	return report.Statement(o.std.out, data, report.PageOptions{Color: t.color, Width: t.width})
}

// findSample returns a case that a statement shows; it must stand in its file.
func findSample(set *cases.Set, p *problem.Problem, name string) (report.Sample, error) {
	for i := range set.Cases {
		c := &set.Cases[i]
		if c.Name != name {
			continue
		}
		if c.Input == nil || c.Output == nil {
			return report.Sample{}, c.Errorf("", "give it a literal input and a pinned output", "a sample of the statement must stand in the file")
		}
		return report.Sample{Name: name, Input: *c.Input, Output: *c.Output}, nil
	}
	return report.Sample{}, usage(fmt.Errorf("%s: sample %s is not a case of %s", p.File, name, p.ID))
}
