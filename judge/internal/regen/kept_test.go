package regen

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestSweep checks that Sweep removes kept inputs and nothing else, even where there are symbolic
// links.
func TestSweep(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why   string
		files string            // files to create, below a temporary folder; kept/p is swept
		links map[string]string // symbolic links to create there, with their targets
		left  string            // the files and links that must be left
	}{
		{"only kept inputs", "kept/p/.gitignore kept/p/edge/a.in kept/p/edge/b.in kept/p/more/a.in", nil, ""},
		{"another file among them", "kept/p/.gitignore kept/p/edge/a.in kept/p/edge/a.txt", nil, "kept/p/.gitignore kept/p/edge/a.txt"},
		{"a link to a folder", "kept/p/.gitignore kept/p/edge/a.in mine/my.in", map[string]string{"kept/p/mine": "../../mine"}, "kept/p/.gitignore kept/p/mine mine/my.in"},
		{"a link to a folder beside it", "kept/p/edge/a.in kept/p/.edge/x.txt", map[string]string{"kept/p/link": ".edge"}, "kept/p/.edge/x.txt kept/p/link"},
		{"a link to a file", "kept/p/edge/b.in mine/my.in", map[string]string{"kept/p/edge/a.in": "../../../mine/my.in"}, "mine/my.in"},
		{"a link in the place of kept/p", "mine/edge/my.in kept/q/edge/a.in", map[string]string{"kept/p": "../mine"}, "kept/p kept/q/edge/a.in mine/edge/my.in"},
		{"kept/p is a file", "kept/p", nil, "kept/p"},
		{"no kept/p", "mine/edge/my.in", nil, "mine/edge/my.in"},
	} {
		dir := t.TempDir()
		var err error
		for _, name := range strings.Fields(tt.files) {
			path := filepath.Join(dir, name)
			err = errors.Join(err, os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, nil, 0o644))
		}
		for name, to := range tt.links {
			err = errors.Join(err, os.Symlink(to, filepath.Join(dir, name)))
		}
		if err != nil {
			t.Fatal(err)
		}
		Sweep(filepath.Join(dir, "kept/p"))
		var left []string
		_ = fs.WalkDir(os.DirFS(dir), ".", func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() {
				left = append(left, path)
			}
			return err
		})
		if got := strings.Join(left, " "); got != tt.left {
			t.Errorf("%s: %s is left, want %s", tt.why, got, tt.left)
		}
	}
}
