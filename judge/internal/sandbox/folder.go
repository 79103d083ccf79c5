//go:build linux

package sandbox

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"syscall"

	"golang.org/x/sys/unix"
)

// place puts files into an empty folder, and makes the folders around them, which every account can
// enter. It follows no symbolic link out of the folder and overwrites no file.
func place(dir *os.File, files []File) (err error) {
	if len(files) == 0 {
		return nil
	}
	root, err := os.OpenRoot(fdPath(int(dir.Fd())))
	if err != nil {
		return fmt.Errorf("files: %w", err)
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	made := map[string]bool{}
	folder := func(name string, mode fs.FileMode) error {
		if made[name] {
			return nil
		}
		made[name] = true
		err := root.Mkdir(name, mode)
		if err == nil {
			err = root.Chmod(name, mode)
		}
		return err
	}
	for _, f := range files {
		for _, name := range foldersOf(f.Name) {
			if err := folder(name, 0o755); err != nil {
				return fmt.Errorf("files: %w", err)
			}
		}
		if f.Mode.IsDir() {
			err = folder(f.Name, f.Mode.Perm())
		} else {
			err = f.write(root)
		}
		if err != nil {
			return fmt.Errorf("files: %w", err)
		}
	}
	return nil
}

func (f File) write(root *os.Root) error {
	if f.Mode&0o111 != 0 {
		// No child may be forked while this is open for writing: it would inherit the
		// descriptor and make the program "text file busy".
		syscall.ForkLock.RLock()
		defer syscall.ForkLock.RUnlock()
	}
	to, err := root.OpenFile(f.Name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	if f.From != nil {
		_, err = io.Copy(to, f.From())
	} else {
		_, err = to.Write(f.Data)
	}
	return errors.Join(err, to.Chmod(f.Mode.Perm()), to.Close())
}

// foldersOf returns the folders around a file, given its slash path, outermost first.
func foldersOf(name string) (list []string) {
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		list = append(list, dir)
	}
	slices.Reverse(list)
	return list
}

// workFiles lists a command's Files, which belong into the folder where the program starts.
func workFiles(files map[string][]byte) []File {
	list := make([]File, 0, len(files))
	for name, data := range files {
		list = append(list, File{Name: name, Mode: 0o444, Data: data})
	}
	return list
}

// writeFiles writes a run's files into the temporary folders. It returns these folders with their
// state after that, so that only what the run adds is charged to it.
func (b *containerBox) writeFiles(cmd *Command) ([]tempFolder, error) {
	if len(cmd.Files) == 0 && len(cmd.FolderFiles) == 0 {
		return b.temp, nil
	}
	if err := place(b.dir(workDir), workFiles(cmd.Files)); err != nil {
		return nil, err
	}
	if err := place(b.dir(b.spec.Folder.Path), cmd.FolderFiles); err != nil {
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

// dir returns a temporary folder of the container by its path; nil if there is none of that name,
// or before the first run.
func (b *containerBox) dir(name string) *os.File {
	i := slices.Index(b.spec.temporaries(), name)
	if i < 0 || i >= len(b.temp) {
		return nil
	}
	return b.temp[i].dir
}
