// Package regular opens and reads files that others may exchange meanwhile.
//
// A name proves nothing: between a look at it and its opening the owner of the folder may
// put a link there, which leads to any file of the judge's user, or a pipe that nobody
// writes to. So the descriptor decides. Nothing here waits for a writer or for a lease,
// and nothing is returned but regular files and folders.
package regular

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"strconv"
	"syscall"
)

// ErrIrregular is the error for a pipe, a socket or a device.
var ErrIrregular = errors.New("not a regular file")

// ErrChanged is the error for a file that was exchanged or written to while it was read.
var ErrChanged = errors.New("changed while it was read")

const flags = os.O_RDONLY | syscall.O_NONBLOCK | syscall.O_NOCTTY

// Open opens a regular file or a folder for reading, and returns what the descriptor says
// of it. Links are followed, wherever they lead.
func Open(name string) (*os.File, fs.FileInfo, error) {
	return open(name, os.Stat, func() (*os.File, error) { return os.OpenFile(name, flags, 0) })
}

// OpenPlain is Open, but a link at the end of the name is an [syscall.ELOOP].
func OpenPlain(name string) (*os.File, fs.FileInfo, error) {
	return open(name, os.Lstat, func() (*os.File, error) { return os.OpenFile(name, flags|syscall.O_NOFOLLOW, 0) })
}

// OpenIn is Open below root, out of which no link leads.
func OpenIn(root *os.Root, name string) (*os.File, fs.FileInfo, error) {
	return open(name, root.Stat, func() (*os.File, error) { return root.OpenFile(name, flags, 0) })
}

// OpenPlainIn is OpenIn, but a link at the end of the name is an [syscall.ELOOP].
func OpenPlainIn(root *os.Root, name string) (*os.File, fs.FileInfo, error) {
	looked, err := root.Lstat(name)
	if err != nil {
		return nil, nil, err
	}
	f, info, err := open(name, func(string) (fs.FileInfo, error) { return looked, nil }, func() (*os.File, error) { return root.OpenFile(name, flags, 0) })
	// A root follows links whatever the flags say: what was opened must be what was seen.
	if err == nil && !os.SameFile(looked, info) {
		f.Close()
		return nil, nil, &fs.PathError{Op: "open", Path: name, Err: ErrChanged}
	}
	return f, info, err
}

// open opens what look sees at a name. The look comes first because opening a device may
// do something, and is not relied on.
func open(name string, look func(string) (fs.FileInfo, error), open func() (*os.File, error)) (*os.File, fs.FileInfo, error) {
	fail := func(err error) (*os.File, fs.FileInfo, error) {
		return nil, nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	info, err := look(name)
	switch {
	case err != nil:
		return nil, nil, err
	case info.Mode()&fs.ModeSymlink != 0:
		return fail(syscall.ELOOP)
	case !info.Mode().IsRegular() && !info.IsDir():
		return fail(ErrIrregular)
	}
	f, err := open()
	if errors.Is(err, syscall.ENXIO) { // a socket by now
		return fail(ErrIrregular)
	}
	if errors.Is(err, syscall.EWOULDBLOCK) { // somebody holds a lease on it
		return fail(ErrChanged)
	}
	if err != nil {
		return nil, nil, err
	}
	if info, err = f.Stat(); err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		err = &fs.PathError{Op: "open", Path: name, Err: ErrIrregular}
	}
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, info, nil
}

// Root returns the root at a folder that was opened, whatever has its name by now. The
// folder stays the caller's.
func Root(folder *os.File) (*os.Root, error) {
	return os.OpenRoot("/proc/self/fd/" + strconv.Itoa(int(folder.Fd())))
}

// Read returns all of a regular file that was opened. One that has not the size that it
// had then is an [ErrChanged].
func Read(f *os.File, info fs.FileInfo) ([]byte, error) {
	text := make([]byte, info.Size()+1)
	n, err := io.ReadFull(f, text)
	switch {
	case err == nil, (err == io.ErrUnexpectedEOF || err == io.EOF) && int64(n) < info.Size():
		return nil, &fs.PathError{Op: "read", Path: f.Name(), Err: ErrChanged}
	case err != io.ErrUnexpectedEOF && err != io.EOF:
		return nil, err
	}
	return text[:n:n], nil
}
