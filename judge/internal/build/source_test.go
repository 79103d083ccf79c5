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

// write puts files, by slash-separated path, below a new folder called name.
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

// names returns the files of a source, sorted and separated by blanks.
func names(s *Source) string { return strings.Join(slices.Sorted(maps.Keys(s.files)), " ") }

func TestOpenFile(t *testing.T) {
	t.Parallel()
	languages := Defaults()
	languages["plan9c"] = Language{Match: []string{".plan9", ".9c"}, Build: []string{"8c", "{exe}", "{src}"}}
	languages["noc"] = Language{Match: []string{".9c"}, Run: []string{"cat", "{src}"}}
	for _, tt := range []struct {
		why, name, lang    string
		text               string // "" is an x
		language, file, is string // is: what the error says
	}{
		{why: "the ending tells", name: "a.cpp", language: "cpp", file: "a.cpp"},
		{why: "several endings may be one language", name: "a.cc", language: "cpp", file: "a.cc"},
		{why: "a capital C is C++, as for the compiler", name: "a.C", language: "cpp", file: "a.C"},
		{why: "only the last ending counts", name: "a.py.c", language: "c", file: "a.py.c"},
		{why: "--lang beats the ending, and the compiler must see one that it knows", name: "a.txt", lang: "cpp", language: "cpp", file: "main.cc"},
		{why: "a name that the compiler knows is kept", name: "a.cxx", lang: "cpp", language: "cpp", file: "a.cxx"},
		{why: "no ending", name: "solution", is: `no language takes files that end in "" (hint: add --lang, one of awk, bash, c, cpp,`},
		{why: "an ending that nobody takes", name: "a.txt", is: `no language takes files that end in ".txt"`},
		{why: "an ending of a language that is not here", name: "a.scala", is: "a.scala: Scala is not a configured language (hint: "},
		{why: "one that Polygon's solutions may have", name: "a.dpr", is: "a.dpr: Delphi is not a configured language (hint: "},
		{why: "a first line of one", name: "a.py", text: "#!/usr/bin/env python2\n", is: "Python 2 is not a configured language"},
		{why: "a clause tells Prolog from Perl", name: "a.pl", text: "[lib].\n\nmain :-\n    halt.\n", is: "Prolog is not a configured language"},
		{why: "Perl has other signs", name: "a.pl", text: "print 1 ? 2 :-3;\n", language: "perl", file: "a.pl"},
		{why: "a first line tells Perl from Prolog", name: "a.pl", text: "#!/usr/bin/perl\n# a\n:-\n", language: "perl", file: "a.pl"},
		{why: "--lang knows better than a name", name: "a.d", lang: "python3", language: "python3", file: "main.py"},
		{why: "an ending that two take", name: "a.9c", is: "may be noc or plan9c (hint: add --lang)"},
		{why: "a hidden file has no ending worth the name", name: ".c", language: "c", file: ".c"},
		{why: "a language there is not", name: "a.c", lang: "cobol", is: `unknown language "cobol" (hint: the languages are awk, bash, c, cpp,`},
		{why: "a source is not an executable", name: "a.c", lang: Binary, is: `unknown language "binary" for a source`},
	} {
		path := filepath.Join(write(t, "d", map[string]string{tt.name: cmp.Or(tt.text, "x")}), tt.name)
		s, err := Open(path, tt.lang, languages)
		if tt.is != "" {
			if err == nil || !strings.Contains(err.Error(), tt.is) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%s: got %v, want one line with %q", tt.why, err, tt.is)
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
	for _, tt := range []struct{ why, name, says string }{
		{"a file that is not there", filepath.Join(dir, "a.c"), "no such file or directory (hint: a submission is"},
		{"a pipe would wait for its writer", fifo, "not a regular file (hint: - reads source from standard input)"},
		{"an empty folder", dir, "no source file of any language"},
	} {
		_, err := Open(tt.name, "", Defaults())
		if err == nil || !strings.Contains(err.Error(), tt.name+": "+tt.says) && !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%s: got %v, want %q", tt.why, err, tt.says)
		}
		if dir == tt.name {
			os.Remove(fifo)
		}
	}
}

func TestOpenFolder(t *testing.T) {
	t.Parallel()
	const java = "class %s { public static void main(String[] a) {} }"
	for _, tt := range []struct {
		why, lang          string
		files              []string          // with a text that does not matter
		texts              map[string]string // or this one
		language, has, run string            // has: the files; run: the main one
		says               string
	}{
		{why: "C files are compiled together", files: []string{"a.c", "b.c", "b.h"}, language: "c", has: "a.c b.c b.h", run: "a.c"},
		{why: "a C++ program may hold C files", files: []string{"main.cpp", "list.c"}, language: "cpp", has: "list.c main.cpp", run: "main.cpp"},
		{why: "C and C++ and asked for", files: []string{"main.cpp", "main.c"}, lang: "c", language: "c", has: "main.c main.cpp", run: "main.c"},
		{why: "a script beside sources is how their author runs them", files: []string{"main.py", "run.sh"}, language: "python3", has: "main.py run.sh", run: "main.py"},
		{why: "scripts alone are the program", files: []string{"main.sh", "lib.bash"}, language: "bash", has: "lib.bash main.sh", run: "main.sh"},
		{why: "two languages", files: []string{"a.py", "a.go"}, says: "files of several languages: go, python3 (hint: add --lang)"},
		{why: "what lies below decides only when the folder itself does not", files: []string{"main.py", "tools/x.go"}, language: "python3", has: "main.py tools/x.go", run: "main.py"},
		{why: "sources below", files: []string{"README", "src/main.rs", "src/lib.rs"}, language: "rust", has: "README src/lib.rs src/main.rs", run: "src/main.rs"},
		{why: "no sources", files: []string{"README"}, says: "no source file of any language"},
		{why: "none of the language asked for", files: []string{"a.py"}, lang: "go", says: "no go source file (hint: they end in .go)"},
		{why: "the one file is the main one, whatever it is called", files: []string{"solve.py", "data.txt"}, language: "python3", has: "data.txt solve.py", run: "solve.py"},
		{why: "main before index", files: []string{"index.js", "main.js"}, language: "javascript", has: "index.js main.js", run: "main.js"},
		{why: "one file with a main function", texts: map[string]string{"solve.rs": "mod lib;\nfn main() {\n}", "lib.rs": "pub fn f() {}"}, language: "rust", has: "lib.rs solve.rs", run: "solve.rs"},
		{why: "one that is a program", texts: map[string]string{"a.pas": "unit a;", "b.pas": "{ why }\nProgram B;"}, language: "pascal", has: "a.pas b.pas", run: "b.pas"},
		{why: "one that does something when it is run", texts: map[string]string{"a.py": "x = 1", "b.py": "if __name__ == '__main__':\n  x()"}, language: "python3", has: "a.py b.py", run: "b.py"},
		{why: "one that defines main", texts: map[string]string{"A.hs": "module A where\nmainly = 1", "B.hs": "module Main where\nmain = x"}, language: "haskell", has: "A.hs B.hs", run: "B.hs"},
		{why: "a file called main all the same", texts: map[string]string{"main.rs": "mod x;", "x.rs": "fn main() {}"}, language: "rust", has: "main.rs x.rs", run: "main.rs"},
		{why: "two with a main function", texts: map[string]string{"a.hs": "main = x", "b.hs": "main :: IO ()"}, says: "several main files: a.hs, b.hs (hint: call the right one main.hs)"},
		{why: "no language for a first line but that of the rest", texts: map[string]string{"main.py": "#!/usr/bin/env pypy3", "x.py": ""}, language: "pypy3", has: "main.py x.py", run: "main.py"},
		{why: "of a file below, where there is none above", texts: map[string]string{"README": "", "src/main.py": "#!/usr/bin/pypy3", "src/x.py": ""}, language: "pypy3", has: "README src/main.py src/x.py", run: "src/main.py"},
		{why: "a first line does not speak for other languages", texts: map[string]string{"main.py": "#!/usr/bin/env pypy3", "x.c": ""}, says: "files of several languages: c, pypy3"},
		{why: "modules of Perl have another ending", files: []string{"solve.pl", "Adder.pm"}, language: "perl", has: "Adder.pm solve.pl", run: "solve.pl"},
		{why: "a Python package", files: []string{"__main__.py", "board.py"}, language: "python3", has: "__main__.py board.py", run: "__main__.py"},
		{why: "an interpreter must know where to begin", files: []string{"a.py", "b.py"}, says: "no main file among 2 (hint: call it main.py)"},
		{why: "as must one of what a compiler has made", files: []string{"a.ts", "b.ts"}, says: "no main file among 2 (hint: call it main.ts)"},
		{why: "a compiler need not", files: []string{"a.cc", "b.cc"}, language: "cpp", has: "a.cc b.cc", run: "a.cc"},
		{why: "hidden files and what interpreters leave do not count", files: []string{"main.py", ".secret.py", ".git/x.go", "__pycache__/main.pyc", "lib/__pycache__/x.pyc", "lib/x.py"}, language: "python3", has: "lib/x.py main.py", run: "main.py"},
		{why: "a Go package is its own files without tests", files: []string{"main.go", "main_test.go", "notes.txt", "gen/main.go"}, language: "go", has: "main.go", run: "main.go"},
		{why: "a Go module is all below", files: []string{"go.mod", "main.go", "board/board.go"}, language: "go", has: "board/board.go go.mod main.go", run: "main.go"},
		{why: "a language that is not here", files: []string{"main.f90", "README"}, says: "Fortran is not a configured language (hint: "},
		{why: "one of which a file tells", texts: map[string]string{"a.pl": "[b].\n:- main.\n", "b.pl": ":- module(b, []).\n"}, says: "Prolog is not a configured language"},
		{why: "a language that is here goes before one that is not", files: []string{"main.c", "main.d"}, language: "c", has: "main.c main.d", run: "main.c"},
		{why: "a Go package of tests", files: []string{"main_test.go"}, says: "no go source file"},
	} {
		files := maps.Clone(tt.texts)
		if files == nil {
			files = map[string]string{}
		}
		for _, f := range tt.files {
			files[f] = "x"
			if strings.HasSuffix(f, ".java") {
				files[f] = java
			}
		}
		dir := write(t, "submission", files)
		s, err := Open(dir, tt.lang, Defaults())
		if tt.says != "" {
			if err == nil || !strings.Contains(err.Error(), dir+": "+tt.says) {
				t.Errorf("%s: got %v, want %q", tt.why, err, tt.says)
			}
			continue
		}
		if err != nil || s.Language != tt.language || names(s) != tt.has || s.main != tt.run {
			t.Errorf("%s: got %+v, %v, want %s in %q, main %s", tt.why, s, err, tt.language, tt.has, tt.run)
		}
	}
}

// TestNameAfterClass checks that a single file gets the name that the compiler demands.
func TestNameAfterClass(t *testing.T) {
	t.Parallel()
	const body = " { public static void main(String[] args) { } }"
	for _, tt := range []struct {
		why   string
		files map[string]string
		has   string
	}{
		{"a class of the file's name", map[string]string{"Main.java": "public class Main" + body}, "Main.java"},
		{"after its public class", map[string]string{"solution.java": "import java.util.*;\npublic final class Solver" + body}, "Solver.java"},
		{"without a public class any name will do", map[string]string{"a.java": "class Board {}\nclass Run" + body}, "a.java"},
		{"what is no name of a class will do as well", map[string]string{"1 a.java": "class Run" + body}, "1 a.java"},
		{"unless the file makes one", map[string]string{"1 a.java": "void main() { }"}, "Main.java"},
		{"a name that no file can have", map[string]string{"a.java": "public class " + strings.Repeat("L", 251) + body}, "a.java"},
		{"beside a file that is no source", map[string]string{"a.java": "public class B" + body, "b.txt": ""}, "B.java b.txt"},
		{"in its folder", map[string]string{"src/a.java": "public class B" + body}, "src/B.java"},
		{"several keep their names", map[string]string{"a.java": "public class B" + body, "c.java": "public class C"}, "a.java c.java"},
	} {
		path := write(t, "java", tt.files)
		s, err := Open(path, "", Defaults())
		if err != nil || names(s) != tt.has || !slices.Contains(strings.Fields(tt.has), s.main) && s.main != tt.has {
			t.Errorf("%s: got %+v, %v, want %q", tt.why, s, err, tt.has)
		}
	}
}

func TestDependenciesFirst(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why   string
		files map[string]string
		main  string
		want  string
	}{
		{"what is named comes first", map[string]string{"a.ml": "Z.f ()", "z.ml": "M.g", "m.ml": ""}, "a.ml", "m.ml z.ml a.ml"},
		{"an interface before what it is of, both before who uses it", map[string]string{"a.ml": "open Z", "z.ml": "", "z.mli": ""}, "a.ml", "z.mli z.ml a.ml"},
		{"an interface that names others", map[string]string{"a.mli": "val f : B.t", "a.ml": "", "b.ml": ""}, "a.ml", "b.ml a.mli a.ml"},
		{"an interface that names its own module", map[string]string{"a.mli": "(* A does it *)", "a.ml": "", "main.ml": "A.f"}, "main.ml", "a.mli a.ml main.ml"},
		{"an interface whose module was named before", map[string]string{"a.ml": "B.f", "b.mli": "(* B does it *)", "b.ml": ""}, "z.ml", "b.mli b.ml a.ml z.ml"},
		{"the main file is last", map[string]string{"a.ml": "", "main.ml": "", "z.ml": ""}, "main.ml", "a.ml z.ml main.ml"},
		{"a circle ends", map[string]string{"a.ml": "B.f", "b.ml": "A.f"}, "a.ml", "a.ml b.ml"},
		{"a word within another is none", map[string]string{"a.ml": "myZ Zz z'Z", "z.ml": ""}, "z.ml", "a.ml z.ml"},
	} {
		s := &Source{Language: "ocaml", files: map[string][]byte{}, main: tt.main}
		for name, text := range tt.files {
			s.files[name] = []byte(text)
		}
		if got := strings.Join(s.inOrder(Defaults()["ocaml"]), " "); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.why, got, tt.want)
		}
	}
}

func TestFolderRefuses(t *testing.T) {
	t.Parallel()
	link := write(t, "link", map[string]string{"main.c": "x"})
	if err := os.Symlink("/etc/passwd", filepath.Join(link, "data.h")); err != nil {
		t.Fatal(err)
	}
	folder := write(t, "folder", map[string]string{"main.c": "x"})
	if err := os.Symlink("/etc", filepath.Join(folder, "lib")); err != nil {
		t.Fatal(err)
	}
	pipe := write(t, "pipe", map[string]string{"main.c": "x"})
	if err := unix.Mkfifo(filepath.Join(pipe, "in.h"), 0o600); err != nil {
		t.Fatal(err)
	}
	many := map[string]string{"main.c": ""}
	for i := range maxFiles {
		many["f"+strings.Repeat("x", i%7)+string(rune('a'+i%26))+strings.Repeat("y", i/26)] = ""
	}
	crowd := write(t, "crowd", many)
	big := write(t, "big", map[string]string{"main.c": "int main;"})
	for _, name := range []string{"a.h", "b.h"} {
		path := filepath.Join(big, name)
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(path, int64(maxSource/2)); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct{ why, dir, says string }{
		{"a link would take a file of the judge's into the jail", link, filepath.Join(link, "data.h") + ": not a regular file (hint: a submission holds no links"},
		{"a link to a folder likewise", folder, filepath.Join(folder, "lib") + ": not a regular file"},
		{"a pipe would never end", pipe, filepath.Join(pipe, "in.h") + ": not a regular file"},
		{"somebody's whole disk", crowd, crowd + ": more than 2000 files (hint: is it the right folder?)"},
		{"files that are too much together", big, big + ": sources of more than 16MiB"},
	} {
		_, err := Open(tt.dir, "", Defaults())
		if err == nil || !strings.HasPrefix(err.Error(), tt.says) {
			t.Errorf("%s: got %v, want %q", tt.why, err, tt.says)
		}
	}
}

// TestGoNames: names that the go command would misread are placed as others.
func TestGoNames(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ files, placed, main string }{
		{"main.go", "main.go", "main.go"},
		{"a%s=*.go", "a%s=*.go", "a%s=*.go"},
		{"é.go", "é.go", "é.go"},
		{"%s.go", "x%s.go", "x%s.go"},
		{"*.go", "x*.go", "x*.go"},
		{"=x.go", "x=x.go", "x=x.go"},
		{"-x.go", "x-x.go", "x-x.go"},
		{"@x.go", "x@x.go", "x@x.go"},
		{"_x.go", "main.go", "main.go"},
		{"main.go =x.go x=x.go", "main.go x=x.go xx=x.go", "main.go"},
		{"main.go _old.go", "_old.go main.go", "main.go"},
		{"go.mod main.go %.go", "go.mod main.go x%.go", "main.go"},
	} {
		files := map[string]string{}
		for name := range strings.FieldsSeq(tt.files) {
			files[name] = "package main // " + name
		}
		path := write(t, "d", files)
		if len(files) == 1 {
			path = filepath.Join(path, tt.files)
		}
		s, err := Open(path, "", Defaults())
		if err != nil || names(s) != tt.placed || s.main != tt.main {
			t.Errorf("%s: got %+v, %v, want %s with %s first", tt.files, s, err, tt.placed, tt.main)
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
	if err := os.Truncate(file, int64(maxSource)); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(file, "", Defaults()); err != nil {
		t.Errorf("exactly the limit is within it: %v", err)
	}
	r := &endless{}
	if _, err := Read("standard input", "", r, "c", Defaults()); err == nil || !strings.Contains(err.Error(), "standard input: source of more than 16MiB") {
		t.Errorf("an endless source: got %v", err)
	}
	if r.read > 2*maxSource {
		t.Errorf("%v were read before giving up", r.read)
	}
	if _, err := Read("standard input", "", strings.NewReader("x"), "", Defaults()); err == nil || !strings.Contains(err.Error(), "standard input: no file name to tell the language by") {
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

	same := open(files) // lies in another folder
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
		{"a file more", func(f map[string]string) { f["empty.py"] = "" }},
		{"a file less", func(f map[string]string) { delete(f, "data.txt") }},
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
