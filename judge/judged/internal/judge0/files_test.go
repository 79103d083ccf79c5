package judge0

import (
	"archive/zip"
	"bytes"
	"io"
	"path"
	"strings"
	"testing"
)

// zipped returns an archive of files by name, each with a content.
func zipped(t testing.TB, files ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := 0; i+1 < len(files); i += 2 {
		w, err := z.Create(files[i])
		if err == nil {
			_, err = w.Write([]byte(files[i+1]))
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

// TestPack packs sources with files, and gets the sources back.
func TestPack(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why   string
		files []byte
		want  string // the names in the archive, or the error
	}{
		{"a file", zipped(t, "data.txt", "hello"), "main.py data.txt"},
		{"several, in folders", zipped(t, "./a/b.txt", strings.Repeat("x", 1000), "a/", "", "c", ""), "main.py ./a/b.txt a/ c"},
		{"the name of the source in a folder", zipped(t, "a/main.py", "x"), "main.py a/main.py"},
		{"the name of the source", zipped(t, "data.txt", "x", "./main.py", "x"), "main.py is the name of the source"},
		{"no archive", []byte("PK\x05\x06"), "not a zip archive"},
		{"an archive that is cut", zipped(t, "data.txt", "hello")[:40], "not a zip archive"},
	} {
		data, err := Pack("main.py", []byte("print(1)"), tt.files)
		if err != nil {
			if !strings.HasPrefix(err.Error(), tt.want) {
				t.Errorf("%s: %v, want %s", tt.why, err, tt.want)
			}
			continue
		}
		z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			t.Fatal(tt.why, err)
		}
		var names []string
		for i, f := range z.File {
			names = append(names, f.Name)
			r, err := f.Open()
			if err != nil {
				t.Fatal(tt.why, err)
			}
			if text, err := io.ReadAll(r); err != nil || i > 0 && string(text) != contents[path.Base(f.Name)] {
				t.Errorf("%s: %s has %q, %v", tt.why, f.Name, text, err)
			}
		}
		if got := strings.Join(names, " "); got != tt.want || string(Unpack(data)) != "print(1)" {
			t.Errorf("%s: %s, want %s; the source is %q", tt.why, got, tt.want, Unpack(data))
		}
	}
	for _, other := range []string{"", "no archive", string(zipped(t)), string(zipped(t, "main.py", "x"))} {
		if got := string(Unpack([]byte(other))); got != other {
			t.Errorf("%q became %q", other, got)
		}
	}
}

// contents are those of files in tests, by the ends of their names.
var contents = map[string]string{"data.txt": "hello", "b.txt": strings.Repeat("x", 1000), "main.py": "x"}

// FuzzUnpack checks that no archive that claims to be packed here breaks the reader, or grows.
func FuzzUnpack(f *testing.F) {
	packed, err := Pack("main.c", []byte("int main(void) {}"), zipped(f, "data.txt", "hello"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(packed)
	f.Add(zipped(f, "main.c", strings.Repeat("x", 1000)))
	f.Fuzz(func(t *testing.T, data []byte) {
		if source := Unpack(data); len(source) > len(data) {
			t.Errorf("%d bytes became %d", len(data), len(source))
		}
	})
}
