package build

import (
	"os"
	"testing"

	"tribunal/judge/internal/cache"
	"tribunal/judge/internal/sandbox"
)

func TestMain(m *testing.M) {
	sandbox.Init()
	os.Exit(m.Run())
}

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
