package outputs

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"tribunal/judge/internal/content"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/regular"
)

const (
	maxArchive = 256 * limits.MiB
	maxListing = 4 * limits.MiB // of the names and other data about its files
)

// isArchive reports whether a file says that it is a zip archive, by its name or its beginning.
func isArchive(name string, f *os.File) bool {
	var magic [4]byte
	_, err := f.ReadAt(magic[:], 0)
	return strings.EqualFold(filepath.Ext(name), ".zip") || err == nil && string(magic[:]) == "PK\x03\x04"
}

// archive adds the outputs in a zip archive.
func (f *finder) archive(open Opener) error {
	c, err := content.File(f.name, func() (*os.File, error) { return regularFile(open(f.name)) })
	if err != nil {
		return reason(err)
	}
	if limits.Bytes(c.Size()) > maxArchive {
		return fmt.Errorf("an archive of more than %v", maxArchive)
	}
	z, err := list(c)
	if err != nil {
		return err
	}
	defer z.Close()
	for i, file := range z.File {
		mode := file.Mode()
		if mode.IsDir() || strings.HasSuffix(file.Name, "/") {
			if err := f.add("", nil); err != nil {
				return err
			}
			continue
		}
		err := f.add(file.Name, func() source {
			switch {
			case mode&fs.ModeSymlink != 0:
				return bad("a symbolic link")
			case !mode.IsRegular():
				return bad("something that is no file")
			case file.Flags&1 != 0:
				return bad("an encrypted file")
			}
			return packed{c, i}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// packed is an output in an archive.
type packed struct {
	archive content.Content
	index   int // of the file in the archive
}

func (p packed) open() (io.ReadCloser, error) {
	z, err := list(p.archive)
	if err != nil {
		return nil, err
	}
	r, err := z.File[p.index].Open()
	if err != nil {
		if err == io.EOF { // not the end of the output, but of an archive that ends before it
			err = io.ErrUnexpectedEOF
		}
		return nil, errors.Join(damage(err), z.Close())
	}
	return &unpacker{r, z}, nil
}

// unpacker reads an output in an archive.
type unpacker struct {
	io.ReadCloser
	archive io.Closer
}

func (u *unpacker) Read(p []byte) (int, error) {
	n, err := u.ReadCloser.Read(p)
	return n, damage(err)
}

func (u *unpacker) Close() error { return errors.Join(u.ReadCloser.Close(), u.archive.Close()) }

// damage returns a [*badError] for an error that the content of an archive causes, and other errors
// unchanged.
func damage(err error) error {
	if err == nil || err == io.EOF || ofSystem(err) {
		return err
	}
	return &badError{fmt.Sprintf("its place in the archive is damaged: %v", err)}
}

// ofSystem reports whether an error of reading an archive is not due to what is in it.
func ofSystem(err error) bool {
	_, changed := errors.AsType[*content.ChangedError](err)
	_, system := errors.AsType[syscall.Errno](err)
	return changed || system || errors.Is(err, regular.ErrChanged)
}

// listing is an archive whose list of files has been read.
type listing struct {
	*zip.Reader
	*content.Opened
}

// list reads the list of files in an archive, but not more than maxListing of it: in memory it takes many times as
// much.
func list(c content.Content) (listing, error) {
	opened := c.Open()
	r := &readerAt{opened, int64(maxListing)}
	z, err := zip.NewReader(r, c.Size())
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		if err = errors.Join(opened.Close(), err); ofSystem(err) {
			return listing{}, err
		}
		return listing{}, fmt.Errorf("not a readable zip archive: %w", err)
	}
	r.left = math.MaxInt64
	return listing{z, opened}, nil
}

// readerAt reads up to a number of bytes from a file.
type readerAt struct {
	from io.ReaderAt
	left int64
}

func (r *readerAt) ReadAt(p []byte, off int64) (int, error) {
	if r.left -= int64(len(p)); r.left < 0 {
		return 0, fmt.Errorf("a list of files of more than %v", maxListing)
	}
	return r.from.ReadAt(p, off)
}
