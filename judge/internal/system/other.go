//go:build !linux

package system

import (
	"os"
	"runtime"
)

// SharedFileSystem returns "": it is not known whether others may change files without this machine's kernel.
func SharedFileSystem(string) string { return "" }

// Reopen opens an open file once more, by its name.
func Reopen(f *os.File) (*os.File, error) { return os.Open(f.Name()) }

// Root returns an os.Root for an open folder, by its name.
func Root(folder *os.File) (*os.Root, error) { return os.OpenRoot(folder.Name()) }

// Executable opens the executable of this process.
func Executable() (*os.File, error) {
	name, err := os.Executable()
	if err != nil {
		return nil, err
	}
	return os.Open(name)
}

// Machine returns a text that changes with the kind of this machine.
func Machine() (string, error) { return runtime.GOOS + "/" + runtime.GOARCH, nil }
