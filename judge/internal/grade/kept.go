package grade

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// kept holds an output as a whole, in a file: the one asked for by name, or a
// temporary one for the checker. Nothing depends on its size but the disk.
type kept struct {
	file *os.File
	name string // "" when temporary
	err  error
}

func newKept(temp, folder, name string) (*kept, error) {
	if folder == "" {
		f, err := os.CreateTemp(temp, "output-")
		if err != nil {
			return nil, err
		}
		return &kept{file: f}, os.Remove(f.Name())
	}
	path := filepath.Join(folder, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, err
	}
	f, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	return &kept{file: f, name: path}, nil
}

func (k *kept) Write(p []byte) (int, error) {
	if k.err == nil {
		_, k.err = k.file.Write(p)
	}
	return len(p), nil // the comparison goes on; finish reports the error
}

// open returns the output for reading from its start.
func (k *kept) open() (*os.File, error) {
	if k.err != nil {
		return nil, k.err
	}
	return os.Open(fmt.Sprintf("/proc/self/fd/%d", k.file.Fd()))
}

// finish closes the file and returns its name if it was asked for.
func (k *kept) finish() (string, error) {
	return k.name, errors.Join(k.err, k.file.Close())
}
