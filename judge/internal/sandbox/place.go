package sandbox

import (
	"errors"
	"fmt"
	"os"
	"path"
	"slices"

	"golang.org/x/sys/unix"
)

// place puts files, by slash paths, into an empty folder, where every account can read
// them whatever the umask is.
func place(dir string, files map[string][]byte) (err error) {
	if len(files) == 0 {
		return nil
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return fmt.Errorf("files: %w", err)
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	for name, data := range files {
		for _, folder := range foldersOf(name) {
			if err := root.Mkdir(folder, 0o755); err != nil && !errors.Is(err, os.ErrExist) {
				return fmt.Errorf("files: %w", err)
			}
			if err := root.Chmod(folder, 0o755); err != nil {
				return fmt.Errorf("files: %w", err)
			}
		}
		if err := root.WriteFile(name, data, 0o444); err != nil {
			return fmt.Errorf("files: %w", err)
		}
		if err := root.Chmod(name, 0o444); err != nil {
			return fmt.Errorf("files: %w", err)
		}
	}
	return nil
}

// foldersOf returns the folders around a file of a slash path, the outermost first.
func foldersOf(name string) (list []string) {
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		list = append(list, dir)
	}
	slices.Reverse(list)
	return list
}

// furnish puts a run's files into its folder, and returns the temporary folders as they
// are with that: what the run adds is what it is charged for.
func (b *containerBox) furnish(files map[string][]byte) ([]tempFolder, error) {
	if len(files) == 0 {
		return b.temp, nil
	}
	dir := b.temp[slices.Index(temporaries, workDir)].dir
	if err := place(fmt.Sprintf("/proc/self/fd/%d", dir.Fd()), files); err != nil {
		return nil, err
	}
	list := slices.Clone(b.temp)
	for i := range list {
		if err := unix.Fstatfs(int(list[i].dir.Fd()), &list[i].fs); err != nil {
			return nil, fmt.Errorf("files: %w", err)
		}
	}
	return list, nil
}
