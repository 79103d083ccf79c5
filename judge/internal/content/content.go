// Package content holds test data of any size, either in memory or as a file that is read in
// windows.
package content

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"

	"tribunal/judge/internal/system"
)

// InMemory is the size in bytes up to which data is best held in memory.
const InMemory = 1 << 20

// Content is bytes that do not change. The zero value is empty. It is safe for concurrent
// use and may be copied.
type Content struct {
	data []byte
	file *file // if not nil, it holds the bytes instead
}

// file is a file as it was when its Content was made. It is opened for each reading, so that
// nothing has to be closed.
type file struct {
	name string
	open func() (*os.File, error)
	was  identity
}

// identity changes whenever a file is written to through its file system.
type identity = system.Identity

// Of returns the content data, which must not be changed any more.
func Of(data []byte) Content { return Content{data: data} }

// File returns the content of a file as it is now. open opens the file; the content closes it
// again. name is its name in messages. If the file is written to later, reading the content fails
// with a [*ChangedError].
func File(name string, open func() (*os.File, error)) (Content, error) {
	f, err := open()
	if err != nil {
		return Content{}, err
	}
	defer f.Close()
	was, err := system.Identify(f)
	return Content{file: &file{name, open, was}}, err
}

// ChangedError reports that a file has changed since its Content was made.
type ChangedError struct{ Name string }

func (e *ChangedError) Error() string { return e.Name + " changed while it was read" }

// Size returns the number of bytes.
func (c Content) Size() int64 {
	if c.file != nil {
		return c.file.was.Size
	}
	return int64(len(c.data))
}

// Held returns the bytes if they are in memory. They must not be changed.
func (c Content) Held() (data []byte, ok bool) { return c.data, c.file == nil }

// Bytes returns the bytes, and reads them into memory if they are not there. They must not be
// changed.
func (c Content) Bytes() ([]byte, error) {
	if c.file == nil {
		return c.data, nil
	}
	data := make([]byte, c.Size())
	_, err := c.ReadAt(data, 0)
	return data, err
}

// Start returns the first most bytes, or all if there are not more.
func (c Content) Start(most int64) ([]byte, error) {
	text := make([]byte, min(most, c.Size()))
	_, err := c.ReadAt(text, 0)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return text, err
}

func (c Content) ReadAt(p []byte, off int64) (int, error) {
	o := c.Open()
	defer o.Close()
	return o.ReadAt(p, off)
}

// Open returns the content for many reads, during which a file is opened only once. The caller
// closes it.
func (c Content) Open() *Opened { return &Opened{of: c} }

// Opened is an open Content, for one goroutine at a time.
type Opened struct {
	of   Content
	file *os.File // nil until the first read of a file
}

func (o *Opened) Size() int64 { return o.of.Size() }

func (o *Opened) ReadAt(p []byte, off int64) (n int, err error) {
	from := o.of.file
	if from == nil {
		return bytes.NewReader(o.of.data).ReadAt(p, off)
	}
	if off < 0 {
		return 0, fmt.Errorf("%s: read at %d", from.name, off)
	}
	if err := o.open(); err != nil {
		return 0, err
	}
	want := max(0, min(int64(len(p)), o.Size()-off))
	n, err = o.file.ReadAt(p[:want], off)
	if changed := from.check(o.file); changed != nil {
		return 0, changed
	}
	if err == nil && want < int64(len(p)) {
		err = io.EOF
	}
	return n, err
}

// open opens the file unless it is open.
func (o *Opened) open() (err error) {
	if o.file == nil {
		o.file, err = o.of.file.open()
	}
	return err
}

// Close closes the file. The content can still be read, which opens the file again.
func (o *Opened) Close() error {
	if o.file == nil {
		return nil
	}
	f := o.file
	o.file = nil
	return f.Close()
}

// check returns a *ChangedError if an open file has changed.
func (o *file) check(f *os.File) error {
	if now, err := system.Identify(f); err != nil || now != o.was {
		return &ChangedError{o.name}
	}
	return nil
}

// Reader returns a reader of the bytes from their start.
func (c Content) Reader() io.Reader {
	if c.file == nil {
		return bytes.NewReader(c.data)
	}
	return &reader{of: c}
}

// reader reads in windows, whatever the sizes of its Read calls.
type reader struct {
	of     Content
	at     int64 // end of the last window in the file
	window []byte
	rest   []byte // the unread part of the window
}

// Window is how much of a file is in memory at a time, in bytes.
const Window = 256 << 10

// next reads the next window.
func (r *reader) next(from io.ReaderAt) error {
	if r.at == r.of.Size() {
		return io.EOF
	}
	if r.window == nil {
		r.window = make([]byte, min(Window, r.of.Size()))
	}
	n, err := from.ReadAt(r.window, r.at)
	if n == 0 && err == io.EOF {
		err = io.ErrUnexpectedEOF // a file of the kernel's, which claims to be larger than it is
	} else if err == io.EOF {
		err = nil
	}
	if err != nil {
		return err
	}
	r.at, r.rest = r.at+int64(n), r.window[:n]
	return nil
}

func (r *reader) Read(p []byte) (int, error) {
	if len(r.rest) == 0 {
		if err := r.next(r.of); err != nil {
			return 0, err
		}
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

// WriteTo writes the rest of the content.
func (r *reader) WriteTo(w io.Writer) (total int64, err error) {
	o := r.of.Open()
	defer o.Close()
	to, isFile := w.(*os.File)
	for {
		n := 0
		if len(r.rest) == 0 && isFile {
			if n, err = r.writeMapped(o, to); err != nil {
				return total + int64(n), err
			}
		}
		if n == 0 {
			if len(r.rest) == 0 {
				err = r.next(o)
			}
			if err == io.EOF {
				return total, nil
			}
			if err != nil {
				return total, err
			}
			n, err = w.Write(r.rest)
			r.rest = r.rest[n:]
		}
		total += int64(n)
		if err != nil {
			return total, err
		}
	}
}

// mapWindow is how much of a file is mapped at a time, in bytes: whole huge pages of the file that it
// is written to.
const mapWindow = 2 << 20

// writeMapped writes the next part to a file, and returns 0 if that part has to be read instead. The
// kernel copies from a map, which takes half the time of reading and writing. Only the kernel reads
// the map: if another program cuts the file short, the call fails, while this process would die if
// it read the map itself.
func (r *reader) writeMapped(o *Opened, to *os.File) (n int, err error) {
	size := min(mapWindow, r.of.Size()-r.at)
	if err := o.open(); err != nil || size == 0 {
		return 0, err
	}
	n, err = system.CopyMapped(to, o.file, r.at, int(size))
	if n == 0 && err == nil {
		return 0, nil
	}
	r.at += int64(n)
	if errors.Is(err, syscall.EFAULT) {
		err = nil // the next part is read instead, and that error tells the cause
	}
	return n, cmp.Or(r.of.file.check(o.file), err)
}
