package build

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"tribunal/internal/tier"
	"tribunal/judge/internal/cache"
	"tribunal/judge/internal/limits"
)

// TestHellos checks that there is one correct program for each language.
func TestHellos(t *testing.T) {
	t.Parallel()
	entries, err := hellos.ReadDir("hello")
	if err != nil {
		t.Fatal(err)
	}
	var have []string
	for _, e := range entries {
		have = append(have, strings.TrimSuffix(e.Name(), ".txt"))
	}
	slices.Sort(have)
	if want := slices.Sorted(maps.Keys(Defaults())); !slices.Equal(have, want) {
		t.Errorf("programs for %v, want %v", have, want)
	}
}

// TestBrokenTools checks that a compiler which rejects even a correct program is reported as
// broken.
func TestBrokenTools(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why, language, compiler string
		broken                  bool
		wantErr                 string
	}{
		{"it rejects every source", "c", "echo reading; echo cc: error: no assembler; exit 1", true, "sh does not compile a correct program: cc: error: no assembler"},
		{"it dies on every source", "c", "kill -9 $$", true, "sh does not compile a correct program: the compiler died: "},
		{"it produces no program", "c", "exit 0", true, "sh does not compile a correct program: the compiler "},
		{"it rejects only this source", "c", "if grep -q wrong $0; then echo wrong; exit 1; fi; cp /bin/sh .program", false, "wrong"},
		{"a language without a correct program to try", "forth", "echo no; exit 1", false, "no"},
	} {
		l := Language{Match: []string{".x"}, Build: []string{"sh", "-c", tt.compiler, "{main}", "{exe}"}, Version: []string{"sh", "-c", "echo 1.0"}}
		b := newBuilder(t, Options{Languages: map[string]Language{tt.language: l}})
		for round := range 2 { // the second time, the builder knows whether the tools are broken
			_, err := b.Build(t.Context(), mustOpen(t, b, "a.x", map[string]string{"a.x": "wrong\n"}))
			missing, broken := errors.AsType[*MissingError](err)
			compile, refused := errors.AsType[*CompileError](err)
			switch {
			case broken != tt.broken || refused == broken:
				t.Errorf("%s (round %d): got %v", tt.why, round, err)
			case broken && (!strings.Contains(missing.Problem, tt.wantErr) || strings.Contains(err.Error(), "\n") || missing.Output == ""):
				t.Errorf("%s (round %d): problem %q, output %q", tt.why, round, missing.Problem, missing.Output)
			case refused && compile.Output != tt.wantErr:
				t.Errorf("%s (round %d): compile error %q", tt.why, round, compile.Output)
			}
		}
	}
}

// TestHiddenLibrary checks that the judge does not blame Go's installation if the go command cannot
// use the compiled standard library.
func TestHiddenLibrary(t *testing.T) {
	t.Parallel()
	const goCommand = `if [ -z "$GOTMPDIR" ]; then echo "failed to initialize build cache at $GOCACHE: mkdir $GOCACHE/00: permission denied"; exit 1; fi`
	l := Language{Match: []string{".x"}, Build: []string{"sh", "-c", goCommand}, Version: []string{"sh", "-c", "echo 1.0"}}
	b := newBuilder(t, Options{Languages: map[string]Language{"go": l}, Cache: newCache(t)})
	_, err := b.Build(t.Context(), mustOpen(t, b, "a.x", map[string]string{"a.x": "package main\n"}))
	_, own := errors.AsType[*cache.Error](err)
	want := regexp.MustCompile(`^cache .*: the jail cannot use go-build: failed to initialize build cache at .*: permission denied \(hint: `)
	if !own || !want.MatchString(err.Error()) {
		t.Errorf("got %v, want %s", err, want)
	}
}

// TestRememberRefusals builds a faulty source four times with one cache. From the second time on,
// nothing is compiled if the first time it was compiled twice with the same error, and only then.
func TestRememberRefusals(t *testing.T) {
	t.Parallel()
	tier.T2(t, "compile errors that are remembered")
	tools := t.TempDir()
	for _, tt := range []struct {
		why, compiler  string
		timeout        time.Duration
		between        func(b *Builder)
		fresh, forgets bool
	}{
		{why: "the same error each time", compiler: "echo no; exit 1"},
		{why: "no program is produced", compiler: "echo done"},
		{why: "another error each time", compiler: "date +%s%N; exit 1", forgets: true},
		{why: "the compiler is killed", compiler: "kill -9 $$", forgets: true},
		{why: "the compiler exceeds its time limit", compiler: "while :; do :; done", timeout: 50 * time.Millisecond, forgets: true},
		{why: "with fresh, known errors are not used", compiler: "echo no; exit 1", fresh: true, forgets: true},
		{why: "the compiler has other limits", compiler: "echo no; exit 1", between: func(b *Builder) { b.options.Memory += limits.MiB }, forgets: true},
		{why: "a library was installed", compiler: "echo no; exit 1", between: func(*Builder) {
			if err := os.WriteFile(filepath.Join(tools, "library"), nil, 0o600); err != nil {
				t.Error(err)
			}
		}, forgets: true},
	} {
		l := Language{Match: []string{".x"}, Build: []string{"sh", "-c", tt.compiler, "{exe}"}, Mounts: append([]string{tools}, everything...)}
		o := Options{Languages: map[string]Language{"x": l}, Timeout: tt.timeout}
		first := newBuilder(t, o)
		o.Cache, o.Runner = first.options.Cache, first.options.Runner
		for round := range 4 {
			b := newBuilder(t, o) // a new builder, as in another process
			b.RememberRefusals(tt.fresh)
			if round >= 1 && tt.between != nil {
				tt.between(b)
			}
			_, err := b.Build(t.Context(), mustOpen(t, b, "a.x", map[string]string{"a.x": "x\n"}))
			compile, ok := errors.AsType[*CompileError](err)
			if !ok {
				t.Fatalf("%s: got %v", tt.why, err)
			}
			if known := compile.Time == 0; known != (round >= 1 && !tt.forgets) && (round < 2 || tt.between == nil) {
				t.Errorf("%s (round %d): not compiled: %v", tt.why, round, known)
			}
		}
		_, err := newBuilder(t, o).Build(t.Context(), mustOpen(t, first, "a.x", map[string]string{"a.x": "x\n"}))
		if compile, ok := errors.AsType[*CompileError](err); !ok || compile.Time == 0 {
			t.Errorf("%s: without RememberRefusals, the source was not compiled: %v", tt.why, err)
		}
	}
}
