// Package ledger is the truth about submissions: the events that happened to them, and the states to
// which these add up.
//
// Each event is a record of the log, under the subject of what it is about. An event is added only if
// the state that its author saw is still the state; so the log decides every race, the same way for
// everybody who reads it. Begin with [Event]; fold.go adds events up.
package ledger

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/verdict"
	"tribunal/judge/judged/internal/store"
)

// Schema is the version of the events that this build writes. decode.go reads older ones. What version 1 has is
// written as that, so that an older build can go on until something of version 2 happens.
const Schema = 2

// Event is something that happened to a submission, a problem or a batch. Exactly one of its parts is
// set.
type Event struct {
	Schema int       `json:"v"`
	At     time.Time `json:"at"`
	By     string    `json:"by,omitempty"` // the user or the worker that caused it

	// Of a submission.
	Submitted *Submitted `json:"submitted,omitempty"` // the first event; asks for judging 1
	Rejudged  *Rejudged  `json:"rejudged,omitempty"`
	Split     *Split     `json:"split,omitempty"`
	Part      *Part      `json:"part,omitempty"`
	Ended     *Ended     `json:"ended,omitempty"`
	Failed    *Failed    `json:"failed,omitempty"`
	Released  *Released  `json:"released,omitempty"`
	Cancelled *Cancelled `json:"cancelled,omitempty"`
	Erased    *Erased    `json:"erased,omitempty"`
	Ruled     *Ruled     `json:"ruled,omitempty"`

	// Of a version of a problem.
	Uploaded *Uploaded `json:"uploaded,omitempty"`
	Checked  *Checked  `json:"checked,omitempty"`

	// Of a batch of rejudgings.
	Applied *Applied `json:"applied,omitempty"`

	// Of a course, a person in it, who may also be erased, and a question.
	Course   *Course   `json:"course,omitempty"`
	Person   *Person   `json:"person,omitempty"`
	Question *Question `json:"question,omitempty"`

	// Of the ledger itself.
	Began *Began `json:"began,omitempty"` // the first event of all
}

// InlineProblem is the problem of submissions that bring their own tests; the hash of the tests is the version. The
// tests belong to the submission like its source, and the ledger has no versions of this problem.
const InlineProblem = "inline"

// Priority is the class in which a judging waits.
type Priority string

// The priorities, from the most to the least urgent.
const (
	Interactive Priority = "interactive"
	Batch       Priority = "batch"
	Rejudge     Priority = "rejudge"
)

// Submitted records a submission. It holds only what a judging needs, so that a Submission that waits is small.
type Submitted struct {
	Submitter string     `json:"submitter"`         // who hands in, for fairness, quotas and erasure: OWNER, OWNER/NAME or /COURSE/LOGIN
	Problem   string     `json:"problem,omitempty"` // id; "" for a run without a problem
	Version   string     `json:"version,omitempty"`
	Name      string     `json:"name"` // of the source, such as solution.cpp
	Language  string     `json:"language,omitempty"`
	Source    store.Ref  `json:"source"`
	Input     *store.Ref `json:"input,omitempty"`    // of a run: its standard input
	Args      []string   `json:"args,omitempty"`     // of a run
	Options   []string   `json:"options,omitempty"`  // of a run: of the compiler
	Tests     *store.Ref `json:"tests,omitempty"`    // a package of tests that came with it, of [InlineProblem]
	Expected  *store.Ref `json:"expected,omitempty"` // of a run: the output with which a front end compares, see package web
	Limits    string     `json:"limits,omitempty"`   // that replace the problem's, as [limits.Limits.Override] reads them
	All       bool       `json:"all,omitempty"`      // judge all cases, even after a failure
	Priority  Priority   `json:"priority"`
	Deadline  time.Time  `json:"deadline,omitzero"` // a judging that has not begun by then is cancelled
	Request   string     `json:"request,omitempty"` // hash of the request, with an idempotency key
	Trace     string     `json:"trace,omitempty"`   // of the span in which it was handed in, see package trace
}

// OwnerOf returns the owner of a submitter: what comes before the slash in its name. The name of an owner has no slash,
// except that of a course, which begins with one ([SubmitterOf]).
func OwnerOf(submitter string) string {
	if course := CourseOf(submitter); course != "" {
		return "/" + course
	}
	owner, _, _ := strings.Cut(submitter, "/")
	return owner
}

// Rejudged asks for a further judging, which has no effect before its batch is applied.
type Rejudged struct {
	Judging int    `json:"judging"` // its number, from 2
	Version string `json:"version"`
	Batch   string `json:"batch"`
}

// Range is a range of cases, by index: From inclusive, To exclusive.
type Range struct {
	From int `json:"from"`
	To   int `json:"to"`
}

// Split records that a judging is done in parts, at the same time. They cover all cases, in order.
type Split struct {
	Judging int     `json:"judging"`
	Attempt int     `json:"attempt"`
	Parts   []Range `json:"parts"`
}

// Part is the result of one of the parts of a judging.
type Part struct {
	Judging int       `json:"judging"`
	Attempt int       `json:"attempt"`
	Part    int       `json:"part"`
	Decides bool      `json:"decides"` // later parts are not needed, because a case failed
	Result  store.Ref `json:"result"`
}

// Summary is the outcome of a judging.
type Summary struct {
	Verdict verdict.Verdict `json:"verdict"` // None for a run
	Points  *float64        `json:"points,omitempty"`
	First   string          `json:"first_failure,omitempty"`
	Cause   string          `json:"cause,omitempty"` // one bounded line
	Passed  int             `json:"passed"`
	Judged  int             `json:"judged"`
	Total   int             `json:"total"`
	CPU     time.Duration   `json:"cpu_ns"` // the largest of any case, and so are Wall and Memory
	Wall    time.Duration   `json:"wall_ns"`
	Memory  limits.Bytes    `json:"memory_bytes"`
	Spent   time.Duration   `json:"spent_ns"` // from the beginning to the end of the judging
}

// Ended is the result of a judging.
type Ended struct {
	Judging int       `json:"judging"`
	Attempt int       `json:"attempt"`
	Summary Summary   `json:"summary"`
	Result  store.Ref `json:"result"` // the whole, see package task
}

// Failed means that the judge could not judge, or that a worker died. With Held, the judging is not tried again
// until it is released.
type Failed struct {
	Judging int    `json:"judging"`
	Attempt int    `json:"attempt"`
	Error   string `json:"error"`
	Held    bool   `json:"held"`
}

// Released lets a held judging wait again, with a new series of attempts.
type Released struct {
	Judging int `json:"judging"`
}

// Cancelled ends a judging without a result.
type Cancelled struct {
	Judging int    `json:"judging"`
	Reason  string `json:"reason"`
}

// Erased removes everything about a submission but that it existed.
type Erased struct{}

// Uploaded adds a version of a problem, which may be judged once it has been checked. Uploading a version
// again makes it the newest one, and has it checked again if it could not be judged.
type Uploaded struct {
	Title   string    `json:"title"`
	Archive store.Ref `json:"archive"`         // its hash is the version
	Quick   bool      `json:"quick,omitempty"` // its check need not verify it, because that is done elsewhere
}

// Checked says whether a version can be judged.
type Checked struct {
	Usable   bool     `json:"usable"`
	Failed   bool     `json:"failed,omitempty"` // the judge could not check it
	Again    bool     `json:"again,omitempty"`  // after a failure: the check is repeated
	Title    string   `json:"title"`
	Cases    int      `json:"cases"`
	Findings []string `json:"findings,omitempty"`
	Shown    *Shown   `json:"shown,omitempty"` // of one that is usable; nil by older builds
	// Page is what people read, a [task.Page] in JSON; nil by older builds, and if the problem has no statement.
	Page *store.Ref `json:"page,omitempty"`
}

// Shown says what submitters may see of the cases of a version.
type Shown struct {
	Feedback string   `json:"feedback,omitempty"` // a [problem.Feedback]; "": that of the service
	Numbered bool     `json:"numbered,omitempty"`
	Samples  []string `json:"samples,omitempty"` // names of cases, which submitters may see whole
}

// Applied makes the judgings of a batch the effective ones, all at once.
type Applied struct{}

// Began is the first event of a ledger. It is never forgotten, so a ledger without it has lost its beginning.
type Began struct{}

// Beginning is the subject of the first event.
const Beginning = "ledger"

// Subject prefixes. Any other subject is a prefix and an id.
const (
	submissions = "submission."
	problems    = "problem."
	batches     = "batch."
)

func SubmissionSubject(id string) string { return submissions + id }

func ProblemSubject(id, version string) string { return problems + id + "." + version }

func BatchSubject(id string) string { return batches + id }

func Encode(e Event) []byte {
	e.Schema = 1
	if e.Course != nil || e.Person != nil || e.Question != nil || e.Ruled != nil || e.Checked != nil && e.Checked.Page != nil ||
		e.Submitted != nil && e.Submitted.Options != nil {
		e.Schema = Schema
	}
	data, err := json.Marshal(e)
	if err != nil {
		panic(fmt.Sprintf("ledger: %v", err)) // an Event holds nothing that cannot be encoded
	}
	return data
}

// SubmissionOf returns the id of the submission that a subject is of.
func SubmissionOf(subject string) (id string, ok bool) {
	return strings.CutPrefix(subject, submissions)
}
