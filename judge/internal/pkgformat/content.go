package pkgformat

import (
	"context"
	"os"
	"path"

	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/content"
	"tribunal/judge/internal/fixture"
	"tribunal/judge/internal/regular"
)

// Make returns the bytes of a case of [Package.List], which is looked up by its
// name. Large files are read as they are needed, until [Package.Close], and must not
// change meanwhile. It is safe for concurrent use.
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
	if f.Input, err = p.Content(own.Input); err != nil {
		return f, err
	}
	f.Want, err = p.Content(own.Answer)
	return f, err
}

// Content returns the content of a file of the package, as Make does; that of "" is
// empty.
func (p *Package) Content(rel string) (content.Content, error) {
	if rel == "" {
		return content.Content{}, nil
	}
	info, err := p.files.root.Stat(rel)
	if err != nil {
		return content.Content{}, p.files.fail(rel, err)
	}
	if info.Mode().IsRegular() && info.Size() > content.InMemory {
		c, err := content.File(p.Show(rel), func() (*os.File, error) {
			f, _, err := regular.OpenIn(p.files.root, rel)
			return f, err
		})
		if err != nil {
			return c, p.files.fail(rel, err)
		}
		return c, nil
	}
	data, err := p.files.read(rel, content.InMemory)
	if err == nil && data == nil {
		err = p.files.fail(rel, os.ErrNotExist)
	}
	return content.Of(data), err
}

// Bytes returns the content of a file of the package in memory; that of "" is empty.
func (p *Package) Bytes(rel string) ([]byte, error) {
	c, err := p.Content(rel)
	if err != nil {
		return nil, err
	}
	return c.Bytes()
}

// Beside returns the files that a submission finds where it starts on a case, by slash
// paths; nil if there are none.
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

// Close ends the reading of files. What was extracted stays in scratch, which is
// the caller's. It may be called again.
func (p *Package) Close() error { return p.files.root.Close() }
