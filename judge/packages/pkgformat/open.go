package pkgformat

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/regular"
	"tribunal/judge/internal/yamlstrict"
	"tribunal/judge/packages/archive"
)

// Options say how a package is opened.
type Options struct {
	// Scratch returns an existing folder, below which archives are extracted. The caller removes it
	// after the package was closed. It is called only if there is an archive.
	Scratch func() (string, error)
	// Root is a folder around the package, below which symbolic links of the package may lead. If
	// it is "", they may lead only to files of the package. Links of an archive always do.
	Root string
	// Dialect is the judging system whose reading counts where systems differ; "" to detect it.
	Dialect Dialect
	// Make runs the programs of packages that generate their test data. If it is nil, such packages
	// cannot be opened.
	Make Maker
}

// In returns an [Options].Scratch that is the folder dir.
func In(dir string) func() (string, error) { return func() (string, error) { return dir, nil } }

// Open reads the package at path, which is a folder, a .zip or .kpp archive, or a .prob file. An archive is
// extracted into a new folder in o.Scratch, and so is an archive in a package that holds its test
// data. The package may be wrapped in up to two outer folders that hold nothing else.
//
// Open does not read inputs and answers, so its time depends on the number of files, not on their
// sizes. Canceling ctx stops an extraction. Every error is a [*yamlstrict.Error], the context's, or one
// of o.Scratch.
// The caller must close the package.
func Open(ctx context.Context, path string, o Options) (*Package, error) {
	return open(ctx, path, o, archive.Usual())
}

// Read opens a package as Open does, and returns its problem, which can be used until close is called.
func Read(ctx context.Context, path string, o Options) (_ *problem.Problem, close func() error, _ error) {
	p, err := Open(ctx, path, o)
	if err != nil {
		return nil, nil, err
	}
	made, err := p.Problem()
	if err != nil {
		p.Close()
		return nil, nil, err
	}
	return made, p.Close, nil
}

// newPackage returns a package of which nothing is known but its folder.
func newPackage(path, root string) *Package {
	return &Package{filled: problem.Problem{Path: path, Root: root}, shown: root}
}

func open(ctx context.Context, name string, o Options, bounds archive.Bounds) (_ *Package, err error) {
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return nil, yamlstrict.FileError(name, err)
	case !info.IsDir() && !info.Mode().IsRegular():
		return nil, &yamlstrict.Error{File: name, Msg: "neither a folder nor an archive"}
	}
	p := newPackage(name, name)
	p.given = o.Dialect
	if filepath.Ext(name) == cphEnding && !info.IsDir() {
		p.Root, p.single = filepath.Dir(name), filepath.Base(name)
		p.shown = p.Root
	} else if !info.IsDir() {
		f, _, err := regular.Open(name)
		if err != nil {
			return nil, yamlstrict.FileError(name, err)
		}
		p.Root, err = archive.Extract(ctx, name, f, o.Scratch, bounds)
		f.Close()
		if err != nil {
			return nil, err
		}
	}
	if p.files, err = newTree(p.shown, p.Root, o.Root); err != nil {
		return nil, err
	}
	p.files.show = p.Show
	p.files.effort = &effort{ctx, maxEffort}
	if o.Make != nil {
		p.maker = func(steps []Step) (map[string]MadeFile, error) { return o.Make.Make(ctx, p, steps) }
	}
	p.unpacker = func(rel string) error { return p.extract(ctx, rel, o.Scratch, bounds) }
	if err := p.read(); err != nil {
		p.Close()
		return nil, err
	}
	p.maker, p.unpacker, p.files.effort = nil, nil, nil
	return p, nil
}

// extract extracts an archive of the package, whose files then have paths below that of the archive.
func (p *Package) extract(ctx context.Context, rel string, scratch func() (string, error), bounds archive.Bounds) error {
	f, err := p.OpenFile(rel)
	if err != nil {
		return err
	}
	defer f.Close()
	dir, err := archive.Extract(ctx, p.Show(rel), f, scratch, bounds)
	if err != nil {
		return err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return p.files.fail(rel, err)
	}
	if p.files.archives == nil {
		p.files.archives = map[string]*os.Root{}
	}
	p.files.archives[rel] = root
	return nil
}

func (p *Package) read() error {
	if err := p.readAll(); err != nil {
		return err
	}
	if err := p.checkDialect(p.given); err != nil {
		return err
	}
	return p.complete()
}

// readAll reads the package with the loader of its family. A package without cases is an error.
func (p *Package) readAll() error {
	if p.single != "" {
		p.ID = p.name()
		p.begin(&cphFamily.Formats[0])
		return readCPHFile(p, p.single)
	}
	f, err := p.find()
	if err != nil {
		return err
	}
	p.ID = p.name()
	p.begin(&f.Formats[0])
	if err := f.Read(p); err != nil {
		return err
	}
	if len(p.Cases) == 0 {
		return p.files.errorf(".", 0, f.Empty, "no cases")
	}
	return nil
}

// find detects the family, and descends into the folder of the package if up to two outer folders
// wrap it.
func (p *Package) find() (*Family, error) {
	for level := range 3 {
		list, err := p.listSkipping(".")
		if err != nil {
			return nil, err
		}
		inner, wrapped := onlyFolder(list)
		wrapped = wrapped && level < 2
		for i, f := range families {
			if wrapped && i == len(families)-1 {
				break // the folder inside may be of a more distinctive family
			}
			if ok, err := f.Is(p, list); ok || err != nil {
				return f, err
			}
		}
		if err := p.descend(inner); err != nil {
			return nil, err
		}
	}
	panic("unreachable: the last family takes every folder")
}

// onlyFolder returns the only entry of a list if it is a folder that may wrap a package. A folder
// named like a group holds test data instead.
func onlyFolder(list []entry) (string, bool) {
	if len(list) != 1 || !list[0].dir || slices.Contains([]string{"sample", "samples", "secret", "tests"}, list[0].name) {
		return "", false
	}
	return list[0].name, true
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
	p.finishNotes()
	return nil
}

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

// checkDialect returns an error if a dialect is unknown, or if the package is of a family that has
// no dialects.
func (p *Package) checkDialect(given Dialect) error {
	var names []string
	for _, d := range Dialects() {
		names = append(names, string(d))
	}
	switch {
	case given == "":
	case !slices.Contains(Dialects(), given):
		return &yamlstrict.Error{File: p.Path, Msg: fmt.Sprintf("unknown dialect %q", given), Hint: "they are " + strings.Join(names, ", ")}
	case p.Dialect == "":
		return &yamlstrict.Error{File: p.Path, Msg: "packages of the format " + p.Format + " have no dialects", Hint: "leave --dialect out"}
	}
	return nil
}
