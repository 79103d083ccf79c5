package pkgexport

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/casedata"
	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/repo"
	"tribunal/judge/internal/verdict"
	"tribunal/judge/packages/pkgformat"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// repository writes the problem of testdata/sum.txtar into a new folder and returns its path. files
// replaces or adds files; a file with an empty text is left out.
func repository(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	a, err := txtar.ParseFile("testdata/sum.txtar")
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, f := range a.Files {
		all[f.Name] = string(f.Data)
	}
	for name, text := range files {
		all[name] = text
	}
	for name, text := range all {
		if text == "" {
			continue
		}
		path := filepath.Join(root, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, []byte(text), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func job(t *testing.T, root string, format Format) *Job {
	t.Helper()
	p, err := repo.Load(root, "sum")
	if err != nil {
		t.Fatal(err)
	}
	set, err := cases.Load(root, "sum")
	if err != nil {
		t.Fatal(err)
	}
	provider := &casedata.Provider{Problem: p, Builder: build.New(build.Options{Languages: build.Defaults()})}
	return &Job{Problem: p, Cases: set.Cases, CaseData: provider, Format: format}
}

// write writes a package and returns its files as a txtar archive. Names of executable files get a
// star at the end.
func write(t *testing.T, j *Job) (*Summary, *txtar.Archive) {
	t.Helper()
	target := filepath.Join(t.TempDir(), "sum")
	s, err := j.Write(t.Context(), target)
	if err != nil {
		t.Fatal(err)
	}
	a := &txtar.Archive{}
	err = filepath.WalkDir(target, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		name := strings.TrimPrefix(path, target+"/")
		if info, _ := d.Info(); info.Mode()&0o100 != 0 {
			name += "*"
		}
		a.Files = append(a.Files, txtar.File{Name: name, Data: text})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return s, a
}

// TestGolden writes the problem of testdata/sum.txtar in all formats and compares with golden
// files.
func TestGolden(t *testing.T) {
	t.Parallel()
	for _, format := range All() {
		t.Run(string(format), func(t *testing.T) {
			t.Parallel()
			root := repository(t, nil)
			s, a := write(t, job(t, root, format))
			for _, note := range s.Notes {
				a.Comment = append(a.Comment, strings.ReplaceAll(note, root, "ROOT")+"\n"...)
			}
			a.Comment = fmt.Appendf(a.Comment, "%d cases, %d submissions\n", s.Cases, s.Submissions)
			for i, f := range a.Files { // keep only the first line of files that this package embeds
				if text := string(f.Data); strings.HasSuffix(f.Name, "check.go") || strings.HasSuffix(f.Name, "testlib.go") {
					a.Files[i].Data = []byte(text[:strings.Index(text, "\n")+1])
				}
			}
			golden := filepath.Join("testdata", string(format)+".golden.txtar")
			got := txtar.Format(a)
			if *update {
				if err := os.WriteFile(golden, got, 0o666); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(strings.SplitAfter(string(want), "\n"), strings.SplitAfter(string(got), "\n")); d != "" {
				t.Error(d)
			}
		})
	}
}

// TestReadBack checks that the judge can read its own packages without any notes.
func TestReadBack(t *testing.T) {
	t.Parallel()
	for _, format := range All() {
		for _, name := range []string{"sum", "sum.zip"} {
			target := filepath.Join(t.TempDir(), name)
			if _, err := job(t, repository(t, nil), format).Write(t.Context(), target); err != nil {
				t.Fatal(err)
			}
			pack, err := pkgformat.Open(t.Context(), target, pkgformat.Options{Scratch: pkgformat.In(t.TempDir())})
			if err != nil {
				t.Errorf("%s: %v", format, err)
				continue
			}
			defer pack.Close()
			p := pack.Draft()
			if len(p.Notes) > 0 && format != CMS { // in tasks of CMS, submissions promise nothing
				t.Errorf("%s %s is read with notes: %q", format, name, p.Notes)
			}
			if format == Pairs && len(p.Cases) == 4 { // they have no title and no limits
				continue
			}
			if len(p.Cases) != 4 || p.Title != "Sum" || p.Time.Limit.String() != "1.5s" {
				t.Errorf("%s %s: %d cases, called %q, time limit %v", format, name, len(p.Cases), p.Title, p.Time.Limit)
			}
			for _, s := range p.Submissions {
				if format == CMS && s.Expect.Final == 0 {
					continue
				}
				checkPromise(t, format, s)
			}
		}
	}
}

// checkPromise checks that a submission may get the verdict that its file is named for, and may be
// accepted only if that is the verdict.
func checkPromise(t *testing.T, format Format, s problem.Submission) {
	t.Helper()
	may := func(v verdict.Verdict) bool {
		ok := s.Expect.Final == 0 || s.Expect.Final.Has(v)
		for _, r := range s.Expect.Rules {
			ok = ok && r.Required.Has(v)
		}
		return ok && s.Expect.From != ""
	}
	name := filepath.Base(s.Path)
	stem := strings.TrimSuffix(name, filepath.Ext(name))
	want, known := verdict.OfFolder(stem)
	if !known {
		return
	}
	if format == Polygon && want == verdict.ILE || format == Polygon && want == verdict.RTE {
		want = verdict.WA // the tag rejected includes every verdict but AC
	}
	if !may(want) || may(verdict.AC) != (want == verdict.AC) {
		t.Errorf("%s: %s is promised %v (by %s)", format, s.Path, s.Expect, s.Expect.From)
	}
}

// TestValidatorsInGo exports validators that were imported: they are no packages of the repository's module.
func TestValidatorsInGo(t *testing.T) {
	t.Parallel()
	a, err := txtar.ParseFile("testdata/sum.txtar")
	if err != nil {
		t.Fatal(err)
	}
	const check, number = "package main\n\nfunc main() {}\n", "package main // a number\n\nfunc main() {}\n"
	files := map[string]string{
		"reference/sum/output_validators/check/check.go": check, "reference/sum/input_validators/number/number.go": number,
		"reference/sum/input_validators/number/go.mod": "module number\n\ngo 1.22\n", "reference/sum/check/main.go": "", "reference/sum/check/main_test.go": "",
	}
	for _, f := range a.Files {
		if f.Name == "problems/sum.yaml" {
			files[f.Name] = string(f.Data) + "output_validators: [{name: check, protocol: icpc}]\ninput_validators: [{name: number, protocol: icpc}]\n"
		}
	}
	for format, validators := range map[Format]string{Kattis: "output_validator input_validators", Legacy: "output_validators/check input_validators", DOMjudge: "output_validators/check input_validators"} {
		_, got := write(t, job(t, repository(t, files), format))
		texts := map[string]string{}
		for _, f := range got.Files {
			texts[f.Name] = string(f.Data)
		}
		output, input, _ := strings.Cut(validators, " ")
		for name, want := range map[string]string{
			output + "/check.go": check, output + "/go.mod": "module program\n\ngo " + noModule.version + "\n",
			input + "/number/number.go": number, input + "/number/go.mod": "module number\n\ngo 1.22\n",
		} {
			if texts[name] != want {
				t.Errorf("%s: %s: %q, want %q", format, name, texts[name], want)
			}
		}
	}
}

// TestSameBytes checks that an archive has the same bytes if it is written from another folder
// whose files have other times.
func TestSameBytes(t *testing.T) {
	t.Parallel()
	for _, format := range All() {
		var first []byte
		for i := range 2 {
			root := repository(t, nil)
			if i == 1 {
				if err := filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
					return errors.Join(err, os.Chtimes(path, epoch, epoch))
				}); err != nil {
					t.Fatal(err)
				}
			}
			target := filepath.Join(t.TempDir(), "sum.zip")
			if _, err := job(t, root, format).Write(t.Context(), target); err != nil {
				t.Fatal(err)
			}
			data, err := os.ReadFile(target)
			if err != nil {
				t.Fatal(err)
			}
			if i == 0 {
				first = data
				checkArchive(t, format, data)
			} else if !bytes.Equal(first, data) {
				t.Errorf("%s: the second archive differs from the first", format)
			}
		}
	}
}

func checkArchive(t *testing.T, format Format, data []byte) {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range z.File {
		names = append(names, f.Name)
		if dir := path.Dir(strings.TrimSuffix(f.Name, "/")); dir != "." && !slices.Contains(names, dir+"/") {
			t.Errorf("%s: %s has no entry of its folder before it", format, f.Name)
		}
		if f.Mode().IsDir() {
			continue
		}
		wrapped := format == CMS && (strings.HasPrefix(f.Name, "check/checker/") || strings.HasPrefix(f.Name, "gen/validator/"))
		if (wrapped || strings.HasSuffix(f.Name, "/build")) != (f.Mode()&0o111 != 0) {
			t.Errorf("%s: %s has the mode %v", format, f.Name, f.Mode())
		}
		if !f.Modified.Equal(time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)) {
			t.Errorf("%s: %s has the time %v", format, f.Name, f.Modified)
		}
		if below := strings.HasPrefix(f.Name, "sum/"); below != (format == Kattis) {
			t.Errorf("%s: %s: below a folder is %v", format, f.Name, below)
		}
	}
	if !slices.IsSorted(names) {
		t.Errorf("%s: names are not in order: %v", format, names)
	}
}

// TestTarget writes to targets that are free, taken or cannot be written.
func TestTarget(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why, target string
		make        string // file to create first; "" for none
		want        string // error; "" if the package is written
	}{
		{"a new folder", "sum", "", ""},
		{"a new archive", "sum.zip", "", ""},
		{"a new archive with another extension", "sum.KPP", "", ""},
		{"a folder with a file", "sum", "sum/file", "the folder is not empty (hint: remove it, or name another target with -o)"},
		{"a file at the place of a folder", "sum", "sum", "it already exists (hint: remove it, or name another target with -o)"},
		{"a folder at the place of an archive", "sum.zip", "sum.zip/file", "it already exists (hint: remove it, or name another target with -o)"},
		{"an existing archive", "sum.zip", "sum.zip", "it already exists (hint: remove it, or name another target with -o)"},
		{"a missing parent folder", "a/sum", "", "a: no such file or directory (hint: create this folder first)"},
		{"a file as the parent folder", "a/sum", "a", "not a directory (hint: name another target with -o)"},
	} {
		dir := t.TempDir()
		target := filepath.Join(dir, tt.target)
		if tt.make != "" {
			file := filepath.Join(dir, tt.make)
			if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o777), os.WriteFile(file, []byte("x"), 0o666)); err != nil {
				t.Fatal(err)
			}
		}
		_, err := job(t, repository(t, nil), DOMjudge).Write(t.Context(), target)
		got := ""
		if bad, ok := errors.AsType[*TargetError](err); ok {
			got = strings.ReplaceAll(strings.TrimPrefix(bad.Error(), target+": "), dir+"/", "")
		} else if err != nil {
			t.Errorf("%s: %v is not about the target", tt.why, err)
		}
		if got != tt.want {
			t.Errorf("%s: %q, want %q", tt.why, got, tt.want)
		}
		checkLeft(t, tt.why, dir, tt.make, tt.want == "")
	}
}

// checkLeft checks that a folder contains only the written package, or else the file that was there
// before; neither may have a temporary name.
func checkLeft(t *testing.T, why, dir, before string, written bool) {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	want := 0
	if before != "" || written {
		want = 1
	}
	if len(list) != want || want == 1 && strings.HasPrefix(list[0].Name(), ".") {
		t.Errorf("%s: left %v", why, list)
	}
}

// TestNothingHalfWritten checks that a failure in the middle of writing leaves nothing behind.
func TestNothingHalfWritten(t *testing.T) {
	t.Parallel()
	stop, cancel := context.WithCancel(t.Context())
	for why, last := range map[string]func(context.Context) ([]byte, error){
		"a file whose content cannot be computed": func(context.Context) ([]byte, error) { return nil, io.ErrUnexpectedEOF },
		"an interruption":                         func(context.Context) ([]byte, error) { cancel(); return nil, nil },
	} {
		for _, name := range []string{"sum", "sum.zip"} {
			dir := t.TempDir()
			files := []file{{name: "a/b", content: func(context.Context) ([]byte, error) { return []byte("b"), nil }}, {name: "c", content: last}}
			if err := writeTo(stop, filepath.Join(dir, name), true, files); err == nil {
				t.Errorf("%s: no error", why)
			}
			checkLeft(t, why, dir, "", false)
		}
	}
}

// TestFullDevice checks the error for an archive on a full device.
func TestFullDevice(t *testing.T) {
	t.Parallel()
	fail := func(err error) error { return &TargetError{"sum", cause(err), "make room"} }
	files := []file{{name: "a", content: func(context.Context) ([]byte, error) { return []byte("a"), nil }}}
	err := writeArchive(t.Context(), "/dev/full", "", files, fail)
	if bad, ok := errors.AsType[*TargetError](err); !ok || bad.Err.Error() != "no space left on device" {
		t.Errorf("got %v", err)
	}
}
