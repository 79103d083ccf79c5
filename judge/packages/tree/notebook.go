package tree

import (
	"fmt"
	"slices"

	"tribunal/judge/internal/quote"
	"tribunal/judge/internal/yamlstrict"
)

// maxNotes bounds the notes that a package keeps, so that the list stays readable.
const maxNotes = 1000

// Notes collects the notes about a package while it is read.
type Notes struct {
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

// Add adds a note.
func (n *Notes) Add(e *yamlstrict.Error) {
	if len(n.list) == maxNotes {
		n.more++
		return
	}
	n.list = append(n.list, e.Error())
}

// AddFile notes that the folder dir holds the file rel of a kind such as "files that are not read". All files
// of a kind in a folder share one note.
func (n *Notes) AddFile(dir, kind, rel string) {
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

// All returns all notes about the package of that name, whose files are those of t.
func (n *Notes) All(t *Tree, name string) []string {
	for _, f := range n.files {
		rest := ""
		if f.count > 1 {
			rest = fmt.Sprintf(" and %d more", f.count-1)
		}
		n.Add(t.Errorf(f.dir, 0, "", "%s: %s%s", f.kind, quote.Name(f.first), rest))
	}
	list := slices.Clip(n.list)
	if n.more > 0 {
		list = append(list, fmt.Sprintf("%s: %d more notes", name, n.more))
	}
	return list
}
