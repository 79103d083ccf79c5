package casedata

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/cache"
	"tribunal/judge/internal/cache/cachetest"
	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/content"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/repo"
	"tribunal/judge/internal/run"
	"tribunal/judge/internal/runner"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/sandbox/sandboxtest"
)

// The reference adds up, the generator prints its arguments.
const (
	reference = `read a b; echo $((a + b))`
	generator = `for last; do :; done; echo "$1 ${last#-seed=}"`
)

// group holds literal and generated test cases, each with its output in the file or only as a hash.
const group = `cases:
  - name: literal
    input: |
      1 2
    output: |
      3
  - name: hashed
    input: |
      4 5
  - name: made
    generate: ["10"]
    seed: 7
    output: |
      17
  - name: made-hashed
    generate: ["20"]
    seed: 7
...
`

// repository writes a problem p whose programs are shell scripts.
func repository(t testing.TB, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	all := map[string]string{
		"reference/p/main.sh":     reference,
		"reference/p/gen/main.sh": generator,
		"cases/p/edge.yaml":       group,
	}
	for name, text := range files {
		all[name] = text
	}
	for name, text := range all {
		path := filepath.Join(root, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// lock returns a lock file for the cases with the outputs of the programs. change edits the lock
// first.
func lock(change func(*cases.Lock)) string {
	l := &cases.Lock{Cases: map[string]cases.LockCase{
		"edge/literal":     {Output: cases.Hash([]byte("3\n"))},
		"edge/hashed":      {Output: cases.Hash([]byte("9\n")), Bytes: 2},
		"edge/made":        {Input: cases.Hash([]byte("10 7\n")), Output: cases.Hash([]byte("17\n"))},
		"edge/made-hashed": {Input: cases.Hash([]byte("20 7\n")), Output: cases.Hash([]byte("27\n")), Bytes: 3},
	}}
	if change != nil {
		change(l)
	}
	return string(l.Marshal())
}

func newCache(t testing.TB) *cache.Cache {
	t.Helper()
	c := cachetest.Fresh(t)
	return c
}

// newProvider returns a new provider for the repository, as in a new process. With a nil host it
// uses the real sandbox.
func newProvider(t testing.TB, root string, c *cache.Cache, host runner.Host) *Provider {
	t.Helper()
	languages := map[string]build.Language{"sh": {Match: []string{".sh"}, Run: []string{"sh", "{dir}/{main}"}}}
	if host == nil {
		h, err := sandbox.Open(sandbox.Auto)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { h.Close() })
		host = h
	}
	pool := run.NewPool(runner.NewLocal(host, 2), 2, time.Second)
	t.Cleanup(func() { pool.Close() })
	m := &Provider{
		Problem: repo.Bare(root, "p"), Limits: limits.Limits{CPU: 10 * time.Second, CPUs: 1},
		Builder: build.New(build.Options{Languages: languages, Cache: c}), Pool: pool, Cache: c,
	}
	t.Cleanup(func() {
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	})
	return m
}

func load(t testing.TB, root string) []cases.Case {
	t.Helper()
	set, err := cases.Load(root, "p")
	if err != nil {
		t.Fatal(err)
	}
	return set.Cases
}

func wantData(t testing.TB, m *Provider, list []cases.Case) {
	t.Helper()
	want := []Data{
		{Name: "edge/literal", Input: content.Of([]byte("1 2\n")), Want: content.Of([]byte("3\n"))},
		{Name: "edge/hashed", Input: content.Of([]byte("4 5\n")), Want: content.Of([]byte("9\n"))},
		{Name: "edge/made", Input: content.Of([]byte("10 7\n")), Want: content.Of([]byte("17\n"))},
		{Name: "edge/made-hashed", Input: content.Of([]byte("20 7\n")), Want: content.Of([]byte("27\n"))},
	}
	for i := range list {
		got, err := m.Load(t.Context(), &list[i])
		if err != nil || got.Name != want[i].Name || text(t, got.Input) != text(t, want[i].Input) || text(t, got.Want) != text(t, want[i].Want) {
			t.Errorf("got %s %q %q, %v, want %s %q %q", got.Name, text(t, got.Input), text(t, got.Want), err, want[i].Name, text(t, want[i].Input), text(t, want[i].Want))
		}
	}
}

// echo plays the generator and the reference of the repository.
func echo(ctx context.Context, r sandboxtest.Run) (sandbox.Result, error) {
	var a, b int
	if len(r.Input) > 0 {
		fmt.Sscan(string(r.Input), &a, &b)
		return r.Print(fmt.Sprintln(a + b)), nil
	}
	n := len(r.Args)
	return r.Print(fmt.Sprintln(r.Args[n-2], strings.TrimPrefix(r.Args[n-1], "-seed="))), nil
}

func text(t testing.TB, c content.Content) string {
	t.Helper()
	data, err := c.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
