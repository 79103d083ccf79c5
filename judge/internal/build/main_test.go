package build

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tribunal/judge/internal/cache"
	"tribunal/judge/internal/sandbox"
)

func TestMain(m *testing.M) {
	sandbox.Init()
	os.Exit(m.Run())
}

// newCache returns an empty cache, without Go's standard library as well.
func newCache(t testing.TB) *cache.Cache {
	t.Helper()
	c, err := cache.Open(t.TempDir(), 0)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// mustBuild builds a source that has no faults.
func mustBuild(t testing.TB, b *Builder, s *Source) *Program {
	t.Helper()
	p, err := b.Build(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	return p
}

// digests returns a hash of every file below a folder.
func digests(t testing.TB, dir string) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		text, err := os.ReadFile(path)
		if strings.HasSuffix(path, ".pyc") && len(text) > 16 {
			text = text[16:] // without the time of the source
		}
		rel, _ := filepath.Rel(dir, path)
		found[rel] = fmt.Sprintf("%x", sha256.Sum256(text))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}
