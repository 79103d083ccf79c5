package pkgformat

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tribunal/judge/packages/archive"
)

// zipped is a file of an archive; a mode of 0 is a plain file.
type zipped struct {
	name, text string
	mode       fs.FileMode
}

// pack writes an archive hello.zip and returns its path.
func pack(t testing.TB, files ...zipped) string {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, f := range files {
		h := &zip.FileHeader{Name: f.name, Method: zip.Deflate}
		if f.mode == 0 {
			f.mode = 0o644
		}
		h.SetMode(f.mode)
		out, err := w.CreateHeader(h)
		if err == nil {
			_, err = out.Write([]byte(f.text))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "hello.zip")
	if err := os.WriteFile(name, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return name
}

var someCase = []zipped{{name: "data/secret/1.in", text: "in"}, {name: "data/secret/1.ans", text: "out"}}

func TestOpenZip(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why   string
		files []zipped
		facts string
		notes string
	}{
		{
			why:   "the files are at the top, and the archive gives the name",
			files: append([]zipped{{name: "problem.yaml", text: "nane: x\n"}}, someCase...),
			facts: "name hello\ncase secret/1",
			notes: "hello.zip/problem.yaml:1: unknown key nane (did you mean name?)",
		},
		{
			why: "the files are in one folder, and the files that macOS adds are skipped",
			files: []zipped{
				{name: "sum/", mode: fs.ModeDir | 0o755}, {name: "sum/problem.yaml", text: "nane: x\n"},
				{name: "__MACOSX/sum/._problem.yaml"},
				{name: "sum/data/secret/1.in"}, {name: "sum/data/secret/1.ans"},
			},
			facts: "name sum",
			notes: "hello.zip/sum/problem.yaml:1: unknown key nane (did you mean name?)",
		},
		{
			why:   "the files are at the top, beside those that macOS adds",
			files: append([]zipped{{name: "__MACOSX/data/secret/._1.in"}, {name: "problem.yaml"}}, someCase...),
			facts: "name hello\ncase secret/1",
		},
		{
			why:   "symbolic links to files of the archive are kept, even before these files",
			files: append([]zipped{{name: "data/sample/1.in", text: "../secret/1.in", mode: fs.ModeSymlink | 0o777}, {name: "data/sample/1.ans", text: "1.in", mode: fs.ModeSymlink | 0o777}}, someCase...),
			facts: "case sample/1\ncase secret/1",
		},
		{
			why:   "names that differ in case are different names",
			files: append([]zipped{{name: "data/secret/A.in"}, {name: "data/secret/A.ans"}, {name: "data/secret/a.in"}, {name: "data/secret/a.ans"}}, someCase...),
			facts: "case secret/1\ncase secret/A\ncase secret/a",
		},
		{
			why:   "a folder may have several entries",
			files: append([]zipped{{name: "data/", mode: fs.ModeDir | 0o755}, {name: "data/", mode: fs.ModeDir | 0o755}, {name: "./"}}, someCase...),
			facts: "case secret/1",
		},
	} {
		t.Run(tt.why, func(t *testing.T) {
			t.Parallel()
			p := readPackage(t, pack(t, tt.files...))
			wantFacts(t, p, tt.facts)
			wantNotes(t, p, tt.notes)
		})
	}
}

func TestZipModes(t *testing.T) {
	t.Parallel()
	p := readPackage(t, pack(t, append([]zipped{{name: "output_validators/run", mode: 0o4755}, {name: "output_validators/build", mode: 0o200}}, someCase...)...))
	for file, want := range map[string]fs.FileMode{"output_validators/run": 0o111, "output_validators/build": 0} {
		info, err := os.Stat(p.File(file))
		if err != nil {
			t.Fatal(err)
		}
		if got := info.Mode(); got&0o111 != want&^0 && got&0o111 == 0 != (want == 0) || got&fs.ModeSetuid != 0 {
			t.Errorf("%s has mode %v", file, got)
		}
	}
}

func TestHostileZip(t *testing.T) {
	t.Parallel()
	const anew = " (hint: create the archive again, with relative names and slashes)"
	const own = " (hint: a package may only link to its own files, by relative paths)"
	link := fs.ModeSymlink | 0o777
	for _, tt := range []struct {
		why   string
		files []zipped
		want  string
	}{
		{"a path out of the archive", []zipped{{name: "../evil"}}, `hello.zip: the name "../evil" has a path that leads out of the archive` + anew},
		{"a path out of the archive, with .. in the middle", []zipped{{name: "a/../../evil"}}, `hello.zip: the name "a/../../evil" has a path that leads out of the archive` + anew},
		{"an absolute path", []zipped{{name: "/etc/evil"}}, `hello.zip: the name "/etc/evil" has an absolute path` + anew},
		{"backslashes", []zipped{{name: `a\..\evil`}}, `hello.zip: the name "a\\..\\evil" has a backslash` + anew},
		{"a NUL byte", []zipped{{name: "a\x00b"}}, `hello.zip: the name "a\x00b" has a NUL byte` + anew},
		{"no name", []zipped{{name: ""}}, `hello.zip: the name "" has no name` + anew},
		{"an empty part", []zipped{{name: "a//b"}}, `hello.zip: the name "a//b" has an empty part of a path` + anew},
		{"two files with one name", []zipped{{name: "a"}, {name: "a"}}, "hello.zip: two files are called a"},
		{"two files with one name in two spellings", []zipped{{name: "a"}, {name: "./a"}}, "hello.zip: two files are called a"},
		{"a file, then a folder of the same name", []zipped{{name: "a"}, {name: "a/b"}}, "hello.zip: a: file exists"},
		{"a folder, then a file of the same name", []zipped{{name: "a/b"}, {name: "a"}}, "hello.zip: a: file exists"},
		{"a deep folder", []zipped{{name: strings.Repeat("a/", 65) + "b"}}, "hello.zip: the name " + strings.Repeat("a/", 30) + "… has more than 64 parts"},
		{"a long name", []zipped{{name: strings.Repeat("a", 300)}}, "hello.zip: " + strings.Repeat("a", 60) + "…: file name too long"},
		{"a device", []zipped{{name: "dev", mode: fs.ModeDevice | 0o644}}, "hello.zip: dev is neither a file nor a folder"},
		{"a pipe", []zipped{{name: "pipe", mode: fs.ModeNamedPipe | 0o644}}, "hello.zip: pipe is neither a file nor a folder"},
		{"a link to a file elsewhere", []zipped{{name: "x", text: "/etc/passwd", mode: link}}, "hello.zip: symbolic link x leads to /etc/passwd, which is not a file of the archive" + own},
		{"a link to a folder above", []zipped{{name: "x", text: "..", mode: link}}, "hello.zip: symbolic link x leads to .., which is not a file of the archive" + own},
		{"a file through a link", []zipped{{name: "x", text: "..", mode: link}, {name: "x/evil"}}, "hello.zip: x: file exists"},
		{"a link through a link", []zipped{{name: "x", text: "a/..", mode: link}, {name: "y", text: "x/../../etc", mode: link}}, "hello.zip: symbolic link x leads to a/.., which is not a file of the archive" + own},
		{"a link to itself", []zipped{{name: "x", text: "x", mode: link}}, "hello.zip: symbolic link x leads to x, which is not a file of the archive" + own},
		{"a link with a target that is too long", []zipped{{name: "x", text: strings.Repeat("a", 5000), mode: link}}, "hello.zip: the target of symbolic link x is empty, longer than 4096 bytes or contains a NUL byte"},
		{"a link without a target", []zipped{{name: "x", text: "", mode: link}}, "hello.zip: the target of symbolic link x is empty, longer than 4096 bytes or contains a NUL byte"},
		{"an archive without cases", nil, "hello.zip: no cases (hint: add data/secret/*.in, each with its answer *.ans)"},
	} {
		t.Run(tt.why, func(t *testing.T) {
			t.Parallel()
			file := pack(t, append(tt.files, zipped{name: "problem.yaml"})...)
			scratch := t.TempDir()
			p, err := openDraft(t.Context(), file, Options{Scratch: In(scratch)})
			if err == nil {
				p.Close()
				t.Fatal("opened")
			}
			if got := strings.ReplaceAll(err.Error(), filepath.Dir(file)+"/", ""); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
			if out, _ := os.ReadDir(filepath.Dir(scratch)); len(out) > 2 {
				t.Errorf("files were written outside of scratch: %v", out)
			}
		})
	}
}

// TestZipBombs extracts archives up to and beyond small bounds.
func TestZipBombs(t *testing.T) {
	t.Parallel()
	zeros := strings.Repeat("\x00", 1<<20) // a thousand times smaller in the archive
	bounds := archive.Bounds{Entries: 10, Total: 8 << 20, Free: 2 << 20, Ratio: 100, Link: 100}
	many := make([]zipped, 11)
	for i := range many {
		many[i].name = strings.Repeat("a", i+1)
	}
	for _, tt := range []struct {
		why    string
		files  []zipped
		change func([]byte)
		want   string
	}{
		{"repetitive data of real cases", []zipped{{name: "data/secret/1.in", text: zeros}, {name: "data/secret/1.ans"}}, nil, ""},
		{"more than the archive's size allows", []zipped{{name: "a", text: zeros}, {name: "b", text: zeros}, {name: "c", text: zeros}}, nil, "a zip bomb"},
		{"more than the total bound allows", []zipped{{name: "a", text: strings.Repeat(zeros, 9)}}, nil, "a zip bomb"},
		{"too many files", many, nil, "more than 10 files"},
		{"too many parent folders without entries of their own", []zipped{{name: strings.Repeat("a/", 11) + "x"}}, nil, "more than 10 files and folders"},
		{"too many folders from two entries", []zipped{{name: strings.Repeat("a/", 6), mode: fs.ModeDir | 0o755}, {name: strings.Repeat("b/", 6), mode: fs.ModeDir | 0o755}}, nil, "more than 10 files and folders"},
		{"the same folders again and again", append([]zipped{{name: "data/", mode: fs.ModeDir | 0o755}, {name: "data/secret/", mode: fs.ModeDir | 0o755}, {name: "data/secret/", mode: fs.ModeDir | 0o755}}, someCase...), nil, ""},
		{"a wrong size in the archive", []zipped{{name: "a", text: strings.Repeat(zeros, 3)}}, declareOneByte, "hello.zip: a is damaged (hint: create the archive again)"},
		{"a file whose compressed data are damaged", []zipped{{name: "a", text: zeros}}, damageData, "hello.zip: a is damaged (hint: create the archive again)"},
		{"a file that begins outside of the archive", []zipped{{name: "a", text: zeros}}, moveAway, "hello.zip: a is damaged (hint: create the archive again)"},
	} {
		t.Run(tt.why, func(t *testing.T) {
			t.Parallel()
			file := pack(t, tt.files...)
			if tt.change != nil {
				data, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				tt.change(data)
				if err := os.WriteFile(file, data, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			scratch := t.TempDir()
			p, err := open(t.Context(), file, Options{Scratch: In(scratch)}, bounds)
			if err == nil {
				p.Close()
			}
			switch {
			case tt.want == "" && err != nil:
				t.Errorf("not opened: %v", err)
			case err != nil && strings.Contains(tt.want, "damaged") && errors.Unwrap(err) != nil:
				t.Errorf("%v: an error of this host, not of the package", err)
			case tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)):
				t.Errorf("got %v, want …%s…", err, tt.want)
			}
			if left, _ := os.ReadDir(scratch); tt.want != "" && len(left) > 0 {
				t.Errorf("%v is left after a failure", left)
			}
		})
	}
}

// declareOneByte changes an archive to declare a size of one byte for all its files.
func declareOneByte(data []byte) {
	for i := bytes.Index(data, []byte("PK\x01\x02")); i >= 0 && i+46 < len(data); {
		copy(data[i+24:], []byte{1, 0, 0, 0})
		next := bytes.Index(data[i+4:], []byte("PK\x01\x02"))
		if next < 0 {
			return
		}
		i += 4 + next
	}
}

// damageData overwrites the beginning of the compressed data of the first file, whose name is one byte long.
func damageData(data []byte) { copy(data[31:], "\xff\xff\xff\xff\xff\xff\xff\xff") }

// moveAway lets the first file of the archive begin behind its end.
func moveAway(data []byte) {
	copy(data[bytes.Index(data, []byte("PK\x01\x02"))+42:], []byte{0, 0, 0, 0x7f})
}

// TestZipOverlap checks that an archive whose files share compressed bytes is rejected.
func TestZipOverlap(t *testing.T) {
	t.Parallel()
	data := strings.Repeat("0123456789abcdef", 64<<10) // any data
	file := pack(t, zipped{name: "a", text: data}, zipped{name: "b", text: data})
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	// Declare the size of the whole archive as the compressed size of each file.
	for i := 0; i+46 < len(raw); i++ {
		if string(raw[i:i+4]) == "PK\x01\x02" {
			n := len(raw)
			copy(raw[i+20:], []byte{byte(n), byte(n >> 8), byte(n >> 16), 0})
		}
	}
	if err := os.WriteFile(file, raw, 0o644); err != nil {
		t.Fatal(err)
	}
	if got, want := openError(t, file), "hello.zip: its files share bytes of the archive: a zip bomb"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestBackslash checks that a backslash in a name is an ordinary character in archives made on
// Unix, and an error in others.
func TestBackslash(t *testing.T) {
	t.Parallel()
	p, err := openDraft(t.Context(), pack(t, zipped{name: "problem.yaml"}, zipped{name: "data/secret/1.in"}, zipped{name: "data/secret/1.ans"}, zipped{name: `submissions/accepted/a\#.c`}), Options{Scratch: In(t.TempDir())})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if len(p.Submissions) != 1 || p.Submissions[0].Path != `submissions/accepted/a\#.c` {
		t.Errorf("the submissions are %+v", p.Submissions)
	}
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	if _, err := w.CreateHeader(&zip.FileHeader{Name: `data\secret\1.in`}); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "hello.zip")
	if err := os.WriteFile(name, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := openDraft(t.Context(), name, Options{Scratch: In(t.TempDir())}); err == nil || !strings.Contains(err.Error(), "has a backslash") {
		t.Errorf("an archive not made on Unix: got %v", err)
	}
}

// TestZipInterrupted checks that an extraction that is cancelled leaves no files.
func TestZipInterrupted(t *testing.T) {
	t.Parallel()
	file := pack(t, append([]zipped{{name: "large", text: strings.Repeat("\x00", 4<<20)}}, someCase...)...)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	scratch := t.TempDir()
	if p, err := openDraft(ctx, file, Options{Scratch: In(scratch)}); !errors.Is(err, context.Canceled) {
		t.Errorf("opened %v, %v", p, err)
	}
	if left, _ := os.ReadDir(scratch); len(left) > 0 {
		t.Errorf("left %v", left)
	}
}
