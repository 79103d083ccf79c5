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
	"tribunal/judge/internal/sandbox"
)

// keep fills dir, which is empty, with the program that a build has left. That is what it
// has left only as far as the language says, because a submission may have a say in it:
// Perl runs its BEGIN blocks when it reads a source. Of a language that names the files
// that its build makes, the sources come from the submission itself: those that were left
// may have been changed. A *productError or *sandbox.ExcessError is the submission's
// fault.
func (s *Source) keep(l Language, left *sandbox.Remains, dir string) (err error) {
	to, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, to.Close()) }()
	switch {
	case len(l.Run) == 0:
		return keepExecutable(left, to)
	case l.Keep == nil:
		err = to.Chmod(".", 0o755) // which lets the jail's account in
	default:
		err = s.write(dir)
	}
	if err != nil || l.Keep != nil && len(l.Keep) == 0 {
		return err
	}
	return left.Walk(".", sandbox.Bounds{Bytes: maxResult, Files: maxLeft}, func(name string, info fs.FileInfo, data io.Reader) error {
		switch {
		case l.Keep == nil && info.IsDir():
			return errors.Join(to.Mkdir(name, 0o755), to.Chmod(name, 0o755))
		case l.Keep == nil && info.Mode()&0o111 != 0:
			return keepFile(to, name, 0o755, info, data)
		case l.Keep == nil:
			return keepFile(to, name, 0o644, info, data)
		case info.IsDir() || !l.keeps(name):
			return nil
		}
		err := keepMade(to, name, info, data)
		if errors.Is(err, syscall.ENOTDIR) || errors.Is(err, fs.ErrExist) {
			err = &productError{"made " + name + ", where a source is in the way"}
		}
		return err
	})
}

// keepMade keeps a file that a build has made, perhaps in the place of one that was handed
// in.
func keepMade(to *os.Root, name string, info fs.FileInfo, data io.Reader) error {
	for _, folder := range foldersOf(name) {
		if err := to.Mkdir(folder, 0o755); err == nil {
			err = to.Chmod(folder, 0o755)
			if err != nil {
				return err
			}
		} else if !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
	if err := to.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return keepFile(to, name, 0o644, info, data)
}

// foldersOf returns the folders around a file of a slash path, the outermost first.
func foldersOf(name string) []string {
	if dir := path.Dir(name); dir != "." {
		return append(foldersOf(dir), dir)
	}
	return nil
}

// keepExecutable keeps that and nothing else.
func keepExecutable(left *sandbox.Remains, to *os.Root) error {
	none := &productError{"did not produce a program (is there a main function?)"}
	exe, err := left.Open(exeName)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, sandbox.ErrNotFile) {
		return none
	}
	if err != nil {
		return err
	}
	defer exe.Close()
	if !beginsELF(exe) {
		return none
	}
	// A source can write to .interp.
	f, err := readELF(exe)
	if err == nil {
		err = checkLoader(f)
	}
	if _, host := errors.AsType[syscall.Errno](err); host {
		return err
	}
	if err != nil {
		return &productError{"made a program that cannot be started: " + err.Error()}
	}
	info, err := exe.Stat()
	if err != nil {
		return err
	}
	if limits.Bytes(info.Size()) > maxResult {
		return &productError{fmt.Sprintf("made a program larger than %v", maxResult)}
	}
	return keepFile(to, exeName, 0o755, info, io.LimitReader(exe, info.Size()))
}

// keepFile writes a file with the time that it had: compiled modules of Python name that
// of their source.
func keepFile(to *os.Root, name string, mode fs.FileMode, info fs.FileInfo, data io.Reader) error {
	f, err := to.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, data)
	return errors.Join(err, f.Chmod(mode), f.Close(), to.Chtimes(name, time.Time{}, info.ModTime()))
}
