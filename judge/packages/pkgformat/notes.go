package pkgformat

import (
	"errors"

	"tribunal/judge/internal/yamlstrict"
)

// note adds a located note.
func (p *Package) note(rel string, line int, format string, args ...any) {
	p.notes.add(p.files.errorf(rel, line, "", format, args...))
}

// noteFile notes that the folder dir holds the file rel of a kind such as "files that are not read".
func (p *Package) noteFile(dir, kind, rel string) { p.notes.addFile(dir, kind, rel) }

// noteSkipped adds a note that name, such as a folder, is not read because of err. It does nothing
// if err is nil.
func (p *Package) noteSkipped(err error, name string) {
	if e, ok := errors.AsType[*yamlstrict.Error](err); ok {
		e.Msg += "; " + name + " is not read"
		p.notes.add(e)
	}
}

// yaml parses a YAML file of the package.
func (p *Package) yaml(rel string, data []byte) (node, error) {
	return parse(p.files, rel, data, &p.notes)
}
