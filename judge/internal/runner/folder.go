package runner

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"time"

	"tribunal/judge/internal/content"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/system"
)

// File is a file or a folder in the Folder of a box.
type File struct {
	Name    string      // slash path below that folder
	Mode    fs.FileMode // permissions, regardless of the umask, and fs.ModeDir for a folder
	Time    time.Time   // last modification; set only for a file that was copied out
	Content content.Content
}

// CopyOut names a file or folder to copy out of the Folder of a box, if it exists.
type CopyOut struct {
	Name string       // slash path
	Most limits.Bytes // of a file, only the first Most bytes are copied; a folder with more in its files is an error
	// Files is 0 for a regular file. For a folder, which is copied as a whole, it is the largest
	// number of files and folders in it.
	Files int
}

// Copy is a file or a folder that was copied out.
type Copy struct {
	Content content.Content // of a regular file
	Files   []File          // contents of a folder, by paths below it; each folder precedes its contents
	Err     error           // why nothing was copied, see [sandbox.Remains]
}

// Copies holds what was copied out, by name. The zero value is empty.
type Copies struct {
	copies map[string]Copy
	large  []*os.File // memory files that hold contents
}

// Get returns the copy of the file or folder with a name. Nothing is copied, and Err is
// fs.ErrNotExist, after a program that did not exit by itself.
func (c *Copies) Get(name string) Copy {
	if copied, ok := c.copies[name]; ok {
		return copied
	}
	return Copy{Err: &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}}
}

// Put adds a copy under a name and takes over the files that hold its contents.
func (c *Copies) Put(name string, copied Copy, files ...*os.File) {
	if c.copies == nil {
		c.copies = map[string]Copy{}
	}
	c.copies[name], c.large = copied, append(c.large, files...)
}

// Close releases all contents, which must not be read any more.
func (c *Copies) Close() error {
	var errs []error
	for _, f := range c.large {
		errs = append(errs, f.Close())
	}
	*c = Copies{}
	return errors.Join(errs...)
}

// size returns the total size of the files in In.
func (p *Program) size() (n limits.Bytes) {
	for _, in := range p.In {
		n += limits.Bytes(in.Content.Size())
	}
	return n
}

// copyOut copies the files in Out from the box of a run with result r.
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
	return Hold(io.LimitReader(f, size), size) // no more than size, even if the file still grows
}

// Hold reads size bytes into memory. A large content goes into a sealed memory file, which the
// caller must close.
func Hold(from io.Reader, size int64) (content.Content, []*os.File, error) {
	if size <= content.InMemory {
		data, err := io.ReadAll(from)
		return content.Of(data), nil, err
	}
	sealed, err := sandbox.MemCopy(from)
	if err != nil {
		return content.Content{}, nil, err
	}
	c, err := content.File("a copy", func() (*os.File, error) { return system.Reopen(sealed) })
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
