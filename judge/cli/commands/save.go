package commands

import (
	"context"
	"errors"
	"os"

	"tribunal/judge/cli"
	"tribunal/judge/cli/report"
	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/engine"
	"tribunal/judge/internal/problem"
)

// CheckSave returns an error if a case with this name cannot be added to the problem. Commands call
// it before they start any work.
func CheckSave(p *problem.Problem, name string) error {
	set, err := p.Read()
	if err == nil {
		_, err = set.Append(p.Root, cases.Case{Name: name, Input: new(string)})
	}
	return err
}

// Save adds a case to the problem and regenerates its output, like judge regen --case. If that
// fails, Save restores the case file.
func Save(ctx context.Context, eng *engine.Engine, o *cli.App, p *problem.Problem, c cases.Case) error {
	set, err := p.Read()
	if err != nil {
		return err
	}
	edit, err := set.Append(eng.Root, c)
	if err != nil {
		return err
	}
	if err := cases.Replace(eng.Root, p.ID, []cases.Edit{edit}); err != nil {
		return err
	}
	r := &regenOptions{App: o, globs: []string{c.Name}}
	done := report.Regeneration{Mode: report.Write, Problem: p.ID}
	if done.Plan, done.Err = r.regenerate(ctx, eng, p); done.Err == nil {
		return report.Regenerated(o.Std.Err, report.Usual, done)
	}
	err = errors.Join(done.Err, unsave(eng.Root, p, edit))
	if code := r.exitCode(done); code != cli.ExitFailed && ctx.Err() == nil {
		o.Std.PrintError(err)
		return cli.Status(code)
	}
	return err
}

// unsave reverts an edit of a case file.
func unsave(root string, p *problem.Problem, written cases.Edit) error {
	if written.Old == nil {
		return os.Remove(written.Path)
	}
	written.Old, written.Text = written.Text, written.Old
	return cases.Replace(root, p.ID, []cases.Edit{written})
}
