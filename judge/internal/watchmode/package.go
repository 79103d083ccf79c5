package watchmode

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/repo"
)

// load reads a problem from its files. The problem can be used until close is called.
func (o *Options) load(ctx context.Context, id string) (_ *problem.Problem, close func() error, _ error) {
	if o.Package == "" {
		p, err := repo.Load(o.Root, id)
		return p, func() error { return nil }, err
	}
	return o.Read(ctx, o.Package)
}

// packageLayout is the layout of a package in a folder.
type packageLayout struct {
	folder, id string
	read       Reader
	machine    string // path of runner.yaml
	submission watchedSubmission

	// As last read without an error:
	root      string   // the root of the package, in folder
	own       []string // paths of the package's submissions, below root
	reference string   // path of the reference, below root
}

func (l *packageLayout) roots() []string   { return []string{l.folder, l.machine} }
func (l *packageLayout) outside() []string { return nil }

// readSources reads the list of submissions.
func (l *packageLayout) readSources([]string, map[string]build.Language) {
	p, done, err := l.read(context.Background(), l.folder)
	if err != nil {
		return
	}
	defer done()
	l.root, l.own, l.reference = p.Root, nil, filepath.FromSlash(p.Reference)
	for _, s := range p.Submissions {
		l.own = append(l.own, filepath.FromSlash(s.Path))
	}
}

func (l *packageLayout) Affects(path string) []Effect {
	list := l.submission.affects(path)
	if path == l.machine {
		return append(list, Effect{Part: Machine})
	}
	rel, err := filepath.Rel(l.root, path)
	if err != nil || !filepath.IsLocal(rel) || hidden(filepath.Dir(rel)) || repo.Ignored(filepath.Base(rel)) && rel != problem.TimeLimitFile {
		return list
	}
	for _, own := range l.own {
		switch {
		case rel != own && !below(rel, own):
		case own == l.reference:
			return append(list, Effect{Problem: l.id, Part: Solver})
		default:
			return append(list, Effect{Problem: l.id, Part: Examples, Name: own})
		}
	}
	if below(rel, "submissions") { // a file that belongs to no submission
		return list
	}
	return append(list, Effect{Problem: l.id, Part: Statement})
}

// hidden reports whether the name of a folder, or of one above it, begins with a dot.
func hidden(folder string) bool {
	return slices.ContainsFunc(strings.Split(folder, string(filepath.Separator)), func(name string) bool {
		return len(name) > 1 && name[0] == '.'
	})
}
