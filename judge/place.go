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

// place is where a report goes: a standard file, or one that is named. A regular file, or one
// that is not there yet, becomes what is written as a whole or stays as it was. What else is
// named, such as a pipe or a device, is written to at once.
type place struct {
	io.Writer        // nil until open, unless it is a standard file
	name      string // as the user calls it
	path      string // of a file that is named, without links if it is regular; else ""
	regular   bool   // or not there yet
	pending   *renameio.PendingFile
	file      *os.File
}

// locate returns the place that a name is for, and changes nothing.
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

// isFile reports whether w writes to a file.
func isFile(w io.Writer, file os.FileInfo) bool {
	f := tty.File(w)
	if f == nil {
		return false
	}
	info, err := f.Stat()
	return err == nil && os.SameFile(info, file)
}

// settled returns the full path, without links, of a file that may not be there yet.
func settled(name string) (string, error) {
	real, err := filepath.EvalSymlinks(name)
	if err == nil {
		return filepath.Abs(real)
	}
	if _, err := os.Lstat(name); err == nil {
		return "", fmt.Errorf("%s: a link that leads nowhere (hint: name a file that can be written)", name)
	}
	dir := filepath.Dir(name)
	if real, err = filepath.EvalSymlinks(dir); err != nil {
		return "", unable(dir, err)
	}
	return filepath.Abs(filepath.Join(real, filepath.Base(name)))
}

// unable says of a file or folder why it cannot be used.
func unable(name string, err error) error {
	if path, ok := errors.AsType[*os.PathError](err); ok {
		err = path.Err
	}
	return fmt.Errorf("%s: %w (hint: name a file that can be written)", name, err)
}

// same reports whether two reports that go there would meet.
func (p *place) same(q *place) bool {
	return p.path == q.path && (p.path != "" || p.Writer == q.Writer)
}

// open makes a place ready to be written to. That waits until somebody reads from a pipe, or
// the context ends.
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

// close lets go of the file. What was written becomes that file only if it is whole.
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

// inputs are the files that a command reads: these, and all below these folders. In those of
// the repository there is no room for others.
type inputs struct{ files, folders, house []string }

// inputs returns what is named by arguments, and what the repository is made of.
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

// spare refuses to write over an input. An earlier report that lies among them is none.
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

// within reports whether p is a file, or lies in a folder.
func (p *place) within(name string) bool {
	real, err := settled(name)
	return err == nil && (p.path == real || strings.HasPrefix(p.path, strings.TrimSuffix(real, "/")+"/"))
}

// isReport reports whether a file begins as the documents of the judge do.
func isReport(name string) bool {
	f, err := os.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return false
	}
	defer f.Close()
	head, _ := io.ReadAll(io.LimitReader(f, 256))
	return bytes.HasPrefix(head, []byte("{")) && bytes.Contains(head, []byte(`"tribunal/`))
}

// terminal is what an output can show.
type terminal struct {
	live, color bool
	width       int
}

// terminalOf looks at a writer and the environment; see https://no-color.org. What has no
// colours may still be drawn in place, and the log of a CI that shows colours is not drawn in.
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
