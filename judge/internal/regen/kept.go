package regen

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/grade"
)

// keep writes the input of a case into a file, for use in debugging, and removes the inputs kept
// before. It returns the path, or "" if it cannot write the file; that is no error, because the
// refusal names the case anyway.
func (w *work) keep(c *cases.Case, input []byte) string {
	if w.o.Keep == "" {
		return ""
	}
	Sweep(w.o.Keep)
	name := filepath.FromSlash(c.Name) + ".in"
	if w.write(name, input) != nil {
		return ""
	}
	// Git must ignore the folder, wherever it is.
	if !exists(filepath.Join(w.o.Keep, keptIgnore)) {
		_ = w.write(keptIgnore, []byte("*\n"))
	}
	return filepath.Join(w.o.Keep, name)
}

func (w *work) write(name string, text []byte) error {
	f, err := grade.CreateKept(w.o.Keep, name)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	return errors.Join(err, f.Close())
}

const keptIgnore = ".gitignore"

// Sweep removes the inputs that refusals have kept in dir (see [Options.Keep]), and dir itself if
// nothing else is in it. It follows no symbolic links, because their targets are not regen's files;
// this holds for dir as well. It skips files that it cannot remove.
func Sweep(dir string) {
	if !isFolder(os.Lstat(dir)) {
		return
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return
	}
	defer root.Close()
	groups, _ := fs.ReadDir(root.FS(), ".")
	for _, g := range groups {
		if !g.IsDir() { // IsDir is false for symbolic links
			continue
		}
		group, err := root.OpenRoot(g.Name())
		if err != nil {
			continue
		}
		inputs, _ := fs.Glob(group.FS(), "*.in")
		opened, statErr := group.Stat(".")
		if now, err := root.Lstat(g.Name()); err == nil && statErr == nil && os.SameFile(opened, now) { // not replaced by a symbolic link meanwhile
			for _, name := range inputs {
				_ = group.Remove(name)
			}
		}
		group.Close()
		_ = root.Remove(g.Name()) // fails if the folder is not empty
	}
	if entries, err := fs.ReadDir(root.FS(), "."); err == nil && len(entries) == 1 && entries[0].Name() == keptIgnore {
		_ = root.Remove(keptIgnore)
		_ = os.Remove(dir)
		_ = os.Remove(filepath.Dir(dir))
	}
}

// isFolder takes the results of os.Lstat, and reports whether they describe a folder.
func isFolder(info fs.FileInfo, err error) bool { return err == nil && info.IsDir() }

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
