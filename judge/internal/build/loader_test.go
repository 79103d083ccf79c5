package build

import (
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tribunal/internal/tier"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/sandbox"
)

// ownLoader returns a loader of this machine that the sandbox provides.
func ownLoader(t testing.TB) string {
	t.Helper()
	list := sandbox.Loaders()
	if len(list) == 0 {
		t.Skip("not checked: executables with a loader, which this machine does not have")
	}
	return list[0]
}

// withInterp returns an executable with a PT_INTERP that has the given text and claims the given
// size.
func withInterp(t testing.TB, text string, size int) []byte {
	t.Helper()
	image := crafted{machine: machine(t), kind: elf.ET_DYN, loader: text}.bytes()
	binary.LittleEndian.PutUint64(image[64+32:], uint64(size)) // p_filesz of the first segment
	return image
}

// TestLoader checks that the judge rejects every PT_INTERP that the kernel rejects, and loaders
// that the jail does not have, with messages that do not depend on this host's files.
func TestLoader(t *testing.T) {
	t.Parallel()
	good := ownLoader(t)
	padded := good + strings.Repeat("\x00", maxLoader)
	const strange = "it needs the loader %q, which the sandbox does not provide"
	for _, tt := range []struct {
		why, text string
		size      int
		wantErr   string
	}{
		{"a loader as linkers write it", good, len(good) + 1, ""},
		{"bytes after the first NUL are not part of the path", good + "\x00/root", len(good) + 7, ""},
		{"the longest that the kernel accepts", padded, maxLoader, ""},
		{"a byte longer", padded, maxLoader + 1, "its PT_INTERP has 4097 bytes, not 2 to 4096"},
		{"a size that would be negative", good, -1, "damaged executable: "},
		{"nothing", good, 0, "its PT_INTERP has 0 bytes, not 2 to 4096"},
		{"a NUL alone", "\x00", 1, "its PT_INTERP has 1 bytes, not 2 to 4096"},
		{"an empty path", "\x00", 2, fmt.Sprintf(strange, "")},
		{"no NUL", good, len(good), "its PT_INTERP does not end with a NUL"},
		{"a NUL, but not at the end", good + "\x00abcd", len(good) + 5, "its PT_INTERP does not end with a NUL"},
		{"bytes that the file does not have", good, 4000, "its PT_INTERP: EOF"},
		{"the standard input", "/dev/stdin", 11, fmt.Sprintf(strange, "/dev/stdin")},
		{"the standard input by another name", "/proc/self/fd/0", 16, fmt.Sprintf(strange, "/proc/self/fd/0")},
		{"a file of the host", "/root/.bashrc", 14, fmt.Sprintf(strange, "/root/.bashrc")},
		{"a missing file", "/root/nonexistent", 18, fmt.Sprintf(strange, "/root/nonexistent")},
		{"a program of the host", "/bin/sh", 8, fmt.Sprintf(strange, "/bin/sh")},
		{"another path of a valid loader", "/lib/../" + good, len(good) + 9, fmt.Sprintf(strange, "/lib/../"+good)},
		{"a folder", filepath.Dir(good), len(filepath.Dir(good)) + 1, fmt.Sprintf(strange, filepath.Dir(good))},
		{"a newline in the path", "/lib/a\nb", 9, fmt.Sprintf(strange, "/lib/a\nb")},
		{"a long path", strings.Repeat("a", 4000), 4001, `it needs the loader "aaaa`},
	} {
		path := filepath.Join(t.TempDir(), "a.out")
		if err := os.WriteFile(path, withInterp(t, tt.text, tt.size), 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := Submission(path, "", "", Defaults())
		if err != nil {
			t.Errorf("%s: the judge failed: %v", tt.why, err)
			continue
		}
		got := strings.TrimPrefix(s.terms.refused, "cannot be started: ")
		if (got == "") != (tt.wantErr == "") || !strings.HasPrefix(got, tt.wantErr) || len(got) > 250 {
			t.Errorf("%s: refused with %q, want %q", tt.why, got, tt.wantErr)
		}
	}
}

// TestCompiledLoader checks that compiled programs whose sources define the section .interp are
// rejected in the same way.
func TestCompiledLoader(t *testing.T) {
	t.Parallel()
	tier.T2(t, "the loaders of compiled programs")
	host := newHost(t)
	static := Defaults()["c"]
	static.Build = append(static.Build[:len(static.Build):len(static.Build)], "-static")
	for name, l := range map[string]Language{"linked": Defaults()["c"], "static": static} {
		b := newBuilder(t, Options{Languages: map[string]Language{"c": l}, Runner: runnerOn(host)})
		needsLanguage(t, b, "c")
		for _, tt := range []struct{ why, declares, only, wantErr string }{
			{"a source that does not", `x = 0;`, "", ""},
			{"no NUL", `i[4] __attribute__((section(".interp"))) = "abcd";`, "", "its PT_INTERP does not end with a NUL"},
			{"longer than a path", `i[5000] __attribute__((section(".interp"))) = "/lib/x";`, "", "bytes, not 2 to 4096"},
			{"a file of the host", `i[] __attribute__((section(".interp"))) = "/root/.bashrc";`, "static", `it needs the loader "/root/.bashrc", which the sandbox does not provide`},
			{"a missing file", `i[] __attribute__((section(".interp"))) = "/root/nonexistent";`, "static", `it needs the loader "/root/nonexistent", which the sandbox does not provide`},
			{"an .interp that follows the linker's", `i[] __attribute__((section(".interp"))) = "/root/.bashrc";`, "linked", ""},
		} {
			if tt.only != "" && tt.only != name {
				continue
			}
			p, err := b.Build(t.Context(), mustOpen(t, b, "a.c", map[string]string{"a.c": "const char " + tt.declares + "\nint main(void) { return 0; }\n"}))
			if err == nil {
				output(t, host, p, limits.Limits{CPU: time.Minute, Wall: 10 * time.Minute, Memory: 64 * limits.MiB, Processes: 8})
				p.Close()
			}
			compile, ok := errors.AsType[*CompileError](err)
			if tt.wantErr == "" && err != nil || tt.wantErr != "" && (!ok || !strings.HasPrefix(compile.Output, "the compiler produced a program that cannot be started: ") || !strings.Contains(compile.Output, tt.wantErr)) {
				t.Errorf("%s, %s: got %v, want a compile error with %q", name, tt.why, err, tt.wantErr)
			}
		}
	}
}

// FuzzStart checks that every executable is either rejected, or fails to start, or runs: none may
// make the judge fail.
func FuzzStart(f *testing.F) {
	host := newHost(f)
	good := ownLoader(f)
	here := machine(f)
	for _, c := range []crafted{
		{machine: here, kind: elf.ET_EXEC},
		{machine: here, kind: elf.ET_DYN, loader: good},
		{machine: here, kind: elf.ET_DYN, loader: good, needed: []string{"libc.so.6"}},
		{machine: here, kind: elf.ET_EXEC, loader: "/proc/self/fd/0"},
	} {
		f.Add(c.bytes())
	}
	b := newBuilder(f, Options{Runner: runnerOn(host)})
	file := filepath.Join(f.TempDir(), "input")
	if err := os.WriteFile(file, []byte("less than the header of a loader\n"), 0o755); err != nil {
		f.Fatal(err)
	}
	input, err := os.Open(file)
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { input.Close() })
	f.Fuzz(func(t *testing.T, data []byte) {
		path := filepath.Join(t.TempDir(), "a.out")
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := Submission(path, Binary, "", b.Languages())
		if err != nil {
			if !strings.HasPrefix(string(data), elf.ELFMAG) {
				return // not ELF, so naming the language binary is a mistake of the user
			}
			t.Fatal(err)
		}
		p, err := b.Build(t.Context(), s)
		if _, refused := errors.AsType[*CompileError](err); refused {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		defer b.options.Cache.Drop(p.Key)
		defer p.Close()
		box, err := host.NewBox(p.Spec())
		if err != nil {
			t.Fatal(err)
		}
		defer box.Close()
		cmd, err := p.Command(box, limits.Limits{CPU: 100 * time.Millisecond, Wall: 10 * time.Second, Memory: 64 * limits.MiB, Output: limits.MiB, Processes: 8, CPUs: 1})
		if err != nil {
			t.Fatal(err)
		}
		cmd.Stdin = input
		_, err = box.Run(t.Context(), cmd)
		_, refused := errors.AsType[*sandbox.StartError](err)
		_, starved := errors.AsType[*sandbox.StarvedError](err)
		if err != nil && !refused && !starved {
			t.Errorf("the judge failed: %v", err)
		}
	})
}
