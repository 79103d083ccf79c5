package grade

import (
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"
)

// TestKnown judges submissions twice, the second time with the results of some cases of the first, and
// expects the same events, and runs of the other cases alone.
func TestKnown(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why, programs string
		known         func(index int) bool
		runs          int
	}{
		{"nothing is known", "AC AC WA AC", func(int) bool { return false }, 3},
		{"all is known", "AC AC WA AC", func(int) bool { return true }, 0},
		{"the failure is known", "AC AC WA AC", func(i int) bool { return i == 2 }, 2},
		{"the failure is not known", "AC WA AC AC", func(i int) bool { return i != 1 }, 1},
		{"an accepted submission", "AC AC AC AC", func(i int) bool { return i < 2 }, 2},
	} {
		synctest.Test(t, func(t *testing.T) {
			task := newTask(numbered(4), submit(t, tt.programs))
			first := gradeAll(t, newJudge(t, player(t, nil), 1, nil), task)
			results := map[int]*Case{}
			for _, c := range caseEvents(first) {
				if tt.known(c.Index) {
					results[c.Index] = c
				}
			}
			host := player(t, nil)
			task.Submissions[0].Known = func(index int) *Case { return results[index] }
			second := gradeAll(t, newJudge(t, host, 1, nil), task)
			if diff := cmp.Diff(outcome(first), outcome(second)); diff != "" {
				t.Errorf("%s: the results differ:\n%s", tt.why, diff)
			}
			if runs := host.Runs(); runs != tt.runs {
				t.Errorf("%s: %d runs, want %d", tt.why, runs, tt.runs)
			}
		})
	}
}

// outcome returns what the cases and the end of a judging say.
func outcome(events []Event) (lines []string) {
	for _, e := range events {
		switch e := e.(type) {
		case *Case:
			lines = append(lines, strings.Join([]string{e.Name, e.Verdict.String(), e.Cause}, " "))
		case *Done:
			lines = append(lines, strings.Join([]string{e.Verdict.String(), e.First, e.Cause}, " "))
		}
	}
	return lines
}
