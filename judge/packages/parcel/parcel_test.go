package parcel

import (
	"archive/zip"
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tribunal/judge/internal/yamlstrict"
	"tribunal/judge/packages/pkgformat"
)

const sumFile = `id: sum
title: Sum
source: a contest
limits: {cpu: 1s, memory: 64MiB}
statement: |
  Add.
input: |
  Two numbers.
output: |
  Their sum.
`

const someCases = `cases:
  - name: one
    input: |
      1 2
    output: |
      3
    files: beside
...
`

// sum is a repository with the problem sum, and with files that do not belong to it.
var sum = map[string]string{
	"problems/sum.yaml":                             sumFile,
	"problems/other.yaml":                           "no problem",
	"cases/sum/sample.yaml":                         someCases,
	"cases/sum/sample.yaml~":                        "of an editor",
	"cases/sum/sample/beside/.hidden":               "a file for the submission",
	"cases/sum/sample/.swap":                        "of an editor",
	"cases/other/sample.yaml":                       someCases,
	"reference/sum/main.go":                         "package main\n\nimport \"m/reference/internal/add\"\n\nfunc main() { add.Add() }\n",
	"reference/sum/gen/main.py":                     "print(1, 2)\n",
	"reference/sum/.gitignore":                      "x\n",
	"reference/sum/submissions/wrong_answer/a.c":    "int main() {}\n",
	"reference/sum/submissions/accepted/go/go.mod":  "module x // of a contestant\n",
	"reference/sum/submissions/accepted/go/main.go": "package main\n\nfunc main() {}\n",
	"reference/internal/add/add.go":                 "package add\n\nimport _ \"embed\"\n\n//go:embed table.txt\nvar table string\n\nfunc Add() {}\n",
	"reference/internal/add/table.txt":              "1\n",
	"reference/internal/add/add_test.go":            "package add\n",
	"reference/internal/unused/unused.go":           "package unused\n",
	"reference/other/main.go":                       "package main\n",
	"go.mod":                                        "module m // of all problems\n\ngo 1.21\n\nrequire example.org/x v1.0.0\n",
	"go.sum":                                        "example.org/x v1.0.0 h1:x\n",
	"runner.yaml":                                   "slots: 1\n",
}

// parts are the files of its parcel, in order.
var parts = []string{
	"cases/sum/sample.yaml", "cases/sum/sample/beside/.hidden", "go.mod", "problems/sum.yaml",
	"reference/internal/add/add.go", "reference/internal/add/table.txt", "reference/sum/gen/main.py", "reference/sum/main.go",
	"reference/sum/submissions/accepted/go/go.mod", "reference/sum/submissions/accepted/go/main.go", "reference/sum/submissions/wrong_answer/a.c",
}

// write writes files below a new folder, with those of changes in place of others, and returns it.
// A text of "" leaves a file out.
func write(t *testing.T, files, changes map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for _, list := range []map[string]string{files, changes} {
		for name, text := range list {
			file := filepath.Join(root, name)
			if text == "" {
				if err := os.Remove(file); err != nil {
					t.Fatal(err)
				}
				continue
			}
			if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(text), 0o644)); err != nil {
				t.Fatal(err)
			}
		}
	}
	return root
}

// pack returns the parcel of the problem sum of a repository.
func pack(t *testing.T, root string) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := Pack(root, "sum", &b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestPack(t *testing.T) {
	t.Parallel()
	text := pack(t, write(t, sum, nil))
	z, err := zip.NewReader(bytes.NewReader(text), int64(len(text)))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range z.File {
		names = append(names, f.Name)
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		var got bytes.Buffer
		if _, err := got.ReadFrom(r); err != nil {
			t.Fatal(err)
		}
		want := sum[f.Name]
		if f.Name == "go.mod" {
			want = "module m\n\ngo 1.21\n"
		}
		if got.String() != want {
			t.Errorf("%s: got %q, want %q", f.Name, &got, want)
		}
	}
	if !slices.Equal(names, parts) {
		t.Errorf("got the files\n%s\nwant\n%s", strings.Join(names, "\n"), strings.Join(parts, "\n"))
	}
}

// TestSameBytes checks which changes of a repository change the bytes of a parcel.
func TestSameBytes(t *testing.T) {
	t.Parallel()
	first := write(t, sum, nil)
	want := pack(t, first)
	for _, tt := range []struct {
		why    string
		change map[string]string
		same   bool
	}{
		{"another folder, other times", nil, true},
		{"another problem", map[string]string{"problems/other.yaml": sumFile, "reference/other/main.go": ""}, true},
		{"a package that it does not import", map[string]string{"reference/internal/unused/unused.go": ""}, true},
		{"an update of a module", map[string]string{"go.mod": "module m\n\ngo 1.21\n\nrequire example.org/x v1.0.1\n", "go.sum": "new\n"}, true},
		{"the machine", map[string]string{"runner.yaml": "slots: 2\n"}, true},
		{"the version of the language", map[string]string{"go.mod": "module m\n\ngo 1.22\n"}, false},
		{"an imported package", map[string]string{"reference/internal/add/add.go": "package add\n\nfunc Add() { println() }\n"}, false},
		{"an embedded file", map[string]string{"reference/internal/add/table.txt": "2\n"}, false},
		{"a case", map[string]string{"cases/sum/sample.yaml": strings.Replace(someCases, "3", "4", 1)}, false},
		{"an example", map[string]string{"reference/sum/submissions/wrong_answer/a.c": "int main() { }\n"}, false},
		{"a module of a contestant", map[string]string{"reference/sum/submissions/accepted/go/go.mod": "module x\n"}, false},
	} {
		root := write(t, sum, tt.change)
		for name := range sum {
			_ = os.Chmod(filepath.Join(root, name), 0o755)
		}
		if same := bytes.Equal(pack(t, root), want); same != tt.same {
			t.Errorf("%s: the same bytes: %t, want %t", tt.why, same, tt.same)
		}
	}
}

// TestPackRefuses checks the errors of Pack, which are located below the repository.
func TestPackRefuses(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why     string
		change  map[string]string
		link    string // a file to make a symbolic link
		message string
	}{
		{"there is no such problem", map[string]string{"problems/sum.yaml": "", "problems/sun.yaml": strings.ReplaceAll(sumFile, "id: sum", "id: sun")}, "", `unknown problem "sum" (hint: did you mean sun?`},
		{"its file is wrong", map[string]string{"problems/sum.yaml": "id: sum\n"}, "", "ROOT/problems/sum.yaml:1: "},
		{"a case is wrong", map[string]string{"cases/sum/sample.yaml": "cases: []\n"}, "", "ROOT/cases/sum/sample.yaml:1: "},
		{"a program imports a package that does not exist", map[string]string{"reference/internal/add/add.go": "", "reference/internal/add/table.txt": "", "reference/internal/add/add_test.go": ""}, "", "ROOT/reference/sum/main.go:3: imports m/reference/internal/add"},
		{"a symbolic link", nil, "reference/sum/notes.txt", "ROOT/reference/sum/notes.txt: not a regular file (hint: put the file itself there: a parcel has no links)"},
		{"there are no programs", map[string]string{"reference/sum/main.go": "", "go.mod": "module\n"}, "", ""},
	} {
		root := write(t, sum, tt.change)
		if tt.link != "" {
			if err := os.Symlink("main.go", filepath.Join(root, tt.link)); err != nil {
				t.Fatal(err)
			}
		}
		var b bytes.Buffer
		err := Pack(root, "sum", &b)
		got := ""
		if err != nil {
			got = strings.ReplaceAll(err.Error(), root, "ROOT")
		}
		if !strings.HasPrefix(got, tt.message) || (err == nil) != (tt.message == "") {
			t.Errorf("%s: got %q, want %q", tt.why, got, tt.message)
		}
	}
}

// entry is a file of an archive; a mode of 0 is a plain file.
type entry struct {
	name, text string
	mode       fs.FileMode
	size       uint64 // if not 0, the size that the archive declares
}

// archive writes an archive x.zip and returns its path.
func archived(t *testing.T, files ...entry) string {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, f := range files {
		h := &zip.FileHeader{Name: f.name, Method: zip.Store}
		h.SetMode(max(f.mode, 0o644))
		create := z.CreateHeader
		if f.size > 0 {
			h.CompressedSize64, h.UncompressedSize64 = uint64(len(f.text)), f.size
			create = z.CreateRaw
		}
		w, err := create(h)
		if err == nil {
			_, err = w.Write([]byte(f.text))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "x.zip")
	if err := os.WriteFile(name, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return name
}

// TestOpenRefuses opens archives that Pack did not write. Their errors name the archive, not the
// folder into which it was extracted.
func TestOpenRefuses(t *testing.T) {
	t.Parallel()
	good := []entry{{name: "problems/sum.yaml", text: sumFile}, {name: "cases/sum/sample.yaml", text: strings.ReplaceAll(someCases, "    files: beside\n", "")}}
	for _, tt := range []struct {
		why     string
		files   []entry
		message string
	}{
		{"it is complete, although it has no programs", nil, ""},
		{"a name leads out of it", []entry{{name: "../evil", text: "x"}}, `X.ZIP: the name "../evil" has a path that leads out of the archive`},
		{"an absolute name", []entry{{name: "/tmp/evil", text: "x"}}, `X.ZIP: the name "/tmp/evil" has an absolute path`},
		{"a symbolic link leads out of it", []entry{{name: "reference/sum/main.go", text: "../../../../etc/passwd", mode: fs.ModeSymlink | 0o777}}, "X.ZIP: symbolic link reference/sum/main.go leads to ../../../../etc/passwd"},
		{"a file below a symbolic link", []entry{{name: "reference", text: "/tmp", mode: fs.ModeSymlink | 0o777}, {name: "reference/evil", text: "x"}}, "X.ZIP: reference: file exists"},
		{"a device", []entry{{name: "reference/sum/main.go", mode: fs.ModeDevice | 0o644}}, "X.ZIP: reference/sum/main.go is neither a file nor a folder"},
		{"a bomb", []entry{{name: "reference/sum/big", text: "x", size: 20 << 30}}, "X.ZIP: its files are too large for the archive"},
		{"a file twice", []entry{{name: "problems/sum.yaml", text: sumFile}}, "X.ZIP: two files are called problems/sum.yaml"},
		{"two problems", []entry{{name: "problems/max.yaml", text: sumFile}}, "X.ZIP: holds 2 problems: max, sum (hint: a parcel holds one)"},
		{"a wrong case", []entry{{name: "cases/sum/edge.yaml", text: "cases: []\n"}}, "X.ZIP/cases/sum/edge.yaml:1: "},
		{"a wrong id", []entry{{name: "problems/Sum.yaml", text: sumFile}}, `X.ZIP/problems/Sum.yaml: bad problem id "Sum"`},
	} {
		name, scratch := archived(t, append(slices.Clone(good), tt.files...)...), t.TempDir()
		if !Is(name) {
			t.Errorf("%s: it is no parcel", tt.why)
		}
		p, err := Open(t.Context(), name, pkgformat.In(scratch))
		if tt.message == "" {
			if err != nil || p.ID != "sum" {
				t.Errorf("%s: %v", tt.why, err)
			}
			continue
		}
		located, ok := errors.AsType[*yamlstrict.Error](err)
		if !ok {
			t.Errorf("%s: got %v, want an error with a place", tt.why, err)
			continue
		}
		if got := strings.ReplaceAll(located.Error(), name, "X.ZIP"); !strings.HasPrefix(got, tt.message) || strings.Contains(got, scratch) {
			t.Errorf("%s: got %q, want %q", tt.why, got, tt.message)
		}
	}
}

// TestIs checks what counts as a parcel.
func TestIs(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why  string
		name string
		want bool
	}{
		{"a slice of a repository", write(t, sum, nil), true},
		{"an archive of one", archived(t, entry{name: "problems/a.yaml"}), true},
		{"an archive of a package", archived(t, entry{name: "problem.yaml"}, entry{name: "data/problems/a.yaml"}), false},
		{"a folder of problems that are packages", write(t, map[string]string{"problems/a/problem.yaml": "x"}, nil), false},
		{"a folder that hides a file", write(t, map[string]string{"problems/.a.yaml": "x"}, nil), false},
		{"no archive", filepath.Join(write(t, sum, nil), "go.mod"), false},
		{"nothing", filepath.Join(t.TempDir(), "x.zip"), false},
	} {
		if got := Is(tt.name); got != tt.want {
			t.Errorf("%s: %t, want %t", tt.why, got, tt.want)
		}
	}
}

// TestOpenFolder opens a parcel that was extracted already.
func TestOpenFolder(t *testing.T) {
	t.Parallel()
	root := write(t, sum, map[string]string{"problems/other.yaml": ""})
	scratch := func() (string, error) { return "", errors.New("not needed") }
	p, err := Open(t.Context(), root, scratch)
	if err != nil || p.Root != root || len(p.Submissions) != 2 {
		t.Errorf("got %+v, %v", p, err)
	}
	whole := write(t, sum, nil)
	if _, err := Open(t.Context(), whole, scratch); err == nil || err.Error() != whole+": holds 2 problems: other, sum (hint: a parcel holds one)" {
		t.Errorf("a whole repository: got %v", err)
	}
}
