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

// Remains are what a run has left in the Folder of its box. A program has written it, so it is
// taken out by name, through descriptors: no link is followed, whatever is on the way to
// a file; only regular files are opened, so that no pipe, socket or device makes the
// judge wait; and the reader says how much it takes. They are valid until the box's next
// run or its end, and safe for concurrent use.
type Remains struct {
	dir  *os.File
	path string // what the program called dir
}

// NewRemains returns what is in an open folder, which stays the caller's, and which the
// program that has written it knew by this path.
func NewRemains(dir *os.File, path string) *Remains { return &Remains{dir, path} }

// ErrNotFile is wrapped by errors about what was left and is not a regular file.
var ErrNotFile = errors.New("not a regular file")

// How many folders around a file are looked into, and how many bytes its path may have.
const (
	maxDepth = 100
	maxPath  = 1000
)

// Open opens a regular file by its slash path, for reading. The error wraps
// fs.ErrNotExist if there is nothing of that name or a part of the path is no folder,
// and ErrNotFile if it is something else.
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

// open is Open for folders as well.
func (r *Remains) open(name string) (*os.File, error) {
	if !fs.ValidPath(name) || strings.Count(name, "/") > maxDepth {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	held, err := r.hold(name)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	defer unix.Close(held)
	return reopen(held, name)
}

// hold is hold for a path below the folder.
func (r *Remains) hold(name string) (int, error) {
	at, err := unix.FcntlInt(r.dir.Fd(), unix.F_DUPFD_CLOEXEC, 0)
	for rest, more := name, true; more && err == nil; {
		var part string
		part, rest, more = strings.Cut(rest, "/")
		from := at
		at, err = hold(from, part)
		unix.Close(from)
	}
	return at, err
}

// hold returns a descriptor of what a folder holds under a name, be it a link, that can
// be looked at and not read. Nothing happens to what it is of.
func hold(at int, name string) (int, error) {
	const flags = unix.O_PATH | unix.O_NOFOLLOW | unix.O_CLOEXEC
	fd, err := unix.Openat(at, name, flags, 0)
	if err == unix.EACCES && unix.Chmod(same(at), 0o700) == nil { // its owner has locked the folder
		fd, err = unix.Openat(at, name, flags, 0)
	}
	if err == unix.ENOTDIR || err == unix.ELOOP { // the folder was none
		err = unix.ENOENT
	}
	return fd, err
}

// reopen opens the regular file, or the folder, that a descriptor is of, which its owner
// may have made unreadable.
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
	fd, err := unix.Open(same(held), flags, 0)
	if err == unix.EACCES && unix.Chmod(same(held), s.Mode&0o777|permissions) == nil {
		fd, err = unix.Open(same(held), flags, 0)
	}
	if err != nil {
		return fail(err)
	}
	return os.NewFile(uintptr(fd), name), nil
}

// same returns a path to what a descriptor is of, whatever has become of its name.
func same(fd int) string { return fmt.Sprintf("/proc/self/fd/%d", fd) }

// Read returns the beginning of a regular file, at most so many bytes. Errors are those
// of Open, and those of reading.
func (r *Remains) Read(name string, most limits.Bytes) ([]byte, error) {
	f, err := r.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, int64(most)))
}

// Bounds are how much of what was left may be taken out; more is an *ExcessError.
type Bounds struct {
	Bytes limits.Bytes // of all files together
	Files int          // files and folders
}

// ExcessError reports that a program has left more than is taken out.
type ExcessError struct{ What string }

func (e *ExcessError) Error() string { return "left " + e.What }

// Walk calls visit for the regular files and the folders below a folder, by their slash
// paths below that, a folder before what is in it, in no certain order. A link to a file
// below the box's Folder is as a copy of that: its text is read, and no link followed.
// Whatever else is there is passed over. data is what a file holds, and nil for a folder. A folder that is
// not there is empty; "." is all that was left.
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
			if err := w.one(dir, name, path.Join(prefix, name), depth); err != nil {
				return err
			}
		}
	}
}

// one visits what a folder holds under a name.
func (w *walker) one(dir *os.File, name, full string, depth int) error {
	if len(full) > maxPath {
		return &ExcessError{fmt.Sprintf("paths of more than %d bytes", maxPath)}
	}
	held, err := hold(int(dir.Fd()), name)
	if err == unix.ENOENT {
		return nil // a program that a jail without walls has not ended took it away
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
	return w.visit(full, info, io.LimitReader(f, info.Size())) // no more, should it still grow
}

// maxLinks is how many links may lead to each other.
const maxLinks = 10

// linked opens the file that a link leads to, which is held and has this name. What is
// no link is no such file.
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
		next, err := r.hold(name)
		if err != nil {
			return nil, err
		}
		defer unix.Close(next)
		held = next
	}
	return nil, ErrNotFile
}
