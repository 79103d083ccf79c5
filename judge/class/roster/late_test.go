package roster

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tribunal/judge/class/sheet"
	"tribunal/judge/internal/account"
)

// TestLateness checks which columns of a roster say that Ann was late for the problem maze.
func TestLateness(t *testing.T) {
	t.Parallel()
	status := func(text string) string {
		return "Identifier,Full name,Status,Grade,Maximum Grade\nParticipant 7,Ann,\"" + text + "\",,10\n"
	}
	for _, tt := range []struct {
		why, roster string
		late        string // what the columns say, or none
	}{
		{"no column", "name\nAnn\n", "none"},
		{"a status of something else", "name,status\nAnn,Enrolled - 2 years late\n", "none"},
		{"Moodle: in time", status("Submitted for grading -  - "), "false"},
		{"Moodle: late", status("Submitted for grading - 1 day 2 hours late - Graded -  - "), "true"},
		{"Moodle: in German", status("Zur Bewertung abgegeben - 36 Tage 10 Stunden zu spät -  - "), "true"},
		{"Moodle: in Russian", status("Отправлено для оценивания - Срок выполнения закончился 3 дн. назад - "), "true"},
		{"Moodle: an extension", status("Zur Bewertung abgegeben - Verlängertes Abgabeende bis: Mittwoch, 26. November 2025, 23:59 -  - "), "false"},
		{"Moodle: an extension, in Finnish", status("Palautettu arvioitavaksi - Lisäaikaa myönnetty keskiviikko 26. marraskuuta 2025, 23.59 asti -  - "), "false"},
		{"Moodle: late after an extension", status("Submitted for grading - 2 days late - Extension granted until: Monday, 1 June 2026, 5:00 PM"), "true"},
		{"Moodle: overdue", status("No submission - Assignment is overdue by: 3 days 2 hours -  - "), "false"},
		{"Gradescope: scores of an assignment", "First Name,Last Name,SID,Email,Total Score,Max Points,Status,Submission ID,Submission Time,Lateness (H:M:S)\nAnn,Lee,1,a@x,7.0,10.0,Graded,5,2026-11-03 14:22:05 -0700,26:05:00\n", "true"},
		{"Gradescope: in time", "First Name,Last Name,Status,Lateness (H:M:S)\nAnn,Lee,Graded,00:00:00\n", "false"},
		{"Gradescope: all assignments", "First Name,Last Name,SID,game,game - Lateness (H:M:S),The Maze,The Maze - Max Points,The Maze - Lateness (H:M:S),Total Lateness (H:M:S)\nAnn,Lee,1,7,00:00:00,3,5,00:00:01,01:00:00\n", "true"},
		{"Gradescope: another assignment", "First Name,Last Name,game - Lateness (H:M:S),maze - Lateness (H:M:S)\nAnn,Lee,00:10:00,\n", "false"},
		{"a total only", "name,Total Lateness (H:M:S)\nAnn,01:00:00\n", "none"},
		{"a teacher's own", "name,Late\nAnn,yes\n", "true"},
		{"a teacher's own of a problem", "name,late,maze late\nAnn,yes,no\n", "false"},
	} {
		r, err := Read(write(t, tt.roster))
		if err != nil {
			t.Errorf("%s: %v", tt.why, err)
			continue
		}
		l, got := r.lateness([]account.SheetProblem{{ID: "game"}, {ID: "maze", Title: "The Maze"}}), "none"
		if l != nil {
			got = fmt.Sprint(l.says(r.Students[0].Values, "maze"))
		}
		if got != tt.late {
			t.Errorf("%s: %s, want %s", tt.why, got, tt.late)
		}
	}
}

// TestGroups applies rosters with groups, lateness and platforms' numbers.
func TestGroups(t *testing.T) {
	t.Parallel()
	tutorial := "name,group\n"
	for i := range maxTeam + 1 {
		tutorial += fmt.Sprintf("s%d,Tut 3\n", i)
	}
	const canvas = "Student,ID,SIS Login ID,Section\n\"Lee, Ann\",101,ann,A\n\"Ng, Bob\",102,bob,A\n"
	for _, tt := range []struct {
		why, roster string
		handed      []string // STUDENT or STUDENT#ID
		want        []string
	}{
		{"a late hand-in is late for all who share it", "name,group,late\nAnn,A,1\nBob,A,\nCyd,,\n", []string{"Ann", "Cyd"},
			[]string{"Ann=Ann late", "Bob=Ann late of Ann", "Cyd=Cyd", "note: p: shared in groups: Bob has what Ann handed in", `note: R: the column "late" says what was late`}},
		{"late is who shares, by the own row", "name,group,late\nAnn,A,\nBob,A,1\n", []string{"Ann"},
			[]string{"Ann=Ann", "Bob=Ann late of Ann", "note: p: shared in groups: Bob has what Ann handed in", `note: R: the column "late" says what was late`}},
		{"a tutorial is no team", tutorial, []string{"s1"},
			[]string{"s1=s1", "note: R: groups of up to 9 students share only what bears the name of the group (hint: a column partner joins those who worked together)"}},
		{"what a large group handed in under its name", tutorial, []string{"tut 3"},
			[]string{"s0=tut 3", "s1=tut 3", "s2=tut 3", "s3=tut 3", "s4=tut 3", "s5=tut 3", "s6=tut 3", "s7=tut 3", "s8=tut 3", "note: R: groups of up to 9 students share only what bears the name of the group (hint: a column partner joins those who worked together)"}},
		{"partners in a tutorial", strings.ReplaceAll(strings.Replace(strings.Replace(tutorial, "group", "group,partner", 1), "s1,Tut 3", "s1,Tut 3,s2", 1), "Tut 3\n", "Tut 3,\n"), []string{"s1"},
			[]string{"s1=s1", "s2=s1 of s1", "note: p: shared in groups: s2 has what s1 handed in", "note: R: groups of up to 9 students share only what bears the name of the group (hint: a column partner joins those who worked together)"}},
		{"Canvas: one who is called like another", canvas, []string{"leeann#999", "ngbob#102"},
			[]string{"leeann=leeann", "Ng, Bob=ngbob", `note: "leeann" is called like a student of the roster, but has the number 999, which is not in the column ID`}},
		{"Canvas: a name that has changed", canvas, []string{"ng-leebob#102", "leeann#101"}, []string{"Ng, Bob=ng-leebob", "Lee, Ann=leeann"}},
		{"numbers of another platform", canvas, []string{"leeann#7", "ngbob#8"}, []string{"Lee, Ann=leeann", "Ng, Bob=ngbob"}},
		{"one number of another platform is here, too", canvas + "\"Xu, Cyd\",103,cyd,A\n", []string{"leeann#7", "ngbob#8", "xucyd#103"}, []string{"Lee, Ann=leeann", "Ng, Bob=ngbob", "Xu, Cyd=xucyd"}},
		{"Moodle: one who is called like another", "Identifier,Full name\nParticipant 7,Ann\nParticipant 9,Bob\n", []string{"Ann#7", "Bob#55"},
			[]string{"Ann=Ann", "Bob (which?)=Bob", `note: "Bob" is called like a student of the roster, but has the number 55, which is not in the column Identifier`}},
		{"Moodle: participants of equal names", "Identifier,Full name\nParticipant 7,Ann\nParticipant 8,Ann\nParticipant 9,Bob\n", []string{"Ann 8#8", "Ann 7#7", "Bob#9", "Ann 5#5"},
			[]string{"Ann=Ann 7", "Ann (Participant 8)=Ann 8", "Bob=Bob", "Ann 5=Ann 5", `note: "Ann 5" is not in the roster`}},
		{"Gradescope: students of equal names", "First Name,Last Name,SID,Email\nAnn,Lee,7,a@x\nAnn,Lee,8,b@x\n", []string{"Ann Lee#8"}, []string{"Ann Lee (8)=Ann Lee"}},
		{"a number that two rows have", "Name,Login\nAnn,a\nBob,b\nCyd,b\n", []string{"Ann#a", "Bob#b"}, []string{"Ann=Ann", "Bob (which?)=Bob", `note: "Bob" may be several students of the roster (hint: add their number to the name of the folder)`}},
		{"a German spreadsheet with equal names", "Name;Matr.-Nr.\nLi;1001\nLi;1002\n", []string{"Li 1002", "li_1001"}, []string{"Li=li_1001", "Li (1002)=Li 1002"}},
		{"Moodle: anonymous participants", "Identifier,Grade\nParticipant 7,\nParticipant 8,\n", []string{"Participant 8#8"}, []string{"Participant 8=Participant 8"}},
	} {
		file := write(t, tt.roster)
		r, err := Read(file)
		if err != nil {
			t.Errorf("%s: %v", tt.why, err)
			continue
		}
		s := &sheet.Sheet{IDs: map[string]string{}}
		for _, handed := range tt.handed {
			name, id, _ := strings.Cut(handed, "#")
			s.IDs[name] = id
			s.Students, s.Entries = append(s.Students, name), append(s.Entries, sheet.Entry{Student: name, Problem: "p", Path: name, Shown: name})
		}
		r.Apply(s, []account.SheetProblem{{ID: "p"}})
		got := map[string]bool{}
		for _, text := range linesOf(s) {
			got[strings.ReplaceAll(text, file, "R")] = true
		}
		want := map[string]bool{}
		for _, text := range tt.want {
			want[text] = true
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", tt.why, d)
		}
	}
}

func TestBookNotes(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ why, roster, want string }{
		{"a spreadsheet says no points", "name,sum,maze\nAnn,,\n", ""},
		{"Canvas", "Student,ID,SIS Login ID,Section,Sum (7),maze (8)\nPoints Possible,,,,10,20\nAnn,1,ann,A,,\n", "maze: 20 points in R, 5 here (hint: --weight maze=20)"},
		{"Blackboard", "Last Name,First Name,Username,maze [Total Pts: 5 Score] |7,sum [Total Pts: 100 Score] |8\nLee,Ann,ann,,\n", "sum: 100 points in R, 10 here (hint: --weight sum=100)"},
		{"a worksheet", worksheet1, `R: the column "Grade" gets the sum of the points, scaled to the maximum of 100`},
		{"a worksheet with a scale", "Identifier,Full name,Grade,Scale\nParticipant 7,Ann,,\"bad\ngood\"\n", "R: a grading worksheet without a maximum, so that the column of the grade stays"},
	} {
		file := write(t, tt.roster)
		r, err := Read(file)
		if err != nil {
			t.Errorf("%s: %v", tt.why, err)
			continue
		}
		notes := r.BookNotes(&account.Sheet{Problems: []account.SheetProblem{{ID: "sum", Best: 10}, {ID: "maze", Best: 5}}})
		if got := strings.ReplaceAll(strings.Join(notes, "; "), file, "R"); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.why, got, tt.want)
		}
	}
}
