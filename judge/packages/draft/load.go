package draft

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/yamlstrict"
	"tribunal/judge/packages/tree"
	"tribunal/judge/packages/yamlloose"
)

// New opens the files of the package that the user calls name. They are in the folder dir, which messages
// call shown, and symbolic links may lead to any file below outer; "" means only to files of the package.
func New(name, shown, dir, outer string) (*Draft, error) {
	p := &Draft{filled: problem.Problem{Path: name, Root: dir}, shown: shown, MadeFiles: map[string]tree.MadeFile{}}
	var err error
	if p.Tree, err = tree.Open(shown, dir, outer); err != nil {
		return nil, err
	}
	p.Tree.Show = p.Show
	return p, nil
}

// Loading is what loaders use and the user has chosen.
type Loading struct {
	Make    Maker                                               // nil if programs cannot be run
	Extract func(name string, f *os.File) (dir string, _ error) // extracts an archive
	Dialect string                                              // asked for; "" for none
	Pairs   string                                              // the names of inputs and answers, if the user has said them
}

// Load fills the package by read, which ends with ctx.
func (p *Draft) Load(ctx context.Context, o Loading, read func() error) error {
	defer p.Tree.Bound(ctx)()
	p.AskedDialect, p.AskedPairs, p.unpack = o.Dialect, o.Pairs, o.Extract
	if o.Make != nil {
		p.maker = func(steps []Step) (map[string]tree.MadeFile, error) { return o.Make.Make(ctx, p, steps) }
	}
	err := read()
	if err == nil {
		err = p.complete()
	}
	p.maker, p.unpack = nil, nil
	return err
}

// Extract extracts an archive of the package, whose files then have paths below that of the archive.
func (p *Draft) Extract(rel string) error {
	f, err := p.OpenFile(rel)
	if err != nil {
		return err
	}
	defer f.Close()
	dir, err := p.unpack(p.Show(rel), f)
	if err != nil {
		return err
	}
	return p.Tree.Mount(rel, dir)
}

// Descend makes a subfolder the folder of the package.
func (p *Draft) Descend(dir string) error {
	if err := p.Tree.Descend(dir); err != nil {
		return err
	}
	p.shown = p.Show(dir)
	p.Root = filepath.Join(p.Root, dir)
	return nil
}

// complete falls back to the folder's name for Name and collects the notes. Two
// cases of the same name are an error.
func (p *Draft) complete() error {
	byName := make(map[string]*Case, len(p.Cases))
	for _, c := range p.Cases {
		if first := byName[c.Name]; first != nil {
			return p.Tree.Errorf(c.Input, 0, fmt.Sprintf("the other input is %s", first.Input), "two cases are called %s", c.Name)
		}
		byName[c.Name] = c
	}
	p.Missing = p.missing()
	if p.Title == "" {
		p.Title = p.ID
		if p.shown != p.Path { // the archive wraps a folder, whose name is better
			p.Title = filepath.Base(p.Root)
		}
	}
	if n := len(p.MadeFiles) - p.Written; n > 0 {
		p.Note(".", 0, "its own programs made %d files of its test data, hash %.10x", n, p.MadeSum())
	}
	p.noteArguments()
	p.Notes, p.Notebook = p.Notebook.All(p.Tree, p.Path), tree.Notes{}
	return nil
}

// GeneratorsFile says how BAPCtools makes test data.
const GeneratorsFile = "generators/generators.yaml"

// missing returns an error if all cases are samples, and nil if there are others. The hint of the
// error names what seems to make the others.
func (p *Draft) missing() *yamlstrict.Error {
	if slices.ContainsFunc(p.Cases, func(c *Case) bool { return !IsSample(c.Group) }) {
		return nil
	}
	hint := ""
	for _, rel := range []string{GeneratorsFile, "data/secret/generator.sh", "data/generator.sh", "generators/generator.sh", "generators", "generator"} {
		if file, dir, err := p.Tree.Kind(rel); err == nil && (file || dir) {
			hint = "make it with " + rel
			if rel == GeneratorsFile {
				hint = rel + " lists no secret cases"
			}
			break
		}
	}
	return p.Tree.Errorf(".", 0, hint, "secret data is missing: submissions are judged on the samples alone")
}

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

// Document reads a YAML file of the package; one that does not exist is empty.
func (p *Draft) Document(rel string) (yamlloose.Node, error) {
	data, err := p.Tree.Read(rel, tree.MaxDocument)
	if err != nil {
		return yamlloose.Node{}, err
	}
	return p.YAML(rel, data)
}

// InOrder calls the steps of a loader, until one fails.
func InOrder(list ...func() error) error {
	for _, step := range list {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// YAML parses a YAML file of the package.
func (p *Draft) YAML(rel string, data []byte) (yamlloose.Node, error) {
	return yamlloose.Parse(p.Tree, rel, data, &p.Notebook)
}
