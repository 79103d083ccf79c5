package sheet

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// pupil is a student of a large class.
type pupil struct{ name, id string }

// pupils returns 300 students, whose names are in five scripts, with what a file name may hold; two are equal.
func pupils() (list []pupil) {
	names := []string{"Anna Müller", "山田 太郎", "Иван Петров", "محمد علي", "Γιώργος Παπάς", "Zoë 🦊", "Bob (Bobby) O'Neill", "Ann-Kathrin d’Arc", "Jr., Max", "김 민수"}
	for i := range 300 {
		name := names[i%len(names)]
		if i >= len(names) && i != 10 { // 10 is called as 0
			name += fmt.Sprint(" ", strings.Repeat("x", i/len(names)/26+1), string(rune('a'+i/len(names)%26)))
		}
		list = append(list, pupil{name, fmt.Sprint(1000 + i)})
	}
	return list
}

// TestLargeClasses reads 300 students in each layout: each has a row, the program of each problem, and loses no file.
func TestLargeClasses(t *testing.T) {
	t.Parallel()
	two, one := []string{"game", "maze"}, []string{"game"}
	word := func(p pupil) string {
		return strings.ToLower(regexp.MustCompile(`[^\pL\pN]`).ReplaceAllString(p.name, ""))
	}
	for _, tt := range []struct {
		layout   Layout
		problems []string
		files    func(i int, p pupil) []string
		more     func(all []pupil) []string
		named    func(p pupil) string // the row, without an id
		own      string               // matches the files of the platform
	}{
		{"moodle", two, func(i int, p pupil) []string {
			return []string{p.name + "_" + p.id + "_assignsubmission_file_/game.c", p.name + "_" + p.id + "_assignsubmission_file_/src/maze.py", p.name + "_" + p.id + "_assignsubmission_file_/notes.txt"}
		}, nil, func(p pupil) string { return p.name }, `^$`},
		{"moodle", two, func(i int, p pupil) []string { // "Download submissions in folders" is off
			return []string{p.name + "_" + p.id + "_assignsubmission_file_game.c", p.name + "_" + p.id + "_assignsubmission_file_maze (1).py", p.name + "_" + p.id + "_assignsubmission_onlinetext_onlinetext.html"}
		}, nil, func(p pupil) string { return p.name }, `^$`},
		{"canvas", two, func(i int, p pupil) []string {
			late := []string{"", "_LATE"}[i%2]
			return []string{fmt.Sprintf("%s%s_%s_%d_game.c", word(p), late, p.id, 50000+2*i), fmt.Sprintf("%s%s_%s_%d_maze-1.py", word(p), late, p.id, 50001+2*i)}
		}, nil, word, `^$`},
		{"gradescope", two, func(i int, p pupil) []string {
			return []string{"assignment_7_export/submission_" + p.id + "/game.c", "assignment_7_export/submission_" + p.id + "/maze/main.py"}
		}, func(all []pupil) []string {
			var b strings.Builder
			for _, p := range all {
				fmt.Fprintf(&b, "submission_%s:\n  :submitters:\n  - :name: %q\n    :sid: '%s'\n    :email: x@example.org\n  :created_at: 2026-11-03 14:22:05.123456000 Z\n  :score: 0.0\n", p.id, p.name, p.id)
			}
			return []string{"assignment_7_export/submission_metadata.yml=" + b.String()}
		}, func(p pupil) string { return p.name }, `submission_metadata\.yml$`},
		{"blackboard", two, func(i int, p pupil) []string {
			prefix := "Home_work 1_u" + p.id + "_attempt_2026-11-03-14-22-05"
			return []string{prefix + "_game.c", prefix + "_maze.py", prefix + ".txt=Name: " + p.name + " (u" + p.id + ")\nAssignment: Home_work 1\n"}
		}, nil, func(p pupil) string { return p.name }, `05\.txt$`},
		{"github-classroom", two, func(i int, p pupil) []string {
			repo := "week-1-submissions/week-1-" + word(p) + p.id
			return []string{repo + "/game.c", repo + "/maze.py", repo + "/.github/classroom/autograding.json", repo + "/README.md"}
		}, nil, func(p pupil) string { return word(p) + p.id }, `/\.github/`},
		{"ccs", two, func(i int, p pupil) []string {
			return []string{"submissions/a" + p.id + "/src/main.c", "submissions/b" + p.id + "/src/whatever.py"}
		}, func(all []pupil) []string {
			var submissions, teams []map[string]string
			for _, p := range all {
				teams = append(teams, map[string]string{"id": p.id, "name": "team", "display_name": p.name})
				submissions = append(submissions, map[string]string{"id": "a" + p.id, "team_id": p.id, "problem_id": "11", "time": "2026-11-03T14:22:05.034+01"},
					map[string]string{"id": "b" + p.id, "team_id": p.id, "problem_id": "maze", "time": "2026-11-03T14:22:05.034+01:00"})
			}
			text := func(v any) string { data, _ := json.Marshal(v); return string(data) }
			return []string{"submissions.json=" + text(submissions), "teams.json=" + text(teams), `problems.json=[{"id":"11","label":"A","name":"game","ordinal":0},{"id":"maze"}]`, "contest.json={}"}
		}, func(p pupil) string { return p.name }, `(submissions|teams|problems)\.json$`},
		{"kattis", two, func(i int, p pupil) []string { return []string{p.id + "/x.c", "2" + p.id + "/y.py"} }, func(all []pupil) []string {
			table := "Submission ID,User,Problem,Time\n"
			for _, p := range all {
				table += fmt.Sprintf("%s,%q,game,2026-11-03 14:22:05\n2%s,%q,maze,2026-11-03 14:22\n", p.id, p.name+p.id, p.id, p.name+p.id)
			}
			return []string{"export.csv=" + table}
		}, func(p pupil) string { return p.name + p.id }, `export\.csv$`},
		{"folders", two, func(i int, p pupil) []string {
			return []string{p.name + p.id + "/hw1/game.c", p.name + p.id + "/hw2/maze.py"}
		}, nil, func(p pupil) string { return p.name + p.id }, `^$`},
		{"folders", one, func(i int, p pupil) []string { return []string{p.name + p.id + ".c"} }, nil, func(p pupil) string { return p.name + p.id }, `^$`},
	} {
		all := pupils()
		var files []string
		if tt.more != nil {
			files = tt.more(all)
		}
		for i, p := range all {
			files = append(files, tt.files(i, p)...)
		}
		dir := lay(t, files...)
		s, err := Read(t.Context(), dir, tt.problems, isSource, Options{})
		if err != nil {
			t.Errorf("%s: %v", tt.layout, err)
			continue
		}
		where := fmt.Sprintf("%s, as %s", tt.layout, files[len(files)-1])
		if s.Lateness != (tt.layout == "canvas") {
			t.Errorf("%s: it can say what was late: %v", where, s.Lateness)
		}
		if len(s.Students) != len(all) {
			t.Errorf("%s: %d rows", where, len(s.Students))
		}
		if len(s.Entries) != len(all)*len(tt.problems) {
			t.Errorf("%s: %d entries", where, len(s.Entries))
		}
		for _, e := range s.Entries {
			if e.Wrong != "" {
				t.Errorf("%s: %s, %s: %s", where, e.Student, e.Problem, e.Wrong)
			}
			if late := strings.Contains(e.Shown, "_LATE_"); late != e.Late {
				t.Errorf("%s: %s late: %v", where, e.Shown, e.Late)
			}
			if tt.layout != "folders" && s.IDs[e.Student] == "" && !slices.Contains([]Layout{"github-classroom", "kattis"}, tt.layout) {
				t.Errorf("%s: no id of %s", where, e.Student)
			}
		}
		for i, p := range all {
			name := tt.named(p)
			if strings.Contains(fmt.Sprint(i), "10") && i == 10 || i == 0 {
				if !slices.Contains(s.Students, name) {
					name += " " + s.IDs[name+" "+p.id] + s.IDs[name+" u"+p.id] // called as another
				}
			}
			if !slices.Contains(s.Students, name) {
				t.Errorf("%s: no row %q", where, name)
			}
		}
		if found := slices.ContainsFunc(s.Notes, func(n string) bool { return strings.Contains(n, "read as ") }); found != (tt.layout != "folders") {
			t.Errorf("%s: the notes say that it was recognized: %v", where, found)
		}
		var paths []string
		for _, file := range files {
			path, _, _ := strings.Cut(file, "=")
			paths = append(paths, filepath.Join(dir, path))
		}
		for _, path := range lost(dir, paths, s) {
			if !regexp.MustCompile(tt.own).MatchString(path) {
				t.Errorf("%s: %s is lost", where, path)
				break
			}
		}
		if err := errors.Join(s.Close(), os.RemoveAll(dir)); err != nil { // before the disk has them
			t.Error(err)
		}
	}
}

// lost returns the files below dir that are in no entry that is judged, and that no note or reason names.
func lost(dir string, paths []string, s *Sheet) (lost []string) {
	in, said := map[string]bool{}, strings.Join(s.Notes, "\n")+"\n"
	var prefixes []string
	for _, e := range s.Entries {
		if prefix, several := strings.CutSuffix(e.Shown, "*"); several {
			prefixes = append(prefixes, prefix)
		}
		in[e.Shown] = in[e.Shown] || e.Wrong == ""
		said += e.Wrong + "\n"
	}
	for _, path := range paths {
		found := slices.ContainsFunc(prefixes, func(prefix string) bool { return strings.HasPrefix(path, prefix) })
		for at := path; at != dir && !found; at = filepath.Dir(at) {
			found = in[at] || strings.Contains(said, at+":") || strings.Contains(said, at+",") || strings.Contains(said, at+"\n") || strings.Contains(said, at+" ") || strings.Contains(said, at+";")
		}
		for n := len(dir) + 1; n <= len(path) && !found; n++ {
			found = strings.Contains(said, path[:n]+"*")
		}
		if !found {
			lost = append(lost, path)
		}
	}
	return lost
}

// TestLayouts reads small classes: entries are "student problem path [wrong]", with what the platform says of attempts.
func TestLayouts(t *testing.T) {
	t.Parallel()
	two, one := []string{"game", "maze"}, []string{"game"}
	const bb = "HW_ann_attempt_2026-11-0"
	ccs := func(list string) string { return "submissions.json=[" + list + "]" }
	for _, tt := range []struct {
		why      string
		problems []string
		files    []string
		options  Options
		want     []string
		notes    []string // without those of recognition
	}{
		{"Moodle: two students of one name", one, []string{"Al_1_assignsubmission_file_/game.c", "Al_2_assignsubmission_file_/game.c"}, Options{}, []string{"Al 1 game Al_1_assignsubmission_file_/game.c", "Al 2 game Al_2_assignsubmission_file_/game.c"}, nil},
		{"Moodle since 4.0 has no _ at the end; a text that was typed beside it", one, []string{"Al_1_assignsubmission_file/x.c", "Al_1_assignsubmission_onlinetext/onlinetext.html"}, Options{}, []string{"Al game Al_1_assignsubmission_*"}, nil},
		{"Moodle: a team without a number, and a blind marking", one, []string{"Team A_assignsubmission_file_/game.c", "Participant_17_assignsubmission_file_/game.c"}, Options{}, []string{"Participant game Participant_17_assignsubmission_file_/game.c", "Team A game Team A_assignsubmission_file_/game.c"}, nil},
		{"Moodle: an assignment for each problem, whose numbers differ", two, []string{"game/Al_1_assignsubmission_file_/x.c", "maze/Al_9_assignsubmission_file_/y.c"}, Options{}, []string{"Al game game/Al_1_assignsubmission_file_/x.c", "Al maze maze/Al_9_assignsubmission_file_/y.c"}, nil},
		{"a download for each assignment, packed or not, called as Moodle does; one has the files of several problems", two, []string{packed(t, "CS1-Game-42.zip", "Al_1_assignsubmission_file_/x.c=x", "Bo_2_assignsubmission_file_/game.c=x"), "HW 3/Al_7_assignsubmission_file_/maze.py", "HW 3/Al_7_assignsubmission_file_/a.pdf", "HW 3/README.txt", "Cy/maze.c"}, Options{}, []string{"Al game CS1-Game-42.zip/Al_1_assignsubmission_file_/x.c", "Al maze HW 3/Al_7_assignsubmission_file_/maze.py", "Bo game CS1-Game-42.zip/Bo_2_assignsubmission_file_/game.c", "Cy maze Cy/maze.c"}, []string{"HW 3/Al_7_assignsubmission_file_/a.pdf: belongs to none of the problems game, maze", "HW 3/README.txt: is no file of a student"}},
		{"students whose folders look like downloads: of one student, or repositories", one, []string{"al/al_1001_2002_game.c", "dan/game.c", "dan/x_100_2000_a.txt", "dan/y_100_2001_a.txt", "bo/bo_1001_2003_game.c", "cy/hw-x/.git/HEAD", "cy/hw-x/game.c", "cy/hw-y/.git/HEAD"}, Options{}, []string{"al game al/al_1001_2002_game.c", "bo game bo/bo_1001_2003_game.c", "cy game cy/hw-x/game.c", "dan game dan/game.c"}, []string{"dan/x_100_2000_a.txt: belongs to none of the problems game", "dan/y_100_2001_a.txt: belongs to none of the problems game"}},
		{"downloads of repositories, if asked for", one, []string{"x/hw-al/.git/HEAD", "x/hw-al/game.c", "x/hw-bo/.git/HEAD", "x/hw-bo/game.c"}, Options{Layout: "github-classroom"}, []string{"al game x/hw-al/game.c", "bo game x/hw-bo/game.c"}, nil},
		{"Blackboard: names of users and assignments with _, by the receipts", one, []string{"H_1_o_neil_attempt_2026-11-03-14-22-05_game.c", "H_1_o_neil_attempt_2026-11-03-14-22-05.txt=Name: Pat (o_neil)\n", "H_1_bo_ng_attempt_2026-11-03-14-22-05_x.c", "H_1_ng_attempt_2026-11-03-14-22-05_x.c"}, Options{}, []string{"Pat game H_1_o_neil_attempt_2026-11-03-14-22-05_game.c @2026-11-03T14:22:05Z", "bo_ng game H_1_bo_ng_attempt_2026-11-03-14-22-05_x.c @2026-11-03T14:22:05Z", "ng game H_1_ng_attempt_2026-11-03-14-22-05_x.c @2026-11-03T14:22:05Z"}, nil},
		{"Moodle: two students of one name, whose numbers differ between assignments", two, []string{"game/Al_1_assignsubmission_file_/x.c", "game/Al_2_assignsubmission_file_/x.c", "game/Bo_3_assignsubmission_file_/x.c", "maze/Al_7_assignsubmission_file_/y.c", "maze/Bo_8_assignsubmission_file_/y.c"}, Options{}, []string{"Al maze maze/Al_7_assignsubmission_file_/y.c", "Al 1 game game/Al_1_assignsubmission_file_/x.c", "Al 2 game game/Al_2_assignsubmission_file_/x.c", "Bo game game/Bo_3_assignsubmission_file_/x.c", "Bo maze maze/Bo_8_assignsubmission_file_/y.c"}, []string{`"Al 1" and "Al": perhaps one student, whose number differs between downloads`}},
		{"downloads of two platforms, called like the problems", two, []string{packed(t, "Maze.zip", "Al Ng_1_assignsubmission_file_/x.py=x", "Bo_2_assignsubmission_file_/hw.zip="), packed(t, "game.zip", "ng_LATE_1001_2002_game-1.c=x", "bo_1002_2003_a.c=x")}, Options{}, []string{
			"Al Ng maze Maze.zip/Al Ng_1_assignsubmission_file_/x.py", "Bo game game.zip/bo_1002_2003_a.c",
			"Bo maze Maze.zip/Bo_2_assignsubmission_file_/hw.zip DIR/Maze.zip/Bo_2_assignsubmission_file_/hw.zip: not a readable zip archive: zip: not a valid zip file",
			"ng game game.zip/ng_LATE_1001_2002_game-1.c late",
		}, []string{`"Bo" and "bo": one student, because only capitals or blanks differ`}},
		{"downloads as they are called, in folders of the problems", two, []string{packed(t, "maze/CS1-HW 2-1234.zip", "Al_1_assignsubmission_file_/x.py=x"), packed(t, "game/submissions.zip", "assignment_7_export/submission_metadata.yml=submission_1:\n  :submitters:\n  - :name: Al\n", "assignment_7_export/submission_1/x.c=x")}, Options{}, []string{"Al game game/submissions.zip/assignment_7_export/submission_1/x.c", "Al maze maze/CS1-HW 2-1234.zip/Al_1_assignsubmission_file_/x.py"}, nil},
		{"an archive of a problem with a folder of its name", two, []string{packed(t, "maze.zip", "maze/al.c=x", "maze/bo/main.c=x"), packed(t, "game.zip", "al.c="+strings.Repeat("\x00", 20<<20))}, Options{}, []string{"al game game.zip/al.c", "al maze maze.zip/maze/al.c", "bo maze maze.zip/maze/bo"}, nil},
		{"only last attempts", one, []string{"ann_10001_502_sum.py"}, Options{Attempts: Best}, []string{"ann game ann_10001_502_sum.py"}, []string{"DIR: a download of Canvas has only last attempts, so --attempt best finds no others"}},
		{"Moodle: a name of blanks", one, []string{" _4_assignsubmission_file_/game.c"}, Options{}, []string{"4 game  _4_assignsubmission_file_/game.c"}, nil},
		{"Moodle: what is beside it", one, []string{"Al_1_assignsubmission_file_/game.c", "README.txt", "bob.c"}, Options{}, []string{"Al game Al_1_assignsubmission_file_/game.c", "bob game bob.c"}, []string{"README.txt: is no file of a student"}},
		{"Canvas: handed in again; a helper with its own name", one, []string{"ann_10001_502_sum.py", "ann_10001_777_sum-1.py", "bob_LATE_10002_503_Main.java", "bob_LATE_10002_504_Util.java", "LATE_anon_1a2B3_505_game.c", "cyd_10003_text.html"}, Options{}, []string{"ann game ann_10001_777_sum-1.py", "anon 1a2B3 game LATE_anon_1a2B3_505_game.c late", "bob game bob_LATE_10002_50* late", "cyd game cyd_10003_text.html"}, []string{"ann_10001_502_sum.py: replaced by another attempt: DIR/ann_10001_777_sum-1.py"}},
		{"Canvas: the first counts", one, []string{"ann_10001_502_sum.py", "ann_10001_777_sum-1.py"}, Options{Attempts: First}, []string{"ann game ann_10001_502_sum.py"}, []string{"ann_10001_777_sum-1.py: replaced by another attempt: DIR/ann_10001_502_sum.py"}},
		{"Canvas: a problem that is called so", []string{"sum-1", "sum"}, []string{"ann_10001_502_sum-1.py", "ann_10001_503_sum.py"}, Options{}, []string{"ann sum-1 ann_10001_502_sum-1.py", "ann sum ann_10001_503_sum.py"}, nil},
		{"Gradescope: a group, a folder that is not listed", one, []string{"submission_1/game.c", "submission_2/game.c", "submission_metadata.yml=submission_1:\n  :submitters:\n  - :name: Al\n    :sid: 7\n  - :name:\n    :sid:\n    :email: bo@x.org\n"}, Options{}, []string{"Al game submission_1/game.c", "bo@x.org game submission_1/game.c", "submission_2 game submission_2/game.c"}, nil},
		{"Blackboard: the last attempt with the problem counts", two, []string{bb + "3-14-22-05_game.c", bb + "3-14-22-05_maze.c", bb + "4-10-00-00_game.c", bb + "4-10-00-00.txt=Name: Ann (ann)\n"}, Options{}, []string{"Ann game " + bb + "4-10-00-00_game.c @2026-11-04T10:00:00Z", "Ann maze " + bb + "3-14-22-05_maze.c @2026-11-03T14:22:05Z"}, []string{"Ann, game: the last of 2 attempts counts: DIR/" + bb + "4-10-00-00_game.c, not DIR/" + bb + "3-14-22-05_game.c"}},
		{"Blackboard: the first, all, the best", one, []string{bb + "3-14-22-05_a.c", bb + "4-10-00-00_b.c"}, Options{Attempts: First}, []string{"ann game " + bb + "3-14-22-05_a.c @2026-11-03T14:22:05Z"}, []string{"ann, game: the first of 2 attempts counts: DIR/" + bb + "3-14-22-05_a.c, not DIR/" + bb + "4-10-00-00_b.c"}},
		{"the caller judges all", one, []string{bb + "3-14-22-05_a.c", bb + "4-10-00-00_b.c"}, Options{Attempts: Best}, []string{"ann game " + bb + "4-10-00-00_b.c @2026-11-04T10:00:00Z or " + bb + "3-14-22-05_a.c"}, nil},
		{"GitHub Classroom: repositories of two assignments", two, []string{"game-ann/.git/config", "game-ann/main.c", "maze-ann/.git/config", "maze-ann/x.py", "maze-bob-b/.git/config", "maze-bob-b/y.py"}, Options{}, []string{"ann game game-ann/main.c", "ann maze maze-ann/x.py", "bob-b maze maze-bob-b/y.py"}, nil},
		{"a contest package: attempts, another problem, a submission without files", one, []string{ccs(`{"id":2,"team_id":5,"problem_id":"game","time":"2026-11-03T15:00:00+01"},{"id":10,"team_id":5,"problem_id":"game","time":"2026-11-03T16:00:00+01"},{"id":3,"team_id":5,"problem_id":"dice"},{"id":4,"team_id":6,"problem_id":"game"}`), packed(t, "submissions/2/files.zip", "a.c=x"), packed(t, "submissions/10/files.zip", "b.c=x"), "submissions/3/x.c", "submissions/9/x.c"}, Options{}, []string{"5 game submissions/10/files.zip/b.c #10 @2026-11-03T15:00:00Z"}, []string{"submissions/3: is for dice, which is none of the problems game", "submissions/4: no such folder, but the submission is listed", "submissions/9: belongs to no submission that is listed", "5, game: the last of 2 attempts counts: DIR/submissions/10/files.zip/b.c, not DIR/submissions/2/files.zip/a.c"}},
		{"Kattis: a submission without its folder", one, []string{"x.csv=id,user,problem\n1,al,game\n9,bo,game\n", "1/a.c"}, Options{}, []string{"al game 1/a.c #1"}, []string{"9: no such folder, but the submission is listed"}},
		{"students called by numbers, beside a roster", two, []string{"123/game.c", "124/maze.c", "roster.csv=id,name\n123,Ann\n124,Bob\n"}, Options{}, []string{"123 game 123/game.c", "124 maze 124/maze.c"}, []string{"roster.csv: belongs to none of the problems game, maze"}},
		{"archives of students, of each kind", two, []string{packed(t, "ann.zip", "hw/game.c=x", "hw/src/maze.py=x", "__MACOSX/hw/._game.c=x"), packed(t, "bob/hw.tar.gz", "./game.c=x"), packed(t, "cyd_game.tgz", "Main.java=x"), packed(t, "dan/maze.zip", "a.py=x", "b.py=x")}, Options{}, []string{"ann game ann.zip/hw/game.c", "ann maze ann.zip/hw/src/maze.py", "bob game bob/hw.tar.gz/game.c", "cyd game cyd_game.tgz/Main.java", "dan maze dan/maze.zip"}, []string{"ann.zip/__MACOSX: belongs to none of the problems game, maze"}},
		{"archives of one problem", one, []string{packed(t, "ann.zip", "x.c=x"), packed(t, "Bo_1_assignsubmission_file_hw.zip", "src/game.c=x", "util.h=x")}, Options{}, []string{"Bo game Bo_1_assignsubmission_file_hw.zip", "ann game ann.zip/x.c"}, nil},
		{"archives with tricks", one, []string{packed(t, "a.zip", "../evil.c=x"), packed(t, "b.zip", "x.c=-> /etc/passwd"), packed(t, "c.zip", "z.c="+strings.Repeat("\x00", 40<<20)), packed(t, "d.zip", "Game.c=x", "game.c=x"), "e/game.zip=no archive", "f.zip=", packed(t, "g/x.zip", "game.c=x", "game.c=x"), packed(t, "h.tar.gz", "/abs.c=x"), packed(t, "i.zip", ".git/x.c=x")}, Options{}, []string{
			`a game a.zip DIR/a.zip: the name "../evil.c" has a path that leads out of the archive`,
			"b game b.zip DIR/b.zip: symbolic link x.c leads to /etc/passwd, which is not a file of the archive",
			"c game c.zip DIR/c.zip: its files are too large for the archive, or more than 256 MiB: a zip bomb",
			"d game d.zip/Game.c several files: DIR/d.zip/Game.c and DIR/d.zip/game.c",
			"e game e/game.zip DIR/e/game.zip: not a readable zip archive: zip: not a valid zip file",
			"f game f.zip DIR/f.zip: not a readable zip archive: zip: not a valid zip file",
			"g game g/x.zip DIR/g/x.zip: two files are called game.c",
			`h game h.tar.gz DIR/h.tar.gz: the name "/abs.c" has an absolute path`,
		}, []string{"i.zip: has no files but hidden ones"}},
		{"an archive that cannot be read beside a program", two, []string{"ann/game.c", "ann/old.zip=x"}, Options{}, []string{"ann game ann/game.c", "ann maze ann no file is called maze, but there is DIR/ann/old.zip"}, nil},
		{"the same, for one problem", one, []string{"ann/game.c", "ann/old.zip=x"}, Options{}, []string{"ann game ann/game.c"}, []string{"ann/old.zip: not a readable zip archive: zip: not a valid zip file"}},
		{"what tools made, beside an archive", one, []string{packed(t, "ann/hw.zip", "game.c=x"), "ann/__pycache__/game.pyc"}, Options{}, []string{"ann game ann/hw.zip/game.c"}, []string{"ann/__pycache__: belongs to none of the problems game"}},
		{"a name that begins with another", one, []string{"ann/game.py.txt", "ann/game.pyc"}, Options{}, []string{"ann game ann/game.py.txt"}, []string{"ann/game.py.txt: read as game.py", "ann/game.pyc: belongs to none of the problems game"}},
		{"a source with .txt behind it", two, []string{"ann/game.py.txt", "bob_maze.c.txt", "cyd/game.c", "cyd/game.c.txt", "dan/notes.txt", "dan/game.c"}, Options{}, []string{"ann game ann/game.py.txt", "bob maze bob_maze.c.txt", "cyd game cyd/game.c", "dan game dan/game.c"}, []string{"ann/game.py.txt: read as game.py", "bob_maze.c.txt: read as bob_maze.c", "cyd/game.c.txt: belongs to none of the problems game, maze", "dan/notes.txt: belongs to none of the problems game, maze"}},
		{"a pattern: numbers of attempts", two, []string{"s1/v2/game.c", "s1/v10/game.c", "s1/v10/maze.py", "s2/v1/dice.c", "README"}, Options{Pattern: `^(?P<student>s\d+)/v(?P<attempt>\d+)/(?P<problem>\w+)`}, []string{"s1 game s1/v10/game.c #10", "s1 maze s1/v10/maze.py #10"}, []string{"README: does not match --student-pattern", "s2/v1/dice.c: is for dice, which is none of the problems game, maze", "s1, game: the last of 2 attempts counts: DIR/s1/v10/game.c, not DIR/s1/v2/game.c"}},
		{"a pattern: a prefix, late, a time that is none", one, []string{"late/ann-2026-11-03-Main.java", "late/ann-2026-11-03-Util.java", "ok/bob-soon-x.c"}, Options{Pattern: `(?:(?P<late>late)|ok)/(?P<student>[a-z]+)-(?P<time>[\d-]*\d|\w+)-`}, []string{"ann game late/ann-2026-11-03-* late @2026-11-03T00:00:00Z", "bob game ok/bob-soon-x.c"}, []string{"ok/bob-soon-x.c: no time is soon"}},
		{"attempts without an order", one, []string{"ann/1/x.c", "bob/1/y.c", "ann/2/x.c"}, Options{Pattern: `(?P<student>\w+)/\d/(?P<problem>)`}, []string{"ann game ann/1/x.c several files: DIR/ann/1/x.c and DIR/ann/2/x.c", "bob game bob/1/y.c"}, nil},
		{"names that differ in blanks and capitals, or nearly", two, []string{"Ann  Lee/game.c", "ann lee /maze.c", "Lee, Ánn/game.c"}, Options{}, []string{"Ann  Lee game Ann  Lee/game.c", "Ann  Lee maze ann lee /maze.c", "Lee, Ánn game Lee, Ánn/game.c"}, []string{`"Ann  Lee" and "Lee, Ánn": perhaps one student`, `"Ann  Lee" and "ann lee ": one student, because only capitals or blanks differ`}},
	} {
		dir := lay(t, tt.files...)
		s, err := Read(t.Context(), dir, tt.problems, isSource, tt.options)
		if err != nil {
			t.Errorf("%s: %v", tt.why, err)
			continue
		}
		t.Cleanup(func() { s.Close() })
		if strings.Contains(tt.options.Pattern, "<late>") && !s.Lateness {
			t.Errorf("%s: it cannot say what was late", tt.why)
		}
		var got, notes []string
		for _, e := range s.Entries {
			line := strings.TrimSpace(strings.ReplaceAll(fmt.Sprint(e.Student, " ", e.Problem, " ", strings.TrimPrefix(e.Shown, dir+"/"), " ", e.Wrong), dir, "DIR"))
			if e.Late {
				line += " late"
			}
			if e.Attempt != "" {
				line += " #" + e.Attempt
			}
			if !e.Time.IsZero() {
				line += " @" + e.Time.Format(time.RFC3339)
			}
			for _, o := range e.Others {
				line += " or " + strings.TrimPrefix(o.Shown, dir+"/")
			}
			got = append(got, line)
			if _, err := os.Lstat(e.Path); err != nil {
				t.Errorf("%s: %v", tt.why, err)
			}
		}
		for _, n := range s.Notes {
			if !strings.Contains(n, ": read as ") || strings.Contains(n, ".txt") {
				notes = append(notes, strings.TrimPrefix(strings.ReplaceAll(n, dir, "DIR"), "DIR/"))
			}
		}
		if d := cmp.Diff([2][]string{tt.want, tt.notes}, [2][]string{got, notes}); d != "" {
			t.Errorf("%s (-want +got):\n%s", tt.why, d)
		}
	}
}

// TestEveryFileOfALayoutCounts is [TestEveryFileCounts] for downloads of platforms.
func TestEveryFileOfALayoutCounts(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(37, 1))
	names := []string{"game.c", "game-1.c", "maze.py", "game.h", "util.h", "notes.txt", "game.py.txt", "src/game.c", "src/Cargo.toml", "x.zip", "old.rar", "tests/game.c", "node_modules/game.js", "build/x.c", "deep/x/maze.c", "game/Main.java"}
	flat := func(prefix string) func(string) string {
		return func(name string) string { return prefix + filepath.Base(name) }
	}
	within := func(dir string) func(string) string {
		return func(name string) string { return dir + "/" + name }
	}
	for _, tt := range []struct {
		layout Layout
		place  []func(name string) string
		own    []string
	}{
		{"moodle", []func(string) string{within("Al_1_assignsubmission_file_"), flat("Bo_2_assignsubmission_file_"), within("Al_1_assignsubmission_onlinetext_")}, nil},
		{"canvas", []func(string) string{flat("al_1000_2000_"), flat("al_1000_2001_"), flat("bo_LATE_1001_2002_")}, nil},
		{"gradescope", []func(string) string{within("submission_1"), within("submission_2"), within("submission_3")}, []string{"submission_metadata.yml=submission_1:\n  :submitters:\n  - :name: Al\n  - :name: Bo\nsubmission_2:\n  :submitters:\n  - :name: Al\n"}},
		{"blackboard", []func(string) string{flat("H_al_attempt_2026-11-03-14-22-05_"), flat("H_al_attempt_2026-11-04-14-22-05_"), flat("H_bo_attempt_2026-11-04-14-22-05_")}, nil},
		{"github-classroom", []func(string) string{within("hw-al"), within("hw-bo"), within("game-al")}, []string{"hw-al/.git/config"}},
		{"ccs", []func(string) string{within("submissions/1"), within("submissions/2"), within("submissions/3"), within("logos")}, []string{`submissions.json=[{"id":"1","team_id":"7","problem_id":"game"},{"id":"2","team_id":"7","problem_id":"game"},{"id":"9","team_id":"7","problem_id":"maze"}]`}},
		{"kattis", []func(string) string{within("1"), within("2"), within("3")}, []string{"x.csv=id,user,problem\n1,al,game\n2,al,maze\n9,bo,game\n"}},
	} {
		judged := 0
		for range 40 {
			files, paths := slices.Clone(tt.own), []string{}
			for range 1 + r.IntN(6) {
				name := names[r.IntN(len(names))]
				if r.IntN(6) > 0 {
					name = tt.place[r.IntN(len(tt.place))](name)
				}
				if slices.Contains(files, name) || slices.Contains(paths, name) {
					continue
				}
				if strings.HasSuffix(name, ".zip") && r.IntN(3) > 0 {
					files = append(files, packed(t, name, "game.c=x", "doc/notes.txt=x"))
					paths = append(paths, name+"/game.c", name+"/doc/notes.txt")
					continue
				}
				files, paths = append(files, name), append(paths, name)
			}
			if hasFileAsFolder(paths) {
				continue
			}
			dir := lay(t, files...)
			for i := range paths {
				paths[i] = filepath.Join(dir, paths[i])
			}
			s, err := Read(t.Context(), dir, []string{"game", "maze", "game2"}[:1+r.IntN(3)], isSource, Options{Attempts: AllAttempts()[r.IntN(2)]})
			if err != nil {
				if !strings.Contains(err.Error(), "nobody has handed in anything") {
					t.Fatalf("%s: %q: %v", tt.layout, files, err)
				}
				continue
			}
			t.Cleanup(func() { s.Close() })
			judged++
			if l := lost(dir, paths, s); len(l) > 0 {
				t.Fatalf("%s: %q: %s is lost: %+v, %q", tt.layout, paths, l, s.Entries, s.Notes)
			}
			if text := fmt.Sprintf("%q", s.Notes) + fmt.Sprint(s.Students); strings.Contains(text, "judge-sheet-") {
				t.Fatalf("%s: %q: a path that the user does not know: %s", tt.layout, paths, text)
			}
			if slices.ContainsFunc(s.Entries, func(e Entry) bool {
				return !slices.Contains(s.Students, e.Student) || strings.Contains(e.Shown+e.Wrong, "judge-sheet-")
			}) {
				t.Fatalf("%s: %q: an entry without a row, or with a path that the user does not know: %+v", tt.layout, paths, s.Entries)
			}
		}
		if judged < 20 {
			t.Errorf("%s: only %d of 40 classes were read", tt.layout, judged)
		}
	}
}
