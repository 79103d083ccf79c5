package course

import (
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"tribunal/judge/judged/internal/ledger"
)

// TestWrite checks that what is written is read as it was.
func TestWrite(t *testing.T) {
	t.Parallel()
	zone := time.FixedZone("", 3600)
	for _, c := range []ledger.Course{
		{Title: "T"},
		{Title: "yes", About: "two\nlines # and: a colon\n\n  indented", Register: "123", Languages: []string{"cpp", "null"}},
		{Title: "- [x]", Problems: []ledger.CourseProblem{{Label: "1", Problem: "a", Points: 2.5, Partial: true, Colour: "#e03131"}, {Label: "~", Problem: "b"}}, Archived: true},
		{
			Title: "ICPC \"final\" 'x' é 李", Scoring: ledger.ICPC, Penalty: 90 * time.Second, LatePenalty: 12.5, MaxSource: 1 << 40, Rate: 3, Standings: ledger.Public, Feedback: "first",
			Open: time.Date(2026, 12, 1, 9, 0, 0, 5e8, zone), Due: time.Date(2026, 12, 1, 10, 0, 0, 0, time.UTC), Late: time.Date(2026, 12, 2, 10, 0, 0, 0, zone), Freeze: time.Date(2026, 12, 1, 9, 30, 0, 0, zone), Thaw: time.Date(2026, 12, 3, 0, 0, 0, 0, zone),
			Groups: map[string]ledger.Times{"A: 1": {Due: time.Date(2026, 12, 1, 11, 0, 0, 0, time.UTC)}, "b": {Open: time.Date(2026, 12, 1, 9, 1, 0, 0, zone), Late: time.Date(2026, 12, 5, 0, 0, 0, 0, zone)}},
		},
	} {
		text := Write(&c)
		got, _, err := Read("course.yaml", text)
		if err != nil {
			t.Errorf("%v in\n%s", err, text)
		} else if d := gocmp.Diff(c, got); d != "" {
			t.Errorf("%s\n(-want +got):\n%s", text, d)
		}
	}
}

// TestFields checks that every key has words.
func TestFields(t *testing.T) {
	t.Parallel()
	var keys []string
	for _, f := range Fields() {
		if f.Key == "" || f.Doc == "" && f.Key != "problems: problem" {
			t.Errorf("%+v", f)
		}
		keys = append(keys, f.Key)
	}
	if all := strings.Join(keys, " "); !strings.HasPrefix(all, "title about problems open ") || !strings.Contains(all, "problems: label") {
		t.Error(all)
	}
}
