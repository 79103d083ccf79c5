package build

import (
	"errors"
	"testing"

	"tribunal/judge/internal/limits"
)

// TestOptions compiles with options of a submission.
func TestOptions(t *testing.T) {
	t.Parallel()
	needs(t, "gcc")
	b := newBuilder(t, Options{})
	files := map[string]string{"main.c": "#include <stdio.h>\n#ifndef X\n#define X 1\n#endif\nint main(void) { printf(\"%d\\n\", X); }\n"}
	source := func(options ...string) *Source {
		return mustOpen(t, b, "", files).WithOptions(options, b.Languages())
	}
	plain := mustBuild(t, b, source())
	for _, tt := range []struct {
		why     string
		options []string
		want    string
	}{
		{"a macro with blanks", []string{"-DX=2 + 3", "-O3", "-Wall", "-std=c11"}, "5\n"},
		{"the last counts", []string{"-DX=2", "-UX", "-DX=7"}, "7\n"},
	} {
		p := mustBuild(t, b, source(tt.options...))
		if got := output(t, hostOf(b), p, limits.Limits{}); got != tt.want || p.Cached || p.Key == plain.Key {
			t.Errorf("%s: %q, want %q; %+v", tt.why, got, tt.want, p)
		}
	}
	for _, option := range []string{
		"@/etc/passwd", "-fplugin=/tmp/x.so", "-specs=x", "--specs=x", "-B.", "-wrapper", "-I/etc", "-include", "-include/etc/passwd", "-imacros", "-L/", "-lx", "-x",
		"-o", "-o/x", "-Wl,-rpath,/", "-Wa,--x", "-Wp,-x", "-Xlinker", "-T", "-iquote/", "--sysroot=/", "-dumpdir", "-save-temps", "-fdump-tree-all", "main.c", "-DX\n-I/", "-", "",
		"-march=native", "-fprofile-use=/x", "-flto", "-MD", "-E", "-S", "-c", "-###", "-Wno-error=/x", "-std=c11 -I/",
	} {
		_, err := b.Build(t.Context(), source("-O2", option))
		if _, refused := errors.AsType[*CompileError](err); !refused {
			t.Errorf("%q was not refused: %v", option, err)
		}
	}
	// A correct program does not link with this option, and yet the compiler is not to blame.
	for range 2 {
		_, err := b.Build(t.Context(), source("-Dmain=x"))
		if _, refused := errors.AsType[*CompileError](err); !refused {
			t.Errorf("an option that breaks every program: %v", err)
		}
	}
	mustBuild(t, b, source("-O0"))
}

// TestOptionsOfOthers compiles in the other languages that have options.
func TestOptionsOfOthers(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		tool, name, code string
		options          []string
		want             string
	}{
		{"g++", "a.cpp", "#include <iostream>\nint main() { std::cout << X << ' ' << (__cplusplus == 201703L) << '\\n'; }\n", []string{"-std=c++17", "-Ofast", "-DX=3", "-fno-rtti"}, "3 1\n"},
		{"javac", "Main.java", "public class Main { public static void main(String[] a) { System.out.println(3); } }\n", []string{"-Xlint:all", "-parameters"}, "3\n"},
		{"rustc", "a.rs", "fn main() { println!(\"{}\", cfg!(debug_assertions)); }\n", []string{"-Cdebug-assertions=yes", "-Aunused"}, "true\n"},
	} {
		t.Run(tt.tool, func(t *testing.T) {
			t.Parallel()
			needs(t, tt.tool)
			b := newBuilder(t, Options{})
			p := mustBuild(t, b, mustOpen(t, b, tt.name, map[string]string{tt.name: tt.code}).WithOptions(tt.options, b.Languages()))
			if got := output(t, hostOf(b), p, limits.Limits{}); got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}
