//go:build linux

package sandbox

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"

	"golang.org/x/sys/unix"

	"tribunal/judge/internal/limits"
)

// Remains gives access to the files that a run has left in the Folder of its box. A program wrote
// them, so they are opened by name and through descriptors: no symbolic link on the way to a file
// is followed; only regular files are opened, so that no pipe, socket or device makes the judge
// wait; and the caller says how much to read. It is valid until the box's next run or its end, and
// safe for concurrent use.
type Remains struct {
	dir  *os.File
	path string // path of dir for the program
}

// NewRemains returns the Remains in an open folder, which the caller keeps. path is the folder's
// path for the program that wrote into it.
func NewRemains(dir *os.File, path string) *Remains { return &Remains{dir, path} }

// maxDepth is how many folders a file may be nested in; maxPath is how many bytes its path may
// have.
const (
	maxDepth = 100
	maxPath  = 1000
)

// Open opens a regular file for reading, by its slash path. The error wraps fs.ErrNotExist if there
// is nothing of that name or a part of the path is not a folder, and ErrNotFile if it is something
// other than a regular file.
func (r *Remains) Open(name string) (*os.File, error) {
	f, err := r.open(name)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && info.IsDir() {
		err = &fs.PathError{Op: "open", Path: name, Err: ErrNotFile}
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// open is Open, but opens folders as well.
func (r *Remains) open(name string) (*os.File, error) {
	if !fs.ValidPath(name) || strings.Count(name, "/") > maxDepth {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	held, err := r.openPath(name)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	defer unix.Close(held)
	return reopen(held, name)
}

// openPath is openAt for a path of several parts below the folder.
func (r *Remains) openPath(name string) (int, error) {
	at, err := unix.FcntlInt(r.dir.Fd(), unix.F_DUPFD_CLOEXEC, 0)
	for rest, more := name, true; more && err == nil; {
		var part string
		part, rest, more = strings.Cut(rest, "/")
		from := at
		at, err = openAt(from, part)
		unix.Close(from)
	}
	return at, err
}

// openAt returns an O_PATH descriptor of the entry name of the folder at; if the entry is a
// symbolic link, of the link. Such a descriptor can be inspected but not read, and opening it has
// no effect on a pipe or device.
func openAt(at int, name string) (int, error) {
	const flags = unix.O_PATH | unix.O_NOFOLLOW | unix.O_CLOEXEC
	fd, err := unix.Openat(at, name, flags, 0)
	if err == unix.EACCES && unix.Chmod(fdPath(at), 0o700) == nil { // the folder's permissions deny it
		fd, err = unix.Openat(at, name, flags, 0)
	}
	if err == unix.ENOTDIR || err == unix.ELOOP { // at is not a folder
		err = unix.ENOENT
	}
	return fd, err
}

// reopen opens for reading the regular file or folder behind an O_PATH descriptor, even if its
// owner has made it unreadable.
func reopen(held int, name string) (*os.File, error) {
	fail := func(err error) (*os.File, error) { return nil, &fs.PathError{Op: "open", Path: name, Err: err} }
	var s unix.Stat_t
	if err := unix.Fstat(held, &s); err != nil {
		return fail(err)
	}
	flags, permissions := unix.O_RDONLY|unix.O_CLOEXEC|unix.O_NONBLOCK, uint32(0o400)
	switch s.Mode & unix.S_IFMT {
	case unix.S_IFREG:
	case unix.S_IFDIR:
		flags, permissions = flags|unix.O_DIRECTORY, 0o700
	default:
		return fail(ErrNotFile)
	}
	fd, err := unix.Open(fdPath(held), flags, 0)
	if err == unix.EACCES && unix.Chmod(fdPath(held), s.Mode&0o777|permissions) == nil {
		fd, err = unix.Open(fdPath(held), flags, 0)
	}
	if err != nil {
		return fail(err)
	}
	return os.NewFile(uintptr(fd), name), nil
}

// fdPath returns a path to the file behind a descriptor that stays valid whatever happens to the
// file's name.
func fdPath(fd int) string { return fmt.Sprintf("/proc/self/fd/%d", fd) }

// Walk calls visit for the regular files and folders below a folder: for a folder before its
// content, otherwise in no particular order. name is the slash path below the folder; data is the
// content of a file and nil for a folder. A symbolic link to a file below the box's Folder counts
// as a copy of that file: Walk reads the link's text and follows no link in the file system. Walk
// skips everything else. A folder that does not exist is empty; "." is the box's whole Folder.
func (r *Remains) Walk(folder string, b Bounds, visit func(name string, info fs.FileInfo, data io.Reader) error) error {
	top, err := r.open(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer top.Close()
	w := walker{remains: r, folder: folder, left: b, bounds: b, visit: visit}
	return w.walk(top, "", 0)
}

// walker is a Walk in progress.
type walker struct {
	remains      *Remains
	folder       string
	bounds, left Bounds
	visit        func(name string, info fs.FileInfo, data io.Reader) error
}

func (w *walker) walk(dir *os.File, prefix string, depth int) error {
	if depth > maxDepth {
		return &ExcessError{fmt.Sprintf("folders that are more than %d deep", maxDepth)}
	}
	for {
		names, err := dir.Readdirnames(256)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		for _, name := range names {
			if err := w.visitEntry(dir, name, path.Join(prefix, name), depth); err != nil {
				return err
			}
		}
	}
}

func (w *walker) visitEntry(dir *os.File, name, full string, depth int) error {
	if len(full) > maxPath {
		return &ExcessError{fmt.Sprintf("paths of more than %d bytes", maxPath)}
	}
	held, err := openAt(int(dir.Fd()), name)
	if err == unix.ENOENT {
		return nil // in rlimit mode a program may still be alive and have removed it
	}
	if err != nil {
		return &fs.PathError{Op: "open", Path: full, Err: err}
	}
	f, err := reopen(held, full)
	if errors.Is(err, ErrNotFile) {
		f, err = w.remains.linked(held, path.Join(w.folder, full))
	}
	unix.Close(held)
	if errors.Is(err, ErrNotFile) || errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrInvalid) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if w.left.Files--; w.left.Files < 0 {
		return &ExcessError{fmt.Sprintf("more than %d files", w.bounds.Files)}
	}
	if info.IsDir() {
		if err := w.visit(full, info, nil); err != nil {
			return err
		}
		return w.walk(f, full, depth+1)
	}
	if w.left.Bytes -= limits.Bytes(info.Size()); w.left.Bytes < 0 {
		return &ExcessError{fmt.Sprintf("files of more than %v", w.bounds.Bytes)}
	}
	return w.visit(full, info, io.LimitReader(f, info.Size())) // no more than that, even if the file still grows
}

// maxLinks is how many symbolic links may lead to one another.
const maxLinks = 10

// linked opens the file that a symbolic link points to, given an O_PATH descriptor and the name of
// the link. The error is ErrNotFile if held is not a link or leads to no file below the folder.
func (r *Remains) linked(held int, name string) (*os.File, error) {
	text := make([]byte, unix.PathMax)
	for range maxLinks {
		n, err := unix.Readlinkat(held, "", text)
		if err != nil {
			return nil, ErrNotFile
		}
		target := string(text[:n])
		if below, ok := strings.CutPrefix(target, r.path+"/"); ok {
			name = path.Clean(below)
		} else {
			name = path.Join(path.Dir(name), target)
		}
		if path.IsAbs(target) && !strings.HasPrefix(target, r.path+"/") {
			return nil, ErrNotFile
		}
		f, err := r.Open(name)
		if !errors.Is(err, ErrNotFile) {
			return f, err
		}
		next, err := r.openPath(name)
		if err != nil {
			return nil, err
		}
		defer unix.Close(next)
		held = next
	}
	return nil, ErrNotFile
}
