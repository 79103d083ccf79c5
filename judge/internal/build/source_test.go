package build

import (
	"cmp"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"tribunal/judge/internal/cache"
	"tribunal/judge/internal/limits"
)

// write creates a folder called name with the given files, by slash path, and returns its path.
func write(t testing.TB, name string, files map[string]string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), name)
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for file, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(file))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// names returns the paths of the files of a source, sorted and separated by blanks.
func names(s *Source) string { return strings.Join(slices.Sorted(maps.Keys(s.files)), " ") }

func TestOpenFile(t *testing.T) {
	t.Parallel()
	languages := Defaults()
	languages["plan9c"] = Language{Match: []string{".plan9", ".9c"}, Build: []string{"8c", "{exe}", "{src}"}}
	languages["noc"] = Language{Match: []string{".9c"}, Run: []string{"cat", "{src}"}}
	for _, tt := range []struct {
		why, name, lang string
		text            string // text of the file; "" means "x"
		language, file  string // language and file name of the source
		wantErr         string // part of the error; "" if there is none
	}{
		{why: "the extension decides", name: "a.cpp", language: "cpp", file: "a.cpp"},
		{why: "a language may have several extensions", name: "a.cc", language: "cpp", file: "a.cc"},
		{why: ".C is C++, as for the compiler", name: "a.C", language: "cpp", file: "a.C"},
		{why: "only the last extension counts", name: "a.py.c", language: "c", file: "a.py.c"},
		{why: "--lang overrides the extension, and the file gets an extension that the compiler knows", name: "a.txt", lang: "cpp", language: "cpp", file: "main.cc"},
		{why: "an extension that the compiler knows is kept", name: "a.cxx", lang: "cpp", language: "cpp", file: "a.cxx"},
		{why: "no extension", name: "solution", wantErr: `no language has files that end in "" (hint: add --lang, one of awk, bash, c, cpp,`},
		{why: "an extension of no language", name: "a.txt", wantErr: `no language has files that end in ".txt"`},
		{why: "an extension of a foreign language", name: "a.scala", wantErr: "a.scala: Scala is not a configured language (hint: "},
		{why: "an extension of a foreign language that Polygon has", name: "a.dpr", wantErr: "a.dpr: Delphi is not a configured language (hint: "},
		{why: "a first line of a foreign language", name: "a.py", text: "#!/usr/bin/env python2\n", wantErr: "Python 2 is not a configured language"},
		{why: "a clause distinguishes Prolog from Perl", name: "a.pl", text: "[lib].\n\nmain :-\n    halt.\n", wantErr: "Prolog is not a configured language"},
		{why: "Perl text that contains :-", name: "a.pl", text: "print 1 ? 2 :-3;\n", language: "perl", file: "a.pl"},
		{why: "a first line overrides what looks like a clause", name: "a.pl", text: "#!/usr/bin/perl\n# a\n:-\n", language: "perl", file: "a.pl"},
		{why: "--lang overrides a foreign extension", name: "a.d", lang: "python3", language: "python3", file: "main.py"},
		{why: "an extension of two languages", name: "a.9c", wantErr: "could be noc or plan9c (hint: add --lang)"},
		{why: "the name of a hidden file is its extension", name: ".c", language: "c", file: ".c"},
		{why: "an unknown language", name: "a.c", lang: "cobol", wantErr: `unknown language "cobol" (hint: the languages are awk, bash, c, cpp,`},
		{why: "a source is not an executable", name: "a.c", lang: Binary, wantErr: `unknown language "binary" for a source`},
	} {
		path := filepath.Join(write(t, "d", map[string]string{tt.name: cmp.Or(tt.text, "x")}), tt.name)
		s, err := Open(path, tt.lang, languages)
		if tt.wantErr != "" {
			if err == nil || !strings.Contains(err.Error(), tt.wantErr) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%s: got %v, want one line with %q", tt.why, err, tt.wantErr)
			}
			continue
		}
		if err != nil || s.Language != tt.language || names(s) != tt.file || s.main != tt.file || s.Name != path {
			t.Errorf("%s: got %+v, %v, want %s as %s", tt.why, s, err, tt.file, tt.language)
		}
	}
}

func TestOpenNothing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	fifo := filepath.Join(dir, "pipe.c")
	if err := unix.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ why, name, wantErr string }{
		{"a file that is not there", filepath.Join(dir, "a.c"), "no such file or directory (hint: a submission is"},
		{"a pipe, which must not block the judge", fifo, "not a regular file (hint: - reads source from standard input)"},
		{"an empty folder", dir, "no source file of any language"},
	} {
		_, err := Open(tt.name, "", Defaults())
		if err == nil || !strings.Contains(err.Error(), tt.name+": "+tt.wantErr) && !strings.Contains(err.Error(), tt.wantErr) {
			t.Errorf("%s: got %v, want %q", tt.why, err, tt.wantErr)
		}
		if dir == tt.name {
			os.Remove(fifo)
		}
	}
}

// endless is a reader without an end.
type endless struct{ read limits.Bytes }

func (e *endless) Read(p []byte) (int, error) {
	e.read += limits.Bytes(len(p))
	return len(p), nil
}

func TestSizeLimit(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "a.c")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(file, 100<<20); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(file, "", Defaults()); err == nil || !strings.Contains(err.Error(), "source of 100.0 MiB, more than 16MiB (hint:") {
		t.Errorf("a source of 100 MiB: got %v", err)
	}
	if err := os.Truncate(file, int64(MaxSource)); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(file, "", Defaults()); err != nil {
		t.Errorf("a source of exactly the limit: %v", err)
	}
	r := &endless{}
	if _, err := Read("standard input", "", r, "c", Defaults()); err == nil || !strings.Contains(err.Error(), "standard input: source of more than 16MiB") {
		t.Errorf("an endless source: got %v", err)
	}
	if r.read > 2*MaxSource {
		t.Errorf("%v were read before giving up", r.read)
	}
	if _, err := Read("standard input", "", strings.NewReader("x"), "", Defaults()); err == nil || !strings.Contains(err.Error(), "standard input: no file name that shows the language") {
		t.Errorf("a source without a name or a language: got %v", err)
	}
}

func sourceKey(t *testing.T, s *Source) cache.Key {
	t.Helper()
	h := cache.NewHasher("test")
	s.key(h)
	return h.Key()
}

func TestSourceKey(t *testing.T) {
	t.Parallel()
	open := func(files map[string]string) *Source {
		t.Helper()
		s, err := Open(write(t, "s", files), "", Defaults())
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	files := map[string]string{"main.py": "import b", "b.py": "x = 1", "data.txt": "ab"}
	base := sourceKey(t, open(files))

	same := open(files) // the same files in another folder
	dir := same.Name
	if err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, _ error) error {
		return os.Chtimes(path, time.Unix(1, 0), time.Unix(1, 0))
	}); err != nil {
		t.Fatal(err)
	}
	touched, err := Open(dir, "", Defaults())
	if err != nil {
		t.Fatal(err)
	}
	if sourceKey(t, same) != base || sourceKey(t, touched) != base {
		t.Error("the same files elsewhere or at another time must have the same key")
	}

	for _, tt := range []struct {
		why  string
		edit func(map[string]string)
	}{
		{"content", func(f map[string]string) { f["b.py"] = "x = 2" }},
		{"a byte at the end", func(f map[string]string) { f["b.py"] += "\n" }},
		{"a data file, which the program may read", func(f map[string]string) { f["data.txt"] = "ba" }},
		{"a name", func(f map[string]string) { f["c.py"] = f["b.py"]; delete(f, "b.py") }},
		{"a new file", func(f map[string]string) { f["empty.py"] = "" }},
		{"a missing file", func(f map[string]string) { delete(f, "data.txt") }},
		{"bytes moved from one file to the next", func(f map[string]string) { f["b.py"] += "ab"; f["data.txt"] = "" }},
		{"the main file", func(f map[string]string) { f["__main__.py"] = f["main.py"]; delete(f, "main.py") }},
	} {
		changed := maps.Clone(files)
		tt.edit(changed)
		if sourceKey(t, open(changed)) == base {
			t.Errorf("the key does not change with %s", tt.why)
		}
	}

	two := map[string]Language{"old": {Match: []string{".x"}, Run: []string{"x"}}, "new": {Match: []string{".x"}, Run: []string{"x"}}}
	var keys []cache.Key
	for lang := range two {
		s, err := Read("a", "a.x", strings.NewReader("text"), lang, two)
		if err != nil {
			t.Fatal(err)
		}
		keys = append(keys, sourceKey(t, s))
	}
	if keys[0] == keys[1] {
		t.Error("the key does not change with the language")
	}
}
