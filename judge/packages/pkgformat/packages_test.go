package pkgformat_test

import (
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"tribunal/judge/internal/yamlstrict"
	"tribunal/judge/packages/pkgformat"
)

var update = flag.Bool("update", false, "write what comes out into testdata/packages instead of comparing")

// TestPackages reads the packages in testdata/packages. Each archive begins with the reason why it is there. Then
// come the files of a package and, in the file want, the problem that it makes, or the error. Files named
// "row: path" replace files of the package, or add some, and "row: want" has the lines of the problem that differ
// then, or the error; "row: without path" removes a file or folder. The file options has lines such as "root .".
// Programs that make test data are played: see package played.
func TestPackages(t *testing.T) {
	t.Parallel()
	archives, err := filepath.Glob("testdata/packages/*/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatalf("no archives: %v", err)
	}
	for _, archive := range archives {
		name := strings.TrimSuffix(filepath.ToSlash(strings.TrimPrefix(archive, filepath.FromSlash("testdata/packages/"))), ".txtar")
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a, err := txtar.ParseFile(archive)
			if err != nil {
				t.Fatal(err)
			}
			if len(strings.TrimSpace(string(a.Comment))) == 0 {
				t.Error("no reason why it is there")
			}
			rows := rowsOf(a)
			var base string
			for i, r := range rows {
				got := outcome(t, r, filepath.Base(name))
				if i == 0 {
					base = got
				} else if !strings.HasPrefix(got, "error: ") && !strings.HasPrefix(base, "error: ") {
					got = changes(base, got)
				}
				if r.want = got; *update {
					continue
				}
				if want := r.given; got != want {
					t.Errorf("%s: got\n%s\nwant\n%s\n(hint: go test ./judge/packages/pkgformat -run TestPackages -update)", r.name, got, want)
				}
			}
			if *update {
				write(t, archive, a, rows)
			}
		})
	}
}

const (
	wantFile    = "want"
	optionsFile = "options"
	without     = "without "
)

// row is a package of an archive: the base, whose name is "", or a variant of it.
type row struct {
	name    string
	files   map[string][]byte
	options string
	given   string // want as the archive has it
	want    string // and as it should have it
}

// rowsOf returns the packages of an archive, the base first.
func rowsOf(a *txtar.Archive) []*row {
	base := &row{files: map[string][]byte{}}
	rows := []*row{base}
	for _, f := range a.Files {
		name, path, is := strings.Cut(f.Name, ": ")
		if !is {
			name, path = "", f.Name
		}
		var r *row
		if i := slices.IndexFunc(rows, func(r *row) bool { return r.name == name }); i >= 0 {
			r = rows[i]
		} else {
			r = &row{name: name, files: maps.Clone(base.files), options: base.options}
			rows = append(rows, r)
		}
		switch removed, is := strings.CutPrefix(path, without); {
		case is:
			maps.DeleteFunc(r.files, func(at string, _ []byte) bool { return strings.HasPrefix(at+"/", removed+"/") })
		case path == wantFile:
			r.given = string(f.Data)
		case path == optionsFile:
			r.options = string(f.Data)
		default:
			r.files[path] = f.Data
		}
	}
	return rows
}

// write writes an archive with the outcomes of its rows.
func write(t *testing.T, name string, a *txtar.Archive, rows []*row) {
	t.Helper()
	made := &txtar.Archive{Comment: a.Comment}
	for i, r := range rows {
		prefix := ""
		if i > 0 {
			prefix = r.name + ": "
		}
		for _, f := range a.Files {
			own := strings.HasPrefix(f.Name, prefix) && (i > 0 || !strings.Contains(f.Name, ": "))
			if own && f.Name != prefix+wantFile {
				made.Files = append(made.Files, f)
			}
		}
		made.Files = append(made.Files, txtar.File{Name: prefix + wantFile, Data: []byte(r.want)})
	}
	if err := os.WriteFile(name, txtar.Format(made), 0o644); err != nil {
		t.Fatal(err)
	}
}

// outcome opens the package of a row in a folder called id, and describes it or the error.
func outcome(t *testing.T, r *row, id string) string {
	t.Helper()
	top := t.TempDir()
	dir := filepath.Join(top, id)
	unpackInto(t, dir, r.files)
	shown := func(text string) string {
		return strings.ReplaceAll(strings.ReplaceAll(text, top+"/", ""), top, "..")
	}
	m := newMaker(t)
	o := pkgformat.Options{Scratch: pkgformat.In(t.TempDir()), Make: m}
	contestant := ""
	for line := range strings.Lines(r.options) {
		switch words := strings.Fields(line); {
		case len(words) == 2 && words[0] == "root":
			o.Root = filepath.Join(top, id, words[1])
		case len(words) == 2 && words[0] == "open":
			dir = filepath.Join(dir, words[1])
		case len(words) == 2 && words[0] == "dialect":
			o.Dialect = pkgformat.Dialect(words[1])
		case len(words) == 2 && words[0] == "submit":
			contestant = filepath.Join(top, id, words[1])
		default:
			t.Fatalf("%s: unknown option %q", r.name, line)
		}
	}
	p, err := pkgformat.Open(t.Context(), dir, o)
	if err == nil {
		defer p.Close()
		var text string
		if text, err = describe(p, contestant); err == nil {
			return shown(text)
		}
	}
	if _, located := errors.AsType[*yamlstrict.Error](err); !located {
		t.Errorf("%s: %T is not a located error: %v", r.name, err, err)
	}
	return "error: " + shown(err.Error()) + "\n"
}

// changes returns the lines that were removed from a text, with "- " before them, and those that were added, with
// "+ ".
func changes(from, to string) string {
	a, b := strings.SplitAfter(from, "\n"), strings.SplitAfter(to, "\n")
	// common[i][j] is the largest number of lines that a[i:] and b[j:] have in common.
	common := make([][]int, len(a)+1)
	common[len(a)] = make([]int, len(b)+1)
	for i := len(a) - 1; i >= 0; i-- {
		common[i] = make([]int, len(b)+1)
		for j := len(b) - 1; j >= 0; j-- {
			if common[i][j] = max(common[i+1][j], common[i][j+1]); a[i] == b[j] {
				common[i][j] = 1 + common[i+1][j+1]
			}
		}
	}
	var text strings.Builder
	for i, j := 0, 0; i < len(a) || j < len(b); {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			i, j = i+1, j+1
		case i < len(a) && (j == len(b) || common[i+1][j] >= common[i][j+1]):
			fmt.Fprint(&text, "- ", a[i])
			i++
		default:
			fmt.Fprint(&text, "+ ", b[j])
			j++
		}
	}
	if text.Len() == 0 {
		return "the same\n"
	}
	return text.String()
}
