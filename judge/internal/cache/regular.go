package cache

import (
	"io"
	"io/fs"
	"os"

	"tribunal/judge/internal/regular"
)

// openRegular opens a regular file for reading. It never blocks, and fails for anything else, such
// as a folder or a named pipe.
func openRegular(path string) (*os.File, error) {
	f, info, err := regular.OpenPlain(path)
	if err == nil && info.IsDir() {
		f.Close()
		return nil, &fs.PathError{Op: "open", Path: path, Err: regular.ErrIrregular}
	}
	return f, err
}

func readRegular(path string) ([]byte, error) {
	f, err := openRegular(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
}
