package system

import (
	"errors"
	"os"
	"path/filepath"
)

// PendingFile is a file that replaces another one, or none, when it is whole.
type PendingFile struct {
	*os.File
	path string
	done bool
}

// NewPendingFile begins a file for a path.
func NewPendingFile(path string) (*PendingFile, error) {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-")
	if err != nil {
		return nil, err
	}
	return &PendingFile{File: f, path: path}, nil
}

// CloseAtomicallyReplace closes the file and moves it to its path.
func (p *PendingFile) CloseAtomicallyReplace() error {
	if err := errors.Join(p.Sync(), p.Close()); err != nil {
		return err
	}
	err := os.Rename(p.Name(), p.path)
	p.done = err == nil
	return err
}

// Cleanup removes the file unless it has been moved.
func (p *PendingFile) Cleanup() error {
	if p.done {
		return nil
	}
	p.done = true
	_ = p.Close() // it may be closed already
	return os.Remove(p.Name())
}

// WriteFile replaces a file in one step.
func WriteFile(path string, text []byte, _ os.FileMode) error {
	p, err := NewPendingFile(path)
	if err != nil {
		return err
	}
	if _, err := p.Write(text); err != nil {
		return errors.Join(err, p.Cleanup())
	}
	return errors.Join(p.CloseAtomicallyReplace(), p.Cleanup())
}
