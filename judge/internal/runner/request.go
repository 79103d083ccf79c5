// Package runner runs requests, each a program or a submission with its interactor, in the boxes
// of this host. Begin in request.go.
package runner

import (
	"fmt"
	"os"
	"time"

	"tribunal/judge/internal/content"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/sandbox"
)

// Program is what a request executes: the file, its surroundings and its limits.
type Program struct {
	// Box describes the box to run in. Requests with equal specs use the same boxes, one after
	// the other.
	Box sandbox.Spec
	// Exe is executed regardless of Args[0]; if it is nil, Args[0] is a path inside the box. The
	// caller closes it.
	Exe *os.File
	// Args and Env (KEY=value) are complete. Paths inside the box are named by [sandbox.Anywhere].
	Args, Env []string
	// Files are put where the program starts, by slash path.
	Files map[string][]byte
	// In is put into the box's Folder before the program starts, and Out is copied from there
	// after it has exited by itself. Everything else in the folder is lost.
	In  []File
	Out []CopyOut
	// Limits bound the run. Their CPUs are ignored, see [Request].
	Limits limits.Limits
	// StderrEnds keeps both ends of standard error, as [sandbox.Ends] does, instead of its last
	// 4 KiB. It is meant for validators, which answer there.
	StderrEnds bool
	// StderrMost, if not 0, keeps all of standard error, up to this size, for generators that write
	// an answer there. StderrEnds has no effect then.
	StderrMost limits.Bytes
	// Merged sends standard error to the same place as standard output, and keeps none of it. It
	// has no effect in an interaction.
	Merged bool
}

// Request is one run of a program, or of a submission and its interactor. It consists of data and
// files only, and must not be changed while it runs.
type Request struct {
	Program
	// Input is the standard input.
	Input content.Content
	// CPUs pins the run to these CPUs; if it is nil, the runner chooses.
	CPUs []int
	// Grace is how far the run may exceed its time limits before it is stopped, so that the time
	// that it needs can be reported.
	Grace time.Duration
	// Fresh runs the program in a box that is used for nothing else.
	Fresh bool
	// Interactor, if not nil, runs beside the program on the same CPUs, each connected to the
	// other. Input is ignored then, and the program's output goes to the interactor alone.
	Interactor *Interactor
}

// Reply is the outcome of a request.
type Reply struct {
	sandbox.Result
	Stderr      []byte       // the end of standard error, both ends with StderrEnds, or all with StderrMost
	Truncated   bool         // Stderr is not all of it
	Folder      string       // path of the box's Folder as the program saw it, "" if it had none
	Copies      Copies       // the files in Out; the caller must close them
	Interaction *Interaction // only for a request with an interactor
}

// Facts describe the host on which requests run.
type Facts struct {
	Mechanisms sandbox.Mechanisms
	Notes      []string // what this host cannot enforce, one sentence each
	Runs       int      // requests that run at a time, further ones wait; 0 if there is no such limit
}

// MaxStderr is the largest StderrMost of a program, so that a reply fits into memory and into a message.
const MaxStderr = 32 * limits.MiB

// InteractorError is an error about the interactor of a request, not about its program.
type InteractorError struct{ Err error }

func (e *InteractorError) Error() string { return fmt.Sprintf("interactor: %v", e.Err) }

func (e *InteractorError) Unwrap() error { return e.Err }
