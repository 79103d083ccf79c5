package kattis

// Open reads the package at path: a folder, or a .zip or .kpp archive of one, which
// is extracted into a new folder below scratch. What is there already is left alone,
// and removing what was extracted is left to the caller, who owns scratch.
//
// No file of a case is read: opening takes time for each file, not for its size.
// Every failure is a [*yamlstrict.Error]. The package must be closed.
func Open(path, scratch string) (*Package, error) {
	panic("not yet")
}
