package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync/atomic"
)

// folder is the folder for the temporary files of a search.
type folder struct {
	dir  string
	used *atomic.Int64 // bytes of all files
}

// file is a temporary file without a name, or, where files must have names, one that the system
// deletes when the process ends. Several threads may append and read at once.
type file struct {
	*folder
	os   *os.File
	size atomic.Int64
}

// Check reports why no temporary files can be made in a folder.
func Check(dir string) error {
	f, err := (&folder{dir, new(atomic.Int64)}).create()
	if err == nil {
		f.close()
	}
	return err
}

// create makes an empty file. The caller must close it.
func (d *folder) create() (*file, error) {
	unnamed, err := createUnnamed(d.dir)
	if err != nil {
		return nil, d.failed(err)
	}
	return &file{folder: d, os: unnamed}, nil
}

// append writes the bytes behind those already there and returns their offset.
func (f *file) append(b []byte) (int64, error) {
	size := int64(len(b))
	at := f.size.Add(size) - size
	f.used.Add(size)
	if _, err := f.os.WriteAt(b, at); err != nil {
		return 0, f.failed(err)
	}
	return at, nil
}

// read fills b with the bytes from an offset on.
func (f *file) read(b []byte, at int64) error {
	if _, err := f.os.ReadAt(b, at); err != nil {
		return f.failed(err)
	}
	return nil
}

// clear removes all bytes.
func (f *file) clear() error {
	f.used.Add(-f.size.Swap(0))
	if err := f.os.Truncate(0); err != nil {
		return f.failed(err)
	}
	return nil
}

// close deletes the file.
func (f *file) close() {
	f.used.Add(-f.size.Swap(0))
	_ = f.os.Close() // nothing in the file is needed any more
}

// failed returns the error of a file in the folder. It omits the name of the file, which the user did
// not choose.
func (d *folder) failed(err error) error {
	if path, ok := errors.AsType[*fs.PathError](err); ok {
		err = path.Err
	}
	return fmt.Errorf("scratch %s: %w", d.dir, err)
}
