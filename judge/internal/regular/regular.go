// Package regular opens and reads files that other programs may replace at the same time.
//
// Checking a name proves nothing: before the file is opened, the owner of the folder may replace it
// by a symbolic link to any file of the judge's user, or by a named pipe without a writer. So the
// functions check the open descriptor. They never wait for a writer or a lease, and return only
// regular files and folders, but for [OpenAny] and [ReadAny], which are for files that the user names.
package regular

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"syscall"

	"tribunal/judge/internal/system"
)

// ErrIrregular is the error for a pipe, a socket or a device.
var ErrIrregular = errors.New("not a regular file")

// ErrChanged is the error for a file that was replaced or written to while it was read.
var ErrChanged = errors.New("changed while it was read")

const flags = os.O_RDONLY | syscall.O_NONBLOCK | syscall.O_NOCTTY

// Open opens a regular file or a folder for reading, and returns the information of its descriptor.
// It follows symbolic links, wherever they lead.
func Open(name string) (*os.File, fs.FileInfo, error) {
	return open(name, os.Stat, func() (*os.File, error) { return os.OpenFile(name, flags, 0) })
}

// OpenPlain is like Open, but the error is [syscall.ELOOP] if the last part of the name is a
// symbolic link.
func OpenPlain(name string) (*os.File, fs.FileInfo, error) {
	return open(name, os.Lstat, func() (*os.File, error) { return os.OpenFile(name, flags|system.NoFollow, 0) })
}

// OpenIn is like Open, for a name below root. It follows no symbolic link out of root.
func OpenIn(root *os.Root, name string) (*os.File, fs.FileInfo, error) {
	return open(name, root.Stat, func() (*os.File, error) { return root.OpenFile(name, flags, 0) })
}

// OpenPlainIn is like OpenIn, but the error is [syscall.ELOOP] if the last part of the name is a
// symbolic link.
func OpenPlainIn(root *os.Root, name string) (*os.File, fs.FileInfo, error) {
	looked, err := root.Lstat(name)
	if err != nil {
		return nil, nil, err
	}
	f, info, err := open(name, func(string) (fs.FileInfo, error) { return looked, nil }, func() (*os.File, error) { return root.OpenFile(name, flags, 0) })
	// An os.Root follows symbolic links even with O_NOFOLLOW: compare the opened file with the
	// checked one.
	if err == nil && !os.SameFile(looked, info) {
		f.Close()
		return nil, nil, &fs.PathError{Op: "open", Path: name, Err: ErrChanged}
	}
	return f, info, err
}

// OpenAny opens a file for reading whatever it is. A named pipe without a writer is empty.
func OpenAny(name string) (*os.File, error) { return os.OpenFile(name, flags, 0) }

// ReadAny returns the content of a file that [OpenAny] opens.
func ReadAny(name string) ([]byte, error) {
	f, err := OpenAny(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
}

// Head returns at most the first n bytes of a regular file; nil if it is none or cannot be read. It
// follows no symbolic link.
func Head(name string, n int64) []byte {
	f, _, err := OpenPlain(name)
	if err != nil {
		return nil
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, n))
	if err != nil {
		return nil
	}
	return text
}

// open checks a name with look and opens it. The check comes first because opening a device may
// have effects; the result does not rely on it.
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
	if errors.Is(err, syscall.ENXIO) { // a socket has replaced the file
		return fail(ErrIrregular)
	}
	if errors.Is(err, syscall.EWOULDBLOCK) { // another process holds a lease on the file
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

// Root returns an os.Root for an open folder, even if the folder's name means another file by now.
// The caller must still close the folder.
func Root(folder *os.File) (*os.Root, error) {
	return system.Root(folder)
}

// Read returns the content of an open regular file. The error is [ErrChanged] if the file's size is
// no longer the size in info.
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
