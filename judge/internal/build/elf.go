package build

import (
	"debug/elf"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
)

// checkELF refuses an executable that cannot run here, with the reason.
func checkELF(name string) error {
	file, err := os.Open(name)
	if err != nil {
		return fmt.Errorf("%s: %w", name, errors.Unwrap(err))
	}
	defer file.Close()
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
	for _, p := range f.Progs {
		if p.Type != elf.PT_INTERP {
			continue
		}
		text, err := io.ReadAll(io.LimitReader(p.Open(), 4096))
		if err != nil {
			return damaged(name, err)
		}
		loader := strings.TrimRight(string(text), "\x00")
		if !printable(loader) {
			return damaged(name, fmt.Errorf("it asks for the loader %.40q", loader))
		}
		if _, err := os.Stat(loader); err != nil {
			return fmt.Errorf("%s: needs the loader %s, which is not on this machine (hint: link it statically, or submit the source)", name, loader)
		}
		break // the kernel looks at the first alone
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

func damaged(name string, err error) error {
	return fmt.Errorf("%s: damaged executable: %w (hint: build it again, or submit the source)", name, err)
}
