package commands

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"tribunal/judge/cli"
	"tribunal/judge/cli/layout"
	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/repo"
	"tribunal/judge/internal/yamlstrict"
	"tribunal/judge/packages/pkgexport"
	"tribunal/judge/packages/scaffold"
)

type exportOptions struct {
	*cli.App
	format, out, reference string
	required               bool
}

func ExportCommand(o *cli.App) *cobra.Command {
	e := &exportOptions{App: o}
	cmd := &cobra.Command{
		Use:   "export PROBLEM|PACKAGE",
		Short: "Write a problem as a package for other judges",
		Long: `Write a problem as a package for other judges: statement, cases, validators and
example submissions. judge help formats lists the formats.

The package is written as a folder, or as an archive if its name ends in .zip. Notes
list the settings that the format cannot express (docs/packages.md). A package is
converted to the other format.`,
		Example: "  judge export maze --format domjudge -o maze.zip\n  judge export polygon.zip --format domjudge -o contest/a.zip",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return cli.Usage(errors.New("export needs one problem (hint: judge export maze --format kattis)"))
			}
			return e.run(cmd.Context(), args[0])
		},
	}
	f := cmd.Flags()
	f.StringVar(&e.format, "format", string(pkgexport.Kattis), "`format` of the package: "+pkgexport.Formats())
	cli.Complete(cmd, "format", pkgexport.All)
	f.BoolVar(&e.required, "required", false, "leave out the optional groups of cases, and the examples that are not accepted")
	f.StringVar(&e.reference, "reference", "", "`program` of a package to use as its reference solver (default: the model solution, or the first accepted submission)")
	f.StringVarP(&e.out, "output", "o", "", "write the package to this `folder or archive` (default: a folder named after the problem)")
	return cmd
}

func (e *exportOptions) run(ctx context.Context, name string) (err error) {
	format, err := pkgexport.ParseFormat(e.format)
	if err != nil {
		return cli.Usage(fmt.Errorf("--format: %w", err))
	}
	s, err := e.Open(ctx, name, 0)
	if err != nil {
		return err
	}
	defer s.Close(&err)
	target := e.out
	if target == "" {
		target = s.ID
	}
	if err := checkOutside(s.Repository, target); err != nil {
		return err
	}
	if err := pkgexport.CheckTarget(target); err != nil {
		return cli.Usage(err)
	}
	p := s.Problem
	if s.Pack != nil {
		if lost := format.LostRules(p); lost != "" { // now, so that submissions which would break their promises are left out too
			e.Std.Note("note: %s", lost)
			without := *p
			without.Groups, s.Problem = nil, &without
		}
		if p, err = e.imported(ctx, s); err != nil {
			return err
		}
		defer func() { err = locateAtPackage(err, p, name) }()
	} else if e.reference != "" {
		return cli.Usage(errors.New("--reference works only for packages (hint: a problem of the repository declares its reference)"))
	}
	set, err := p.Cases()
	if err == nil {
		err = set.Missing()
	}
	if err != nil {
		return err
	}
	eng, err := s.Engine()
	if err != nil {
		return err
	}
	provider := eng.CaseData(p)
	job := pkgexport.Job{Problem: p, Cases: set.Cases, CaseData: provider, Format: format}
	if e.required {
		job.Cases, job.LeftOut = cases.Required(set.Cases), set.Optional()
	}
	if err := provider.Prepare(ctx, job.Cases); err != nil {
		return err
	}
	done, err := job.Write(ctx, target)
	if bad, ok := errors.AsType[*pkgexport.TargetError](err); ok {
		return cli.Usage(bad)
	}
	if err != nil {
		return err
	}
	for _, note := range done.Notes {
		e.Std.Note("note: %s", note)
	}
	err = e.Std.Print("%s: %s, %s\n", target, layout.Count(done.Cases, "case"), layout.Count(done.Submissions, "submission"))
	return err
}

// imported imports a package into a temporary repository and returns the problem. The repository is
// removed when the engine is closed.
func (e *exportOptions) imported(ctx context.Context, s *cli.Subject) (*problem.Problem, error) {
	if err := s.Running.Programs(ctx, s.CaseData(s.Running)); err != nil {
		return nil, err
	}
	root, err := os.MkdirTemp(s.Running.Host.Temp(), "export-")
	if err != nil {
		return nil, err
	}
	for _, folder := range []string{"problems", "cases", "reference"} {
		if err := os.Mkdir(filepath.Join(root, folder), 0o755); err != nil {
			return nil, err
		}
	}
	id := scaffold.NearestID(s.ID)
	i := importOptions{gradeOptions: gradeOptions{App: e.App}, reference: e.reference}
	if _, err := i.importPackage(ctx, s, root, id); err != nil {
		return nil, err
	}
	return repo.Load(root, id)
}

// locateAtPackage changes the location of an error from a document of the imported problem p to the
// package, because p has been removed when the user reads the error.
func locateAtPackage(err error, p *problem.Problem, name string) error {
	located, ok := errors.AsType[*yamlstrict.Error](err)
	if !ok || !strings.HasPrefix(located.File, p.Root+string(filepath.Separator)) {
		return err
	}
	hint := strings.ReplaceAll(located.Hint, "judge export "+p.ID, "judge export "+name)
	return &yamlstrict.Error{File: name, Msg: located.Msg, Hint: hint, Err: located.Err}
}

// checkOutside returns an error if target lies in a folder that holds the repository's problems.
func checkOutside(root, target string) error {
	place, err := resolved(target)
	if err != nil {
		return cli.Usage(fmt.Errorf("-o: %w", err))
	}
	for _, name := range []string{"problems", "cases", "reference"} {
		own, err := resolved(filepath.Join(root, name))
		if err != nil {
			return err
		}
		if place == own || strings.HasPrefix(place, own+string(filepath.Separator)) {
			return cli.Usage(fmt.Errorf("%s: is in %s, which the judge reads (hint: name a folder elsewhere with -o)", target, filepath.Join(root, name)))
		}
	}
	return nil
}

// resolved returns the absolute path of a file that need not exist, with the symbolic links in the
// existing part of the path resolved.
func resolved(name string) (string, error) {
	whole, err := filepath.Abs(name)
	if err != nil {
		return "", err
	}
	for rest := ""; ; {
		if real, err := filepath.EvalSymlinks(whole); err == nil {
			return filepath.Join(real, rest), nil
		} else if !errors.Is(err, os.ErrNotExist) || whole == filepath.Dir(whole) {
			return filepath.Join(whole, rest), nil // the error, if it matters, recurs when the path is used
		}
		rest, whole = filepath.Join(filepath.Base(whole), rest), filepath.Dir(whole)
	}
}
