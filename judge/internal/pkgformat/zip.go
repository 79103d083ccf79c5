package pkgformat

import (
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"tribunal/judge/internal/yamlstrict"
)

// zipBounds keep the work and the space that an archive takes in proportion. Test
// data may be very repetitive: some of it is free, whatever the ratio.
type zipBounds struct {
	entries int   // files and folders, also those that no entry of the archive is about
	total   int64 // bytes of all files
	free    int64 // bytes of all files that need no proportion
	ratio   int64 // of what is beyond free to the size of the archive
	link    int64 // bytes of the target of a link
}

var defaultBounds = zipBounds{entries: 1 << 20, total: 16 << 30, free: 2 << 30, ratio: 100, link: 4 << 10}

// archive is a zip file while it is extracted.
type archive struct {
	file   string
	bounds zipBounds
	root   *os.Root
	left   int64 // bytes that may still be written
	seen   map[string]bool
	made   map[string]bool   // folders, also those that are there only because of what is in them
	links  map[string]string // targets by name
}

func (a *archive) errorf(hint, format string, args ...any) *yamlstrict.Error {
	return &yamlstrict.Error{File: a.file, Msg: fmt.Sprintf(format, args...), Hint: hint}
}

// extract writes what is in the zip file into a folder, which is empty, and nothing
// anywhere else, until the context ends.
func extract(ctx context.Context, file, into string, bounds zipBounds) error {
	a := &archive{file: file, bounds: bounds, seen: map[string]bool{}, made: map[string]bool{}, links: map[string]string{}}
	info, err := os.Stat(file)
	if err != nil {
		return yamlstrict.FileError(file, err)
	}
	z, err := zip.OpenReader(file)
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		if pe, ok := errors.AsType[*fs.PathError](err); ok {
			return yamlstrict.FileError(file, pe)
		}
		return a.errorf("a package is a folder or a .zip of one", "not a zip archive that can be read: %v", err)
	}
	defer z.Close()
	if a.root, err = os.OpenRoot(into); err != nil {
		return yamlstrict.FileError(into, err)
	}
	defer a.root.Close()
	if err := a.checkSizes(z.File, info.Size()); err != nil {
		return err
	}
	for _, f := range z.File {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := a.add(ctx, f); err != nil {
			return err
		}
	}
	return a.addLinks(ctx)
}

// folderSize is about what a folder takes on a disk.
const folderSize = 4 << 10

// folder makes a folder, and those around it that are not there.
func (a *archive) folder(name string) error {
	if name == "." || a.made[name] {
		return nil
	}
	if err := a.folder(path.Dir(name)); err != nil {
		return err
	}
	a.made[name] = true
	if len(a.made)+len(a.seen) > a.bounds.entries {
		return a.errorf("", "more than %d files and folders", a.bounds.entries)
	}
	if a.left -= folderSize; a.left < 0 {
		return a.tooLarge()
	}
	return a.fail(name, a.root.Mkdir(name, 0o755))
}

// checkSizes looks at what the archive says of itself. What it writes is counted as
// well.
func (a *archive) checkSizes(files []*zip.File, size int64) error {
	if len(files) > a.bounds.entries {
		return a.errorf("", "more than %d files and folders", a.bounds.entries)
	}
	a.left = min(a.bounds.total, a.bounds.free+a.bounds.ratio*size)
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
	return a.errorf("extract it yourself if it is meant to be so large", "its files are too large for the archive, or more than %d GiB: a zip bomb", a.bounds.total>>30)
}

// madeByUnix is the system that an archive says it was made on where a backslash is a
// letter of a name like any other. Elsewhere it is put for a slash, against the format.
const madeByUnix = 3

// name returns the clean name of a file, or an error for one that a package cannot
// have.
func (a *archive) name(f *zip.File) (string, error) {
	name := strings.TrimSuffix(f.Name, "/")
	bad := ""
	switch {
	case name == "":
		bad = "no name"
	case strings.ContainsRune(name, 0):
		bad = "a NUL byte"
	case strings.Contains(name, `\`) && (f.CreatorVersion>>8 != madeByUnix || slices.Contains(strings.Split(name, `\`), "..")):
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
		return "", a.errorf("make the archive anew, with relative names and slashes", "the name %q has %s", f.Name, bad)
	case len(parts) > 2*maxDepth:
		return "", a.errorf("", "the name %s has more than %d parts", show(f.Name), 2*maxDepth)
	}
	return path.Clean(name), nil
}

// add extracts a file or folder and remembers a link.
func (a *archive) add(ctx context.Context, f *zip.File) error {
	name, err := a.name(f)
	if err != nil {
		return err
	}
	mode := f.Mode()
	isDir := mode.IsDir() || strings.HasSuffix(f.Name, "/")
	switch {
	case name == ".":
		return nil
	case isDir:
		return a.folder(name)
	case a.seen[name]:
		return a.errorf("", "two files are called %s", show(name))
	case f.Flags&1 != 0:
		return a.errorf("make an archive without a password", "%s is encrypted", show(name))
	case mode&fs.ModeSymlink == 0 && !mode.IsRegular():
		return a.errorf("", "%s is neither a file nor a folder", show(name))
	}
	a.seen[name] = true
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

// copy writes the content of a file, as long as it is said to be.
func (a *archive) copy(ctx context.Context, w io.Writer, f *zip.File, name string) error {
	r, err := f.Open()
	if err != nil {
		return a.broken(name, err)
	}
	defer r.Close()
	n, err := io.Copy(w, io.LimitReader(&until{ctx, r}, a.left+1))
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

// until reads until a context ends.
type until struct {
	ctx context.Context
	r   io.Reader
}

func (u *until) Read(p []byte) (int, error) {
	if err := u.ctx.Err(); err != nil {
		return 0, err
	}
	return u.r.Read(p)
}

// link remembers a link until all files are there, so that none is written through
// one.
func (a *archive) link(f *zip.File, name string) error {
	r, err := f.Open()
	if err != nil {
		return a.broken(name, err)
	}
	defer r.Close()
	target, err := io.ReadAll(io.LimitReader(r, a.bounds.link+1))
	switch {
	case err != nil:
		return a.broken(name, err)
	case int64(len(target)) > a.bounds.link || len(target) == 0 || strings.ContainsRune(string(target), 0):
		return a.errorf("", "%s is a link to no possible name", show(name))
	}
	a.links[name] = string(target)
	return nil
}

// addLinks makes the links, and refuses those that do not lead to a file or folder
// of the archive.
func (a *archive) addLinks(ctx context.Context) error {
	names := sortedKeys(a.links)
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
			return a.errorf("a package may only link to its own files, by relative paths", "%s is a link to %s, which is no file of the archive", show(name), show(a.links[name]))
		}
	}
	return nil
}

func (a *archive) broken(name string, err error) error {
	switch {
	case errors.Is(err, zip.ErrAlgorithm):
		return a.errorf("make the archive anew, with deflate", "%s is compressed in a way that is not known", show(name))
	case errors.Is(err, zip.ErrFormat), errors.Is(err, zip.ErrChecksum), errors.Is(err, io.ErrUnexpectedEOF):
		return a.errorf("", "%s is damaged: %v", show(name), err)
	}
	return a.fail(name, err)
}

// fail returns an error of the system, or nil for none.
func (a *archive) fail(name string, err error) error {
	if err == nil {
		return nil
	}
	if le, ok := errors.AsType[*os.LinkError](err); ok {
		err = le.Err
	}
	e := yamlstrict.FileError(a.file, err)
	e.Msg = show(name) + ": " + e.Msg
	return e
}

// extractInto extracts an archive into a new folder below scratch and returns it.
func extractInto(ctx context.Context, file, scratch string, bounds zipBounds) (string, error) {
	dir, err := os.MkdirTemp(scratch, "package-")
	if err != nil {
		return "", yamlstrict.FileError(scratch, err)
	}
	if err := extract(ctx, file, dir, bounds); err != nil {
		os.RemoveAll(dir)
		return "", err
	}
	return dir, nil
}
