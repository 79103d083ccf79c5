package build

import (
	"path/filepath"
	"strings"
	"testing"

	"tribunal/judge/internal/limits"
)

// TestOpenFrom checks that the main file or class of a package's program is the one that the
// package names, or else the first.
func TestOpenFrom(t *testing.T) {
	t.Parallel()
	const javaMethod = " { public static void main(String[] args) { } }"
	js := map[string]string{"a.js": "x", "b.js": "x"}
	python := map[string]string{"a.py": "x = 1", "b.py": "if __name__ == '__main__': pass", "c.py": "if __name__ == '__main__': pass"}
	java := map[string]string{"A.java": "public class A" + javaMethod, "B.java": "public class B" + javaMethod}
	kotlin := map[string]string{"a.kt": "fun main() {}", "b.kt": "object Run {\n@JvmStatic fun main() {}\n}"}
	for _, tt := range []struct {
		why, entry  string
		files       map[string]string
		main, class string
		wantErr     string
	}{
		{why: "the file that is named", entry: "b.js", files: js, main: "b.js"},
		{why: "the file that is named, without its extension", entry: "b", files: js, main: "b.js"},
		{why: "the named file has precedence over one called main", entry: "a.js", files: map[string]string{"a.js": "x", "main.js": "x"}, main: "a.js"},
		{why: "no name: the first file", files: js, main: "a.js"},
		{why: "no name: the first file that looks like a main file", files: python, main: "b.py"},
		{why: "no name: a file called main", files: map[string]string{"a.js": "x", "main.js": "x"}, main: "main.js"},
		{why: "a named file that does not exist", entry: "c.js", files: js, wantErr: "no javascript source file c.js, which was named as the main file (hint: there is a.js, b.js)"},
		{why: "the class that is named", entry: "B", files: java, class: "B"},
		{why: "the class named by its file", entry: "B.java", files: java, class: "B"},
		{why: "no name: the first class", files: java, class: "A"},
		{why: "a Kotlin class", entry: "Run", files: kotlin, class: "Run"},
		{why: "a Kotlin file", entry: "b.kt", files: kotlin, class: "b"},
		{why: "compilers to executables ignore the name", entry: "x", files: map[string]string{"a.cc": "x", "b.cc": "x"}, main: "a.cc"},
	} {
		s, err := OpenFrom(write(t, "submission", tt.files), "", Origin{Entry: tt.entry, First: true}, Defaults())
		if tt.wantErr != "" {
			if err == nil || !strings.Contains(err.Error(), tt.wantErr) {
				t.Errorf("%s: got %v, want %q", tt.why, err, tt.wantErr)
			}
			continue
		}
		if err != nil || tt.main != "" && s.main != tt.main || tt.class != "" && s.guessClass() != tt.class {
			t.Errorf("%s: got %+v, %v, want %q, class %q", tt.why, s, err, tt.main, tt.class)
		}
	}
}

// TestStartsAmongItsFiles checks that a program's working directory contains the files submitted
// with it.
func TestStartsAmongItsFiles(t *testing.T) {
	t.Parallel()
	needs(t, "bash")
	b := newBuilder(t, Options{})
	p := mustBuild(t, b, mustOpen(t, b, "", map[string]string{"main.sh": ". ./greet.sh\ngreet", "greet.sh": "greet() { echo hello; }"}))
	if got := output(t, hostOf(b), p, limits.Limits{}); got != "hello\n" {
		t.Errorf("output %q", got)
	}
	alone := mustBuild(t, b, mustOpen(t, b, "", map[string]string{"main.sh": "touch here && echo *"}))
	if got := output(t, hostOf(b), alone, limits.Limits{}); got != "here\n" {
		t.Errorf("a program of one file sees %q, want an empty working directory", got)
	}
}

// TestStartsAs compares programs that consist of the same files.
func TestStartsAs(t *testing.T) {
	t.Parallel()
	two := write(t, "two", map[string]string{"main.py": "print(1)\n", "b.py": "print(2)\n"})
	one := write(t, "one", map[string]string{"b.py": "print(2)\n"})
	for _, tt := range []struct {
		why               string
		name, entry       string
		other, otherEntry string
		want              bool
	}{
		{"the same file", two, "main.py", two, "", true},
		{"another file", two, "", two, "b.py", false},
		{"the only file", one, "", one, "b.py", true},
	} {
		s, err := OpenFrom(tt.name, "", Origin{Entry: tt.entry, First: true}, Defaults())
		if err != nil {
			t.Fatal(err)
		}
		other, err := OpenFrom(tt.other, "", Origin{Entry: tt.otherEntry}, Defaults())
		if err != nil {
			t.Fatal(err)
		}
		if got := s.StartsAs(other); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.why, got, tt.want)
		}
	}
}

// TestGoNames checks that files whose names the go command would misread are renamed.
func TestGoNames(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ files, renamed, main string }{
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
		if err != nil || names(s) != tt.renamed || s.main != tt.main {
			t.Errorf("%s: got %+v, %v, want %s, main file %s", tt.files, s, err, tt.renamed, tt.main)
		}
	}
}
