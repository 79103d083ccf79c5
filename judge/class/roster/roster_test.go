package roster

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tribunal/judge/class/sheet"
	"tribunal/judge/internal/account"
)

// write returns the name of a new file with a text.
func write(t testing.TB, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "r.csv")
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestRead(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ why, table, want string }{
		{"names", "student\nAnn\nBob\n", "Ann, Bob"},
		{"two columns of names", "First name,Surname,ID number\nAnn,Ahn,1\n", "Ann Ahn"},
		{"a German spreadsheet in Latin-1", "Name;Vorname;Matrikelnummer\nM\xfcller;J\xf6rg;17\n", "Jörg Müller"},
		{"tabs, and a byte order mark", "\ufeffName\tGroup\nAnn  Ahn\t\n", "Ann Ahn"},
		{"UTF-16, as Excel saves Unicode text", "\xff\xfen\x00a\x00m\x00e\x00\n\x00\xe9\x00\n\x00", "é"},
		{"letters in another form", "student\nMu\u0308ller\n", "Müller"},
		{"two students of the same name", "name,id\nAnn,1\nAnn,2\n", "Ann, Ann (2)"},
		{"empty rows, and those of Canvas about assignments", "Student,ID,SIS Login ID,Section,Sum (7)\n    Points Possible,,,,10\n,,,,Manual Posting\n\"Ahn, Ann\",1,ann,A,\n,,,,\n", "Ahn, Ann"},
		{"no names", "id,points\n1,2\n", "r.csv:1: no column with names (hint: " + columnHint + ")"},
		{"nothing", "", "r.csv: the table is empty (hint: " + columnHint + ")"},
		{"nobody", "student\n", "r.csv: the roster has no students (hint: each row below the header is a student)"},
		{"a row without a name", "name,points\n,7\n", "r.csv:2: no name (hint: every row names a student)"},
		{"who has set no name", "identifier,github_username,name\nann@x,ann1,\n", "ann@x"},
		{"three students of one name", "name,id,mail\nAnn,1,a\nAnn,2,b\nAnn,2,c\n", "Ann, Ann (2), Ann (3)"},
		{"a name that was made", "name,id\nAnn,1\nAnn (2),3\nAnn,2\n", "Ann, Ann (2), Ann (3)"},
		{"a row twice", "name,id\nAnn,1\nAnn,1\n", "r.csv:3: the row is there twice (hint: leave out one of them)"},
		{"a partner who is not there", "name,partner\nAnn,Zoe\n", `r.csv:2: the partner "Zoe" is not in the roster, or there several times (hint: name a partner as in another row, or by a number or address of that row)`},
	} {
		file := write(t, tt.table)
		r, err := Read(file)
		got := ""
		if err != nil {
			got = strings.ReplaceAll(err.Error(), filepath.Dir(file)+"/", "")
		} else {
			var names []string
			for _, s := range r.Students {
				names = append(names, s.Name)
			}
			got = strings.Join(names, ", ")
		}
		if got != tt.want {
			t.Errorf("%s: %q, want %q", tt.why, got, tt.want)
		}
	}
}

// linesOf returns a line for each entry of a sheet, and its notes.
func linesOf(s *sheet.Sheet) (list []string) {
	for _, e := range s.Entries {
		text := e.Student + "=" + e.Path
		if e.Wrong != "" {
			text += " ?"
		}
		if e.Late {
			text += " late"
		}
		if e.Shared != "" {
			text += " of " + e.Shared
		}
		list = append(list, text)
	}
	for _, n := range s.Notes {
		list = append(list, "note: "+n)
	}
	return list
}

func TestApply(t *testing.T) {
	t.Parallel()
	const class = "First name,Surname,ID number,Email address,group,partner,Identifier\n" +
		"Ann,Ahn,1001,ann@x.org,,,\nBob,Ng,1002,bob@x.org,A,,\nDan,Zed,1003,d.zed@x.org,A,,\nEve,Xu,1004,eve@x.org,,ann@x.org,\n名,字,1005,,,,Participant 77\nAnn,Ahn,1006,ann2@x.org,,,\n"
	for _, tt := range []struct {
		why    string
		handed []string // STUDENT or STUDENT#ID
		want   []string // rows with something, and notes
	}{
		{"nothing", nil, nil},
		{"names, numbers and addresses", []string{"bob ng", "1004", "d.zed", "ANN2@X.ORG", "字名"}, []string{"Ann Ahn (1006)=ANN2@X.ORG", "Bob Ng=bob ng", "Dan Zed=d.zed", "Eve Xu=1004", "名 字=字名", "Ann Ahn=1004 of Eve Xu", "note: p: shared in groups: Ann Ahn has what Eve Xu handed in"}},
		{"what a platform writes behind a name", []string{"Bob Ng_1234567_assignsubmission_file_", "Zed_1003"}, []string{"Bob Ng=Bob Ng_1234567_assignsubmission_file_", "Dan Zed=Zed_1003"}},
		{"by the platform's id, if the name is not known", []string{"Zed D#1003", "Bob Ng#1005", "Participant 77#77"}, []string{"Dan Zed=Zed D", "Bob Ng=Bob Ng", "名 字=Participant 77"}},
		{"by Moodle's number of the participant", []string{"Zi#77"}, []string{"名 字=Zi"}},
		{"a partner has it, too", []string{"1001"}, []string{"Ann Ahn=1001", "Eve Xu=1001 of Ann Ahn", "note: p: shared in groups: Eve Xu has what Ann Ahn handed in"}},
		{"the name of a group", []string{"a"}, []string{"Bob Ng=a", "Dan Zed=a"}},
		{"one of a group for all", []string{"1003"}, []string{"Bob Ng=1003 of Dan Zed", "Dan Zed=1003", "note: p: shared in groups: Bob Ng has what Dan Zed handed in"}},
		{"each of a group has its own", []string{"1002", "1003"}, []string{"Bob Ng=1002", "Dan Zed=1003"}},
		{"a student twice", []string{"bob ng", "1002"}, []string{"Bob Ng=bob ng ?", "Dan Zed=bob ng ?"}},
		{"what each of a group has instead", []string{"a", "1002", "1003"}, []string{"Bob Ng=1002", "Dan Zed=1003", "note: a: not judged, because each of the group has handed in something else"}},
		{"a number of another platform", []string{"Zoe Gone_1002"}, []string{"Zoe Gone_1002=Zoe Gone_1002", `note: "Zoe Gone_1002" is not in the roster`}},
		{"who is not in the roster", []string{"Zoe"}, []string{"Zoe=Zoe", `note: "Zoe" is not in the roster`}},
		{"several are called so, and a number that the roster lacks", []string{"Ann Ahn 7777"}, []string{"Ann Ahn 7777=Ann Ahn 7777", `note: "Ann Ahn 7777" may be several students of the roster (hint: add their number to the name of the folder)`}},
		{"several are called so", []string{"Ann Ahn"}, []string{"Ann Ahn (which?)=Ann Ahn", `note: "Ann Ahn" may be several students of the roster (hint: add their number to the name of the folder)`}},
	} {
		r, err := Read(write(t, class))
		if err != nil {
			t.Fatal(err)
		}
		s := &sheet.Sheet{IDs: map[string]string{}}
		for _, handed := range tt.handed {
			name, id, _ := strings.Cut(handed, "#")
			s.IDs[name] = id
			s.Students, s.Entries = append(s.Students, name), append(s.Entries, sheet.Entry{Student: name, Problem: "p", Path: name, Shown: name})
		}
		r.Apply(s, []account.SheetProblem{{ID: "p"}})
		got := linesOf(s)
		sorted := cmp.Transformer("sorted", func(list []string) map[string]int {
			count := map[string]int{}
			for _, one := range list {
				count[one]++
			}
			return count
		})
		if d := cmp.Diff(tt.want, got, sorted); d != "" {
			t.Errorf("%s (-want +got):\n%s", tt.why, d)
		}
		for _, e := range s.Entries {
			if !slices.Contains(s.Students, e.Student) {
				t.Errorf("%s: no row for %s", tt.why, e.Student)
			}
		}
		if len(s.Students) < 6 {
			t.Errorf("%s: %d rows for a class of 6", tt.why, len(s.Students))
		}
	}
}

// worksheet1 is a grading worksheet of Moodle, with comments of several lines and a grade of one who handed in nothing.
const worksheet1 = "\ufeffIdentifier,Full name,Email address,Status,Group,Grade,Maximum Grade,Grade can be changed,Last modified (submission),Last modified (grade),Feedback comments\r\n" +
	"Participant 77,Ahn Ann,a@x,Submitted for grading - 3 mins 31 secs late -  - ,,,100.00,Yes,\"Wednesday, 10 June 2026, 2:14 PM\",-,\"Hi\n\nthere\"\r\n" +
	"Participant 78,Bob,b@x,No submission - Assignment is overdue by: 3 days -  - ,,12.50,100.00,Yes,-,-,\r\n"

func TestWriteBook(t *testing.T) {
	t.Parallel()
	problems := []account.SheetProblem{{ID: "sum", Title: "Sums", Best: 10}, {ID: "maze", Title: "Maze", Best: 5}}
	for _, tt := range []struct {
		why, roster string
		bom         bool
		want        string
	}{
		{"without a roster", "", false, "student,sum,maze,total\r\n'=1+2,0,5,5\r\nAhn Ann,7.5,0,7.5\r\n"},
		{"a byte order mark", "", true, "\ufeffstudent,sum,maze,total\r\n'=1+2,0,5,5\r\nAhn Ann,7.5,0,7.5\r\n"},
		{"columns of the roster stay, in its order and form", "\ufeffid;name;mail\n-3;Ahn Ann;+a@x\n", false, "\ufeffid;name;mail;sum;maze;total\n-3;Ahn Ann;+a@x;7.5;0;7.5\n"},
		{"Moodle's export, to which nothing may be added", "Surname,First name,Email address,Assignment: Sums (Real),Assignment: Maze (Real),Last downloaded\nAnn,Ahn,a@x,-,-,1\n", false, "Surname,First name,Email address,Assignment: Sums (Real),Assignment: Maze (Real),Last downloaded\nAnn,Ahn,a@x,7.5,0,1\n"},
		{"Canvas' export, without what its importer takes for assignments", "Student,ID,SIS User ID,SIS Login ID,Section,Maze (77),Essay (78),Final Score\n    Points Possible,,,,,20,10,(read only)\nAhn Ann,1,u1,ann,S,,9,45\n", false,
			"Student,ID,SIS User ID,SIS Login ID,Section,Maze (77),sum\n\"    Points Possible\",,,,,20,10\nAhn Ann,1,u1,ann,S,0,7.5\n"},
		{"Blackboard's download, in which only columns of points are filled", "\ufeff\"Last Name\",\"First Name\",\"Username\",\"Maze [Total Pts: 10 Letter] |120\",\"Maze [Total Pts: 5 Score] |124\",\"sum [EXTRA] [Total Pts: up to 10 Score] |125\",\"Weighted Total [Total Pts: up to 0 Percentage] |126\"\r\nAnn,Ahn,ahn,,,,\r\n", false,
			"\ufeffLast Name,First Name,Username,Maze [Total Pts: 10 Letter] |120,Maze [Total Pts: 5 Score] |124,sum [EXTRA] [Total Pts: up to 10 Score] |125,Weighted Total [Total Pts: up to 0 Percentage] |126,sum\r\nAnn,Ahn,ahn,,0,,,7.5\r\n"},
		{"decimal commas", "name;mark\nAhn Ann;1,5\n", false, "name;mark;sum;maze;total\nAhn Ann;1,5;7,5;0;7,5\n"},
		{"decimal commas in a table with commas", "name,maze,sum\nAhn Ann,EX,\nBob,,\"3,5\"\n", false, "name,maze,sum\nAhn Ann,EX,\"7,5\"\nBob,0,\"3,5\"\n"},
		{"Moodle's grading worksheet, whose grade is the sum", worksheet1, false, strings.Replace(worksheet1, ",,100.00,", ",50,100.00,", 1)},
		{"one with equal grades beside an empty column", "Identifier,Full name,Marker,Grade,Maximum Grade\nParticipant 7,Ahn Ann,,3.00,5.00\n", false, "Identifier,Full name,Marker,Grade,Maximum Grade\nParticipant 7,Ahn Ann,,2.5,5.00\n"},
		{"one with a scale: Moodle ignores other columns", "Identifier,Full name,Grade,Scale\nParticipant 7,Ahn Ann,good,\"bad good\"\n", false, "Identifier,Full name,Grade,Scale,sum,maze,total\nParticipant 7,Ahn Ann,good,bad good,7.5,0,7.5\n"},
		{"one in German", "ID,Vollständiger Name,Status,Bewertung,Bestwertung\r\nTeilnehmer/in77,Ahn Ann,Zur Bewertung abgegeben - 36 Tage zu spät,,\"5,00\"\r\n", false,
			"ID,Vollständiger Name,Status,Bewertung,Bestwertung\r\nTeilnehmer/in77,Ahn Ann,Zur Bewertung abgegeben - 36 Tage zu spät,\"2,5\",\"5,00\"\r\n"},
		{"who is excused, whatever was handed in", "name,maze,sum\nAhn Ann,EX,ex\n", false, "name,maze,sum\nAhn Ann,EX,ex\n"},
		{"what is not judged", "Identifier,Full name,Grade,Maximum Grade\nParticipant 7,Ahn Ann,,5\nParticipant 8,Cyd,,5\n", false, "Identifier,Full name,Grade,Maximum Grade\nParticipant 7,Ahn Ann,2.5,5\nParticipant 8,Cyd,,5\n"},
		{"what is not judged, for a problem", "name,maze,sum\nCyd,,\n", false, "name,maze,sum\nCyd,,0\n"},
	} {
		var r *Roster
		handed := &sheet.Sheet{Students: []string{"=1+2", "Ahn Ann"}}
		if tt.roster != "" {
			var err error
			if r, err = Read(write(t, tt.roster)); err != nil {
				t.Fatal(err)
			}
			r.Apply(handed, problems)
		}
		s := account.NewSheet(handed.Students, problems)
		s.Cell("=1+2", 1).Points, s.Cell("Ahn Ann", 0).Points = 5, 7.5
		s.Cell("Ahn Ann", 0).Submission = "x"
		if slices.Contains(handed.Students, "Cyd") {
			*s.Cell("Cyd", 1) = account.Cell{Submission: "y", Wrong: "two files"}
		}
		s.Sum(true)
		var b bytes.Buffer
		if err := WriteBook(&b, r, s, tt.bom); err != nil || b.String() != tt.want {
			t.Errorf("%s: %q, want %q, %v", tt.why, b.String(), tt.want, err)
		}
	}
}

// FuzzRead checks that every table is a roster, whose students all have rows of their own, or an error of the user.
func FuzzRead(f *testing.F) {
	f.Add([]byte("name,group,partner\nAnn,A,Bob\nBob,,\n"), "Ann")
	f.Fuzz(func(t *testing.T, text []byte, handed string) {
		r, err := Read(write(t, string(text)))
		if err != nil {
			return
		}
		s := &sheet.Sheet{Students: []string{handed}, Entries: []sheet.Entry{{Student: handed, Problem: "p", Path: "x"}}}
		r.Apply(s, []account.SheetProblem{{ID: "p"}})
		seen := map[string]bool{}
		for _, name := range s.Students {
			if seen[name] {
				t.Fatalf("two rows for %q", name)
			}
			seen[name] = true
		}
		if len(seen) < len(r.Students) || len(s.Entries) == 0 || !seen[s.Entries[0].Student] {
			t.Fatalf("%d rows for %d students, %+v", len(seen), len(r.Students), s.Entries)
		}
		if err := WriteBook(&bytes.Buffer{}, r, account.NewSheet(s.Students, nil), false); err != nil {
			t.Fatal(err)
		}
	})
}

// TestGitHubGrades reads the grades that GitHub Classroom lets teachers download.
func TestGitHubGrades(t *testing.T) {
	t.Parallel()
	r, err := Read(write(t, "\"assignment_name\",\"github_username\",\"roster_identifier\",\"points_awarded\"\n\"hw1\",\"ann-lee\",\"ann@x.org\",\"\"\n"))
	if err != nil || r.Students[0].Name != "ann-lee" || r.find("ann@x.org") != 0 {
		t.Errorf("%+v, %v", r, err)
	}
}

// TestEqualNames checks that no form of a name that two students have leads to one of them.
func TestEqualNames(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"leeann", "Ann Lee", "lee, ann", "Ann Lee 7777"} {
		r, err := Read(write(t, "Student,ID,Section\n\"Lee, Ann\",101,S\n\"Lee, Ann\",102,S\n"))
		if err != nil {
			t.Fatal(err)
		}
		s := &sheet.Sheet{Students: []string{name}, Entries: []sheet.Entry{{Student: name, Problem: "p", Path: "x"}}}
		r.Apply(s, []account.SheetProblem{{ID: "p"}})
		if len(s.Students) != 3 || len(s.Notes) != 1 || !strings.Contains(s.Notes[0], "may be several students") {
			t.Errorf("%s: rows %q, notes %q", name, s.Students, s.Notes)
		}
	}
}
