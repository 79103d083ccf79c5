package build

import (
	"bytes"
	"compress/zlib"
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"tribunal/judge/internal/regular"
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
	loader   string   // of PT_INTERP; "" for none
	needed   []string // DT_NEEDED
	symbols  int      // bytes of the string table before the names of the needed libraries
	shstrtab []byte   // the section names, as a compressed section
}

// bytes lays the file out: header, program headers, loader, dynamic section, names,
// section headers.
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

// bomb returns a compressed section that inflates to size bytes.
func bomb(t testing.TB, size int) []byte {
	t.Helper()
	var out bytes.Buffer
	binary.Write(&out, binary.LittleEndian, elf.Chdr64{Type: uint32(elf.COMPRESS_ZLIB), Size: uint64(size), Addralign: 1})
	w := zlib.NewWriter(&out)
	if _, err := io.CopyN(w, zeros{}, int64(size)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

// TestELFMemory checks that a small file that claims large sizes makes the judge allocate little
// memory.
func TestELFMemory(t *testing.T) {
	here := machine(t)
	loader := ownLoader(t)
	good := crafted{machine: here, kind: elf.ET_DYN, loader: loader, needed: []string{"libc.so.6"}}
	many := good
	for i := range maxNames / 16 {
		many.needed = append(many.needed, fmt.Sprintf("lib%d.so", i))
	}
	names, inflated, endless := good, good, good
	names.symbols = 64 << 20
	inflated.shstrtab = bomb(t, 64<<20)
	endless.needed = []string{strings.Repeat("x", maxName+1)}
	segments := append(good.bytes(), make([]byte, 16<<20)...)
	segments[54], segments[55], segments[56], segments[57] = 0xff, 0xff, 0x00, 0x01 // 256 of 64 KiB
	for _, tt := range []struct {
		why  string
		data []byte
		says string
	}{
		{"a section of names that inflates: the loader reads no sections", inflated.bytes(), ""},
		{"the names of many symbols, as a large program has them", names.bytes(), ""},
		{"a table of segments that the kernel would refuse", segments, "a table of segments of 16776960 bytes"},
		{"more libraries than there are", many.bytes(), "a dynamic segment of 65600 bytes"},
		{"a name that no file can have", endless.bytes(), "the name of a library without end"},
	} {
		path := filepath.Join(t.TempDir(), "a.out")
		if err := os.WriteFile(path, tt.data, 0o600); err != nil {
			t.Fatal(err)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		err := checkFile(t, path)
		runtime.ReadMemStats(&after)
		if (err == nil) != (tt.says == "") || err != nil && !strings.Contains(err.Error(), "damaged executable: "+tt.says) {
			t.Errorf("%s: got %v, want %q", tt.why, err, tt.says)
		}
		if used := after.TotalAlloc - before.TotalAlloc; used > 4<<20 {
			t.Errorf("%s: a file of %d bytes made the judge allocate %d", tt.why, len(tt.data), used)
		}
	}
}

// TestImportedLibraries compares the result with that of debug/elf for a real program.
func TestImportedLibraries(t *testing.T) {
	t.Parallel()
	for _, tool := range []string{"env", "sh", "ls"} {
		program, err := filepath.EvalSymlinks(system(t, tool))
		if err != nil {
			t.Fatal(err)
		}
		f, err := elf.Open(program)
		if err != nil {
			t.Fatal(err)
		}
		want, err := f.ImportedLibraries()
		f.Close()
		if err != nil {
			t.Fatal(err)
		}
		slices.Sort(want)
		if got := librariesOf(program); !slices.Equal(got, want) {
			t.Errorf("%s needs %q, want %q", program, got, want)
		}
	}
}

// checkFile is checkELF for a file by its name.
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
		says            string
	}{
		{why: "a static executable", name: "a.out", data: good.bytes()},
		{why: "the name says nothing", name: "solution.py", data: good.bytes()},
		{why: "asked for", name: "a.out", lang: Binary, data: good.bytes()},
		{why: "position independent", name: "a.out", data: crafted{machine: here, kind: elf.ET_DYN, loader: loader}.bytes()},
		{why: "another architecture", name: "a.out", data: crafted{machine: other, kind: elf.ET_EXEC}.bytes(), says: "executable for EM_RISCV, this machine is " + here.String() + " (hint: build it"},
		{why: "the loader of another system", name: "a.out", data: crafted{machine: here, kind: elf.ET_EXEC, loader: "/lib/ld-of-another.so.1"}.bytes(), says: `cannot be started: it needs the loader "/lib/ld-of-another.so.1", which the sandbox does not provide (hint: link it statically`},
		{why: "a library that is missing", name: "a.out", data: crafted{machine: here, kind: elf.ET_DYN, loader: loader, needed: []string{"libboost_magic.so.9"}}.bytes(), says: "needs the library libboost_magic.so.9, which is not on this machine"},
		{why: "a library that is there, among the names of symbols", name: "a.out", data: crafted{machine: here, kind: elf.ET_DYN, loader: loader, needed: []string{"libc.so.6"}, symbols: 1 << 20}.bytes()},
		{why: "a library whose name would be a line of its own", name: "a.out", data: crafted{machine: here, kind: elf.ET_DYN, loader: loader, needed: []string{"a\nb"}}.bytes(), says: `damaged executable: the name of a library, "a\nb"`},
		{why: "an object file", name: "a.o", data: crafted{machine: here, kind: elf.ET_REL}.bytes(), says: "ET_REL is not an executable (hint: link it)"},
		{why: "a core dump", name: "core", data: crafted{machine: here, kind: elf.ET_CORE}.bytes(), says: "ET_CORE is not an executable"},
		{why: "the magic alone", name: "a.out", data: []byte(elf.ELFMAG), says: "damaged executable"},
		{why: "cut off in the header", name: "a.out", data: good.bytes()[:40], says: "damaged executable"},
		{why: "no ELF and no ending", name: "a.out", data: []byte("#!/bin/sh\n"), says: `no language takes files that end in ".out"`},
	} {
		path := filepath.Join(t.TempDir(), tt.name)
		if err := os.WriteFile(path, tt.data, 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := Open(path, tt.lang, Defaults())
		if tt.says != "" {
			if err == nil || !strings.HasPrefix(err.Error(), path+": "+tt.says) {
				t.Errorf("%s: got %v, want %q", tt.why, err, tt.says)
			}
			continue
		}
		if err != nil || s.Language != Binary || s.sum == "" || names(s) != "" {
			t.Errorf("%s: got %+v, %v, want an executable", tt.why, s, err)
		}
	}
	// With a language given the bytes are source, ELF or not: the compiler will tell.
	path := filepath.Join(t.TempDir(), "a.out")
	if err := os.WriteFile(path, good.bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	if s, err := Open(path, "c", Defaults()); err != nil || s.Language != "c" {
		t.Errorf("an executable called C: got %+v, %v", s, err)
	}
}

func TestAdopt(t *testing.T) {
	t.Parallel()
	machine(t)
	path := filepath.Join(t.TempDir(), "a.out")
	image := crafted{machine: machine(t), kind: elf.ET_EXEC}.bytes()
	if err := os.WriteFile(path, image, 0o600); err != nil {
		t.Fatal(err)
	}
	b := New(Options{Languages: Defaults(), Cache: newCache(t)})
	s, err := Open(path, "", b.Languages())
	if err != nil {
		t.Fatal(err)
	}
	first := mustBuild(t, b, s)
	if err := os.WriteFile(path, append(image, "changed during the contest"...), 0o600); err != nil {
		t.Fatal(err)
	}
	stored, err := os.ReadFile(first.entry.Path(exeName))
	if err != nil || !bytes.Equal(stored, image) {
		t.Errorf("the program changed with the file it came from (%v)", err)
	}
	if again := mustBuild(t, b, s); !again.Cached || again.Key != first.Key {
		t.Error("what was opened is what is built, although the file has changed")
	}
	if s, err = Open(path, "", b.Languages()); err != nil {
		t.Fatal(err)
	}
	second := mustBuild(t, b, s)
	if second.Cached || second.Key == first.Key {
		t.Error("a changed executable is another program")
	}
	if third := mustBuild(t, b, s); !third.Cached || third.Key != second.Key {
		t.Error("an unchanged executable is copied once")
	}
	if key, err := b.Key(t.Context(), s); err != nil || key != second.Key {
		t.Errorf("Key says %s, Build %s (%v)", key, second.Key, err)
	}
}

// TestChangedBinary: the owner of an executable removes it, or writes another one in its
// place, between its opening and the copy of it. It is that submission's fault, or none.
func TestChangedBinary(t *testing.T) {
	t.Parallel()
	image := crafted{machine: machine(t), kind: elf.ET_EXEC}.bytes()
	other := append(slices.Clone(image), "another"...)
	for _, tt := range []struct {
		why    string
		change func(path string) error
		says   string
	}{
		{"nothing happens", func(string) error { return nil }, ""},
		{"it is removed", os.Remove, "changed while it was read (hint: hand it in again)"},
		{"another file takes its name", func(path string) error {
			return errors.Join(os.WriteFile(path+"2", other, 0o600), os.Rename(path+"2", path))
		}, "changed while it was read (hint: hand it in again)"},
		{"the same under another number", func(path string) error {
			return errors.Join(os.WriteFile(path+"2", image, 0o600), os.Rename(path+"2", path))
		}, ""},
		{"a pipe takes its name", func(path string) error { return errors.Join(os.Remove(path), unix.Mkfifo(path, 0o600)) }, "changed while it was read (hint: hand it in again)"},
		{"it is written to", func(path string) error { return os.WriteFile(path, other, 0o600) }, "changed while it was read (hint: hand it in again)"},
		{"it is emptied", func(path string) error { return os.Truncate(path, 0) }, "changed while it was read (hint: hand it in again)"},
	} {
		path := filepath.Join(t.TempDir(), "a.out")
		if err := os.WriteFile(path, image, 0o600); err != nil {
			t.Fatal(err)
		}
		b := New(Options{Languages: Defaults(), Cache: newCache(t)})
		s, err := Submission(path, "", b.Languages())
		if err != nil {
			t.Fatal(err)
		}
		if err := tt.change(path); err != nil {
			t.Fatal(err)
		}
		if key, err := b.Key(t.Context(), s); err != nil || key != s.sum {
			t.Errorf("%s: its key is %s, %v", tt.why, key, err)
		}
		p, err := b.Build(t.Context(), s)
		compile, _ := errors.AsType[*CompileError](err)
		switch {
		case tt.says == "" && err != nil, tt.says != "" && (compile == nil || compile.Output != tt.says):
			t.Errorf("%s: got %v, want %q", tt.why, err, tt.says)
		case err == nil:
			stored, err := os.ReadFile(p.entry.Path(exeName))
			if err != nil || !bytes.Equal(stored, image) {
				t.Errorf("%s: stored is not what was opened (%v)", tt.why, err)
			}
			p.Close()
		}
	}
}

// TestKeptIsChecked changes the file between the check and the copy and back again. The copy must
// be checked itself.
func TestKeptIsChecked(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a.out")
	if err := os.WriteFile(path, crafted{machine: elf.EM_RISCV, kind: elf.ET_EXEC}.bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	s := &Source{Name: path, again: regular.Open}
	if s.sum, err = binaryKey(f); err != nil {
		t.Fatal(err)
	}
	err = keepBinary(t.TempDir(), s, s.sum)
	if compile, ok := errors.AsType[*CompileError](err); !ok || !strings.HasPrefix(compile.Output, "executable for EM_RISCV, ") {
		t.Errorf("got %v", err)
	}
}

// TestDamagedCache checks that a program that is damaged in the cache is built again, even while
// others run it.
func TestDamagedCache(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a.out")
	if err := os.WriteFile(path, crafted{machine: machine(t), kind: elf.ET_EXEC}.bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	b := newBuilder(t, Options{Languages: map[string]Language{"x": scripted(`cp "$(command -v env)" "$1"`)}})
	binary, err := Open(path, "", b.Languages())
	if err != nil {
		t.Fatal(err)
	}
	for why, s := range map[string]*Source{"a binary": binary, "a source": mustOpen(t, b, "a.x", map[string]string{"a.x": "text"})} {
		first := mustBuild(t, b, s)
		want, err := os.ReadFile(first.entry.Path(exeName))
		if err != nil {
			t.Fatal(err)
		}
		for how, damage := range map[string]func(string) error{
			"removed": os.Remove,
			"empty":   func(file string) error { return os.Truncate(file, 0) },
		} {
			if err := damage(first.entry.Path(exeName)); err != nil {
				t.Fatal(err)
			}
			p := mustBuild(t, b, s)
			if got, err := os.ReadFile(p.entry.Path(exeName)); p.Cached || err != nil || !bytes.Equal(got, want) {
				t.Errorf("%s whose program is %s: %d bytes, from the cache %v (%v)", why, how, len(got), p.Cached, err)
			}
		}
	}
}

// TestMemoryCopy checks that memoryCopy copies a program without reading it into the judge's own
// memory.
func TestMemoryCopy(t *testing.T) {
	const size = 32 << 20
	path := filepath.Join(t.TempDir(), "program")
	image := bytes.Repeat([]byte("0123456789abcdef"), size/16)
	if err := os.WriteFile(path, image, 0o700); err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f, err := memoryCopy(path)
	runtime.ReadMemStats(&after)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if used := after.TotalAlloc - before.TotalAlloc; used > size/8 {
		t.Errorf("to copy %d bytes the judge allocated %d", size, used)
	}
	if got, err := io.ReadAll(f); err != nil || !bytes.Equal(got, image) {
		t.Errorf("the copy holds %d other bytes (%v)", len(got), err)
	}
}

// TestLargeExecutable refuses one that would take too much memory, and says how much
// it may take.
func TestLargeExecutable(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a.out")
	image := crafted{machine: machine(t), kind: elf.ET_EXEC}.bytes()
	for _, tt := range []struct {
		size int64
		says string
	}{
		{int64(maxResult), ""},
		{int64(maxResult) + 1, path + ": executable of 256.0 MiB, more than 256MiB (hint: strip it, or submit the source)"},
	} {
		if err := errors.Join(os.WriteFile(path, image, 0o600), os.Truncate(path, tt.size)); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(path, "", Defaults()); (err == nil) != (tt.says == "") || err != nil && err.Error() != tt.says {
			t.Errorf("%d bytes: got %v, want %q", tt.size, err, tt.says)
		}
	}
}

// FuzzELF checks that no file makes the check panic, and that each refusal is one line.
func FuzzELF(f *testing.F) {
	here := machine(f)
	f.Add(crafted{machine: here, kind: elf.ET_EXEC}.bytes()[len(elf.ELFMAG):])
	f.Add(crafted{machine: here, kind: elf.ET_DYN, loader: ownLoader(f), needed: []string{"libc.so.6", "libm.so.6"}}.bytes()[len(elf.ELFMAG):])
	f.Fuzz(func(t *testing.T, data []byte) {
		path := filepath.Join(t.TempDir(), "a.out")
		if err := os.WriteFile(path, append([]byte(elf.ELFMAG), data...), 0o600); err != nil {
			t.Fatal(err)
		}
		isELF(path)
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
		{"an archive, which go build makes of a package that is not main", []byte("!<arch>\n__.PKGDEF       0           0     0     644     7955      `\n"), false},
		{"an object file", crafted{machine: elf.EM_X86_64, kind: elf.ET_REL}.bytes(), false},
		{"a script", []byte("#!/bin/sh\nexec /some/where/else\n"), false},
		{"less than a header", []byte(elf.ELFMAG), false},
		{"nothing", nil, false},
	} {
		path := filepath.Join(t.TempDir(), "x")
		if err := os.WriteFile(path, tt.data, 0o600); err != nil {
			t.Fatal(err)
		}
		if got := isELF(path); got != tt.want {
			t.Errorf("%s: got %v, want %v", tt.why, got, tt.want)
		}
	}
	if isELF(filepath.Join(t.TempDir(), "missing")) {
		t.Error("a file that is not there is no executable")
	}
}
