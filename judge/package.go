package main

import (
	"cmp"
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
	"tribunal/judge/internal/bundle"
	"tribunal/judge/internal/config"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/pkgformat"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/run"
	"tribunal/judge/internal/verify"
	"tribunal/judge/internal/yamlstrict"
)

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
	known, err := problem.List(root)
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

// withPackage is openPackage for those who judge on it.
func (b *bench) withPackage(ctx context.Context, path string, do func(*bundle.Bundle) error) error {
	return b.openPackage(ctx, path, func(p *bundle.Bundle) error {
		err := p.Build(ctx)
		if compile, ok := errors.AsType[*build.CompileError](err); ok {
			name, _, _ := strings.Cut(err.Error(), ": ")
			return usage(&wordyError{name + ": does not compile", compile.Output})
		}
		if err != nil {
			return err
		}
		return do(p)
	})
}

// openPackage opens a package on a bench, and closes it when it has been worked with.
func (b *bench) openPackage(ctx context.Context, path string, do func(*bundle.Bundle) error) error {
	p, err := pkgformat.Open(ctx, path, b.host.Temp())
	if located, ok := errors.AsType[*yamlstrict.Error](err); ok && located.Hint == "" && errors.Is(err, fs.ErrNotExist) {
		located.Hint = "a problem is called by its id, a package by its path"
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		return usage(err)
	}
	defer p.Close()
	parcel, err := bundle.Open(p, b.builder, b.config.Diff)
	if err != nil {
		return err
	}
	return errors.Join(do(parcel), parcel.Close())
}

// complete fills in what a package leaves to the machine.
func (b *bench) complete(l limits.Limits) limits.Limits {
	if l.Wall == 0 {
		l.Wall = wall(b.config, l)
	}
	if l.Processes == 0 {
		l.Processes = limits.Processes
	}
	return l
}

// judgePackage returns the judge of a package.
func (b *bench) judgePackage(memo *run.Memo) *grade.Judge {
	return &grade.Judge{Host: b.host, Pool: b.pool, Builder: b.builder, Memo: memo}
}

// maxNotes is how many notes about a package stand before a report.
const maxNotes = 10

func (g *gradeOptions) runPackage(ctx context.Context, path string, names []string) error {
	if g.exact {
		return usage(errors.New("--exact is for problems of the repository (hint: a package says itself how outputs are judged)"))
	}
	root, c, err := g.machine()
	if err != nil {
		return err
	}
	opened := false
	err = g.onBench(root, c, func(b *bench) error {
		return b.withPackage(ctx, path, func(p *bundle.Bundle) error {
			opened = true
			g.notes(p)
			submissions, err := g.openBy(ctx, names, c.Build.Languages, g.opener(p))
			if err != nil {
				return err
			}
			l, err := g.limitsOf(ctx, b, p)
			if err != nil {
				return err
			}
			task := p.Task(l)
			task.Submissions = submissions
			if task.Cases, err = g.chosen(task.Cases); err != nil {
				return err
			}
			if len(g.globs) > 0 {
				task.Points = nil // some cases have no sum
			}
			if len(task.Cases) == 0 {
				return usage(fmt.Errorf("%s: no cases", path))
			}
			if err := g.mayKeep(&task, task.Problem); err != nil {
				return err
			}
			if p.Interactive && task.Keep != "" {
				task.Transcript = transcript
			}
			held, err := g.promises(p, names, &task)
			if err != nil {
				return err
			}
			return g.judge(ctx, b, b.judgePackage(nil), task, held)
		})
	})
	if _, asked := errors.AsType[usageError](err); asked && !opened {
		return g.andSubmissions(ctx, err, c, names)
	}
	return err
}

// opener reads submissions to a package. Its own are no contestant's.
func (g *gradeOptions) opener(p *bundle.Bundle) opener {
	return opener{
		source: func(name, language string) (*build.Source, error) {
			return build.HandedIn(name, func() (*build.Source, error) { return p.Submission(name, language) })
		},
		take:     p.Take,
		promised: func(name string) bool { return promised(p, name) },
	}
}

// notes tells what of a package is not known or not supported.
func (g *gradeOptions) notes(p *bundle.Bundle) {
	for i, note := range p.Notes {
		if i == maxNotes {
			g.std.note("and %d notes more (hint: judge verify %s)", len(p.Notes)-i, p.Path)
			break
		}
		g.std.note("note: %s", note)
	}
}

// plainCPU is the time limit of a plain folder of inputs and answers.
const plainCPU = 10 * time.Second

// limitsOf returns the limits of a package: its own, those of --limits, and, if neither
// has one, the time limit that follows from its submissions.
func (g *gradeOptions) limitsOf(ctx context.Context, b *bench, p *bundle.Bundle) (limits.Limits, error) {
	given := p.Given()
	if given.CPU == 0 && !strings.Contains(g.limits, "cpu=") {
		note := time.AfterFunc(patience, func() {
			g.std.note("looking for the time limit, which follows from the package's submissions")
		})
		defer note.Stop()
		j := b.judgePackage(run.NewMemo(b.cache, b.host.Mechanisms()))
		slowest, err := p.Slowest(ctx, j, b.complete)
		switch {
		case err == nil:
			given.CPU = p.Derive(slowest)
			g.std.note("note: time limit %v, from the slowest accepted run of %v", given.CPU, slowest.Round(time.Millisecond))
		case errors.Is(err, bundle.ErrNoLimit) && p.Format == pkgformat.Pairs:
			given.CPU = plainCPU
			g.std.note("note: time limit %v, since a plain folder gives none (hint: --limits cpu=1s)", given.CPU)
		case errors.Is(err, bundle.ErrNoLimit):
			return given, usage(fmt.Errorf("%s: %w (hint: --limits cpu=1s)", p.Path, err))
		default:
			return given, err
		}
	}
	return g.override(b.config, b.complete(given))
}

// runPackages checks packages.
func (v *verifyOptions) runPackages(ctx context.Context, paths []string) (err error) {
	if len(v.only) > 0 {
		return usage(errors.New("--only is for problems of the repository (hint: packages are checked as a whole)"))
	}
	root, c, err := v.machine()
	if err != nil {
		return err
	}
	b, err := v.openBench(root, c, v.slots)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.close()) }()
	b.builder.RememberRefusals(v.fresh)
	memo := run.NewMemo(b.cache, b.host.Mechanisms())
	memo.Fresh, memo.Confirm = v.fresh, true
	all := &verify.Report{}
	stage, stop := v.stages()
	defer stop()
	var wrong []error // of the user, told together
	for _, path := range paths {
		if _, err := os.Stat(path); err != nil {
			wrong = append(wrong, b.openPackage(ctx, path, nil)) // which says so
		}
	}
	if err := together(wrong); err != nil {
		return err
	}
	for _, path := range paths {
		err := b.openPackage(ctx, path, func(p *bundle.Bundle) error {
			r, err := verify.Package(ctx, p, b.judgePackage(memo), b.complete, func(check string) { stage(path, check) })
			if err == nil {
				all.Add(r)
			}
			return err
		})
		if _, ok := errors.AsType[usageError](err); ok && ctx.Err() == nil {
			wrong = append(wrong, err) // a package that cannot be read; the others are checked
			continue
		}
		if err != nil {
			return err
		}
	}
	if len(wrong) == len(paths) {
		return together(wrong)
	}
	told := v.tell(all)
	return cmp.Or(together(wrong), told)
}

var errMixed = errors.New("problems of the repository and packages together (hint: one kind at a time)")

// arePackages reports whether arguments name packages; they may not be mixed with
// problems.
func (o *options) arePackages(names []string) (bool, error) {
	n := 0
	for _, name := range names {
		// What does not exist is a misspelt problem, unless it is a path.
		if o.isPackage(name) {
			n++
		}
	}
	if n > 0 && n < len(names) {
		return false, usage(errMixed)
	}
	return n > 0, nil
}
