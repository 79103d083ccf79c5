package pkgformat

import (
	"os"
	"path/filepath"
)

// families lists the families, the most distinctive first. The last one takes every folder.
var families = []*Family{
	&dmojFamily, &rbxFamily, &tpsFamily, &rimeFamily, &pisekFamily, &cmsFamily, &sinolFamily, &kattisFamily,
	&polygonFamily, &libraryFamily, &cphFamily, &numberedFamily, &pairsFamily,
}

// Families returns all kinds of packages that [Open] reads, in the order in which it tries them.
func Families() []*Family { return families }

// Detect returns the first format of the family to which the package in a folder belongs, "kattis" for
// the formats of Kattis; "" if nothing there is distinctive of a family. It looks at the folder alone,
// not at folders that wrap a package. A .prob file is a package, too.
func Detect(folder string) (format string, err error) {
	if filepath.Ext(folder) == cphEnding {
		if info, err := os.Stat(folder); err != nil || !info.IsDir() {
			return cphFamily.Formats[0].Name, err
		}
	}
	p, err := newPackage(folder, folder, folder, "")
	if err != nil {
		return "", err
	}
	defer p.Close()
	entries, err := p.listSkipping(".")
	if err != nil {
		return "", err
	}
	list := listing(entries)
	for _, f := range families[:len(families)-1] {
		is, err := f.Is(p, list)
		switch {
		case err != nil:
			return "", err
		case !is:
		case f == &kattisFamily:
			if list.file(metadataFile, iniFile) { // any folder may hold data/
				return string(Kattis), nil
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
