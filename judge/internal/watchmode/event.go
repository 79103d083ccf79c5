// Package watchmode is the watch loop: changed paths in, rebuilt, regenerated, regraded out.
package watchmode

import (
	"time"

	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/regen"
)

// Event is something that happened while watching. Events come from one goroutine at
// a time: one Watching; then rounds, each a Round, what it did, and a Settled. A save
// or a key during a round ends it without its Settled, and the next Round follows.
//
// The set is closed: *Watching, *Round, *Stage, *Failed, *Expectations, *Grading,
// *Difference, *Settled.
type Event interface{ event() }

// Watching tells what is watched.
type Watching struct {
	Problems   []string `json:"problems"`
	Submission string   `json:"submission"` // as the user named it; "" without one
	Ask        bool     `json:"ask"`        // expectations are written only when the user says so
	Notes      []string `json:"notes"`      // such as why files are polled, one sentence each
}

// Round begins: what was there before about the problems concerned is out of date.
type Round struct {
	Number   int      `json:"round"` // from 1
	Reason   Reason   `json:"reason"`
	Paths    []string `json:"paths"`    // saved since the last round that settled, sorted, as messages show them
	Problems []string `json:"problems"` // what the round is about
	Gone     []string `json:"gone"`     // problems that are not there any more
}

// Reason is why a round begins.
type Reason string

// The reasons.
const (
	Start Reason = "start" // of the watch
	Save  Reason = "save"  // of files
	Again Reason = "again" // asked for: the same once more, nothing taken from the cache
	All   Reason = "all"   // asked for: every problem that is watched
	Fails Reason = "fails" // asked for: the cases that failed
	Git   Reason = "git"   // is done, and expectations wait to be written
)

// Stage tells what the round is doing, for a status line.
type Stage struct {
	Problem string `json:"problem"`
	What    string `json:"what"` // such as "compiling reference/game"
}

// Failed tells why the round could do nothing, or no more, for a problem: a file that
// is broken, or a reference that failed. The watch goes on.
type Failed struct {
	Problem string // "" when it is about all of them, such as runner.yaml
	Err     error
}

// Expectations tells how the expected outputs of a problem relate to its reference.
// It comes once with Checking when they are known, and again when that has changed.
type Expectations struct {
	Problem string
	Plan    *regen.Plan
	State   State
	Why     string // with Held: what they wait for, half a sentence
}

// State is what becomes of expectations that changed.
type State string

// The states.
const (
	Fresh    State = "fresh"    // nothing changed
	Checking State = "checking" // they would change; the second run and the second opinion are awaited
	Pending  State = "pending"  // checked; the user has to say that they are written
	Held     State = "held"     // checked; they are written when git is done with what it is in the middle of
	Written  State = "written"
)

// Grading is an event of judging one program: what grade tells, and about whom.
type Grading struct {
	Problem string
	Role    Role
	Event   grade.Event
}

// Role is whose program is judged.
type Role string

// The roles.
const (
	Reference  Role = "reference"
	Submission Role = "submission" // the one that is watched
	Example    Role = "example"    // below reference/<id>/submissions; its folder's verdict is expected
	Brutal     Role = "brute"      // reference/<id>/brute; limits that it exceeds are out of its reach
)

// Difference is the answer to a wish for all of the first failure's difference.
type Difference struct {
	Problem  string         `json:"problem"`
	Role     Role           `json:"role"`
	Case     string         `json:"case"`
	Cause    string         `json:"cause"`    // of the failure
	Mismatch *diff.Mismatch `json:"mismatch"` // nil when there is no failure to show, or it has none
}

// Settled ends a round that nothing interrupted.
type Settled struct {
	Number  int           `json:"round"`
	OK      bool          `json:"ok"` // nothing failed, and all verdicts are as expected
	Elapsed time.Duration `json:"elapsed_ns"`
}

func (*Watching) event()     {}
func (*Round) event()        {}
func (*Stage) event()        {}
func (*Failed) event()       {}
func (*Expectations) event() {}
func (*Grading) event()      {}
func (*Difference) event()   {}
func (*Settled) event()      {}
