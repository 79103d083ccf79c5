package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"tribunal/judge/internal/system"
	"tribunal/judge/internal/tty"
)

// place is the destination of a report: a standard file, or a file that the user names. A regular
// file is replaced when the report is complete, or stays unchanged. A report to a pipe or a device
// is written as it comes.
type place struct {
	io.Writer        // nil before open, except for a standard file
	name      string // the path as the user wrote it
	path      string // the absolute path, symbolic links resolved if regular; "" for a standard file
	regular   bool   // whether the file is regular or does not exist yet
	folder    bool   // whether it is a folder, in which the report writes files; then Writer is not used
	pending   *system.PendingFile
	file      *os.File
}

// locate returns the place that a path names. It neither opens nor changes the file.
func locate(std Stdio, name string) (*place, error) {
	info, err := os.Stat(name)
	if strings.HasSuffix(name, "/") || err == nil && info.IsDir() {
		return nil, fmt.Errorf("%s: is a folder (hint: name a file)", name)
	}
	if err == nil {
		for _, w := range []io.Writer{std.Out, std.Err} {
			if isFile(w, info) {
				return &place{Writer: w}, nil
			}
		}
		if !info.Mode().IsRegular() {
			path, err := filepath.Abs(name)
			return &place{name: name, path: path}, err
		}
	}
	path, err := RealPath(name)
	return &place{name: name, path: path, regular: true}, err
}

// isFile reports whether w writes to the given file.
func isFile(w io.Writer, file os.FileInfo) bool {
	f := tty.File(w)
	if f == nil {
		return false
	}
	info, err := f.Stat()
	return err == nil && os.SameFile(info, file)
}

// RealPath returns the absolute path of a file, with symbolic links resolved. The file need not
// exist, but its folder must.
func RealPath(name string) (string, error) {
	real, err := filepath.EvalSymlinks(name)
	if err == nil {
		return filepath.Abs(real)
	}
	if _, err := os.Lstat(name); err == nil {
		return "", fmt.Errorf("%s: a dangling symbolic link (hint: name a file that can be written)", name)
	}
	dir := filepath.Dir(name)
	if real, err = filepath.EvalSymlinks(dir); err != nil {
		return "", pathError(dir, err)
	}
	return filepath.Abs(filepath.Join(real, filepath.Base(name)))
}

// pathError returns an error with the reason why a report cannot be written to a file or folder.
func pathError(name string, err error) error {
	if path, ok := errors.AsType[*os.PathError](err); ok {
		err = path.Err
	}
	hint := "name a file that can be written"
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		hint = "free some space, or name a file on another disk"
	}
	return fmt.Errorf("%s: %w (hint: %s)", name, err, hint)
}

// same reports whether two places are the same file, or one is in the folder of the other.
func (p *place) same(q *place) bool {
	if p.folder && q.path != "" && q.within(p.path) || q.folder && p.path != "" && p.within(q.path) {
		return true
	}
	return p.path == q.path && (p.path != "" || p.Writer == q.Writer)
}

// open opens a place for writing. For a named pipe, open waits until a reader has opened it or ctx
// is cancelled.
func (p *place) open(ctx context.Context) error {
	if p.folder {
		if err := os.MkdirAll(p.path, 0o755); err != nil {
			return pathError(p.name, err)
		}
		return nil
	}
	if p.regular {
		var err error
		if p.pending, err = system.NewPendingFile(p.path); err != nil {
			return pathError(p.name, err)
		}
		p.Writer = tty.NewWriter(p.pending, nil)
		return nil
	}
	opened := make(chan error, 1)
	go func() {
		var err error
		p.file, err = os.OpenFile(p.path, os.O_WRONLY, 0)
		opened <- err
	}()
	select {
	case err := <-opened:
		if err != nil {
			return pathError(p.name, err)
		}
	case <-ctx.Done():
		return ctx.Err()
	}
	p.Writer = tty.NewWriter(p.file, nil)
	return nil
}

// folderPath returns the path of a folder, or "" for a file.
func (p *place) folderPath() string {
	if p.folder {
		return p.path
	}
	return ""
}

// close closes the file. It replaces a regular file only if the report is whole and was written
// without an error.
func (p *place) close(whole bool) error {
	var err error
	if w, ok := p.Writer.(*tty.Writer); ok && p.path != "" {
		err = w.Flush()
	}
	switch {
	case p.pending == nil && p.file == nil:
		return nil
	case p.file != nil:
		return errors.Join(err, p.file.Close())
	case whole && err == nil:
		return errors.Join(p.pending.CloseAtomicallyReplace(), p.pending.Cleanup())
	}
	return errors.Join(err, p.pending.Cleanup())
}

// inputs lists what a command reads: the files and folders among its arguments, and the parts of
// the repository, into which no report may be written.
type inputs struct{ files, folders, repository []string }

// inputs returns what a command with these arguments reads.
func (o *App) inputs(args []string) (in inputs) {
	for _, arg := range args {
		info, err := os.Stat(arg)
		switch {
		case err != nil:
		case info.IsDir():
			in.folders = append(in.folders, arg)
		case info.Mode().IsRegular():
			in.files = append(in.files, arg)
		}
	}
	if root, err := o.FindRoot(); err == nil {
		for _, name := range []string{"problems", "cases", "reference", "runner.yaml"} {
			in.repository = append(in.repository, filepath.Join(root, name))
		}
	}
	return in
}

// Protect returns an error if writing a file would replace what a command with these arguments reads.
func (o *App) Protect(name string, args []string) error {
	path, err := RealPath(name)
	if err != nil {
		return nil // writing it will fail, too, and say why
	}
	if err := o.inputs(args).protect(&place{name: name, path: path, regular: true}); err != nil {
		return Usage(fmt.Errorf("%s: %w", name, err))
	}
	return nil
}

// protect returns an error if writing a report to p would replace an input. An earlier report in a
// folder outside of the repository may be replaced.
func (in inputs) protect(p *place) error {
	if !p.regular && !p.folder {
		return nil
	}
	for _, part := range in.repository {
		if p.within(part) {
			return fmt.Errorf("would write into %s, which the judge reads (hint: name a file elsewhere)", part)
		}
	}
	if p.folder {
		for _, folder := range in.folders {
			if real, err := RealPath(folder); err == nil && (p.within(folder) || strings.HasPrefix(real, strings.TrimSuffix(p.path, "/")+"/")) {
				return fmt.Errorf("would write beside what the judge reads in %s (hint: name a folder of its own)", folder)
			}
		}
		for _, part := range in.repository {
			if real, err := RealPath(part); err == nil && filepath.Dir(real) == p.path {
				return fmt.Errorf("is the folder of the repository (hint: name a folder of its own)")
			}
		}
		return nil
	}
	info, err := os.Stat(p.path)
	if err != nil {
		return nil // a new file replaces nothing
	}
	for _, file := range in.files {
		if other, err := os.Stat(file); err == nil && os.SameFile(info, other) {
			return fmt.Errorf("would overwrite %s, which the judge reads (hint: name another file)", file)
		}
	}
	for _, folder := range in.folders {
		if p.within(folder) && !isReport(p.path) {
			return fmt.Errorf("would overwrite a file in %s, which the judge reads (hint: name another file)", folder)
		}
	}
	return nil
}

// within reports whether p is the named file, or lies in the named folder.
func (p *place) within(name string) bool {
	real, err := RealPath(name)
	return err == nil && (p.path == real || strings.HasPrefix(p.path, strings.TrimSuffix(real, "/")+"/"))
}

// isReport reports whether a file begins like a JSON document of the judge.
func isReport(name string) bool {
	f, err := os.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return false
	}
	defer f.Close()
	head, _ := io.ReadAll(io.LimitReader(f, 256))
	return bytes.HasPrefix(head, []byte("{")) && bytes.Contains(head, []byte(`"tribunal/`))
}
