package build

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/sandbox"
)

// TestJavaPrograms builds and runs the sources of testdata/java, each a file or a folder that
// prints ok. The text before the first of an archive is
//
//	why:   what is odd about it
//	since: the version of Java that it needs, if that is a late one
//	says:  a part of the compile error that it earns instead
func TestJavaPrograms(t *testing.T) {
	t.Parallel()
	archives, err := filepath.Glob("testdata/java/*.txtar")
	if err != nil || len(archives) < 40 {
		t.Fatalf("%d programs, %v", len(archives), err)
	}
	b := newBuilder(t, Options{})
	needsLanguage(t, b, "java")
	if testing.Short() {
		t.Log("not checked: nine of ten programs (-short)")
	}
	newest := newestJava(t, b)
	for i, archive := range archives {
		if testing.Short() && i%10 != 0 {
			continue
		}
		t.Run(strings.TrimSuffix(filepath.Base(archive), ".txtar"), func(t *testing.T) {
			t.Parallel()
			a, err := txtar.ParseFile(archive)
			if err != nil {
				t.Fatal(err)
			}
			header := map[string]string{}
			for line := range strings.Lines(string(a.Comment)) {
				key, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
				header[key] = value
			}
			b := b
			if since, _ := strconv.Atoi(header["since"]); since > javaVersion(t, b) {
				if b = newest; since > javaVersion(t, b) {
					t.Skipf("not checked: it needs Java %d", since)
				}
			}
			files, name := map[string]string{}, ""
			for _, f := range a.Files {
				files[f.Name] = string(f.Data)
				if len(a.Files) == 1 {
					name = f.Name
				}
			}
			p, err := b.Build(t.Context(), mustOpen(t, b, name, files))
			if says := header["says"]; says != "" {
				compile := (*CompileError)(nil)
				if !errors.As(err, &compile) || !strings.Contains(compile.Output, says) || strings.Contains(compile.Output, b.options.Cache.Dir()) {
					t.Errorf("%s: got %v, want a compile error with %q", header["why"], err, says)
				}
				return
			}
			if err != nil {
				t.Fatalf("%s: %v", header["why"], err)
			}
			defer p.Close()
			if got := play(t, b.options.Host, p, limits.Limits{}); got != "ok\n" {
				t.Errorf("%s: it prints %q", header["why"], got)
			}
		})
	}
}

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
		other := newBuilder(t, Options{Languages: map[string]Language{"java": l}, Host: b.options.Host})
		if javaVersion(t, other) > javaVersion(t, newest) {
			newest = other
		}
	}
	return newest
}

// FuzzReadJava wants any text to be read to its end, and what a text says of itself to
// withstand what stands around it.
func FuzzReadJava(f *testing.F) {
	archives, _ := filepath.Glob("testdata/java/*.txtar")
	for _, archive := range archives {
		a, err := txtar.ParseFile(archive)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range a.Files {
			f.Add(file.Data)
		}
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		java := readJava(text)
		for _, kind := range java.types {
			if kind.name == "" || strings.ContainsAny(kind.name, "./ \n\"{(") {
				t.Errorf("a class is called %q", kind.name)
			}
		}
		// A text that is quoted, or that is a comment, says nothing.
		quoted := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\r", `\r`).Replace(string(text))
		comment := strings.NewReplacer(`*/`, `* /`, `\`, ` `).Replace(string(text))
		around := `class A { String s = "` + quoted + `"; /*` + comment + "*/ /**/ }\npublic class B { }"
		if got := readJava([]byte(around)); len(got.types) != 2 || got.public() != "B" || got.loose || got.pack != "" {
			t.Errorf("within %q: got %+v", around, got)
		}
	})
}

// FuzzReadClass wants any file to be read or refused. The seeds are what javac 17 made of
//
//	package p;
//	public class Outer extends Thread {
//		long big = 1L << 40; double d = 2.5; String s = "é";
//		public static void main(String[] args) { Runnable r = () -> System.out.println(args.length); r.run(); }
//		static class Inner { void main() { } }
//	}
func FuzzReadClass(f *testing.F) {
	for _, want := range []class{
		{name: "p.Outer", super: "java.lang.Thread", source: "Outer.java", version: 61, starts: always, gives: always},
		{name: "p.Outer$Inner", super: "java.lang.Object", source: "Outer.java", version: 61, nested: true, starts: lately, gives: lately},
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

// TestJavaRecursion wants endless recursion to be what a programmer of Java takes it for
// under every usual memory limit, however that is enforced, with small frames and large ones
// and in a thread, and a deep one to work.
func TestJavaRecursion(t *testing.T) {
	t.Parallel()
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
	modes := map[sandbox.Mode][]limits.Bytes{b.options.Host.Mechanisms().Mode: {64, 128, 256}}
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
					cmd := p.Command(box, l, kind)
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
