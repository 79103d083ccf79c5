package scaffold

import (
	"bytes"
	"go/format"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/repo"
)

func TestWrite(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ why, id, title string }{
		{"words", "two-sum", "Two sum"},
		{"one letter", "a", "A"},
		{"a number to YAML", "123", "Problem 123"},
		{"another number to YAML", "1e3", "1e3"},
		{"a boolean to YAML", "true", "True"},
		{"no value to YAML", "null", "Null"},
		{"a dash at the end", "a-", "A"},
	} {
		root := t.TempDir()
		places, err := Write(root, tt.id)
		if err != nil || len(places) != 3 {
			t.Errorf("%s: %v, %v", tt.why, places, err)
			continue
		}
		p, err := repo.Load(root, tt.id)
		if err != nil {
			t.Errorf("%s: %v", tt.why, err)
			continue
		}
		set, err := cases.Load(root, tt.id)
		if err != nil || len(set.Cases) < 3 || p.Title != tt.title {
			t.Errorf("%s: %q, %v", tt.why, p.Title, err)
		}
		if hidden, _ := filepath.Glob(filepath.Join(root, ".*")); len(hidden) > 0 {
			t.Errorf("%s: left %v", tt.why, hidden)
		}
	}
}

// TestRefuses checks that Write fails, and leaves all files as they were, if a problem cannot be
// added.
func TestRefuses(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ why, id, there, want string }{
		{"another alphabet", "Sum", "", `bad problem id "Sum" (hint: it must match [a-z0-9][a-z0-9-]*, as in two-sum)`},
		{"no name", "", "", `bad problem id "" (hint: `},
		{"a path", "../sum", "", `bad problem id "../sum" (hint: `},
		{"more than one line", "sum\nx", "", `bad problem id "sum\nx" (hint: `},
		{"a problem", "sum", "problems/sum.yaml", "problems/sum.yaml: already exists (hint: "},
		{"cases of no problem", "sum", "cases/sum/edge.yaml", "cases/sum: already exists (hint: "},
		{"a reference of no problem", "sum", "reference/sum/main.go", "reference/sum: already exists (hint: "},
		{"a file in place of the folder for the last part", "sum", "problems", "problems/sum.yaml: not a directory"},
		{"a file in place of the folder for the second part", "sum", "cases", "cases/sum: not a directory"},
	} {
		root := t.TempDir()
		if tt.there != "" {
			file := filepath.Join(root, tt.there)
			if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, nil, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		before := list(t, root)
		_, err := Write(root, tt.id)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %s", tt.why, err, tt.want)
		}
		if after := list(t, root); after != before {
			t.Errorf("%s: files before: %s, after: %s", tt.why, before, after)
		}
	}
}

// TestRemovesOnFailure checks that Write leaves nothing behind if it fails after it has moved a
// part.
func TestRemovesOnFailure(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	if err := os.Symlink("nowhere", filepath.Join(root, "cases")); err != nil {
		t.Fatal(err)
	}
	if places, err := Write(root, "sum"); err == nil || places != nil {
		t.Errorf("wrote %v, %v", places, err)
	}
	if left := list(t, root); left != "/cases" {
		t.Errorf("left %s", left)
	}
}

// list returns the paths of all files and non-empty folders below a folder.
func list(t *testing.T, dir string) string {
	t.Helper()
	var names []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			names = append(names, strings.TrimPrefix(path, dir))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(names, " ")
}

// TestFormatted checks the format of the embedded Go files.
func TestFormatted(t *testing.T) {
	t.Parallel()
	err := fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(name, ".go.txt") {
			return err
		}
		text, err := files.ReadFile(name)
		if err != nil {
			return err
		}
		formatted, err := format.Source(text)
		if err != nil || !bytes.Equal(text, formatted) {
			t.Errorf("%s is not formatted, or %v", name, err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
