package scaffold

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tribunal/judge/internal/yamlstrict"
)

// repositoryFolder is the embedded folder with the files of a new repository.
const repositoryFolder = "files/repository"

// Example is the id of the problem in a new repository.
const Example = "example"

// repositoryFiles lists the files of a new repository, as paths below its root.
func repositoryFiles() (list []string) {
	_ = fs.WalkDir(files, repositoryFolder, func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			list = append(list, repositoryPath(name))
		}
		return err
	})
	return list
}

// repositoryPath returns the path below the root of a repository for an embedded file.
func repositoryPath(name string) string {
	return filepath.FromSlash(strings.TrimSuffix(strings.TrimPrefix(name, repositoryFolder+"/"), ".txt"))
}

// Init makes a repository in the folder dir, which need not exist, with the texts of further files by
// their paths below dir. It contains [Example], of the given kind, unless that is nil: then it contains
// no problem. Init returns the paths that it made. Other files may be in the folder already, but none
// at these paths. If it fails, it leaves nothing behind.
func Init(dir string, example *Kind, more map[string]string) (places []string, err error) {
	if example != nil {
		if err := example.Check(); err != nil {
			return nil, err
		}
	}
	list := append(repositoryFiles(), slices.Sorted(maps.Keys(more))...)
	if example == nil {
		list = append(list, filepath.Join("problems", ".gitkeep"))
	} else {
		list = append(list, parts(Example)...)
	}
	if err := free(dir, append([]string{"problems"}, list...), "judge init makes a new repository; move the file away, or name another folder"); err != nil {
		return nil, err
	}
	made, err := makeFolders(dir, list)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			made.remove()
		}
	}()
	return add(dir, "repository", list, func(stage string) error {
		err := fs.WalkDir(files, repositoryFolder, func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			text, err := files.ReadFile(name)
			if err != nil {
				return err
			}
			return os.WriteFile(filepath.Join(stage, repositoryPath(name)), text, 0o666)
		})
		for name, text := range more {
			if err == nil {
				err = os.WriteFile(filepath.Join(stage, name), []byte(text), 0o666)
			}
		}
		switch {
		case err != nil:
			return wrap(err)
		case example == nil:
			return wrap(os.WriteFile(filepath.Join(stage, "problems", ".gitkeep"), nil, 0o666))
		}
		return write(stage, Example, *example)
	})
}

// folders lists folders that were created, a parent before its children.
type folders []string

// makeFolders creates dir and the folders in it that the given files need.
func makeFolders(dir string, list []string) (made folders, err error) {
	need := []string{dir}
	for _, file := range list {
		need = append(need, filepath.Dir(filepath.Join(dir, file)))
	}
	for _, n := range need {
		var missing []string
		for ; ; n = filepath.Dir(n) {
			if _, err := os.Stat(n); !errors.Is(err, fs.ErrNotExist) || n == filepath.Dir(n) {
				break
			}
			missing = append(missing, n)
		}
		for _, n := range slices.Backward(missing) {
			if err := os.Mkdir(n, 0o777); err != nil {
				made.remove()
				return nil, yamlstrict.FileError(n, err)
			}
			made = append(made, n)
		}
	}
	return made, nil
}

// remove removes the folders that are empty.
func (f folders) remove() {
	for _, n := range slices.Backward(f) {
		_ = os.Remove(n)
	}
}
