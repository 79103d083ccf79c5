package repo

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/regular"
)

// beside returns the function that reads the pictures of a statement in a folder below
// [Statements]. It reads no files outside of that folder, not even through symbolic links.
func beside(root, id, dir string) func(string, int64) ([]byte, error) {
	return func(name string, max int64) ([]byte, error) {
		rel := path.Join(dir, name)
		if !filepath.IsLocal(filepath.FromSlash(rel)) {
			return nil, errors.New("it is outside of " + filepath.ToSlash(Statements(id)))
		}
		folder, err := os.OpenRoot(filepath.Join(root, Statements(id)))
		if err != nil {
			return nil, err
		}
		defer folder.Close()
		f, info, err := regular.OpenIn(folder, filepath.FromSlash(rel))
		if err != nil {
			return nil, reasonOf(err)
		}
		defer f.Close()
		if info.IsDir() {
			return nil, fs.ErrNotExist
		}
		data, err := io.ReadAll(io.LimitReader(f, max+1))
		if err == nil && int64(len(data)) > max {
			err = problem.ErrTooLarge
		}
		return data, err
	}
}

// reasonOf returns why a file cannot be opened, without its name.
func reasonOf(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok && !errors.Is(err, fs.ErrNotExist) {
		return e.Err
	}
	return err
}
