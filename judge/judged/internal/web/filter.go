package web

import (
	"slices"
	"strings"
	"time"

	"tribunal/judge/judged/internal/ledger"
)

// filter selects submissions by their present states. Empty fields select all.
type filter struct {
	Submitter, Problem, Status, Verdict, Language, Worker string
	Since, Until                                          time.Time
}

func (f *filter) matches(sub *ledger.Submission) bool {
	j := sub.Counts()
	if j == nil {
		return false
	}
	problem, version, _ := strings.Cut(f.Problem, "@")
	verdict := ""
	if j.Summary != nil {
		verdict = j.Summary.Verdict.String()
	}
	return (f.Submitter == "" || f.Submitter == sub.Submitter) &&
		(problem == "" || problem == sub.Problem && strings.HasPrefix(j.Version, version)) &&
		(f.Status == "" || f.Status == string(j.Status) || f.Status == string(ledger.Held) && slices.ContainsFunc(sub.Judgings, held)) &&
		(f.Verdict == "" || f.Verdict == verdict) &&
		(f.Language == "" || f.Language == sub.Language) &&
		(f.Worker == "" || f.Worker == j.Worker) &&
		(f.Since.IsZero() || !sub.At.Before(f.Since)) &&
		(f.Until.IsZero() || sub.At.Before(f.Until))
}

// held reports whether a judging waits for a release: also a rejudging, whose batch would never be complete.
func held(j ledger.Judging) bool { return j.Status == ledger.Held }
