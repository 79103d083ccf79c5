package build

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

func TestOpenFolder(t *testing.T) {
	t.Parallel()
	const java = "class %s { public static void main(String[] a) {} }"
	for _, tt := range []struct {
		why, lang          string
		files              []string          // names of files whose text does not matter
		texts              map[string]string // other files with their texts
		language, has, run string            // has: all files of the source; run: the main file
		wantErr            string            // part of the error; "" if there is none
	}{
		{why: "C files are compiled together", files: []string{"a.c", "b.c", "b.h"}, language: "c", has: "a.c b.c b.h", run: "a.c"},
		{why: "a C++ program may include C files", files: []string{"main.cpp", "list.c"}, language: "cpp", has: "list.c main.cpp", run: "main.cpp"},
		{why: "--lang decides between C and C++", files: []string{"main.cpp", "main.c"}, lang: "c", language: "c", has: "main.c main.cpp", run: "main.c"},
		{why: "a shell script beside sources does not count", files: []string{"main.py", "run.sh"}, language: "python3", has: "main.py run.sh", run: "main.py"},
		{why: "shell scripts alone are the program", files: []string{"main.sh", "lib.bash"}, language: "bash", has: "lib.bash main.sh", run: "main.sh"},
		{why: "two languages", files: []string{"a.py", "a.go"}, wantErr: "files of several languages: go, python3 (hint: choose the language, on a command line with --lang)"},
		{why: "the folder's own files decide before those in subfolders", files: []string{"main.py", "tools/x.go"}, language: "python3", has: "main.py tools/x.go", run: "main.py"},
		{why: "sources only in a subfolder", files: []string{"README", "src/main.rs", "src/lib.rs"}, language: "rust", has: "README src/lib.rs src/main.rs", run: "src/main.rs"},
		{why: "no sources", files: []string{"README"}, wantErr: "no source file of any language"},
		{why: "no source in the language of --lang", files: []string{"a.py"}, lang: "go", wantErr: "no go source file (hint: their names end in .go)"},
		{why: "a single source is the main file, whatever its name", files: []string{"solve.py", "data.txt"}, language: "python3", has: "data.txt solve.py", run: "solve.py"},
		{why: "main before index", files: []string{"index.js", "main.js"}, language: "javascript", has: "index.js main.js", run: "main.js"},
		{why: "one file with a main function", texts: map[string]string{"solve.rs": "mod lib;\nfn main() {\n}", "lib.rs": "pub fn f() {}"}, language: "rust", has: "lib.rs solve.rs", run: "solve.rs"},
		{why: "one file with a Pascal program", texts: map[string]string{"a.pas": "unit a;", "b.pas": "{ why }\nProgram B;"}, language: "pascal", has: "a.pas b.pas", run: "b.pas"},
		{why: "one file that tests for __main__", texts: map[string]string{"a.py": "x = 1", "b.py": "if __name__ == '__main__':\n  x()"}, language: "python3", has: "a.py b.py", run: "b.py"},
		{why: "one file with the module Main", texts: map[string]string{"A.hs": "module A where\nmainly = 1", "B.hs": "module Main where\nmain = x"}, language: "haskell", has: "A.hs B.hs", run: "B.hs"},
		{why: "a file called main overrides a main function", texts: map[string]string{"main.rs": "mod x;", "x.rs": "fn main() {}"}, language: "rust", has: "main.rs x.rs", run: "main.rs"},
		{why: "two with a main function", texts: map[string]string{"a.hs": "main = x", "b.hs": "main :: IO ()"}, wantErr: "several main files: a.hs, b.hs (hint: name the right one main.hs)"},
		{why: "one first line decides the language of all files", texts: map[string]string{"main.py": "#!/usr/bin/env pypy3", "x.py": ""}, language: "pypy3", has: "main.py x.py", run: "main.py"},
		{why: "the first line of a file in a subfolder decides, too", texts: map[string]string{"README": "", "src/main.py": "#!/usr/bin/pypy3", "src/x.py": ""}, language: "pypy3", has: "README src/main.py src/x.py", run: "src/main.py"},
		{why: "a first line does not decide for files with other extensions", texts: map[string]string{"solve.py": "#!/usr/bin/env pypy3", "x.c": ""}, wantErr: "files of several languages: c, pypy3"},
		{why: "Perl modules have another extension", files: []string{"solve.pl", "Adder.pm"}, language: "perl", has: "Adder.pm solve.pl", run: "solve.pl"},
		{why: "a Python package", files: []string{"__main__.py", "board.py"}, language: "python3", has: "__main__.py board.py", run: "__main__.py"},
		{why: "an interpreter needs a main file", files: []string{"a.py", "b.py"}, wantErr: "no main file among 2 source files (hint: name it main.py)"},
		{why: "an interpreter of compiled code needs a main file, too", files: []string{"a.ts", "b.ts"}, wantErr: "no main file among 2 source files (hint: name it main.ts)"},
		{why: "a compiler to executables needs no main file", files: []string{"a.cc", "b.cc"}, language: "cpp", has: "a.cc b.cc", run: "a.cc"},
		{why: "hidden files and Python's caches do not count", files: []string{"main.py", ".secret.py", ".git/x.go", "__pycache__/main.pyc", "lib/__pycache__/x.pyc", "lib/x.py"}, language: "python3", has: "lib/x.py main.py", run: "main.py"},
		{why: "a Go package consists of the folder's own files without tests", files: []string{"main.go", "main_test.go", "notes.txt", "gen/main.go"}, language: "go", has: "main.go notes.txt", run: "main.go"},
		{why: "a Go module consists of all files below", files: []string{"go.mod", "main.go", "board/board.go"}, language: "go", has: "board/board.go go.mod main.go", run: "main.go"},
		{why: "a foreign language", files: []string{"main.f90", "README"}, wantErr: "Fortran is not a configured language (hint: "},
		{why: "a foreign language found by the text", texts: map[string]string{"a.pl": "[b].\n:- main.\n", "b.pl": ":- module(b, []).\n"}, wantErr: "Prolog is not a configured language"},
		{why: "a configured language has precedence over a foreign one", files: []string{"main.c", "main.d"}, language: "c", has: "main.c main.d", run: "main.c"},
		{why: "only tests of Go", files: []string{"main_test.go"}, wantErr: "no go source file"},
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
		if tt.wantErr != "" {
			if err == nil || !strings.Contains(err.Error(), dir+": "+tt.wantErr) {
				t.Errorf("%s: got %v, want %q", tt.why, err, tt.wantErr)
			}
			continue
		}
		if err != nil || s.Language != tt.language || names(s) != tt.has || s.main != tt.run {
			t.Errorf("%s: got %+v, %v, want %s in %q, main %s", tt.why, s, err, tt.language, tt.has, tt.run)
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
	for i := range MaxFiles {
		many["f"+strings.Repeat("x", i%7)+string(rune('a'+i%26))+strings.Repeat("y", i/26)] = ""
	}
	crowd := write(t, "crowd", many)
	big := write(t, "big", map[string]string{"main.c": "int main;"})
	for _, name := range []string{"a.h", "b.h"} {
		path := filepath.Join(big, name)
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(path, int64(MaxSource/2)); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct{ why, dir, wantErr string }{
		{"a symbolic link would show a file of the host to the program", link, filepath.Join(link, "data.h") + ": not a regular file (hint: a submission must not contain symbolic links"},
		{"a symbolic link to a folder", folder, filepath.Join(folder, "lib") + ": not a regular file"},
		{"a pipe, which must not block the judge", pipe, filepath.Join(pipe, "in.h") + ": not a regular file"},
		{"too many files", crowd, crowd + ": more than 2000 files (hint: is it the right folder?)"},
		{"files that are too large together", big, big + ": sources of more than 16MiB, with main.c (hint: "},
	} {
		_, err := Open(tt.dir, "", Defaults())
		if err == nil || !strings.HasPrefix(err.Error(), tt.wantErr) {
			t.Errorf("%s: got %v, want %q", tt.why, err, tt.wantErr)
		}
	}
}
