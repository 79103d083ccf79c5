package commands

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"tribunal/judge/cli"
	"tribunal/judge/cli/layout"
	"tribunal/judge/internal/casedata"
	"tribunal/judge/internal/engine"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/problem"
	"tribunal/judge/packages/pkgimport"
	"tribunal/judge/packages/scaffold"
)

type importOptions struct {
	gradeOptions
	reference string
}

func ImportCommand(o *cli.App) *cobra.Command {
	i := &importOptions{gradeOptions: gradeOptions{App: o}}
	cmd := &cobra.Command{
		Use:   "import PACKAGE ID",
		Short: "Import a problem package as a new problem",
		Long: `Import a problem package of any format (judge help formats) as a new problem of the
repository. One accepted submission becomes the reference solver, the other
submissions become examples, and the validators are kept.

Notes list the parts that were changed or left out. If submissions could get other
verdicts on the problem than on the package, it is refused (docs/packages.md).`,
		Example: "  judge import hello.zip hello\n  judge import ./tests hello --reference solution.cpp --limits cpu=2s",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 2 {
				return cli.Usage(errors.New("import needs a package and an id (hint: judge import hello.zip hello)"))
			}
			return i.run(cmd.Context(), args[0], args[1])
		},
	}
	cmd.Flags().StringVar(&i.reference, "reference", "", "`program` to use as the reference solver (default: the package's model solution, or the first accepted submission)")
	i.limits.AddFlag(cmd)
	return cmd
}

func (i *importOptions) run(ctx context.Context, path, id string) (err error) {
	if err := scaffold.CheckID(id); err != nil {
		return cli.Usage(err)
	}
	root, err := i.FindRoot()
	if err != nil {
		return err
	}
	if err := scaffold.Free(root, id); err != nil {
		return err
	}
	s, err := i.OpenPath(ctx, path, 0)
	if err != nil {
		return err
	}
	defer s.Close(&err)
	if err := s.Running.Programs(ctx, s.CaseData(s.Running)); err != nil {
		return err
	}
	done, err := i.importPackage(ctx, s, root, id)
	if err != nil {
		return err
	}
	for _, place := range done.Places {
		_ = i.Std.Print("%s\n", place)
	}
	return i.Std.Print("%s, %s, reference %s\nnext: judge verify %s\n", layout.Count(done.Cases, "case"), layout.Count(done.Examples, "example"), done.Reference, id)
}

// importPackage imports a package into the repository at root, and prints the notes about it.
func (i *importOptions) importPackage(ctx context.Context, s *cli.Subject, root, id string) (*pkgimport.Summary, error) {
	eng := s.Running
	memo := eng.NewMemo()
	job := pkgimport.Job{
		Package: s.Pack.Draft(), Problem: s.Problem, Root: root, ID: id, Reference: i.reference,
		Judging: pkgimport.Judging{
			Languages: eng.Config.Build.Languages,
			CaseData:  eng.CaseData,
			Judge: func(m *casedata.Provider) *grade.Judge {
				j := eng.Judge(m)
				j.Memo = memo
				return j
			},
			Task: func(p *problem.Problem) grade.Task { return engine.Task(eng.Config, p) },
		},
	}
	if err := job.Check(); err != nil {
		return nil, err
	}
	t := engine.Task(s.Config, s.Problem)
	if err := i.setCases(s, &t); err != nil {
		return nil, err
	}
	if err := i.setLimits(ctx, eng, s, &t); err != nil {
		return nil, err
	}
	job.Limits = t.Problem.Loosest(t.Limits)
	if !i.limits.Sets("wall") {
		job.Limits.Wall = 0
	}
	done, err := job.Write(ctx)
	if err != nil {
		return nil, err
	}
	s.PrintNotes()
	if len(t.Problem.Exceptions) > 0 {
		i.Std.Note("note: limits of single languages and cases are not kept: the largest of each counts for all")
	}
	for _, note := range done.Notes {
		i.Std.Note("note: %s", note)
	}
	return done, nil
}
