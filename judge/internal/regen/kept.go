package regen

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/grade"
)

// keep writes the input of a case into a file, for the person who looks for the mistake, and
// removes those kept before. It returns the path, or "" if it cannot write: the refusal names the
// case in any event.
func (w *work) keep(c *cases.Case, input []byte) string {
	if w.o.Keep == "" {
		return ""
	}
	Sweep(w.o.Keep)
	name := filepath.FromSlash(c.Name) + ".in"
	if w.write(name, input) != nil {
		return ""
	}
	// Version control shall ignore the folder, wherever it is.
	if !exists(filepath.Join(w.o.Keep, keptIgnore)) {
		_ = w.write(keptIgnore, []byte("*\n"))
	}
	return filepath.Join(w.o.Keep, name)
}

// write writes a file into the folder that keeps inputs.
func (w *work) write(name string, text []byte) error {
	f, err := grade.CreateKept(w.o.Keep, name)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	return errors.Join(err, f.Close())
}

const keptIgnore = ".gitignore"

// Sweep removes the inputs that refusals have kept in a folder, see [Options.Keep], and the folder
// if nothing else is in it. It follows no links, neither in place of the folder nor in it, because
// their targets belong to others. It ignores what it cannot remove.
func Sweep(dir string) {
	if !folder(os.Lstat(dir)) {
		return
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return
	}
	defer root.Close()
	groups, _ := fs.ReadDir(root.FS(), ".")
	for _, g := range groups {
		if !g.IsDir() { // which is false for a link
			continue
		}
		in, err := root.OpenRoot(g.Name())
		if err != nil {
			continue
		}
		inputs, _ := fs.Glob(in.FS(), "*.in")
		here, there := in.Stat(".")
		if now, err := root.Lstat(g.Name()); err == nil && there == nil && os.SameFile(here, now) { // not replaced by a link meanwhile
			for _, name := range inputs {
				_ = in.Remove(name)
			}
		}
		in.Close()
		_ = root.Remove(g.Name()) // fails if there is more in it
	}
	if entries, err := fs.ReadDir(root.FS(), "."); err == nil && len(entries) == 1 && entries[0].Name() == keptIgnore {
		_ = root.Remove(keptIgnore)
		_ = os.Remove(dir)
		_ = os.Remove(filepath.Dir(dir))
	}
}

// folder reports whether the results of Lstat are those of a folder.
func folder(info fs.FileInfo, err error) bool { return err == nil && info.IsDir() }

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
