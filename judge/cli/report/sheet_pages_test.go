package report

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tribunal/judge/internal/account"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/verdict"
)

// links returns a page in which addresses are as names of files are.
func links(page []byte) string {
	return regexp.MustCompile(`href="[^"]*"`).ReplaceAllStringFunc(string(page), func(link string) string {
		plain, _ := url.PathUnescape(link)
		return plain
	})
}

// TestMoodlePages checks which names the pages get that go back into Moodle.
func TestMoodlePages(t *testing.T) {
	t.Parallel()
	type cell = account.Cell
	for _, tt := range []struct {
		why  string
		ann  []cell
		ben  []cell
		want map[string]string
	}{
		{"a folder for each student", []cell{{Submission: "c.zip/Ann Lee_12_assignsubmission_file_/a.py"}, {Submission: "c.zip/Ann Lee_12_assignsubmission_file_/b.py"}}, []cell{{}, {Submission: "c.zip/Ben_3_assignsubmission_file/b.py"}},
			map[string]string{"ann": "Ann Lee_12_assignsubmission_file_feedback.html", "ben": "Ben_3_assignsubmission_file_feedback.html"}},
		{"files without folders", []cell{{Submission: "Ann_12_assignsubmission_file_a.py"}}, nil, map[string]string{"ann": "Ann_12_assignsubmission_file_feedback.html"}},
		{"what another of the group handed in", []cell{{Submission: "c/Ann_12_assignsubmission_file_/a.py"}}, []cell{{Submission: "c/Ann_12_assignsubmission_file_/a.py", Shared: "ann"}}, map[string]string{"ann": "Ann_12_assignsubmission_file_feedback.html"}},
		{"two assignments, in which others have the numbers", []cell{{Submission: "a.zip/Ann_12_assignsubmission_file_/a.py"}}, []cell{{Submission: "b.zip/Ben_12_assignsubmission_file_/b.py"}}, nil},
		{"a number is lacking", []cell{{Submission: "c/Ann_assignsubmission_file_/a.py"}}, nil, nil},
		{"another platform", []cell{{Submission: "c/ann_12_67_a.py"}}, nil, nil},
		{"nothing was handed in", []cell{{}}, nil, map[string]string{}},
		{"a name that is too long", []cell{{Submission: strings.Repeat("a", 230) + "_12_assignsubmission_file_/a.py"}}, nil, nil},
	} {
		got := moodlePages(&account.Sheet{Students: []account.Student{{Name: "ann", Cells: tt.ann}, {Name: "ben", Cells: tt.ben}}})
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.why, diff)
		}
	}
}

// TestSheetPages checks that each student has a page that the index leads to, which has no name of another, and shows
// as much as the feedback of the problem allows.
func TestSheetPages(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		feedback         problem.Feedback
		sample           bool
		verdict, details bool
	}{
		{"", false, true, true},
		{problem.NoFeedback, true, false, false},
		{problem.FeedbackVerdict, true, true, false},
		{problem.FeedbackSamples, false, true, false},
		{problem.FeedbackSamples, true, true, true},
		{problem.FeedbackFirst, false, true, true},
		{problem.FeedbackAll, false, true, true},
	} {
		events := class(15, 8)
		for _, e := range events {
			switch e := e.(type) {
			case *grade.Built:
				e.Cached = true
			case *grade.Case:
				e.Cached = true
			}
		}
		s := sheetOf(events)
		s.Problems[0].Feedback = tt.feedback
		if tt.sample {
			s.Problems[0].Samples = s.Problems[0].Judging.Cases
		}
		for i := range s.Students {
			s.Students[i].Cells[1].Wrong = "several files: class/" + s.Students[(i+1)%len(s.Students)].Name + "/x"
		}
		s.Students[0].Name = "../../é\x1b[31m/" // of a folder, which no file may have
		dir := t.TempDir()
		if err := SheetPages(dir, s); err != nil {
			t.Fatal(err)
		}
		index, err := os.ReadFile(filepath.Join(dir, "index.html"))
		if err != nil {
			t.Fatal(err)
		}
		files, err := os.ReadDir(dir)
		if err != nil || len(files) != len(s.Students)+1 {
			t.Fatalf("%d files for %d students, %v", len(files), len(s.Students), err)
		}
		shown := false
		for i, one := range s.Students {
			name := pageName(one.Name)
			text, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil || !strings.Contains(links(index), `href="`+name+`"`) {
				t.Fatalf("%s: %v, or the index does not lead to it", name, err)
			}
			for k, other := range s.Students {
				if k != i && strings.Contains(string(text), other.Name) {
					t.Errorf("feedback %q: the page of %s names %s", tt.feedback, one.Name, other.Name)
				}
			}
			if found := regexp.MustCompile(`<td class="v[^>]*>(?:<a[^>]*>)?[A-Z]{2,3}`).Match(text); found != tt.verdict && one.Cells[0].Submission != "" {
				t.Errorf("feedback %q: the page of %s shows a verdict: %v", tt.feedback, one.Name, found)
			}
			if strings.Contains(string(text), "from the cache") || strings.Contains(string(text), "*</b>") {
				t.Errorf("feedback %q: the page of %s says what came from the cache", tt.feedback, one.Name)
			}
			if strings.Contains(string(text), "exercise-3/") || strings.Contains(string(text), "judge grade") {
				t.Errorf("feedback %q: the page of %s has a folder of the teacher, or a command", tt.feedback, one.Name)
			}
			if tt.feedback == problem.NoFeedback && one.Cells[0].Submission != "" && !strings.Contains(string(text), `<td>0 AC<td class="sum">0<td>`) {
				t.Errorf("the page of %s shows points", one.Name)
			}
			shown = shown || strings.Contains(string(text), "<details") && one.Cells[0].Verdict != verdict.CE // what the compiler says is always shown
		}
		if shown != tt.details {
			t.Errorf("feedback %q: details are shown: %v, want %v", tt.feedback, shown, tt.details)
		}
	}
}

// TestSheetPagesOfOthers checks that nothing of a student is on the page of another, or is anything but text.
func TestSheetPagesOfOthers(t *testing.T) {
	t.Parallel()
	events := class(15, 8)
	forms := []string{"</bdi><script>%s</script>", "../%s/..", "\u202e%s\x1b[2J", `"><img src=x onerror="%s">`, "%s\u0000\n"}
	name := func(i int) string { return fmt.Sprintf(forms[i%len(forms)], fmt.Sprintf("MARK%02d", i)) }
	for _, e := range events {
		switch e := e.(type) {
		case *grade.Begin:
			for i := range e.Submissions {
				e.Submissions[i] = "class/" + name(i) + "/" + name(i) + ".cpp"
			}
			e.Notes, e.Busy = []string{"busy with " + name(3)}, []string{name(4)}
		case *grade.Built:
			if e.Error != "" {
				e.Error = name(e.Submission) + ": error"
			}
		case *grade.Case:
			e.Cause, e.Message, e.Stderr = name(e.Submission), name(e.Submission), name(e.Submission)
		}
	}
	for _, feedback := range append(problem.Feedbacks(), "") {
		s := sheetOf(events)
		s.Problems[0].Feedback, s.Columns = feedback, []string{"partner"}
		for i := range s.Students {
			one := &s.Students[i]
			var k int
			if n, _ := fmt.Sscanf(one.Name, "student %d", &k); n != 1 {
				k = len(s.Students) - 1
			}
			other := name((k + 1) % len(s.Students))
			s.Notes, one.Name, one.Columns = append(s.Notes, name(k)), name(k), []string{other}
			one.Cells[0].Late, one.Cells[1] = true, account.Cell{Submission: other, Wrong: other}
		}
		dir := t.TempDir()
		if err := SheetPages(dir, s); err != nil {
			t.Fatal(err)
		}
		for _, one := range s.Students {
			text, err := os.ReadFile(filepath.Join(dir, pageName(one.Name)))
			if err != nil {
				t.Fatal(err)
			}
			own := regexp.MustCompile(`MARK\d\d`).FindString(one.Name)
			for _, mark := range regexp.MustCompile(`MARK\d\d`).FindAllString(string(text), -1) {
				if mark != own {
					t.Errorf("feedback %q: the page of %s has %s", feedback, own, mark)
				}
			}
			if !strings.Contains(string(text), own) || !strings.Contains(string(text), "(late)") {
				t.Errorf("feedback %q: the page of %s does not name or show it", feedback, own)
			}
			if strings.Contains(string(text), "<script>") || strings.Contains(string(text), "<img src=x") || strings.ContainsAny(string(text), "\u202e\x1b\x00") {
				t.Errorf("feedback %q: the page of %s has markup of a name", feedback, own)
			}
		}
	}
}
