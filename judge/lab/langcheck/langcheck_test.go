package langcheck

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/cache/cachetest"
	"tribunal/judge/internal/run"
	"tribunal/judge/internal/runner"
	"tribunal/judge/internal/sandbox"
)

// options returns the options of a check.
func options(t *testing.T, languages map[string]build.Language) Options {
	t.Helper()
	host, err := sandbox.Open(sandbox.Auto)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { host.Close() })
	kept := cachetest.Shared(t)
	pool := run.NewPool(runner.NewLocal(host, 2), 2, run.DefaultGrace)
	t.Cleanup(func() { pool.Close() })
	return Options{
		Builder: build.New(build.Options{
			Languages: languages, Cache: kept, Runner: runner.NewLocal(host, 1), Temp: host.Temp(),
			Timeout: build.DefaultTimeout, Memory: build.DefaultMemory, Output: build.DefaultOutput,
		}),
		Cache: kept, Pool: pool, Names: slices.Sorted(maps.Keys(languages)),
	}
}

// greets plays a program that works.
const greets = `read -r line; echo "hello, $line"`

func TestCheck(t *testing.T) {
	t.Parallel()
	sh := func(script string) []string { return []string{"sh", "-c", script} }
	tests := map[string]struct {
		why           string
		l             build.Language
		status        Status
		reason, words string
	}{
		"awk":    {"all is well", build.Language{Run: sh(greets)}, Works, "", ""},
		"bash":   {"it reads nothing", build.Language{Run: sh("echo hello, world 42")}, Broken, "gives a correct program WA: differs", ""},
		"c":      {"letters beyond ASCII suffer", build.Language{Run: sh("read -r line; echo hello, w?rld 42")}, Broken, "gives a correct program WA: differs", ""},
		"cpp":    {"its compiler prints a message and fails", build.Language{Build: sh("echo out of order; exit 1"), Run: sh(greets)}, Broken, "does not compile a correct program", "out of order"},
		"csharp": {"it dies", build.Language{Run: sh("echo sorry >&2; exit 3")}, Broken, "gives a correct program RTE: exited with status 3", "sorry\n"},
		"go":     {"one tool of two is not there", build.Language{Build: sh("exit 0"), Run: []string{"no-such-tool|nor-this-one"}}, Missing, "no-such-tool or nor-this-one not found", ""},
		"java":   {"its version cannot be queried", build.Language{Run: sh(greets), Version: sh("echo no licence; exit 7")}, Broken, "-c echo no licence; exit 7: exit status 7: no licence", ""},
		"forth":  {"there is no hello program in it", build.Language{Run: sh(greets), Version: sh("echo 4th")}, Unchecked, "there is no program to try it with", ""},
	}
	languages := map[string]build.Language{}
	for name, tt := range tests {
		languages[name] = tt.l
	}
	o := options(t, languages)
	began, ended := make(chan string, 2*len(tests)), make(chan string, 2*len(tests))
	o.Stage = func(name string) func() {
		began <- name
		return func() { ended <- name }
	}
	for round := range 2 { // a program that the first round leaves in the cache must not be used
		var order []string
		err := Check(t.Context(), o, func(r Result) {
			order = append(order, r.Name)
			tt := tests[r.Name]
			if r.Status != tt.status || !strings.Contains(r.Reason, tt.reason) || (r.Reason == "") != (tt.reason == "") || r.Words != tt.words {
				t.Errorf("%s: %s (round %d): got %s, %q, %q", r.Name, tt.why, round, r.Status, r.Reason, r.Words)
			}
			if strings.Contains(r.Reason, "\n") {
				t.Errorf("%s: the reason %q has several lines", r.Name, r.Reason)
			}
			if ran := r.Wall > 0; ran != (r.Status == Works || strings.Contains(tt.reason, "gives")) || ran && r.Build <= 0 {
				t.Errorf("%s: took %v to build, %v to run", r.Name, r.Build, r.Wall)
			}
			if len(r.Run) == 0 && (r.Status == Works || r.Status == Missing) {
				t.Errorf("%s: no command runs it: %+v", r.Name, r)
			}
		})
		if err != nil || !slices.Equal(order, o.Names) {
			t.Errorf("round %d: results for %v, %v, want %v", round, order, err, o.Names)
		}
	}
	if len(began) != 2*len(tests) || len(ended) != len(began) {
		t.Errorf("Stage was called for %d beginnings and %d ends, want %d", len(began), len(ended), 2*len(tests))
	}
}

func TestCancelled(t *testing.T) {
	t.Parallel()
	o := options(t, map[string]build.Language{"c": {Run: []string{"sh", "-c", greets}, Version: []string{"sh", "-c", "exec sleep 1000"}}})
	ctx, cancel := context.WithCancel(t.Context())
	o.Stage = func(string) func() {
		cancel()
		return func() {}
	}
	err := Check(ctx, o, func(r Result) { t.Errorf("got %+v", r) })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
