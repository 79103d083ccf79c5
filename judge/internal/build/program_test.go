package build

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tribunal/judge/internal/cache"
)

// TestSubmissionProgram checks which files of a contestant's folder are the program.
func TestSubmissionProgram(t *testing.T) {
	t.Parallel()
	const (
		cMain  = "int main(void) { return 0; }"
		header = "int add(int, int);"
		java   = "class X { public static void main(String[] a) { } }"
		cargo  = "[package]\nname = \"my-sum\"\nedition = \"2021\"\n"
		marked = "if __name__ == '__main__':\n  pass"
	)
	for _, tt := range []struct {
		why      string
		problem  string
		files    map[string]string
		main     string
		because  string // part of the reason
		leftOut  string
		unclear  string // part of the error, instead
		compiled string // what the compiler gets; "" for anything
	}{
		{why: "one file uses the other", files: map[string]string{"helper.py": "def f(): pass", "prog.py": "from helper import f"}, main: "prog.py", because: "no other file mentions it"},
		{why: "a configuration of tests is no program", files: map[string]string{"conftest.py": "", "prog.py": ""}, main: "prog.py", because: "no other file mentions it"},
		{why: "a test that can be started is no program", files: map[string]string{"test_prog.py": "import prog\n" + marked, "prog.py": "x = 1", "helper.py": ""}, unclear: "no main file among 3"},
		{why: "a module with a test of its own is no main file", files: map[string]string{"helper.py": marked, "prog.py": "import helper"}, main: "prog.py", because: "no other file mentions it"},
		{why: "two scripts that have nothing to do with each other", files: map[string]string{"aaa.py": "", "zzz.py": ""}, unclear: "no main file among 2 source files (hint: name it main.py)"},
		{why: "the file that is called like the problem", problem: "sum", files: map[string]string{"Sum.py": "", "other.py": ""}, main: "Sum.py", because: "it is called like the problem"},
		{why: "without the problem it is not known", files: map[string]string{"Sum.py": "", "other.py": ""}, unclear: "no main file"},
		{why: "the file called main uses that of the problem", problem: "sum", files: map[string]string{"main.py": "import sum", "sum.py": ""}, main: "main.py", because: "it is called main"},
		{why: "main and the problem's file are two programs", problem: "sum", files: map[string]string{"main.py": "", "sum.py": ""}, unclear: "several main files: main.py, sum.py"},
		{why: "a file handed in again", problem: "sum", files: map[string]string{"sum.py": "", "sum (1).py": ""}, unclear: "several main files: sum (1).py, sum.py"},
		{why: "attempts in folders", files: map[string]string{"1001/solution.py": "", "1002/solution.py": ""}, unclear: "no main file"},
		{why: "attempts in C", files: map[string]string{"1/a.c": cMain, "2/a.c": cMain}, unclear: "several main files: 1/a.c, 2/a.c"},
		{why: "attempts in Java", files: map[string]string{"1/X.java": java, "2/X.java": java}, unclear: "several main files: 1/X.java, 2/X.java"},
		{why: "attempts in OCaml", files: map[string]string{"1/a.ml": "", "2/a.ml": ""}, unclear: "several main files: 1/a.ml, 2/a.ml"},
		{why: "a second program in C is left out", problem: "sum", files: map[string]string{"sum.c": cMain, "diff.c": cMain, "util.c": header, "util.h": header}, main: "sum.c", because: "like the problem", leftOut: "diff.c"},
		{why: "a C test is left out", files: map[string]string{"prog.c": cMain, "test1.c": cMain, "tests/a.c": cMain}, main: "prog.c", because: "no other has a main function", leftOut: "test1.c tests/a.c"},
		{why: "a main function in a comment is none", files: map[string]string{"a.c": cMain, "b.c": "// int main() {\nint f;"}, main: "a.c", because: "main function"},
		{why: "two programs in C", files: map[string]string{"a.c": cMain, "b.c": cMain}, unclear: "several main files: a.c, b.c (hint: name the right one main.c)"},
		{why: "a C++ file that includes another program", files: map[string]string{"a.cpp": "#define main other\n#include \"b.cpp\"\n#undef main\n" + cMain, "b.cpp": cMain}, main: "a.cpp", because: "no other file mentions it"},
		{why: "two programs in Go", files: map[string]string{"a.go": "package main\nfunc main() {}", "b.go": "package main\nfunc main() {}"}, unclear: "several main files: a.go, b.go"},
		{why: "a helper with a main method of its own", files: map[string]string{"Sum.java": "class Sum { Helper h; public static void main(String[] a) { } }", "Helper.java": java}, main: "Sum.java", because: "no other file mentions it"},
		{why: "another program in Java is left out", problem: "sum", files: map[string]string{"Sum.java": java, "Diff.java": java, "Helper.java": "class Helper { }"}, main: "Sum.java", because: "like the problem", leftOut: "Diff.java"},
		{why: "what CMake leaves", files: map[string]string{"main.c": cMain, "cmake-build-debug/CMakeFiles/x.c": cMain, "util.c": ""}, main: "main.c", leftOut: "cmake-build-debug"},
		{why: "a build folder of CMake", files: map[string]string{"main.c": cMain, "CMakeLists.txt": "", "build/x.c": cMain, "util.c": ""}, main: "main.c", leftOut: "build"},
		{why: "a build folder of no tool has data", files: map[string]string{"main.c": cMain, "build/data.txt": ""}, main: "main.c"},
		{why: "Maven's tests", files: map[string]string{"src/main/java/A.java": java, "src/test/java/ATest.java": "import org.junit.Test;", "pom.xml": ""}, main: "src/main/java/A.java", leftOut: "src/test/java/ATest.java"},
		{why: "tests in another language", files: map[string]string{"src/Main.java": java, "tests/test_sum.py": ""}, main: "src/Main.java"},
		{why: "sources of two languages", files: map[string]string{"a.py": "", "b.c": ""}, unclear: "files of several languages: c, python3 (hint: choose the language, on a command line with --lang)"},
		{why: "the one of two languages that is called like the problem", problem: "sum", files: map[string]string{"sum.c": cMain, "plot.py": ""}, main: "sum.c"},
		{why: "both languages are called so", problem: "sum", files: map[string]string{"sum.c": cMain, "sum.py": ""}, unclear: "files of several languages: c, python3"},
		{why: "a problem that is called test", problem: "test", files: map[string]string{"test.c": cMain, "other.c": cMain}, main: "test.c", because: "like the problem", leftOut: "other.c"},
		{why: "main and a problem that is called test", problem: "test", files: map[string]string{"test.py": "", "main.py": ""}, unclear: "several main files: main.py, test.py"},
		{why: "a folder that is called like the problem", problem: "build", files: map[string]string{"build/build.c": cMain, "a.c": cMain}, main: "build/build.c", because: "like the problem", leftOut: "a.c"},
		{why: "a variable called like a program in C", problem: "sum", files: map[string]string{"sum.c": cMain, "diff.c": "int sum;\n" + cMain}, main: "sum.c", because: "like the problem", leftOut: "diff.c"},
		{why: "a variable called like a program in Go", problem: "sum", files: map[string]string{"sum.go": "package main\nfunc main() {}", "diff.go": "package main\nvar sum int\nfunc main() {}"}, main: "sum.go", because: "like the problem", leftOut: "diff.go"},
		{why: "a method called like a program in Rust", problem: "sum", files: map[string]string{"sum.rs": "fn main() { }", "diff.rs": "fn main() { v.iter().sum() }"}, main: "sum.rs", because: "like the problem"},
		{why: "a function called like a program in Python", problem: "sum", files: map[string]string{"sum.py": "import helper", "helper.py": "sum([1])"}, main: "sum.py", because: "like the problem"},
		{why: "a variable called like a program in JavaScript", problem: "sum", files: map[string]string{"sum.js": "require('./util')", "util.js": "let sum;"}, main: "sum.js", because: "like the problem"},
		{why: "a variable called like a program in Kotlin", problem: "sum", files: map[string]string{"sum.kt": "fun main() { }", "diff.kt": "fun main() { val sum = 1 }"}, main: "sum.kt", because: "like the problem", leftOut: "diff.kt"},
		{why: "a variable called like a program in OCaml", problem: "sum", files: map[string]string{"sum.ml": "", "diff.ml": "let sum = Util.f"}, main: "sum.ml", because: "like the problem"},
		{why: "modules in other ways", files: map[string]string{"prog.py": "import os; from lib import (\n  a,\n  b)", "a.py": "", "b.py": "import importlib\nimportlib.import_module('c')", "c.py": ""}, main: "prog.py", because: "no other file mentions it"},
		{why: "a C source that another includes", files: map[string]string{"sum.c": "#include \"lib/add.c\"\n" + cMain, "lib/add.c": "int add;", "util.c": ""}, main: "sum.c", because: "main function", compiled: "sum.c util.c"},
		{why: "a test main under a condition that is false", files: map[string]string{"sum.c": cMain, "helper.c": "int add;\n#ifdef HELPER_TEST\n" + cMain + "\n#endif"}, main: "sum.c", because: "no other has a main function", compiled: "helper.c sum.c"},
		{why: "one that #if 0 hides", files: map[string]string{"sum.c": cMain, "helper.c": "int add;\n#if 0\n" + cMain + "\n#endif"}, main: "sum.c", because: "no other has a main function", compiled: "helper.c sum.c"},
		{why: "the judge's macro is defined", files: map[string]string{"sum.c": cMain, "helper.c": "#ifndef ONLINE_JUDGE\n" + cMain + "\n#endif"}, main: "sum.c", because: "no other has a main function", compiled: "helper.c sum.c"},
		{why: "conditions that are true", files: map[string]string{"a.c": "#if defined ONLINE_JUDGE && !defined(X) && 1L\n" + cMain + "\n#endif", "b.c": "#ifndef B\n#define B\n" + cMain + "\n#endif"}, unclear: "several main files: a.c, b.c"},
		{why: "a test that includes a helper to start its main function", files: map[string]string{"sum.c": cMain, "helper.c": "#ifdef T\n" + cMain + "\n#endif", "tests/t.c": "#define T\n#include \"../helper.c\""}, main: "sum.c", because: "no other has a main function", leftOut: "tests/t.c"},
		{why: "a header may define what hides a second main function", files: map[string]string{"sum.c": cMain, "helper.c": "#include \"conf.h\"\n#ifdef T\n" + cMain + "\n#endif", "conf.h": "#define T"}, unclear: "helper.c may have a main function"},
		{why: "so may the compiler", files: map[string]string{"sum.c": cMain, "helper.c": "#ifdef __SSE2__\n" + cMain + "\n#endif"}, unclear: "helper.c may have a main function"},
		{why: "the only main function is under a condition", files: map[string]string{"sum.c": "#ifdef _WIN32\n#else\n" + cMain + "\n#endif", "helper.c": ""}, main: "sum.c", because: "no other has a main function"},
		{why: "a main function in each branch", files: map[string]string{"sum.c": "#ifdef _WIN32\n" + cMain + "\n#else\n" + cMain + "\n#endif", "b.c": cMain}, problem: "sum", main: "sum.c", because: "like the problem", leftOut: "b.c"},
		{why: "a file called like the problem whose main function is a test", problem: "sum", files: map[string]string{"sum.c": "#if TEST > 0\n" + cMain + "\n#endif", "prog.c": cMain}, main: "prog.c", because: "no other has a main function"},
		{why: "a macro that renames main", files: map[string]string{"sum.c": cMain, "helper.c": "#define main other\n" + cMain}, main: "sum.c", because: "no other has a main function", compiled: "helper.c sum.c"},
		{why: "a macro may have a main function", files: map[string]string{"sum.c": cMain, "helper.c": "#define RUN int main(void) { \\\n return 0; }"}, unclear: "helper.c may have a main function"},
		{why: "a program that includes its main function", problem: "sum", files: map[string]string{"sum.c": "#include \"impl.c\"", "impl.c": cMain}, main: "sum.c", because: "like the problem", compiled: "sum.c"},
		{why: "one that defines what hides it", files: map[string]string{"sum.c": cMain, "check.c": "#define T\n#include \"tool.c\"", "tool.c": "#ifdef T\n" + cMain + "\n#endif"}, unclear: "check.c may have a main function"},
		{why: "a condition in C#", files: map[string]string{"A.cs": "class A { static void Main() { } }", "B.cs": "class B {\n#if TEST || DEBUG\n static void Main() { }\n#endif\n}"}, main: "A.cs", because: "no other has a main function"},
		{why: "a program whose header another includes", problem: "sum", files: map[string]string{"sum.c": "#include \"list.h\"\n" + cMain, "list.c": "#include \"list.h\"\n" + cMain, "list.h": header}, main: "sum.c", because: "like the problem", leftOut: "list.c"},
		{why: "a file called index without a main function", files: map[string]string{"index.cpp": header, "solve.cpp": cMain}, main: "solve.cpp", because: "no other has a main function"},
		{why: "a second program below the top", files: map[string]string{"gen.c": cMain, "src/prog.c": cMain}, unclear: "several main files: gen.c, src/prog.c"},
		{why: "a file that the go command ignores", files: map[string]string{"a.go": "package main\nfunc main() {}", "gen.go": "//go:build ignore\n\npackage main\nfunc main() {}", "x_windows.go": "package main"}, main: "a.go"},
		{why: "a command called like the problem", problem: "sum", files: map[string]string{"go.mod": "module x\n", "cmd/sum/main.go": "package main\nfunc main() {}", "cmd/diff/main.go": "package main\nfunc main() {}"}, main: "cmd/diff/main.go"},
		{why: "two main files in a module", problem: "sum", files: map[string]string{"go.mod": "module x\n", "sum.go": "package main\nfunc main() {}", "diff.go": "package main\nfunc main() {}", "util.go": "package main"}, main: "sum.go", leftOut: "diff.go"},
		{why: "neither is called like the problem", files: map[string]string{"go.mod": "module x\n", "a.go": "package main\nfunc main() {}", "b.go": "package main\nfunc main() {}"}, unclear: "several main files: a.go, b.go"},
		{why: "a package called like the problem", problem: "sum", files: map[string]string{"sum/Main.java": "package sum;\n" + java, "diff/Main.java": "package diff;\n" + java, "util/X.java": "class X { }"}, main: "sum/Main.java", because: "its folder is called like the problem", leftOut: "diff/Main.java"},
		{why: "a test called like the problem", problem: "sum", files: map[string]string{"sum.py": "", "tests/sum.py": "import sum"}, main: "sum.py", because: "like the problem"},
		{why: "the program is among the tests", problem: "sum", files: map[string]string{"tests/sum.py": "", "helper.py": ""}, main: "tests/sum.py", because: "like the problem"},
		{why: "a test in C called like the problem", problem: "sum", files: map[string]string{"src/sum.c": cMain, "tests/sum.c": cMain}, main: "src/sum.c", because: "like the problem", leftOut: "tests/sum.c"},
		{why: "a package of Cargo", files: map[string]string{"Cargo.toml": cargo, "src/main.rs": "mod util;\nfn main() { let n: i32 = v.iter().sum::<i32>(); }", "src/util.rs": "", "build.rs": "fn main() {}", "examples/e.rs": "fn main() {}"}, main: "src/main.rs", because: "it is called main"},
		{why: "a package of Cargo with a library that its program does not use", files: map[string]string{"Cargo.toml": cargo, "src/main.rs": "use std::io;\nfn main() {}", "src/lib.rs": ""}, main: "src/main.rs"},
		{why: "a program that uses its library", files: map[string]string{"Cargo.toml": cargo, "src/main.rs": "use my_sum::add;\nfn main() {}", "src/lib.rs": ""}, unclear: "src/main.rs uses the crate my_sum, of Cargo.toml"},
		{why: "in a path, in a module", files: map[string]string{"Cargo.toml": cargo, "src/main.rs": "mod a;\nfn main() {}", "src/a.rs": "fn f() { my_sum::f(); }", "src/lib.rs": ""}, unclear: "src/a.rs uses the crate my_sum, of Cargo.toml"},
		{why: "a library without its Cargo.toml", files: map[string]string{"src/main.rs": "use other::add;\nfn main() {}", "src/lib.rs": ""}, unclear: "src/main.rs uses the crate other, which may be src/lib.rs"},
		{why: "in a path only", files: map[string]string{"src/main.rs": "use std::{io, fmt};\nfn main() { io::stdin(); u8::from(1); q::f(); }", "src/lib.rs": ""}, unclear: "src/main.rs uses the crate q, which may be src/lib.rs"},
		{why: "a package beside that of the program", files: map[string]string{"Cargo.toml": cargo + "[dependencies]\ncommon = { path = \"../common\" }", "src/main.rs": "use common::f;\nfn main() {}"}, unclear: "src/main.rs uses the crate common, of Cargo.toml"},
		{why: "a module called like the library", files: map[string]string{"Cargo.toml": cargo, "src/main.rs": "mod my_sum;\nuse my_sum::f;\nfn main() {}", "src/my_sum.rs": "", "src/lib.rs": ""}, main: "src/main.rs"},
		{why: "a member of a workspace", files: map[string]string{"Cargo.toml": "[workspace]", "sum/Cargo.toml": "[package]\nname = \"sum\"", "sum/src/main.rs": "use common::f;\nfn main() {}", "common/Cargo.toml": "[package]\nname = \"common\"", "common/src/lib.rs": ""}, unclear: "sum/src/main.rs uses the crate common, of common/Cargo.toml"},
		{why: "one that needs values of Cargo", files: map[string]string{"Cargo.toml": cargo, "src/main.rs": "fn main() { println!(\"{}\", env!(\"CARGO_PKG_NAME\")); }"}, unclear: "src/main.rs needs CARGO_PKG_NAME of Cargo"},
		{why: "one of several programs of Cargo", problem: "sum", files: map[string]string{"Cargo.toml": cargo, "src/bin/sum.rs": "fn main() {}", "src/bin/diff.rs": "fn main() {}", "build.rs": "fn main() {}"}, main: "src/bin/sum.rs", because: "like the problem"},
		{why: "several programs of Cargo", files: map[string]string{"Cargo.toml": cargo, "src/bin/sum.rs": "fn main() {}", "src/bin/diff.rs": "fn main() {}", "build.rs": "fn main() {}"}, unclear: "several main files: src/bin/diff.rs, src/bin/sum.rs"},
		{why: "a program of Cargo in a folder", problem: "sum", files: map[string]string{"Cargo.toml": cargo, "src/bin/sum/main.rs": "fn main() {}", "src/bin/diff/main.rs": "fn main() {}"}, main: "src/bin/sum/main.rs", because: "its folder"},
		{why: "only an archive", files: map[string]string{"x/a.zip": "PK", "notes.txt": ""}, unclear: "no source, but there is x/a.zip (hint: take the program out of it)"},
		{why: "only a test", files: map[string]string{"tests/test_a.py": ""}, main: "tests/test_a.py"},
	} {
		s, err := Submission(write(t, "s", tt.files), "", tt.problem, Defaults())
		if err != nil {
			t.Errorf("%s: %v", tt.why, err)
			continue
		}
		if tt.unclear != "" {
			if !strings.HasPrefix(s.Unclear(), tt.unclear) {
				t.Errorf("%s: got main %q, %q, want it to be unclear: %q", tt.why, s.main, s.Unclear(), tt.unclear)
			}
			if _, err := newBuilder(t, Options{}).Build(t.Context(), s); err != s.terms.unclear {
				t.Errorf("%s: Build: %v", tt.why, err)
			}
			continue
		}
		if tt.compiled != "" && strings.Join(s.inOrder(Defaults()[s.Language]), " ") != tt.compiled {
			t.Errorf("%s: compiled %q", tt.why, s.inOrder(Defaults()[s.Language]))
		}
		c := s.Choice()
		if s.Unclear() != "" || s.terms.refused != "" || s.main != tt.main || !strings.Contains(c.Why, tt.because) || strings.Join(c.LeftOut, " ") != tt.leftOut {
			t.Errorf("%s: got main %q, %+v, unclear %q, refused %q", tt.why, s.main, c, s.Unclear(), s.terms.refused)
		}
	}
}

// TestArchiveHandedIn checks that an archive is not judged, unless the user says its language.
func TestArchiveHandedIn(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"a.zip", "a.tar.gz", "A.IPYNB"} {
		file := filepath.Join(write(t, "s", map[string]string{name: "PK"}), name)
		s, err := Submission(file, "", "", Defaults())
		if want := "no source, but there is " + name + " (hint: take the program out of it)"; err != nil || s.Unclear() != want {
			t.Errorf("%s: %q, %v, want %q", name, s.Unclear(), err, want)
		}
		if s, err = Submission(file, "python3", "", Defaults()); err != nil || s.Unclear() != "" {
			t.Errorf("%s as Python: %q, %v", name, s.Unclear(), err)
		}
	}
}

// TestOtherEdition checks what a compile error of a package of Cargo in another edition is.
func TestOtherEdition(t *testing.T) {
	t.Parallel()
	rust := Defaults()["rust"]
	for _, tt := range []struct {
		why, cargo string
		err        error
		want       string
	}{
		{"the edition of the command", "[package]\nedition = \"2021\"", &CompileError{}, ""},
		{"another one", "[package]\nedition = \"2024\"", &CompileError{}, "it does not compile in edition 2021 of Rust, and Cargo.toml asks for 2024"},
		{"none", "[package]", &CompileError{}, ""},
		{"a failure of the judge", "[package]\nedition = \"2024\"", fs.ErrClosed, ""},
	} {
		s, err := Submission(write(t, "s", map[string]string{cargoFile: tt.cargo, "src/main.rs": "fn main() {}"}), "", "", Defaults())
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(s.otherEdition(rust, tt.err)); (tt.want == "") != (got == "<nil>") || !strings.Contains(got, tt.want) {
			t.Errorf("%s: %s", tt.why, got)
		}
	}
}

// TestOtherProgram checks when a compile error may be the fault of another problem's program in the same folder.
func TestOtherProgram(t *testing.T) {
	t.Parallel()
	const other = "#include \"helper.h\"\nint main() {}"
	for _, tt := range []struct {
		why, sum, more, messages string
		err                      error
		unclear                  bool
	}{
		{why: "the other program's file does not compile", messages: "helper.c:1:2: error: expected ;", unclear: true},
		{why: "it has a function of the same name", messages: "ld: helper.c:(.text+0x0): multiple definition of f", unclear: true},
		{why: "the program itself does not compile", messages: "sum.c:1:2: error: expected ;"},
		{why: "a name that ends so", messages: "myhelper.c:1:2: error: expected ;"},
		{why: "the program uses the file", sum: "#include \"helper.h\"\n", messages: "helper.c:1:2: error: expected ;"},
		{why: "it uses it through another", sum: "#include \"util.h\"\n", more: "#include \"helper.h\"", messages: "helper.c:1:2: error: expected ;"},
		{why: "a failure of the judge", err: fs.ErrClosed},
	} {
		s, err := Submission(write(t, "s", map[string]string{
			"sum.c": tt.sum + "int main() {}", "diff.c": other, "helper.c": "", "helper.h": "", "util.h": tt.more,
		}), "", "sum", Defaults())
		if err != nil || s.Unclear() != "" {
			t.Fatal(s, err)
		}
		if tt.err == nil {
			tt.err = &CompileError{Output: tt.messages}
		}
		if got := s.otherProgram(tt.err); (got != nil) != tt.unclear {
			t.Errorf("%s: %v", tt.why, got)
		}
	}
	for _, aside := range []string{"test_diff.c", "tests/diff.c"} { // whose helpers are those of the program
		s, err := Submission(write(t, "s", map[string]string{"sum.c": "int main() {}", aside: other, "helper.c": ""}), "", "sum", Defaults())
		if got := s.otherProgram(&CompileError{Output: "helper.c:1:2: error"}); err != nil || got != nil {
			t.Errorf("%s: %v, %v", aside, got, err)
		}
	}
}

// TestProgramsOfAModule checks that programs in one module of Go, each for the problem of its folder, are
// not one program in the cache.
func TestProgramsOfAModule(t *testing.T) {
	t.Parallel()
	const program = "package main\nfunc main() {}"
	dir := write(t, "m", map[string]string{"go.mod": "module x\n", "cmd/sum/main.go": program, "cmd/diff/main.go": program + "\n"})
	keys := map[string]cache.Key{}
	for _, problem := range []string{"sum", "diff"} {
		s, err := Submission(dir, "", problem, Defaults())
		if err != nil || s.Unclear() != "" || s.folder != "cmd/"+problem {
			t.Fatalf("%s: %+v, %v", problem, s, err)
		}
		h := cache.NewHasher("test")
		s.key(h)
		keys[problem] = h.Key()
	}
	if keys["sum"] == keys["diff"] {
		t.Error("both have the same key")
	}
}

func TestLike(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		id, name string
		want     Likeness
	}{
		{"game", "game.c", Same}, {"game", "GAME", Same}, {"game", "src/Game.java", Same}, {"a.b", "a.b", Same},
		{"game", "game (1).c", Similar}, {"game", "game-2.c", Similar}, {"game", "Game1.c", Similar}, {"game", "game_final_v2.py", Similar}, {"game", "game.py.txt", Other}, {"sum2", "sum 2.py", Similar}, {"sum2", "sum2 (1).py", Similar}, {"sum", "sum 2.py", Similar}, {"a-b", "a_b", Similar},
		{"game", "endgame.c", Other}, {"game", "games.c", Other}, {"a1", "a2.c", Other}, {"", "solution.py", Other}, {"a1", "a1.c", Same},
	} {
		if got := Like(tt.id, tt.name); got != tt.want {
			t.Errorf("Like(%q, %q) = %v, want %v", tt.id, tt.name, got, tt.want)
		}
	}
}

// TestEveryFileCounts checks that each file of a random folder is part of the program or named as left
// out, unless the folder is not judged at all.
func TestEveryFileCounts(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(35, 3))
	names := []string{"main", "game", "game (1)", "util", "test", "tests/a", "src/game", "src/main", "a", "b", "build/x", "target/y", "1/s", "2/s", "cmake-build-debug/c", "__pycache__/d", "src/test/e", "tests/game", "game/main", "src/bin/game", "src/lib", "game 2", "index"}
	endings := []string{".py", ".c", ".h", ".txt", ".go", ".java", ".rs", ".cpp", ""}
	texts := []string{"", "int main(void) { return 0; }", "import util", "func main() {}", "fn main() {}", "class X { public static void main(String[] a) {} }", "util game a b", "#ifdef X\nint main(void) { return 0; }\n#endif", "#include \"util.h\"\n#if __X\nint main() {\n}\n#endif", "use util::f;\nfn main() {}", "//go:build ignore\n\npackage main\nfunc main() {}"}
	judged := 0
	for range 400 {
		files := map[string]string{}
		one := endings[r.IntN(len(endings))]
		for range 1 + r.IntN(6) {
			ending := one
			if r.IntN(4) == 0 {
				ending = endings[r.IntN(len(endings))]
			}
			name := names[r.IntN(len(names))]
			if name == "game" && ending == "" {
				continue // there is a folder game
			}
			files[name+ending] = texts[r.IntN(len(texts))]
			if r.IntN(10) == 0 {
				files["Cargo.toml"] = "[package]\nname = \"util\"\n"
			}
		}
		dir := write(t, "s", files)
		s, err := Submission(dir, "", []string{"", "game"}[r.IntN(2)], Defaults())
		if err != nil {
			t.Fatalf("%q: %v", files, err)
		}
		if s.Unclear() != "" || s.terms.refused != "" {
			continue
		}
		judged++
		left := slices.Concat(s.Choice().LeftOut, s.Choice().Ignored)
		err = fs.WalkDir(os.DirFS(dir), ".", func(file string, d fs.DirEntry, err error) error {
			out := slices.ContainsFunc(left, func(one string) bool { return file == one || strings.HasPrefix(file, one+"/") })
			if _, in := s.files[file]; err == nil && !d.IsDir() && in == out && !s.renamed(file) {
				return fmt.Errorf("%s: judged %t, left out %t", file, in, out)
			}
			return err
		})
		if err != nil {
			t.Fatalf("%q in %s: main %s: %v", files, s.Language, s.main, err)
		}
	}
	if judged < 100 {
		t.Errorf("only %d of 400 folders were judged", judged)
	}
}

// renamed reports whether file is a single source, which may get the name that its compiler wants.
func (s *Source) renamed(file string) bool {
	return (s.Language == "java" || s.Language == "go") && path.Ext(s.main) == filepath.Ext(file) && len(s.sources(Defaults()[s.Language])) == 1
}
