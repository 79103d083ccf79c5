package web

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/limits"
)

// pack returns a zip archive with these files.
func pack(t testing.TB, files map[string]string) []byte {
	t.Helper()
	var list []*zip.FileHeader
	for _, name := range slices.Sorted(maps.Keys(files)) {
		list = append(list, &zip.FileHeader{Name: name, Comment: files[name]})
	}
	return packed(t, list...)
}

// packed returns a zip archive with these files, whose comments are their contents.
func packed(t testing.TB, files ...*zip.FileHeader) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, f := range files {
		text := f.Comment
		f.Comment = ""
		w, err := z.CreateHeader(f)
		if err == nil {
			_, err = io.WriteString(w, text)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// named returns the header of a file with a mode.
func named(name string, mode fs.FileMode) *zip.FileHeader {
	h := &zip.FileHeader{Name: name}
	if h.SetMode(mode); !mode.IsDir() {
		h.Comment = "x"
	}
	return h
}

func TestArchives(t *testing.T) {
	t.Parallel()
	small := archiveBounds{files: 3, total: limits.KiB}
	bomb := packed(t, &zip.FileHeader{Name: "a", Method: zip.Deflate, Comment: strings.Repeat("x", 10_000)})
	shared := packed(t, &zip.FileHeader{Name: "a", Comment: strings.Repeat("x", 500)})
	at := bytes.LastIndex(shared, []byte("PK\x01\x02"))
	shared[at+20], shared[at+21] = 0xff, 0xff // the size of the packed file
	for _, tt := range []struct {
		why    string
		data   []byte
		bounds archiveBounds
		want   string
	}{
		{"files and folders", packed(t, named("a/b.c", 0o644), named("a/", fs.ModeDir|0o755), named("c.h", 0o755)), small, "<nil>"},
		{"more entries than files", packed(t, named("a/b.c", 0o644), named("a/", fs.ModeDir|0o755), named("c.h", 0o755), named("d/", fs.ModeDir|0o755)), small, "<nil>"},
		{"nothing", nil, small, "not a zip archive: zip: not a valid zip file"},
		{"no file", packed(t), small, "the archive is empty"},
		{"only a folder", packed(t, &zip.FileHeader{Name: "a/"}), small, "the archive is empty"},
		{"too many files", pack(t, map[string]string{"a": "", "b": "", "c": "", "d": ""}), small, "an archive has at most 3 files"},
		{"a zip bomb", bomb, small, "the files of the archive have more than 1KiB"},
		{"files that share bytes", shared, packageArchive, "files of the archive share its bytes: a zip bomb"},
		{"the same file twice", packed(t, named("a", 0o644), named("./a", 0o644)), small, `the archive has "./a" twice`},
		{"a way out", packed(t, named("a/../../b", 0o644)), small, `"a/../../b" in the archive leads out of it`},
		{"an absolute path", packed(t, named("/etc/passwd", 0o644)), small, `"/etc/passwd" in the archive leads out of it`},
		{"a way out on Windows", packed(t, named(`..\b`, 0o644)), small, `"..\\b" in the archive leads out of it`},
		{"a symbolic link", packed(t, named("a", fs.ModeSymlink|0o777)), small, `"a" in the archive is neither a file nor a folder`},
		{"a symbolic link of a package", packed(t, named("a", fs.ModeSymlink|0o777)), packageArchive, "<nil>"},
		{"a device", packed(t, named("a", fs.ModeDevice|0o644)), packageArchive, `"a" in the archive is neither a file nor a folder`},
		{"a named pipe", packed(t, named("a", fs.ModeNamedPipe|0o644)), packageArchive, `"a" in the archive is neither a file nor a folder`},
		{"a NUL byte", packed(t, named("a\x00b", 0o644)), small, `"a\x00b" in the archive has no valid name`},
		{"no UTF-8", packed(t, named("a\xff", 0o644)), small, `"a\xff" in the archive has no valid name`},
		{"a long name", packed(t, named(strings.Repeat("a", 1001), 0o644)), small, fmt.Sprintf("%q in the archive has too long a name", strings.Repeat("a", 100))},
		{"an encrypted file", packed(t, &zip.FileHeader{Name: "a", Flags: 1}), small, `"a" in the archive is encrypted`},
	} {
		if got := fmt.Sprint(checkArchive(tt.data, tt.bounds)); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.why, got, tt.want)
		}
	}
}

// FuzzArchive checks that what is accepted can be extracted below a folder: no name leads out of it.
func FuzzArchive(f *testing.F) {
	f.Add(pack(f, map[string]string{"a/b": "x", "c": ""}))
	f.Add(packed(f, named("a/../b", 0o644)))
	f.Add([]byte("PK\x05\x06"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if checkArchive(data, sourceArchive) != nil {
			return
		}
		z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range z.File {
			if name := strings.TrimSuffix(f.Name, "/"); name != "." && !fs.ValidPath(strings.TrimPrefix(name, "./")) && strings.Contains(name, "..") {
				t.Errorf("%q is accepted", f.Name)
			}
		}
	})
}

// TestArchiveBoundsAreDocumented compares the bounds of an archive, and of the program in it, with the page.
func TestArchiveBoundsAreDocumented(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../../../docs/api.md")
	if err != nil {
		t.Fatal(err)
	}
	mebi := func(b limits.Bytes) string { return fmt.Sprintf("%d MiB", b/limits.MiB) }
	want := fmt.Sprintf("| an archive of sources | %d files, %s unpacked; a program of more than %s is CE |", sourceArchive.files, mebi(sourceArchive.total), mebi(build.MaxSource))
	if !strings.Contains(string(page), want) {
		t.Errorf("docs/api.md does not have the line\n%s", want)
	}
}
