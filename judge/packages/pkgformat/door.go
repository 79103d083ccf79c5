package pkgformat

import (
	"os"
	"path/filepath"

	"tribunal/judge/internal/problem"
	"tribunal/judge/packages/classroom"
	"tribunal/judge/packages/cms"
	"tribunal/judge/packages/cph"
	"tribunal/judge/packages/dmoj"
	"tribunal/judge/packages/draft"
	"tribunal/judge/packages/hydro"
	"tribunal/judge/packages/kattis"
	"tribunal/judge/packages/library"
	"tribunal/judge/packages/pairs"
	"tribunal/judge/packages/pisek"
	"tribunal/judge/packages/polygon"
	"tribunal/judge/packages/rbx"
	"tribunal/judge/packages/rime"
	"tribunal/judge/packages/sinol"
	"tribunal/judge/packages/tps"
	"tribunal/judge/packages/tree"
)

// What the other houses need of the rooms behind this door.
type (
	Draft    = draft.Draft
	Family   = draft.Family
	Maker    = draft.Maker
	Step     = draft.Step
	MadeFile = tree.MadeFile
	Dialect  = kattis.Dialect
)

// Package is an open package.
type Package struct{ draft *draft.Draft }

// Problem returns the problem to judge, which is valid until the package is closed. It fails with a
// [*yamlstrict.Error] if the package needs a feature that tribunal does not support.
func (p *Package) Problem() (*problem.Problem, error) { return p.draft.Problem() }

// Draft returns all that is known of the package, for an import.
func (p *Package) Draft() *draft.Draft { return p.draft }

// Close closes the files of the package. It may be called more than once.
func (p *Package) Close() error { return p.draft.Close() }

// Formats that commands treat in a way of their own.
const (
	Pairs  = pairs.Name
	Legacy = kattis.Legacy
	Latest = kattis.Latest
)

// Dialects returns all dialects.
func Dialects() []Dialect { return kattis.Dialects() }

// families lists the families, the most distinctive first. The last one takes every folder.
var families = []*draft.Family{
	&dmoj.Family, &rbx.Family, &tps.Family, &rime.Family, &pisek.Family, &cms.Family, &sinol.Family, &hydro.Family,
	&kattis.Family,
	&polygon.Family, &library.Family, &cph.Family, &classroom.Family, &polygon.Plain, &pairs.Family,
}

// Families returns all kinds of packages that [Open] reads, in the order in which it tries them.
func Families() []*draft.Family { return families }

// Detect returns the first format of the family to which the package in a folder belongs, "kattis" for
// the formats of Kattis; "" if nothing there is distinctive of a family. It looks at the folder alone,
// not at folders that wrap a package. A .prob file is a package, too.
func Detect(folder string) (format string, err error) {
	if filepath.Ext(folder) == cph.Ending {
		if info, err := os.Stat(folder); err != nil || !info.IsDir() {
			return cph.Family.Formats[0].Name, err
		}
	}
	p, err := draft.New(folder, folder, folder, "")
	if err != nil {
		return "", err
	}
	defer p.Close()
	entries, err := p.ListSkipping(".")
	if err != nil {
		return "", err
	}
	list := draft.Listing(entries)
	for _, f := range families[:len(families)-1] {
		is, err := f.Is(p, list)
		switch {
		case err != nil:
			return "", err
		case !is:
		case f == &kattis.Family:
			if list.File(draft.MetadataFile, draft.IniFile) { // any folder may hold data/
				return string(kattis.Kattis), nil
			}
		default:
			return f.Formats[0].Name, nil
		}
	}
	return "", nil
}

// Is reports whether a folder has a mark of a family. Plain pairs of files do not count, because any folder
// could hold them.
func Is(folder string) bool {
	for _, f := range families {
		for _, name := range f.Marks {
			if _, err := os.Stat(filepath.Join(folder, name)); err == nil {
				return true
			}
		}
	}
	return false
}
