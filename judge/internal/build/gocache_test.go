package build

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"tribunal/judge/internal/sandbox"
)

func TestStandardImports(t *testing.T) {
	t.Parallel()
	dir := executables(t, map[string]string{"go/bin/go": ""})
	for _, name := range []string{"fmt", "net/http", "internal/abi", "cmd/go", "runtime", "unsafe", "image/testdata", "example.com/x"} {
		if err := os.MkdirAll(filepath.Join(dir, "go/src", name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "go/src/file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	tools := &toolchain{Tools: map[string]string{"go": filepath.Join(dir, "go/bin/go")}}
	for _, tt := range []struct{ why, imports, want string }{
		{"every program needs the runtime", ``, "runtime"},
		{"imported packages, sorted and without duplicates", `"net/http"; "fmt"; f "fmt"`, "fmt net/http runtime"},
		{"packages without files do not count", `"C"; "unsafe"`, "runtime"},
		{"the submission's own packages do not count", `"game/board"; "example.com/x"`, "runtime"},
		{"the toolchain's internal packages do not count", `"internal/abi"; "cmd/go"`, "runtime"},
		{"flags of the go command do not count", `"-toolexec=/tmp/x"; "--"; "-o"`, "runtime"},
		{"patterns do not count", `"..."; "fmt/..."; "./..."; "all"; "std"`, "runtime"},
		{"paths out of the standard library do not count", `"../bin"; "/etc"; "fmt/../../bin"; ""; "."`, "runtime"},
		{"unclean paths within the standard library do not count", `"fmt/"; "fmt/."; "net//http"; "net/../fmt"; "net/.."`, "runtime"},
		{"paths of files do not count", `"file"`, "runtime"},
		{"versions do not count", `"fmt@latest"`, "runtime"},
	} {
		s := &Source{files: map[string][]byte{
			"main.go":    []byte("package main\nimport (" + tt.imports + ")\n"),
			"broken.go":  []byte("package main\nimport \"fmt"),
			"fmt.txt":    []byte("package main\nimport \"fmt\""),
			"more/x.go":  []byte("package more"),
			"binary.go":  {0, 1, 2},
			"nothing.go": nil,
		}}
		if got := strings.Join(standardImports(s, tools), " "); got != tt.want {
			t.Errorf("%s: import (%s): got %s, want %s", tt.why, tt.imports, got, tt.want)
		}
	}
}

func TestWarmArguments(t *testing.T) {
	t.Parallel()
	got := warmArguments(Defaults()["go"].Build, []string{"fmt", "runtime"})
	want := []string{"build", "-trimpath", "-buildvcs=false", "-ldflags=-buildid= -s", "--", "fmt", "runtime"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q: the flags of the build without -o, then -- and the packages", got, want)
	}
}

// TestWarm checks when packages are compiled. Its go command only logs its arguments.
func TestWarm(t *testing.T) {
	t.Parallel()
	dir := executables(t, map[string]string{
		"go/bin/go": `echo "$*" >> "$(dirname "$0")/log"
case "$*" in *syscall/js*) echo "build constraints exclude all Go files" >&2; exit 1;; esac`,
		"bad/bin/go": "echo no space left on device >&2; exit 1",
	})
	for _, name := range []string{"fmt", "syscall/js"} {
		if err := os.MkdirAll(filepath.Join(dir, "go/src", name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	host, err := sandbox.Open(sandbox.Rlimit)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { host.Close() })
	b := New(Options{Cache: newCache(t), Runner: runnerOn(host), Temp: host.Temp()})
	l := Language{Build: []string{"go", "build", "-o", "{exe}", "{src}"}}
	warm := func(toolchainDir, imports string) error {
		s := &Source{files: map[string][]byte{"main.go": []byte("package main\nimport " + imports)}}
		got, err := b.warmGo(t.Context(), s, l, &toolchain{Tools: map[string]string{"go": filepath.Join(dir, toolchainDir, "bin/go")}})
		if err == nil {
			defer got.Close()
			if want := filepath.Join(b.options.Cache.Dir(), "go-build"); got.Dir != want {
				t.Errorf("compiled packages are in %s, want %s", got.Dir, want)
			}
		}
		return err
	}
	for _, tt := range []struct{ why, imports, log string }{
		{"the first submission that imports a package compiles it", `"fmt"`, "build -- fmt runtime"},
		{"the next one finds it compiled", `"fmt"`, ""},
		{"a package that cannot be compiled here is not an error; the compiler in the jail will report it", `"syscall/js"`, "build -- runtime syscall/js\nbuild -- runtime"},
	} {
		log := filepath.Join(dir, "go/bin/log")
		os.Remove(log)
		err := warm("go", tt.imports)
		text, _ := os.ReadFile(log)
		if err != nil || strings.TrimSpace(string(text)) != tt.log {
			t.Errorf("%s: go was called with %q, %v, want %q", tt.why, text, err, tt.log)
		}
	}
	b = New(Options{Cache: newCache(t), Runner: runnerOn(host), Temp: host.Temp()})
	err = warm("bad", `"fmt"`)
	if err == nil || !strings.Contains(err.Error(), "compiling Go's standard library: exit status 1: no space left on device") {
		t.Errorf("a go command that cannot even compile runtime: got %v", err)
	}
}

// TestWarmIsShown checks that every account can read what the go command compiles outside the jail,
// whatever the judge's umask is, and that files which some cannot read are mended.
func TestWarmIsShown(t *testing.T) {
	dir := executables(t, map[string]string{
		"go/bin/go": `mkdir -p "$GOCACHE/aa" && echo compiled >"$GOCACHE/aa/result-a" && echo then >"$GOCACHE/trim.txt"`,
	})
	host, err := sandbox.Open(sandbox.Rlimit)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { host.Close() })
	l := Language{Build: []string{"go", "build", "{src}"}}
	tools := &toolchain{Tools: map[string]string{"go": filepath.Join(dir, "go/bin/go")}}
	for _, umask := range []int{0o022, 0o027, 0o077} {
		b := New(Options{Cache: newCache(t), Runner: runnerOn(host), Temp: host.Temp()})
		library := filepath.Join(b.options.Cache.Dir(), goFolder)
		for _, tt := range []struct {
			why  string
			hide []string
		}{
			{"new", nil},
			{"a file that only its owner can read", []string{"aa/result-a"}},
			{"a folder that only its owner can enter", []string{"aa"}},
			{"the folder of all files", []string{"."}},
			{"everything", []string{"aa/result-a", "trim.txt", "aa", "."}},
		} {
			for _, name := range tt.hide {
				if err := os.Chmod(filepath.Join(library, name), 0o700); err != nil {
					t.Fatal(err)
				}
			}
			old := syscall.Umask(umask)
			f, err := b.warmGo(t.Context(), &Source{}, l, tools)
			syscall.Umask(old)
			if err != nil {
				t.Fatalf("umask %03o, %s: %v", umask, tt.why, err)
			}
			f.Close()
			for name, want := range map[string]os.FileMode{".": 0o755, "aa": 0o755, "aa/result-a": 0o644, "trim.txt": 0o644, "tribunal.lock": 0o600} {
				info, err := os.Stat(filepath.Join(library, name))
				if err != nil {
					t.Fatal(err)
				}
				private := want&0o004 == 0
				if mode := info.Mode().Perm(); private && mode != want || mode&want&0o005 != want&0o005 {
					t.Errorf("umask %03o, %s: %s has mode %o, want %o", umask, tt.why, name, mode, want)
				}
			}
		}
	}
}

// TestWarmSettings checks that the go command outside the jail reads no settings from files that
// other users may write: those below /tmp and above the cache.
func TestWarmSettings(t *testing.T) {
	t.Parallel()
	dir := executables(t, map[string]string{
		"go/bin/go": `printf '%s\n' "$GOENV" "$GOWORK" "$GOROOT" "$PWD" "$HOME" "$TMPDIR" "$GOTMPDIR" > "${0%/go}/settings"; touch "$HOME/left"`,
	})
	if err := os.MkdirAll(filepath.Join(dir, "go/src/runtime"), 0o755); err != nil {
		t.Fatal(err)
	}
	host, err := sandbox.Open(sandbox.Rlimit)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { host.Close() })
	for _, tt := range []struct{ why, root, want string }{
		{"the toolchain's folder is known", filepath.Join(dir, "go"), filepath.Join(dir, "go")},
		{"the toolchain has no folder of its own", "", ""},
		{"its folder has no standard library", dir, ""},
	} {
		b := New(Options{Cache: newCache(t), Runner: runnerOn(host), Temp: host.Temp()})
		l := Language{Build: []string{"go", "build", "{src}"}, Env: []string{"GOENV=/tmp/env", "HOME=/tmp"}}
		tools := &toolchain{Tools: map[string]string{"go": filepath.Join(dir, "go/bin/go")}, Root: tt.root}
		if _, err := b.warmGo(t.Context(), &Source{}, l, tools); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(filepath.Join(dir, "go/bin/settings"))
		if err != nil {
			t.Fatal(err)
		}
		got := strings.Split(strings.TrimSpace(string(text)), "\n")
		if want := []string{"off", "off", tt.want, "/"}; !slices.Equal(got[:4], want) {
			t.Errorf("%s: settings %q, want %q", tt.why, got[:4], want)
		}
		for _, folder := range got[4:] {
			if filepath.Dir(folder) != host.Temp() {
				t.Errorf("%s: temporary files go to %s", tt.why, folder)
			}
			if _, err := os.Stat(folder); err == nil {
				t.Errorf("%s: %s is left behind", tt.why, folder)
			}
		}
	}
}
