package pkgformat

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/regular"
	"tribunal/judge/internal/yamlstrict"
)

// Open reads the package at path, which is a folder or a .zip or .kpp archive. An archive is
// extracted into a new folder below scratch; the caller owns scratch and removes the folder. The
// package may be wrapped in up to two outer folders that hold nothing else.
//
// Open does not read inputs and answers, so its time depends on the number of files, not on their
// sizes. Canceling ctx stops an extraction. Every error is a [*yamlstrict.Error], or the context's.
// The caller must close the package.
func Open(ctx context.Context, path, scratch string) (*Package, error) {
	return open(ctx, path, scratch, defaultBounds)
}

func open(ctx context.Context, name, scratch string, bounds zipBounds) (_ *Package, err error) {
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return nil, yamlstrict.FileError(name, err)
	case !info.IsDir() && !info.Mode().IsRegular():
		return nil, &yamlstrict.Error{File: name, Msg: "neither a folder nor an archive"}
	}
	p := &Package{Path: name, Dir: name, shown: name}
	if !info.IsDir() {
		if p.Dir, err = extractInto(ctx, name, scratch, bounds); err != nil {
			return nil, err
		}
	}
	root, err := os.OpenRoot(p.Dir)
	if err != nil {
		return nil, yamlstrict.FileError(name, err)
	}
	p.files = &tree{root: root, show: p.Show, left: maxEntries}
	if err := p.read(); err != nil {
		p.Close()
		return nil, err
	}
	return p, nil
}

// Is reports whether a folder looks like a package of a Kattis format or has Polygon's problem.xml.
// Plain pairs of files do not count, because any folder could hold them.
func Is(folder string) bool {
	for _, name := range []string{metadataFile, iniFile, polygonFile, "data"} {
		if _, err := os.Stat(filepath.Join(folder, name)); err == nil {
			return true
		}
	}
	return false
}

func (p *Package) read() error {
	read, err := p.find()
	if err != nil {
		return err
	}
	if err := read(); err != nil {
		return err
	}
	return p.complete()
}

// find detects the format and returns the function that reads it. It descends into the folder of
// the package if outer folders wrap it.
func (p *Package) find() (read func() error, err error) {
	for range 3 {
		list, err := p.listSkipping(".")
		if err != nil {
			return nil, err
		}
		has := func(dir bool, names ...string) bool {
			return slices.ContainsFunc(list, func(e entry) bool { return e.dir == dir && slices.Contains(names, e.name) })
		}
		switch {
		case has(false, metadataFile, iniFile) || has(true, "data"):
			return p.readKattis, nil
		case has(false, polygonFile):
			return p.readPolygon, nil
		case has(true, "tests"):
			if ok, err := p.hasNumbered(); ok || err != nil {
				return p.readNumbered, err
			}
		}
		inner, ok := onlyFolder(list)
		if !ok {
			break
		}
		if err := p.descend(inner); err != nil {
			return nil, err
		}
	}
	return p.readPairs, nil
}

// onlyFolder returns the only entry of a list if it is a folder that may wrap a package. A folder
// named like a group holds test data instead.
func onlyFolder(list []entry) (string, bool) {
	list = slices.DeleteFunc(list, func(e entry) bool { return e.name == "__MACOSX" })
	if len(list) != 1 || !list[0].dir || slices.Contains([]string{"sample", "secret", "tests"}, list[0].name) {
		return "", false
	}
	return list[0].name, true
}

// descend makes a subfolder the folder of the package.
func (p *Package) descend(dir string) error {
	folder, _, err := regular.OpenIn(p.files.root, dir)
	if err != nil {
		return p.files.fail(dir, err)
	}
	defer folder.Close()
	root, err := regular.Root(folder)
	if err != nil {
		return p.files.fail(dir, err)
	}
	err = p.files.root.Close()
	p.files.root = root
	p.shown = p.Show(dir)
	p.Dir = filepath.Join(p.Dir, dir)
	if err != nil {
		return p.files.fail(".", err)
	}
	return nil
}

// listSkipping lists a folder. It skips bad entries, such as broken symbolic links, with a note.
func (p *Package) listSkipping(dir string) ([]entry, error) {
	return p.files.listOr(dir, func(err error) error {
		if e, ok := errors.AsType[*yamlstrict.Error](err); ok {
			p.notes.add(e)
		}
		return nil
	})
}

// readKattis reads the Kattis formats, which have problem.yaml and data/.
func (p *Package) readKattis() error {
	m, err := p.readMetadata()
	if err != nil {
		return err
	}
	p.InputProtocol = problem.ICPC
	for _, read := range []func() error{
		p.readTiming, p.checkNames, p.readStatements,
		func() error { return p.readPrograms(m) },
		func() error { return p.readData(m) },
		p.readSubmissions,
	} {
		if err := read(); err != nil {
			return err
		}
	}
	return nil
}

// complete indexes the cases, falls back to the folder's name for Name and collects the notes. A
// package without cases is an error, and so are two cases of the same name.
func (p *Package) complete() error {
	if len(p.Cases) == 0 {
		return p.files.errorf(".", 0, "a package needs data/secret/*.in, tests/01 or *.in, each with its answer", "no cases")
	}
	p.byName = make(map[string]*Case, len(p.Cases))
	for _, c := range p.Cases {
		if first := p.byName[c.Name]; first != nil {
			return p.files.errorf(c.Input, 0, fmt.Sprintf("the other input is %s", first.Input), "two cases are called %s", c.Name)
		}
		p.byName[c.Name] = c
	}
	if p.Name == "" {
		p.Name = p.ID()
		if p.shown != p.Path { // the archive wraps a folder, whose name is better
			p.Name = filepath.Base(p.Dir)
		}
	}
	p.noteArguments()
	p.finishNotes()
	return nil
}
