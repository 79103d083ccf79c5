package build

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"tribunal/internal/tier"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/sandbox"
)

// javaProgram is a file or folder in an archive of testdata/java. It must print ok. The comment of
// the archive has the lines
//
//	why:   what is odd about the program
//	since: the first version of Java that accepts it, if that is a late one
//	says:  a part of the compile error that is expected instead
type javaProgram struct {
	name, why, says string
	since           int
	source          *Source
}

// javaPrograms reads the programs of testdata/java.
func javaPrograms(t *testing.T, b *Builder) (list []javaProgram) {
	t.Helper()
	archives, err := filepath.Glob("testdata/java/*.txtar")
	if err != nil || len(archives) < 40 {
		t.Fatalf("%d programs, %v", len(archives), err)
	}
	for _, archive := range archives {
		a, err := txtar.ParseFile(archive)
		if err != nil {
			t.Fatal(err)
		}
		header := map[string]string{}
		for line := range strings.Lines(string(a.Comment)) {
			key, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
			header[key] = value
		}
		files, name := map[string]string{}, ""
		for _, f := range a.Files {
			files[f.Name] = string(f.Data)
			if len(a.Files) == 1 {
				name = f.Name
			}
		}
		p := javaProgram{name: strings.TrimSuffix(filepath.Base(archive), ".txtar"), why: header["why"], says: header["says"]}
		p.since, _ = strconv.Atoi(header["since"])
		p.source = mustOpen(t, b, name, files)
		list = append(list, p)
	}
	return list
}

// TestJavaPrograms builds and runs the programs of testdata/java, which test the names of files and
// the class to start. To save time, one process compiles most of them in advance.
func TestJavaPrograms(t *testing.T) {
	t.Parallel()
	tier.T2(t, "programs in Java")
	b := newBuilder(t, Options{})
	needsLanguage(t, b, "java")
	list := javaPrograms(t, b)
	if !tier.All() {
		t.Logf("not checked: all but two programs (%s=all checks them)", tier.Variable)
		list = slices.DeleteFunc(list, func(p javaProgram) bool { return !slices.Contains([]string{"compact-named", "dashes"}, p.name) })
	}
	newest := newestJava(t, b)
	if tier.All() {
		compileAhead(t, b, list)
	}
	for _, program := range list {
		t.Run(program.name, func(t *testing.T) {
			t.Parallel()
			b := b
			if program.since > javaVersion(t, b) {
				if b = newest; program.since > javaVersion(t, b) {
					t.Skipf("not checked: it needs Java %d", program.since)
				}
			}
			p, err := b.Build(t.Context(), program.source)
			if program.says != "" {
				said := ""
				if compile, ok := errors.AsType[*CompileError](err); ok {
					said = compile.Output
				} else if unclear, ok := errors.AsType[*UnclearError](err); ok {
					said = unclear.Error()
				}
				if !strings.Contains(said, program.says) || strings.Contains(said, b.options.Cache.Dir()) {
					t.Errorf("%s: got %v, want an error of the program with %q", program.why, err, program.says)
				}
				return
			}
			if err != nil {
				t.Fatalf("%s: %v", program.why, err)
			}
			defer p.Close()
			if got := output(t, hostOf(b), p, limits.Limits{}); got != "ok\n" {
				t.Errorf("%s: output %q", program.why, got)
			}
		})
	}
}

// compileAhead compiles programs in one process and stores them in the cache of a builder. It
// leaves programs that the compiler rejects to the builder, and also those with odd file names,
// which test how the builder calls the compiler.
func compileAhead(t *testing.T, b *Builder, list []javaProgram) {
	t.Helper()
	l := b.language("java")
	byFolder := map[string]*Source{}
	var input strings.Builder
	for _, p := range list {
		sources := p.source.inOrder(l)
		if slices.ContainsFunc(sources, func(file string) bool { return !plainName.MatchString(file) }) {
			continue
		}
		dir := t.TempDir()
		if err := p.source.write(dir); err != nil {
			t.Fatal(err)
		}
		byFolder[dir] = p.source
		fmt.Fprintln(&input, strings.Join(append([]string{dir}, sources...), "\t"))
	}
	cmd := exec.Command("java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "testdata/compiler/Compile.java")
	cmd.Stdin, cmd.Stderr = strings.NewReader(input.String()), os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	compiled := strings.Fields(string(out))
	if len(compiled) < len(list)/2 {
		t.Fatalf("%d of %d programs compile", len(compiled), len(list))
	}
	for _, dir := range compiled {
		s := byFolder[dir]
		if s.writeClass(l, dir) != nil {
			continue
		}
		key, err := b.Key(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		e, err := b.options.Cache.Put(key, func(to string) error {
			// What the owner may read, the jail's account may read.
			readable := func(mode fs.FileMode) fs.FileMode { return mode | mode>>3&0o050 | mode>>6&0o005 }
			return errors.Join(os.CopyFS(to, os.DirFS(dir)), chmodAll(to, readable))
		})
		if err != nil {
			t.Fatal(err)
		}
		e.Close()
	}
}

// plainName matches file names without a special meaning for shells, archives and compilers.
var plainName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9/]*\.java$`)

var javaNumber = regexp.MustCompile(`\b(?:1\.)?([0-9]+)`)

// javaVersion returns the version of a builder's Java, such as 17.
func javaVersion(t *testing.T, b *Builder) int {
	t.Helper()
	tools, err := b.Toolchain(t.Context(), "java")
	if err != nil {
		t.Fatal(err)
	}
	version, _ := strconv.Atoi(javaNumber.FindStringSubmatch(tools.Version + " 0")[1])
	return version
}

// newestJava returns a builder for the newest Java that this machine has.
func newestJava(t *testing.T, b *Builder) *Builder {
	t.Helper()
	newest := b
	compilers, _ := filepath.Glob("/usr/lib/jvm/*/bin/javac")
	for _, compiler := range compilers {
		l := b.Languages()["java"]
		l.Build, l.Run, l.Version = slices.Clone(l.Build), slices.Clone(l.Run), slices.Clone(l.Version)
		l.Build[0], l.Version[0], l.Run[0] = compiler, compiler, filepath.Join(filepath.Dir(compiler), "java")
		other := newBuilder(t, Options{Languages: map[string]Language{"java": l}, Runner: b.options.Runner})
		if javaVersion(t, other) > javaVersion(t, newest) {
			newest = other
		}
	}
	return newest
}

// TestReadClass reads class files without members, whose parts the seeds of FuzzReadClass lack.
func TestReadClass(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why, name, want string
		top             bool
		interfaces      uint16
	}{
		{"a class that extends another", "p/A", "p.A", false, 0},
		{"the class that extends no other", "java/lang/Object", "java.lang.Object", true, 0},
		{"interfaces", "A", "A", false, 3},
		{"letters of two and three bytes", "Größe_Ж_数", "Größe_Ж_数", false, 0},
		{"a letter of two halves, each of three bytes", "\xed\xa0\xb5\xed\xb3\x92", "\U0001d4d2", false, 0},
	} {
		u2 := binary.BigEndian.AppendUint16
		data := []byte("\xca\xfe\xba\xbe\x00\x00\x00\x3d\x00\x05")
		for i, name := range []string{tt.name, "p/Base"} { // a text and a class, twice
			data = append(u2(append(data, 1), uint16(len(name))), name...)
			data = u2(append(data, 7), uint16(2*i+1))
		}
		super, want := uint16(4), class{name: tt.want, super: "p.Base", version: 61}
		if tt.top {
			super, want.super = 0, ""
		}
		data = u2(u2(u2(u2(data, accPublic), 2), super), tt.interfaces)
		for range tt.interfaces {
			data = u2(data, 4)
		}
		data = append(data, make([]byte, 6)...) // no fields, methods and attributes
		if got, err := readClass(data); err != nil || got != want {
			t.Errorf("%s: got %+v, %v, want %+v", tt.why, got, err, want)
		}
		if got, err := readClass(data[:len(data)-1]); err != errClassFile {
			t.Errorf("%s, without the last byte: got %+v, %v", tt.why, got, err)
		}
	}
}

// FuzzReadClass checks that readClass never panics. The seeds are the output of javac 17 for
//
//	package p;
//	public class Outer extends Thread {
//		long big = 1L << 40; double d = 2.5; String s = "é";
//		public static void main(String[] args) { Runnable r = () -> System.out.println(args.length); r.run(); }
//		static class Inner { void main() { } }
//	}
func FuzzReadClass(f *testing.F) {
	for _, want := range []class{
		{name: "p.Outer", super: "java.lang.Thread", source: "Outer.java", version: 61, starts: classicMain, gives: classicMain},
		{name: "p.Outer$Inner", super: "java.lang.Object", source: "Outer.java", version: 61, nested: true, starts: instanceMain, gives: instanceMain},
	} {
		data, err := os.ReadFile(filepath.Join("testdata/classes", want.name+".class"))
		if err != nil {
			f.Fatal(err)
		}
		if got, err := readClass(data); err != nil || got != want {
			f.Errorf("got %+v, %v, want %+v", got, err, want)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if c, err := readClass(data); err == nil && c.starts > c.gives {
			t.Errorf("got %+v", c)
		}
	})
}

// TestJavaRecursion checks that endless recursion ends with a StackOverflowError under usual memory
// limits, in every mode of the sandbox, with small and large frames and in a thread. It also checks
// that deep recursion works.
func TestJavaRecursion(t *testing.T) {
	t.Parallel()
	tier.T3(t, "deep recursion in Java")
	b := newBuilder(t, Options{})
	needsLanguage(t, b, "java")
	const text = `class Recursion {
	static int small(int n) { return small(n + 1) + 1; }
	static long large(long a, long b, double c, String s) { long x = a * b; double y = c * x; return large(x, b + 1, y, s) + (long) y + x; }
	static int deep(int n) { return n == 0 ? 0 : deep(n - 1) + 1; }
	public static void main(String[] args) throws Exception {
		switch (args[0]) {
		case "small": System.out.println(small(0)); break;
		case "large": System.out.println(large(1, 2, 3, "x")); break;
		case "thread":
			Thread.UncaughtExceptionHandler end = (thread, why) -> { System.err.println(why); System.exit(1); };
			Thread.setDefaultUncaughtExceptionHandler(end);
			Thread thread = new Thread(() -> small(0));
			thread.start();
			thread.join();
			break;
		default: System.out.println(deep(100000));
		}
	}
}`
	p := mustBuild(t, b, mustOpen(t, b, "a.java", map[string]string{"a.java": text}))
	modes := map[sandbox.Mode][]limits.Bytes{hostOf(b).Mechanisms().Mode: {64, 128, 256}}
	if modes[sandbox.Rlimit] == nil {
		modes[sandbox.Rlimit] = []limits.Bytes{64}
	}
	for mode, sizes := range modes {
		t.Run(string(mode), func(t *testing.T) {
			host, err := sandbox.Open(mode)
			if err != nil {
				t.Fatal(err)
			}
			defer host.Close()
			box, err := host.NewBox(p.Spec())
			if err != nil {
				t.Fatal(err)
			}
			defer box.Close()
			for _, memory := range sizes {
				for _, kind := range []string{"small", "large", "thread", "deep"} {
					l := limits.Limits{CPU: 30 * time.Second, Wall: 5 * time.Minute, Memory: memory * limits.MiB, Output: limits.MiB, Processes: 256}
					var out, errs bytes.Buffer
					cmd, err := p.Command(box, l, kind)
					if err != nil {
						t.Fatal(err)
					}
					cmd.Stdout, cmd.Stderr = &out, &errs
					r, err := box.Run(t.Context(), cmd)
					if kind == "deep" {
						if err != nil || !r.OK(l) || out.String() != "100000\n" {
							t.Errorf("%d MiB, 100,000 calls: %+v, %v, %q %.300s", memory, r, err, out.String(), errs.String())
						}
					} else if err != nil || r.Stop != sandbox.Exited || r.ExitCode != 1 || !strings.Contains(errs.String(), "java.lang.StackOverflowError") {
						t.Errorf("%d MiB, %s: %+v, %v, %.300s", memory, kind, r, err, errs.String())
					}
				}
			}
		})
	}
}
