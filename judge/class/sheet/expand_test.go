package sheet

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tribunal/judge/internal/yamlstrict"
)

// packed returns an archive of files, each a path, = and its text: a zip file, or a compressed tar file.
func packed(t *testing.T, name string, files ...string) string {
	t.Helper()
	var b bytes.Buffer
	if strings.HasSuffix(name, ".zip") {
		w := zip.NewWriter(&b)
		for _, file := range files {
			path, text, _ := strings.Cut(file, "=")
			h := &zip.FileHeader{Name: path, Method: zip.Deflate}
			if link, is := strings.CutPrefix(text, "-> "); is {
				h.SetMode(os.ModeSymlink | 0o777)
				text = link
			}
			f, err := w.CreateHeader(h)
			if err == nil {
				_, err = f.Write([]byte(text))
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		w.Close()
	} else {
		z := gzip.NewWriter(&b)
		w := tar.NewWriter(z)
		for _, file := range files {
			path, text, _ := strings.Cut(file, "=")
			if err := w.WriteHeader(&tar.Header{Name: path, Mode: 0o644, Size: int64(len(text))}); err != nil {
				t.Fatal(err)
			}
			w.Write([]byte(text))
		}
		w.Close()
		z.Close()
	}
	return name + "=" + b.String()
}

// TestNames checks that files have the names that the students gave them, which Java's classes need, and that the ids of
// the platforms are known.
func TestNames(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why     string
		files   []string
		pattern string
		want    string // student [id]: names of the files
		more    bool   // there are two problems
	}{
		{"Moodle", []string{"A B_1_assignsubmission_file_Main.java", "A B_1_assignsubmission_file_Util.java"}, "", "A B [1]: Main.java Util.java", false},
		{"Canvas", []string{"ab_100_200_Main-1.java", "ab_100_201_Util.java"}, "", "ab [100]: Main.java Util.java", false},
		{"Blackboard", []string{"H W_u1_attempt_2026-11-03-14-22-05_Main.java", "H W_u1_attempt_2026-11-03-14-22-05_Util.java"}, "", "u1 [u1]: Main.java Util.java", false},
		{"Gradescope without a number", []string{"submission_1/Main.java", "submission_1/Util.java", "submission_metadata.yml=submission_1: {':submitters': [{':name': A, ':email': a@x.org}]}"}, "", "A [a@x.org]: Main.java Util.java", false},
		{"a pattern of prefixes", []string{"ab-Main.java", "ab-Util.java"}, `^(?P<student>\w+)-`, "ab []: Main.java Util.java", false},
		{"a pattern of whole paths", []string{"ab/x/Main.java", "ab/x/Util.java"}, `^(?P<student>\w+)/.*$`, "ab []: Main.java Util.java", false},
		{"a pattern of folders", []string{"ab/x/Main.java", "ab/Util.java"}, `^(?P<student>\w+)/`, "ab []: Util.java x", false},
		{"downloads whose numbers differ", []string{"game/A_1_assignsubmission_file_/Main.java", "maze/A_2_assignsubmission_file_/x.c"}, "", "A []: Main.java", true},
	} {
		problems := []string{"game"}
		if tt.more {
			problems = append(problems, "maze")
		}
		s, err := Read(t.Context(), lay(t, tt.files...), problems, isSource, Options{Pattern: tt.pattern})
		if err != nil {
			t.Errorf("%s: %v", tt.why, err)
			continue
		}
		t.Cleanup(func() { s.Close() })
		if slices.Contains(slices.Collect(maps.Values(s.IDs)), "") {
			t.Errorf("%s: ids that are none: %v", tt.why, s.IDs)
		}
		e := s.Entries[0]
		got := fmt.Sprintf("%s [%s]:", e.Student, s.IDs[e.Student])
		entries, err := os.ReadDir(e.Path)
		if err != nil {
			got += " " + filepath.Base(e.Path)
		}
		for _, f := range entries {
			got += " " + f.Name()
		}
		if got != tt.want {
			t.Errorf("%s: %s, want %s", tt.why, got, tt.want)
		}
	}
}

// TestBadSheets gives errors of the user: one located line with a hint, and nothing is left.
func TestBadSheets(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why, place string
		files      []string
		options    Options
		want       string
	}{
		{"not this layout", "", []string{"ann/game.c"}, Options{Layout: "moodle"}, "DIR: not a download of Moodle (hint: without --layout it is found by content; --student-pattern reads others)"},
		{"no regular expression", "", []string{"ann/game.c"}, Options{Pattern: "(?P<student>["}, "--student-pattern: missing closing ]: `[` (hint: named groups give the parts of a path, such as '(?P<student>[^/]+)/(?P<problem>\\w+)')"},
		{"no group student", "", []string{"ann/game.c"}, Options{Pattern: "(?P<problem>x)"}, "--student-pattern: no group student (hint: "},
		{"a layout beside it", "", []string{"ann/game.c"}, Options{Pattern: "(?P<student>x)", Layout: "moodle"}, "--student-pattern: it and --layout exclude each other (hint: "},
		{"an unknown group", "", []string{"ann/game.c"}, Options{Pattern: "(?P<student>x)(?P<studnet>x)"}, "--student-pattern: unknown group studnet (the groups are student, problem, attempt, time, late) (hint: "},
		{"a pattern that matches nothing", "", []string{"ann/game.c"}, Options{Pattern: "(?P<student>x+)"}, "DIR: nobody has handed in anything for game, maze (hint: DIR/ann/game.c: does not match --student-pattern)"},
		{"an archive that is none", "x.zip", []string{"x.zip=PK"}, Options{}, "DIR/x.zip: not a readable zip archive: zip: not a valid zip file (hint: download it again, or extract it and name the folder)"},
		{"an archive that leads out", "x.zip", []string{packed(t, "x.zip", "../ann/game.c=x")}, Options{}, `DIR/x.zip: the name "../ann/game.c" has a path that leads out of the archive (hint: download`},
		{"an empty archive", "x.zip", []string{packed(t, "x.zip")}, Options{}, "DIR/x.zip: nobody has handed in anything for game, maze (hint: "},
		{"a layout for a table", "x.csv", []string{"x.csv=student,path\n"}, Options{Layout: "moodle"}, "DIR/x.csv: a layout or a pattern is for folders and archives (hint: "},
		{"metadata of Gradescope that are damaged", "", []string{"submission_metadata.yml=a: [", "a/game.c"}, Options{}, "DIR/submission_metadata.yml: yaml: line 1: did not find expected node content (hint: export"},
		{"submissions of a contest that are damaged", "", []string{"submissions.json={}", "submissions/1/game.c"}, Options{}, "DIR/submissions.json: json: cannot unmarshal object into Go value of type []sheet.object (hint: its form is that of https://ccs-specs.icpc.io)"},
	} {
		dir := lay(t, tt.files...)
		s, err := Read(t.Context(), filepath.Join(dir, tt.place), []string{"game", "maze"}, isSource, tt.options)
		if err == nil {
			s.Close()
			t.Errorf("%s: read %+v", tt.why, s.Entries)
			continue
		}
		got := strings.ReplaceAll(err.Error(), dir, "DIR")
		if _, user := errors.AsType[*yamlstrict.Error](err); !user || !strings.HasPrefix(got, tt.want) || strings.Contains(got, "\n") {
			t.Errorf("%s: %s, want %s", tt.why, got, tt.want)
		}
	}
}

// TestClassArchive reads the archive of a whole class, as it is downloaded, and removes what it extracts.
func TestClassArchive(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why, place string
		file, more string
		want       string
	}{
		{"Moodle", "m.zip", packed(t, "m.zip", "Al B_1_assignsubmission_file_/game.c=x", "Bo_2_assignsubmission_file_/hw/maze.py=x"), "", "Al B game m.zip/Al B_1_assignsubmission_file_/game.c; Bo maze m.zip/Bo_2_assignsubmission_file_/hw/maze.py"},
		{"a folder in it", "class.tar.gz", packed(t, "class.tar.gz", "class/ann/game.c=x", "class/bob/maze.c=x"), "", "ann game class.tar.gz/class/ann/game.c; bob maze class.tar.gz/class/bob/maze.c"},
		{"a folder, as macOS packs it", "class.zip", packed(t, "class.zip", "class/ann/game.c=x", "__MACOSX/class/._ann=x", "class/bob/maze.c=x"), "", "ann game class.zip/class/ann/game.c; bob maze class.zip/class/bob/maze.c"},
		{"one student", "x.zip", packed(t, "x.zip", "ann/game.c=x"), "", "ann game x.zip/ann/game.c"},
		{"archives of students in it", "x.zip", packed(t, "x.zip", packed(t, "ann.zip", "game.c=x"), "bob/game.c=x"), "", "ann game x.zip/ann.zip/game.c; bob game x.zip/bob/game.c"},
		{"for each problem", ".", packed(t, "game.zip", "Al_1_assignsubmission_file_/x.c=x"), "", "Al game game.zip/Al_1_assignsubmission_file_/x.c"},
		{"a table of archives", "t.csv", "t.csv=student,problem,path\nann,game,x.zip\n", packed(t, "x.zip", "src/x.c=x"), "ann game x.zip/src/x.c"},
		{"a table", "t.csv", "t.csv=student,problem,path\nann,game,x.zip\n", "", "ann game x.zip x.zip: no such file or directory"},
	} {
		dir := lay(t, slices.DeleteFunc([]string{tt.file, tt.more}, func(file string) bool { return file == "" })...)
		s, err := Read(t.Context(), filepath.Join(dir, tt.place), []string{"game", "maze"}, isSource, Options{})
		if err != nil {
			t.Errorf("%s: %v", tt.why, err)
			continue
		}
		var got []string
		for _, e := range s.Entries {
			got = append(got, strings.TrimSpace(strings.ReplaceAll(fmt.Sprint(e.Student, " ", e.Problem, " ", e.Shown, " ", e.Wrong), dir+"/", "")))
		}
		if got := strings.Join(got, "; "); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.why, got, tt.want)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		if s.read.scratch != "" && exists(s.read.scratch) {
			t.Errorf("%s: %s is left", tt.why, s.read.scratch)
		}
	}
}
