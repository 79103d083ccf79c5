package run

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/content"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/sandbox"
)

// Folder is a folder that a program has besides the one where it starts: what it is given
// there, and what is copied out after its end. Nothing of it outlives the run. The zero value
// is none.
//
// In arguments that begin with Path and a slash, that is replaced by what the program has to
// call the folder where it runs.
type Folder struct {
	sandbox.Folder
	In  []File
	Out []CopyOut
}

// File is a file or a folder by its slash path.
type File struct {
	Name    string
	Mode    fs.FileMode // permissions, whatever the umask is, and fs.ModeDir for a folder
	Content content.Content
}

// CopyOut names what is copied out of a Folder if it is there: the beginning of a regular
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

// Close gives up all contents.
func (c *Copies) Close() error {
	var errs []error
	for _, f := range c.large {
		errs = append(errs, f.Close())
	}
	*c = Copies{}
	return errors.Join(errs...)
}

// spec describes the box that a program with the folder needs.
func (f Folder) spec(p *build.Program) sandbox.Spec {
	spec := p.Spec()
	spec.Folder = f.Folder
	return spec
}

// args returns arguments as they are in a box.
func (f Folder) args(box sandbox.Box, args []string) []string {
	if f.Path == "" {
		return args
	}
	args = slices.Clone(args)
	for i, arg := range args {
		if below, ok := strings.CutPrefix(arg, f.Path+"/"); ok {
			args[i] = box.Path(f.Path) + "/" + below
		}
	}
	return args
}

func (f Folder) placed() (list []sandbox.File) {
	for _, in := range f.In {
		list = append(list, sandbox.File{Name: in.Name, Mode: in.Mode, From: in.Content.Reader})
	}
	return list
}

// size is how many bytes the program can read of what it is given.
func (f Folder) size() (n limits.Bytes) {
	for _, in := range f.In {
		n += limits.Bytes(in.Content.Size())
	}
	return n
}

// copyOut copies what is wanted out of the box of a run that came to this.
func (f Folder) copyOut(box sandbox.Box, r sandbox.Result) (c Copies, err error) {
	if len(f.Out) == 0 || r.Stop != sandbox.Exited {
		return c, nil
	}
	left, err := box.Remains()
	if err != nil {
		return c, err
	}
	c.copies = map[string]Copy{}
	for _, out := range f.Out {
		var copied Copy
		if out.Files > 0 {
			copied.Files, copied.Err = copyFolder(left, out)
		} else {
			copied.Content, copied.Err = c.file(left, out)
		}
		c.copies[out.Name] = copied
	}
	return c, nil
}

// file copies a file, a large one into a file in memory that nobody can change.
func (c *Copies) file(left *sandbox.Remains, out CopyOut) (content.Content, error) {
	f, err := left.Open(out.Name)
	if err != nil {
		return content.Content{}, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return content.Content{}, err
	}
	from := io.LimitReader(f, min(int64(out.Most), info.Size())) // no more, should it still grow
	if info.Size() <= content.InMemory {
		data, err := io.ReadAll(from)
		return content.Of(data), err
	}
	sealed, err := sandbox.MemCopy(from)
	if err != nil {
		return content.Content{}, err
	}
	c.large = append(c.large, sealed)
	return content.File(out.Name, func() (*os.File, error) { return os.Open(fmt.Sprintf("/proc/self/fd/%d", sealed.Fd())) })
}

func copyFolder(left *sandbox.Remains, out CopyOut) (list []File, err error) {
	bounds := sandbox.Bounds{Bytes: out.Most, Files: out.Files}
	err = left.Walk(out.Name, bounds, func(name string, info fs.FileInfo, data io.Reader) error {
		f := File{Name: name, Mode: info.Mode()}
		if !info.IsDir() {
			text, err := io.ReadAll(data)
			if err != nil {
				return err
			}
			f.Content = content.Of(text)
		}
		list = append(list, f)
		return nil
	})
	return list, err
}
