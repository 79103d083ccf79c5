package cache

import (
	"io"
	"io/fs"
	"os"

	"tribunal/judge/internal/regular"
)

// openRegular opens a regular file for reading. Anything else in its place is a
// [regular.ErrIrregular] or another error, and opening it never blocks.
func openRegular(path string) (*os.File, error) {
	f, info, err := regular.OpenPlain(path)
	if err == nil && info.IsDir() {
		f.Close()
		return nil, &fs.PathError{Op: "open", Path: path, Err: regular.ErrIrregular}
	}
	return f, err
}

// readRegular returns what is in a regular file.
func readRegular(path string) ([]byte, error) {
	f, err := openRegular(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
}
