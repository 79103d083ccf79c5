package draft

import (
	"errors"

	"tribunal/judge/internal/yamlstrict"
	"tribunal/judge/packages/yamlloose"
)

// Note adds a located note.
func (p *Draft) Note(rel string, line int, format string, args ...any) {
	p.Notebook.Add(p.Tree.Errorf(rel, line, "", format, args...))
}

// NoteFile notes that the folder dir holds the file rel of a kind such as "files that are not read".
func (p *Draft) NoteFile(dir, kind, rel string) { p.Notebook.AddFile(dir, kind, rel) }

// NoteSkipped adds a note that name, such as a folder, is not read because of err. It does nothing
// if err is nil.
func (p *Draft) NoteSkipped(err error, name string) {
	if e, ok := errors.AsType[*yamlstrict.Error](err); ok {
		e.Msg += "; " + name + " is not read"
		p.Notebook.Add(e)
	}
}

// Yaml parses a YAML file of the package.
func (p *Draft) Yaml(rel string, data []byte) (yamlloose.Node, error) {
	return yamlloose.Parse(p.Tree, rel, data, &p.Notebook)
}
