// Package runner runs requests, each a program or two that talk to each other, in the boxes
// of this host.
package runner

import (
	"fmt"
	"os"
	"time"

	"tribunal/judge/internal/content"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/sandbox"
)

// Program is a program as a request has it: what is executed where, and under what limits.
type Program struct {
	// Box describes the box that the program runs in. Requests with equal ones share boxes,
	// one after the other.
	Box sandbox.Spec
	// Exe is what is executed, whatever Args[0] says; without it, Args[0] is a path inside the
	// box. It stays the caller's.
	Exe *os.File
	// Args and Env are the complete arguments and the complete environment, KEY=value. Paths
	// inside the box are written as [sandbox.Anywhere] has them.
	Args, Env []string
	// Files, by slash path, are found where the program starts.
	Files map[string][]byte
	// In stands in the box's Folder when the program begins, and Out is what is copied out
	// of there after it has ended by itself. Nothing else of the folder outlives the run.
	In  []File
	Out []CopyOut
	// Limits are those of the run. CPUs does not count, see [Request].
	Limits limits.Limits
	// StderrEnds has both ends kept of standard error, of a program that answers there, as
	// [sandbox.Ends] does, and not just some KiB of its end.
	StderrEnds bool
	// Merged has standard error go where standard output goes, as it comes, and none of it
	// kept. An interactor's is not merged.
	Merged bool
}

// Request is one run of a program, or of two that talk to each other. It is plain data, and
// files, none of which must change while it runs.
type Request struct {
	Program
	// Input is the standard input.
	Input content.Content
	// CPUs pins the run to these; nil leaves it to the runner.
	CPUs []int
	// Grace is how far over its limits of time the run may go before it is stopped, so that
	// the true figure can be told.
	Grace time.Duration
	// Fresh has the program run in a box that nothing else ever runs in.
	Fresh bool
	// Interactor, when not nil, runs beside the program on the same CPUs, the two talking to each
	// other: Input is not used then, and the output goes to the interactor alone.
	Interactor *Interactor
}

// Reply is what a request came to.
type Reply struct {
	sandbox.Result
	Stderr      []byte       // the end of what the program wrote there, or both ends with StderrEnds
	Truncated   bool         // there was more
	Folder      string       // by which path the program knew the box's Folder, if there is one
	Copies      Copies       // of what was wanted of the program's folder; to be closed
	Interaction *Interaction // of a request with an interactor
}

// Facts say what enforces limits where requests run.
type Facts struct {
	Mechanisms sandbox.Mechanisms
	Notes      []string // what is weaker there than elsewhere, one sentence each
	Runs       int      // how many requests run at a time, more wait; 0 if there is no such limit
}

// InteractorError is an error about a request's interactor, not its own program.
type InteractorError struct{ Err error }

func (e *InteractorError) Error() string { return fmt.Sprintf("interactor: %v", e.Err) }

// Unwrap returns the cause.
func (e *InteractorError) Unwrap() error { return e.Err }
