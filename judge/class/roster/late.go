package roster

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"tribunal/judge/class/table"
	"tribunal/judge/internal/account"
)

// A lateness has the columns that say what was late, by problem; "" is every problem.
type lateness struct {
	columns map[string]int
	header  []string
	moodle  int // the column with Moodle's statuses, or -1
}

// lateHeader matches the headers of columns that teachers and Gradescope ("Maze - Lateness (H:M:S)") write, with what
// is before: a problem, or nothing for all.
var lateHeader = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^(?:(.*?\S)[\s:-]+)?(?:late|lateness|verspätet|en retard|retraso)(?: \(H:M:S\))?$`)
})

// lateness returns the columns that say what was late; nil if there are none.
func (r *Roster) lateness(problems []account.SheetProblem) *lateness {
	l := &lateness{columns: map[string]int{}, header: r.Header, moodle: -1}
	for i, header := range r.Header {
		m := lateHeader().FindStringSubmatch(header)
		if m != nil && m[1] == "" {
			l.columns[""] = i
		}
		for _, p := range problems {
			if m != nil && m[1] != "" && called(m[1], p) {
				l.columns[p.ID] = i
			}
		}
	}
	if r.worksheet() >= 0 {
		l.moodle = r.Column("status", "statut", "estado", "stato", "состояние", "状态")
	}
	if len(l.columns) == 0 && l.moodle < 0 {
		return nil
	}
	return l
}

// names returns the headers of the columns.
func (l *lateness) names() string {
	var names []string
	for i, header := range l.header {
		if i == l.moodle || slices.Contains(slices.Collect(maps.Values(l.columns)), i) {
			names = append(names, header)
		}
	}
	return some(names, ", ")
}

// says reports whether the row of a student says that what was handed in for a problem was late.
func (l *lateness) says(row []string, problem string) bool {
	if l == nil {
		return false
	}
	for _, of := range []string{problem, ""} {
		if column, is := l.columns[of]; is {
			return table.Yes(row[column])
		}
	}
	return l.moodle >= 0 && lateStatus(row[l.moodle])
}

// year matches a year, as it is in a date.
var year = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\b\d{4}\b`) })

// lateStatus reports whether a status of Moodle's grading worksheet, such as "Submitted for grading - 1 day 2 hours
// late - Graded", has the part by which it says so (col_status in mod/assign/gradingtable.php). In every language that
// is the part with a number that is no date and follows no colon, as those about extensions and what is overdue do.
func lateStatus(status string) bool {
	parts := strings.Split(status, " - ")
	return slices.ContainsFunc(parts[1:], func(part string) bool {
		return strings.ContainsAny(part, "0123456789") && !strings.Contains(part, ":") && !year().MatchString(part)
	})
}
