package archive

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestTar extracts tar archives, plain and compressed, that are right and hostile.
func TestTar(t *testing.T) {
	t.Parallel()
	zeros := strings.Repeat("\x00", 1<<20)
	for _, tt := range []struct {
		why     string
		headers []tar.Header
		text    string
		want    string // the files, or the error
	}{
		{"files and folders", []tar.Header{{Name: "./", Typeflag: tar.TypeDir}, {Name: "./a/b.c"}, {Name: "c"}}, "x", "a/b.c c"},
		{"a link inside", []tar.Header{{Name: "a"}, {Name: "b", Typeflag: tar.TypeSymlink, Linkname: "a"}}, "x", "a b"},
		{"a global header, as git writes", []tar.Header{{Typeflag: tar.TypeXGlobalHeader, PAXRecords: map[string]string{"comment": "1"}}, {Name: "a"}}, "x", "a"},
		{"a path out of the archive", []tar.Header{{Name: "../evil"}}, "x", `the name "../evil" has a path that leads out of the archive`},
		{"an absolute path", []tar.Header{{Name: "/evil"}}, "x", `the name "/evil" has an absolute path`},
		{"a link out", []tar.Header{{Name: "x", Typeflag: tar.TypeSymlink, Linkname: "/etc/passwd"}}, "", "symbolic link x leads to /etc/passwd, which is not a file of the archive"},
		{"a hard link", []tar.Header{{Name: "x", Typeflag: tar.TypeLink, Linkname: "/etc/passwd"}}, "", "x is neither a file nor a folder"},
		{"a device", []tar.Header{{Name: "x", Typeflag: tar.TypeChar}}, "", "x is neither a file nor a folder"},
		{"a file twice", []tar.Header{{Name: "a"}, {Name: "a"}}, "x", "two files are called a"},
		{"a bomb", []tar.Header{{Name: "a"}, {Name: "b"}, {Name: "c"}}, zeros, "a zip bomb"},
		{"too many files", make([]tar.Header, 11), "x", "more than 10 files and folders"},
	} {
		for _, ext := range []string{".tar", ".tar.gz", ".TGZ"} {
			var b bytes.Buffer
			out := gzip.NewWriter(&b)
			w := tar.NewWriter(out)
			if ext == ".tar" {
				w = tar.NewWriter(&b)
			}
			for i, h := range tt.headers {
				if h.Name == "" && h.Typeflag == 0 {
					h.Name = strings.Repeat("a", i+1)
				}
				if h.Typeflag == 0 {
					h.Mode = 0o644
					h.Size = int64(len(tt.text))
				}
				if err := w.WriteHeader(&h); err != nil {
					t.Fatal(err)
				}
				if h.Typeflag == 0 {
					w.Write([]byte(tt.text))
				}
			}
			w.Close()
			if ext != ".tar" {
				out.Close()
			}
			dir := t.TempDir()
			name := filepath.Join(dir, "x"+ext)
			if err := os.WriteFile(name, b.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
			f, err := os.Open(name)
			if err != nil {
				t.Fatal(err)
			}
			total := int64(2 << 20)
			into, err := Extract(t.Context(), name, f, func() (string, error) { return dir, nil }, Bounds{Entries: 10, Total: total, Free: total, Ratio: 1, Link: 100})
			f.Close()
			got := ""
			if err != nil {
				got = err.Error()
			} else {
				var names []string
				filepath.WalkDir(into, func(path string, d os.DirEntry, err error) error {
					if err == nil && !d.IsDir() {
						rel, _ := filepath.Rel(into, path)
						names = append(names, rel)
					}
					return err
				})
				got = strings.Join(names, " ")
			}
			if !strings.Contains(got, tt.want) || err == nil && got != tt.want {
				t.Errorf("%s, %s: %s, want %s", tt.why, ext, got, tt.want)
			}
		}
	}
	for _, ext := range []string{".tar", ".tar.gz"} {
		dir := t.TempDir()
		name := filepath.Join(dir, "x"+ext)
		if err := os.WriteFile(name, []byte(strings.Repeat("no archive ", 100)), 0o644); err != nil {
			t.Fatal(err)
		}
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Extract(t.Context(), name, f, func() (string, error) { return dir, nil }, Usual()); err == nil || !strings.Contains(err.Error(), "not a readable tar") {
			t.Errorf("%s: %v", ext, err)
		}
		f.Close()
	}
}
