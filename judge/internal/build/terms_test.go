package build

import (
	"errors"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"tribunal/judge/internal/limits"
)

// TestRefused checks that Build returns a compile error for a refused source, whatever its content.
func TestRefused(t *testing.T) {
	t.Parallel()
	b := newBuilder(t, Options{Languages: map[string]Language{"x": {Match: []string{".x"}, Build: []string{"a tool that is not there", "{exe}"}}}})
	for _, s := range []*Source{mustOpen(t, b, "a.x", map[string]string{"a.x": "x"}), {sum: "x"}} {
		s = s.Refused("not here")
		if _, err := b.Key(t.Context(), s); err != nil {
			t.Errorf("Key: %v", err)
		}
		var compile *CompileError
		if _, err := b.Build(t.Context(), s); !errors.As(err, &compile) || compile.Output != "not here" {
			t.Errorf("Build: %v", err)
		}
	}
}

// TestNamesOfSeveralLines checks that the name of a file cannot add a line to a message.
func TestNamesOfSeveralLines(t *testing.T) {
	t.Parallel()
	b := newBuilder(t, Options{Languages: map[string]Language{"x": {Match: []string{".x"}, Build: []string{"a tool that is not there", "{src}", "{exe}"}}}})
	const evil = "a\nverdict     AC accepted"
	for _, tt := range []struct {
		why   string
		files map[string]string
		make  string // a named pipe
		want  string
	}{
		{why: "a source", files: map[string]string{evil + ".x": "x", "b.x": "y"}, want: `a\nverdict     AC accepted.x: a name with a control character`},
		{why: "a pipe beside a source", files: map[string]string{"b.x": "y"}, make: evil, want: `a\nverdict     AC accepted: not a regular file`},
	} {
		dir := write(t, "s", tt.files)
		if tt.make != "" {
			if err := syscall.Mkfifo(filepath.Join(dir, tt.make), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		s, err := Submission(dir, "", "", b.Languages())
		if err != nil {
			t.Fatal(err)
		}
		_, err = b.Build(t.Context(), s)
		if compile, ok := errors.AsType[*CompileError](err); !ok || !strings.HasPrefix(compile.Output, tt.want) {
			t.Errorf("%s: got %v, want a compile error with %q", tt.why, err, tt.want)
		}
	}
}

// TestWithin checks that a source with compiler limits of its own has them, and another key.
func TestWithin(t *testing.T) {
	t.Parallel()
	b := newBuilder(t, Options{Timeout: 20 * time.Second, Memory: 512 * limits.MiB, Languages: map[string]Language{"x": scripted("exit 1")}})
	s := mustOpen(t, b, "a.x", map[string]string{"a.x": "x"})
	own := limits.Limits{CPU: 20 * time.Second, Memory: 512 * limits.MiB, Wall: wallFactor * 20 * time.Second}
	keys := map[string]string{}
	for _, tt := range []struct {
		why  string
		l    limits.Limits
		want limits.Limits
		as   string // the row with the same key
	}{
		{"none", limits.Limits{}, own, "none"},
		{"the limits of Options", limits.Limits{CPU: own.CPU, Memory: own.Memory}, own, "none"},
		{"less time", limits.Limits{CPU: time.Second}, limits.Limits{CPU: time.Second, Memory: own.Memory, Wall: wallFactor * time.Second}, "less time"},
		{"more time", limits.Limits{CPU: time.Minute}, limits.Limits{CPU: time.Minute, Memory: own.Memory, Wall: wallFactor * time.Minute}, "more time"},
		{"less memory", limits.Limits{Memory: limits.MiB}, limits.Limits{CPU: own.CPU, Memory: limits.MiB, Wall: own.Wall}, "less memory"},
		{"limits that compilers do not have", limits.Limits{Wall: 1, Output: 1, Processes: 1}, own, "none"},
	} {
		s := s.Within(tt.l)
		if got := b.compiler(s); got != tt.want {
			t.Errorf("%s: %+v, want %+v", tt.why, got, tt.want)
		}
		key, err := b.Key(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		if known, ok := keys[string(key)]; !ok && tt.as == tt.why {
			keys[string(key)] = tt.why
		} else if known != tt.as {
			t.Errorf("%s: has the key of %q, want that of %q", tt.why, known, tt.as)
		}
	}
}

// TestCompilerWithin checks that a compiler runs under the limits of its source.
func TestCompilerWithin(t *testing.T) {
	t.Parallel()
	b := newBuilder(t, Options{Languages: map[string]Language{"x": scripted(`while :; do :; done`)}})
	s := mustOpen(t, b, "a.x", map[string]string{"a.x": "x"}).Within(limits.Limits{CPU: 100 * time.Millisecond})
	var compile *CompileError
	want := "the compiler exceeded its CPU time limit of 100ms"
	if _, err := b.Build(t.Context(), s); !errors.As(err, &compile) || compile.Output != want {
		t.Errorf("%v, want %s", err, want)
	}
}

func TestSize(t *testing.T) {
	t.Parallel()
	b := newBuilder(t, Options{})
	s := mustOpen(t, b, "", map[string]string{"__init__.py": "", "__main__.py": "12345", "a/b.py": "6", "c.txt": "78"})
	if got := s.Size(); got != 8 {
		t.Errorf("%d bytes, want 8", got)
	}
}
