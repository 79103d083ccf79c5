package build

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
)

// TestNameAfterClass checks that a single Java file gets the name that the compiler requires.
func TestNameAfterClass(t *testing.T) {
	t.Parallel()
	const body = " { public static void main(String[] args) { } }"
	for _, tt := range []struct {
		why   string
		files map[string]string
		has   string
	}{
		{"a public class with the file's name", map[string]string{"Main.java": "public class Main" + body}, "Main.java"},
		{"another public class", map[string]string{"solution.java": "import java.util.*;\npublic final class Solver" + body}, "Solver.java"},
		{"no public class: any name is valid", map[string]string{"a.java": "class Board {}\nclass Run" + body}, "a.java"},
		{"no public class: even a name that no class can have is valid", map[string]string{"1 a.java": "class Run" + body}, "1 a.java"},
		{"a compact source file: its types are members", map[string]string{"a.java": "public class B" + body + " void main() { }"}, "a.java"},
		{"a class name that is too long for a file", map[string]string{"a.java": "public class " + strings.Repeat("L", 251) + body}, "a.java"},
		{"beside a file that is not a source", map[string]string{"a.java": "public class B" + body, "b.txt": ""}, "B.java b.txt"},
		{"in a subfolder", map[string]string{"src/a.java": "public class B" + body}, "src/B.java"},
		{"several sources keep their names", map[string]string{"a.java": "public class B" + body, "c.java": "public class C"}, "a.java c.java"},
	} {
		path := write(t, "java", tt.files)
		s, err := Open(path, "", Defaults())
		if err != nil || names(s) != tt.has || !slices.Contains(strings.Fields(tt.has), s.main) && s.main != tt.has {
			t.Errorf("%s: got %+v, %v, want %q", tt.why, s, err, tt.has)
		}
	}
}

// TestMainClass chooses the class to start among classes as readClass describes them.
func TestMainClass(t *testing.T) {
	t.Parallel()
	starts := func(name string, how start) class {
		return class{name: name, source: "b.java", super: "java.lang.Object", version: 61, starts: how, gives: how}
	}
	none := starts("Helper", noMain)
	for _, tt := range []struct {
		why, language string
		all           []class
		want          string // the class, or part of the compile error
	}{
		{"only one has a main method", "java", []class{none, starts("Solve", classicMain)}, "Solve"},
		{"of several, the one that is called Main", "java", []class{starts("A", classicMain), starts("Main", classicMain)}, "Main"},
		{"none has a main method", "java", []class{none}, "no class has a main method (hint: public static void main(String[] args))"},
		{"none has one in Kotlin", "kotlin", []class{none}, "no class has a main method (hint: fun main())"},
		{"several", "java", []class{starts("A", classicMain), starts("B", classicMain)}, "several classes with a main method: A, B (hint: name the right one Main)"},
		{"functions outside of all classes of Kotlin", "kotlin", []class{starts("A", classicMain), starts("SolveKt", classicMain)}, "SolveKt"},
		{"an inherited main method", "java", []class{none, {name: "Heir", super: "Base"}, {name: "Base", abstract: true, gives: inheritedMain}}, "Heir"},
		{"an abstract class does not start by an inherited one", "java", []class{{name: "Heir", super: "Base", abstract: true}, {name: "Base", abstract: true, gives: inheritedMain}}, "no class has a main method"},
		{"classes that extend each other", "java", []class{{name: "A", super: "B"}, {name: "B", super: "A"}}, "no class has a main method"},
	} {
		s := &Source{Language: tt.language, files: map[string][]byte{"a.txt": nil, "b.txt": nil}, main: "a.txt"}
		got, err := s.mainClass(Defaults()[tt.language], tt.all)
		if fault, ok := errors.AsType[*CompileError](err); ok {
			got = fault.Output
		}
		if unclear, ok := errors.AsType[*UnclearError](err); ok {
			got = unclear.Why
		}
		if !strings.HasPrefix(got, tt.want) || err == nil && got != tt.want {
			t.Errorf("%s: got %q, %v, want %q", tt.why, got, err, tt.want)
		}
	}
}

// TestWriteClass finds the class to start among compiled files.
func TestWriteClass(t *testing.T) {
	t.Parallel()
	compiled, err := os.ReadFile("testdata/classes/p.Outer.class") // with a main method
	if err != nil {
		t.Fatal(err)
	}
	outer := string(compiled)
	archive := func(names ...string) string {
		var b bytes.Buffer
		z := zip.NewWriter(&b)
		for _, name := range names {
			w, err := z.Create(name)
			if err == nil {
				_, err = w.Write(compiled)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		z.Close()
		return b.String()
	}
	for _, tt := range []struct {
		why, language   string
		submitted, made map[string]string
		want            string // the class
		wantErr         string
	}{
		{"a class file", "java", nil, map[string]string{"p/Outer.class": outer, "p/damaged.class": outer[:100], "p/Outer.java": outer}, "p.Outer", ""},
		{"no class file", "java", nil, map[string]string{"Outer.java": ""}, "", "no class has a main method (hint: public static void main(String[] args))"},
		{"only one that was submitted", "java", map[string]string{"p/Outer.class": outer}, map[string]string{"p/Outer.class": outer}, "", "no class has a main method"},
		{"one in the place of one that was submitted", "java", map[string]string{"p/Outer.class": "old"}, map[string]string{"p/Outer.class": outer}, "p.Outer", ""},
		{"an archive", "kotlin", nil, map[string]string{exeName + ".jar": archive("kotlin/Lib.class", "p/Outer.class")}, "p.Outer", ""},
		{"an archive of Kotlin's library alone", "kotlin", nil, map[string]string{exeName + ".jar": archive("kotlin/Lib.class", "p/Outer.kt")}, "", "no class has a main method (hint: fun main())"},
		{"a damaged archive", "kotlin", nil, map[string]string{exeName + ".jar": "PK"}, "", zip.ErrFormat.Error()},
		{"a language whose programs are not classes", "c", nil, map[string]string{"a.c": ""}, "", ""},
	} {
		s := &Source{Language: tt.language, main: "a.java", files: map[string][]byte{"a.java": nil}}
		for name, text := range tt.submitted {
			s.files[name] = []byte(text)
		}
		dir := write(t, "made", tt.made)
		err := s.writeClass(Defaults()[tt.language], dir)
		got, none := os.ReadFile(filepath.Join(dir, classFile))
		if string(got) != tt.want || errors.Is(none, fs.ErrNotExist) != (tt.want == "") || (err == nil) != (tt.wantErr == "") || err != nil && !strings.Contains(err.Error(), tt.wantErr) {
			t.Errorf("%s: got %q, %v, want %q, %q", tt.why, got, err, tt.want, tt.wantErr)
		}
	}
}

// TestNamed reads what javac says of the names of files. A source can make it print any text.
func TestNamed(t *testing.T) {
	t.Parallel()
	const ask = "a.java:1: error: class Ж_$1 is public, should be declared in a file named "
	for _, tt := range []struct {
		why, said string
		files     map[string]string
		main      string // the file with its new name; "" if it keeps the old one
	}{
		{"a public class", ask + "Ж_$1.java\npublic class Ж_$1\n       ^\n1 error", map[string]string{"src/a.java": ""}, "src/Ж_$1.java"},
		{"a compact source file", "1 a.java:1: error: bad file name: 1 a\nvoid main(){}", map[string]string{"1 a.java": ""}, "Main.java"},
		{"a path", ask + "../B.java", map[string]string{"a.java": ""}, ""},
		{"a zero byte", ask + "B\x00.java", map[string]string{"a.java": ""}, ""},
		{"another error", "a.java:1: error: ';' expected", map[string]string{"a.java": ""}, ""},
		{"several sources", ask + "B.java", map[string]string{"a.java": "", "c.java": ""}, ""},
	} {
		s := mustOpen(t, newBuilder(t, Options{}), "", tt.files)
		got := ""
		if other := s.named(Defaults()["java"], &CompileError{Output: tt.said}); other != nil {
			got = names(other)
		}
		if got != tt.main {
			t.Errorf("%s: named %q, want %q", tt.why, got, tt.main)
		}
	}
}
