package sheet

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tribunal/judge/internal/build"
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
			path, text, given := strings.Cut(p, "=") // a text of its own
			if !given || strings.HasPrefix(p, "=") {
				path, text = p, "x"
			}
			name = filepath.Join(dir, path)
			if err = os.MkdirAll(filepath.Dir(name), 0o755); err == nil {
				err = os.WriteFile(name, []byte(text), 0o644)
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
	const noStudent = ": taken for a folder of tests or tools, not for a student (hint: a table may name a student who is called so)"
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
		{"what Windows hides", one, []string{"Thumbs.db", "ann/game.c", "ann/desktop.ini"}, []string{"ann game ann/game.c"}, nil},
		{"links are not followed", two, []string{"ann/game.c", "ann/maze.c -> /etc/passwd", "eve -> /"}, []string{"ann game ann/game.c", "ann maze ann/maze.c a symbolic link, which is not followed", "eve game eve a symbolic link, which is not followed", "eve maze eve a symbolic link, which is not followed"}, nil},
		{"a linked file of no problem", two, []string{"ann/game.c", "ann/x -> game.c"}, []string{"ann game ann/game.c"}, []string{"ann/x: a symbolic link, which is not followed"}},
		{"one problem: helpers of the file that is called like it", one, []string{"ann/game.py", "ann/helper.py", "bob/game.c", "bob/util.h", "cyd/Game.java", "cyd/Helper.java"}, []string{"ann game ann", "bob game bob", "cyd game cyd"}, nil},
		{"data that the program names", one, []string{"ann/game.py=config.txt", "ann/config.txt", "bob/game.py", "bob/notes.txt"}, []string{"ann game ann", "bob game bob/game.py"}, []string{"bob/notes.txt: belongs to none of the problems game"}},
		{"several problems share a header", two, []string{"ann/game.c=#include \"util.h\"", "ann/maze.c=#include \"util.h\"", "ann/util.h"}, []string{"ann game ann", "ann maze ann"}, nil},
		{"almost the name", two, []string{"ann/Game1.c", "bob/src/game.c", "cyd/game (1).c", "dan/game-2.c", "eli/MAZE_final.py"}, []string{"ann game ann/Game1.c", "bob game bob/src/game.c", "cyd game cyd/game (1).c", "dan game dan/game-2.c", "eli maze eli/MAZE_final.py"}, nil},
		{"handed in twice", two, []string{"ann/game.c", "ann/game-2.c"}, []string{"ann game ann/game-2.c several files: DIR/ann/game-2.c and DIR/ann/game.c"}, nil},
		{"a header of the same name", two, []string{"ann/game.c", "ann/game.h"}, []string{"ann game ann"}, nil},
		{"a document of the same name", two, []string{"ann/game.c", "ann/game.pdf"}, []string{"ann game ann/game.c"}, []string{"ann/game.pdf: belongs to none of the problems game, maze"}},
		{"only a document", two, []string{"ann/game.docx"}, []string{"ann game ann/game.docx"}, nil},
		{"a source of an unknown name may be what lacks", two, []string{"ann/game.c", "ann/labyrinth.py"}, []string{"ann game ann", "ann maze ann no file is called maze, but there is DIR/ann/labyrinth.py"}, nil},
		{"a helper is not", two, []string{"ann/game.py=import helper", "ann/helper.py"}, []string{"ann game ann"}, nil},
		{"folders of a course", two, []string{"ann/hw1/x.c", "bob/hw1/game.c"}, []string{"ann game ann no file is called game, but there is DIR/ann/hw1/x.c", "ann maze ann no file is called maze, but there is DIR/ann/hw1/x.c", "bob game bob/hw1/game.c"}, nil},
		{"attempts", one, []string{"ann/1001/solution.py", "ann/1002/solution.py", "bob/1/x/a.c"}, []string{"ann game ann", "bob game bob/1/x/a.c"}, nil},
		{"a file with a student's name in front", two, []string{"ann_game.c", "ann_util.h", "bob_game.c"}, []string{"ann game ann_game.c several files: DIR/ann_game.c and DIR/ann_util.h", "bob game bob_game.c"}, nil},
		{"one problem: a file with a student's name in front", one, []string{"ann_game.c", "ann_util.h", "bob.c"}, []string{"ann game ann_game.c several files: DIR/ann_game.c and DIR/ann_util.h", "bob game bob.c"}, nil},
		{"what a platform adds to a file handed in again", two, []string{"otherben_LATE_12346_678902_game-1.c"}, []string{"otherben game otherben_LATE_12346_678902_game-1.c"}, []string{"DIR: read as a download of Canvas (hint: --layout folders reads folders of students)"}},
		{"what Canvas writes in front", two, []string{"doeann_12345_67890_game.cpp", "doeann_12345_67891_maze.py", "doeann_12345_67892_notes.pdf", "roebob_LATE_12346_67893_MAZE-1.c"}, []string{"doeann game doeann_12345_67890_game.cpp", "doeann maze doeann_12345_67891_maze.py", "roebob maze roebob_LATE_12346_67893_MAZE-1.c"}, []string{"doeann_12345_67892_notes.pdf: belongs to none of the problems game, maze", "DIR: read as a download of Canvas (hint: --layout folders reads folders of students)"}},
		{"a header among files of Canvas", two, []string{"doeann_12345_67890_game.cpp", "doeann_12345_67891_util.h", "roebob_LATE_12346_67892_util.h"}, []string{"doeann game doeann_12345_6789*"}, []string{"roebob_LATE_12346_67892_util.h: belongs to none of the problems game, maze", "DIR: read as a download of Canvas (hint: --layout folders reads folders of students)"}},
		{"a source among files of Canvas may be what lacks", two, []string{"doeann_LATE_12345_67890_game.cpp", "doeann_LATE_12345_67891_lab.cpp"}, []string{"doeann game doeann_LATE_12345_6789*", "doeann maze doeann_LATE_12345_6789* no file is called maze, but there is DIR/doeann_LATE_12345_67891_lab.cpp"}, []string{"DIR: read as a download of Canvas (hint: --layout folders reads folders of students)"}},
		{"one problem: files of Canvas", one, []string{"doeann_12345_67890_solution.cpp", "doeann_12345_67891_notes.txt", "roebob_12346_67892_a.c", "roebob_12346_67893_b.h"}, []string{"doeann game doeann_12345_6789*", "roebob game roebob_12346_6789*"}, []string{"DIR: read as a download of Canvas (hint: --layout folders reads folders of students)"}},
		{"an archive of Canvas for each problem", two, []string{"game/doeann_12345_67890_x.c", "maze/doeann_12345_67891_y.c"}, []string{"doeann game game/doeann_12345_67890_x.c", "doeann maze maze/doeann_12345_67891_y.c"}, []string{"game: read as a download of Canvas (hint: --layout folders reads folders of students)", "maze: read as a download of Canvas (hint: --layout folders reads folders of students)"}},
		{"a name that is like two problems", []string{"sum", "sum2"}, []string{"ann/sum 2.py", "bob/sum2 (1).py", "cyd/sum.py", "cyd/sum2.py", "dan_sum-2.py"}, []string{
			"ann sum ann/sum 2.py DIR/ann/sum 2.py may be for one of sum, sum2", "ann sum2 ann/sum 2.py DIR/ann/sum 2.py may be for one of sum, sum2", "bob sum2 bob/sum2 (1).py", "cyd sum cyd/sum.py", "cyd sum2 cyd/sum2.py",
			"dan sum dan_sum-2.py DIR/dan_sum-2.py may be for one of sum, sum2", "dan sum2 dan_sum-2.py DIR/dan_sum-2.py may be for one of sum, sum2"}, nil},
		{"names of two problems", two, []string{"game_maze.c", "ann/game.c"}, []string{"ann game ann/game.c", "game maze game_maze.c DIR/game_maze.c may be for one of maze, game", "maze game game_maze.c DIR/game_maze.c may be for one of maze, game"}, nil},
		{"folders of tests and tools beside those of problems", two, []string{"game/ann.c", "game/tests/1.in", "maze/ann.c", "tests/1.in", "node_modules/x/index.js"}, []string{"ann game game/ann.c", "ann maze maze/ann.c"}, []string{"game/tests" + noStudent, "node_modules" + noStudent, "tests" + noStudent}},
		{"beside those of students", two, []string{"ann/game.c", "Test/game.c", "__MACOSX/ann/game.c", "Bin/game.c", "bin/x.class"}, []string{"Bin game Bin/game.c", "ann game ann/game.c"}, []string{"Test" + noStudent, "__MACOSX" + noStudent, "bin" + noStudent}},
		{"a problem that is called so", []string{"test", "game"}, []string{"test/ann.c", "game/ann.c"}, []string{"ann test test/ann.c", "ann game game/ann.c"}, nil},
		{"a test called like the problem", two, []string{"ann/game.py", "ann/tests/game.py", "bob/tests/game.c"}, []string{"ann game ann", "bob game bob/tests/game.c"}, nil},
		{"for two problems", two, []string{"ann_game_maze.c", "bob-maze.c"}, []string{"ann game ann_game_maze.c DIR/ann_game_maze.c may be for one of maze, game", "ann maze ann_game_maze.c DIR/ann_game_maze.c may be for one of maze, game", "bob maze bob-maze.c"}, nil},
		{"a document beside the program", two, []string{"ann_game.doc", "ann_game.py", "cyd_maze.pdf"}, []string{"ann game ann_game.py", "cyd maze cyd_maze.pdf"}, []string{"ann_game.doc: belongs to none of the problems game, maze"}},
		{"a program of a project", two, []string{"ann/p/Cargo.toml", "ann/p/src/bin/game.rs", "ann/p/src/lib.rs", "bob/go.mod", "bob/cmd/game/main.go=import \"x/lib\"", "bob/lib/lib.go", "cyd/game/Cargo.toml", "cyd/game/src/main.rs"}, []string{"ann game ann/p", "ann maze ann no file is called maze, but there is DIR/ann/p/src/lib.rs", "bob game bob", "cyd game cyd/game"}, nil},
		{"modules of npm", two, []string{"ann/game.js=require('q')", "ann/node_modules/q/maze.js", "bob/game.js", "bob/node_modules/q/maze.js"}, []string{"ann game ann", "bob game bob/game.js"}, []string{"bob/node_modules: belongs to none of the problems game, maze"}},
		{"a package of Java", two, []string{"ann/game/Main.java=package game;", "ann/maze/Main.java=package maze;"}, []string{"ann game ann/game", "ann maze ann/maze"}, nil},
		{"a folder of data or products is no program", two, []string{"ann/game.c", "ann/game/1.in", "bob/src/game/Game.java", "bob/bin/game/Game.class"}, []string{"ann game ann/game.c", "bob game bob/src/game"}, []string{"ann/game/1.in: belongs to none of the problems game, maze", "bob/bin/game/Game.class: belongs to none of the problems game, maze"}},
		{"what CMake leaves", two, []string{"ann/game.c", "ann/cmake-build-debug/CMakeFiles/x.c", "ann/cmake-build-debug/game.dir/game.c"}, []string{"ann game ann/game.c"}, []string{"ann/cmake-build-debug: belongs to none of the problems game, maze"}},
		{"a header in another folder", two, []string{"ann/src/game.c=#include \"../include/u.h\"", "ann/include/u.h", "ann/notes.txt"}, []string{"ann game ann"}, nil},
		{"a package beside that of the program", two, []string{"ann/x/src/a/Game.java=import b.Util;", "ann/x/src/b/Util.java", "ann/x/doc/y.pdf"}, []string{"ann game ann/x/src"}, []string{"ann/x/doc/y.pdf: belongs to none of the problems game, maze"}},
		{"a folder that uses files outside", two, []string{"ann/game/main.c=#include \"../u.h\"", "ann/u.h", "ann/maze/main.c"}, []string{"ann game ann/game it uses files outside of its folder: DIR/ann/u.h", "ann maze ann/maze"}, nil},
		{"one problem: a command in a module", one, []string{"ann/cmd/game/main.go=import \"x/lib\"", "ann/lib/lib.go", "ann/go.mod"}, []string{"ann game ann"}, nil},
		{"a document names a source that may be what lacks", two, []string{"ann/game.c", "ann/README.md=lab.c", "ann/lab.c"}, []string{"ann game ann", "ann maze ann no file is called maze, but there is DIR/ann/lab.c"}, nil},
		{"a variable is called like a source that may be what lacks", two, []string{"ann/game.c=int lab;", "ann/lab.c"}, []string{"ann game ann", "ann maze ann no file is called maze, but there is DIR/ann/lab.c"}, nil},
		{"an archive may be what lacks", two, []string{"ann/hw.zip", "bob/game.c"}, []string{"ann game ann/hw.zip DIR/ann/hw.zip: not a readable zip archive: zip: not a valid zip file", "ann maze ann/hw.zip DIR/ann/hw.zip: not a readable zip archive: zip: not a valid zip file", "bob game bob/game.c"}, nil},
		{"the program of another problem is a module", two, []string{"ann/game.py", "ann/maze.py=from game import f"}, []string{"ann game ann/game.py", "ann maze ann"}, nil},
		{"an archive called like the problem", one, []string{"ann/game.zip", "bob/game.ipynb", "bob/notes.txt"}, []string{"ann game ann/game.zip DIR/ann/game.zip: not a readable zip archive: zip: not a valid zip file", "bob game bob/game.ipynb no source, but there is DIR/bob/game.ipynb (hint: take the program out of it)"}, []string{"bob/notes.txt: belongs to none of the problems game"}},
		{"only documents", two, []string{"ann/game.docx", "ann/game.pdf"}, []string{"ann game ann/game.docx no source: DIR/ann/game.docx, DIR/ann/game.pdf"}, nil},
		{"the receipts of a platform", one, []string{"HW_ann_attempt_1.txt", "HW_ann_attempt_1_game.c", "bob.docx", "bob.py"}, []string{"HW_ann_attempt_1 game HW_ann_attempt_1_game.c", "bob game bob.py"}, []string{"HW_ann_attempt_1.txt: belongs to none of the problems game", "bob.docx: belongs to none of the problems game"}},
		{"letters that a file system has decomposed", two, []string{"Mu\u0308ller/game.c", "M\u00fcller_maze.c"}, []string{"M\u00fcller game Mu\u0308ller/game.c", "M\u00fcller maze M\u00fcller_maze.c"}, nil},
		{"two students or one", two, []string{"Ann/game.c", "ann/maze.c"}, []string{"Ann game Ann/game.c", "Ann maze ann/maze.c"}, []string{`"Ann" and "ann": one student, because only capitals or blanks differ`}},
		{"names that are no UTF-8", two, []string{"M\x81/game.c", "M\x84/maze.c"}, []string{"M\x81 game M\x81/game.c", "M\x84 maze M\x84/maze.c"}, nil},
		{"names that a shell or a terminal would take for something", two, []string{"$(touch x)\x1b[31m\n/game.c", "=1+2/maze.py"}, []string{"$(touch x)\x1b[31m\n game $(touch x)\x1b[31m\n/game.c", "=1+2 maze =1+2/maze.py"}, nil},
	} {
		dir := lay(t, tt.files...)
		s, err := Read(t.Context(), dir, tt.problems, isSource, Options{})
		if err != nil {
			t.Errorf("%s: %v", tt.why, err)
			continue
		}
		t.Cleanup(func() { s.Close() })
		var got, notes []string
		for _, e := range s.Entries {
			path, _ := filepath.Rel(dir, e.Shown)
			got = append(got, strings.TrimSpace(fmt.Sprint(e.Student, " ", e.Problem, " ", path, " ", strings.ReplaceAll(e.Wrong, dir, "DIR"))))
		}
		for _, n := range s.Notes {
			notes = append(notes, strings.TrimPrefix(strings.ReplaceAll(n, dir, "DIR"), "DIR/"))
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
		{"what was late", "student,problem,path,late\nann,game,a.c,yes\nann,maze,sub/b.py,no\nbob,game,x.zip,1:00\n", "ann game a.c late; ann maze sub/b.py; bob game x.zip late"},
		{"a byte order mark and CRLF", "\ufeffstudent,problem,path\r\nann,game,a.c\r\n", "ann game a.c"},
		{"nothing handed in", "student,problem,path\n ann, game, a.c\nbob,game, \n", "ann game a.c"},
		{"a missing file", "student,problem,path\nann,game,nosuch.c\n", "ann game nosuch.c DIR/nosuch.c: no such file or directory"},
		{"two files", "student,problem,path\nann,game,a.c\nann,game,sub/b.py\n", "ann game a.c several files: DIR/a.c and DIR/sub/b.py"},
		{"no header", "ann,game,a.c\n", "DIR/t.csv:1: no column student (hint: the first row names the columns: student, problem, path)"},
		{"empty", "", "DIR/t.csv: the table is empty (hint: the first row names the columns: student, problem, path)"},
		{"an unknown problem", "student,problem,path\nann,game,a.c\nann,mzae,a.c\n", `DIR/t.csv:3: unknown problem "mzae" (hint: the problems are game, maze)`},
		{"a row that is too short", "student,problem,path\nann,game\n", "DIR/t.csv:2: number of fields: 2, but 3 in the header (hint: every row has all columns; a field with a separator stands in quotes)"},
		{"an open quote", "student,problem,path\n\"ann,game,a.c\n", `DIR/t.csv:2: extraneous or missing " in quoted-field (hint: CSV as of RFC 4180: fields with separators or quotes stand in quotes)`},
		{"no name", "student,problem,path\n,game,a.c\n", "DIR/t.csv:2: no student (hint: every row names one)"},
		{"a binary file", "\x7fELF\x00\x01\x02", "DIR/t.csv:1: no column student (hint: the first row names the columns: student, problem, path)"},
	} {
		dir := lay(t, "a.c", "sub/b.py", packed(t, "x.zip", "a.py=x", "b.py=x"))
		name := filepath.Join(dir, "t.csv")
		if err := os.WriteFile(name, []byte(tt.table), 0o644); err != nil {
			t.Fatal(err)
		}
		s, err := Read(t.Context(), name, []string{"game", "maze"}, isSource, Options{})
		got := ""
		if err != nil {
			got = err.Error()
		} else {
			var list []string
			for _, e := range s.Entries {
				line := strings.TrimSpace(fmt.Sprint(e.Student, " ", e.Problem, " ", strings.TrimPrefix(e.Shown, dir+"/"), " ", e.Wrong))
				if e.Late {
					line += " late"
				}
				list = append(list, line)
			}
			got = strings.Join(list, "; ")
			if s.Lateness != strings.Contains(tt.table, "late") {
				t.Errorf("%s: it can say what was late: %v", tt.why, s.Lateness)
			}
		}
		if got = strings.ReplaceAll(got, dir, "DIR"); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.why, got, tt.want)
		}
	}
	if _, err := Read(t.Context(), lay(t, "notes/x.txt"), []string{"game", "maze"}, isSource, Options{}); err == nil || !strings.Contains(err.Error(), "nobody has handed in anything for game, maze (hint: ") {
		t.Errorf("an empty folder: %v", err)
	}
	if _, err := Read(t.Context(), "/no/such", []string{"game"}, isSource, Options{}); err == nil || err.Error() != "/no/such: no such file or directory (hint: name a folder, an archive of one, or a table in CSV)" {
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
		s, err := Read(t.Context(), name, []string{"game", "maze"}, isSource, Options{})
		if err != nil {
			if _, ok := errors.AsType[*yamlstrict.Error](err); !ok {
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

func isSource(name string) bool { return build.IsSource(name, build.Defaults()) }

// TestEveryFileCounts checks that each file of a random folder is in an entry that is judged, or named.
func TestEveryFileCounts(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(35, 3))
	names := []string{"game.c", "maze.py", "game.h", "game (1).c", "Game.java", "util.h", "helper.py", "notes.txt", "src/game.c", "maze/main.py", "ann_game.c", "ann_util.h", "x.zip", "deep/er/maze-2.py", "game.pdf", "tests/game.c", "game 2.c", "doe_123_4567_game.c", "doe_123_4568_util.h", "doe_LATE_123_4569_lab.py", "build/maze.py", "node_modules/game.js", "game/Main.java", "Cargo.toml", "src/main.rs"}
	judged := 0
	for range 300 {
		var files []string
		for range 1 + r.IntN(8) {
			file := names[r.IntN(len(names))]
			if r.IntN(5) > 0 {
				file = []string{"ann/", "bob/", "game/", "maze/", "tests/", "game/ann/"}[r.IntN(6)] + file
			}
			files = append(files, file)
		}
		if hasFileAsFolder(files) {
			continue
		}
		dir := lay(t, files...)
		s, err := Read(t.Context(), dir, []string{"game", "maze", "game2"}[:1+r.IntN(3)], isSource, Options{})
		if err != nil {
			continue // there is no submission
		}
		t.Cleanup(func() { s.Close() })
		judged++
		if slices.ContainsFunc(s.Entries, func(e Entry) bool { return !slices.Contains(s.Students, e.Student) }) || len(slices.Compact(slices.Clone(s.Notes))) < len(s.Notes) {
			t.Fatalf("%q: an entry without a row, or a note twice: %+v", files, s)
		}
		said := strings.Join(s.Notes, "\n") + "\n"
		for _, e := range s.Entries {
			said += e.Wrong + "\n"
		}
		for _, file := range files {
			path := filepath.Join(dir, file)
			in := slices.ContainsFunc(s.Entries, func(e Entry) bool {
				return e.Wrong == "" && (e.Shown == path || strings.HasPrefix(path, e.Shown+"/") || strings.HasSuffix(e.Shown, "*") && strings.HasPrefix(path, strings.TrimSuffix(e.Shown, "*")))
			})
			named := false
			for at := path; at != dir; at = filepath.Dir(at) {
				named = named || regexp.MustCompile(regexp.QuoteMeta(at)+`[:;, \n]`).MatchString(said)
			}
			if !in && !named {
				t.Fatalf("%q: %s is lost: %+v", files, file, s)
			}
		}
	}
	if judged < 150 {
		t.Errorf("only %d of 300 folders were judged", judged)
	}
}

// hasFileAsFolder reports whether a path is also the folder of another.
func hasFileAsFolder(files []string) bool {
	return slices.ContainsFunc(files, func(a string) bool {
		return slices.ContainsFunc(files, func(b string) bool { return strings.HasPrefix(b, a+"/") })
	})
}
