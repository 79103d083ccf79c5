// Package sandbox runs one executable once under limits and reports what happened.
//
// A [Host] finds out what this machine can enforce and picks one of three modes:
//
//   - container with cgroups: a pre-forked container (user, mount, pid, ipc, uts,
//     network and cgroup namespaces); the kernel measures and limits memory, CPU time
//     and the number of processes of the whole process tree;
//   - container without cgroups, for an ordinary user: the same isolation, but the
//     memory and the CPU time of the tree are polled;
//   - rlimit: no namespaces, only a session of its own, resource limits (none on the
//     address space) and polling. It measures but hardly isolates.
//
// A [Box] is a place in which programs run, one at a time. The [Result] of a run holds its
// measurements and the cause of its end as the sandbox saw it, from which package grade derives
// a verdict.
//
// To read the package, begin with sandbox.go (the data), host.go (the modes), run.go (one run),
// container_run.go (in a container) and watchdog.go (the limits). docs/sandbox.md explains the design.
package sandbox

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"tribunal/judge/internal/limits"
)

// Mode is a way to run programs.
type Mode string

// The modes. Auto lets the host choose the strongest that works.
const (
	Auto      Mode = "auto"
	Container Mode = "container"
	Rlimit    Mode = "rlimit"
)

// KnownGaps is the beginning of the note that names the kinds of attack that a host does not stop.
const KnownGaps = "known gaps here"

// StopReason is the reason a run ended, as the sandbox saw it. It is never inferred from the signal
// that killed the program, with one exception: in rlimit mode and inside some container managers
// nothing reports denied calls, so SIGSYS means Forbidden.
type StopReason uint8

const (
	Exited     StopReason = iota // ended by itself; ExitCode holds its status
	Signalled                    // killed by a signal that the sandbox did not send
	OverCPU                      // stopped: CPU time over the limit and the grace
	OverWall                     // stopped: wall time over the limit and the grace
	OverMemory                   // over the memory limit, by the kernel's out-of-memory record or the polled size
	OverOutput                   // stopped: more standard output than the limit, or more than 64 MiB of standard error
	Forbidden                    // made a call that the sandbox denies; in rlimit mode the first process died of SIGSYS
	Cancelled                    // stopped because the caller's context was cancelled
	NotRun                       // there was no run, or its result does not count
	starved                      // stopped: it had waited for a CPU for too long; Run returns a [StarvedError]
)

var stopNames = [...]string{"exited", "signalled", "over_cpu", "over_wall", "over_memory", "over_output", "forbidden", "cancelled", "", "starved"}

// String returns a stable snake_case name.
func (s StopReason) String() string { return stopNames[s] }

func (s StopReason) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText parses what MarshalText writes.
func (s *StopReason) UnmarshalText(text []byte) error {
	i := slices.Index(stopNames[:], string(text))
	if i < 0 {
		return fmt.Errorf("unknown stop reason %q", text)
	}
	*s = StopReason(i)
	return nil
}

// Mount shows a host file or folder inside the box, read-only: nothing of the host is ever writable
// inside. If Source and Target are equal, symbolic links on the path are shown as links, together
// with their targets.
type Mount struct {
	Source  string // absolute path on the host
	Target  string // absolute path inside
	Version string // of Source, if it may be replaced: a box keeps showing the Source that was there when it started
}

// Spec describes a box. The zero value is a box with the host's shared libraries and empty
// temporary folders: enough for a linked executable.
type Spec struct {
	Mounts []Mount
	Dir    string       // working directory of programs, inside; "" is an empty folder of the box's own
	Temp   limits.Bytes // size of each of /w, /tmp and /dev/shm; 0 means 256 MiB
	Folder Folder
	// ReadOnly keeps programs from writing below /w, /tmp and /dev/shm. In rlimit mode they are only denied to
	// write below /w, and only until they change its permissions.
	ReadOnly bool
}

// Command is one execution. The caller keeps ownership of the files and may use them for other
// runs. Each writer is called from one goroutine, and not after Run has returned.
type Command struct {
	Args  []string // Args[0] is the program's absolute path inside the box, or any text if Exe is set
	Env   []string // the complete environment, KEY=value
	Exe   *os.File // if not nil, this file is executed, whatever Args[0] says
	Stdin *os.File // nil is an empty input
	// Files are written for this run to the empty folder in which the program starts. The keys are
	// slash paths below it. They do not count as the run's memory. The box must have no Dir of its
	// own. There is room for half of a temporary folder's size.
	Files map[string][]byte
	// FolderFiles are written to the box's Folder for this run, in this order. They do not count as
	// the run's memory either.
	FolderFiles []File
	Stdout      io.Writer
	Stderr      io.Writer
	// In and Out, if not nil, are ends of pipes to another program, made by [Connect], and replace
	// Stdin and Stdout. Run owns and closes them, but only after it has seen the program end: so
	// end of file or SIGPIPE cannot inform the peer before Run has reported the end. If the program
	// itself closes one and continues, the peer notices about 10 ms later.
	In, Out *os.File
	// KeepIn keeps In open even if the program closes it or ends, so that a peer that writes to it
	// gets no SIGPIPE. After Run, even one that fails, the caller must close In.
	KeepIn bool
	// HideOut keeps Out open until the program ends, so that the peer does not notice if the
	// program closes it earlier.
	HideOut bool
	// OnStart, if not nil, is called just before the program begins, when everything else is ready;
	// the program waits for it. ctx is derived from Run's, and is cancelled when the run ends.
	OnStart func(ctx context.Context, r *Running)
	// OnOverWall, if not nil, is called just before the run is stopped because it has exceeded its
	// wall limit and the grace.
	OnOverWall func()
	// OnEnd, if not nil, is called once, as soon as a program that has begun is seen to have ended;
	// In and Out are closed only after it. failed reports whether a signal killed the program or
	// its exit status is not 0, unless the sandbox stopped it.
	OnEnd func(failed bool)
	// CPUs are those that the run is pinned to; nil allows all that the judge may use.
	CPUs   []int
	Limits limits.Limits
	// Grace is how far the run may go over the CPU and wall limits before it is stopped, so that
	// the true figure can be reported.
	Grace time.Duration
}

// Result is what one run did. All sizes are in bytes.
type Result struct {
	Stop     StopReason    `json:"stop"`
	ExitCode int           `json:"exit_code"`    // exit status of the program's first process, with Exited
	Signal   Signal        `json:"signal"`       // the signal that killed it, unless the sandbox sent it; SIGSYS with Forbidden
	Denied   string        `json:"-"`            // with Forbidden: the denied call, if known
	CPU      time.Duration `json:"cpu_ns"`       // user and system time of all its processes and threads
	Wall     time.Duration `json:"wall_ns"`      // from just before its execve to its end, by the clock
	Memory   limits.Bytes  `json:"memory_bytes"` // peak of the memory charged to it (cgroup) or seen (polled)
	Stdout   int64         `json:"stdout_bytes"` // bytes read from its standard output
	Stderr   int64         `json:"stderr_bytes"` // bytes read from its standard error
	// StackOverflow is set if the run died of SIGSEGV after it had used about as much memory as its
	// stack may hold, which is a sixteenth less than the memory limit. The kernel does not tell a
	// parent more about the fault.
	StackOverflow bool `json:"-"`
	// FolderFull is set if no room was left in the box's Folder at the end. In rlimit mode a run
	// that exceeds the Folder's size is stopped, as OverOutput.
	FolderFull bool `json:"-"`
	// CPUWait is the part of Wall in which the run was ready but had no CPU, because other programs
	// used it. It does not count against the wall limit, see Counted. For runs of a few
	// milliseconds and runs without a wall limit it is not measured, and 0.
	CPUWait time.Duration `json:"waited_ns"`
}

// Counted returns the wall time that counts against the limit: Wall without CPUWait.
func (r Result) Counted() time.Duration { return max(r.Wall-r.CPUWait, 0) }

// Mechanisms names, for reports, what enforces and measures each limit in a box. An empty text
// means that the limit is not enforced at all.
type Mechanisms struct {
	Mode      Mode   `json:"mode"`
	Isolation string `json:"isolation"`
	CPU       string `json:"cpu"`
	Wall      string `json:"wall"`
	Memory    string `json:"memory"`
	Output    string `json:"output"`
	Processes string `json:"processes"`
}

// Strict reports whether containers separate the runs and control groups enforce the limits of CPU
// time, memory and processes: on such a host nothing is polled.
func (m Mechanisms) Strict() bool {
	for _, by := range []string{m.CPU, m.Memory, m.Processes} {
		if !strings.HasPrefix(by, "cgroup ") {
			return false
		}
	}
	return m.Mode == Container
}

// ErrMode is wrapped by errors about a mode that this host cannot provide.
var ErrMode = errors.New("sandbox mode not available")

// ErrDied is wrapped by errors of runs whose container died during the run. Such a run has no
// result, but may succeed if repeated. The box starts a new container for its next run.
var ErrDied = errors.New("the container died")

// StarvedError reports that the host is too busy; it says nothing about the program. Either the run
// was stopped because it had waited for a CPU for ten times its wall limit and at least ten seconds
// or, with all times 0, its container did not answer.
type StarvedError struct {
	Wall, CPU, CPUWait time.Duration // see [Result]
}

func (e *StarvedError) Error() string {
	if e.Wall == 0 {
		return "this host is too busy: a container has no CPU (hint: reduce the load of this machine)"
	}
	return fmt.Sprintf("this host is too busy: waited %v of %v for a CPU (hint: reduce the load of this machine)",
		e.CPUWait.Round(time.Millisecond), e.Wall.Round(time.Millisecond))
}

// Retryable reports whether a run that failed with err may succeed if repeated.
func Retryable(err error) bool {
	_, starved := errors.AsType[*StarvedError](err)
	return starved || errors.Is(err, ErrDied)
}

// StartError reports that the program could not be started at all: it does not exist inside the
// box, is for another architecture, or lacks its interpreter. If a tool runs the program, such as
// an interpreter, it is not the program's fault.
type StartError struct{ Err error }

func (e *StartError) Error() string { return fmt.Sprintf("cannot start: %v", e.Err) }

func (e *StartError) Unwrap() error { return e.Err }
