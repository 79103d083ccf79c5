package scaffold

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tribunal/internal/tier"
)

// programsOf returns the different programs of all small problems in a language, by their text, each with the path of
// one problem that has it.
func programsOf(t *testing.T, language string) map[string]string {
	t.Helper()
	header, err := os.ReadFile("../../testdata/testlib/testlib.h")
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	for _, k := range kinds() {
		if k.Language != language {
			continue
		}
		if k.Testlib != nil {
			k.Testlib = header
		}
		root := t.TempDir()
		if _, err := Write(root, "p", k); err != nil {
			t.Fatal(err)
		}
		err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || filepath.Ext(file) != Extension(language) {
				return err
			}
			text, err := os.ReadFile(file)
			found[string(text)] = strings.TrimPrefix(file, root+"/")
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return found
}

// TestProgramsCompile compiles the programs of all small problems in languages other than Go, those of a language at once.
// The sessions new_*.txt run some.
func TestProgramsCompile(t *testing.T) {
	t.Parallel()
	tier.T2(t, "the programs of small problems")
	for language, least := range map[string]int{"cpp": 25, "java": 18, "python": 18} {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			all := programsOf(t, language)
			if len(all) < least {
				t.Errorf("%d programs, want at least %d", len(all), least)
			}
			dir := t.TempDir()
			var files []string
			write := func(name, text string) {
				files = append(files, name)
				path := filepath.Join(dir, name)
				if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			var command []string
			sorted := slices.Sorted(maps.Keys(all))
			switch language {
			case "cpp": // each in a namespace of one file
				var includes, rest bytes.Buffer
				for i, text := range sorted {
					fmt.Fprintf(&rest, "namespace n%d {\n#line 1 %q\n", i, all[text])
					for line := range strings.Lines(text) {
						if strings.HasPrefix(line, "#include") {
							includes.WriteString(line)
							line = "\n"
						}
						rest.WriteString(line)
					}
					rest.WriteString("}\n")
				}
				header, err := os.ReadFile("../../testdata/testlib/testlib.h")
				if err != nil {
					t.Fatal(err)
				}
				write("testlib.h", "#pragma once\n"+string(header))
				write("all.cpp", includes.String()+rest.String())
				command = []string{"g++", "-std=c++17", "-fsyntax-only", "-I.", "all.cpp"}
			case "java": // each in a package
				command = []string{"javac", "-proc:none", "-d", "classes"}
				for i, text := range sorted {
					name := fmt.Sprintf("p%d/%s", i, filepath.Base(all[text]))
					write(name, fmt.Sprintf("package p%d; ", i)+text)
					command = append(command, name)
				}
			case "python":
				for i, text := range sorted {
					write(fmt.Sprintf("p%d.py", i), text)
				}
				command = append([]string{"python3", "-c", "import ast, sys\nfor f in sys.argv[1:]: ast.parse(open(f, encoding='utf-8').read(), f)"}, files...)
			}
			if exec.Command(command[0], "--version").Run() != nil {
				t.Skipf("not checked: the programs of small problems in %s (no %s)", language, command[0])
			}
			cmd := exec.Command(command[0], command[1:]...)
			cmd.Dir = dir
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

// TestGoProgramsCompile checks the types of the programs of all small problems in Go.
func TestGoProgramsCompile(t *testing.T) {
	t.Parallel()
	tier.T2(t, "the types of small problems in Go")
	all := programsOf(t, "go")
	if len(all) < 18 {
		t.Errorf("%d programs, want at least 18", len(all))
	}
	set := token.NewFileSet()
	parsed, imported := map[string]*ast.File{}, map[string]bool{}
	for text, name := range all {
		file, err := parser.ParseFile(set, name, text, 0)
		if err != nil {
			t.Fatal(err)
		}
		parsed[name] = file
		for _, i := range file.Imports {
			imported[strings.Trim(i.Path.Value, `"`)] = true
		}
	}
	args := append([]string{"list", "-export", "-f", "{{.Export}}"}, slices.Sorted(maps.Keys(imported))...)
	out, err := exec.Command("go", args...).Output()
	if err != nil {
		t.Fatal(err)
	}
	exports := map[string]string{}
	for i, file := range strings.Fields(string(out)) {
		exports[args[4+i]] = file
	}
	check := types.Config{Importer: importer.ForCompiler(set, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })}
	for name, file := range parsed {
		if _, err := check.Check("main", set, []*ast.File{file}, nil); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestScoringChangesNoProgram checks that problems with and without points have the same programs except for their first
// lines, so that what is right for one is right for the other.
func TestScoringChangesNoProgram(t *testing.T) {
	t.Parallel()
	for _, k := range kinds() {
		if k.Scoring {
			continue
		}
		plain, scored := programs(t, k), map[string]string(nil)
		k.Scoring = true
		scored = programs(t, k)
		for name, text := range plain {
			name = strings.Replace(name, "submissions/wrong_answer/", "submissions/partially_accepted/", 1)
			if strings.Replace(text, "WA: ", "30 points: ", 1) != scored[name] {
				t.Errorf("%s, checker %v, interactive %v, testlib %v: %s differs", k.Language, k.Checker, k.Interactive, k.Testlib != nil, name)
			}
			delete(scored, name)
		}
		if len(plain) < 6 || len(scored) > 0 {
			t.Errorf("%s: %d programs without points, and only with points %v", k.Language, len(plain), slices.Sorted(maps.Keys(scored)))
		}
	}
}

// programs returns the files below reference of a small problem.
func programs(t *testing.T, k Kind) map[string]string {
	t.Helper()
	root, found := t.TempDir(), map[string]string{}
	if _, err := Write(root, "p", k); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(root, "reference")
	err := filepath.WalkDir(dir, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(file)
		found[strings.TrimPrefix(file, dir+"/")] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}
