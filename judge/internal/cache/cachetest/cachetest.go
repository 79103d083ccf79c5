// Package cachetest opens caches for tests, which can share slow builds, and fields.go checks that a key
// covers its type.
package cachetest

import (
	"os"
	"path/filepath"
	"testing"

	"tribunal/judge/internal/cache"
)

// Folder returns the cache folder that the tests of all packages and runs share, because compiling
// Go's standard library takes longer than most tests. It is TRIBUNAL_CACHE if that is set. An account
// without a home folder has none.
func Folder() (string, error) {
	if dir := os.Getenv("TRIBUNAL_CACHE"); dir != "" {
		return dir, nil
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	dir = filepath.Join(dir, "tribunal-test")
	return dir, os.MkdirAll(dir, 0o755)
}

// Dir returns Folder, or a new folder at each call if there is none.
func Dir(t testing.TB) string {
	t.Helper()
	dir, err := Folder()
	if err != nil {
		return t.TempDir()
	}
	return dir
}

// Shared returns the cache in Dir, for tests in which a program may have been compiled earlier.
func Shared(t testing.TB) *cache.Cache {
	t.Helper()
	return open(t, Dir(t))
}

// library is the folder of a cache that holds compiled packages of Go's standard library.
const library = "go-build"

// Fresh returns an empty cache that shares only Go's compiled standard library with Dir.
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

// Own returns an empty cache with a copy of Go's compiled standard library in Dir, for tests that
// may change or damage it.
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
