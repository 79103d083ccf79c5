// Package outputs finds the outputs that a submission consists of, in a file, a folder or an archive.
//
// The contestant is not trusted. Nothing is extracted: an output is read where it is, up to a limit, so
// names and sizes in an archive can harm nothing. No symbolic link inside a folder or an archive is
// followed.
package outputs

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"tribunal/judge/internal/content"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/regular"
)

const (
	maxFiles = 10_000 // files and folders
	maxDepth = 16     // folders inside each other
)

// Opener opens a file or a folder, as the functions of package regular do.
type Opener func(name string) (*os.File, fs.FileInfo, error)

// Set is a submission of outputs as it was when it was opened. It holds no file open, and is safe for
// concurrent use.
type Set struct {
	found map[string]source // by name of the output
	lone  source            // the only file if that is none of the outputs; else nil
}

// source is the place of one output.
type source interface {
	// open opens the output for reading.
	open() (io.ReadCloser, error)
}

// MissingError reports that a submission has no such output, or none that can be read. The contestant is
// to blame.
type MissingError struct{ Why string }

func (e *MissingError) Error() string { return e.Why }

// Open finds the outputs with the given names in the file, folder or zip archive called name, which open
// has opened as f and opens again for each reading. In folders and archives only the last part of a path
// counts, as in CMS, and other files do not matter. A single file with another name is kept for
// [Set.Write]. The error is one of the system, or says what is wrong with the submission.
func Open(name string, f *os.File, info fs.FileInfo, open Opener, wanted []string) (set *Set, err error) {
	finder := &finder{name: name, wanted: wanted, set: &Set{found: map[string]source{}}, paths: map[string]string{}}
	switch {
	case info.IsDir():
		err = finder.folder(f, open)
	case slices.Contains(wanted, filepath.Base(name)) || !isArchive(name, f):
		err = finder.single(open)
	default:
		err = finder.archive(open)
	}
	if err == nil && len(finder.set.found) == 0 && finder.set.lone == nil {
		err = fmt.Errorf("none of its files is an output (hint: outputs have names such as %s)", wanted[0])
	}
	return finder.set, err
}

// Lone reports whether the submission is one file with none of the names.
func (s *Set) Lone() bool { return s.lone != nil }

// Write writes the output with the given name, but not more than most bytes of it, and returns its size,
// which is more than most if something is left. If alone is set, a submission of one file is that file,
// whatever its name. The error is a [*MissingError], the context's, that of to, or a failure to read.
func (s *Set) Write(ctx context.Context, to io.Writer, name string, most limits.Bytes, alone bool) (size int64, err error) {
	from := s.found[name]
	switch {
	case from != nil:
	case s.lone != nil && alone:
		from = s.lone
	case s.lone != nil:
		return 0, &MissingError{fmt.Sprintf("%s was not submitted, but one file of another name", name)}
	default:
		return 0, &MissingError{name + " was not submitted"}
	}
	r, err := from.open()
	if err == nil {
		defer r.Close()
		size, err = copyMost(to, content.Until(ctx, r), int64(most))
	}
	if bad, ok := errors.AsType[*badError](err); ok {
		return 0, &MissingError{fmt.Sprintf("%s was not submitted, but %s", name, bad.what)}
	}
	return size, err
}

// copyMost copies at most that many bytes, and returns one more if there are more.
func copyMost(to io.Writer, from io.Reader, most int64) (int64, error) {
	n, err := io.Copy(to, io.LimitReader(from, most))
	if err != nil || n < most {
		return n, err
	}
	var more [1]byte
	switch _, err := io.ReadFull(from, more[:]); err {
	case nil:
		return n + 1, nil
	case io.EOF:
		return n, nil
	default:
		return n, err
	}
}

// badError reports that there is something else in the place of an output.
type badError struct{ what string }

func (e *badError) Error() string { return e.what }

// bad is a place without an output.
type bad string

func (b bad) open() (io.ReadCloser, error) { return nil, &badError{string(b)} }

// finder collects the outputs of a submission.
type finder struct {
	name   string
	wanted []string
	set    *Set
	paths  map[string]string // where an output was found, by its name
	files  int
}

// add adds the file that at opens, if the path is that of an output.
func (f *finder) add(file string, at func() source) error {
	if f.files++; f.files > maxFiles {
		return fmt.Errorf("more than %d files and folders", maxFiles)
	}
	base := path.Base(strings.ReplaceAll(file, `\`, "/"))
	if !slices.Contains(f.wanted, base) {
		return nil
	}
	if other, twice := f.paths[base]; twice {
		return fmt.Errorf("two files are called %s: %.100q and %.100q", base, other, file)
	}
	f.paths[base], f.set.found[base] = file, at()
	return nil
}

// single adds the output of a submission that is one file.
func (f *finder) single(open Opener) error {
	c, err := content.File(f.name, func() (*os.File, error) { return regularFile(open(f.name)) })
	if err != nil {
		return reason(err)
	}
	if base := filepath.Base(f.name); slices.Contains(f.wanted, base) {
		f.set.found[base] = plain{c}
		return nil
	}
	f.set.lone = plain{c}
	return nil
}

// plain is an output that is a file.
type plain struct{ content.Content }

func (p plain) open() (io.ReadCloser, error) { return io.NopCloser(p.Reader()), nil }

func (f *finder) folder(dir *os.File, open Opener) error {
	root, err := regular.Root(dir)
	if err != nil {
		return reason(err)
	}
	defer root.Close()
	return fs.WalkDir(root.FS(), ".", func(rel string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return fmt.Errorf("%.100q: %w", rel, reason(err))
		case e.IsDir() && strings.Count(rel, "/") >= maxDepth:
			return fmt.Errorf("more than %d folders inside each other", maxDepth)
		case e.IsDir():
			return f.add("", nil)
		}
		return f.add(rel, func() source {
			c, err := content.File(filepath.Join(f.name, rel), func() (*os.File, error) {
				dir, _, err := open(f.name)
				if err != nil {
					return nil, err
				}
				defer dir.Close()
				root, err := regular.Root(dir)
				if err != nil {
					return nil, err
				}
				defer root.Close()
				return regularFile(regular.OpenPlainIn(root, rel))
			})
			switch {
			case errors.Is(err, syscall.ELOOP):
				return bad("a symbolic link")
			case errors.Is(err, regular.ErrIrregular):
				return bad("something that is no file")
			case err != nil:
				return bad("a file that cannot be read: " + reason(err).Error())
			}
			return plain{c}
		})
	})
}

// regularFile returns a file that was opened unless it is a folder.
func regularFile(f *os.File, info fs.FileInfo, err error) (*os.File, error) {
	if err == nil && info.IsDir() {
		f.Close()
		err = regular.ErrChanged
	}
	return f, err
}

// reason returns the cause of an error about a path, without the path.
func reason(err error) error {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		return p.Err
	}
	return err
}
