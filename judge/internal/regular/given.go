package regular

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// LinkError says why a symbolic link is not followed.
type LinkError struct{ Name, Why string }

func (e *LinkError) Error() string { return fmt.Sprintf("%s: %s", e.Name, e.Why) }

// OpenGiven opens a file or a folder that another person has handed in, and that must give that person no access to
// other files of this user. It follows a symbolic link only to a regular file below the folder of the link or below
// the working directory; for any other the error is a [LinkError].
func OpenGiven(name string) (*os.File, fs.FileInfo, error) {
	f, info, err := OpenPlain(name)
	if !errors.Is(err, syscall.ELOOP) {
		return f, info, err
	}
	refuse := func(why string) (*os.File, fs.FileInfo, error) {
		return nil, nil, &LinkError{name, why}
	}
	target, err := filepath.EvalSymlinks(name)
	if errors.Is(err, fs.ErrNotExist) {
		return refuse("a symbolic link to nothing")
	}
	if err != nil {
		return refuse("a symbolic link that cannot be followed")
	}
	if info, err := os.Lstat(target); err != nil || !info.Mode().IsRegular() {
		return refuse("a symbolic link to something other than a regular file")
	}
	for _, folder := range []string{filepath.Dir(name), "."} {
		if top, rel, ok := below(target, folder); ok {
			return openBelow(top, rel)
		}
	}
	return refuse("a symbolic link that leads out of its folder and the working directory")
}

// openBelow opens a regular file below a folder. It follows no symbolic links, even if files are
// replaced meanwhile.
func openBelow(folder, rel string) (*os.File, fs.FileInfo, error) {
	dir, _, err := OpenPlain(folder)
	if err != nil {
		return nil, nil, err
	}
	defer dir.Close()
	root, err := Root(dir)
	if err != nil {
		return nil, nil, err
	}
	defer root.Close()
	f, info, err := OpenPlainIn(root, rel)
	if err == nil && info.IsDir() {
		f.Close()
		err = ErrChanged
	}
	if errors.Is(err, fs.ErrNotExist) {
		err = ErrChanged
	}
	return f, info, err
}

// below resolves the symbolic links in the paths of a file and a folder. It returns the path of the
// folder, that of the file relative to it, and whether the file is below the folder.
func below(file, folder string) (top, rel string, ok bool) {
	real := func(path string) (string, error) {
		path, err := filepath.Abs(path)
		if err != nil {
			return "", err
		}
		return filepath.EvalSymlinks(path)
	}
	file, err := real(file)
	if err != nil {
		return "", "", false
	}
	if top, err = real(folder); err != nil {
		return "", "", false
	}
	rel, err = filepath.Rel(top, file)
	return top, rel, err == nil && filepath.IsLocal(rel)
}
