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
	"time"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/calibrate"
	"tribunal/judge/internal/casedata"
	"tribunal/judge/internal/config"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/pkgformat"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/repo"
	"tribunal/judge/internal/run"
	"tribunal/judge/internal/yamlstrict"
)

// subject is a problem that a command works on: one of the repository, or a package.
type subject struct {
	*problem.Problem
	o      *options
	root   string
	config *config.Config
	slots  int
	b      *bench             // nil until bench
	m      *casedata.Provider // nil until caseData
	pack   *pkgformat.Package // nil if it is none
}

// open opens the problem that a name is for: the path of a package, or an id of the
// repository. The bench gets so many slots, 0 for those of runner.yaml. An error comes with
// what is known without the problem, which need not be closed.
func (o *options) open(ctx context.Context, name string, slots int) (s *subject, err error) {
	if o.isPackage(name) {
		return o.openPath(ctx, name, slots)
	}
	s = &subject{o: o, slots: slots}
	s.root, s.config, s.Problem, err = o.load(name)
	return s, err
}

// openPath is open for the path of a package, whatever problems there are.
func (o *options) openPath(ctx context.Context, name string, slots int) (s *subject, err error) {
	s = &subject{o: o, slots: slots}
	if s.root, s.config, err = o.machine(); err != nil {
		return s, err
	}
	b, err := s.bench()
	if err != nil {
		return s, err
	}
	if s.pack, s.Problem, err = b.openPackage(ctx, name); err != nil {
		return s, errors.Join(err, b.close())
	}
	return s, nil
}

// bench opens the bench, if it has not been done.
func (s *subject) bench() (_ *bench, err error) {
	if s.b == nil {
		s.b, err = s.o.openBench(s.root, s.config, s.slots)
	}
	return s.b, err
}

// caseData returns the provider of the problem's case data. The bench closes it.
func (s *subject) caseData(b *bench) *casedata.Provider {
	if s.m == nil {
		s.m = b.caseData(s.Problem)
	}
	return s.m
}

// close lets go of everything, and adds what goes wrong with that to err.
func (s *subject) close(err *error) {
	if s.b != nil {
		*err = errors.Join(*err, s.b.close())
	}
	if s.pack != nil {
		*err = errors.Join(*err, s.pack.Close())
	}
}

// on opens a problem, has something done with it on a bench, and closes it. It must have
// programs for these roles.
func (o *options) on(ctx context.Context, name string, slots int, work func(*bench, *subject) error, roles ...problem.Role) (err error) {
	s, err := o.open(ctx, name, slots)
	if err != nil {
		return err
	}
	defer s.close(&err)
	if err := s.Need(roles...); err != nil {
		return usage(err)
	}
	b, err := s.bench()
	if err != nil {
		return err
	}
	return work(b, s)
}

// task returns what to judge of the problem, all cases of it, without submissions. The time
// limit may have to be looked for.
func (s *subject) task(ctx context.Context, b *bench) (grade.Task, error) {
	set, err := s.Cases()
	if err == nil {
		err = set.Missing()
	}
	if err != nil {
		return grade.Task{}, err
	}
	t := task(s.config, s.Problem)
	t.Cases = set.Cases
	if t.Limits.CPU == 0 {
		t.Limits, err = s.timed(ctx, b, t)
	}
	return t, err
}

// timed returns the limits of a problem whose time limit follows from its submissions, and
// says so.
func (s *subject) timed(ctx context.Context, b *bench, t grade.Task) (limits.Limits, error) {
	defer s.o.std.doing("looking for the time limit, which follows from the package's submissions")()
	j := b.judge(s.caseData(b))
	j.Memo = run.NewMemo(b.cache, b.pool.Facts().Mechanisms)
	l, from, err := b.timed(ctx, j, t)
	if err == nil {
		s.o.std.note("note: time limit %v, %s", l.CPU, from)
	}
	return l, err
}

// timed returns the complete limits of a task's problem. That of time, if the problem gives
// none, is looked for: it follows from the submissions, and from says so. That nothing tells is
// the user's error.
func (b *bench) timed(ctx context.Context, j *grade.Judge, t grade.Task) (l limits.Limits, from string, err error) {
	p := t.Problem
	if l = p.Limits; l.CPU > 0 {
		return complete(b.config, l), "", nil
	}
	l.CPU = calibrate.Longest
	t.Limits = complete(b.config, l)
	slowest, err := calibrate.Slowest(ctx, j, t)
	switch {
	case err == nil:
		l.CPU = p.Time.Derive(slowest)
		from = fmt.Sprintf("from the slowest accepted run of %v", slowest.Round(time.Millisecond))
	case errors.Is(err, calibrate.ErrNoLimit) && p.Time.Fallback > 0:
		l.CPU = p.Time.Fallback
		from = "since a plain folder gives none (hint: --limits cpu=1s)"
	case errors.Is(err, calibrate.ErrNoLimit):
		return l, "", usage(fmt.Errorf("%s: %w (hint: --limits cpu=1s)", p.Path, err))
	default:
		return l, "", err
	}
	return complete(b.config, l), from, nil
}

// programs builds those of the problem's programs without which nothing can be judged. That
// one does not compile is told with the words of its compiler.
func (s *subject) programs(ctx context.Context, b *bench) error {
	var paths []string
	if v := s.Validator; v != nil && v.Always {
		for ; v != nil; v = v.Then {
			paths = append(paths, v.Program)
		}
	}
	if s.Grader != nil {
		paths = append(paths, s.Grader.Program)
	}
	for _, path := range paths {
		_, err := s.caseData(b).Program(ctx, path)
		if compile, ok := errors.AsType[*build.CompileError](err); ok {
			return usage(&wordyError{s.Show(path) + ": does not compile", compile.Output})
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// maxNotes is how many notes about a package stand before a report.
const maxNotes = 10

// notes tells what of a package is not known or not supported.
func (s *subject) notes() {
	for i, note := range s.Notes {
		if i == maxNotes {
			s.o.std.note("and %d notes more (hint: judge verify %s)", len(s.Notes)-i, s.Path)
			break
		}
		s.o.std.note("note: %s", note)
	}
}

// isPackage reports whether an argument names a problem package rather than a problem
// of the repository: a path, an archive, or a folder that no problem is called like.
func (o *options) isPackage(name string) bool {
	if strings.ContainsRune(name, filepath.Separator) || name == "." || name == ".." || isArchive(name) {
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

func isArchive(name string) bool {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".zip", ".kpp":
		return true
	}
	return false
}

// machine returns the settings of this machine for packages, which need no repository.
func (o *options) machine() (root string, c *config.Config, err error) {
	if root, err = o.findRoot(); err != nil {
		if o.root != "" {
			return "", nil, err
		}
		root = "."
	}
	c, err = config.Load(root)
	return root, c, err
}

// openPackage opens a package, which the caller closes.
func (b *bench) openPackage(ctx context.Context, path string) (*pkgformat.Package, *problem.Problem, error) {
	if err := noPackage(path); err != nil {
		return nil, nil, usage(err)
	}
	pack, err := pkgformat.Open(ctx, path, b.host.Temp())
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

// noPackage says that nothing is at the path of a package; nil if something is.
func noPackage(path string) error {
	_, err := os.Stat(path)
	if err == nil {
		return nil
	}
	e := yamlstrict.FileError(path, err)
	if errors.Is(err, fs.ErrNotExist) {
		e.Hint = "a problem is called by its id, a package by its path"
	}
	return e
}
