package build

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tribunal/internal/tier"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/sandbox"
)

// TestCompileErrors checks that compile errors contain the compiler's output, or a message of the
// judge if there is none, and that nothing is stored.
func TestCompileErrors(t *testing.T) {
	t.Parallel()
	tier.T2(t, "what compilers must not do")
	host := newHost(t)
	for _, tt := range []struct {
		why, compiler string
		wantErr       []string
		timeout       time.Duration
		memory        limits.Bytes
		output        limits.Bytes
		large         bool // it writes 640 MiB, for which TestFullFolder plays a compiler
	}{
		{why: "the compiler's output", compiler: `echo "$2:3: no such thing"; exit 1`, wantErr: []string{"a.x:3: no such thing"}},
		{why: "file names as the contestant wrote them", compiler: `echo "$PWD/$2:3: no such thing" >&2; exit 1`, wantErr: []string{"a.x:3: no such thing"}},
		{why: "both streams", compiler: `echo one; echo two >&2; exit 1`, wantErr: []string{"one", "two"}},
		{why: "no output", compiler: "exit 7", wantErr: []string{"the compiler exited with status 7 without a message"}},
		{why: "success without a program", compiler: "echo all is well", wantErr: []string{"the compiler did not produce a program (is there a main function?)\nall is well"}},
		{why: "a product that is not a program", compiler: `echo x > "$1"`, wantErr: []string{"did not produce a program"}},
		{why: "a symbolic link is not a program", compiler: `ln -s /usr/bin/env "$1"`, wantErr: []string{"did not produce a program"}},
		{why: "a folder is not a program", compiler: `mkdir "$1"`, wantErr: []string{"did not produce a program"}},
		{why: "a crash", compiler: `echo before; kill -SEGV $$`, wantErr: []string{"the compiler died: segmentation fault\nbefore"}},
		{why: "an endless loop", compiler: "while :; do :; done", timeout: 300 * time.Millisecond, wantErr: []string{"the compiler exceeded its CPU time limit of 300ms"}},
		{why: "asleep", compiler: "exec sleep 100", timeout: time.Second, wantErr: []string{"the compiler exceeded its wall time limit of 2s, mostly asleep"}},
		{why: "endless output is truncated", compiler: "yes error", timeout: time.Minute, output: limits.KiB, wantErr: []string{"the compiler wrote more than 64MiB of messages\nerror\n", "[output truncated]"}},
		{why: "endless output on standard error", compiler: "yes error >&2", timeout: time.Minute, output: limits.KiB, wantErr: []string{"the compiler wrote more than 64MiB of messages\nerror\n", "[output truncated]"}},
		{why: "an endless file", compiler: `yes > /tmp/x`, large: true, timeout: time.Minute, wantErr: []string{"File size limit exceeded"}},
		{why: "many large files", compiler: `for i in 1 2 3 4 5 6 7 8 9; do for j in 1 2 3 4 5 6 7 8 9; do head -c 40M /dev/zero > f$i$j; done; done; sleep 100`, large: true, timeout: time.Minute, wantErr: []string{"the compiler wrote more than 640MiB of files"}},
		{why: "all the memory", compiler: "x=xxxxxxxx; while :; do x=$x$x; done", memory: 64 * limits.MiB, wantErr: []string{"the compiler exceeded its memory limit of 64MiB"}},
	} {
		if tt.memory != 0 && host.Mechanisms().Memory == "" {
			continue
		}
		if tt.large && !tier.All() {
			t.Logf("not checked: %s (%s=all checks it)", tt.why, tier.Variable)
			continue
		}
		b := newBuilder(t, Options{
			Languages: map[string]Language{"x": scripted(tt.compiler)}, Runner: runnerOn(host),
			Timeout: tt.timeout, Memory: tt.memory, Output: tt.output,
		})
		s := mustOpen(t, b, "a.x", map[string]string{"a.x": "text"})
		_, err := b.Build(t.Context(), s)
		var compile *CompileError
		if !errors.As(err, &compile) {
			t.Errorf("%s: got %v, want a compile error", tt.why, err)
			continue
		}
		for _, want := range tt.wantErr {
			if !strings.Contains(compile.Output, want) || len(compile.Output) > 2<<10 || strings.Contains(compile.Output, buildDir) {
				t.Errorf("%s: %d bytes, got %.300q, want %q", tt.why, len(compile.Output), compile.Output, want)
			}
		}
		if compile.Time <= 0 {
			t.Errorf("%s: Time = %v", tt.why, compile.Time)
		}
		key, err := b.Key(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		if e, err := b.options.Cache.Get(key); e != nil || err != nil {
			t.Errorf("%s: a program was stored (%v)", tt.why, err)
		}
		if left, err := os.ReadDir(filepath.Join(b.options.Cache.Dir(), "making")); len(left) > 0 || err != nil {
			t.Errorf("%s: left behind: %v, %v", tt.why, left, err)
		}
	}
}

func TestCompileErrorOfC(t *testing.T) {
	t.Parallel()
	needs(t, "gcc")
	b := newBuilder(t, Options{})
	for _, tt := range []struct{ why, name, text, wantErr string }{
		{"a mistake, with its place", "solve.c", "int main(void) {\n    return x;\n}\n", "solve.c:2:12: error: "},
		{"no main", "solve.c", "int solve(void) { return 0; }\n", "main"},
		{"nothing", "solve.c", " \n\t\n", "the source is empty"},
		{"a file of the host cannot be read", "solve.c", "#include \"/etc/passwd\"\n", "/etc/passwd: No such file"},
		{"a name that a part of gcc reads as a file of options", "@v.c", "int main(void) { return 0; }\n", "@v.c: compilers read options from a file if its argument begins with @ (hint: rename it)"},
		{"a name that looks like an option", "-v.c", "int main(void) { return x; }\n", "-v.c:1:25: error: "},
	} {
		if strings.Contains(tt.text, "/etc") && hostOf(b).Mechanisms().Mode != sandbox.Container {
			continue // other modes show the host's files
		}
		_, err := b.Build(t.Context(), mustOpen(t, b, tt.name, map[string]string{tt.name: tt.text}))
		var compile *CompileError
		if !errors.As(err, &compile) || !strings.Contains(compile.Output, tt.wantErr) {
			t.Errorf("%s: got %v, want a compile error with %q", tt.why, err, tt.wantErr)
		}
	}
}

// TestCause finds the line of a compiler's output that tells most.
func TestCause(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ why, output, want string }{
		{"nothing", "", ""},
		{"no error", "a.x: 3\nb\n", "a.x: 3"},
		{"the place comes first", "a.c: In function 'main':\na.c:2:12: error: no x\n  2 | x\n", "a.c:2:12: error: no x"},
		{"a message of the judge", "the compiler wrote more than 64MiB of messages\nerror\n", "the compiler wrote more than 64MiB of messages"},
		{"a linker", "ld: crt1.o: in function `_start':\n(.text+0x1b): undefined reference to `main'\ncollect2: error: ld returned 1 exit status\n",
			"(.text+0x1b): undefined reference to `main'"},
		{"a linker that says nothing", "collect2: error: ld returned 1 exit status\n", "collect2: error: ld returned 1 exit status"},
	} {
		if got := (&CompileError{Output: tt.output}).Cause(); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.why, got, tt.want)
		}
	}
}

// TestNewerGo checks the line about a Go that is too old, with the messages of several versions.
func TestNewerGo(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ why, messages, want string }{
		{"Go 1.19 cannot read the version", "go: errors parsing go.mod:\n/b/go.mod:3: invalid go version '1.26.0': must match format 1.23", "this Go is too old: install Go 1.26.0 or later from https://go.dev/dl/"},
		{"Go 1.24 may not fetch another", "go: go.mod requires go >= 1.26.0 (running go 1.24.4; GOTOOLCHAIN=local)", "this Go is too old: install Go 1.26.0 or later from https://go.dev/dl/"},
		{"an ordinary error", "./a.go:3:2: undefined: x", ""},
	} {
		line := strings.TrimPrefix(newerGo(tt.messages), "\n")
		if line != tt.want {
			t.Errorf("%s: %q, want %q", tt.why, line, tt.want)
		}
		if e := (&CompileError{Output: tt.messages + newerGo(tt.messages)}); tt.want != "" && e.Cause() != tt.want {
			t.Errorf("%s: the cause is %q", tt.why, e.Cause())
		}
	}
}
