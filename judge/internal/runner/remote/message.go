package remote

import (
	"errors"
	"io/fs"
	"time"

	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/runner"
	"tribunal/judge/internal/sandbox"
)

// version is that of the protocol. Another is refused by the caller.
const version = 2

// hello is what the service says first.
type hello struct {
	Version    int
	Mechanisms sandbox.Mechanisms
	Notes      []string
	Runs       int // of one user at a time
}

// request is a [runner.Request] on its way. With it come the files to execute and, last, one
// with all contents, in the order of this: all are sealed files in memory.
type request struct {
	Program    program
	Interactor *interactor `json:",omitempty"`
	Input      int64       // its size
	CPUs       []int
	Grace      time.Duration
	Fresh      bool
}

// text is bytes that need not be UTF-8: names and arguments are what they are.
type text = []byte

type program struct {
	Exe        bool // a file to execute comes along
	Args, Env  []text
	Mounts     []mount
	Dir        string
	Temp       limits.Bytes
	Folder     sandbox.Folder
	Files      []file // where it starts
	In         []file
	Out        []runner.CopyOut
	Limits     limits.Limits
	StderrEnds bool
	Merged     bool
}

// mount shows a folder or a file of the host where it is there, or a folder that comes along.
type mount struct {
	Path  string
	Sent  bool // comes along
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

// reply is a [runner.Reply] on its way, or an error.
type reply struct {
	Failed      *failure `json:",omitempty"`
	Result      result
	Stderr      []byte
	Truncated   bool
	Folder      text
	Copies      []copied
	Interaction *interaction `json:",omitempty"`
}

// result is a [sandbox.Result] with all that it has: documents leave something out.
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

// copied is a [runner.Copy] on its way. Contents follow the reply.
type copied struct {
	Name   text
	Failed *failure `json:",omitempty"`
	Size   int64
	Files  []file
}

// failure is an error on its way: what callers tell apart, and words.
type failure struct {
	Kind       string // "" for any other
	Words      string
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

// failureOf returns an error as it travels, nil for none.
func failureOf(err error) *failure {
	if err == nil {
		return nil
	}
	f := &failure{Words: err.Error()}
	if interactor, ok := errors.AsType[*runner.InteractorError](err); ok {
		f.Interactor, err = true, interactor.Err
		f.Words = err.Error()
	}
	start, isStart := errors.AsType[*sandbox.StartError](err)
	starved, isStarved := errors.AsType[*sandbox.StarvedError](err)
	excess, isExcess := errors.AsType[*sandbox.ExcessError](err)
	switch {
	case isStart:
		f.Kind, f.Words = failedStart, start.Err.Error()
	case isStarved:
		f.Kind, f.Starved = failedStarved, starved
	case isExcess:
		f.Kind, f.Words = failedExcess, excess.What
	case errors.Is(err, sandbox.ErrDied):
		f.Kind = failedDied
	case errors.Is(err, fs.ErrNotExist):
		f.Kind = failedMissing
	case errors.Is(err, sandbox.ErrNotFile):
		f.Kind = failedNoFile
	}
	return f
}

// kinds are the errors that are told apart and say no more than that.
var kinds = map[string]error{failedDied: sandbox.ErrDied, failedMissing: fs.ErrNotExist, failedNoFile: sandbox.ErrNotFile}

// toldError is an error that came over the socket: its words, and what it wraps.
type toldError struct {
	words string
	is    error
}

func (e *toldError) Error() string { return e.words }

func (e *toldError) Unwrap() error { return e.is }

// err returns the error, as errors.As and errors.Is tell it apart.
func (f *failure) err() (err error) {
	if f == nil {
		return nil
	}
	switch {
	case f.Kind == failedStart:
		err = &sandbox.StartError{Err: errors.New(f.Words)}
	case f.Kind == failedStarved && f.Starved != nil:
		err = f.Starved
	case f.Kind == failedExcess:
		err = &sandbox.ExcessError{What: f.Words}
	default:
		err = &toldError{f.Words, kinds[f.Kind]}
	}
	if f.Interactor {
		err = &runner.InteractorError{Err: err}
	}
	return err
}
