package kattis

import (
	"context"
	"errors"
	"os"
	"path"
	"sync"

	"golang.org/x/sys/unix"

	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/fixture"
)

// mapAbove is the size in bytes above which a file is mapped rather than read.
const mapAbove = 64 << 20

// content gives the bytes of large files. They are mapped once, read-only, and the
// kernel loads and drops their pages as they are used.
type content struct {
	mu     sync.Mutex
	maps   map[string][]byte
	closed bool
}

// Make returns the bytes of a case of [Package.List], which is looked up by its
// name. Files of more than 64 MiB are mapped: their bytes may be used until
// [Package.Close], and must not be if the file is cut short meanwhile. It is safe
// for concurrent use.
func (p *Package) Make(ctx context.Context, c *cases.Case) (fixture.Fixture, error) {
	f := fixture.Fixture{Name: c.Name}
	own := p.Case(c.Name)
	if own == nil {
		return f, p.files.errorf("data", 0, "", "no case %s", c.Name)
	}
	if err := ctx.Err(); err != nil {
		return f, err
	}
	var err error
	if f.Input, err = p.Bytes(own.Input); err != nil {
		return f, err
	}
	f.Want, err = p.Bytes(own.Answer)
	return f, err
}

// Bytes returns the content of a file of the package, as Make does; that of "" is
// empty.
func (p *Package) Bytes(rel string) ([]byte, error) {
	if rel == "" {
		return []byte{}, nil
	}
	info, err := p.files.root.Stat(rel)
	if err != nil {
		return nil, p.files.fail(rel, err)
	}
	if info.Mode().IsRegular() && info.Size() > mapAbove {
		return p.mapped(rel, info.Size())
	}
	data, err := p.files.read(rel, mapAbove)
	if err == nil && data == nil {
		return nil, p.files.fail(rel, os.ErrNotExist)
	}
	return data, err
}

// Beside returns the files that a submission finds where it starts on a case, by slash
// paths, as Make returns others; nil if there are none.
func (p *Package) Beside(c *Case) (map[string][]byte, error) {
	var files map[string][]byte
	for _, name := range c.Inside {
		data, err := p.Bytes(path.Join(c.Files, name))
		if err != nil {
			return nil, err
		}
		if files == nil {
			files = map[string][]byte{}
		}
		files[name] = data
	}
	return files, nil
}

// mapped returns the content of a file that the kernel pages in.
func (p *Package) mapped(rel string, size int64) ([]byte, error) {
	p.content.mu.Lock()
	defer p.content.mu.Unlock()
	if b, ok := p.content.maps[rel]; ok {
		return b, nil
	}
	if p.content.closed {
		return nil, p.files.fail(rel, os.ErrClosed)
	}
	f, err := p.files.root.Open(rel)
	if err != nil {
		return nil, p.files.fail(rel, err)
	}
	defer f.Close()
	b, err := unix.Mmap(int(f.Fd()), 0, int(size), unix.PROT_READ, unix.MAP_PRIVATE)
	if err != nil {
		return nil, p.files.fail(rel, err)
	}
	if p.content.maps == nil {
		p.content.maps = map[string][]byte{}
	}
	p.content.maps[rel] = b
	return b, nil
}

// Close unmaps what Make has mapped. What was extracted stays in scratch, which is
// the caller's. It may be called again.
func (p *Package) Close() error {
	p.content.mu.Lock()
	defer p.content.mu.Unlock()
	if p.content.closed {
		return nil
	}
	p.content.closed = true
	errs := []error{p.files.root.Close()}
	for _, b := range p.content.maps {
		errs = append(errs, unix.Munmap(b))
	}
	p.content.maps = nil
	return errors.Join(errs...)
}
