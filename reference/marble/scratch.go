package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync/atomic"
)

// scratch is the folder for the temporary files of a search.
type scratch struct {
	dir  string
	used *atomic.Int64 // bytes of all files
}

// scratchFile is a temporary file without a name, or, where files must have names, one that the
// system deletes when the process ends. Several threads may append and read at once.
type scratchFile struct {
	*scratch
	file *os.File
	size atomic.Int64
}

// create makes an empty file. The caller must close it.
func (s *scratch) create() (*scratchFile, error) {
	file, err := createUnnamed(s.dir)
	if err != nil {
		return nil, s.failed(err)
	}
	return &scratchFile{scratch: s, file: file}, nil
}

// append writes the bytes behind those already there and returns their offset.
func (f *scratchFile) append(b []byte) (int64, error) {
	size := int64(len(b))
	at := f.size.Add(size) - size
	f.used.Add(size)
	if _, err := f.file.WriteAt(b, at); err != nil {
		return 0, f.failed(err)
	}
	return at, nil
}

// read fills b with the bytes from an offset on.
func (f *scratchFile) read(b []byte, at int64) error {
	if _, err := f.file.ReadAt(b, at); err != nil {
		return f.failed(err)
	}
	return nil
}

// clear removes all bytes.
func (f *scratchFile) clear() error {
	f.used.Add(-f.size.Swap(0))
	if err := f.file.Truncate(0); err != nil {
		return f.failed(err)
	}
	return nil
}

// close deletes the file.
func (f *scratchFile) close() {
	f.used.Add(-f.size.Swap(0))
	_ = f.file.Close() // nothing in the file is needed any more
}

// scratchError is an error of a file in the scratch folder.
type scratchError struct {
	dir string
	err error
}

func (e *scratchError) Error() string { return fmt.Sprintf("scratch %s: %v", e.dir, e.err) }

func (e *scratchError) Unwrap() error { return e.err }

// failed returns the error of a file in the folder. It omits the name of the file, which the user did
// not choose.
func (s *scratch) failed(err error) error {
	if path, ok := errors.AsType[*fs.PathError](err); ok {
		err = path.Err
	}
	return &scratchError{s.dir, err}
}
