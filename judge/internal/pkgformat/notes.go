package pkgformat

import (
	"fmt"
	"slices"

	"tribunal/judge/internal/yamlstrict"
)

// maxNotes bounds the notes that a package keeps, so that the list stays readable.
const maxNotes = 1000

// notes collects the notes about a package while it is read.
type notes struct {
	list []string
	more int // notes beyond maxNotes, which are only counted
	odds []oddity
	at   map[[2]string]int // index in odds, by folder and kind
}

// oddity is one note for all files of a kind in a folder.
type oddity struct {
	dir, what, first string
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

// odd notes a file of some kind. All files of that kind in the folder share one note.
func (p *Package) odd(dir, what, rel string) {
	n := &p.notes
	if n.at == nil {
		n.at = map[[2]string]int{}
	}
	if i, ok := n.at[[2]string{dir, what}]; ok {
		n.odds[i].count++
		return
	}
	if len(n.odds) == maxNotes {
		n.more++
		return
	}
	n.at[[2]string{dir, what}] = len(n.odds)
	n.odds = append(n.odds, oddity{dir, what, rel, 1})
}

// tell sets Notes to all notes so far.
func (p *Package) tell() {
	n := &p.notes
	for _, o := range n.odds {
		rest := ""
		if o.count > 1 {
			rest = fmt.Sprintf(" and %d more", o.count-1)
		}
		p.note(o.dir, 0, "%s: %s%s", o.what, show(o.first), rest)
	}
	p.Notes = slices.Clip(n.list)
	if n.more > 0 {
		p.Notes = append(p.Notes, fmt.Sprintf("%s: %d notes more", p.Path, n.more))
	}
	p.notes = notes{}
}
