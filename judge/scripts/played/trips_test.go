//go:build linux

package played_test

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tribunal/judge/packages/pkgexport"
)

// kinds are kinds of problems: lines of problem.yaml, the output validator, if there is one, and the formats that have
// them. The other formats refuse, or their scripts would have to be played.
var kinds = []struct{ name, metadata, validator, formats string }{
	{"pass-fail", "", "", "kattis kattis-legacy domjudge"},
	{"checked", "", "{{exit 42}}", "kattis kattis-legacy domjudge"},
	{"scoring", "type: scoring\n", "", "kattis"},
	{"interactive", "type: interactive\n", "{{exit 42}}", "kattis kattis-legacy domjudge"},
	{"multi-pass", "type: multi-pass\n", "{{exit 42}}", "kattis domjudge"},
	{"interactive-multi-pass", "type: [interactive, multi-pass]\n", "{{exit 42}}", "kattis domjudge"},
}

// TestTrips imports problems of each kind, with validators in several languages, exports them in each format, and makes
// the trip once more: the second export has the files of the first, with the same names and bytes, or one of the steps
// refuses with a hint. (Go is not played: TestValidatorsInGo of package pkgexport exports what was imported.)
func TestTrips(t *testing.T) {
	t.Parallel()
	for _, kind := range kinds {
		for _, ext := range []string{".cc", ".py", ".sh"} {
			t.Run(kind.name+ext, func(t *testing.T) {
				t.Parallel()
				m := newMachine(t, t.TempDir())
				files := map[string]string{
					"problem.yaml":            "problem_format_version: 2025-09\nname: P\n" + kind.metadata + "limits: {time_limit: 1, memory: 64}\n",
					"statement/problem.en.md": "Echo.\n",
					"data/sample/1.in":        "1\n",
					"data/sample/1.ans":       "1\n",
					"data/secret/a/2.in":      "2\n",
					"data/secret/a/2.ans":     "2\n",
					"data/secret/3.in":        "4\n", "data/secret/3.ans": "4\n",
					"data/secret/b/1.in":                    "3\n",
					"data/secret/b/1.ans":                   "3\n",
					"input_validators/number/number" + ext:  "{{exit 42}}",
					"submissions/accepted/answer.c":         "{{line}} \n", // before "reference", but not the reference after an export
					"submissions/accepted/echo.c":           "{{line}}\n",
					"submissions/wrong_answer/zero.c":       "0{{exit 0}}",
					"submissions/run_time_error/crash.c":    "{{exit 1}}",
					"submissions/accepted/several/main.c":   "{{line}}\n",
					"submissions/accepted/several/header.h": "x",
				}
				if kind.validator != "" {
					files["output_validator/check"+ext] = kind.validator
				}
				for name, text := range files {
					name = filepath.Join(m.root, "first", name)
					if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(text), 0o644)); err != nil {
						t.Fatal(err)
					}
				}
				for _, dir := range []string{"problems", "cases", "reference"} {
					if err := os.MkdirAll(filepath.Join(m.root, dir), 0o755); err != nil {
						t.Fatal(err)
					}
				}
				if _, err := importPackage(m, []string{"first", "p"}); err != nil {
					t.Fatal(err)
				}
				for _, format := range pkgexport.All() {
					refused, err := m.trip(t, string(format))
					made := slices.Contains(strings.Fields(kind.formats), string(format))
					switch text := fmt.Sprint(err); {
					case made && err != nil:
						t.Errorf("%s: %s: %v", format, refused, err)
					case !made && err == nil:
						t.Errorf("%s: the trip is made: add it to kinds", format)
					case !made && !strings.Contains(text, "(hint: ") && !strings.Contains(text, "the script build is not played"):
						t.Errorf("%s: %s refuses without a hint: %v", format, refused, err)
					}
				}
			})
		}
	}
}

// trip exports the problem p in a format, imports that, exports the result, and compares the exports. If a step fails,
// it returns which.
func (m *machine) trip(t *testing.T, format string) (string, error) {
	t.Helper()
	once, twice, id := format+"-1", format+"-2", strings.ReplaceAll(format, "-", "")
	if _, err := export(m, []string{"p", format, once}); err != nil {
		return "the export", err
	}
	if _, err := importPackage(m, []string{once, id}); err != nil {
		return "the import", err
	}
	if _, err := export(m, []string{id, format, twice}); err != nil {
		return "the second export", err
	}
	first, second := m.read(t, once), m.read(t, twice)
	for _, name := range slices.Sorted(maps.Keys(first)) {
		again, kept := second[name]
		switch {
		case !kept:
			t.Errorf("%s: the second export lacks %s", format, name)
		case again != strings.Replace(first[name], "short-name = p\n", "short-name = "+id+"\n", 1):
			t.Errorf("%s: the second export has another %s: %q, not %q", format, name, again, first[name])
		}
	}
	for _, name := range slices.Sorted(maps.Keys(second)) {
		if _, was := first[name]; !was {
			t.Errorf("%s: only the second export has %s", format, name)
		}
	}
	return "", nil
}

// read returns the files of a folder.
func (m *machine) read(t *testing.T, dir string) map[string]string {
	t.Helper()
	found := map[string]string{}
	top := filepath.Join(m.root, dir)
	err := filepath.WalkDir(top, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(name)
		found[strings.TrimPrefix(name, top+"/")] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}
