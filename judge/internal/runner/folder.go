package runner

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"tribunal/judge/internal/content"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/sandbox"
)

// File is a file or a folder by its slash path below the Folder of a box.
type File struct {
	Name    string
	Mode    fs.FileMode // permissions, whatever the umask is, and fs.ModeDir for a folder
	Time    time.Time   // when it was last changed, of a file that was copied out
	Content content.Content
}

// CopyOut names what is copied out of the Folder of a box if it is there: the beginning of a regular
// file, up to Most bytes, or, with Files, a folder and all in it, of so many files and folders
// and with Most bytes in files together.
type CopyOut struct {
	Name  string // slash path
	Most  limits.Bytes
	Files int
}

// Copy is what was copied out.
type Copy struct {
	Content content.Content // of a file
	Files   []File          // of a folder, by their paths below it, a folder before what is in it
	Err     error           // why there is nothing: see [sandbox.Remains]
}

// Copies are what was copied out, by name.
type Copies struct {
	copies map[string]Copy
	large  []*os.File // without names
}

// Get returns what was copied under a name. Of a program that did not end by itself nothing
// was.
func (c *Copies) Get(name string) Copy {
	if copied, ok := c.copies[name]; ok {
		return copied
	}
	return Copy{Err: &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}}
}

// Put notes what was copied under a name, and takes files over that hold contents of it.
func (c *Copies) Put(name string, copied Copy, files ...*os.File) {
	if c.copies == nil {
		c.copies = map[string]Copy{}
	}
	c.copies[name], c.large = copied, append(c.large, files...)
}

// Close gives up all contents.
func (c *Copies) Close() error {
	var errs []error
	for _, f := range c.large {
		errs = append(errs, f.Close())
	}
	*c = Copies{}
	return errors.Join(errs...)
}

// size is how many bytes the program can read of what it is given.
func (p *Program) size() (n limits.Bytes) {
	for _, in := range p.In {
		n += limits.Bytes(in.Content.Size())
	}
	return n
}

// copyOut copies what is wanted out of the box of a run that came to this.
func (p *Program) copyOut(box sandbox.Box, r sandbox.Result) (c Copies, err error) {
	if len(p.Out) == 0 || r.Stop != sandbox.Exited {
		return c, nil
	}
	left, err := box.Remains()
	if err != nil {
		return c, err
	}
	for _, out := range p.Out {
		if out.Files > 0 {
			files, sealed, err := copyFolder(left, out)
			c.Put(out.Name, Copy{Files: files, Err: err}, sealed...)
			continue
		}
		copied, sealed, err := copyFile(left, out)
		c.Put(out.Name, Copy{Content: copied, Err: err}, sealed...)
	}
	return c, nil
}

func copyFile(left *sandbox.Remains, out CopyOut) (content.Content, []*os.File, error) {
	f, err := left.Open(out.Name)
	if err != nil {
		return content.Content{}, nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return content.Content{}, nil, err
	}
	size := min(int64(out.Most), info.Size())
	return Hold(io.LimitReader(f, size), size) // no more, should it still grow
}

// Hold reads a content of a size, a large one into a file in memory that nobody can change,
// which is the caller's to close.
func Hold(from io.Reader, size int64) (content.Content, []*os.File, error) {
	if size <= content.InMemory {
		data, err := io.ReadAll(from)
		return content.Of(data), nil, err
	}
	sealed, err := sandbox.MemCopy(from)
	if err != nil {
		return content.Content{}, nil, err
	}
	c, err := content.File("a copy", func() (*os.File, error) { return os.Open(fmt.Sprintf("/proc/self/fd/%d", sealed.Fd())) })
	return c, []*os.File{sealed}, err
}

func copyFolder(left *sandbox.Remains, out CopyOut) (list []File, large []*os.File, err error) {
	bounds := sandbox.Bounds{Bytes: out.Most, Files: out.Files}
	err = left.Walk(out.Name, bounds, func(name string, info fs.FileInfo, data io.Reader) error {
		f := File{Name: name, Mode: info.Mode(), Time: info.ModTime()}
		if !info.IsDir() {
			var sealed []*os.File
			var err error
			if f.Content, sealed, err = Hold(data, info.Size()); err != nil {
				return err
			}
			large = append(large, sealed...)
		}
		list = append(list, f)
		return nil
	})
	return list, large, err
}
