package report

import "tribunal/judge/internal/grade"

// origin says that a case was not run now; "" if it was.
func origin(c grade.Case) string {
	if c.Cached {
		return "cached"
	}
	return ""
}

// cached counts the cases of all submissions that were judged by an earlier run, and
// those that were judged.
func (t *Terminal) cached() (n, judged int) {
	for _, s := range t.subs {
		n += len(s.cached)
		judged += len(s.cases)
	}
	return n, judged
}
