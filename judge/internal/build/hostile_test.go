package build

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"tribunal/internal/tier"
	"tribunal/judge/internal/cache/cachetest"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/system"
)

// expected is text that no compiler and no program may ever print. It is in a case file and in the
// judge's environment.
const expected = "the-expected-output"

// hostile is a submission that attacks its compiler. The header of each program in testdata/hostile
// states the expected result:
//
//	verdict: CE or AC
//	why:     what the submission tries
//	says:    a text that the compiler's message must contain, or alternatives separated
//	         by |; for AC, that the program's output must contain. If one contains "CPU
//	         time", the time limit is short, because the compiler may use all of it
//	never:   a text that neither the message nor the output may contain
//
// In the programs, the path of a test case file replaces @CASES@.
type hostile struct {
	name, verdict, why string
	says, never        []string
	path               string // path of the submission
	extension          string // of its main file
}

// small limits the compilations of these tests; hasty are the CPU time limits of those that would not end, of
// which the first counts in which the compiler can compile a correct program on this host.
var (
	small = Options{Memory: 512 * limits.MiB, Output: 16 * limits.KiB}
	hasty = []time.Duration{300 * time.Millisecond, time.Second, 4 * time.Second, 16 * time.Second}
)

// readHostile copies the corpus to a new folder, where it replaces @CASES@, and returns its
// submissions.
func readHostile(t *testing.T, cases string) []hostile {
	t.Helper()
	const corpus = "testdata/hostile"
	root := t.TempDir()
	err := filepath.WalkDir(corpus, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(corpus, path)
		if err != nil || d.IsDir() {
			return errors.Join(err, os.MkdirAll(filepath.Join(root, rel), 0o755))
		}
		text, err := os.ReadFile(path)
		return errors.Join(err, os.WriteFile(filepath.Join(root, rel), bytes.ReplaceAll(text, []byte("@CASES@"), []byte(cases)), 0o644))
	})
	if err != nil {
		t.Fatal(err)
	}
	if tier.All() {
		// Compile the annotation processor, because a compiler can only run a compiled one.
		cmd := exec.Command("javac", "-proc:none", "Evil.java")
		cmd.Dir = filepath.Join(root, "processor")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Logf("not checked: a compiled annotation processor (%v %s)", err, out)
		}
	}
	entries, err := os.ReadDir(root)
	if err != nil {
		t.Fatal(err)
	}
	var list []hostile
	for _, e := range entries {
		h := hostile{name: e.Name(), path: filepath.Join(root, e.Name())}
		top := h.path
		if e.IsDir() {
			mains, _ := filepath.Glob(filepath.Join(h.path, "[mM]ain.*"))
			if len(mains) != 1 {
				t.Fatalf("%s: %d main files", e.Name(), len(mains))
			}
			top = mains[0]
		}
		h.extension = filepath.Ext(top)
		text, err := os.ReadFile(top)
		if err != nil {
			t.Fatal(err)
		}
		h.parse(t, string(text))
		list = append(list, h)
	}
	return list
}

func (h *hostile) parse(t *testing.T, text string) {
	t.Helper()
	for line := range strings.Lines(text) {
		key, value, ok := strings.Cut(strings.Trim(line, "/#- \n"), ": ")
		switch {
		case key == "verdict":
			h.verdict = value
		case key == "why":
			h.why = value
		case key == "says":
			h.says = append(h.says, value)
		case key == "never":
			h.never = append(h.never, value)
		case strings.TrimSpace(line) == "" || !ok:
			if h.verdict != "CE" && h.verdict != "AC" || h.why == "" || len(h.says) == 0 {
				t.Fatalf("%s: bad header: %+v", h.name, *h)
			}
			return
		}
	}
}

// generated holds submissions that attack by their size.
var generated = []struct {
	file, verdict, why, says string
	text                     func() string
}{
	{"long-line.c", "AC", "a line of eight megabytes", "ok", func() string {
		return "#include <stdio.h>\nchar text[] = \"" + strings.Repeat("x", 8<<20) + "\";\nint main(void) { puts(sizeof text > 1 << 20 ? \"ok\" : \"short\"); return 0; }\n"
	}},
	{"parentheses.c", "CE", "a million nested parentheses", "memory limit|CPU time|died|compiler error|nesting", func() string {
		return "int main(void) { return " + strings.Repeat("(", 1<<20) + "0" + strings.Repeat(")", 1<<20) + "; }\n"
	}},
	{"sum.c", "CE", "a sum of four million terms", "memory limit|CPU time|died|compiler error", func() string {
		return "int f(int x) { return x" + strings.Repeat("+f(x)", 1<<21) + "; }\nint main(void) { return f(1); }\n"
	}},
	{"large.c", "AC", "ten megabytes of comments", "ok", func() string {
		return "#include <stdio.h>\n" + strings.Repeat("/* "+strings.Repeat("x", 70)+" */\n", 10<<20/77) + "int main(void) { puts(\"ok\"); return 0; }\n"
	}},
	{"zeros.c", "AC", "NUL bytes between the words", "ok", func() string {
		return "#include <stdio.h>\nint main(void) {\x00\x00 puts(\"ok\"); return\x00 0; }\n"
	}},
	{"warnings.c", "CE", "warnings without end", "the compiler wrote more than 64MiB of messages|CPU time|memory limit", func() string {
		return strings.Repeat("#warning "+strings.Repeat("x", 1000)+"\n", 15<<10) + strings.Repeat("#warning\n", 1<<16) + "int main(void) { return 0; }\n"
	}},
	{"nested.go", "CE", "a million nested parentheses", "memory limit|CPU time|nesting|stack|exceeds", func() string {
		return "package main\n\nfunc main() { _ = " + strings.Repeat("(", 1<<20) + "0" + strings.Repeat(")", 1<<20) + " }\n"
	}},
	{"zeros.go", "CE", "NUL bytes between the words", "NUL", func() string {
		return "package main\n\nfunc main() {\x00 println(1)\x00 }\n"
	}},
	{"string.java", "CE", "a text of a megabyte", "constant string too long", func() string {
		return "public class Main { public static void main(String[] a) { System.out.println(\"" + strings.Repeat("x", 1<<20) + "\"); } }\n"
	}},
	{"nested.java", "CE", "a hundred thousand nested parentheses", "StackOverflowError|memory limit|CPU time", func() string {
		return "public class Main { public static void main(String[] a) { int x = " + strings.Repeat("(", 100_000) + "0" + strings.Repeat(")", 100_000) + "; } }\n"
	}},
	{"nested.py", "CE", "a hundred thousand nested parentheses", "too many nested parentheses|MemoryError|memory limit", func() string {
		return "x = " + strings.Repeat("(\n", 100_000) + "0" + strings.Repeat(")", 100_000) + "\n"
	}},
	{"zeros.py", "CE", "NUL bytes between the words", "null bytes", func() string { return "print(1)\x00\n" }},
	{"nested.rs", "CE", "a hundred thousand nested parentheses", "died|memory limit|CPU time|SIGSEGV|overflow", func() string {
		return "fn main() { let _x = " + strings.Repeat("(", 100_000) + "0" + strings.Repeat(")", 100_000) + "; }\n"
	}},
	{"nested.js", "CE", "a million nested parentheses", "RangeError|memory limit|died", func() string {
		return "x = " + strings.Repeat("(", 1<<20) + "0" + strings.Repeat(")", 1<<20) + ";\n"
	}},
	{"large.js", "AC", "ten megabytes of text", "ok", func() string {
		return "const text = '" + strings.Repeat("x", 10<<20) + "';\nconsole.log(text.length > 1e6 ? 'ok' : 'short');\n"
	}},
}

// TestHostileSources builds sources that attack the compiler, or use it to read files that a
// contestant must not see, those that take long only in T3. Innocent programs must be built the same way
// before and after.
func TestHostileSources(t *testing.T) {
	tier.T2(t, "hostile sources")
	t.Setenv("TRIBUNAL_SECRET", expected)
	host := newHost(t)
	if host.Mechanisms().Mode != sandbox.Container {
		t.Skip("not checked: hostile sources (no containers here)")
	}
	needsLibrary(t, "hostile sources")
	cases := filepath.Join(write(t, "repository", map[string]string{"cases/sum/secret.yaml": "output: " + expected + "\n"}), "cases/sum/secret.yaml")
	list := readHostile(t, cases)
	for _, g := range generated {
		h := hostile{name: g.file, extension: filepath.Ext(g.file), verdict: g.verdict, why: g.why, says: []string{g.says}}
		if tier.All() || !h.isDear() {
			h.path = filepath.Join(write(t, "generated", map[string]string{g.file: g.text()}), g.file)
		}
		list = append(list, h)
	}
	o := small
	o.Runner = runnerOn(host)
	before := buildInnocent(t, o, cachetest.Dir(t))
	o.Cache = cachetest.Own(t)
	b := newBuilder(t, o)
	var short []*Builder
	for _, o.Timeout = range hasty {
		short = append(short, newBuilder(t, o))
	}
	packages := digests(t, filepath.Join(b.options.Cache.Dir(), "go-build"))
	t.Run("corpus", func(t *testing.T) {
		for _, h := range list {
			t.Run(h.name, func(t *testing.T) {
				if h.isDear() {
					tier.T3(t, "hostile sources whose compilers take long")
				}
				t.Parallel()
				if h.mayTakeTime() {
					h.check(t, short...)
				} else {
					h.check(t, b)
				}
			})
		}
	})
	if left, err := os.ReadDir(filepath.Join(b.options.Cache.Dir(), "making")); len(left) > 0 || err != nil {
		t.Errorf("left behind: %v, %v", left, err)
	}
	after := digests(t, filepath.Join(b.options.Cache.Dir(), "go-build"))
	for name, digest := range packages {
		list := strings.HasPrefix(name, "tribunal-") // written anew by the judge if a permission has changed
		if after[name] != digest && !list {
			t.Errorf("the compiled package %s was changed", name)
		}
	}
	for file, tree := range buildInnocent(t, o, b.options.Cache.Dir()) {
		for name, digest := range tree {
			if before[file][name] != digest {
				t.Errorf("%s: after hostile builds, %s is another file", file, name)
			}
		}
		if len(tree) != len(before[file]) {
			t.Errorf("%s: after hostile builds there are %d files, before there were %d", file, len(tree), len(before[file]))
		}
	}
}

// needsLibrary skips a test that copies the compiled standard library where there is no room for that.
func needsLibrary(t *testing.T, what string) {
	t.Helper()
	if free, err := system.Free(os.TempDir()); err != nil || free < 160<<20 {
		t.Skipf("not checked: %s (%s has room for %v, and a copy of the compiled standard library takes more: %v)", what, os.TempDir(), limits.Bytes(free).Human(), err)
	}
}

// mayTakeTime reports whether the compiler may exceed its CPU time limit.
func (h *hostile) mayTakeTime() bool {
	return slices.ContainsFunc(h.says, func(text string) bool { return strings.Contains(text, "CPU time") })
}

// isDear reports whether compiling the submission takes so long that only the tests of T3 do it: it is in a
// language with a slow compiler, or uses up much of what its compiler may use. Of the latter, two remain.
func (h *hostile) isDear() bool {
	if h.mayTakeTime() {
		return !slices.Contains([]string{"macro-bomb.c", "include-zero.c"}, h.name)
	}
	dear := []string{"array-huge.go", "array.go", "error-flood.c", "zeros.go"}
	return slices.Contains(dear, h.name) || !slices.Contains([]string{".c", ".go", ".py"}, h.extension)
}

// check builds the submission with the first builder that can build a correct program.
func (h *hostile) check(t *testing.T, builders ...*Builder) {
	s, err := Open(h.path, "", builders[0].Languages())
	if err != nil {
		t.Fatal(err)
	}
	needsLanguage(t, builders[0], s.Language)
	var b *Builder
	var p *Program
	for _, b = range builders {
		p, err = b.Build(t.Context(), s)
		if _, broken := errors.AsType[*MissingError](err); !broken {
			break
		}
	}
	var compile *CompileError
	var text, verdict string
	switch {
	case err == nil:
		defer p.Close()
		verdict, text = "AC", output(t, hostOf(b), p, limits.Limits{})
	case errors.As(err, &compile):
		verdict, text = "CE", compile.Output
		if len(text) > int(small.Output)+1000 {
			t.Errorf("%s: the message has %d bytes", h.why, len(text))
		}
	default:
		t.Fatalf("%s: %v", h.why, err)
	}
	if verdict != h.verdict {
		t.Errorf("%s: got %s, want %s: %.2000s", h.why, verdict, h.verdict, text)
	}
	for _, want := range h.says {
		if !slices.ContainsFunc(strings.Split(want, "|"), func(part string) bool { return strings.Contains(text, part) }) {
			t.Errorf("%s: got %.2000q, want %q", h.why, text, want)
		}
	}
	for _, never := range append(h.never, expected) {
		if strings.Contains(text, never) {
			t.Errorf("%s: the text contains %q: %.2000s", h.why, never, text)
		}
	}
}

// buildInnocent builds a program in every language, in a new cache that shares Go's compiled
// packages with the cache folder shared. It returns the hashes of the stored files, by source and
// path.
func buildInnocent(t *testing.T, o Options, shared string) map[string]map[string]string {
	t.Helper()
	o.Cache = newCache(t)
	o.Timeout = time.Minute // enough on a busy machine
	packages := filepath.Join(shared, "go-build")
	if err := errors.Join(os.MkdirAll(packages, 0o755), os.Symlink(packages, filepath.Join(o.Cache.Dir(), "go-build"))); err != nil {
		t.Fatal(err)
	}
	b := newBuilder(t, o)
	built := map[string]map[string]string{}
	for file, text := range lookers {
		if !tier.All() && !slices.Contains([]string{".c", ".go", ".py"}, filepath.Ext(file)) {
			continue
		}
		s := mustOpen(t, b, file, map[string]string{file: strings.ReplaceAll(text, "PATHS", `"/etc/passwd"`)})
		if _, err := b.resolve(t.Context(), s.Language); errors.As(err, new(*MissingError)) {
			continue // the tests of the corpus log that the language is missing
		}
		built[file] = digests(t, mustBuild(t, b, s).entry.Path("."))
	}
	return built
}
