// Package pkgformat opens problem packages of any family, or plain pairs of files. Links that lead out of a package
// are followed only below a folder that the user names, and files are only written below the scratch folder given
// to [Open]. Start at families in door.go.
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
	"tribunal/judge/packages/cph"
	"tribunal/judge/packages/draft"
	"tribunal/judge/packages/kattis"
	"tribunal/judge/packages/pairs"
	"tribunal/judge/packages/tree"
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
	Dialect kattis.Dialect
	// Pairs are the names of inputs and their answers in a plain folder, such as {}.in:{}.gold; "" to recognize them.
	Pairs string
	// Make runs the programs of packages that generate their test data. If it is nil, such packages
	// cannot be opened.
	Make draft.Maker
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
	d, err := open(ctx, path, o, archive.Usual())
	if err != nil {
		return nil, err
	}
	return &Package{d}, nil
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

func open(ctx context.Context, name string, o Options, bounds archive.Bounds) (_ *draft.Draft, err error) {
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return nil, yamlstrict.FileError(name, err)
	case !info.IsDir() && !info.Mode().IsRegular():
		return nil, &yamlstrict.Error{File: name, Msg: "neither a folder nor an archive"}
	}
	dir, shown, single := name, name, ""
	if filepath.Ext(name) == cph.Ending && !info.IsDir() {
		dir, single = filepath.Dir(name), filepath.Base(name)
		shown = dir
	} else if !info.IsDir() {
		f, _, err := regular.Open(name)
		if err != nil {
			return nil, yamlstrict.FileError(name, err)
		}
		dir, err = archive.Extract(ctx, name, f, o.Scratch, bounds)
		f.Close()
		if err != nil {
			return nil, err
		}
	}
	p, err := draft.New(name, shown, dir, o.Root)
	if err != nil {
		return nil, err
	}
	err = p.Load(ctx, draft.Loading{Make: o.Make, Extract: func(name string, f *os.File) (string, error) { return archive.Extract(ctx, name, f, o.Scratch, bounds) }, Dialect: o.Dialect, Pairs: o.Pairs}, func() error {
		if err := readAll(p, single); err != nil {
			return err
		}
		return checkDialect(p, o.Dialect)
	})
	if err != nil {
		p.Close()
		return nil, err
	}
	return p, nil
}

// readAll reads the package with the loader of its family. A package without cases is an error.
func readAll(p *draft.Draft, single string) error {
	if single != "" {
		p.Begin(&cph.Family.Formats[0])
		return cph.ReadFile(p, single)
	}
	f, err := &pairs.Family, error(nil)
	if p.AskedPairs == "" {
		f, err = find(p)
	}
	if err != nil {
		return err
	}
	if file, _, err := p.Tree.Kind(pairs.File); err != nil {
		return err
	} else if file && f != &pairs.Family {
		return p.Tree.Errorf(pairs.File, 0, "remove it, or the other", "it is for a plain folder of pairs, but this folder is also a package of %s, which has %s", f.Origin, f.Signs)
	}
	p.Begin(&f.Formats[0])
	if err := f.Read(p); err != nil {
		return err
	}
	if len(p.Cases) == 0 {
		seen := ""
		if f.Formats[0].Name == pairs.Name {
			seen = pairs.Seen(p)
		}
		return p.Tree.Errorf(".", 0, f.Empty, "no cases%s", seen)
	}
	return nil
}

// find detects the family, and descends into the folder of the package if up to two outer folders
// wrap it.
func find(p *draft.Draft) (*draft.Family, error) {
	for level := range 3 {
		list, err := p.ListSkipping(".")
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
		if err := p.Descend(inner); err != nil {
			return nil, err
		}
	}
	panic("unreachable: the last family takes every folder")
}

// onlyFolder returns the only entry of a list if it is a folder that may wrap a package. A folder
// named like a group holds test data instead.
func onlyFolder(list []tree.Entry) (string, bool) {
	if len(list) != 1 || !list[0].Dir || slices.Contains([]string{"sample", "samples", "secret", "tests"}, list[0].Name) {
		return "", false
	}
	return list[0].Name, true
}

// checkDialect returns an error if a dialect is unknown, or if the package is of a family that has
// no dialects.
func checkDialect(p *draft.Draft, given kattis.Dialect) error {
	switch {
	case given == "":
	case !slices.Contains(kattis.Dialects(), given):
		return &yamlstrict.Error{File: p.Path, Msg: fmt.Sprintf("unknown dialect %q", given), Hint: "they are " + strings.Join(kattis.Dialects(), ", ")}
	case p.Dialect == "":
		return &yamlstrict.Error{File: p.Path, Msg: "packages of the format " + p.Format + " have no dialects", Hint: "leave --dialect out"}
	}
	return nil
}
