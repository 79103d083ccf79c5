package build

import (
	"bytes"
	"debug/elf"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"tribunal/internal/tier"
	"tribunal/judge/internal/content"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/regular"
	"tribunal/judge/internal/sandbox"
)

// TestBuildBinary checks that a submitted executable is copied when it is built, once for each
// content, and that later changes of its file do not change the program.
func TestBuildBinary(t *testing.T) {
	t.Parallel()
	machine(t)
	path := filepath.Join(t.TempDir(), "a.out")
	image := crafted{machine: machine(t), kind: elf.ET_EXEC}.bytes()
	if err := os.WriteFile(path, image, 0o600); err != nil {
		t.Fatal(err)
	}
	b := New(Options{Languages: Defaults(), Cache: newCache(t)})
	s, err := Open(path, "", b.Languages())
	if err != nil {
		t.Fatal(err)
	}
	first := mustBuild(t, b, s)
	if err := os.WriteFile(path, append(image, "changed during the contest"...), 0o600); err != nil {
		t.Fatal(err)
	}
	stored, err := os.ReadFile(first.entry.Path(exeName))
	if err != nil || !bytes.Equal(stored, image) {
		t.Errorf("the program changed with the submitted file (%v)", err)
	}
	if again := mustBuild(t, b, s); !again.Cached || again.Key != first.Key {
		t.Error("Build after the file changed must return the program that was opened")
	}
	if s, err = Open(path, "", b.Languages()); err != nil {
		t.Fatal(err)
	}
	second := mustBuild(t, b, s)
	if second.Cached || second.Key == first.Key {
		t.Error("a changed executable must be another program")
	}
	if third := mustBuild(t, b, s); !third.Cached || third.Key != second.Key {
		t.Error("an unchanged executable must be copied only once")
	}
	if key, err := b.Key(t.Context(), s); err != nil || key != second.Key {
		t.Errorf("Key wantErr %s, Build %s (%v)", key, second.Key, err)
	}
}

// TestChangedBinary changes the file of an executable between opening and copying it. The result
// must be the program that was opened, or a compile error.
func TestChangedBinary(t *testing.T) {
	t.Parallel()
	image := crafted{machine: machine(t), kind: elf.ET_EXEC}.bytes()
	other := append(slices.Clone(image), "another"...)
	for _, tt := range []struct {
		why     string
		change  func(path string) error
		wantErr string
	}{
		{"nothing happens", func(string) error { return nil }, ""},
		{"it is removed", os.Remove, "changed while it was read (hint: submit it again)"},
		{"another file takes its name", func(path string) error {
			return errors.Join(os.WriteFile(path+"2", other, 0o600), os.Rename(path+"2", path))
		}, "changed while it was read (hint: submit it again)"},
		{"a file with the same content takes its name", func(path string) error {
			return errors.Join(os.WriteFile(path+"2", image, 0o600), os.Rename(path+"2", path))
		}, ""},
		{"a pipe takes its name", func(path string) error { return errors.Join(os.Remove(path), unix.Mkfifo(path, 0o600)) }, "changed while it was read (hint: submit it again)"},
		{"it is written to", func(path string) error { return os.WriteFile(path, other, 0o600) }, "changed while it was read (hint: submit it again)"},
		{"it is emptied", func(path string) error { return os.Truncate(path, 0) }, "changed while it was read (hint: submit it again)"},
	} {
		path := filepath.Join(t.TempDir(), "a.out")
		if err := os.WriteFile(path, image, 0o600); err != nil {
			t.Fatal(err)
		}
		b := New(Options{Languages: Defaults(), Cache: newCache(t)})
		s, err := Submission(path, "", "", b.Languages())
		if err != nil {
			t.Fatal(err)
		}
		if err := tt.change(path); err != nil {
			t.Fatal(err)
		}
		if key, err := b.Key(t.Context(), s); err != nil || key != s.sum {
			t.Errorf("%s: Key: %s, %v", tt.why, key, err)
		}
		p, err := b.Build(t.Context(), s)
		compile, _ := errors.AsType[*CompileError](err)
		switch {
		case tt.wantErr == "" && err != nil, tt.wantErr != "" && (compile == nil || compile.Output != tt.wantErr):
			t.Errorf("%s: got %v, want %q", tt.why, err, tt.wantErr)
		case err == nil:
			stored, err := os.ReadFile(p.entry.Path(exeName))
			if err != nil || !bytes.Equal(stored, image) {
				t.Errorf("%s: the stored program is not the one that was opened (%v)", tt.why, err)
			}
			p.Close()
		}
	}
}

// TestCopyIsChecked checks that keepBinary checks its copy of an executable: the file may have been
// changed after the first check.
func TestCopyIsChecked(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a.out")
	if err := os.WriteFile(path, crafted{machine: elf.EM_RISCV, kind: elf.ET_EXEC}.bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	s := &Source{Name: path, again: regular.Open}
	if s.sum, err = binaryKey(f); err != nil {
		t.Fatal(err)
	}
	err = keepBinary(t.TempDir(), s, s.sum)
	if compile, ok := errors.AsType[*CompileError](err); !ok || !strings.HasPrefix(compile.Output, "executable for EM_RISCV, ") {
		t.Errorf("got %v", err)
	}
}

// TestDamagedCache checks that a program that is damaged in the cache is built again, even while it
// is in use.
func TestDamagedCache(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a.out")
	if err := os.WriteFile(path, crafted{machine: machine(t), kind: elf.ET_EXEC}.bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	b := newBuilder(t, Options{Languages: map[string]Language{"x": scripted(`cp "$(command -v env)" "$1"`)}})
	binary, err := Open(path, "", b.Languages())
	if err != nil {
		t.Fatal(err)
	}
	for name, s := range map[string]*Source{"a binary": binary, "a source": mustOpen(t, b, "a.x", map[string]string{"a.x": "text"})} {
		first := mustBuild(t, b, s)
		want, err := os.ReadFile(first.entry.Path(exeName))
		if err != nil {
			t.Fatal(err)
		}
		for damaged, damage := range map[string]func(string) error{
			"removed": os.Remove,
			"empty":   func(file string) error { return os.Truncate(file, 0) },
		} {
			if err := damage(first.entry.Path(exeName)); err != nil {
				t.Fatal(err)
			}
			p := mustBuild(t, b, s)
			if got, err := os.ReadFile(p.entry.Path(exeName)); p.Cached || err != nil || !bytes.Equal(got, want) {
				t.Errorf("%s whose program is %s: %d bytes, from the cache %v (%v)", name, damaged, len(got), p.Cached, err)
			}
		}
	}
}

// TestChangedProgram checks that an executable that changes in the cache after it was built, and
// before its first run, does not run.
func TestChangedProgram(t *testing.T) {
	t.Parallel()
	b := newBuilder(t, Options{Languages: map[string]Language{"x": scripted(`cp "$(command -v env)" "$1"`)}})
	p := mustBuild(t, b, mustOpen(t, b, "a.x", map[string]string{"a.x": "text"}))
	if err := os.WriteFile(p.entry.Path(exeName), []byte("another"), 0o700); err != nil {
		t.Fatal(err)
	}
	_, err := p.Command(sandbox.Anywhere, limits.Limits{})
	if _, ok := errors.AsType[*content.ChangedError](err); !ok {
		t.Errorf("got %v, want a changed file", err)
	}
}

// TestExecutable checks that a program is copied without being read into the judge's own memory.
func TestExecutable(t *testing.T) {
	const size = 32 << 20
	path := filepath.Join(t.TempDir(), "program")
	image := bytes.Repeat([]byte("0123456789abcdef"), size/16)
	if err := os.WriteFile(path, image, 0o700); err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	exe, err := content.File(path, func() (*os.File, error) { return os.Open(path) })
	if err != nil {
		t.Fatal(err)
	}
	f, err := sandbox.Executable(exe.Reader())
	runtime.ReadMemStats(&after)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if used := after.TotalAlloc - before.TotalAlloc; used > size/8 {
		t.Errorf("copying %d bytes allocated %d", size, used)
	}
	if got, err := io.ReadAll(f); err != nil || !bytes.Equal(got, image) {
		t.Errorf("the copy differs: it has %d bytes (%v)", len(got), err)
	}
}

// TestLargeExecutable checks that an executable over the size limit is rejected with a hint.
func TestLargeExecutable(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a.out")
	image := crafted{machine: machine(t), kind: elf.ET_EXEC}.bytes()
	for _, tt := range []struct {
		size    int64
		wantErr string
	}{
		{int64(maxResult), ""},
		{int64(maxResult) + 1, path + ": executable of 640.0 MiB, more than 640MiB (hint: strip it, or submit the source)"},
	} {
		if tt.wantErr == "" && !tier.All() {
			t.Logf("not checked: an executable of 640 MiB, which is hashed (%s=all checks it)", tier.Variable)
			continue
		}
		if err := errors.Join(os.WriteFile(path, image, 0o600), os.Truncate(path, tt.size)); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(path, "", Defaults()); (err == nil) != (tt.wantErr == "") || err != nil && err.Error() != tt.wantErr {
			t.Errorf("%d bytes: got %v, want %q", tt.size, err, tt.wantErr)
		}
	}
}
