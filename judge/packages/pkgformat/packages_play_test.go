package pkgformat_test

import (
	"archive/zip"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/cache/cachetest"
	"tribunal/judge/internal/played"
	"tribunal/judge/internal/run"
	"tribunal/judge/internal/runner"
	"tribunal/judge/internal/sandbox/sandboxtest"
	"tribunal/judge/packages/pkgdata"
)

// languages returns the languages of packages, in which nothing is compiled: package played plays their programs.
func languages() map[string]build.Language {
	all := build.Defaults()
	for name, l := range all {
		all[name] = build.Language{Match: l.Match, Assigned: l.Assigned, Shebang: l.Shebang, Run: []string{"sh", "{dir}/{main}"}}
	}
	return all
}

// newMaker returns a maker whose programs are played.
func newMaker(t *testing.T) *pkgdata.Maker {
	t.Helper()
	local := runner.NewLocal(sandboxtest.New(t, played.Play), 1)
	pool := run.NewPool(local, 1, time.Second)
	t.Cleanup(func() { pool.Close() })
	c := cachetest.Fresh(t)
	m := &pkgdata.Maker{Builder: build.New(build.Options{Languages: languages(), Cache: c, Runner: local}), Pool: pool, Cache: c}
	t.Cleanup(func() {
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	})
	return m
}

// put writes a file below dir, and the folders around it.
func put(dir, name, text string) error {
	at := filepath.Join(dir, filepath.FromSlash(name))
	return errors.Join(os.MkdirAll(filepath.Dir(at), 0o755), os.WriteFile(at, []byte(text), 0o644))
}

// unpackInto writes the files of a package below dir. A file in a "folder" whose name ends with .zip goes into an
// archive of that name; "name -> target" is a symbolic link, and a name that ends with a slash a folder.
func unpackInto(t *testing.T, dir string, files map[string][]byte) {
	t.Helper()
	archives := map[string]map[string][]byte{}
	for name, data := range files {
		var err error
		at := filepath.Join(dir, filepath.FromSlash(name))
		switch archive, inside, zipped := strings.Cut(name, ".zip/"); {
		case zipped:
			if archive += ".zip"; archives[archive] == nil {
				archives[archive] = map[string][]byte{}
			}
			archives[archive][inside] = data
		case strings.HasSuffix(name, "/"):
			err = os.MkdirAll(at, 0o755)
		default:
			if from, to, is := strings.Cut(name, " -> "); is {
				at = filepath.Join(dir, filepath.FromSlash(from))
				err = errors.Join(os.MkdirAll(filepath.Dir(at), 0o755), os.Symlink(to, at))
			} else {
				err = put(dir, name, string(data))
			}
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for archive, inside := range archives {
		var b strings.Builder
		w := zip.NewWriter(&b)
		for _, name := range slices.Sorted(maps.Keys(inside)) {
			f, err := w.Create(name)
			if err == nil {
				_, err = f.Write(inside[name])
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := errors.Join(w.Close(), put(dir, archive, b.String())); err != nil {
			t.Fatal(err)
		}
	}
}
