package sheet

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tribunal/judge/internal/yamlstrict"
)

// lay makes files with the given paths; a path that ends in / is a folder, and one with " -> " a link.
func lay(t *testing.T, paths ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, p := range paths {
		var err error
		name := filepath.Join(dir, p)
		link, to, isLink := strings.Cut(p, " -> ")
		switch {
		case isLink:
			err = os.Symlink(to, filepath.Join(dir, link))
		case strings.HasSuffix(p, "/"):
			err = os.MkdirAll(name, 0o755)
		default:
			if err = os.MkdirAll(filepath.Dir(name), 0o755); err == nil {
				err = os.WriteFile(name, []byte(p), 0o644)
			}
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestFolder(t *testing.T) {
	t.Parallel()
	two, one := []string{"game", "maze"}, []string{"game"}
	for _, tt := range []struct {
		why      string
		problems []string
		files    []string
		want     []string // student problem path [wrong]
		notes    []string
	}{
		{"folders of students", two, []string{"bob/maze.py", "ann/game.cpp", "ann/MAZE.c"}, []string{"ann game ann/game.cpp", "ann maze ann/MAZE.c", "bob maze bob/maze.py"}, nil},
		{"a submission that is a folder", two, []string{"ann/game/main.go", "ann/game/go.mod"}, []string{"ann game ann/game"}, nil},
		{"folders of problems", two, []string{"Game/ann.cpp", "maze/ann.py", "maze/bob/main.c"}, []string{"ann game Game/ann.cpp", "ann maze maze/ann.py", "bob maze maze/bob"}, nil},
		{"a student who is named like a problem", two, []string{"maze/game.c", "ann/game.c"}, []string{"ann game ann/game.c", "maze game maze/game.c"}, nil},
		{"files with both names", two, []string{"ann_game.cpp", "maze-bob.c", "a.b.maze.py"}, []string{"a.b maze a.b.maze.py", "ann game ann_game.cpp", "bob maze maze-bob.c"}, nil},
		{"one problem: files of students", one, []string{"ann.cpp", "bob.py"}, []string{"ann game ann.cpp", "bob game bob.py"}, nil},
		{"one problem: any file, or several sources, of a student", one, []string{"ann_123_assign_file_/solution.cpp", "bob/a.cpp", "bob/b.h"}, []string{"ann_123_assign_file_ game ann_123_assign_file_/solution.cpp", "bob game bob"}, nil},
		{"several files for a problem", two, []string{"ann/game.c", "ann/game.py", "ann/maze.c"}, []string{"ann game ann/game.c several files: DIR/ann/game.c and DIR/ann/game.py", "ann maze ann/maze.c"}, nil},
		{"what belongs to nothing", two, []string{"ann/game.c", "ann/notes.txt", "README"}, []string{"ann game ann/game.c"}, []string{"README: belongs to none of the problems game, maze", "ann/notes.txt: belongs to none of the problems game, maze"}},
		{"hidden files", two, []string{".git/config", "ann/.DS_Store", "ann/game.c"}, []string{"ann game ann/game.c"}, nil},
		{"links are not followed", two, []string{"ann/game.c", "ann/maze.c -> /etc/passwd", "eve -> /"}, []string{"ann game ann/game.c"}, []string{"eve: a symbolic link, which is not followed", "ann/maze.c: a symbolic link, which is not followed"}},
		{"names that a shell or a terminal would take for something", two, []string{"$(touch x)\x1b[31m\n/game.c", "=1+2/maze.py"}, []string{"$(touch x)\x1b[31m\n game $(touch x)\x1b[31m\n/game.c", "=1+2 maze =1+2/maze.py"}, nil},
	} {
		dir := lay(t, tt.files...)
		s, err := Read(dir, tt.problems)
		if err != nil {
			t.Errorf("%s: %v", tt.why, err)
			continue
		}
		var got, notes []string
		for _, e := range s.Entries {
			path, _ := filepath.Rel(dir, e.Path)
			got = append(got, strings.TrimSpace(fmt.Sprint(e.Student, " ", e.Problem, " ", path, " ", strings.ReplaceAll(e.Wrong, dir, "DIR"))))
		}
		for _, n := range s.Notes {
			notes = append(notes, strings.TrimPrefix(n, dir+"/"))
		}
		if d := cmp.Diff([2][]string{tt.want, tt.notes}, [2][]string{got, notes}); d != "" {
			t.Errorf("%s (-want +got):\n%s", tt.why, d)
		}
	}
}

func TestTable(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ why, table, want string }{
		{"columns in any order, and one of their own", "path,group,Student,problem\na.c,1,ann,game\nsub/b.py,2,\"Bob, Jr.\",MAZE\n", "Bob, Jr. maze sub/b.py; ann game a.c"},
		{"a byte order mark and CRLF", "\ufeffstudent,problem,path\r\nann,game,a.c\r\n", "ann game a.c"},
		{"nothing handed in", "student,problem,path\nann,game,a.c\nbob,game,\n", "ann game a.c"},
		{"a missing file", "student,problem,path\nann,game,nosuch.c\n", "ann game nosuch.c no such file or directory"},
		{"two files", "student,problem,path\nann,game,a.c\nann,game,sub/b.py\n", "ann game a.c several files: DIR/a.c and DIR/sub/b.py"},
		{"no header", "ann,game,a.c\n", "DIR/t.csv:1: no column student (hint: the first row names the columns: student, problem, path)"},
		{"empty", "", "DIR/t.csv: the table is empty (hint: the first row names the columns: student, problem, path)"},
		{"an unknown problem", "student,problem,path\nann,game,a.c\nann,mzae,a.c\n", `DIR/t.csv:3: unknown problem "mzae" (hint: the problems are game, maze)`},
		{"a row that is too short", "student,problem,path\nann,game\n", "DIR/t.csv:2: wrong number of fields (hint: CSV as of RFC 4180: fields with commas or quotes stand in quotes)"},
		{"an open quote", "student,problem,path\n\"ann,game,a.c\n", `DIR/t.csv:2: extraneous or missing " in quoted-field (hint: CSV as of RFC 4180: fields with commas or quotes stand in quotes)`},
		{"no name", "student,problem,path\n,game,a.c\n", "DIR/t.csv:2: no student (hint: every row names one)"},
		{"a binary file", "\x7fELF\x00\x01\x02", "DIR/t.csv:1: no column student (hint: the first row names the columns: student, problem, path)"},
	} {
		dir := lay(t, "a.c", "sub/b.py")
		name := filepath.Join(dir, "t.csv")
		if err := os.WriteFile(name, []byte(tt.table), 0o644); err != nil {
			t.Fatal(err)
		}
		s, err := Read(name, []string{"game", "maze"})
		got := ""
		if err != nil {
			got = err.Error()
		} else {
			var list []string
			for _, e := range s.Entries {
				list = append(list, strings.TrimSpace(fmt.Sprint(e.Student, " ", e.Problem, " ", strings.TrimPrefix(e.Path, dir+"/"), " ", e.Wrong)))
			}
			got = strings.Join(list, "; ")
		}
		if got = strings.ReplaceAll(got, dir, "DIR"); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.why, got, tt.want)
		}
	}
	if _, err := Read(lay(t, "notes/x.txt"), []string{"game", "maze"}); err == nil || !strings.Contains(err.Error(), "nobody has handed in anything for game, maze (hint: ") {
		t.Errorf("an empty folder: %v", err)
	}
	if _, err := Read("/no/such", []string{"game"}); err == nil || err.Error() != "/no/such: no such file or directory (hint: name a folder, or a table in CSV)" {
		t.Error(err)
	}
}

func FuzzTable(f *testing.F) {
	f.Add("student,problem,path\nann,game,a.c\n")
	f.Fuzz(func(t *testing.T, text string) {
		name := filepath.Join(t.TempDir(), "t.csv")
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		s, err := Read(name, []string{"game", "maze"})
		if err != nil {
			if _, ok := err.(*yamlstrict.Error); !ok {
				t.Fatalf("not an error of the user: %v", err)
			}
			return
		}
		for _, e := range s.Entries {
			if e.Student == "" || e.Problem != "game" && e.Problem != "maze" || e.Path == "" {
				t.Fatalf("%+v", e)
			}
		}
	})
}
