package build

import (
	"cmp"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tribunal/internal/tier"
	"tribunal/judge/internal/limits"
)

// openProgram reads the program called name as one of a package whose root is the folder above it.
func openProgram(t *testing.T, name string, languages map[string]Language) (*Source, error) {
	t.Helper()
	root, err := os.OpenRoot(filepath.Dir(name))
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	return OpenProgram(root, filepath.Base(name), name, languages)
}

// TestScripts builds and runs folders with the scripts build and run.
func TestScripts(t *testing.T) {
	t.Parallel()
	tier.T2(t, "scripts that build programs")
	needs(t, "gcc")
	host := newHost(t)
	const helloC = "#include <stdio.h>\nint main(void) { puts(\"hello\"); }\n"
	for _, tt := range []struct {
		why     string
		tool    string // tool that the script needs; the test is skipped without it
		files   map[string]string
		want    string // the program's output
		wantErr string // part of the compile error; "" if there is none

		timeout time.Duration // CPU time limit of the build; 0 means a minute
	}{
		{why: "run alone", files: map[string]string{"run": "#!/bin/sh\necho hello\n"}, want: "hello\n"},
		{why: "scripts that name no interpreter run in the shell", files: map[string]string{"build": "cp text run\n", "text": "echo hello\n"}, want: "hello\n"},
		{why: "build makes a file run that is not executable", files: map[string]string{"build": "#!/bin/sh\necho echo hello > run\n"}, wantErr: "build left no executable file named run"},
		{why: "run starts in a writable folder with its files, and can call them by relative names", files: map[string]string{
			"build": "#!/usr/bin/env sh\ncc hello.c -o program\n", "hello.c": helloC, "run": "#!/bin/sh\n./program > said && cat said && exec \"$(dirname \"$0\")/program\"\n",
		}, want: "hello\nhello\n"},
		{why: "build makes an executable run", files: map[string]string{"build": "#!/bin/sh\nexec c++ -x c hello.c -o run\n", "hello.c": helloC}, want: "hello\n"},
		{why: "build makes run a symbolic link to the program", files: map[string]string{"build": "#!/bin/sh\ngcc hello.c -o program && ln -s program run\n", "hello.c": helloC}, want: "hello\n"},
		{why: "run names an interpreter", tool: "python3", files: map[string]string{"run": "#!/usr/bin/env python3\nimport greet\n", "greet.py": "print('hello')\n"}, want: "hello\n"},
		{why: "build calls the go command, which finds the compiled standard library", tool: "go", files: map[string]string{
			"build": "#!/bin/sh\nexec go build -o run .\n", "go.mod": "module hello\n\ngo 1.21\n", "main.go": "package main\n\nimport \"fmt\"\n\nfunc main() { fmt.Println(\"hello\") }\n",
		}, want: "hello\n"},
		{why: "the go command has the flags with which the standard library was compiled", tool: "go", files: map[string]string{"build": "echo $GOPROXY $GOFLAGS; exit 1\n", "main.go": "package main"}, wantErr: "off -trimpath -buildvcs=false '-ldflags=-buildid= -s' -mod=mod"},
		{why: "build calls make", tool: "make", files: map[string]string{"build": "#!/bin/sh\nmake -s run\n", "run.c": helloC}, want: "hello\n"},
		{why: "build fails with a message", files: map[string]string{"build": "#!/bin/sh\necho no such luck >&2\nexit 3\n"}, wantErr: "no such luck"},
		{why: "build fails without a message", files: map[string]string{"build": "#!/bin/sh\nexit 3\n"}, wantErr: "the script build exited with status 3 without a message"},
		{why: "an interpreter that does not exist", files: map[string]string{"build": "#!/no/such/interpreter\n", "run": ""}, wantErr: "./build: not found"},
		{why: "build makes nothing", files: map[string]string{"build": "#!/bin/sh\n:\n"}, wantErr: "build left no executable file named run"},
		{why: "build makes a folder run", files: map[string]string{"build": "#!/bin/sh\nmkdir run\n"}, wantErr: "build left no executable file named run"},
		{why: "build does not end", files: map[string]string{"build": "#!/bin/sh\nwhile :; do :; done\n"}, timeout: 300 * time.Millisecond, wantErr: "the script build exceeded its CPU time limit of 300ms"},
	} {
		t.Run(tt.why, func(t *testing.T) {
			t.Parallel()
			if tt.tool != "" {
				if _, err := exec.LookPath(tt.tool); err != nil {
					t.Skipf("not checked: scripts that call %s: %v", tt.tool, err)
				}
			}
			b := newBuilder(t, Options{Runner: runnerOn(host), Timeout: cmp.Or(tt.timeout, time.Minute)})
			s, err := openProgram(t, write(t, "check", tt.files), b.Languages())
			if err != nil || s.Language != Scripts {
				t.Fatalf("opened as %+v, %v", s, err)
			}
			if tt.wantErr == "" {
				if got := output(t, host, mustBuild(t, b, s), limits.Limits{}); got != tt.want {
					t.Errorf("output %q, want %q", got, tt.want)
				}
				return
			}
			_, err = b.Build(t.Context(), s)
			if compile, ok := errors.AsType[*CompileError](err); !ok || !strings.Contains(compile.Output, tt.wantErr) {
				t.Errorf("got %v, want the compile error %q", err, tt.wantErr)
			}
		})
	}
}

// TestProgramNames checks that OpenProgram follows no symbolic link out of the package, and skips
// the names that the package formats skip.
func TestProgramNames(t *testing.T) {
	t.Parallel()
	dir := write(t, "top", map[string]string{"secret.txt": "secret", "p/v/run": "echo", "p/v/-x/b.txt": "b", "p/v/.h": "h", "p/lib/in.h": "in"})
	for name, to := range map[string]string{"-secret.txt": "../../secret.txt", ".secret.txt": "../../secret.txt", "in.h": "../lib/in.h"} {
		if err := os.Symlink(to, filepath.Join(dir, "p/v", name)); err != nil {
			t.Fatal(err)
		}
	}
	root, err := os.OpenRoot(filepath.Join(dir, "p"))
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	s, err := OpenProgram(root, "v", "v", Defaults())
	if err != nil || names(s) != "in.h run" {
		t.Errorf("read %v, %v", s, err)
	}
	if err := os.Rename(filepath.Join(dir, "p/v/-secret.txt"), filepath.Join(dir, "p/v/secret.txt")); err != nil {
		t.Fatal(err)
	}
	if s, err := OpenProgram(root, "v", "v", Defaults()); err == nil || err.Error() != "v/secret.txt: not a regular file (hint: a submission must not contain symbolic links or devices)" {
		t.Errorf("a symbolic link that leads out: got %v, %v", s, err)
	}
	if err := os.Symlink("../secret.txt", filepath.Join(dir, "p/single.py")); err != nil {
		t.Fatal(err)
	}
	if s, err := OpenProgram(root, "single.py", "single.py", Defaults()); err == nil || !strings.Contains(err.Error(), "path escapes from parent") {
		t.Errorf("a single file that is a symbolic link: got %v, %v", s, err)
	}
}

// TestOpenProgram checks that scripts and sources are distinguished, and that symbolic links within
// the package are followed.
func TestOpenProgram(t *testing.T) {
	t.Parallel()
	languages := Defaults()
	for _, tt := range []struct {
		why      string
		files    map[string]string
		language string
	}{
		{"a script in a subfolder does not count", map[string]string{"a.c": "int main;", "tests/run": ""}, "c"},
		{"a source called run.py is not a script", map[string]string{"run.py": "print(1)"}, "python3"},
		{"a file build", map[string]string{"a.c": "int main;", "build": ""}, Scripts},
		{"a file run", map[string]string{"a.py": "print(1)", "run": ""}, Scripts},
	} {
		dir := write(t, "program", tt.files)
		if err := errors.Join(os.WriteFile(filepath.Join(filepath.Dir(dir), "text"), []byte("int shared;"), 0o644), os.Symlink("../text", filepath.Join(dir, "shared.h"))); err != nil {
			t.Fatal(err)
		}
		link := dir + "-linked"
		if err := os.Symlink("program", link); err != nil {
			t.Fatal(err)
		}
		if s, err := openProgram(t, link, languages); err != nil || s.Language != tt.language || len(s.Texts()) != len(tt.files)+1 {
			t.Errorf("%s: through a symbolic link to the folder: got %+v, %v", tt.why, s, err)
		}
		s, err := openProgram(t, dir, languages)
		if err != nil || s.Language != tt.language || string(s.Texts()["shared.h"]) != "int shared;" {
			t.Errorf("%s: got %+v, %v, want a source in %s with shared.h", tt.why, s, err, tt.language)
		}
		if _, err := Open(dir, "", languages); err == nil || !strings.Contains(err.Error(), "not a regular file") {
			t.Errorf("%s: as a submission: got %v, want its symbolic link refused", tt.why, err)
		}
	}
}

// TestOnlyChecktestdata checks which folders of a package are programs in Checktestdata.
func TestOnlyChecktestdata(t *testing.T) {
	t.Parallel()
	for want, folder := range map[string][]map[string]bool{
		"in.ctd": {{"in.ctd": true}},
		"":       {{}, {"README": true}, {"in.ctd": true, "README": true}, {"a.ctd": true, "b.ctd": true}},
	} {
		for _, top := range folder {
			if got := onlyChecktestdata(top); got != want {
				t.Errorf("%v: got %q, want %q", top, got, want)
			}
		}
	}
}
