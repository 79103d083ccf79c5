package scaffold

import (
	"bytes"
	"fmt"
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
		places, err := Write(root, tt.id, Kind{Language: "go"})
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
		_, err := Write(root, tt.id, Kind{Language: "go"})
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
	if places, err := Write(root, "sum", Kind{Language: "go"}); err == nil || places != nil {
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

// kinds returns all kinds of small problems.
func kinds() (list []Kind) {
	for _, language := range Languages() {
		for n := range 16 {
			k := Kind{Language: language, Checker: n&1 > 0, Interactive: n&2 > 0, Scoring: n&4 > 0}
			if n&8 > 0 {
				k.Testlib = []byte("// testlib\n")
			}
			if k.Check() == nil {
				list = append(list, k)
			}
		}
	}
	return list
}

// TestKinds writes problems of all kinds, and checks that their documents can be read and that their
// files are formatted. The sessions new_*.txt run some.
func TestKinds(t *testing.T) {
	t.Parallel()
	list := kinds()
	if len(list) != 4*6+8 {
		t.Errorf("there are %d kinds", len(list))
	}
	for _, k := range list {
		name := fmt.Sprintf("%s, checker %v, interactive %v, scoring %v, testlib %v", k.Language, k.Checker, k.Interactive, k.Scoring, k.Testlib != nil)
		root := t.TempDir()
		if _, err := Write(root, "null", k); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		p, err := repo.Load(root, "null")
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if p.Interactive() != k.Interactive || p.Scoring != k.Scoring || (p.Validator != nil) != (k.Checker || k.Interactive) {
			t.Errorf("%s: the problem is of another kind", name)
		}
		err = filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			text, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			for _, bad := range []string{"{{", "<no value>", " \n", "\n\n\n\n", "\t\n"} {
				if strings.Contains(string(text), bad) {
					t.Errorf("%s: %s contains %q", name, file, bad)
				}
			}
			if !bytes.HasSuffix(text, []byte("\n")) || bytes.HasSuffix(text, []byte("\n\n")) || bytes.HasPrefix(text, []byte("\n")) {
				t.Errorf("%s: %s begins or ends with an empty line, or without a newline", name, file)
			}
			if filepath.Ext(file) != ".go" {
				return nil
			}
			if formatted, err := format.Source(text); err != nil || !bytes.Equal(text, formatted) {
				t.Errorf("%s: %s is not formatted, or %v", name, file, err)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestNoKind checks the errors for problems that do not exist.
func TestNoKind(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why  string
		kind Kind
		want string
	}{
		{"a typo", Kind{Language: "pyton"}, `no example in the language "pyton" (hint: did you mean python?)`},
		{"no name of a language", Kind{Language: "fortran"}, "(hint: they are cpp, go, java, python)"},
		{"testlib is for C++", Kind{Language: "java", Testlib: []byte{}}, "testlib is a library for C++, not for java (hint: "},
		{"two programs that decide", Kind{Language: "go", Checker: true, Interactive: true}, "besides which there is no checker (hint: "},
	} {
		root := t.TempDir()
		if _, err := Write(root, "sum", tt.kind); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %s", tt.why, err, tt.want)
		}
		if _, err := Init(root, &tt.kind, nil); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %s", tt.why, err, tt.want)
		}
		if left := everything(t, root); left != "" {
			t.Errorf("%s: left %s", tt.why, left)
		}
	}
}
