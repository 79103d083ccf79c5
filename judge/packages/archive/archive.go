// Package archive extracts zip and tar archives that others have made: bounded, and into one folder only.
package archive

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"syscall"

	"tribunal/judge/internal/content"
	"tribunal/judge/internal/quote"
	"tribunal/judge/internal/yamlstrict"
)

// Bounds limit the time and the disk space that extracting an archive takes, in proportion to
// its size. Test data may be very repetitive, so Ratio does not apply to the first bytes.
type Bounds struct {
	Entries int   // files and folders, including parent folders without an entry of their own
	Total   int64 // bytes of all files
	Free    int64 // first bytes of all files, to which Ratio does not apply
	Ratio   int64 // largest ratio of the bytes beyond Free to the size of the archive
	Link    int64 // bytes of the target of a symbolic link
}

// Usual returns the bounds for packages.
func Usual() Bounds {
	return Bounds{Entries: 1 << 20, Total: 16 << 30, Free: 2 << 30, Ratio: 100, Link: 4 << 10}
}

// maxParts bounds the parts of a name: the folders that a file is in, and its own name.
const maxParts = 64

// archive is the state of extracting an archive.
type archive struct {
	file   string
	bounds Bounds
	root   *os.Root
	left   int64             // bytes that may still be written
	seen   map[string]bool   // names of files and symbolic links
	made   map[string]bool   // folders, including parent folders without an entry of their own
	links  map[string]string // targets of symbolic links, by the name of the link
}

func (a *archive) errorf(hint, format string, args ...any) *yamlstrict.Error {
	return &yamlstrict.Error{File: a.file, Msg: fmt.Sprintf(format, args...), Hint: hint}
}

// member is a file, folder or symbolic link of an archive.
type member struct {
	name      string
	mode      fs.FileMode
	unix      bool // a backslash in the name is an ordinary character
	encrypted bool
	open      func() (io.ReadCloser, error) // of the target for a symbolic link
}

// extract writes the content of the archive f into an empty folder, and nothing outside of it. f is a zip
// file, unless it is called .tar, .tar.gz or .tgz. Errors call the file name. It stops with the error of ctx
// when ctx ends.
func extract(ctx context.Context, name string, f *os.File, into string, bounds Bounds) error {
	a := &archive{file: name, bounds: bounds, seen: map[string]bool{}, made: map[string]bool{}, links: map[string]string{}}
	info, err := f.Stat()
	if err != nil {
		return yamlstrict.FileError(name, err)
	}
	if !strings.HasSuffix(strings.ToLower(name), ".zip") && Is(name) {
		a.left = min(bounds.Total, bounds.Free+bounds.Ratio*info.Size())
		return a.extractTar(ctx, f, into)
	}
	z, err := zip.NewReader(f, info.Size())
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		if pe, ok := errors.AsType[*fs.PathError](err); ok {
			return yamlstrict.FileError(name, pe)
		}
		return a.errorf("a package is a folder or a .zip of one", "not a readable zip archive: %v", err)
	}
	if a.root, err = os.OpenRoot(into); err != nil {
		return yamlstrict.FileError(into, err)
	}
	defer a.root.Close()
	if err := a.checkSizes(z.File, info.Size()); err != nil {
		return err
	}
	for _, f := range z.File {
		m := &member{f.Name, f.Mode(), f.CreatorVersion>>8 == madeByUnix, f.Flags&1 != 0, f.Open}
		if err := a.add(ctx, m); err != nil {
			return err
		}
	}
	return a.addLinks(ctx)
}

// extractTar is extract for a tar archive, which may be compressed by gzip.
func (a *archive) extractTar(ctx context.Context, f *os.File, into string) (err error) {
	if a.root, err = os.OpenRoot(into); err != nil {
		return yamlstrict.FileError(into, err)
	}
	defer a.root.Close()
	r := content.Until(ctx, f)
	if !strings.HasSuffix(strings.ToLower(a.file), ".tar") {
		if r, err = gzip.NewReader(r); err != nil {
			return a.errorf("create the archive again", "not a readable tar.gz archive: %v", err)
		}
	}
	for t := tar.NewReader(r); ; {
		h, err := t.Next()
		switch {
		case err == io.EOF:
			return a.addLinks(ctx)
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil && !errors.Is(err, tar.ErrInsecurePath):
			return a.errorf("create the archive again", "not a readable tar archive: %v", err)
		case h.Typeflag == tar.TypeXGlobalHeader:
			continue
		}
		m := &member{name: h.Name, mode: h.FileInfo().Mode(), unix: true, open: func() (io.ReadCloser, error) { return io.NopCloser(t), nil }}
		switch h.Typeflag {
		case tar.TypeSymlink:
			m.open = func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(h.Linkname)), nil }
		case tar.TypeLink:
			m.mode |= fs.ModeIrregular
		}
		if err := a.add(ctx, m); err != nil {
			return err
		}
	}
}

// Is reports whether the name of a file is that of an archive that [Extract] can read.
func Is(name string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc([]string{".zip", ".tar", ".tar.gz", ".tgz"}, func(ext string) bool { return strings.HasSuffix(name, ext) })
}

// folderSize is roughly the disk space of a folder, in bytes.
const folderSize = 4 << 10

// folder creates a folder and its missing parents.
func (a *archive) folder(name string) error {
	if name == "." || a.made[name] {
		return nil
	}
	if err := a.folder(path.Dir(name)); err != nil {
		return err
	}
	a.made[name] = true
	if len(a.made)+len(a.seen) > a.bounds.Entries {
		return a.errorf("", "more than %d files and folders", a.bounds.Entries)
	}
	if a.left -= folderSize; a.left < 0 {
		return a.tooLarge()
	}
	return a.fail(name, a.root.Mkdir(name, 0o755))
}

// checkSizes checks the sizes that the archive declares, which may be false, and sets a.left.
// Extraction counts the bytes that it writes against a.left as well.
func (a *archive) checkSizes(files []*zip.File, size int64) error {
	if len(files) > a.bounds.Entries {
		return a.errorf("", "more than %d files and folders", a.bounds.Entries)
	}
	a.left = min(a.bounds.Total, a.bounds.Free+a.bounds.Ratio*size)
	packed, total := uint64(0), uint64(0)
	for _, f := range files {
		packed += min(f.CompressedSize64, 1<<50)
		total += min(f.UncompressedSize64, 1<<50)
	}
	switch {
	case packed > uint64(size):
		return a.errorf("", "its files share bytes of the archive: a zip bomb")
	case total > uint64(a.left):
		return a.tooLarge()
	}
	return nil
}

func (a *archive) tooLarge() error {
	size := fmt.Sprint(a.bounds.Total>>30, " GiB")
	if a.bounds.Total < 1<<30 {
		size = fmt.Sprint(a.bounds.Total>>20, " MiB")
	}
	return a.errorf("if the size is intended, extract the archive yourself", "its files are too large for the archive, or more than %s: a zip bomb", size)
}

// madeByUnix is the archive's code for Unix, where a backslash in a name is an ordinary character.
// Archives made on other systems may use it for a slash, against the format.
const madeByUnix = 3

// name returns the cleaned name of a file, or an error if the name is not allowed in a package.
func (a *archive) name(f *member) (string, error) {
	name := strings.TrimSuffix(f.name, "/")
	bad := ""
	switch {
	case name == "":
		bad = "no name"
	case strings.ContainsRune(name, 0):
		bad = "a NUL byte"
	case strings.Contains(name, `\`) && (!f.unix || slices.Contains(strings.Split(name, `\`), "..")):
		bad = "a backslash"
	case strings.HasPrefix(name, "/"):
		bad = "an absolute path"
	}
	parts := strings.Split(name, "/")
	for _, part := range parts {
		if part == ".." {
			bad = "a path that leads out of the archive"
		} else if part == "" && bad == "" {
			bad = "an empty part of a path"
		}
	}
	switch {
	case bad != "":
		return "", a.errorf("create the archive again, with relative names and slashes", "the name %q has %s", f.name, bad)
	case len(parts) > maxParts:
		return "", a.errorf("", "the name %s has more than %d parts", quote.Name(f.name), maxParts)
	}
	return path.Clean(name), nil
}

// add extracts a file or folder, or records a symbolic link for addLinks.
func (a *archive) add(ctx context.Context, f *member) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	name, err := a.name(f)
	if err != nil {
		return err
	}
	mode := f.mode
	isDir := mode.IsDir() || strings.HasSuffix(f.name, "/")
	switch {
	case name == ".":
		return nil
	case isDir:
		return a.folder(name)
	case a.seen[name]:
		return a.errorf("", "two files are called %s", quote.Name(name))
	case f.encrypted:
		return a.errorf("make an archive without a password", "%s is encrypted", quote.Name(name))
	case mode&fs.ModeSymlink == 0 && !mode.IsRegular():
		return a.errorf("", "%s is neither a file nor a folder", quote.Name(name))
	}
	if a.seen[name] = true; len(a.made)+len(a.seen) > a.bounds.Entries {
		return a.errorf("", "more than %d files and folders", a.bounds.Entries)
	}
	if mode&fs.ModeSymlink != 0 {
		return a.link(f, name)
	}
	if err := a.folder(path.Dir(name)); err != nil {
		return err
	}
	perm := fs.FileMode(0o644)
	if mode&0o111 != 0 {
		perm = 0o755
	}
	w, err := a.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
	if err != nil {
		return a.fail(name, err)
	}
	if err := a.copy(ctx, w, f, name); err != nil {
		w.Close()
		return err
	}
	return a.fail(name, w.Close())
}

// copy writes the content of f to w. It is an error if that exceeds the a.left bytes that may still
// be written.
func (a *archive) copy(ctx context.Context, w io.Writer, f *member, name string) error {
	r, err := f.open()
	if err != nil {
		return a.broken(name, err)
	}
	defer r.Close()
	n, err := io.Copy(w, io.LimitReader(content.Until(ctx, r), a.left+1))
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if a.left -= n; a.left < 0 {
		return a.tooLarge()
	}
	if err != nil {
		return a.broken(name, err)
	}
	return nil
}

// link records a symbolic link. addLinks creates it after all files, so that no file is written
// through a link.
func (a *archive) link(f *member, name string) error {
	r, err := f.open()
	if err != nil {
		return a.broken(name, err)
	}
	defer r.Close()
	target, err := io.ReadAll(io.LimitReader(r, a.bounds.Link+1))
	switch {
	case err != nil:
		return a.broken(name, err)
	case int64(len(target)) > a.bounds.Link || len(target) == 0 || strings.ContainsRune(string(target), 0):
		return a.errorf("", "the target of symbolic link %s is empty, longer than %d bytes or contains a NUL byte", quote.Name(name), a.bounds.Link)
	}
	a.links[name] = string(target)
	return nil
}

// addLinks creates the symbolic links, and rejects those that do not lead to a file or folder of
// the archive.
func (a *archive) addLinks(ctx context.Context) error {
	names := slices.Sorted(maps.Keys(a.links))
	for _, name := range names {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := a.folder(path.Dir(name)); err != nil {
			return err
		}
		if err := a.root.Symlink(a.links[name], name); err != nil {
			return a.fail(name, err)
		}
	}
	for _, name := range names {
		if _, err := a.root.Stat(name); err != nil {
			a.root.Remove(name)
			return a.errorf("a package may only link to its own files, by relative paths", "symbolic link %s leads to %s, which is not a file of the archive", quote.Name(name), quote.Name(a.links[name]))
		}
	}
	return nil
}

// broken returns the located error for a file that cannot be decompressed. What the operating system does not
// report is the archive's fault.
func (a *archive) broken(name string, err error) error {
	_, ofPath := errors.AsType[*fs.PathError](err)
	_, ofSystem := errors.AsType[syscall.Errno](err)
	switch {
	case errors.Is(err, zip.ErrAlgorithm):
		return a.errorf("create the archive again, with deflate compression", "%s uses an unknown compression method", quote.Name(name))
	case ofPath || ofSystem:
		return a.fail(name, err)
	}
	return a.errorf("create the archive again", "%s is damaged", quote.Name(name))
}

// fail converts an error of the operating system about name into a located one; nil stays nil.
func (a *archive) fail(name string, err error) error {
	if err == nil {
		return nil
	}
	if le, ok := errors.AsType[*os.LinkError](err); ok {
		err = le.Err
	}
	e := yamlstrict.FileError(a.file, err)
	e.Msg = quote.Name(name) + ": " + e.Msg
	return e
}

// Extract extracts the archive f, which errors call name, into a new folder in scratch and returns
// the folder's path. Nothing is written outside of the folder, no link of the archive leads out of
// it, and the size of an archive bounds that of its files. Canceling ctx stops the extraction. Every
// error is a [*yamlstrict.Error], the context's, or one of scratch; after one, the folder is removed.
func Extract(ctx context.Context, name string, f *os.File, scratch func() (string, error), bounds Bounds) (string, error) {
	parent, err := scratch()
	if err != nil {
		return "", err
	}
	dir, err := os.MkdirTemp(parent, "package-")
	if err != nil {
		return "", yamlstrict.FileError(parent, err)
	}
	if err := extract(ctx, name, f, dir, bounds); err != nil {
		os.RemoveAll(dir)
		return "", err
	}
	return dir, nil
}
