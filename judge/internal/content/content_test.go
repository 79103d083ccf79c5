package content

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"testing/iotest"
	"time"
)

// TestContent reads files and compares them with their bytes in memory.
func TestContent(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "1.ans")
	for _, size := range []int{0, 1, Window - 1, Window, Window + 1, 3*Window + 5, mapWindow, 2*mapWindow + Window + 5} {
		data := bytes.Repeat([]byte("0123456789\n"), size/11+1)[:size]
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		inFile, err := File("1.ans", func() (*os.File, error) { return os.Open(path) })
		if err != nil {
			t.Fatal(err)
		}
		for what, c := range map[string]Content{"in memory": Of(data), "in a file": inFile} {
			if c.Size() != int64(size) {
				t.Errorf("%d bytes %s: the size is %d", size, what, c.Size())
			}
			if got, err := c.Bytes(); err != nil || !bytes.Equal(got, data) {
				t.Errorf("%d bytes %s: got %d (%v)", size, what, len(got), err)
			}
			for off := 0; off < size; off += size/10 + 1 {
				p := make([]byte, size/7+1)
				n, err := c.ReadAt(p, int64(off))
				if end := min(off+len(p), size); !bytes.Equal(p[:n], data[off:end]) || (err == io.EOF) != (n < len(p)) {
					t.Errorf("%d bytes %s: at %d: %d bytes, %v", size, what, off, n, err)
				}
			}
			if got, err := io.ReadAll(iotest.HalfReader(c.Reader())); err != nil || !bytes.Equal(got, data) {
				t.Errorf("%d bytes %s: read %d (%v)", size, what, len(got), err)
			}
			var b bytes.Buffer
			if n, err := io.Copy(&b, c.Reader()); n != int64(size) || err != nil || !bytes.Equal(b.Bytes(), data) {
				t.Errorf("%d bytes %s: copied %d (%v)", size, what, n, err)
			}
			for skipped := range 2 {
				r := c.Reader()
				_, _ = io.CopyN(io.Discard, onlyReader{r}, int64(skipped))
				n, err := copyToFile(t, r)
				if rest := data[min(skipped, size):]; err != nil || !bytes.Equal(n, rest) {
					t.Errorf("%d bytes %s: copied %d to a file after %d (%v)", size, what, len(n), skipped, err)
				}
			}
			if n, err := c.ReadAt(make([]byte, 1), c.Size()); n != 0 || err != io.EOF {
				t.Errorf("%d bytes %s: at the end %d bytes can be read (%v)", size, what, n, err)
			}
		}
	}
}

// onlyReader hides the other methods of a reader.
type onlyReader struct{ io.Reader }

// copyToFile copies r to a file and returns what the file holds.
func copyToFile(t *testing.T, r io.Reader) ([]byte, error) {
	t.Helper()
	f, err := os.Create(filepath.Join(t.TempDir(), "copy"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	n, err := io.Copy(f, r)
	got, failed := os.ReadFile(f.Name())
	if int64(len(got)) != n {
		t.Errorf("copied %d bytes, said to be %d", len(got), n)
	}
	return got, errors.Join(err, failed)
}

// TestChangedWhileCopied changes a file while the kernel copies it, from a map, into a pipe. The
// copying fails, and this process survives.
func TestChangedWhileCopied(t *testing.T) {
	t.Parallel()
	for why, change := range map[string]func(path string) error{
		"cut short": func(path string) error { return os.Truncate(path, 100) },
		"overwritten": func(path string) error {
			f, err := os.OpenFile(path, os.O_WRONLY, 0)
			if err != nil {
				return err
			}
			_, err = f.WriteString("x")
			return errors.Join(err, f.Close())
		},
	} {
		path := filepath.Join(t.TempDir(), "1.in")
		// The file is old, because a second change within one tick of the clock cannot be seen.
		if err := errors.Join(os.WriteFile(path, make([]byte, mapWindow), 0o600), os.Chtimes(path, time.Unix(0, 0), time.Unix(0, 0))); err != nil {
			t.Fatal(err)
		}
		c, err := File("data/1.in", func() (*os.File, error) { return os.Open(path) })
		if err != nil {
			t.Fatal(err)
		}
		read, write, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		defer read.Close()
		copied := make(chan error)
		go func() {
			_, err := io.Copy(write, c.Reader())
			write.Close()
			copied <- err
		}()
		if _, err := io.ReadFull(read, make([]byte, 10)); err != nil {
			t.Fatal(err)
		}
		if err := change(path); err != nil {
			t.Fatal(err)
		}
		n, err := io.Copy(io.Discard, read)
		if err != nil || why == "cut short" && n >= mapWindow-10 {
			t.Errorf("%s: %d bytes arrived afterwards (%v)", why, n, err)
		}
		if err := <-copied; err == nil || err.Error() != "data/1.in changed while it was read" {
			t.Errorf("%s: got %v", why, err)
		}
	}
}

// TestLargeCopyTakesNoMemory copies a large file to another, and reads it in windows, without
// holding it.
func TestLargeCopyTakesNoMemory(t *testing.T) {
	path := filepath.Join(t.TempDir(), "1.in")
	const size = 64 << 20
	if err := errors.Join(os.WriteFile(path, nil, 0o600), os.Truncate(path, size)); err != nil {
		t.Fatal(err)
	}
	c, err := File("1.in", func() (*os.File, error) { return os.Open(path) })
	if err != nil {
		t.Fatal(err)
	}
	to, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer to.Close()
	for what, read := range map[string]func() (int64, error){
		"to a file": func() (int64, error) { return io.Copy(to, c.Reader()) },
		"elsewhere": func() (int64, error) { return io.Copy(io.Discard, c.Reader()) },
		"in pieces": func() (n int64, err error) {
			o := c.Open()
			defer o.Close()
			for p := make([]byte, Window); n < size && err == nil; n += Window {
				_, err = o.ReadAt(p, n)
			}
			return n, err
		},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		n, err := read()
		runtime.ReadMemStats(&after)
		if n != size || err != nil {
			t.Errorf("%s: %d bytes (%v)", what, n, err)
		}
		if took := after.TotalAlloc - before.TotalAlloc; took > 2*Window {
			t.Errorf("%s: %d bytes of memory", what, took)
		}
	}
}

// TestShorterThanItsSize reads a file whose size is more than it holds, which must not take forever.
func TestShorterThanItsSize(t *testing.T) {
	const name = "/sys/kernel/uevent_seqnum"
	c, err := File(name, func() (*os.File, error) { return os.Open(name) })
	if err != nil || c.Size() < 100 {
		t.Skip("not checked: files of the kernel's, because this host has no " + name)
	}
	if _, err := io.Copy(io.Discard, c.Reader()); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Error(err)
	}
}

// TestChanged checks that reading a file that has changed fails.
func TestChanged(t *testing.T) {
	t.Parallel()
	for why, change := range map[string]func(path string) error{
		"cut short": func(path string) error { return os.Truncate(path, 10) },
		"longer": func(path string) error {
			f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
			if err != nil {
				return err
			}
			_, err = f.WriteString("more")
			return errors.Join(err, f.Close())
		},
		"replaced": func(path string) error {
			return errors.Join(os.WriteFile(path+".new", make([]byte, 2*Window), 0o600), os.Rename(path+".new", path))
		},
		"gone": os.Remove,
	} {
		path := filepath.Join(t.TempDir(), "1.ans")
		if err := os.WriteFile(path, make([]byte, 2*Window), 0o600); err != nil {
			t.Fatal(err)
		}
		c, err := File("data/1.ans", func() (*os.File, error) { return os.Open(path) })
		if err != nil {
			t.Fatal(err)
		}
		r := c.Reader()
		if _, err := io.ReadFull(r, make([]byte, 10)); err != nil {
			t.Fatal(err)
		}
		if err := change(path); err != nil {
			t.Fatal(err)
		}
		_, rest := io.Copy(io.Discard, r)
		n, at := c.ReadAt(make([]byte, 5), 0)
		_, whole := c.Bytes()
		for _, err := range []error{rest, at, whole} {
			changed, ok := errors.AsType[*ChangedError](err)
			if why == "gone" {
				ok = errors.Is(err, os.ErrNotExist)
			} else if ok {
				ok = changed.Error() == "data/1.ans changed while it was read"
			}
			if !ok || n != 0 {
				t.Errorf("%s: %d bytes were read (%v)", why, n, err)
			}
		}
	}
}
