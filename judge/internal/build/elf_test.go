package build

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// machine returns the machine type of executables that run here.
func machine(t testing.TB) elf.Machine {
	switch runtime.GOARCH {
	case "amd64":
		return elf.EM_X86_64
	case "arm64":
		return elf.EM_AARCH64
	}
	t.Skipf("not checked: executables for %s", runtime.GOARCH)
	return 0
}

// crafted describes an ELF executable with only the parts that the judge reads.
type crafted struct {
	machine  elf.Machine
	kind     elf.Type
	loader   string   // text of PT_INTERP; "" means no PT_INTERP
	needed   []string // names of the libraries in DT_NEEDED
	symbols  int      // number of bytes in the string table before the names of the libraries
	shstrtab []byte   // section names, as a compressed section
}

// bytes returns the file: header, program headers, loader, dynamic section, names, section headers.
func (c crafted) bytes() []byte {
	order := binary.LittleEndian
	const header, program, base = 64, 56, 0x400000
	loader := append([]byte(c.loader), 0)
	loaderAt := uint64(header + 3*program)
	dynamicAt := loaderAt + uint64(len(loader))
	dynamicSize := uint64(16 * (len(c.needed) + 3))
	namesAt := dynamicAt + dynamicSize

	names := make([]byte, c.symbols+1)
	var dynamic bytes.Buffer
	for _, name := range c.needed {
		binary.Write(&dynamic, order, elf.Dyn64{Tag: int64(elf.DT_NEEDED), Val: uint64(len(names))})
		names = append(append(names, name...), 0)
	}
	binary.Write(&dynamic, order, elf.Dyn64{Tag: int64(elf.DT_STRTAB), Val: base + namesAt})
	binary.Write(&dynamic, order, elf.Dyn64{Tag: int64(elf.DT_STRSZ), Val: uint64(len(names))})
	binary.Write(&dynamic, order, elf.Dyn64{Tag: int64(elf.DT_NULL)})
	loadedSize := namesAt + uint64(len(names))

	var out bytes.Buffer
	head := elf.Header64{
		Type: uint16(c.kind), Machine: uint16(c.machine), Version: uint32(elf.EV_CURRENT),
		Phoff: header, Ehsize: header, Phentsize: program, Phnum: 3,
	}
	copy(head.Ident[:], elf.ELFMAG)
	head.Ident[elf.EI_CLASS] = byte(elf.ELFCLASS64)
	head.Ident[elf.EI_DATA] = byte(elf.ELFDATA2LSB)
	head.Ident[elf.EI_VERSION] = byte(elf.EV_CURRENT)
	interp := elf.PT_INTERP
	if c.loader == "" {
		interp = elf.PT_NULL
	}
	if c.shstrtab != nil {
		head.Shoff, head.Shnum, head.Shstrndx, head.Shentsize = loadedSize+uint64(len(c.shstrtab)), 2, 1, 64
	}
	binary.Write(&out, order, head)
	binary.Write(&out, order, elf.Prog64{Type: uint32(interp), Off: loaderAt, Filesz: uint64(len(loader))})
	binary.Write(&out, order, elf.Prog64{Type: uint32(elf.PT_LOAD), Vaddr: base, Filesz: loadedSize, Memsz: loadedSize})
	binary.Write(&out, order, elf.Prog64{Type: uint32(elf.PT_DYNAMIC), Off: dynamicAt, Vaddr: base + dynamicAt, Filesz: dynamicSize})
	out.Write(loader)
	out.Write(dynamic.Bytes())
	out.Write(names)
	if c.shstrtab != nil {
		out.Write(c.shstrtab)
		binary.Write(&out, order, elf.Section64{})
		binary.Write(&out, order, elf.Section64{Type: uint32(elf.SHT_STRTAB), Flags: uint64(elf.SHF_COMPRESSED), Off: loadedSize, Size: uint64(len(c.shstrtab))})
	}
	return out.Bytes()
}

// checkFile calls checkELF for the file called name.
func checkFile(t *testing.T, name string) error {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	return checkELF(name, f)
}

func TestOpenExecutable(t *testing.T) {
	t.Parallel()
	here := machine(t)
	other := elf.EM_RISCV
	good := crafted{machine: here, kind: elf.ET_EXEC}
	loader := ownLoader(t)
	for _, tt := range []struct {
		why, name, lang string
		data            []byte
		wantErr         string
	}{
		{why: "a static executable", name: "a.out", data: good.bytes()},
		{why: "the file name extension does not matter", name: "solution.py", data: good.bytes()},
		{why: "with the language binary", name: "a.out", lang: Binary, data: good.bytes()},
		{why: "position independent", name: "a.out", data: crafted{machine: here, kind: elf.ET_DYN, loader: loader}.bytes()},
		{why: "another architecture", name: "a.out", data: crafted{machine: other, kind: elf.ET_EXEC}.bytes(), wantErr: "executable for EM_RISCV, this machine is " + here.String() + " (hint: build it"},
		{why: "the loader of another system", name: "a.out", data: crafted{machine: here, kind: elf.ET_EXEC, loader: "/lib/ld-of-another.so.1"}.bytes(), wantErr: `cannot be started: it needs the loader "/lib/ld-of-another.so.1", which the sandbox does not provide (hint: link it statically`},
		{why: "a library that is missing", name: "a.out", data: crafted{machine: here, kind: elf.ET_DYN, loader: loader, needed: []string{"libboost_magic.so.9"}}.bytes(), wantErr: "needs the library libboost_magic.so.9, which is not on this machine"},
		{why: "a library of this machine, among names of symbols", name: "a.out", data: crafted{machine: here, kind: elf.ET_DYN, loader: loader, needed: []string{"libc.so.6"}, symbols: 1 << 20}.bytes()},
		{why: "a name of a library that contains a newline", name: "a.out", data: crafted{machine: here, kind: elf.ET_DYN, loader: loader, needed: []string{"a\nb"}}.bytes(), wantErr: `damaged executable: the name of a library is not printable: "a\nb"`},
		{why: "an object file", name: "a.o", data: crafted{machine: here, kind: elf.ET_REL}.bytes(), wantErr: "ET_REL is not an executable (hint: link it)"},
		{why: "a core dump", name: "core", data: crafted{machine: here, kind: elf.ET_CORE}.bytes(), wantErr: "ET_CORE is not an executable"},
		{why: "the magic alone", name: "a.out", data: []byte(elf.ELFMAG), wantErr: "damaged executable"},
		{why: "cut off in the header", name: "a.out", data: good.bytes()[:40], wantErr: "damaged executable"},
		{why: "a file that is not ELF and has no known extension", name: "a.out", data: []byte("#!/bin/sh\n"), wantErr: `no language has files that end in ".out"`},
	} {
		path := filepath.Join(t.TempDir(), tt.name)
		if err := os.WriteFile(path, tt.data, 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := Open(path, tt.lang, Defaults())
		if tt.wantErr != "" {
			if err == nil || !strings.HasPrefix(err.Error(), path+": "+tt.wantErr) {
				t.Errorf("%s: got %v, want %q", tt.why, err, tt.wantErr)
			}
			continue
		}
		if err != nil || s.Language != Binary || s.sum == "" || names(s) != "" {
			t.Errorf("%s: got %+v, %v, want an executable", tt.why, s, err)
		}
	}
	// If a language is given, an ELF file is read as a source; the compiler will reject it.
	path := filepath.Join(t.TempDir(), "a.out")
	if err := os.WriteFile(path, good.bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	if s, err := Open(path, "c", Defaults()); err != nil || s.Language != "c" {
		t.Errorf("an executable with the language c: got %+v, %v", s, err)
	}
}

// FuzzELF checks that checkELF never panics, and that its errors have one line.
func FuzzELF(f *testing.F) {
	here := machine(f)
	f.Add(crafted{machine: here, kind: elf.ET_EXEC}.bytes()[len(elf.ELFMAG):])
	f.Add(crafted{machine: here, kind: elf.ET_DYN, loader: ownLoader(f), needed: []string{"libc.so.6", "libm.so.6"}}.bytes()[len(elf.ELFMAG):])
	f.Fuzz(func(t *testing.T, data []byte) {
		path := filepath.Join(t.TempDir(), "a.out")
		if err := os.WriteFile(path, append([]byte(elf.ELFMAG), data...), 0o600); err != nil {
			t.Fatal(err)
		}
		isProgram(path)
		if err := checkFile(t, path); err != nil && strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: an error of several lines: %v", data, err)
		}
	})
}

func TestIsELF(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why  string
		data []byte
		want bool
	}{
		{"an executable", crafted{machine: elf.EM_X86_64, kind: elf.ET_EXEC}.bytes(), true},
		{"a position-independent one", crafted{machine: elf.EM_X86_64, kind: elf.ET_DYN}.bytes(), true},
		{"an archive, which go build writes for a package that is not main", []byte("!<arch>\n__.PKGDEF       0           0     0     644     7955      `\n"), false},
		{"an object file", crafted{machine: elf.EM_X86_64, kind: elf.ET_REL}.bytes(), false},
		{"a script", []byte("#!/bin/sh\nexec /some/where/else\n"), false},
		{"less than a header", []byte(elf.ELFMAG), false},
		{"nothing", nil, false},
	} {
		path := filepath.Join(t.TempDir(), "x")
		if err := os.WriteFile(path, tt.data, 0o600); err != nil {
			t.Fatal(err)
		}
		if got := isProgram(path); got != tt.want {
			t.Errorf("%s: got %v, want %v", tt.why, got, tt.want)
		}
	}
	if isProgram(filepath.Join(t.TempDir(), "missing")) {
		t.Error("a missing file is reported as ELF")
	}
}
