package main

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

	"github.com/google/renameio/v2"
	"golang.org/x/term"

	"tribunal/judge/internal/tty"
)

// place is where a report goes: a standard file, or a file that the user names. A regular file is
// replaced by the whole report at the end, or stays as it was. A pipe or a device is written to at
// once.
type place struct {
	io.Writer        // nil until open, unless it is a standard file
	name      string // as the user wrote it
	path      string // absolute, without links if the file is regular; "" for a standard file
	regular   bool   // or it does not exist yet
	pending   *renameio.PendingFile
	file      *os.File
}

// locate returns the place that a name refers to. It opens and changes nothing.
func locate(std stdio, name string) (*place, error) {
	info, err := os.Stat(name)
	if strings.HasSuffix(name, "/") || err == nil && info.IsDir() {
		return nil, fmt.Errorf("%s: is a folder (hint: name a file)", name)
	}
	if err == nil {
		for _, w := range []io.Writer{std.out, std.err} {
			if isFile(w, info) {
				return &place{Writer: w}, nil
			}
		}
		if !info.Mode().IsRegular() {
			path, err := filepath.Abs(name)
			return &place{name: name, path: path}, err
		}
	}
	path, err := settled(name)
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

// settled returns the absolute path of a file, with symbolic links resolved. The file need not
// exist, but its folder must.
func settled(name string) (string, error) {
	real, err := filepath.EvalSymlinks(name)
	if err == nil {
		return filepath.Abs(real)
	}
	if _, err := os.Lstat(name); err == nil {
		return "", fmt.Errorf("%s: a dangling link (hint: name a file that can be written)", name)
	}
	dir := filepath.Dir(name)
	if real, err = filepath.EvalSymlinks(dir); err != nil {
		return "", unable(dir, err)
	}
	return filepath.Abs(filepath.Join(real, filepath.Base(name)))
}

// unable returns an error that says why a file or folder cannot be used.
func unable(name string, err error) error {
	if path, ok := errors.AsType[*os.PathError](err); ok {
		err = path.Err
	}
	return fmt.Errorf("%s: %w (hint: name a file that can be written)", name, err)
}

// same reports whether two places are the same file.
func (p *place) same(q *place) bool {
	return p.path == q.path && (p.path != "" || p.Writer == q.Writer)
}

// open opens a place for writing. For a named pipe it waits until the other end is open, or the
// context ends.
func (p *place) open(ctx context.Context) error {
	if p.regular {
		var err error
		if p.pending, err = renameio.NewPendingFile(p.path, renameio.WithPermissions(0o644), renameio.WithExistingPermissions()); err != nil {
			return unable(p.name, err)
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
			return unable(p.name, err)
		}
	case <-ctx.Done():
		return ctx.Err()
	}
	p.Writer = tty.NewWriter(p.file, nil)
	return nil
}

// close closes the file. A regular file is replaced only if the report is whole.
func (p *place) close(whole bool) error {
	if w, ok := p.Writer.(*tty.Writer); ok && p.path != "" {
		if err := w.Flush(); err != nil {
			whole = false
		}
	}
	switch {
	case p.pending == nil && p.file == nil:
		return nil
	case p.file != nil:
		return p.file.Close()
	case whole:
		return errors.Join(p.pending.CloseAtomicallyReplace(), p.pending.Cleanup())
	}
	return p.pending.Cleanup()
}

// inputs lists what a command reads: files, the files below folders, and the repository's own files
// and folders (house), into which no report may be written at all.
type inputs struct{ files, folders, house []string }

// inputs returns the files and folders among the arguments, with those of the repository.
func (o *options) inputs(args []string) (in inputs) {
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
	if root, err := o.findRoot(); err == nil {
		for _, name := range []string{"problems", "cases", "reference", "runner.yaml"} {
			in.house = append(in.house, filepath.Join(root, name))
		}
	}
	return in
}

// spare returns an error if a report would replace an input. An earlier report in one of the
// folders may be replaced.
func (in inputs) spare(p *place) error {
	if !p.regular {
		return nil
	}
	for _, part := range in.house {
		if p.within(part) {
			return fmt.Errorf("would write into %s, which the judge reads (hint: name a file elsewhere)", part)
		}
	}
	info, err := os.Stat(p.path)
	if err != nil {
		return nil // nothing is there
	}
	for _, file := range in.files {
		if other, err := os.Stat(file); err == nil && os.SameFile(info, other) {
			return fmt.Errorf("would write over %s, which the judge reads (hint: name another file)", file)
		}
	}
	for _, folder := range in.folders {
		if p.within(folder) && !isReport(p.path) {
			return fmt.Errorf("would write over what is in %s, which the judge reads (hint: name another file)", folder)
		}
	}
	return nil
}

// within reports whether p is the named file, or lies in the named folder.
func (p *place) within(name string) bool {
	real, err := settled(name)
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

// terminal says what an output can show.
type terminal struct {
	live, color bool
	width       int
}

// terminalOf examines a writer and the environment; see https://no-color.org. A terminal without
// colours can still show a live display, and the log of a CI has colours, but no live display.
func terminalOf(w io.Writer) terminal {
	if !tty.IsTerminal(w) {
		return terminal{}
	}
	width, _, err := term.GetSize(int(tty.File(w).Fd()))
	if err != nil {
		width = 0
	}
	able := os.Getenv("TERM") != "dumb"
	return terminal{live: able && os.Getenv("CI") == "", color: able && os.Getenv("NO_COLOR") == "", width: width}
}
