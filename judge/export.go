package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/pkgexport"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/repo"
	"tribunal/judge/internal/report"
	"tribunal/judge/internal/scaffold"
	"tribunal/judge/internal/yamlstrict"
)

type exportOptions struct {
	*options
	format, out, reference string
	required               bool
}

func exportCommand(o *options) *cobra.Command {
	e := &exportOptions{options: o}
	cmd := &cobra.Command{
		Use:   "export PROBLEM|PACKAGE",
		Short: "Write a problem, or a package, as a package that other judges read",
		Long: `Write a problem as a package that other judges read: statement, cases, validators
and example submissions. The formats are kattis (ICPC/Kattis problem package,
2025-09), kattis-legacy (its legacy version), domjudge (that, with what DOMjudge adds)
and polygon-files.

The package is a folder, or an archive if its name ends in .zip. Notes say what the
format cannot express (docs/packages.md). No format has optional groups of cases:
they are written like any other, or left out with --required.

A package is imported first, as by judge import, so export also converts packages
from one format to another.`,
		Example: "  judge export maze\n  judge export polygon.zip --format domjudge -o contest/a.zip\n  judge export maze --format domjudge -o maze.zip\n  judge verify maze.zip",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usage(errors.New("export wants one problem (hint: judge export maze --format kattis)"))
			}
			return e.run(cmd.Context(), args[0])
		},
	}
	f := cmd.Flags()
	f.StringVar(&e.format, "format", string(pkgexport.Kattis), "`name` of the format: "+pkgexport.Formats())
	f.BoolVar(&e.required, "required", false, "leave out the optional groups of cases, and with them examples that are not accepted")
	f.StringVar(&e.reference, "reference", "", "`program` that is the reference solver of a package (default: its model solution, or the first that is accepted)")
	f.StringVarP(&e.out, "output", "o", "", "write to this `folder or archive` (default: a folder named after the problem)")
	return cmd
}

func (e *exportOptions) run(ctx context.Context, name string) (err error) {
	format, err := pkgexport.ParseFormat(e.format)
	if err != nil {
		return usage(fmt.Errorf("--format: %w", err))
	}
	s, err := e.open(ctx, name, 0)
	if err != nil {
		return err
	}
	defer s.close(&err)
	target := e.out
	if target == "" {
		target = s.ID
	}
	if err := outside(s.root, target); err != nil {
		return err
	}
	if err := pkgexport.CheckTarget(target); err != nil {
		return usage(err)
	}
	p := s.Problem
	if s.pack != nil {
		if p, err = e.imported(ctx, s); err != nil {
			return err
		}
		defer func() { err = ofPackage(err, p, name) }()
	} else if e.reference != "" {
		return usage(errors.New("--reference is for packages (hint: a problem has its own)"))
	}
	set, err := p.Cases()
	if err == nil {
		err = set.Missing()
	}
	if err != nil {
		return err
	}
	eng, err := s.engine()
	if err != nil {
		return err
	}
	provider := eng.caseData(p)
	job := pkgexport.Job{Problem: p, Cases: set.Cases, CaseData: provider, Format: format}
	if e.required {
		job.Cases, job.LeftOut = cases.Required(set.Cases), set.Optional()
	}
	if err := provider.Prepare(ctx, job.Cases); err != nil {
		return err
	}
	done, err := job.Write(ctx, target)
	if bad, ok := errors.AsType[*pkgexport.TargetError](err); ok {
		return usage(bad)
	}
	if err != nil {
		return err
	}
	for _, note := range done.Notes {
		e.std.note("note: %s", note)
	}
	err = e.std.say("%s: %s, %s\n", target, report.Count(done.Cases, "case"), report.Count(done.Submissions, "submission"))
	return err
}

// imported imports a package into a temporary repository, which is removed when the engine closes,
// and returns the problem.
func (e *exportOptions) imported(ctx context.Context, s *subject) (*problem.Problem, error) {
	if err := s.programs(ctx, s.eng); err != nil {
		return nil, err
	}
	root, err := os.MkdirTemp(s.eng.host.Temp(), "export-")
	if err != nil {
		return nil, err
	}
	for _, folder := range []string{"problems", "cases", "reference"} {
		if err := os.Mkdir(filepath.Join(root, folder), 0o755); err != nil {
			return nil, err
		}
	}
	id := scaffold.NearestID(s.ID)
	i := importOptions{gradeOptions: gradeOptions{options: e.options}, reference: e.reference}
	if _, err := i.take(ctx, s, root, id); err != nil {
		return nil, err
	}
	return repo.Load(root, id)
}

// ofPackage locates an error about a document of the problem that was made of a package at the
// package, because that problem is gone when users read the error.
func ofPackage(err error, p *problem.Problem, name string) error {
	located, ok := errors.AsType[*yamlstrict.Error](err)
	if !ok || !strings.HasPrefix(located.File, p.Root+string(filepath.Separator)) {
		return err
	}
	hint := strings.ReplaceAll(located.Hint, "judge export "+p.ID, "judge export "+name)
	return &yamlstrict.Error{File: name, Msg: located.Msg, Hint: hint, Err: located.Err}
}

// outside returns an error if a target lies in the folders that hold the repository's problems.
func outside(root, target string) error {
	place, err := resolved(target)
	if err != nil {
		return usage(fmt.Errorf("-o: %w", err))
	}
	for _, name := range []string{"problems", "cases", "reference"} {
		own, err := resolved(filepath.Join(root, name))
		if err != nil {
			return err
		}
		if place == own || strings.HasPrefix(place, own+string(filepath.Separator)) {
			return usage(fmt.Errorf("%s: is in %s, which holds what the judge reads (hint: name another with -o)", target, filepath.Join(root, name)))
		}
	}
	return nil
}

// resolved returns the absolute path of a file that may not exist, with the links in the existing
// part of the path followed.
func resolved(name string) (string, error) {
	whole, err := filepath.Abs(name)
	if err != nil {
		return "", err
	}
	for rest := ""; ; {
		if real, err := filepath.EvalSymlinks(whole); err == nil {
			return filepath.Join(real, rest), nil
		} else if !errors.Is(err, os.ErrNotExist) || whole == filepath.Dir(whole) {
			return filepath.Join(whole, rest), nil // using it will tell what is wrong with it
		}
		rest, whole = filepath.Join(filepath.Base(whole), rest), filepath.Dir(whole)
	}
}
