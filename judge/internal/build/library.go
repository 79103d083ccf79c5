package build

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"unicode"

	"tribunal/judge/internal/sandbox"
)

// libraryFolders returns the folders that the loader searches, in the order given in ld.so(8) and
// ld.so.conf(5). They are read once, because some commands prepare hundreds of programs.
var libraryFolders = sync.OnceValue(func() []string {
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
	return slices.Clip(append(list, "/lib64", "/usr/lib64", "/lib", "/usr/lib"))
})

// mountedFolders returns the folders of libraries that every box mounts, without links.
var mountedFolders = sync.OnceValue(func() []string {
	var list []string
	for _, dir := range sandbox.LibraryFolders() {
		if dir, err := filepath.EvalSymlinks(dir); err == nil {
			list = append(list, dir)
		}
	}
	return list
})

const (
	// maxNames is the largest size in bytes of the segment that lists the libraries. A longer list
	// could keep the judge busy searching for libraries.
	maxNames = 64 << 10
	// maxName is the length in bytes of the longest file name.
	maxName = 255
	// maxSegments is the largest size in bytes of the table of segments; the kernel has the same
	// limit.
	maxSegments = 64 << 10
)

// loaded is an ELF file without its sections, which the loader does not read. debug/elf would read
// them, and inflate compressed ones to whatever size they claim.
type loaded struct {
	io.ReaderAt
	header []byte // the file's header, changed so that it declares no sections
}

func (l loaded) ReadAt(p []byte, off int64) (int, error) {
	n, err := l.ReaderAt.ReadAt(p, off)
	if off < int64(len(l.header)) {
		copy(p[:n], l.header[off:])
	}
	return n, err
}

// readELF reads those parts of an executable or library that the loader reads. Its memory is
// bounded, whatever sizes the file claims.
func readELF(r io.ReaderAt) (*elf.File, error) {
	header := make([]byte, binary.Size(elf.Header64{}))
	n, err := r.ReadAt(header, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if header = header[:n]; n < binary.Size(elf.Header32{}) {
		return nil, io.ErrUnexpectedEOF
	}
	var order binary.ByteOrder = binary.LittleEndian
	if elf.Data(header[elf.EI_DATA]) == elf.ELFDATA2MSB {
		order = binary.BigEndian
	}
	counts, offset := header[42:], header[32:36] // e_phentsize to e_shstrndx; e_shoff
	if elf.Class(header[elf.EI_CLASS]) == elf.ELFCLASS64 {
		if n < cap(header) {
			return nil, io.ErrUnexpectedEOF
		}
		counts, offset = header[54:], header[40:48]
	}
	if size := int(order.Uint16(counts)) * int(order.Uint16(counts[2:])); size > maxSegments {
		return nil, fmt.Errorf("its table of segments has %d bytes", size)
	}
	clear(offset)
	clear(counts[6:10]) // e_shnum, e_shstrndx
	return elf.NewFile(loaded{r, header})
}

// importedLibraries returns the names of the libraries that a file needs, sorted. All are
// printable.
func importedLibraries(f *elf.File) ([]string, error) {
	at := slices.IndexFunc(f.Progs, func(p *elf.Prog) bool { return p.Type == elf.PT_DYNAMIC })
	if at < 0 {
		return nil, nil
	}
	dynamic := f.Progs[at]
	if dynamic.Filesz > maxNames {
		return nil, fmt.Errorf("its dynamic segment has %d bytes", dynamic.Filesz)
	}
	data := make([]byte, dynamic.Filesz)
	if _, err := dynamic.ReadAt(data, 0); err != nil {
		return nil, fmt.Errorf("its dynamic segment: %w", err)
	}
	word := 8
	if f.Class == elf.ELFCLASS32 {
		word = 4
	}
	value := func(b []byte) uint64 {
		if word == 4 {
			return uint64(f.ByteOrder.Uint32(b))
		}
		return f.ByteOrder.Uint64(b)
	}
	var needed []uint64
	var table, size uint64
	for ; len(data) >= 2*word; data = data[2*word:] {
		tag, v := elf.DynTag(value(data)), value(data[word:])
		if tag == elf.DT_NULL {
			break
		}
		switch tag {
		case elf.DT_NEEDED:
			needed = append(needed, v)
		case elf.DT_STRTAB:
			table = v
		case elf.DT_STRSZ:
			size = v
		}
	}
	var names []string
	for _, at := range needed {
		if at >= size {
			return nil, errors.New("the name of a library is outside of the table of names")
		}
		name, err := readName(f, table+at, min(size-at, maxName+1))
		if err != nil {
			return nil, err
		}
		names = append(names, name)
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}

// readName returns the text at an address, which must end with a NUL within limit bytes. It reads
// only this part of the table of names, because the whole table may be large: it holds the names of
// all symbols.
func readName(f *elf.File, address, limit uint64) (string, error) {
	for _, p := range f.Progs {
		if p.Type != elf.PT_LOAD || address < p.Vaddr || address-p.Vaddr >= p.Filesz {
			continue
		}
		start := address - p.Vaddr
		text := make([]byte, min(limit, p.Filesz-start))
		if _, err := p.ReadAt(text, int64(start)); err != nil {
			return "", fmt.Errorf("the name of a library: %w", err)
		}
		end := bytes.IndexByte(text, 0)
		if end < 0 {
			return "", errors.New("the name of a library does not end")
		}
		name := string(text[:end])
		if !printable(name) {
			return "", fmt.Errorf("the name of a library is not printable: %q", name)
		}
		return name, nil
	}
	return "", errors.New("the names of libraries are in no loaded segment")
}

// printable reports whether a message of one line may contain a text.
func printable(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) })
}

// findLibrary returns the path of a shared library, or "" if no folder has it. It never finds a
// name with a slash: a contestant chose it, and it must not lead to another folder.
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

// otherLibraries returns the shared libraries that an executable loads, directly or indirectly,
// from folders that not every box mounts, such as /usr/local/lib.
func otherLibraries(exe string, folders []string) []string {
	mounted := mountedFolders()
	var list []string
	for queue := []string{exe}; len(queue) > 0; queue = queue[1:] {
		for _, name := range librariesOf(queue[0]) {
			path := findLibrary(name, folders)
			dir, err := filepath.EvalSymlinks(filepath.Dir(path))
			if path == "" || err != nil || slices.Contains(mounted, dir) || slices.Contains(list, path) {
				continue
			}
			list, queue = append(list, path), append(queue, path)
		}
	}
	return list
}

// librariesOf returns the names of the libraries that a file needs. For a damaged file it returns
// none; the loader will report the damage.
func librariesOf(path string) []string {
	file, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer file.Close()
	f, err := readELF(file)
	if err != nil {
		return nil
	}
	names, _ := importedLibraries(f)
	return names
}
