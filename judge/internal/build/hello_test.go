package build

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"tribunal/judge/internal/limits"
)

// TestHellos checks that there is a correct program for each language, and no others.
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

// TestBrokenTools checks compilers that print their version and reject every source.
func TestBrokenTools(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why, language, compiler string
		broken                  bool
		says                    string
	}{
		{"it refuses everything", "c", "echo reading; echo cc: error: no assembler; exit 1", true, "sh does not compile a correct program: cc: error: no assembler"},
		{"it dies", "c", "kill -9 $$", true, "sh does not compile a correct program: the compiler died: "},
		{"it makes nothing", "c", "exit 0", true, "sh does not compile a correct program: the compiler "},
		{"it refuses this source", "c", "if grep -q wrong $0; then echo wrong; exit 1; fi; cp /bin/sh .program", false, "wrong"},
		{"no program is known that is right", "forth", "echo no; exit 1", false, "no"},
	} {
		l := Language{Match: []string{".x"}, Build: []string{"sh", "-c", tt.compiler, "{main}", "{exe}"}, Version: []string{"sh", "-c", "echo 1.0"}}
		b := newBuilder(t, Options{Languages: map[string]Language{tt.language: l}})
		for round := range 2 { // the answer is remembered
			_, err := b.Build(t.Context(), mustOpen(t, b, "a.x", map[string]string{"a.x": "wrong\n"}))
			missing, broken := errors.AsType[*MissingError](err)
			compile, refused := errors.AsType[*CompileError](err)
			switch {
			case broken != tt.broken || refused == broken:
				t.Errorf("%s (round %d): got %v", tt.why, round, err)
			case broken && (!strings.Contains(missing.Problem, tt.says) || strings.Contains(err.Error(), "\n") || missing.Output == ""):
				t.Errorf("%s (round %d): it says %q, of %q", tt.why, round, missing.Problem, missing.Output)
			case refused && compile.Output != tt.says:
				t.Errorf("%s (round %d): it says %q", tt.why, round, compile.Output)
			}
		}
	}
}

// TestRememberRefusals compiles a source several times with one cache. The third time nothing runs
// if the compiler reported the same twice, and only then.
func TestRememberRefusals(t *testing.T) {
	t.Parallel()
	tools := t.TempDir()
	for _, tt := range []struct {
		why, compiler  string
		timeout        time.Duration
		between        func(b *Builder)
		fresh, forgets bool
	}{
		{why: "the same words", compiler: "echo no; exit 1"},
		{why: "nothing is made", compiler: "echo done"},
		{why: "other words each time", compiler: "date +%s%N; exit 1", forgets: true},
		{why: "it is killed", compiler: "kill -9 $$", forgets: true},
		{why: "it needs too long", compiler: "while :; do :; done", timeout: 50 * time.Millisecond, forgets: true},
		{why: "it is to be compiled whatever is known", compiler: "echo no; exit 1", fresh: true, forgets: true},
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
			b := newBuilder(t, o) // as in another process
			b.RememberRefusals(tt.fresh)
			if round >= 2 && tt.between != nil {
				tt.between(b)
			}
			_, err := b.Build(t.Context(), mustOpen(t, b, "a.x", map[string]string{"a.x": "x\n"}))
			compile, ok := errors.AsType[*CompileError](err)
			if !ok {
				t.Fatalf("%s: got %v", tt.why, err)
			}
			if known := compile.Time == 0; known != (round >= 2 && !tt.forgets) && (round < 3 || tt.between == nil) {
				t.Errorf("%s (round %d): known: %v", tt.why, round, known)
			}
		}
		_, err := newBuilder(t, o).Build(t.Context(), mustOpen(t, first, "a.x", map[string]string{"a.x": "x\n"}))
		if compile, ok := errors.AsType[*CompileError](err); !ok || compile.Time == 0 {
			t.Errorf("%s: what a contestant handed in was not compiled: %v", tt.why, err)
		}
	}
}
