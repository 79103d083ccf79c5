//go:build linux

package remote

import (
	"errors"
	"io/fs"
	"time"

	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/runner"
	"tribunal/judge/internal/sandbox"
)

// version is the version of the protocol. The caller refuses any other.
const version = 2

// hello is the first message of the service.
type hello struct {
	Version    int
	Mechanisms sandbox.Mechanisms
	Notes      []string
	Runs       int // runs of one user at a time
}

// request is the message for a [runner.Request]. Its frame carries descriptors of sealed memory
// files: the files to execute and, last, one with all contents in the order of the fields here.
type request struct {
	Program    program
	Interactor *interactor `json:",omitempty"`
	Input      int64       // size of the standard input
	CPUs       []int
	Grace      time.Duration
	Fresh      bool
}

// text is a name or an argument, which need not be UTF-8; JSON strings must be.
type text = []byte

type program struct {
	Exe        bool // the frame has a descriptor of the file to execute
	Args, Env  []text
	Mounts     []mount
	Dir        string
	Temp       limits.Bytes
	Folder     sandbox.Folder
	ReadOnly   bool
	Files      []file // in the folder where the program starts
	In         []file
	Out        []runner.CopyOut
	Limits     limits.Limits
	StderrEnds bool
	StderrMost limits.Bytes
	Merged     bool
}

// mount shows a folder or a file of the host at its own path, or a folder that the caller sends.
type mount struct {
	Path  string
	Sent  bool // the folder holds Files, which come with the request
	Files []file
}

type file struct {
	Name text
	Mode fs.FileMode
	Size int64
	Time time.Time `json:",omitzero"`
}

type interactor struct {
	Program    program
	Decides    bool
	Accepts    []int
	Transcript limits.Bytes
}

// reply is the message for a [runner.Reply] or an error.
type reply struct {
	Failed      *failure `json:",omitempty"`
	Result      result
	Stderr      []byte
	Truncated   bool
	Folder      text
	Copies      []copied
	Interaction *interaction `json:",omitempty"`
}

// result is the message for a [sandbox.Result], whose own JSON leaves out some fields.
type result struct {
	Stop          sandbox.StopReason
	ExitCode      int
	Signal        int
	Denied        string
	CPU           time.Duration
	Wall          time.Duration
	Memory        limits.Bytes
	Stdout        int64
	Stderr        int64
	StackOverflow bool
	Full          bool
	CPUWait       time.Duration
}

func resultOf(r sandbox.Result) result {
	return result{r.Stop, r.ExitCode, int(r.Signal), r.Denied, r.CPU, r.Wall, r.Memory, r.Stdout, r.Stderr, r.StackOverflow, r.FolderFull, r.CPUWait}
}

func (r result) result() sandbox.Result {
	return sandbox.Result{
		Stop: r.Stop, ExitCode: r.ExitCode, Signal: sandbox.Signal(r.Signal), Denied: r.Denied, CPU: r.CPU, Wall: r.Wall, Memory: r.Memory,
		Stdout: r.Stdout, Stderr: r.Stderr, StackOverflow: r.StackOverflow, FolderFull: r.Full, CPUWait: r.CPUWait,
	}
}

type interaction struct {
	Interactor result
	Copies     []copied
	Stderr     []byte
	Truncated  bool
	First      runner.Side
	Ended      [2]time.Duration
	Stalled    bool
	Decided    bool
	Transcript []sandbox.Piece
}

// copied is the message for a [runner.Copy]. The contents follow the reply.
type copied struct {
	Name   text
	Failed *failure `json:",omitempty"`
	Size   int64
	Files  []file
}

// failure is the message for an error: its kind, if callers distinguish it, and its text.
type failure struct {
	Kind       string // "" for an error that callers do not distinguish
	Text       string
	Interactor bool `json:",omitempty"`
	Starved    *sandbox.StarvedError
}

// The kinds of failures.
const (
	failedStart   = "start"
	failedDied    = "died"
	failedStarved = "starved"
	failedMissing = "missing"
	failedNoFile  = "no file"
	failedExcess  = "excess"
)

// failureOf returns the message for an error, nil for nil.
func failureOf(err error) *failure {
	if err == nil {
		return nil
	}
	f := &failure{Text: err.Error()}
	if interactor, ok := errors.AsType[*runner.InteractorError](err); ok {
		f.Interactor, err = true, interactor.Err
		f.Text = err.Error()
	}
	start, isStart := errors.AsType[*sandbox.StartError](err)
	starved, isStarved := errors.AsType[*sandbox.StarvedError](err)
	excess, isExcess := errors.AsType[*sandbox.ExcessError](err)
	switch {
	case isStart:
		f.Kind, f.Text = failedStart, start.Err.Error()
	case isStarved:
		f.Kind, f.Starved = failedStarved, starved
	case isExcess:
		f.Kind, f.Text = failedExcess, excess.What
	case errors.Is(err, sandbox.ErrDied):
		f.Kind = failedDied
	case errors.Is(err, fs.ErrNotExist):
		f.Kind = failedMissing
	case errors.Is(err, sandbox.ErrNotFile):
		f.Kind = failedNoFile
	}
	return f
}

// kinds are the errors that have a kind and no further data.
var kinds = map[string]error{failedDied: sandbox.ErrDied, failedMissing: fs.ErrNotExist, failedNoFile: sandbox.ErrNotFile}

// remoteError is an error of the service: its text, and the error of its kind that it wraps.
type remoteError struct {
	text string
	kind error
}

func (e *remoteError) Error() string { return e.text }

func (e *remoteError) Unwrap() error { return e.kind }

// err returns the error, which errors.As and errors.Is match like the original.
func (f *failure) err() (err error) {
	if f == nil {
		return nil
	}
	switch {
	case f.Kind == failedStart:
		err = &sandbox.StartError{Err: errors.New(f.Text)}
	case f.Kind == failedStarved && f.Starved != nil:
		err = f.Starved
	case f.Kind == failedExcess:
		err = &sandbox.ExcessError{What: f.Text}
	default:
		err = &remoteError{f.Text, kinds[f.Kind]}
	}
	if f.Interactor {
		err = &runner.InteractorError{Err: err}
	}
	return err
}
