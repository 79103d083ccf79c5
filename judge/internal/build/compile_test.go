package build

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/runner"
	"tribunal/judge/internal/sandbox"
)

func TestCompileC(t *testing.T) {
	t.Parallel()
	needs(t, "gcc")
	b := newBuilder(t, Options{})
	files := map[string]string{
		"main.c": `#include <stdio.h>
#include <stdlib.h>
#include "lib/answer.h"
int main(void) {
#ifdef ONLINE_JUDGE
    printf("%d %s\n", answer(), getenv("ONLINE_JUDGE"));
#endif
    return 0;
}`,
		"answer.c":     "int answer(void) { return 42; }",
		"lib/answer.h": "int answer(void);",
	}
	first := mustBuild(t, b, mustOpen(t, b, "", files))
	if first.Cached || first.Time <= 0 || first.Language != "c" {
		t.Errorf("first build: %+v", first)
	}
	if got := output(t, hostOf(b), first, limits.Limits{}); got != "42 1\n" {
		t.Errorf("output %q: want ONLINE_JUDGE as a macro and in the environment", got)
	}
	entries, err := os.ReadDir(first.entry.Path("."))
	if err != nil || len(entries) != 1 || entries[0].Name() != exeName {
		t.Errorf("the cache keeps %v, %v, want the executable alone", entries, err)
	}
	second := mustBuild(t, b, mustOpen(t, b, "", files)) // the same files in another folder
	if !second.Cached || second.Time != 0 || second.Key != first.Key {
		t.Errorf("second build: %+v", second)
	}
	files["answer.c"] = "int answer(void) { return 43; }"
	if third := mustBuild(t, b, mustOpen(t, b, "", files)); third.Cached || output(t, hostOf(b), third, limits.Limits{}) != "43 1\n" {
		t.Error("after an edit, Build returns the old program")
	}
}

// TestStarvedCompiler checks that a compilation that got no CPU, or whose container died, is
// repeated once, alone. If that fails in the same way, Build returns an error of the judge.
func TestStarvedCompiler(t *testing.T) {
	t.Parallel()
	starved := &sandbox.StarvedError{Wall: time.Minute, CPU: time.Second, CPUWait: time.Minute}
	mistake := errors.New("a mistake in the source")
	for _, tt := range []struct {
		why  string
		ends []error // errors of the attempts
		want error
	}{
		{"a compile error is not repeated", []error{mistake}, mistake},
		{"the second attempt reports a compile error", []error{starved, mistake}, mistake},
		{"there is no third attempt", []error{starved, starved}, starved},
		{"the container died", []error{sandbox.ErrDied, mistake}, mistake},
		{"the container died twice", []error{sandbox.ErrDied, sandbox.ErrDied}, sandbox.ErrDied},
	} {
		tries := 0
		b := newBuilder(t, Options{Languages: map[string]Language{"x": scripted(":")}, Runner: hostRunner{host: newHost(t)}})
		b.options.Runner = compiler(func(r runner.Request) (runner.Reply, error) {
			if alone := !b.alone.TryRLock(); alone != (tries == 1) {
				t.Errorf("%s: attempt %d runs alone: %v", tt.why, tries+1, alone)
			} else if !alone {
				b.alone.RUnlock()
			}
			tries++
			if end := tt.ends[tries-1]; end != mistake {
				return runner.Reply{}, end
			}
			return runner.Reply{Result: sandbox.Result{Stop: sandbox.Exited, ExitCode: 1}}, nil
		})
		_, err := b.Build(t.Context(), mustOpen(t, b, "a.x", map[string]string{"a.x": "text"}))
		_, fault := errors.AsType[*CompileError](err)
		if fault != (tt.want == mistake) || !fault && !errors.Is(err, tt.want) || tries != len(tt.ends) {
			t.Errorf("%s: got %v after %d attempts, want %v after %d", tt.why, err, tries, tt.want, len(tt.ends))
		}
	}
}

// TestFullFolder plays compilers that fill their folder, which has room for the largest result.
func TestFullFolder(t *testing.T) {
	t.Parallel()
	const full = "the compiler wrote more than 640MiB of files"
	for _, tt := range []struct {
		why    string
		result sandbox.Result
		want   string
	}{
		{"it goes on without the file", sandbox.Result{Stop: sandbox.Exited, FolderFull: true}, full},
		{"it says so", sandbox.Result{Stop: sandbox.Exited, ExitCode: 1, FolderFull: true}, full},
		{"it waits for room", sandbox.Result{Stop: sandbox.OverWall, FolderFull: true}, full},
		{"it has room", sandbox.Result{Stop: sandbox.OverWall}, "the compiler exceeded its wall time limit of "},
	} {
		b := newBuilder(t, Options{Languages: map[string]Language{"x": scripted(":")}, Runner: hostRunner{host: newHost(t)}})
		b.options.Runner = compiler(func(r runner.Request) (runner.Reply, error) {
			if size := r.Box.Folder.Size; size != maxResult {
				t.Errorf("%s: the folder has %v, want %v", tt.why, size, maxResult)
			}
			return runner.Reply{Result: tt.result}, nil
		})
		_, err := b.Build(t.Context(), mustOpen(t, b, "a.x", map[string]string{"a.x": "text"}))
		if fault, ok := errors.AsType[*CompileError](err); !ok || !strings.HasPrefix(fault.Output, tt.want) {
			t.Errorf("%s: got %v, want a compile error with %q", tt.why, err, tt.want)
		}
	}
}

// compiler is a runner that calls a function instead of running a compiler.
type compiler func(r runner.Request) (runner.Reply, error)

func (c compiler) Run(_ context.Context, r runner.Request, _ io.Writer) (runner.Reply, error) {
	return c(r)
}

func (compiler) Facts() runner.Facts { return runner.Facts{} }

func (compiler) Close() error { return nil }

// TestGoSettings checks that the go command inside the jail reads no settings from files, because
// in some modes its /tmp is the host's.
func TestGoSettings(t *testing.T) {
	t.Parallel()
	l := scripted(`[ "$1" = -- ] && exit; echo "$GOENV $GOWORK"; exit 1`) // with --, it is called by compileLibrary
	l.Match = []string{".go"}
	b := newBuilder(t, Options{Languages: map[string]Language{"go": l}})
	_, err := b.Build(t.Context(), mustOpen(t, b, "a.go", map[string]string{"a.go": "package main"}))
	missing, ok := errors.AsType[*MissingError](err) // a *MissingError, because the compiler rejects every source
	if !ok || missing.Output != "off off" {
		t.Errorf("got %v, want the settings off", err)
	}
}

// TestBuildersShareACache builds the same program at the same time with two builders that share a
// cache: it must be stored once.
func TestBuildersShareACache(t *testing.T) {
	t.Parallel()
	c, host := newCache(t), newHost(t)
	languages := map[string]Language{"x": scripted(`cp "$(command -v env)" "$1"`)}
	source := write(t, "s", map[string]string{"a.x": "text"})
	var all sync.WaitGroup
	for range 2 {
		b := newBuilder(t, Options{Languages: languages, Cache: c, Runner: runnerOn(host)})
		for range 2 {
			all.Go(func() {
				s, err := Open(source, "", languages)
				if err != nil {
					t.Error(err)
					return
				}
				p, err := b.Build(t.Context(), s)
				if err != nil {
					t.Error(err)
					return
				}
				defer p.Close()
				output(t, host, p, limits.Limits{})
			})
		}
	}
	all.Wait()
	entries, err := os.ReadDir(filepath.Join(c.Dir(), "entries"))
	if err != nil || len(entries) != 1 {
		t.Errorf("the cache has %d entries, want one (%v)", len(entries), err)
	}
}

func TestInterpreted(t *testing.T) {
	t.Parallel()
	checked := Language{
		Match: []string{".x"},
		Build: []string{"sh", "-n", "{src}"},
		Run:   []string{"sh", "{dir}/{main}", "{memory}", "-Xmx{heap}m", "{cpus}"},
	}
	unchecked := checked
	unchecked.Build = nil
	b := newBuilder(t, Options{Languages: map[string]Language{"x": checked}})
	plain := newBuilder(t, Options{Languages: map[string]Language{"x": unchecked}, Runner: b.options.Runner})
	files := map[string]string{"main.x": `cat "${0%/*}/data.txt"; echo "$@"`, "data.txt": "data "}
	if hostOf(b).Mechanisms().Mode == sandbox.Container { // other modes do not protect the cache
		files["main.x"] += "\n(echo spoilt > \"${0%/*}/data.txt\") 2>/dev/null; exit 0"
	}
	for _, tt := range []struct {
		why  string
		b    *Builder
		l    limits.Limits
		want string
	}{
		{"the placeholders of the run command are replaced", b, limits.Limits{Memory: 64*limits.MiB + 1, CPUs: 2}, "data 64m -Xmx128m 2\n"},
		{"no limit is a very high limit, and the program could not change its files", b, limits.Limits{}, "data 1048576m -Xmx1048576m 1\n"},
		{"a limit below 1 MiB is rounded up", b, limits.Limits{Memory: limits.KiB}, "data 1m -Xmx2m 1\n"},
		{"a language without a build command", plain, limits.Limits{Memory: limits.GiB}, "data 1024m -Xmx2048m 1\n"},
	} {
		l := tt.l
		p := mustBuild(t, tt.b, mustOpen(t, tt.b, "", files))
		box, err := hostOf(tt.b).NewBox(p.Spec())
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		cmd, err := p.Command(box, l)
		if err != nil {
			t.Fatal(err)
		}
		cmd.Limits, cmd.Stdout = limits.Limits{}, &out // run without limits: only the arguments matter
		r, err := box.Run(t.Context(), cmd)
		if err != nil || !r.OK(limits.Limits{}) || out.String() != tt.want {
			t.Errorf("%s: got %q, %+v, %v, want %q", tt.why, out.String(), r, err, tt.want)
		}
		box.Close()
	}
	_, err := b.Build(t.Context(), mustOpen(t, b, "a.x", map[string]string{"a.x": "if ("}))
	var compile *CompileError
	if !errors.As(err, &compile) {
		t.Errorf("a script that does not parse: got %v, want a compile error", err)
	}
}

// TestFolderInTheEnvironment checks that {dir} in Env is the program's folder, in the build and in
// the run.
func TestFolderInTheEnvironment(t *testing.T) {
	t.Parallel()
	b := newBuilder(t, Options{Languages: map[string]Language{"x": {
		Match: []string{".x"}, Build: []string{"sh", "-c", `cp "$PARTS/data.txt" "$1"`, "sh", "{stem}.copy"},
		Run: []string{"sh", "{dir}/{main}", "{stem}"}, Env: []string{"PARTS={dir}/lib"},
	}}})
	s := mustOpen(t, b, "", map[string]string{"a.x": `cat "$PARTS/data.txt" "${0%/*}/$1.copy"`, "lib/data.txt": "data\n"})
	if got := output(t, hostOf(b), mustBuild(t, b, s), limits.Limits{}); got != "data\ndata\n" {
		t.Errorf("output %q", got)
	}
}

func TestMainFileLikeAnOption(t *testing.T) {
	t.Parallel()
	b := newBuilder(t, Options{Languages: map[string]Language{
		"x": {Match: []string{".x"}, Build: []string{"sh", "-n", "{main}"}, Run: []string{"sh", "{dir}/{main}"}},
	}})
	s := mustOpen(t, b, "-y.x", map[string]string{"-y.x": "echo hello"})
	if got := output(t, hostOf(b), mustBuild(t, b, s), limits.Limits{}); got != "hello\n" {
		t.Errorf("output %q", got)
	}
}

// TestNamesLikePlaceholders checks that a placeholder in a file name is not replaced.
func TestNamesLikePlaceholders(t *testing.T) {
	t.Parallel()
	b := newBuilder(t, Options{Languages: map[string]Language{
		"x": {Match: []string{".x"}, Build: []string{"sh", "-n", "{src}", "{dir}/{main}"}, Run: []string{"sh", "{dir}/{main}", "{memory}"}},
	}})
	for _, name := range []string{"{memory}.x", "{dir}.x", "{exe}{cpus}.x", "{main}.x"} {
		s := mustOpen(t, b, name, map[string]string{name: `echo "${0##*/} $1"`})
		if got := output(t, hostOf(b), mustBuild(t, b, s), limits.Limits{Memory: limits.GiB}); got != name+" 1024m\n" {
			t.Errorf("%s: output %q", name, got)
		}
	}
}

// elsewhere is a box whose mounts have other paths than those asked for, as in the mode rlimit.
type elsewhere struct{ sandbox.Box }

func (elsewhere) Path(inside string) string { return "/cache/entries/1" + inside }

func TestCommandPaths(t *testing.T) {
	t.Parallel()
	p := &Program{args: []string{"/home/u/build/tools/bin/node", "{dir}/{main}", "-I{dir}"}, main: "main.js"}
	args, _ := p.CommandLine(elsewhere{}, limits.Limits{}, "/build/x")
	got := strings.Join(args, " ")
	if want := "/home/u/build/tools/bin/node /cache/entries/1/build/main.js -I/cache/entries/1/build /build/x"; got != want {
		t.Errorf("got %s, want %s: only {dir} must be replaced", got, want)
	}
}

func TestBuildIsCancelled(t *testing.T) {
	t.Parallel()
	b := newBuilder(t, Options{Languages: map[string]Language{"x": scripted("sleep 100")}})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s := mustOpen(t, b, "a.x", map[string]string{"a.x": "text"})
	if _, err := b.Build(ctx, s); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want context.Canceled", err)
	}
	if key, err := b.Key(t.Context(), s); err != nil {
		t.Error(err)
	} else if e, err := b.options.Cache.Get(key); e != nil || err != nil {
		t.Errorf("a cancelled build stored a program (%v)", err)
	}
}

// TestIncludeFolder checks that sources in C find the headers of a project's folder include.
func TestIncludeFolder(t *testing.T) {
	t.Parallel()
	b := newBuilder(t, Options{})
	needsLanguage(t, b, "c")
	p := mustBuild(t, b, mustOpen(t, b, "", map[string]string{
		"src/main.c": "#include <stdio.h>\n#include \"util.h\"\nint main(void) { printf(\"%d\\n\", two()); }\n",
		"src/util.c": "#include \"util.h\"\nint two(void) { return 2; }\n", "include/util.h": "int two(void);\n",
	}))
	if got := output(t, hostOf(b), p, limits.Limits{}); got != "2\n" {
		t.Errorf("output %q", got)
	}
}
