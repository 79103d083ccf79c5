package pkgformat

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/yamlstrict"
)

// newPackage opens the files of the package that the user calls name. They are in the folder dir, which messages
// call shown, and symbolic links may lead to any file below outer; "" means only to files of the package.
func newPackage(name, shown, dir, outer string) (*Package, error) {
	p := &Package{filled: problem.Problem{Path: name, Root: dir}, shown: shown, made: map[string]MadeFile{}}
	var err error
	if p.files, err = newTree(shown, dir, outer); err != nil {
		return nil, err
	}
	p.files.show = p.Show
	return p, nil
}

// loading is what loaders use and the user has chosen.
type loading struct {
	make    Maker                                               // nil if programs cannot be run
	extract func(name string, f *os.File) (dir string, _ error) // extracts an archive
	dialect string                                              // asked for; "" for none
}

// load fills the package by read, which ends with ctx.
func (p *Package) load(ctx context.Context, o loading, read func() error) error {
	p.files.bound(ctx)
	p.given, p.unpack = o.dialect, o.extract
	if o.make != nil {
		p.maker = func(steps []Step) (map[string]MadeFile, error) { return o.make.Make(ctx, p, steps) }
	}
	err := read()
	if err == nil {
		err = p.complete()
	}
	p.maker, p.unpack = nil, nil
	p.files.bound(nil)
	return err
}

// extract extracts an archive of the package, whose files then have paths below that of the archive.
func (p *Package) extract(rel string) error {
	f, err := p.OpenFile(rel)
	if err != nil {
		return err
	}
	defer f.Close()
	dir, err := p.unpack(p.Show(rel), f)
	if err != nil {
		return err
	}
	return p.files.mount(rel, dir)
}

// descend makes a subfolder the folder of the package.
func (p *Package) descend(dir string) error {
	if err := p.files.descend(dir); err != nil {
		return err
	}
	p.shown = p.Show(dir)
	p.Root = filepath.Join(p.Root, dir)
	return nil
}

// complete indexes the cases, falls back to the folder's name for Name and collects the notes. Two
// cases of the same name are an error.
func (p *Package) complete() error {
	p.byName = make(map[string]*Case, len(p.Cases))
	for _, c := range p.Cases {
		if first := p.byName[c.Name]; first != nil {
			return p.files.errorf(c.Input, 0, fmt.Sprintf("the other input is %s", first.Input), "two cases are called %s", c.Name)
		}
		p.byName[c.Name] = c
	}
	p.Missing = p.missing()
	if p.Title == "" {
		p.Title = p.ID
		if p.shown != p.Path { // the archive wraps a folder, whose name is better
			p.Title = filepath.Base(p.Root)
		}
	}
	if n := len(p.made) - p.written; n > 0 {
		p.note(".", 0, "its own programs made %d files of its test data, hash %.10x", n, p.MadeSum())
	}
	p.noteArguments()
	p.Notes, p.notes = p.notes.all(p.files, p.Path), notes{}
	return nil
}

// generatorsFile says how BAPCtools makes test data.
const generatorsFile = "generators/generators.yaml"

// missing returns an error if all cases are samples, and nil if there are others. The hint of the
// error names what seems to make the others.
func (p *Package) missing() *yamlstrict.Error {
	if slices.ContainsFunc(p.Cases, func(c *Case) bool { return !isSample(c.Group) }) {
		return nil
	}
	hint := ""
	for _, rel := range []string{generatorsFile, "data/secret/generator.sh", "data/generator.sh", "generators/generator.sh", "generators", "generator"} {
		if file, dir, err := p.files.kind(rel); err == nil && (file || dir) {
			hint = "make it with " + rel
			if rel == generatorsFile {
				hint = rel + " lists no secret cases"
			}
			break
		}
	}
	return p.files.errorf(".", 0, hint, "secret data is missing: submissions are judged on the samples alone")
}
