package pkgexport

import (
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"
)

// TargetError reports that a package cannot be written to its target.
type TargetError struct {
	Target string
	Err    error
	Hint   string
}

func (e *TargetError) Error() string {
	return fmt.Sprintf("%s: %v (hint: %s)", e.Target, e.Err, e.Hint)
}

// Unwrap returns the cause.
func (e *TargetError) Unwrap() error { return e.Err }

// IsArchive reports whether a target with this name is written as an archive, by its extension.
func IsArchive(target string) bool {
	switch strings.ToLower(filepath.Ext(target)) {
	case ".zip", ".kpp":
		return true
	}
	return false
}

// CheckTarget checks that a package can be written to target, so that a caller can fail before it
// does any work. The error is a [*TargetError].
func CheckTarget(target string) error {
	bad := func(err error, hint string) error { return &TargetError{target, err, hint} }
	info, err := os.Stat(target)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return bad(cause(err), "name another target with -o")
	case info.IsDir() && !IsArchive(target):
		if list, err := os.ReadDir(target); err != nil {
			return bad(cause(err), "name another target with -o")
		} else if len(list) > 0 {
			return bad(errors.New("the folder is not empty"), "remove it, or name another target with -o")
		}
	case info.Mode().IsRegular() && IsArchive(target) && info.Size() == 0:
	default:
		return bad(errors.New("it already exists"), "remove it, or name another target with -o")
	}
	if info, err := os.Stat(filepath.Dir(target)); err != nil {
		return bad(fmt.Errorf("%s: %w", filepath.Dir(target), cause(err)), "create this folder first")
	} else if !info.IsDir() {
		return bad(fmt.Errorf("%s: not a folder", filepath.Dir(target)), "name another target with -o")
	}
	return nil
}

// cause returns the error of the operating system without the operation and the path, because that
// path may be temporary.
func cause(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err
	}
	if e, ok := errors.AsType[*os.LinkError](err); ok {
		return e.Err
	}
	return err
}

// writeTo writes the files to a temporary folder beside the target and then renames the result. In a wrapped archive they are in one folder.
func writeTo(ctx context.Context, target string, wrapped bool, files []file) error {
	unwritable := func(err error) error {
		return &TargetError{target, cause(err), "name a target that can be written, on a disk with enough space"}
	}
	holder, err := os.MkdirTemp(filepath.Dir(target), "."+filepath.Base(target)+"-")
	if err != nil {
		return unwritable(err)
	}
	defer os.RemoveAll(holder)
	whole := filepath.Join(holder, "package")
	write := writeFolder
	if IsArchive(target) {
		top := ""
		if wrapped { // in a single folder, named like the archive
			top = strings.TrimSuffix(filepath.Base(target), filepath.Ext(target)) + "/"
		}
		write = func(ctx context.Context, whole string, files []file, fail func(error) error) error {
			return writeArchive(ctx, whole, top, files, fail)
		}
	}
	if err := write(ctx, whole, files, unwritable); err != nil {
		return err
	}
	if err := os.Rename(whole, target); err != nil {
		return unwritable(err)
	}
	return nil
}

// writeFolder writes the files below a new folder. It returns an error of writing as fail(err).
func writeFolder(ctx context.Context, dir string, files []file, fail func(error) error) error {
	if err := os.Mkdir(dir, 0o777); err != nil {
		return fail(err)
	}
	for _, f := range files {
		data, err := f.content(ctx)
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
		name := filepath.Join(dir, filepath.FromSlash(f.name))
		mode := fs.FileMode(0o666)
		if f.executable {
			mode = 0o777
		}
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			return fail(err)
		}
		if err := os.WriteFile(name, data, mode); err != nil {
			return fail(err)
		}
	}
	return nil
}

// epoch is the time of every file in an archive: the earliest that the zip format can express.
var epoch = time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)

// writeArchive writes the files to a zip archive, with top before their names, and entries of the folders before those
// of their files: without them DOMjudge drops submissions of several files. It returns an error of writing as fail(err).
func writeArchive(ctx context.Context, name, top string, files []file, fail func(error) error) error {
	out, err := os.Create(name)
	if err != nil {
		return fail(err)
	}
	defer out.Close()
	z := zip.NewWriter(out)
	made := map[string]bool{".": true}
	var addFolder func(dir string) error
	addFolder = func(dir string) error {
		if made[dir] {
			return nil
		}
		made[dir] = true
		if err := addFolder(path.Dir(dir)); err != nil {
			return err
		}
		h := &zip.FileHeader{Name: dir + "/", Modified: epoch}
		h.SetMode(fs.ModeDir | 0o755)
		return addTo(z, h, nil)
	}
	for _, f := range files {
		data, err := f.content(ctx)
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
		h := &zip.FileHeader{Name: path.Clean(top + f.name), Method: zip.Deflate, Modified: epoch}
		if err := addFolder(path.Dir(h.Name)); err != nil {
			return fail(err)
		}
		h.SetMode(0o644)
		if f.executable {
			h.SetMode(0o755)
		}
		if err := addTo(z, h, data); err != nil {
			return fail(err)
		}
	}
	if err := errors.Join(z.Close(), out.Close()); err != nil {
		return fail(err)
	}
	return nil
}

func addTo(z *zip.Writer, h *zip.FileHeader, data []byte) error {
	w, err := z.CreateHeader(h)
	if err != nil {
		return err
	}
	_, err = w.Write(data)
	return err
}
