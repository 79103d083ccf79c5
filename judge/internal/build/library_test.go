package build

import (
	"bytes"
	"compress/zlib"
	"debug/elf"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

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
	names.symbols = 24 << 20
	inflated.shstrtab = bomb(t, 64<<20)
	endless.needed = []string{strings.Repeat("x", maxName+1)}
	segments := append(good.bytes(), make([]byte, 16<<20)...)
	path := filepath.Join(t.TempDir(), "a.out")                                     // one for all, because the folder may be small
	segments[54], segments[55], segments[56], segments[57] = 0xff, 0xff, 0x00, 0x01 // 256 program headers of 64 KiB each
	for _, tt := range []struct {
		why     string
		data    []byte
		wantErr string
	}{
		{"a section of names that inflates: it is not read, because the loader reads no sections", inflated.bytes(), ""},
		{"names of many symbols, as in a large program", names.bytes(), ""},
		{"a table of segments that the kernel would refuse", segments, "its table of segments has 16776960 bytes"},
		{"a list of libraries that is too long", many.bytes(), "its dynamic segment has 65600 bytes"},
		{"a name of a library too long for a file", endless.bytes(), "the name of a library does not end"},
	} {
		if err := os.WriteFile(path, tt.data, 0o600); err != nil {
			t.Fatal(err)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		err := checkFile(t, path)
		runtime.ReadMemStats(&after)
		if (err == nil) != (tt.wantErr == "") || err != nil && !strings.Contains(err.Error(), "damaged executable: "+tt.wantErr) {
			t.Errorf("%s: got %v, want %q", tt.why, err, tt.wantErr)
		}
		if used := after.TotalAlloc - before.TotalAlloc; used > 4<<20 {
			t.Errorf("%s: a file of %d bytes made the judge allocate %d", tt.why, len(tt.data), used)
		}
	}
}

// TestImportedLibraries compares the libraries of real programs with those that debug/elf finds.
func TestImportedLibraries(t *testing.T) {
	t.Parallel()
	for _, tool := range []string{"env", "sh", "ls"} {
		program, err := filepath.EvalSymlinks(installed(t, tool))
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
