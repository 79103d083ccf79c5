package pkgformat

import (
	"errors"
	"fmt"
	"slices"

	"tribunal/judge/internal/quote"
	"tribunal/judge/internal/yamlstrict"
)

// maxNotes bounds the notes that a package keeps, so that the list stays readable.
const maxNotes = 1000

// notes collects the notes about a package while it is read.
type notes struct {
	list []string
	more int // number of notes beyond maxNotes, which are dropped

	files []fileNote
	index map[[2]string]int // indices in files, by folder and kind
}

// fileNote is one note for all files of a kind in a folder.
type fileNote struct {
	dir, kind, first string
	count            int
}

func (n *notes) add(e *yamlstrict.Error) {
	if len(n.list) == maxNotes {
		n.more++
		return
	}
	n.list = append(n.list, e.Error())
}

// note adds a located note.
func (p *Package) note(rel string, line int, format string, args ...any) {
	p.notes.add(p.files.errorf(rel, line, "", format, args...))
}

// noteFile notes that the folder dir holds the file rel of a kind such as "files that are not
// read". All files of a kind in a folder share one note.
func (p *Package) noteFile(dir, kind, rel string) {
	n := &p.notes
	if n.index == nil {
		n.index = map[[2]string]int{}
	}
	if i, ok := n.index[[2]string{dir, kind}]; ok {
		n.files[i].count++
		return
	}
	if len(n.files) == maxNotes {
		n.more++
		return
	}
	n.index[[2]string{dir, kind}] = len(n.files)
	n.files = append(n.files, fileNote{dir, kind, rel, 1})
}

// finishNotes sets Notes to all notes so far.
func (p *Package) finishNotes() {
	n := &p.notes
	for _, f := range n.files {
		rest := ""
		if f.count > 1 {
			rest = fmt.Sprintf(" and %d more", f.count-1)
		}
		p.note(f.dir, 0, "%s: %s%s", f.kind, quote.Name(f.first), rest)
	}
	p.Notes = slices.Clip(n.list)
	if n.more > 0 {
		p.Notes = append(p.Notes, fmt.Sprintf("%s: %d more notes", p.Path, n.more))
	}
	p.notes = notes{}
}

// noteSkipped adds a note that name, such as a folder, is not read because of err. It does nothing
// if err is nil.
func (p *Package) noteSkipped(err error, name string) {
	if e, ok := errors.AsType[*yamlstrict.Error](err); ok {
		e.Msg += "; " + name + " is not read"
		p.notes.add(e)
	}
}
