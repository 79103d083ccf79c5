package pkgexport

import (
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"tribunal/internal/tier"
	"tribunal/judge/internal/build"
	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/problem"
)

func TestCompareArgs(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why     string
		p       problem.Problem
		want    string
		mode    diff.Mode
		abs     float64
		refused string // output that must not be accepted if "1.50 X\n" is expected
	}{
		{"byte for byte", problem.Problem{Compare: diff.Options{Mode: diff.Exact}}, "case_sensitive space_change_sensitive", diff.Exact, 0, "1.50 X"},
		{"by words, case-sensitive", problem.Problem{Compare: diff.Options{Mode: diff.Tokens}}, "case_sensitive", diff.Tokens, 0, "1.50 x\n"},
		{"one tolerance", problem.Problem{Compare: diff.Options{Mode: diff.Float, Abs: 1e-6}}, "case_sensitive float_absolute_tolerance 1e-06", diff.Float, 1e-6, "1.51 X\n"},
		{"both tolerances", problem.Problem{Compare: diff.Options{Mode: diff.Float, Abs: 0.5, Rel: 1e-9}}, "case_sensitive float_absolute_tolerance 0.5 float_relative_tolerance 1e-09", diff.Float, 0.5, "9 X\n"},
		{"a checker gets no arguments for comparing", problem.Problem{Validator: &problem.Validator{}}, "", "", 0, ""},
	} {
		p := &plan{Job: &Job{Problem: &tt.p}}
		args := p.outputArgs(nil)
		if got := strings.Join(args, " "); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.why, got, tt.want)
		}
		if tt.mode == "" {
			continue
		}
		o, err := diff.ParseFlags(args)
		if err != nil || o.Abs != tt.abs {
			t.Errorf("%s: read as %+v, %v", tt.why, o, err)
		}
		for output, equal := range map[string]bool{"1.50 X\n": true, tt.refused: false} {
			c := diff.New([]byte("1.50 X\n"), o)
			if _, err := c.Write([]byte(output)); err != nil {
				t.Fatal(err)
			}
			if got := c.Close() == nil; got != equal {
				t.Errorf("%s: %q: accepted %v, want %v", tt.why, output, got, equal)
			}
		}
	}
}

func TestAnnotate(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ why, language, file, text, want string }{
		{"before the first line", "c", "a.c", "int x;\n", "// @EXPECTED_RESULTS@: RUN-ERROR\nint x;\n"},
		{"after a #! line", "python3", "a.py", "#!/bin/python\nx\n", "#!/bin/python\n# @EXPECTED_RESULTS@: RUN-ERROR\nx\n"},
		{"after a #! line without a newline", "python3", "a.py", "#!/bin/python", "#!/bin/python\n# @EXPECTED_RESULTS@: RUN-ERROR\n"},
		{"an empty file", "c", "a.c", "", "// @EXPECTED_RESULTS@: RUN-ERROR\n"},
		{"a language without known comments", "odd", "a.odd", "x", ""},
		{"a file beside the sources", "c", "a.txt", "x", ""},
	} {
		languages := build.Defaults()
		languages["odd"] = build.Language{Match: []string{".odd"}}
		s := submission{program: &program{files: map[string][]byte{tt.file: []byte(tt.text)}, language: tt.language}}
		ok := s.annotate(languages, "RUN-ERROR")
		got := string(s.files[tt.file])
		if ok != (tt.want != "") || ok && got != tt.want || !ok && got != tt.text {
			t.Errorf("%s: %v, %q", tt.why, ok, got)
		}
	}
}

func TestRelocate(t *testing.T) {
	t.Parallel()
	taken := map[string]bool{"rejected/Main.java": true, "rejected/_Main": true}
	s := submission{path: "rejected/Main.java", single: true}
	s.relocate(taken)
	if s.path != "rejected/_Main_2" || s.single {
		t.Errorf("moved to %s, single %v", s.path, s.single)
	}
}

func TestNumber(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		i, count int
		want     string
	}{{0, 1, "01"}, {98, 99, "99"}, {0, 100, "001"}, {999, 1000, "1000"}} {
		if got := number(tt.i, tt.count); got != tt.want {
			t.Errorf("number(%d, %d) = %s, want %s", tt.i, tt.count, got, tt.want)
		}
	}
}

func TestUUID(t *testing.T) {
	t.Parallel()
	q := problem.Problem{ID: "maze", Title: "Maze", Source: "somewhere"}
	const want = "a4f1999f-ae2c-5607-a86d-5fca776863f6"
	if got := uuid(&q); got != want {
		t.Errorf("the UUID of maze is %s and was %s: other tools would take it for a new problem", got, want)
	}
	q.Source = "elsewhere"
	if got := uuid(&q); got != want {
		t.Errorf("with another source the UUID is %s, want %s", got, want)
	}
	q.Title = "Mazes"
	if got := uuid(&q); got == want {
		t.Error("with another title the UUID is the same")
	}
}

// TestOwnPackages exports Go programs with the packages that they import, and builds them in their
// new folder.
func TestOwnPackages(t *testing.T) {
	t.Parallel()
	tier.Needs(t, "whether the programs build", "go")
	imports := func(path string) string {
		return "package main\n\nimport \"example/" + path + "\"\n\nfunc main() { println(x.X) }\n"
	}
	const lib = "package x\n\nconst X = 1\n"
	for _, tt := range []struct {
		why   string
		files map[string]string
		want  string // error; "" if the program builds
	}{
		{"a package in a subfolder", map[string]string{"reference/sum/x/x.go": lib, "reference/sum/main.go": imports("reference/sum/x")}, ""},
		{"an internal package of the same folder", map[string]string{"reference/sum/internal/x/x.go": lib, "reference/sum/main.go": imports("reference/sum/internal/x")}, ""},
		{"a package elsewhere in the module", map[string]string{"x/x.go": lib, "reference/sum/main.go": imports("x")}, ""},
		{"without a module", map[string]string{"go.mod": "", "reference/sum/check/main.go": "package main\n\nfunc main() { for range 3 { } }\n"}, ""},
		{"an embedded file in a subfolder, and a package elsewhere", map[string]string{
			"reference/sum/main.go":   "package main\n\nimport (\n\t_ \"embed\"\n\n\t\"example/x\"\n)\n\n//go:embed sub/t.txt\nvar t string\n\nfunc main() { println(t, x.X) }\n",
			"reference/sum/sub/t.txt": "t", "x/x.go": lib,
		}, ""},
		{"an internal package that the top of the module cannot import", map[string]string{
			"reference/sum/main.go": "package main\n\nimport (\n\t\"example/reference/sum/internal/x\"\n\t_ \"example/y\"\n)\n\nfunc main() { println(x.X) }\n", "reference/sum/internal/x/x.go": lib, "y/y.go": "package y\n",
		}, "reference/sum: imports the package in reference/sum/internal/x, which cannot be exported with it (hint: move it to internal)"},
		{"a package in the parent folder", map[string]string{"reference/x.go": lib, "reference/sum/main.go": imports("reference")}, "reference/sum: imports the package in reference, which cannot be exported with it (hint: move it to reference/internal)"},
	} {
		t.Run(tt.why, func(t *testing.T) {
			t.Parallel()
			root := repository(t, tt.files)
			p := &plan{Job: job(t, root, Kattis)}
			v, err := p.ownProgram(p.CaseData.Problem.Reference)
			if tt.want != "" {
				if err == nil || strings.TrimPrefix(err.Error(), root+"/") != tt.want {
					t.Errorf("got %v, want %s", err, tt.want)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			buildIn(t, v)
		})
	}
}

// buildIn builds a program in a new folder with the exported build script.
func buildIn(t *testing.T, v *program) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range v.files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("sh", "-c", buildScript)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}

func TestWithMain(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ why, text, want string }{
		{"main with os.Exit", "package main\n\nimport \"os\"\n\nfunc main() { os.Exit(f()) }\n", "package main\n\nimport \"os\"\n\nfunc ownMain() { testlibExit(f()) }\n\nvar _ = os.Exit\n"},
		{"main without os.Exit", "package main\n\nfunc main() {}\n", "package main\n\nfunc ownMain() {}\n"},
		{"a method called main and a comment stay", "package main\n\n// main: os.Exit\nfunc (t T) main() { x.Exit(1) }\n", "package main\n\n// main: os.Exit\nfunc (t T) main() { x.Exit(1) }\n"},
		{"os.Exit as a value", "package main\n\nimport \"os\"\n\nvar end = os.Exit\n", "package main\n\nimport \"os\"\n\nvar end = testlibExit\n\nvar _ = os.Exit\n"},
	} {
		v := &program{files: map[string][]byte{"main.go": []byte(tt.text), "sub/main.go": []byte(tt.text)}, language: "go"}
		w, err := v.withMain(validatorFront)
		if err != nil {
			t.Errorf("%s: %v", tt.why, err)
			continue
		}
		if got := string(w.files["main.go"]); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.why, got, tt.want)
		}
		if string(w.files["sub/main.go"]) != tt.text || string(v.files["main.go"]) != tt.text {
			t.Errorf("%s: a file in a subfolder, or the original program, has changed", tt.why)
		}
		if _, err := parser.ParseFile(token.NewFileSet(), frontFile, w.files[frontFile], 0); err != nil {
			t.Errorf("%s: %v", tt.why, err)
		}
	}
	for why, files := range map[string]map[string][]byte{
		"a reserved file name": {"testlib.go": []byte("package main\n")},
		"not Go":               {"main.go": []byte("package")},
	} {
		if _, err := (&program{files: files, language: "go"}).withMain(validatorFront); err == nil {
			t.Errorf("%s: no error", why)
		}
	}
}

// TestCompareChecker builds and runs the checker that compares outputs in Polygon packages.
func TestCompareChecker(t *testing.T) {
	t.Parallel()
	tier.Needs(t, "the exit status of the checker", "go")
	type try struct {
		output string
		want   int
	}
	for _, tt := range []struct {
		why    string
		p      problem.Problem
		answer string
		tries  []try
	}{
		{"byte for byte", problem.Problem{Compare: diff.Options{Mode: diff.Exact}}, "1 a\n", []try{{"1 a\n", right}, {"1  a\n", form}, {"1 a", form}, {"1 A\n", wrong}, {"1\n", wrong}, {"1 a b\n", wrong}, {"1.0 a\n", wrong}}},
		{"by words", problem.Problem{Compare: diff.Options{Mode: diff.Tokens}}, "1 a\n", []try{{"1\ta", right}, {"1 A\n", wrong}, {"", wrong}}},
		{"by numbers", problem.Problem{Compare: diff.Options{Mode: diff.Float, Abs: 0.1, Rel: 0.01}}, "100 a 1\n", []try{{"100.5 a 1.05\n", right}, {"102 a 1\n", wrong}, {"100 a 1.2\n", wrong}, {"100 1 1\n", wrong}, {"NaN a 1\n", wrong}}},
	} {
		t.Run(tt.why, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			put := func(name, text string) {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			p := &plan{Job: &Job{Problem: &tt.p}}
			put("check.go", p.compareChecker())
			put("answer", tt.answer)
			if out, err := (&exec.Cmd{Path: goCommand(t), Args: []string{"go", "build", "check.go"}, Dir: dir}).CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			for _, try := range tt.tries {
				put("output", try.output)
				cmd := exec.Command(filepath.Join(dir, "check"), "input", "output", "answer")
				cmd.Dir = dir
				words, _ := cmd.CombinedOutput()
				if got := cmd.ProcessState.ExitCode(); got != try.want {
					t.Errorf("%q: status %d, want %d: %s", try.output, got, try.want, words)
				}
			}
		})
	}
}

// The exit statuses of testlib checkers.
const (
	right = 0
	wrong = 1
	form  = 2
)

func goCommand(t *testing.T) string {
	t.Helper()
	path, err := exec.LookPath("go")
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// TestMerged merges the files of Go programs and builds the result.
func TestMerged(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why   string
		files map[string]string
		ok    bool
	}{
		{"two files that share an import", map[string]string{
			"a.go": "// A says a.\npackage main\n\nimport \"fmt\"\n\nfunc main() { fmt.Println(b()) }\n",
			"b.go": "package main\n\nimport (\n\t\"fmt\"\n\tr \"math/rand/v2\"\n)\n\n// b is random.\nfunc b() string { return fmt.Sprint(r.N(3)) }\n",
		}, true},
		{"one name for two packages", map[string]string{
			"a.go": "package main\n\nimport \"text/template\"\n\nfunc main() { template.New(b()) }\n",
			"b.go": "package main\n\nimport \"html/template\"\n\nfunc b() string { return template.New(\"b\").Name() }\n",
		}, false},
		{"a package of its own", map[string]string{"a.go": "package main\n\nimport \"example/x\"\n\nfunc main() { x.X() }\n"}, false},
		{"an embedded file", map[string]string{"a.go": "package main\n\nimport _ \"embed\"\n\n//go:embed t.txt\nvar t string\n\nfunc main() { println(t) }\n", "t.txt": "t"}, false},
		{"a file in a folder", map[string]string{"a.go": "package main\n\nfunc main() {}\n", "b/b.go": "package b\n"}, false},
	} {
		v := &program{files: map[string][]byte{"go.mod": []byte("module x\n\ngo 1.24\n")}, language: "go"}
		for name, text := range tt.files {
			v.files[name] = []byte(text)
		}
		w, ok := v.merged("one.go")
		if ok != tt.ok {
			t.Errorf("%s: merged is %v", tt.why, ok)
		}
		if !ok {
			continue
		}
		if len(w.files) != 1 || !w.native() {
			t.Errorf("%s: files %v", tt.why, w.files)
		}
		if _, err := exec.LookPath("go"); err == nil {
			w.files["go.mod"] = v.files["go.mod"]
			buildIn(t, w)
		}
	}
}
