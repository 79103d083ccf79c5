package scaffold

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const workflow = ".github/workflows/problems.yml"

func TestInit(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why, dir, there string
		empty           bool
		want            string // a part of the error; "" for none
	}{
		{"a new folder", "a/b/c", "", false, ""},
		{"a new folder without a problem", "a", "", true, ""},
		{"an existing folder", ".", "", false, ""},
		{"other files in the folder", ".", ".git/config", false, ""},
		{"another workflow", ".", ".github/workflows/other.yml", true, ""},
		{"a README", ".", "README.md", false, "README.md: already exists (hint: judge init makes a new repository; "},
		{"a repository", ".", "problems/sum.yaml", true, "problems: already exists (hint: "},
		{"cases of the example", ".", "cases/example/edge.yaml", false, "cases/example: already exists"},
		{"a file in place of the folder", "a/b", "a", false, "a/b/problems: not a directory"},
		{"a file in place of a folder in it", ".", ".github", false, ".github/workflows/problems.yml: not a directory"},
		{"a file in place of the last folder", "x", "x/cases", false, "cases/example: not a directory"},
	} {
		root := t.TempDir()
		if tt.there != "" {
			file := filepath.Join(root, tt.there)
			if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, []byte("mine"), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		before := everything(t, root)
		dir := filepath.Join(root, tt.dir)
		example := &Kind{Language: "go"}
		if tt.empty {
			example = nil
		}
		places, err := Init(dir, example, map[string]string{workflow: "name: x\n"})
		if tt.want != "" {
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%s: %v, want %s", tt.why, err, tt.want)
			}
			if after := everything(t, root); after != before {
				t.Errorf("%s: files before: %s, after: %s", tt.why, before, after)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", tt.why, err)
			continue
		}
		for _, name := range append(places, filepath.Join(dir, "problems"), filepath.Join(dir, ".gitignore")) {
			if _, err := os.Stat(name); err != nil {
				t.Errorf("%s: %v", tt.why, err)
			}
		}
		if stages, _ := filepath.Glob(filepath.Join(dir, stagePrefix+"*")); stages != nil {
			t.Errorf("%s: left %v", tt.why, stages)
		}
		if text, err := os.ReadFile(filepath.Join(dir, workflow)); err != nil || string(text) != "name: x\n" {
			t.Errorf("%s: the workflow is %q, %v", tt.why, text, err)
		}
	}
}

// TestInitRemovesOnFailure checks that Init leaves nothing behind, neither files nor folders, if it
// fails after it has moved some of them.
func TestInitRemovesOnFailure(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	if err := os.Symlink("nowhere", filepath.Join(root, "reference")); err != nil {
		t.Fatal(err)
	}
	if places, err := Init(root, &Kind{Language: "go"}, nil); err == nil || places != nil {
		t.Errorf("made %v, %v", places, err)
	}
	if left := everything(t, root); left != "/reference" {
		t.Errorf("left %s", left)
	}
}

// everything returns the paths of all files and folders below a folder.
func everything(t *testing.T, dir string) string {
	t.Helper()
	var names []string
	err := filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
		if path != dir {
			names = append(names, strings.TrimPrefix(path, dir))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(names, " ")
}
