package build

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tribunal/internal/tier"
	"tribunal/judge/internal/cache"
)

var headerSources = flag.String("sources", "", "folder with programs in C++ for TestHeader")

func TestPrecompilable(t *testing.T) {
	t.Parallel()
	const all = "#include <bits/stdc++.h>\n"
	for _, tt := range []struct {
		why   string
		files map[string]string
		want  bool // that it gets the header that its first line names
	}{
		{"the first line", map[string]string{"a.cpp": all}, true},
		{"another header", map[string]string{"a.cpp": "#include <iostream>\n" + all}, true},
		{"a header without a form", map[string]string{"a.cpp": "#include <vector>\n" + all}, false},
		{"behind comments", map[string]string{"a.cpp": "// a\r\n\t/* b * / ** c\n **/ # include <bits/stdc++.h> // d\r\n"}, true},
		{"further includes, of extensions of GNU", map[string]string{"a.cpp": all + "#include <ext/pb_ds/assoc_container.hpp>\nusing namespace __gnu_pbds;\n"}, true},
		{"pragmas and macros behind it", map[string]string{"a.cpp": all + "#pragma GCC optimize(\"O3\")\n#define int \\\n long long\n"}, true},
		{"data beside it", map[string]string{"a.cpp": all, "in.txt": "1"}, true},
		{"a macro before it", map[string]string{"a.cpp": "#define NDEBUG\n" + all}, false},
		{"a pragma before it", map[string]string{"a.cpp": "#pragma GCC target(\"avx2\")\n" + all}, false},
		{"another include before it", map[string]string{"a.cpp": "#include <cstdio>\n" + all}, false},
		{"a comment that a joined line ends", map[string]string{"a.cpp": "/* *\\\n/ int x; /* */" + all}, false},
		{"a macro between two comments", map[string]string{"a.cpp": "/* */ int x; /* */" + all}, false},
		{"a comment that goes on", map[string]string{"a.cpp": "// \\\n" + all}, false},
		{"in a comment", map[string]string{"a.cpp": "/* " + all + " */"}, false},
		{"a mark of its encoding", map[string]string{"a.cpp": "\uFEFF" + all}, false},
		{"an include of two lines", map[string]string{"a.cpp": "#include \\\n<bits/stdc++.h>\n"}, false},
		{"an include with digraphs", map[string]string{"a.cpp": "%:include <bits/stdc++.h>\n"}, false},
		{"no end of the line", map[string]string{"a.cpp": strings.TrimSpace(all) + " int x;\n"}, false},
		{"in quotes, which searches the folder first", map[string]string{"a.cpp": "#include \"bits/stdc++.h\"\n"}, false},
		{"two sources", map[string]string{"a.cpp": all + "int main() {}\n", "b.cpp": all}, false},
		{"the assembler", map[string]string{"a.cpp": all + "__asm__(\".incbin \\\"/pch\\\"\");\n"}, false},
		{"the assembler, from an attribute", map[string]string{"a.cpp": all + "int x __attribute__((section(\"a\\n.incbin\")));\n"}, false},
		{"the assembler, from an attribute in C++", map[string]string{"a.cpp": all + "[[using gnu: section(\"a\")]] int x;\n"}, false},
		{"a word of two lines", map[string]string{"a.cpp": all + "#if __has_\\ \r\ninclude(<x>)\n#endif\n"}, false},
		{"a word of two parts", map[string]string{"a.cpp": all + "#define J(a, b) a##b\n"}, false},
		{"a word of two lines, with a blank of which GCC knows", map[string]string{"a.cpp": all + "#if __has_\\\x00\ninclude(<x>)\n#endif\n"}, false},
		{"headers in a folder that is searched before the compiler's", map[string]string{"a.cpp": all, "include/assert.h": "#define assert(x)\n"}, false},
		{"headers beside it", map[string]string{"a.cpp": all, "assert.h": "#define assert(x)\n"}, true},
		{"a word in a header", map[string]string{"a.cpp": all + "#include \"h.h\"\n", "h.h": "int x = __COUNTER__;\n"}, false},
		{"C", map[string]string{"a.c": all}, false},
		{"Java", map[string]string{"A.java": "class A { public static void main(String[] a) {} }"}, true},
	} {
		s := mustOpen(t, newBuilder(t, Options{}), "", tt.files)
		if got := s.precompilable(Defaults()[s.Language], &toolchain{Version: "Free Software Foundation"}); (got != "") != tt.want {
			t.Errorf("%s: %q", tt.why, got)
		}
	}
	s := mustOpen(t, newBuilder(t, Options{}), "", map[string]string{"a.cpp": all})
	for change, want := range map[string]bool{"-std=c++11": true, "-flto": true, "-g3": false, "-fsanitize=address": false, "-I.": false, "-isystem.": false, "-Wp,-I.": false, "@flags": false, "--include-directory=.": false, "-include": false, "-DX=1": true, "-Wall": true, "CPATH=.": false} {
		l := Defaults()["cpp"]
		if strings.HasPrefix(change, "-") {
			l.Build = append(l.Build, change)
		} else {
			l.Env = []string{change}
		}
		if got := s.precompilable(l, &toolchain{Version: "Free Software Foundation"}); (got != "") != want {
			t.Errorf("%s: %q", change, got)
		}
	}
}

// TestHeader compiles programs with the compiled header and without, and compares the executables and messages.
func TestHeader(t *testing.T) {
	t.Parallel()
	needs(t, "g++")
	const all, main = "#include <bits/stdc++.h>\n", "\nint main() { std::map<int, std::string> m; m[1] = \"a\"; for (auto& [k, v] : m) std::cout << k << v; }\n"
	// What a macro of a system header puts together, headerSeen does not find.
	reads := func(label string) string {
		return `.macro Limit a:vararg\n.endm\n.macro Max a:vararg\n.ascii \"\\a\"\n.endm\n.data\n.globl ` + label + `\n` + label + `:\n.include \"/proc/self/limits\"\n.byte 0\n.text\n.purgem Limit\n.purgem Max\n`
	}
	programs := map[string]string{
		"another header":            "#include <iostream>\n#include <map>\n#include <string>\n" + "#pragma GCC optimize(\"O3,unroll-loops\")\n#pragma GCC target(\"avx2\")\n#define int long long\n#undef int" + main,
		"a compile error":           all + "int main() { std::vector<int> v; v.push(1); std::set<int> s = v }\n",
		"an error of the assembler": all + "int __REDIRECT(f, (), h; .pushsection .rodata; .incbin \"/\\160ch/bits/stdc++.h.\\147ch\"; .popsection #);\nextern \"C\" int h() { return 1; }\nint main() { return f(); }\n",
		"the assembler":             all + "__CONCAT(__as,m__)(\"" + reads("g") + "\");\n#ident \"\\\"\\n" + reads("i") + ".ident \\\"x\"\nextern \"C\" const char g[], i[];\nint main() { puts(g); puts(i); }\n",
		"itself":                    all + "#ifndef TWICE\n#define TWICE\n#include __FILE__\n#else" + main + "#endif\n",
		"names, macros and numbers": all + "#define NDEBUG\n#include <cassert>\n#include <ext/pb_ds/assoc_container.hpp>\n__gnu_pbds::gp_hash_table<int, int> h;\n" +
			"int count = __CONCAT(__COUN,TER__), line = __LINE__;\n#line 7 \"b.cpp\"\n# 9 \"c.cpp\" 1\nconst char* s[] = {__FILE__, __BASE_FILE__, __VERSION__, R\"(\n#include <x>\n)\"};\n" +
			"#define FORM <bits/stdc++.h.__CONCAT(g,ch)>\n#if __CONCAT(__has_inc,lude)(FORM)\nint form;\n#endif" + main,
	}
	if tier.All() {
		examples, err := filepath.Glob("../../../reference/*/submissions/*/*.cpp")
		if err != nil || len(examples) == 0 {
			t.Fatal("no examples", err)
		}
		for _, file := range examples {
			programs[file] = all + string(mustRead(t, file))
		}
	}
	if *headerSources != "" {
		files, err := filepath.Glob(filepath.Join(*headerSources, "*"))
		if err != nil || len(files) == 0 {
			t.Fatal("no sources", err)
		}
		for _, file := range files {
			programs[file] = string(mustRead(t, file))
		}
	}
	plain, fast := newBuilder(t, Options{Cache: newCache(t)}), newBuilder(t, Options{Cache: newCache(t)})
	plain.headers.Lock() // makes none
	open := func(b *Builder, text string) *Source { return mustOpen(t, b, "", map[string]string{"a.cpp": text}) }
	source := open(fast, all)
	l := Defaults()["cpp"]
	tools, err := fast.resolve(t.Context(), "cpp")
	if err != nil {
		t.Fatal(err)
	}
	header := func() *cache.Entry {
		entry := fast.header(t.Context(), source, l, tools)
		if entry != nil {
			t.Cleanup(func() { entry.Close() })
		}
		return entry
	}
	if header() != nil {
		t.Error("a header for the first program")
	}
	made := header()
	if made == nil {
		t.Fatal("no header for the second program")
	}
	source.terms.limits.Memory = 2*headerSaves - 1
	if header() != nil {
		t.Error("a header where a program might compile only with it")
	}
	source.terms.limits.Memory = 0

	tells := l // of each header that it reads, with ! before a compiled one
	tells.Build = append(slices.Clone(l.Build), "-H")
	var refused *CompileError
	if err := fast.compileOnce(t.Context(), open(fast, all+"int main() { x }"), tells, tools, t.TempDir(), made); !errors.As(err, &refused) || !strings.Contains(refused.Output, "bits/stdc++.h.gch") || !strings.HasPrefix(refused.Output, "! ") {
		t.Errorf("the compiler does not read the compiled header: %v", err)
	}
	same := 0
	for why, text := range programs {
		if open(fast, text).precompilable(l, tools) != "" {
			same++
		} else if _, err := os.Stat(why); err != nil {
			t.Errorf("%s: gets no compiled header", why)
		}
		a, errA := plain.Build(t.Context(), open(plain, text))
		b, errB := fast.Build(t.Context(), open(fast, text))
		if form := fast.header(t.Context(), open(fast, text), l, tools); form != nil && !strings.HasSuffix(why, ".cpp") {
			err := fast.compileOnce(t.Context(), open(fast, text), l, tools, t.TempDir(), form)
			if (errA != nil) != strings.Contains(why, "error") || (err != nil) != (errA != nil || why == "itself") {
				t.Errorf("%s: %v, with the header %v", why, errA, err)
			}
			form.Close()
		}
		if errA != nil || errB != nil {
			if fmt.Sprint(errA) != fmt.Sprint(errB) {
				t.Errorf("%s: %v\nwith the header: %v", why, errA, errB)
			}
			continue
		}
		if x, y := a.entry.Sum(exeName), b.entry.Sum(exeName); x != y {
			t.Errorf("%s: the executables differ: %x %x", why, x, y)
		}
		if err := errors.Join(a.Close(), b.Close()); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d of %d programs get the compiled header", same, len(programs))

	name := made.Names()[0]
	file := made.Path(name)
	if err := os.WriteFile(file, []byte("poisoned"), 0o644); err != nil {
		t.Fatal(err)
	}
	again := header()
	if again == nil {
		t.Fatal("a damaged header is not made again")
	}
	if text, err := again.Read(again.Names()[0]); err != nil || string(text) == "poisoned" {
		t.Errorf("a damaged header is used: %v", err)
	}
	if damage := fast.options.Cache.Damaged(); len(damage) != 1 {
		t.Errorf("the cache reports the damage %q", damage)
	}
	stale := made.Path(headerStamps)
	text, err := os.ReadFile(stale)
	if err != nil || !bytes.Contains(text, []byte("/bits/stdc++.h\n")) || !sameHeaders(made) {
		t.Errorf("the headers of which it was made are %s, %v", text, err)
	}
}

// TestArchive compiles programs in Java with the archive of javac's classes and without, and compares the classes.
func TestArchive(t *testing.T) {
	t.Parallel()
	needs(t, "javac")
	plain, fast := newBuilder(t, Options{Cache: newCache(t)}), newBuilder(t, Options{Cache: newCache(t)})
	plain.headers.Lock() // makes none
	open := func(b *Builder, text string) *Source { return mustOpen(t, b, "", map[string]string{"A.java": text}) }
	l := Defaults()["java"]
	tools, err := fast.resolve(t.Context(), "java")
	if err != nil {
		t.Fatal(err)
	}
	source := open(fast, "class A {}")
	if fast.header(t.Context(), source, l, tools) != nil {
		t.Error("an archive for the first program")
	}
	made := fast.header(t.Context(), source, l, tools)
	if made == nil {
		t.Skipf("not compared: this Java makes no archive: %s", tools.Version)
	}
	defer made.Close()
	tells := l // where each class comes from
	tells.Build = append(slices.Clone(l.Build), "-J-Xlog:class+load")
	var refused *CompileError
	if err := fast.compileOnce(t.Context(), open(fast, "class A { x }"), tells, tools, t.TempDir(), made); !errors.As(err, &refused) || !strings.Contains(refused.Output, "shared objects file (top)") {
		t.Errorf("javac does not read the archive: %v", err)
	}
	for why, text := range map[string]string{
		"an error":        "class A { int x = y; }",
		"two classes":     "import java.util.function.*; public class A { static class B<T> {} enum C { D } public static void main(String[] a) { Supplier<B<C>> s = B::new; System.out.println(s.get()); } } class E extends A {}",
		"another name":    "public class F { public static void main(String[] a) { System.out.println(\"F\"); } }",
		"a bad character": "class A { // \xff\n}",
	} {
		a, errA := plain.Build(t.Context(), open(plain, text))
		b, errB := fast.Build(t.Context(), open(fast, text))
		if errA != nil || errB != nil {
			if fmt.Sprint(errA) != fmt.Sprint(errB) {
				t.Errorf("%s: %v\nwith the archive: %v", why, errA, errB)
			}
			continue
		}
		for _, name := range a.entry.Names() {
			if a.entry.Sum(name) != b.entry.Sum(name) {
				t.Errorf("%s: %s differs", why, name)
			}
		}
		if !slices.Equal(a.entry.Names(), b.entry.Names()) || errors.Join(a.Close(), b.Close()) != nil {
			t.Errorf("%s: %q, with the archive %q", why, a.entry.Names(), b.entry.Names())
		}
	}
}

// TestHeaderStamps checks that headers that change make the compiled form useless.
func TestHeaderStamps(t *testing.T) {
	t.Parallel()
	c, dir := newCache(t), t.TempDir()
	file := filepath.Join(dir, "a.h")
	if err := os.WriteFile(file, []byte("int x;"), 0o644); err != nil {
		t.Fatal(err)
	}
	rule := "program: everything.h \\\n " + file + " " + filepath.Join(dir, "b.h") + "\n"
	e, err := c.Put(cache.NewHasher("x").Key(), func(to string) error {
		return os.WriteFile(filepath.Join(to, headerStamps), []byte(stampHeaders(rule)), 0o600)
	})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	if !sameHeaders(e) {
		t.Error("nothing has changed, but the headers are not the same")
	}
	if err := os.WriteFile(filepath.Join(dir, "b.h"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if sameHeaders(e) {
		t.Error("a header is new, but the headers are the same")
	}
}

// BenchmarkHeader measures the compilation of a short program with the compiled header. The floor, measured right after
// it, compiles the same program without. compile-s and floor-s are medians over the iterations, ratio is the median of
// the one divided by the other.
func BenchmarkHeader(b *testing.B) {
	needs(b, "g++")
	fast, plain := newBuilder(b, Options{Cache: newCache(b)}), newBuilder(b, Options{Cache: newCache(b)})
	plain.headers.Lock() // makes none
	n := 0
	build := func(by *Builder) float64 {
		n++
		text := fmt.Sprintf("#include <bits/stdc++.h>\nint main() { std::map<int, int> m; m[%d]++; for (auto [k, v] : m) std::cout << k << v; }\n", n)
		return mustBuild(b, by, mustOpen(b, by, "", map[string]string{"a.cpp": text})).Time.Seconds()
	}
	build(fast)
	build(fast) // makes the header
	var with, without, ratios []float64
	for b.Loop() {
		x, y := build(fast), build(plain)
		with, without, ratios = append(with, x), append(without, y), append(ratios, x/y)
	}
	median := func(list []float64) float64 { slices.Sort(list); return list[len(list)/2] }
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(median(with), "compile-s")
	b.ReportMetric(median(without), "floor-s")
	b.ReportMetric(median(ratios), "ratio")
}

func mustRead(t *testing.T, file string) []byte {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return text
}
