// Package feedback reduces what the service knows of a judging to what a viewer may see.
//
// It copies what is listed, so that a field that is added elsewhere is hidden until it is listed here. Begin with
// [View]; result.go has the whole result.
package feedback

import (
	"encoding/json"
	"slices"
	"time"

	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/verdict"
	"tribunal/judge/judged/internal/ledger"
)

// View is what a viewer may see of judgings by a version of a problem. The zero View shows only that a judging has
// ended, and the output of the compiler. It is immutable.
type View struct {
	feedback problem.Feedback
	numbered bool
	samples  []string
}

// Whole shows everything.
func Whole() View { return View{feedback: problem.FeedbackAll} }

// Of returns what the submitter may see of judgings by a version. usual holds for versions that say nothing. newest
// is the version that counts if none is named: submitters see no more by naming another version, nor by uploading
// one.
func Of(version, newest *ledger.Version, usual problem.Feedback) View {
	v := View{feedback: shownBy(version, usual)}
	if s := version.Shown; s != nil {
		v.numbered, v.samples = s.Numbered, s.Samples
	}
	if by := shownBy(newest, usual); !by.Shows(v.feedback) {
		v.feedback = by
	}
	v.numbered = v.numbered || newest.Shown != nil && newest.Shown.Numbered
	return v
}

func shownBy(v *ledger.Version, usual problem.Feedback) problem.Feedback {
	if v.Shown == nil || v.Shown.Feedback == "" {
		return usual
	}
	return problem.Feedback(v.Shown.Feedback)
}

// shows reports whether the viewer sees what a feedback shows.
func (v View) shows(f problem.Feedback) bool { return v.feedback.Shows(f) }

func (v View) sample(name string) bool { return slices.Contains(v.samples, name) }

// whole reports whether the viewer sees all of a case. first is the one that decided.
func (v View) whole(name, first string) bool {
	return v.shows(problem.FeedbackSamples) && v.sample(name) ||
		v.shows(problem.FeedbackFirst) && name == first && name != "" || v.shows(problem.FeedbackAll)
}

// failed replaces errors of the judge, which may quote the output of a validator.
const failed = "the judge failed"

// Judging returns what the viewer may see of a judging. It shares memory with j.
func (v View) Judging(j *ledger.Judging) ledger.Judging {
	if v.shows(problem.FeedbackAll) {
		return *j
	}
	seen := ledger.Judging{
		Number: j.Number, Version: j.Version, Status: j.Status, Batch: j.Batch, Attempt: j.Attempt, Worker: j.Worker,
		Since: j.Since, Until: j.Until, Parts: j.Parts, Results: j.Results, Summary: v.summary(j.Summary),
	}
	switch {
	case j.Error != "" && j.Status == ledger.Dropped: // the reason for cancelling it
		seen.Error = j.Error
	case j.Error != "":
		seen.Error = failed
	}
	return seen
}

func (v View) summary(s *ledger.Summary) *ledger.Summary {
	switch {
	case s == nil || s.Verdict != verdict.CE && !v.shows(problem.FeedbackVerdict):
		return nil
	case s.Verdict == verdict.CE:
		return &ledger.Summary{Verdict: s.Verdict, Cause: s.Cause, Total: v.count(s.Total), Points: v.points(s.Points)}
	}
	seen := &ledger.Summary{Verdict: s.Verdict, Points: s.Points}
	if !v.shows(problem.FeedbackSamples) {
		return seen
	}
	seen.Passed, seen.Judged, seen.Total = s.Passed, s.Judged, s.Total
	seen.CPU, seen.Wall, seen.Memory, seen.Spent = coarse(s.CPU), coarse(s.Wall), roomy(s.Memory), coarse(s.Spent)
	if !v.numbered || v.sample(s.First) { // else only the number of the case, which the result has, may be shown
		seen.First = s.First
	}
	if v.whole(s.First, s.First) {
		seen.Cause = s.Cause
	}
	return seen
}

func (v View) count(n int) int {
	if !v.shows(problem.FeedbackSamples) {
		return 0
	}
	return n
}

func (v View) points(p *float64) *float64 {
	if !v.shows(problem.FeedbackVerdict) {
		return nil
	}
	return p
}

// A program chooses its times and its memory, and can tell its author in that way what it has read: coarse steps
// tell less.
const (
	timeStep   = 10 * time.Millisecond
	memoryStep = limits.MiB
)

func coarse(d time.Duration) time.Duration { return (d + timeStep - 1) / timeStep * timeStep }

func roomy(b limits.Bytes) limits.Bytes { return (b + memoryStep - 1) / memoryStep * memoryStep }

// live is what a viewer may see of a worker's report of its progress; see package perform.
type live struct {
	Judging int             `json:"judging"`
	Attempt int             `json:"attempt"`
	Event   string          `json:"event"`
	Case    string          `json:"case,omitempty"`
	Verdict verdict.Verdict `json:"verdict,omitempty"`
}

// JudgingOf returns the number of the judging that a worker's report is about, 0 if it is not a report.
func JudgingOf(report []byte) int {
	var l live
	if json.Unmarshal(report, &l) != nil {
		return 0
	}
	return l.Judging
}

// Live returns what the viewer may see of a worker's report, nil for nothing.
func (v View) Live(report []byte) []byte {
	if v.shows(problem.FeedbackAll) {
		return report
	}
	var l live
	if json.Unmarshal(report, &l) != nil {
		return nil
	}
	switch l.Event {
	case "compiling", "judging":
		l.Case, l.Verdict = "", verdict.None
	case "case":
		if !v.shows(problem.FeedbackSamples) {
			return nil
		}
		if v.numbered && !v.sample(l.Case) {
			l.Case = ""
		}
	default:
		return nil
	}
	text, err := json.Marshal(l)
	if err != nil {
		return nil
	}
	return text
}

// Within returns a view that shows at most what a feedback shows; "" is no bound.
func (v View) Within(f problem.Feedback) View {
	if f != "" && !f.Shows(v.feedback) {
		v.feedback = f
	}
	return v
}
