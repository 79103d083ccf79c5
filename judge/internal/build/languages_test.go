package build

import (
	"bytes"
	"errors"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"tribunal/internal/tier"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/sandbox"
)

// programs maps the names of the programs in testdata/languages, without extension, to their
// expected results. Each archive there holds the programs of one language; a program is a file or a
// folder.
var programs = map[string]struct {
	why    string
	memory limits.Bytes
	stop   sandbox.StopReason
	status int
	prints string // expected output; "" means any
	faulty bool   // must not compile
}{
	"broken": {why: "a syntax error is a compile error, not a run-time error", faulty: true},
	"status": {why: "the program's exit status is the judge's result", stop: sandbox.Exited, status: 3},
	"heap":   {why: "the memory limit is reached before any limit of the runtime", memory: 256 * limits.MiB, stop: sandbox.OverMemory},
	"deep":   {why: "recursion 100,000 calls deep works", memory: 512 * limits.MiB, stop: sandbox.Exited, prints: "100000\n"},
	"parts":  {why: "the main file is found, and it can use the other files", memory: 512 * limits.MiB, stop: sandbox.Exited, prints: "42\n"},
}

// TestLanguagePrograms builds and runs the test programs of each language that this machine has.
func TestLanguagePrograms(t *testing.T) {
	t.Parallel()
	tier.T2(t, "programs in each language")
	archives, err := filepath.Glob("testdata/languages/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatalf("no programs: %v", err)
	}
	b := newBuilder(t, Options{})
	for _, archive := range archives {
		name := strings.TrimSuffix(filepath.Base(archive), ".txtar")
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a, err := txtar.ParseFile(archive)
			if err != nil {
				t.Fatal(err)
			}
			needsLanguage(t, b, name)
			quick(t, name)
			files := map[string]string{}
			for _, f := range a.Files {
				files[f.Name] = string(f.Data)
			}
			dir := write(t, name, files)
			entries, err := os.ReadDir(dir)
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range entries {
				languageProgram(t, b, name, filepath.Join(dir, e.Name()))
			}
		})
	}
}

// quick skips the test, unless the tests of T3 run, if programs in the language take long to build or start.
func quick(t *testing.T, language string) {
	t.Helper()
	if slices.Contains([]string{"csharp", "haskell", "java", "kotlin", "ocaml", "pascal", "pypy3", "ruby", "typescript"}, language) {
		tier.T3(t, "programs in "+language)
	}
}

func languageProgram(t *testing.T, b *Builder, language, file string) {
	t.Helper()
	name := stem(path.Base(file))
	want, known := programs[name]
	if !known {
		t.Fatalf("%s: not in the table of programs", file)
	}
	if want.stop == sandbox.OverMemory && hostOf(b).Mechanisms().Memory == "" {
		return
	}
	if slices.Contains([]string{"awk", "bash", "lua", "mawk", "perl"}, language) {
		want.memory /= 4 // these runtimes are small
	}
	s, err := Open(file, "", b.Languages())
	if err != nil || s.Language != language {
		t.Errorf("%s %s: got %+v, %v", language, name, s, err)
		return
	}
	p, err := b.Build(t.Context(), s)
	if want.faulty {
		if compile := (*CompileError)(nil); !errors.As(err, &compile) || !strings.Contains(compile.Output, path.Base(file)) {
			t.Errorf("%s %s: %s: got %v, want a compile error that names the file", language, name, want.why, err)
		}
		return
	}
	if err != nil {
		t.Errorf("%s %s: %v", language, name, err)
		return
	}
	defer p.Close()
	box, err := hostOf(b).NewBox(p.Spec())
	if err != nil {
		t.Fatal(err)
	}
	defer box.Close()
	var out, errs bytes.Buffer
	l := limits.Limits{CPU: 30 * time.Second, Wall: 3 * time.Minute, Memory: want.memory, Output: limits.MiB, Processes: 256}
	cmd, err := p.Command(box, l)
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stdout, cmd.Stderr = &out, &errs
	r, err := box.Run(t.Context(), cmd)
	if err != nil || r.Stop != want.stop || r.ExitCode != want.status || want.prints != "" && out.String() != want.prints {
		t.Errorf("%s %s: %s: got %v with status %d after %v and %v, %v, %q, %.300s", language, name, want.why, r.Stop, r.ExitCode, r.CPU, r.Memory, err, out.String(), errs.String())
	}
}

// TestEachLanguageHasPrograms checks that every language has test programs here or in the sandbox's
// corpus.
func TestEachLanguageHasPrograms(t *testing.T) {
	t.Parallel()
	elsewhere := []string{"c", "cpp", "go", "java", "javascript", "python3", "rust"} // languages in the sandbox's corpus
	for _, name := range slices.Sorted(maps.Keys(Defaults())) {
		_, err := os.Stat(filepath.Join("testdata", "languages", name+".txtar"))
		if slices.Contains(elsewhere, name) == (err == nil) {
			t.Errorf("language %s: %v", name, err)
		}
	}
}
