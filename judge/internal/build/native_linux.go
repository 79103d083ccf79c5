package build

import (
	"debug/elf"
	"io"
	"os"
)

// exeName is the name of the executable in buildDir. No source has this name, because sources have an
// extension.
const exeName = ".program"

// programMagic is how an executable of Linux begins.
const programMagic = elf.ELFMAG

// beginsProgram reports whether a file has the header of an executable.
func beginsProgram(f io.ReaderAt) bool {
	header := make([]byte, 20)
	if _, err := f.ReadAt(header, 0); err != nil {
		return false
	}
	kind := elf.Type(uint16(header[16]) | uint16(header[17])<<8)
	return string(header[:4]) == programMagic && (kind == elf.ET_EXEC || kind == elf.ET_DYN)
}

func checkProgram(name string, file *os.File) error { return checkELF(name, file) }

// checkStart returns an error if an executable cannot be started in any jail.
func checkStart(r io.ReaderAt) error {
	f, err := readELF(r)
	if err == nil {
		err = checkLoader(f)
	}
	return err
}
