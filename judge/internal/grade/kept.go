package grade

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"tribunal/judge/internal/content"
	"tribunal/judge/internal/system"
)

// kept is an output in a file: a named file that the user asked for, or a temporary one for the
// checker. Only the disk bounds its size.
type kept struct {
	file         *os.File
	folder, name string // "" when temporary
	err          error
}

func newKept(temp, folder, name string) (*kept, error) {
	if folder == "" {
		f, err := os.CreateTemp(temp, "output-")
		if err != nil {
			return nil, err
		}
		return &kept{file: f}, os.Remove(f.Name())
	}
	f, err := CreateKept(folder, name)
	if err != nil {
		return nil, err
	}
	return &kept{file: f, folder: folder, name: name}, nil
}

// CreateKept creates a file below folder, with its parent folders, and opens it for reading and
// writing. It replaces an existing file instead of writing to it: through a symbolic or hard link
// of another account, the judge could overwrite a file that only it may write. Symbolic links in
// name must not lead out of folder; folder itself may be one. A named pipe of the judge's own
// account is opened and not replaced, because a process of that account reads from it.
func CreateKept(folder, name string) (*os.File, error) {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	if err := root.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		if path, ok := errors.AsType[*fs.PathError](err); ok {
			err = &fs.PathError{Op: "mkdir", Path: filepath.Join(folder, filepath.Dir(name)), Err: path.Err}
		}
		return nil, err
	}
	if pipe, err := root.Lstat(name); err == nil && pipe.Mode()&fs.ModeNamedPipe != 0 && ownedBy(pipe, os.Geteuid()) {
		f, err := root.OpenFile(name, os.O_RDWR|syscall.O_NONBLOCK, 0)
		if err != nil {
			return nil, err
		}
		if now, err := f.Stat(); err == nil && os.SameFile(pipe, now) {
			return f, nil
		}
		f.Close()
	}
	if err := root.Remove(name); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	return root.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o644)
}

func (k *kept) Write(p []byte) (int, error) {
	if k.err == nil {
		_, k.err = k.file.Write(p)
	}
	return len(p), nil // finish reports the error; the comparison continues
}

// reset drops everything written so far, except what went into a named pipe.
func (k *kept) reset() {
	if err := k.file.Truncate(0); err != nil && !errors.Is(err, syscall.EINVAL) {
		k.err = errors.Join(k.err, err)
		return
	}
	_, _ = k.file.Seek(0, io.SeekStart)
}

// content returns the output. It is valid until the file is closed.
func (k *kept) content() (content.Content, error) {
	if k.err != nil {
		return content.Content{}, k.err
	}
	return content.File("the output", func() (*os.File, error) { return system.Reopen(k.file) })
}

// discard closes and removes the file. k may be nil.
func (k *kept) discard() {
	if k == nil {
		return
	}
	if path, _ := k.finish(); path != "" {
		removeKept(k.folder, path)
	}
}

// removeKept removes a kept file by its path, unless it is a named pipe. Like CreateKept, it
// follows no symbolic link out of the folder.
func removeKept(folder, path string) {
	name, err := filepath.Rel(folder, path)
	if err != nil {
		return
	}
	if root, err := os.OpenRoot(folder); err == nil {
		if info, err := root.Lstat(name); err == nil && info.Mode()&fs.ModeNamedPipe == 0 { // see CreateKept
			_ = root.Remove(name)
		}
		root.Close()
	}
}

// finish closes the file and returns its path if the user asked for it.
func (k *kept) finish() (path string, err error) {
	if k.name != "" {
		path = filepath.Join(k.folder, k.name)
	}
	return path, errors.Join(k.err, k.file.Close())
}

// beginning keeps the beginning of an output in memory.
type beginning struct {
	most int // bytes; 0 keeps nothing
	text []byte
	cut  bool // there was more
}

func (b *beginning) add(p []byte) {
	n := min(len(p), b.most-len(b.text))
	b.text, b.cut = append(b.text, p[:n]...), b.cut || n < len(p)
}

// whole returns the output, and nil if not all of it was kept.
func (b *beginning) whole() []byte {
	if b.most == 0 || b.cut {
		return nil
	}
	return append([]byte{}, b.text...)
}

func ownedBy(info fs.FileInfo, user int) bool {
	uid, _ := system.Owner(info)
	return uid == user
}
