package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tribunal/judge/internal/casedata"
	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/config"
	"tribunal/judge/internal/engine"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/repo"
	"tribunal/judge/internal/yamlstrict"
	"tribunal/judge/packages/pkgformat"
)

// StartEngine returns an engine that runs up to slots programs at a time; 0 means the number in
// runner.yaml.
func (o *App) StartEngine(root string, c *config.Config, slots int) (*engine.Engine, error) {
	eng, err := o.NewEngine(root, c)
	if err != nil {
		return nil, err
	}
	return eng, eng.Start(slots)
}

// NewEngine returns an engine that shows on standard error what it does. It runs programs only after
// its Start.
func (o *App) NewEngine(root string, c *config.Config) (*engine.Engine, error) {
	return engine.New(root, c, engine.Hooks{Note: o.Std.Note, Announce: o.Std.Announce})
}

// Subject is the problem that a command works on: a problem of the repository or a package.
type Subject struct {
	*problem.Problem
	Name       string // by which the user named it
	App        *App
	Repository string
	Config     *config.Config
	Slots      int
	Opening    *engine.Opening    // the engine's sandbox; nil unless it opens before the engine starts
	Running    *engine.Engine     // nil until Engine is called
	unstarted  error              // why the engine could not be started
	m          *casedata.Provider // nil until CaseData is called
	Pack       *pkgformat.Package // nil for a problem of the repository
	Lock       *cases.Lock        // nil until the cases are read, and without a lock
}

// Open opens a problem by its id in the repository, or a package by its path. slots is the number
// of slots of the engine; 0 means the number in runner.yaml. If Open returns an error, the subject
// has no problem and need not be closed.
func (o *App) Open(ctx context.Context, name string, slots int) (*Subject, error) {
	if o.IsPackage(name) {
		return o.OpenPath(ctx, name, slots)
	}
	s := &Subject{Name: name, App: o, Slots: slots}
	return s, s.load(name, false)
}

// OpenToRun is like Open, for commands that run programs unless they fail before. The sandbox opens
// while they read what to run.
func (o *App) OpenToRun(ctx context.Context, name string, slots int) (*Subject, error) {
	if o.IsPackage(name) {
		return o.OpenPath(ctx, name, slots)
	}
	s := &Subject{Name: name, App: o, Slots: slots}
	return s, s.load(name, true)
}

// load loads the configuration and a problem of the repository. If only the problem cannot be read,
// the subject has the configuration nevertheless. run is whether to begin to open the sandbox.
func (s *Subject) load(id string, run bool) (err error) {
	if s.App.Packages.Dialect != "" {
		return Usage(fmt.Errorf("--dialect is for packages, and %s is a problem of the repository", id))
	}
	if s.Repository, err = s.App.FindRoot(); err != nil {
		return err
	}
	if s.Config, err = config.Load(s.Repository); err != nil {
		return err
	}
	if run {
		s.Opening = engine.OpenSandbox(s.Config.Mode)
	}
	if s.Problem, err = repo.Load(s.Repository, id); err != nil {
		err = Usage(err)
		s.Close(&err)
	}
	return err
}

// OpenPath is like Open, but name is always the path of a package.
func (o *App) OpenPath(ctx context.Context, name string, slots int) (s *Subject, err error) {
	s = &Subject{Name: name, App: o, Slots: slots}
	if s.Repository, s.Config, err = o.PackageConfig(); err != nil {
		return s, err
	}
	s.Opening = engine.OpenSandbox(s.Config.Mode)
	var unread error // reported unless the engine fails too
	s.Pack, s.Problem, unread = o.OpenPackage(ctx, name, s.scratch, s)
	if _, err = s.Engine(); err == nil {
		err = unread
	}
	if err != nil {
		s.Close(&err)
	}
	return s, err
}

// scratch returns a folder for the files of archives. It starts the engine, which removes the folder.
func (s *Subject) scratch() (string, error) {
	eng, err := s.Engine()
	if err != nil {
		return "", err
	}
	return eng.Host.Temp(), nil
}

// Make implements [pkgformat.Maker]. It starts the engine, because only few packages need it to be
// read.
func (s *Subject) Make(ctx context.Context, p *pkgformat.Draft, steps []pkgformat.Step) (map[string]pkgformat.MadeFile, error) {
	eng, err := s.Engine()
	if err != nil {
		return nil, err
	}
	return eng.Make(ctx, p, steps)
}

// Engine returns the engine; the first call starts it. After an error, each call returns this error.
func (s *Subject) Engine() (*engine.Engine, error) {
	if s.Running == nil && s.unstarted == nil {
		s.Running, s.unstarted = s.startEngine()
	}
	return s.Running, s.unstarted
}

func (s *Subject) startEngine() (*engine.Engine, error) {
	eng, err := s.App.NewEngine(s.Repository, s.Config)
	if err != nil {
		return nil, err
	}
	if s.Opening == nil {
		s.Opening = engine.OpenSandbox(s.Config.Mode)
	}
	host, err := s.Opening.Take()
	if err != nil {
		return nil, err
	}
	eng.StartIn(host, s.Slots)
	return eng, nil
}

// CaseData returns the provider of the problem's case data. The engine closes it.
func (s *Subject) CaseData(eng *engine.Engine) *casedata.Provider {
	if s.m == nil {
		s.m = eng.CaseData(s.Problem)
	}
	return s.m
}

// Close closes what the subject has opened, and joins errors to err.
func (s *Subject) Close(err *error) {
	var errs []error
	if s.Running != nil {
		errs = append(errs, s.Running.Close())
	}
	if s.Opening != nil {
		errs = append(errs, s.Opening.Close())
	}
	if s.Pack != nil {
		errs = append(errs, s.Pack.Close())
	}
	if closed := errors.Join(errs...); closed != nil {
		*err = errors.Join(*err, closed)
	}
}

// WithProblem opens a problem, calls work, and closes the problem. If the problem lacks a program
// for one of the roles, WithProblem returns an error of the user.
func (o *App) WithProblem(ctx context.Context, name string, slots int, work func(*engine.Engine, *Subject) error, roles ...problem.Role) (err error) {
	s, err := o.OpenToRun(ctx, name, slots)
	if err != nil {
		return err
	}
	defer s.Close(&err)
	if err := s.Need(roles...); err != nil {
		return Usage(err)
	}
	eng, err := s.Engine()
	if err != nil {
		return err
	}
	return work(eng, s)
}

// Task returns a task with all cases of the problem and without submissions. If the problem has no
// time limit, Task runs the problem's submissions to derive one.
func (s *Subject) Task(ctx context.Context, eng *engine.Engine) (grade.Task, error) {
	set, err := engine.Cases(s.Problem)
	if err != nil {
		return grade.Task{}, err
	}
	t := engine.Task(s.Config, s.Problem)
	t.Cases = set.Cases
	if t.Limits.CPU == 0 {
		t.Limits, err = eng.MeasureLimits(ctx, s.CaseData(eng), t)
	}
	return t, err
}

// maxNotes is the largest number of notes about a package that are printed before a report.
const maxNotes = 10

// PrintNotes prints that the package has no cases but samples, if that is so, and notes about its parts
// that the judge does not know or support.
func (s *Subject) PrintNotes() {
	if s.Missing != nil {
		s.App.Std.Note("note: %v", s.Missing)
	}
	for i, note := range s.Notes {
		if i == maxNotes {
			s.App.Std.Note("and %d more notes (hint: judge verify %s)", len(s.Notes)-i, s.Path)
			break
		}
		s.App.Std.Note("note: %s", note)
	}
}

// IsPackage reports whether an argument names a package rather than a problem of the repository.
// Paths, archives, and folders whose names are not ids of problems are packages.
func (o *App) IsPackage(name string) bool {
	if strings.ContainsRune(name, filepath.Separator) || name == "." || name == ".." || IsPackageFile(name) {
		return true
	}
	info, err := os.Stat(name)
	if err != nil || !info.IsDir() {
		return false
	}
	root, err := o.FindRoot()
	if err != nil {
		return true
	}
	known, err := repo.List(root)
	return err == nil && !slices.Contains(known, name)
}

// IsPackageFile reports whether a name is that of a package which is one file.
func IsPackageFile(name string) bool {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".zip", ".kpp", ".prob":
		return true
	}
	return false
}

// PackageConfig returns the configuration for judging a package. A package needs no repository;
// without one, root is the working folder.
func (o *App) PackageConfig() (root string, c *config.Config, err error) {
	if root, err = o.FindRoot(); err != nil {
		if o.Root != "" {
			return "", nil, err
		}
		root = "."
	}
	c, err = config.Load(root)
	return root, c, err
}

// OpenPackage opens a package and reads its problem. Archives are extracted into folders in scratch.
// The caller closes the package.
func (o *App) OpenPackage(ctx context.Context, path string, scratch func() (string, error), maker pkgformat.Maker) (*pkgformat.Package, *problem.Problem, error) {
	if err := NoPackage(path); err != nil {
		return nil, nil, Usage(err)
	}
	settings := o.Packages
	settings.Scratch, settings.Make = scratch, maker
	pack, err := pkgformat.Open(ctx, path, settings)
	if ctx.Err() != nil {
		return nil, nil, ctx.Err()
	}
	if err != nil {
		return nil, nil, Usage(err)
	}
	p, err := pack.Problem()
	if err != nil {
		return nil, nil, errors.Join(err, pack.Close())
	}
	return pack, p, nil
}

// NoPackage returns an error if the path of a package does not exist.
func NoPackage(path string) error {
	_, err := os.Stat(path)
	if err == nil {
		return nil
	}
	e := yamlstrict.FileError(path, err)
	if errors.Is(err, fs.ErrNotExist) {
		e.Hint = "name a problem by its id, a package by its path"
	}
	return e
}
