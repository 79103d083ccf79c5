package main

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

// startEngine returns an engine that runs up to slots programs at a time; 0 means the number in
// runner.yaml.
func (o *options) startEngine(root string, c *config.Config, slots int) (*engine.Engine, error) {
	eng, err := o.newEngine(root, c)
	if err != nil {
		return nil, err
	}
	return eng, eng.Start(slots)
}

// newEngine returns an engine that shows on standard error what it does. It runs programs only after
// its Start.
func (o *options) newEngine(root string, c *config.Config) (*engine.Engine, error) {
	return engine.New(root, c, engine.Hooks{Note: o.std.note, Announce: o.std.announce})
}

// subject is the problem that a command works on: a problem of the repository or a package.
type subject struct {
	*problem.Problem
	o         *options
	root      string
	config    *config.Config
	slots     int
	opening   *engine.Opening    // the engine's sandbox; nil unless it opens before the engine starts
	eng       *engine.Engine     // nil until engine is called
	unstarted error              // why the engine could not be started
	m         *casedata.Provider // nil until caseData is called
	pack      *pkgformat.Package // nil for a problem of the repository
	lock      *cases.Lock        // nil until the cases are read, and without a lock
}

// open opens a problem by its id in the repository, or a package by its path. slots is the number
// of slots of the engine; 0 means the number in runner.yaml. If open returns an error, the subject
// has no problem and need not be closed.
func (o *options) open(ctx context.Context, name string, slots int) (*subject, error) {
	if o.isPackage(name) {
		return o.openPath(ctx, name, slots)
	}
	s := &subject{o: o, slots: slots}
	return s, s.load(name, false)
}

// openToRun is like open, for commands that run programs unless they fail before. The sandbox opens
// while they read what to run.
func (o *options) openToRun(ctx context.Context, name string, slots int) (*subject, error) {
	if o.isPackage(name) {
		return o.openPath(ctx, name, slots)
	}
	s := &subject{o: o, slots: slots}
	return s, s.load(name, true)
}

// load loads the configuration and a problem of the repository. If only the problem cannot be read,
// the subject has the configuration nevertheless. run is whether to begin to open the sandbox.
func (s *subject) load(id string, run bool) (err error) {
	if s.o.packages.Dialect != "" {
		return usage(fmt.Errorf("--dialect is for packages, and %s is a problem of the repository", id))
	}
	if s.root, err = s.o.findRoot(); err != nil {
		return err
	}
	if s.config, err = config.Load(s.root); err != nil {
		return err
	}
	if run {
		s.opening = engine.OpenSandbox(s.config.Mode)
	}
	if s.Problem, err = repo.Load(s.root, id); err != nil {
		err = usage(err)
		s.close(&err)
	}
	return err
}

// openPath is like open, but name is always the path of a package.
func (o *options) openPath(ctx context.Context, name string, slots int) (s *subject, err error) {
	s = &subject{o: o, slots: slots}
	if s.root, s.config, err = o.packageConfig(); err != nil {
		return s, err
	}
	s.opening = engine.OpenSandbox(s.config.Mode)
	var unread error // reported unless the engine fails too
	s.pack, s.Problem, unread = o.openPackage(ctx, name, s.scratch, s)
	if _, err = s.engine(); err == nil {
		err = unread
	}
	if err != nil {
		s.close(&err)
	}
	return s, err
}

// scratch returns a folder for the files of archives. It starts the engine, which removes the folder.
func (s *subject) scratch() (string, error) {
	eng, err := s.engine()
	if err != nil {
		return "", err
	}
	return eng.Host.Temp(), nil
}

// Make implements [pkgformat.Maker]. It starts the engine, because only few packages need it to be
// read.
func (s *subject) Make(ctx context.Context, p *pkgformat.Package, steps []pkgformat.Step) (map[string]pkgformat.MadeFile, error) {
	eng, err := s.engine()
	if err != nil {
		return nil, err
	}
	return eng.Make(ctx, p, steps)
}

// engine returns the engine; the first call starts it. After an error, each call returns this error.
func (s *subject) engine() (*engine.Engine, error) {
	if s.eng == nil && s.unstarted == nil {
		s.eng, s.unstarted = s.startEngine()
	}
	return s.eng, s.unstarted
}

func (s *subject) startEngine() (*engine.Engine, error) {
	eng, err := s.o.newEngine(s.root, s.config)
	if err != nil {
		return nil, err
	}
	if s.opening == nil {
		s.opening = engine.OpenSandbox(s.config.Mode)
	}
	host, err := s.opening.Take()
	if err != nil {
		return nil, err
	}
	eng.StartIn(host, s.slots)
	return eng, nil
}

// caseData returns the provider of the problem's case data. The engine closes it.
func (s *subject) caseData(eng *engine.Engine) *casedata.Provider {
	if s.m == nil {
		s.m = eng.CaseData(s.Problem)
	}
	return s.m
}

// close closes what the subject has opened, and joins errors to err.
func (s *subject) close(err *error) {
	var errs []error
	if s.eng != nil {
		errs = append(errs, s.eng.Close())
	}
	if s.opening != nil {
		errs = append(errs, s.opening.Close())
	}
	if s.pack != nil {
		errs = append(errs, s.pack.Close())
	}
	if closed := errors.Join(errs...); closed != nil {
		*err = errors.Join(*err, closed)
	}
}

// withProblem opens a problem, calls work, and closes the problem. If the problem lacks a program
// for one of the roles, withProblem returns an error of the user.
func (o *options) withProblem(ctx context.Context, name string, slots int, work func(*engine.Engine, *subject) error, roles ...problem.Role) (err error) {
	s, err := o.openToRun(ctx, name, slots)
	if err != nil {
		return err
	}
	defer s.close(&err)
	if err := s.Need(roles...); err != nil {
		return usage(err)
	}
	eng, err := s.engine()
	if err != nil {
		return err
	}
	return work(eng, s)
}

// task returns a task with all cases of the problem and without submissions. If the problem has no
// time limit, task runs the problem's submissions to derive one.
func (s *subject) task(ctx context.Context, eng *engine.Engine) (grade.Task, error) {
	set, err := engine.Cases(s.Problem)
	if err != nil {
		return grade.Task{}, err
	}
	t := engine.Task(s.config, s.Problem)
	t.Cases = set.Cases
	if t.Limits.CPU == 0 {
		t.Limits, err = eng.MeasureLimits(ctx, s.caseData(eng), t)
	}
	return t, err
}

// maxNotes is the largest number of notes about a package that are printed before a report.
const maxNotes = 10

// notes prints that the package has no cases but samples, if that is so, and notes about its parts
// that the judge does not know or support.
func (s *subject) notes() {
	if s.Missing != nil {
		s.o.std.note("note: %v", s.Missing)
	}
	for i, note := range s.Notes {
		if i == maxNotes {
			s.o.std.note("and %d more notes (hint: judge verify %s)", len(s.Notes)-i, s.Path)
			break
		}
		s.o.std.note("note: %s", note)
	}
}

// isPackage reports whether an argument names a package rather than a problem of the repository.
// Paths, archives, and folders whose names are not ids of problems are packages.
func (o *options) isPackage(name string) bool {
	if strings.ContainsRune(name, filepath.Separator) || name == "." || name == ".." || isPackageFile(name) {
		return true
	}
	info, err := os.Stat(name)
	if err != nil || !info.IsDir() {
		return false
	}
	root, err := o.findRoot()
	if err != nil {
		return true
	}
	known, err := repo.List(root)
	return err == nil && !slices.Contains(known, name)
}

// isPackageFile reports whether a name is that of a package which is one file.
func isPackageFile(name string) bool {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".zip", ".kpp", ".prob":
		return true
	}
	return false
}

// packageConfig returns the configuration for judging a package. A package needs no repository;
// without one, root is the working folder.
func (o *options) packageConfig() (root string, c *config.Config, err error) {
	if root, err = o.findRoot(); err != nil {
		if o.root != "" {
			return "", nil, err
		}
		root = "."
	}
	c, err = config.Load(root)
	return root, c, err
}

// openPackage opens a package and reads its problem. Archives are extracted into folders in scratch.
// The caller closes the package.
func (o *options) openPackage(ctx context.Context, path string, scratch func() (string, error), maker pkgformat.Maker) (*pkgformat.Package, *problem.Problem, error) {
	if err := noPackage(path); err != nil {
		return nil, nil, usage(err)
	}
	settings := o.packages
	settings.Scratch, settings.Make = scratch, maker
	pack, err := pkgformat.Open(ctx, path, settings)
	if ctx.Err() != nil {
		return nil, nil, ctx.Err()
	}
	if err != nil {
		return nil, nil, usage(err)
	}
	p, err := pack.Problem()
	if err != nil {
		return nil, nil, errors.Join(err, pack.Close())
	}
	return pack, p, nil
}

// noPackage returns an error if the path of a package does not exist.
func noPackage(path string) error {
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
