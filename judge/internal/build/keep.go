package build

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"syscall"
	"time"

	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/runner"
	"tribunal/judge/internal/sandbox"
)

// product returns the files to copy out of the folder of a build: all files if the language has a
// run command, otherwise the executable.
func product(l Language) runner.CopyOut {
	if len(l.Run) == 0 {
		return runner.CopyOut{Name: exeName, Most: maxResult + 1}
	}
	return runner.CopyOut{Name: ".", Most: maxResult, Files: maxLeft}
}

// keep stores the program in dir, which must be empty; left holds the files that the build has
// left. It stores the sources as they were submitted, because the build may have changed its
// copies, and of the other files only those that l.Keep lists, because the submission may influence
// the build: Perl runs BEGIN blocks when it compiles. If l.Keep is nil, it stores all files as the
// build has left them. For a *resultError or *sandbox.ExcessError the submission is to blame.
func (s *Source) keep(l Language, left runner.Copy, dir string) (err error) {
	to, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, to.Close()) }()
	switch {
	case len(l.Run) == 0:
		return keepExecutable(left, to)
	case l.Keep == nil:
		err = to.Chmod(".", 0o755) // lets the jail's account enter
	default:
		err = s.write(dir)
	}
	if err != nil || l.Keep != nil && len(l.Keep) == 0 {
		return err
	}
	for _, f := range left.Files {
		switch {
		case l.Keep == nil && f.Mode.IsDir():
			err = errors.Join(to.Mkdir(f.Name, 0o755), to.Chmod(f.Name, 0o755))
		case l.Keep == nil && f.Mode&0o111 != 0:
			err = keepFile(to, f, 0o755)
		case l.Keep == nil:
			err = keepFile(to, f, 0o644)
		case !f.Mode.IsDir() && l.keeps(f.Name):
			err = keepMade(to, f)
			if errors.Is(err, syscall.ENOTDIR) || errors.Is(err, fs.ErrExist) {
				err = &resultError{"made " + f.Name + ", which conflicts with a source"}
			}
		}
		if err != nil {
			return err
		}
	}
	return left.Err
}

// keepMade stores a file that a build has made. The file replaces a submitted one of the same name.
func keepMade(to *os.Root, f runner.File) error {
	for _, folder := range foldersOf(f.Name) {
		if err := to.Mkdir(folder, 0o755); err == nil {
			err = to.Chmod(folder, 0o755)
			if err != nil {
				return err
			}
		} else if !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
	if err := to.Remove(f.Name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return keepFile(to, f, 0o644)
}

// foldersOf returns the parent folders of a slash path, the outermost first.
func foldersOf(name string) []string {
	if dir := path.Dir(name); dir != "." {
		return append(foldersOf(dir), dir)
	}
	return nil
}

func keepExecutable(left runner.Copy, to *os.Root) error {
	none := &resultError{"did not produce a program (is there a main function?)"}
	if errors.Is(left.Err, fs.ErrNotExist) || errors.Is(left.Err, sandbox.ErrNotFile) {
		return none
	}
	if left.Err != nil {
		return left.Err
	}
	if !beginsProgram(left.Content) {
		return none
	}
	if limits.Bytes(left.Content.Size()) > maxResult {
		return &resultError{fmt.Sprintf("produced a program larger than %v", maxResult)}
	}
	// Check the loader, because a source can define the section .interp.
	err := checkStart(left.Content)
	if _, host := errors.AsType[syscall.Errno](err); host {
		return err
	}
	if err != nil {
		return &resultError{"produced a program that cannot be started: " + err.Error()}
	}
	return keepFile(to, runner.File{Name: exeName, Content: left.Content}, 0o755)
}

// keepFile writes a file with its modification time, because Python's compiled modules record the
// time of their source.
func keepFile(to *os.Root, left runner.File, mode fs.FileMode) error {
	f, err := to.OpenFile(left.Name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, left.Content.Reader())
	return errors.Join(err, f.Chmod(mode), f.Close(), to.Chtimes(left.Name, time.Time{}, left.Time))
}
