package build

import (
	"debug/elf"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tribunal/judge/internal/sandbox"
)

// libraryFolders returns where the loader looks, in its order, as ld.so(8) and
// ld.so.conf(5) tell it.
func libraryFolders() []string {
	var list []string
	files, _ := filepath.Glob("/etc/ld.so.conf.d/*.conf")
	for _, file := range append(files, "/etc/ld.so.conf") {
		text, _ := os.ReadFile(file)
		for line := range strings.Lines(string(text)) {
			if line = strings.TrimSpace(line); strings.HasPrefix(line, "/") {
				list = append(list, line)
			}
		}
	}
	return append(list, "/lib64", "/usr/lib64", "/lib", "/usr/lib")
}

// maxNames bounds the section that holds the names of libraries, each of which is
// looked for: a program may have been made to keep the judge busy.
const maxNames = 64 << 10

// importedLibraries returns the names of the libraries that an executable asks for.
func importedLibraries(f *elf.File) ([]string, error) {
	if s := f.SectionByType(elf.SHT_DYNAMIC); s != nil && s.Size > maxNames {
		return nil, fmt.Errorf("a dynamic section of %d bytes", s.Size)
	}
	names, err := f.ImportedLibraries()
	slices.Sort(names)
	return slices.Compact(names), err
}

// findLibrary returns the path of a shared library, "" when no folder has it. The
// name was chosen by who made the program: it must not lead elsewhere.
func findLibrary(name string, folders []string) string {
	if name != filepath.Base(name) {
		return ""
	}
	for _, dir := range folders {
		path := filepath.Join(dir, name)
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			return path
		}
	}
	return ""
}

// otherLibraries returns the shared libraries that an executable loads, itself or
// through one of them, from those of the loader's folders that are not shown to
// every program, such as /usr/local/lib.
func otherLibraries(exe string, folders []string) []string {
	var shown []string
	for _, dir := range sandbox.LibraryFolders() {
		if dir, err := filepath.EvalSymlinks(dir); err == nil {
			shown = append(shown, dir)
		}
	}
	var list []string
	for queue := []string{exe}; len(queue) > 0; queue = queue[1:] {
		f, err := elf.Open(queue[0])
		if err != nil {
			continue // the loader will tell
		}
		names, _ := importedLibraries(f)
		f.Close()
		for _, name := range names {
			path := findLibrary(name, folders)
			dir, err := filepath.EvalSymlinks(filepath.Dir(path))
			if path == "" || err != nil || slices.Contains(shown, dir) || slices.Contains(list, path) {
				continue
			}
			list, queue = append(list, path), append(queue, path)
		}
	}
	return list
}
