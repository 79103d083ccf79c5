//go:build !linux

package build

import (
	"fmt"
	"io"
	"os"
	"runtime"
)

// exeName is the name of the executable in buildDir. No source has this name.
const exeName = ".program.exe"

// beginsProgram reports whether a file begins like an executable.
func beginsProgram(f io.ReaderAt) bool {
	header := make([]byte, len(programMagic))
	_, err := f.ReadAt(header, 0)
	return err == nil && string(header) == programMagic
}

// checkProgram returns an error if a file is not an executable of this system. Whether it runs on this
// machine shows when it is started.
func checkProgram(name string, file *os.File) error {
	if !beginsProgram(file) {
		return fmt.Errorf("%s: no executable for %s (hint: submit the source)", name, runtime.GOOS)
	}
	return nil
}

// checkStart returns nil: whether a program starts shows when it is started.
func checkStart(io.ReaderAt) error { return nil }
