package watchmode

import (
	"time"

	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/document"
	"tribunal/judge/internal/event"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/regen"
)

// Event reports a step of a watch. Events come one at a time: one Watching, then the
// events of rounds. A round consists of a Round, the events of its work, and a Settled; between rounds
// may come a Difference or a Counterexample. A save or a
// command during a round ends it without a Settled, and the next Round follows. A Submitted, and a Grading
// with the role Served, may come at any time.
//
// The set is closed: *Watching, *Round, *Stage, *Failed, *Expectations, *Grading,
// *Difference, *Counterexample, *Submitted, *Settled.
type Event = event.Event

// Watching reports what is watched.
type Watching struct {
	Problems   []string `json:"problems"`
	Submission string   `json:"submission"` // as the user named it; "" if there is none
	Server     string   `json:"server"`     // URL of the server to which the command Submit submits; "" if there is none
	Ask        bool     `json:"ask"`        // expected outputs are written only on the command Write
	Notes      []string `json:"notes"`      // remarks about watching, such as why files are polled; one sentence each
}

// Round reports that a round begins. Earlier events about its problems are out of date.
type Round struct {
	Number   int      `json:"round"` // from 1
	Reason   Reason   `json:"reason"`
	Paths    []string `json:"paths"`    // files saved since the last round that settled, sorted, as messages show them
	Problems []string `json:"problems"` // problems that the round works on
	Gone     []string `json:"gone"`     // problems that no longer exist
}

// Reason is why a round begins.
type Reason string

const (
	Start Reason = "start" // the watch begins
	Save  Reason = "save"  // files were saved
	Again Reason = "again" // the command Repeat
	All   Reason = "all"   // the command Everything
	Fails Reason = "fails" // the command OnlyFails
	Git   Reason = "git"   // git has finished its operation, and expected outputs wait to be written
)

// Stage reports what the round is doing, for a status line.
type Stage struct {
	Problem string `json:"problem"`
	What    string `json:"what"` // such as "compiling reference/game"
}

// Failed reports an error that kept a round from some or all of its work for a problem, such as a
// mistake in a file or a reference that failed. The watch continues.
type Failed struct {
	Problem string // "" if the error concerns all problems, such as one in runner.yaml
	Err     error
}

// Expectations reports how the expected outputs of a problem compare with its reference. A round
// emits it with Fresh or Checking after comparing them, and the watch emits it again when the state
// changes.
type Expectations struct {
	Problem string
	Plan    *regen.Plan
	State   State
	Why     string // with Held: the git operation for which they wait, a clause
}

// State is the state of the expected outputs of a problem.
type State string

const (
	Fresh    State = "fresh"    // they agree with the reference
	Checking State = "checking" // they change; the reference's second run and the brute have yet to confirm that
	Pending  State = "pending"  // the change is confirmed, and waits for the command Write
	Held     State = "held"     // the change is confirmed, and waits until git has finished its operation
	Written  State = "written"  // the change is written
	Outdated State = "outdated" // they agree with the reference, but the lock was made with other programs: it is renewed with the next change, or by the command Write
)

// Grading is an event of judging one program.
type Grading struct {
	Problem string
	Role    Role
	Event   grade.Event
}

// Role is the part that a judged program plays for a problem.
type Role string

const (
	Reference  Role = "reference"
	Submission Role = "submission" // the watched submission
	Example    Role = "example"    // a submission below reference/<id>/submissions, with the verdict of its folder
	BruteForce Role = "brute"      // reference/<id>/brute, which may exceed limits
	Served     Role = "server"     // the watched submission, as a server has judged it
)

// Difference answers the command Explain with the whole difference of the first failure.
type Difference struct {
	Problem  string         `json:"problem"`
	Role     Role           `json:"role"`
	Case     string         `json:"case"`
	Cause    string         `json:"cause"`    // why the case failed
	Mismatch *diff.Mismatch `json:"mismatch"` // nil if nothing failed, or if the failure is not a wrong output
}

// Counterexample is a small input on which a program fails, which was looked for after a round in which
// the watched submission had failed.
type Counterexample struct {
	Problem    string        `json:"problem"`
	Role       Role          `json:"role"`
	Submission string        `json:"submission"`
	Case       string        `json:"case"` // the failed case, whose input is larger
	Input      document.Text `json:"input"`
	Want       document.Text `json:"want"`   // output of the reference
	Answer     Answer        `json:"answer"` // of the program

	// Judge stress finds the input again in the first Inputs inputs with Seed. Inputs is 0 if the input
	// is that of the case made smaller.
	Inputs int    `json:"inputs"`
	Seed   uint64 `json:"seed"`

	Flags []string `json:"flags"` // of the watch, which judge stress needs, too
}

// Submitted answers the command Submit. After Sent the events of the server's judging follow, unless a Refused does.
type Submitted struct {
	Submission string          `json:"submission"`
	Server     string          `json:"server"`
	State      SubmissionState `json:"state"`
	Why        string          `json:"why"` // with Waiting and Refused: the reason, in one line
}

// SubmissionState is the state of a submission to a server.
type SubmissionState string

const (
	Sent    SubmissionState = "sent"    // the server judges it
	Waiting SubmissionState = "waiting" // there is no result yet, because the server is busy or does not answer, or it answers again
	Already SubmissionState = "already" // nothing is submitted, because the submission before has no result yet
	Refused SubmissionState = "refused" // there is no result
)

// Settled reports the end of a round that was not interrupted.
type Settled struct {
	Number  int           `json:"round"`
	OK      bool          `json:"ok"` // nothing failed, and all verdicts are as expected
	Elapsed time.Duration `json:"elapsed_ns"`
}

func (*Watching) Kind() string       { return "watching" }
func (*Round) Kind() string          { return "round" }
func (*Stage) Kind() string          { return "stage" }
func (*Failed) Kind() string         { return "failed" }
func (*Expectations) Kind() string   { return "expectations" }
func (g *Grading) Kind() string      { return g.Event.Kind() }
func (*Difference) Kind() string     { return "difference" }
func (*Counterexample) Kind() string { return "counterexample" }
func (*Submitted) Kind() string      { return "submitted" }
func (*Settled) Kind() string        { return "settled" }
