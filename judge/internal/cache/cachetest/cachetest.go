// Package cachetest opens caches for tests, which share build results that take long to make.
package cachetest

import (
	"os"
	"path/filepath"
	"testing"

	"tribunal/judge/internal/cache"
)

// Dir returns the folder in which tests, of all packages and runs, keep programs that are always
// the same: compiling Go's standard library takes longer than most tests do. It is TRIBUNAL_CACHE
// if that is set; an account without a home gets a new folder each time.
func Dir(t testing.TB) string {
	t.Helper()
	if dir := os.Getenv("TRIBUNAL_CACHE"); dir != "" {
		return dir
	}
	dir, err := os.UserCacheDir()
	if err == nil {
		dir = filepath.Join(dir, "tribunal-test")
		err = os.MkdirAll(dir, 0o755)
	}
	if err != nil {
		return t.TempDir()
	}
	return dir
}

// Shared returns a cache in Dir, for tests that do not mind if a program was compiled earlier.
func Shared(t testing.TB) *cache.Cache {
	t.Helper()
	return open(t, Dir(t))
}

// library is the folder of a cache that holds compiled packages of Go's standard library.
const library = "go-build"

// Fresh returns an empty cache that shares only Go's standard library with Dir.
func Fresh(t testing.TB) *cache.Cache {
	t.Helper()
	shared := filepath.Join(Dir(t), library)
	dir := t.TempDir()
	if err := os.MkdirAll(shared, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(shared, filepath.Join(dir, library)); err != nil {
		t.Fatal(err)
	}
	return open(t, dir)
}

// Own returns an empty cache with a copy of Dir's Go standard library, for tests that might change
// it.
func Own(t testing.TB) *cache.Cache {
	t.Helper()
	c := open(t, t.TempDir())
	shared, err := Shared(t).Folder(library)
	if err != nil {
		t.Fatal(err)
	}
	defer shared.Close()
	done, err := shared.Lock(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer done()
	if err := os.CopyFS(filepath.Join(c.Dir(), library), os.DirFS(shared.Dir)); err != nil {
		t.Fatal(err)
	}
	return c
}

func open(t testing.TB, dir string) *cache.Cache {
	t.Helper()
	c, err := cache.Open(dir, 0)
	if err != nil {
		t.Fatal(err)
	}
	return c
}
