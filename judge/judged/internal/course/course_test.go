package course

import (
	"strings"
	"testing"
	"time"

	"tribunal/judge/judged/internal/ledger"
)

var begin = time.Date(2026, 12, 1, 9, 0, 0, 0, time.UTC)

func at(minutes int) time.Time { return begin.Add(time.Duration(minutes) * time.Minute) }

func TestRead(t *testing.T) {
	t.Parallel()
	const head = "title: T\n"
	for _, tt := range []struct{ why, text, want string }{
		{"the least", head, ""},
		{"all", head + "about: some words\nopen: 2026-12-01T09:00:00+01:00\ndue: 2026-12-01T14:00:00+01:00\nlate: 2026-12-02T14:00:00+01:00\nlate_penalty: 20\nfreeze: 2026-12-01T13:00:00+01:00\nthaw: 2026-12-01T15:00:00+01:00\nscoring: icpc\npenalty: 20m\nstandings: public\nfeedback: samples\nlanguages: [cpp]\nmax_source: 65536\nrate: 6\nregister: word\ngroups:\n  B: {due: 2026-12-01T15:00:00+01:00}\nproblems:\n  - {label: A, problem: game, points: 10, partial: true, colour: \"#e03131\"}\n", ""},
		{"a key that is not there", head + "titel: x\n", `course.yaml:2: unknown field "titel"`},
		{"no title", "about: x\n", "course.yaml:1: "},
		{"no zone", head + "open: 2026-12-01 09:00\n", `course.yaml:2: open: "2026-12-01 09:00" is no time with a zone (hint: such as 2026-12-01T09:00:00+01:00)`},
		{"a month that is not there", head + "groups:\n  B: {due: 2026-13-01T09:00:00Z}\n", `course.yaml:3: due: "2026-13-01T09:00:00Z" is no time with a zone (hint: such as`},
		{"times that contradict", head + "open: 2026-12-01T09:00:00Z\ndue: 2026-12-01T09:00:00Z\n", "course.yaml: due: 2026-12-01T09:00:00Z is not after open, 2026-12-01T09:00:00Z"},
		{"a year that JSON cannot hold", head + "open: 2026-12-01T09:00:00Z\ndue: 9999-12-31T23:00:00-05:00\n", "course.yaml: the year 10000 is too far away"},
		{"late without due", head + "late: 2026-12-01T09:00:00Z\n", "course.yaml: late: without due nothing is late"},
		{"late before due", head + "due: 2026-12-01T10:00:00Z\nlate: 2026-12-01T09:00:00Z\n", "course.yaml: late: it is before due, 2026-12-01T10:00:00Z"},
		{"a group whose times contradict", head + "open: 2026-12-01T09:00:00Z\ngroups:\n  B: {due: 2026-12-01T08:00:00Z}\n", "course.yaml: due of group B: 2026-12-01T08:00:00Z is not after open, 2026-12-01T09:00:00Z"},
		{"thaw without freeze", head + "thaw: 2026-12-01T09:00:00Z\n", "course.yaml: thaw: it comes after freeze"},
		{"freeze before open", head + "open: 2026-12-01T09:00:00Z\nfreeze: 2026-12-01T08:00:00Z\n", "course.yaml: freeze: it is before open, 2026-12-01T09:00:00Z"},
		{"minutes from nowhere", head + "scoring: icpc\n", "course.yaml: open: icpc counts minutes from it, so it must be there"},
		{"a label twice", head + "problems:\n  - {label: A, problem: a}\n  - {label: A, problem: b}\n", "course.yaml: problem A: two problems have this label"},
		{"a problem twice", head + "problems:\n  - {label: A, problem: a}\n  - {label: B, problem: a}\n", "course.yaml: problem B: a is there twice"},
		{"a long label", head + "problems:\n  - {label: ABCDEFGHI, problem: a}\n", `course.yaml: problem 1: label "ABCDEFGHI": want 1 to 8 characters, such as A`},
		{"a colour by name", head + "problems:\n  - {label: A, problem: a, colour: red}\n", "course.yaml:3: "},
		{"an unknown scoring", head + "scoring: ioi\n", "course.yaml:2: "},
		{"a control character", "title: \"a\\u0007b\"\n", "course.yaml: title: want 1 to 200 characters in a line"},
	} {
		_, _, err := Read("course.yaml", []byte(tt.text))
		got := ""
		if err != nil {
			got = err.Error()
		}
		if tt.want == "" && got != "" || !strings.HasPrefix(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.why, got, tt.want)
		}
	}
}

func TestPhases(t *testing.T) {
	t.Parallel()
	c := &ledger.Course{Open: at(0), Due: at(100), Late: at(200), Freeze: at(50), Thaw: at(70), Groups: map[string]ledger.Times{"B": {Open: at(10), Due: at(150)}, "C": {Late: at(110)}}}
	for _, tt := range []struct {
		minute int
		group  string
		want   Phase
	}{
		{-1, "", Before}, {0, "", During}, {49, "", During}, {50, "", Frozen}, {69, "", Frozen}, {70, "", During}, {99, "", During},
		{100, "", Late}, {199, "", Late}, {200, "", After},
		{9, "B", Before}, {10, "B", During}, {149, "B", During}, {150, "B", Late}, {200, "B", After},
		{109, "C", Late}, {110, "C", After}, {0, "unknown", During},
	} {
		if got := PhaseOf(c, tt.group, at(tt.minute)); got != tt.want {
			t.Errorf("minute %d, group %q: %s, want %s", tt.minute, tt.group, got, tt.want)
		}
	}
	if got := PhaseOf(&ledger.Course{}, "", begin); got != During {
		t.Errorf("without times: %s", got)
	}
	if got := PhaseOf(&ledger.Course{Due: at(10)}, "", at(10)); got != After {
		t.Errorf("without late submissions, at due: %s", got)
	}
}

func TestAdmit(t *testing.T) {
	t.Parallel()
	c := &ledger.CourseState{ID: "c", Course: ledger.Course{
		Open: at(0), Due: at(100), Languages: []string{"cpp"}, MaxSource: 10, Rate: 2, Problems: []ledger.CourseProblem{{Label: "A", Problem: "a"}},
	}}
	for _, tt := range []struct {
		why      string
		role     ledger.Role
		problem  string
		language string
		size     int
		lately   int
		minute   int
		want     string
	}{
		{"all is well", ledger.Participant, "a", "cpp", 10, 1, 0, ""},
		{"by an archive, whose language is not known", ledger.Participant, "a", "", 10, 0, 0, ""},
		{"another problem", ledger.Teacher, "b", "cpp", 1, 0, 0, "the course has no problem b"},
		{"too early", ledger.Participant, "a", "cpp", 1, 0, -1, "the course begins at 2026-12-01T09:00:00Z"},
		{"a teacher tries it before", ledger.Teacher, "a", "python", 100, 9, -1, ""},
		{"too late", ledger.Participant, "a", "cpp", 1, 0, 100, "the course has ended at 2026-12-01T10:40:00Z"},
		{"language", ledger.Participant, "a", "python", 1, 0, 0, "python is not among the languages of the course: cpp"},
		{"size", ledger.Participant, "a", "cpp", 11, 0, 0, "the source has 11 bytes, and the course allows 10"},
		{"rate", ledger.Participant, "a", "cpp", 1, 2, 0, "2 submissions in a minute are the most that the course allows (hint: wait a minute)"},
		{"an observer", ledger.Observer, "a", "cpp", 1, 0, 0, "observers hand in nothing"},
	} {
		m := &ledger.PersonState{Person: ledger.Person{Login: "ann", Role: tt.role}}
		err := Admit(c, m, tt.problem, tt.language, tt.size, tt.lately, at(tt.minute))
		got := ""
		if err != nil {
			got = err.Error()
		}
		if got != tt.want {
			t.Errorf("%s: %q, want %q", tt.why, got, tt.want)
		}
	}
}
