package repo

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"tribunal/judge/internal/problem"
)

// TestBeside reads pictures of a statement, and names and links that lead elsewhere.
func TestBeside(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	folder := filepath.Join(root, Statements("p"))
	for name, text := range map[string]string{filepath.Join(folder, "a.svg"): "<svg/>", filepath.Join(folder, "in", "b.svg"): "<svg/>", filepath.Join(root, "secret"): "secret"} {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(filepath.Join("..", "..", "..", "secret"), filepath.Join(folder, "link")); err != nil {
		t.Fatal(err)
	}
	anyError := errors.New("any error")
	for _, tt := range []struct {
		dir, name string
		max       int64
		want      error
	}{
		{".", "a.svg", 6, nil},
		{".", "in/../a.svg", 6, nil},
		{"in", "b.svg", 6, nil},
		{"in", "../a.svg", 6, nil},
		{".", "a.svg", 5, problem.ErrTooLarge},
		{".", "none.svg", 6, fs.ErrNotExist},
		{".", "in", 6, fs.ErrNotExist},
		{".", "../../../secret", 6, anyError},
		{".", "link", 6, anyError},
	} {
		data, err := beside(root, "p", tt.dir)(tt.name, tt.max)
		if (err == nil) != (tt.want == nil) || tt.want != anyError && !errors.Is(err, tt.want) {
			t.Errorf("%s from %s: %v, want %v", tt.name, tt.dir, err, tt.want)
		}
		if err == nil && string(data) != "<svg/>" {
			t.Errorf("%s from %s: %q", tt.name, tt.dir, data)
		}
	}
}
