package build

import (
	"debug/elf"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"

	"tribunal/judge/internal/sandbox"
)

// maxLoader is the length of the longest path of a loader that the kernel accepts, including the
// NUL at its end.
const maxLoader = 4096

// checkELF returns an error if an executable cannot run on this machine.
func checkELF(name string, file *os.File) error {
	f, err := readELF(file)
	if err != nil {
		return damaged(name, err)
	}
	want, ok := map[string]elf.Machine{"amd64": elf.EM_X86_64, "arm64": elf.EM_AARCH64}[runtime.GOARCH]
	if ok && f.Machine != want {
		return fmt.Errorf("%s: executable for %v, this machine is %v (hint: build it for this machine, or submit the source)", name, f.Machine, want)
	}
	if f.Type != elf.ET_EXEC && f.Type != elf.ET_DYN {
		return fmt.Errorf("%s: %v is not an executable (hint: link it)", name, f.Type)
	}
	if err := checkLoader(f); err != nil {
		return fmt.Errorf("%s: cannot be started: %w (hint: link it statically, or submit the source)", name, err)
	}
	needed, err := importedLibraries(f)
	if err != nil {
		return damaged(name, err)
	}
	folders := libraryFolders()
	for _, library := range needed {
		if findLibrary(library, folders) == "" {
			return fmt.Errorf("%s: needs the library %s, which is not on this machine (hint: link it statically, or submit the source)", name, library)
		}
	}
	return nil
}

// checkLoader returns an error unless the kernel accepts the executable's PT_INTERP and every jail
// has the loader that it names. It checks for no other file, because the error would show a
// contestant which files this host has.
func checkLoader(f *elf.File) error {
	at := slices.IndexFunc(f.Progs, func(p *elf.Prog) bool { return p.Type == elf.PT_INTERP })
	if at < 0 {
		return nil
	}
	segment := f.Progs[at] // the kernel reads only the first PT_INTERP
	if segment.Filesz < 2 || segment.Filesz > maxLoader {
		return fmt.Errorf("its PT_INTERP has %d bytes, not 2 to %d", segment.Filesz, maxLoader)
	}
	text := make([]byte, segment.Filesz)
	if _, err := segment.ReadAt(text, 0); err != nil {
		return fmt.Errorf("its PT_INTERP: %w", err)
	}
	if text[len(text)-1] != 0 {
		return errors.New("its PT_INTERP does not end with a NUL")
	}
	loader, _, _ := strings.Cut(string(text), "\x00")
	if !slices.Contains(sandbox.Loaders(), loader) {
		return fmt.Errorf("it needs the loader %.100q, which the sandbox does not provide", loader)
	}
	return nil
}

func damaged(name string, err error) error {
	return fmt.Errorf("%s: damaged executable: %w (hint: build it again, or submit the source)", name, err)
}
