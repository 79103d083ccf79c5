package build

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"tribunal/judge/internal/cache/cachetest"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/runner"
	"tribunal/judge/internal/sandbox"
)

// newHost opens the strongest sandbox of this machine.
func newHost(t testing.TB) *sandbox.Host {
	t.Helper()
	h, err := sandbox.Open(sandbox.Auto)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { h.Close() })
	return h
}

// opened is a runner in the boxes of a host, in which tests run programs as well.
type opened struct {
	*runner.Local
	host *sandbox.Host
}

func on(host *sandbox.Host) opened { return opened{runner.NewLocal(host, 1), host} }

func hostOf(b *Builder) *sandbox.Host { return b.options.Runner.(opened).host }

// scripted is a language whose compiler is a shell script.
func scripted(compiler string) Language {
	return Language{Match: []string{".x"}, Build: []string{"sh", "-c", compiler, "sh", "{exe}", "{src}"}}
}

// newBuilder returns a builder with the given options; fields that are zero get defaults.
func newBuilder(t testing.TB, o Options) *Builder {
	t.Helper()
	if o.Timeout == 0 {
		o.Timeout = DefaultTimeout
	}
	if o.Memory == 0 {
		o.Memory = DefaultMemory
	}
	if o.Output == 0 {
		o.Output = DefaultOutput
	}
	if o.Languages == nil {
		o.Languages = Defaults()
	}
	if o.Cache == nil {
		o.Cache = cachetest.Fresh(t)
	}
	if o.Runner == nil {
		o.Runner = on(newHost(t))
	}
	o.Temp = o.Runner.(opened).host.Temp()
	return New(o)
}

func needs(t testing.TB, tool string) {
	t.Helper()
	if _, err := exec.LookPath(tool); err != nil {
		t.Skipf("not checked: programs that need %s: %v", tool, err)
	}
}

// needsLanguage skips the test when a language's tools are missing, or do not work.
func needsLanguage(t testing.TB, b *Builder, language string) {
	t.Helper()
	if _, err := b.resolve(t.Context(), language); errors.As(err, new(*MissingError)) {
		t.Skipf("not checked: %v", err)
	}
}

func mustOpen(t testing.TB, b *Builder, name string, files map[string]string) *Source {
	t.Helper()
	path := write(t, "submission", files)
	if name != "" {
		path = filepath.Join(path, name)
	}
	s, err := Open(path, "", b.Languages())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// play runs a program and returns its output.
func play(t testing.TB, h *sandbox.Host, p *Program, l limits.Limits) string {
	t.Helper()
	box, err := h.NewBox(p.Spec())
	if err != nil {
		t.Fatal(err)
	}
	defer box.Close()
	var out, errs bytes.Buffer
	cmd := p.Command(box, l)
	cmd.Stdout, cmd.Stderr = &out, &errs
	r, err := box.Run(t.Context(), cmd)
	if err != nil || !r.OK(l) {
		t.Fatalf("%+v, %v: %s", r, err, errs.String())
	}
	return out.String()
}

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
		t.Errorf("the first time: %+v", first)
	}
	if got := play(t, hostOf(b), first, limits.Limits{}); got != "42 1\n" {
		t.Errorf("it prints %q: want ONLINE_JUDGE as a macro and in the environment", got)
	}
	entries, err := os.ReadDir(first.entry.Path("."))
	if err != nil || len(entries) != 1 || entries[0].Name() != exeName {
		t.Errorf("the cache keeps %v, %v, want the executable alone", entries, err)
	}
	second := mustBuild(t, b, mustOpen(t, b, "", files)) // in another folder
	if !second.Cached || second.Time != 0 || second.Key != first.Key {
		t.Errorf("the second time: %+v", second)
	}
	files["answer.c"] = "int answer(void) { return 43; }"
	if third := mustBuild(t, b, mustOpen(t, b, "", files)); third.Cached || play(t, hostOf(b), third, limits.Limits{}) != "43 1\n" {
		t.Error("after an edit the old program is used")
	}
}

// TestCompileErrors checks that compile errors have the compiler's output, or a message of the
// judge if there is none, and that nothing is stored.
func TestCompileErrors(t *testing.T) {
	t.Parallel()
	host := newHost(t)
	for _, tt := range []struct {
		why, compiler string
		says          []string
		timeout       time.Duration
		memory        limits.Bytes
		output        limits.Bytes
	}{
		{why: "its own words", compiler: `echo "$2:3: no such thing"; exit 1`, says: []string{"a.x:3: no such thing"}},
		{why: "names as the contestant wrote them", compiler: `echo "$PWD/$2:3: no such thing" >&2; exit 1`, says: []string{"a.x:3: no such thing"}},
		{why: "both streams", compiler: `echo one; echo two >&2; exit 1`, says: []string{"one", "two"}},
		{why: "no words", compiler: "exit 7", says: []string{"the compiler exited with status 7 without a message"}},
		{why: "success without a program", compiler: "echo all is well", says: []string{"the compiler did not produce a program (is there a main function?)\nall is well"}},
		{why: "a program that is none", compiler: `echo x > "$1"`, says: []string{"did not produce a program"}},
		{why: "a link is no program", compiler: `ln -s /usr/bin/env "$1"`, says: []string{"did not produce a program"}},
		{why: "a folder is no program", compiler: `mkdir "$1"`, says: []string{"did not produce a program"}},
		{why: "a crash", compiler: `echo before; kill -SEGV $$`, says: []string{"the compiler died: segmentation fault\nbefore"}},
		{why: "without end", compiler: "while :; do :; done", timeout: time.Second, says: []string{"the compiler exceeded its CPU time limit of 1s"}},
		{why: "asleep", compiler: "exec sleep 100", timeout: 50 * time.Millisecond, says: []string{"the compiler exceeded its wall time limit of 100ms, mostly asleep"}},
		{why: "endless words, kept short", compiler: "yes error", timeout: 20 * time.Second, output: limits.KiB, says: []string{"the compiler wrote more than 64MiB of messages\nerror\n", "[output truncated]"}},
		{why: "endless words as errors", compiler: "yes error >&2", timeout: 20 * time.Second, output: limits.KiB, says: []string{"the compiler wrote more than 64MiB of messages\nerror\n", "[output truncated]"}},
		{why: "a file without end", compiler: `yes > /tmp/x`, timeout: 20 * time.Second, says: []string{"File size limit exceeded"}},
		{why: "many large files", compiler: `for i in 1 2 3 4 5 6 7 8 9; do for j in 1 2 3 4 5 6 7 8 9; do head -c 40M /dev/zero > f$i$j; done; done; sleep 100`, timeout: 20 * time.Second, says: []string{"the compiler wrote more than 256MiB of files"}},
		{why: "all the memory", compiler: "x=xxxxxxxx; while :; do x=$x$x; done", memory: 64 * limits.MiB, says: []string{"the compiler exceeded its memory limit of 64MiB"}},
	} {
		if tt.memory != 0 && host.Mechanisms().Memory == "" {
			continue
		}
		b := newBuilder(t, Options{
			Languages: map[string]Language{"x": scripted(tt.compiler)}, Runner: on(host),
			Timeout: tt.timeout, Memory: tt.memory, Output: tt.output,
		})
		s := mustOpen(t, b, "a.x", map[string]string{"a.x": "text"})
		_, err := b.Build(t.Context(), s)
		var compile *CompileError
		if !errors.As(err, &compile) {
			t.Errorf("%s: got %v, want a compile error", tt.why, err)
			continue
		}
		for _, want := range tt.says {
			if !strings.Contains(compile.Output, want) || len(compile.Output) > 2<<10 || strings.Contains(compile.Output, buildDir) {
				t.Errorf("%s: %d bytes, got %.300q, want %q", tt.why, len(compile.Output), compile.Output, want)
			}
		}
		if compile.Time <= 0 {
			t.Errorf("%s: it took %v", tt.why, compile.Time)
		}
		key, err := b.Key(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		if e, err := b.options.Cache.Get(key); e != nil || err != nil {
			t.Errorf("%s: something was stored (%v)", tt.why, err)
		}
		if left, err := os.ReadDir(filepath.Join(b.options.Cache.Dir(), "making")); len(left) > 0 || err != nil {
			t.Errorf("%s: left behind: %v, %v", tt.why, left, err)
		}
	}
}

// TestStarvedCompiler checks that a compilation that got no CPU is repeated once, alone and without
// the files of the first attempt, and is the judge's failure if that gets none either.
func TestStarvedCompiler(t *testing.T) {
	t.Parallel()
	starved := &sandbox.StarvedError{Wall: time.Minute, CPU: time.Second, CPUWait: time.Minute}
	mistake := errors.New("a mistake in the source")
	for _, tt := range []struct {
		why  string
		ends []error // of the tries
		want error
	}{
		{"a mistake is one at once", []error{mistake}, mistake},
		{"the second try tells of a mistake", []error{starved, mistake}, mistake},
		{"there is no third", []error{starved, starved}, starved},
		{"its container died", []error{sandbox.ErrDied, mistake}, mistake},
		{"and died again", []error{sandbox.ErrDied, sandbox.ErrDied}, sandbox.ErrDied},
	} {
		tries := 0
		b := newBuilder(t, Options{Languages: map[string]Language{"x": scripted(":")}, Runner: opened{host: newHost(t)}})
		b.options.Runner = compiler(func(r runner.Request) (runner.Reply, error) {
			if alone := !b.alone.TryRLock(); alone != (tries == 1) {
				t.Errorf("%s: try %d is alone: %v", tt.why, tries, alone)
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
			t.Errorf("%s: got %v after %d tries, want %v after %d", tt.why, err, tries, tt.want, len(tt.ends))
		}
	}
}

// compiler is a runner that plays a compiler.
type compiler func(r runner.Request) (runner.Reply, error)

func (c compiler) Run(_ context.Context, r runner.Request, _ io.Writer) (runner.Reply, error) {
	return c(r)
}

func (compiler) Facts() runner.Facts { return runner.Facts{} }

func (compiler) Close() error { return nil }

// TestGoSettings checks that the go command inside the jail reads no settings from files either: in
// some modes its /tmp is the host's.
func TestGoSettings(t *testing.T) {
	t.Parallel()
	l := scripted(`[ "$1" = -- ] && exit; echo "$GOENV $GOWORK"; exit 1`) // with --, it is the compiler that runs outside the jail
	l.Match = []string{".go"}
	b := newBuilder(t, Options{Languages: map[string]Language{"go": l}})
	_, err := b.Build(t.Context(), mustOpen(t, b, "a.go", map[string]string{"a.go": "package main"}))
	missing, ok := errors.AsType[*MissingError](err) // because it refuses every source
	if !ok || missing.Output != "off off" {
		t.Errorf("got %v, want the settings off", err)
	}
}

func TestCompileErrorOfC(t *testing.T) {
	t.Parallel()
	needs(t, "gcc")
	b := newBuilder(t, Options{})
	for _, tt := range []struct{ why, name, text, says string }{
		{"a mistake, at its place", "solve.c", "int main(void) {\n    return x;\n}\n", "solve.c:2:12: error: "},
		{"no main", "solve.c", "int solve(void) { return 0; }\n", "main"},
		{"nothing", "solve.c", " \n\t\n", "the source is empty"},
		{"a file of the judge's machine is not there to read", "solve.c", "#include \"/etc/passwd\"\n", "/etc/passwd: No such file"},
		{"a name that is a file of options for some part of gcc", "@v.c", "int main(void) { return 0; }\n", "@v.c: compilers read options from a file if its argument begins with @ (hint: rename it)"},
		{"a name that looks like an option is a name", "-v.c", "int main(void) { return x; }\n", "-v.c:1:25: error: "},
	} {
		if strings.Contains(tt.text, "/etc") && hostOf(b).Mechanisms().Mode != sandbox.Container {
			continue // no other mode has a file system of its own
		}
		_, err := b.Build(t.Context(), mustOpen(t, b, tt.name, map[string]string{tt.name: tt.text}))
		var compile *CompileError
		if !errors.As(err, &compile) || !strings.Contains(compile.Output, tt.says) {
			t.Errorf("%s: got %v, want a compile error with %q", tt.why, err, tt.says)
		}
	}
}

// TestBuildersShareACache checks two judges that build the same program at the same time.
func TestBuildersShareACache(t *testing.T) {
	t.Parallel()
	c, host := newCache(t), newHost(t)
	languages := map[string]Language{"x": scripted(`cp "$(command -v env)" "$1"`)}
	source := write(t, "s", map[string]string{"a.x": "text"})
	var all sync.WaitGroup
	for range 2 {
		b := newBuilder(t, Options{Languages: languages, Cache: c, Runner: on(host)})
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
				play(t, host, p, limits.Limits{})
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
	if hostOf(b).Mechanisms().Mode == sandbox.Container { // no other mode protects the cache
		files["main.x"] += "\n(echo spoilt > \"${0%/*}/data.txt\") 2>/dev/null; exit 0"
	}
	for _, tt := range []struct {
		why  string
		b    *Builder
		l    limits.Limits
		want string
	}{
		{"what the run command asks for is filled in", b, limits.Limits{Memory: 64*limits.MiB + 1, CPUs: 2}, "data 64m -Xmx128m 2\n"},
		{"no limit is a very high one, and the files are as they were", b, limits.Limits{}, "data 1048576m -Xmx1048576m 1\n"},
		{"less than the unit is one of it", b, limits.Limits{Memory: limits.KiB}, "data 1m -Xmx2m 1\n"},
		{"a language that checks nothing", plain, limits.Limits{Memory: limits.GiB}, "data 1024m -Xmx2048m 1\n"},
	} {
		l := tt.l
		p := mustBuild(t, tt.b, mustOpen(t, tt.b, "", files))
		box, err := hostOf(tt.b).NewBox(p.Spec())
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		cmd := p.Command(box, l)
		cmd.Limits, cmd.Stdout = limits.Limits{}, &out // what it is told, not what it gets
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

// TestFolderInTheEnvironment checks that {dir} in the environment is the program's folder both in
// the build and in the run.
func TestFolderInTheEnvironment(t *testing.T) {
	t.Parallel()
	b := newBuilder(t, Options{Languages: map[string]Language{"x": {
		Match: []string{".x"}, Build: []string{"sh", "-c", `cp "$PARTS/data.txt" "$1"`, "sh", "{stem}.copy"},
		Run: []string{"sh", "{dir}/{main}", "{stem}"}, Env: []string{"PARTS={dir}/lib"},
	}}})
	s := mustOpen(t, b, "", map[string]string{"a.x": `cat "$PARTS/data.txt" "${0%/*}/$1.copy"`, "lib/data.txt": "data\n"})
	if got := play(t, hostOf(b), mustBuild(t, b, s), limits.Limits{}); got != "data\ndata\n" {
		t.Errorf("it prints %q", got)
	}
}

func TestMainFileLikeAnOption(t *testing.T) {
	t.Parallel()
	b := newBuilder(t, Options{Languages: map[string]Language{
		"x": {Match: []string{".x"}, Build: []string{"sh", "-n", "{main}"}, Run: []string{"sh", "{dir}/{main}"}},
	}})
	s := mustOpen(t, b, "-y.x", map[string]string{"-y.x": "echo hello"})
	if got := play(t, hostOf(b), mustBuild(t, b, s), limits.Limits{}); got != "hello\n" {
		t.Errorf("it prints %q", got)
	}
}

// TestNamesLikePlaceholders checks that a placeholder in a file name is not expanded.
func TestNamesLikePlaceholders(t *testing.T) {
	t.Parallel()
	b := newBuilder(t, Options{Languages: map[string]Language{
		"x": {Match: []string{".x"}, Build: []string{"sh", "-n", "{src}", "{dir}/{main}"}, Run: []string{"sh", "{dir}/{main}", "{memory}"}},
	}})
	for _, name := range []string{"{memory}.x", "{dir}.x", "{exe}{cpus}.x", "{main}.x"} {
		s := mustOpen(t, b, name, map[string]string{name: `echo "${0##*/} $1"`})
		if got := play(t, hostOf(b), mustBuild(t, b, s), limits.Limits{Memory: limits.GiB}); got != name+" 1024m\n" {
			t.Errorf("%s: it prints %q", name, got)
		}
	}
}

// elsewhere is a box that shows its mounts at other paths, as the mode rlimit does.
type elsewhere struct{ sandbox.Box }

func (elsewhere) Path(inside string) string { return "/cache/entries/1" + inside }

func TestCommandPaths(t *testing.T) {
	t.Parallel()
	p := &Program{args: []string{"/home/u/build/tools/bin/node", "{dir}/{main}", "-I{dir}"}, main: "main.js"}
	got := strings.Join(p.Command(elsewhere{}, limits.Limits{}, "/build/x").Args, " ")
	if want := "/home/u/build/tools/bin/node /cache/entries/1/build/main.js -I/cache/entries/1/build /build/x"; got != want {
		t.Errorf("got %s, want %s: only the program's own folder moves", got, want)
	}
}

func TestBuildIsCancelled(t *testing.T) {
	t.Parallel()
	b := newBuilder(t, Options{Languages: map[string]Language{"x": scripted("sleep 100")}})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s := mustOpen(t, b, "a.x", map[string]string{"a.x": "text"})
	if _, err := b.Build(ctx, s); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v: giving up is nobody's fault", err)
	}
	if key, err := b.Key(t.Context(), s); err != nil {
		t.Error(err)
	} else if e, err := b.options.Cache.Get(key); e != nil || err != nil {
		t.Errorf("half a program was stored (%v)", err)
	}
}

// TestStrictUmask builds as an administrator does who hides new files from all
// others: the jail's account must be able to read them all the same.
func TestStrictUmask(t *testing.T) {
	needs(t, "gcc")
	b := newBuilder(t, Options{})
	old := syscall.Umask(0o077)
	defer syscall.Umask(old)
	s := mustOpen(t, b, "", map[string]string{"a.c": "#include \"d/a.h\"\n", "d/a.h": "int main(void) { return 0; }\n"})
	play(t, hostOf(b), mustBuild(t, b, s), limits.Limits{})

	image, err := exec.LookPath("true")
	if err != nil {
		t.Fatal(err)
	}
	if s, err = Open(image, "", b.Languages()); err != nil {
		t.Skipf("not checked: executables handed in: %v", err)
	}
	play(t, hostOf(b), mustBuild(t, b, s), limits.Limits{})
}
