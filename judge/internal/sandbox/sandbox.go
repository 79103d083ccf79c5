// Package sandbox runs one executable once under limits and reports what happened.
//
// A [Host] knows what this machine can enforce and picks one of three modes:
//
//   - container with cgroups: a pre-forked container (user, mount, pid, ipc, uts,
//     network and cgroup namespaces); memory, CPU time and the number of processes
//     are accounted and limited by the kernel for the whole process tree;
//   - container without cgroups, for an ordinary user: the same isolation, but the
//     memory and the CPU time of the tree are polled;
//   - rlimit: no namespaces; a session of its own, resource limits without the
//     address space, and polling. It measures but hardly isolates.
//
// A [Box] is one place to run in, used by one run at a time. What a run did is a
// [Result]: measurements, and the cause of its end as the sandbox saw it. The
// package never decides what a result is worth; that is the grade package's part.
package sandbox

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"time"

	"github.com/criyle/go-sandbox/container"

	"tribunal/judge/internal/limits"
)

// Init must be called first thing in main. In a process that was started as the
// init of a container it serves that container and never returns; otherwise it
// returns at once.
func Init() {
	if !isInit {
		return
	}
	debug.SetGCPercent(10)
	go sealWhenReady()
	go container.Init() // ends this process when it is done
	select {}           // on the first thread, see defaultSignals
}

// isInit tells whether this is the first process of a container. go-sandbox starts it
// with this argument.
var isInit = os.Getpid() == 1 && len(os.Args) > 1 && os.Args[1] == "container_init"

func init() {
	if isInit {
		runtime.LockOSThread() // the first thread, and only here is it for sure
	}
}

// Mode is a way to run programs.
type Mode string

// The modes; Auto lets the host choose the strongest that works.
const (
	Auto      Mode = "auto"
	Container Mode = "container"
	Rlimit    Mode = "rlimit"
)

// Stop is the reason a run ended, as the sandbox saw it. It is never inferred
// from the signal a program died of, with one exception: Forbidden where nothing tells of
// denied calls, in rlimit mode and inside of some container managers.
type Stop uint8

const (
	Exited     Stop = iota // ended by itself; ExitCode holds its status
	Signalled              // killed by a signal that the sandbox did not send
	OverCPU                // stopped: CPU time over the limit and the grace
	OverWall               // stopped: wall time over the limit and the grace
	OverMemory             // the kernel's own out-of-memory record, or the polled size
	OverOutput             // stopped: more standard output than the limit, or 64 MiB of standard error
	Forbidden              // one of its processes made a call that the sandbox denies; in rlimit mode its first one died of SIGSYS
	Cancelled              // stopped because the caller's context ended
	NotRun                 // there was no run, or none that counts
	starved                // stopped: it had waited for a CPU for too long; a [StarvedError]
)

var stopNames = [...]string{"exited", "signalled", "over_cpu", "over_wall", "over_memory", "over_output", "forbidden", "cancelled", "", "starved"}

// String returns a stable snake_case name.
func (s Stop) String() string { return stopNames[s] }

// MarshalText writes String.
func (s Stop) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads what MarshalText writes.
func (s *Stop) UnmarshalText(text []byte) error {
	i := slices.Index(stopNames[:], string(text))
	if i < 0 {
		return fmt.Errorf("unknown reason of an end %q", text)
	}
	*s = Stop(i)
	return nil
}

// Mount shows a host file or folder inside the box, read-only: nothing of the host is
// ever writable inside. Where Source and Target are equal and a part of the path is a
// symbolic link, it is one inside as well, and what it leads to is shown.
type Mount struct {
	Source  string // absolute path on the host
	Target  string // absolute path inside
	Version string // of what is at Source, where that may be taken away and come back: a box shows what was there when it began
}

// Spec describes a box. The zero value is a box with the host's shared libraries
// and empty temporary folders: enough for a linked executable.
type Spec struct {
	Mounts []Mount
	Dir    string       // where programs start, inside; "" is an empty folder of its own
	Temp   limits.Bytes // size of each of the usual temporary folders; 0 is 256 MiB
	Folder Folder
}

// Command is one execution. The caller keeps ownership of the files and may use
// them for other runs; the writers are called from one goroutine each, not after
// Run has returned.
type Command struct {
	Args  []string // Args[0] is the program's absolute path inside the box, or any with Exe
	Env   []string // the complete environment, KEY=value
	Exe   *os.File // when set, this file is executed, whatever Args[0] says
	Stdin *os.File // nil means an empty input
	// Files, by slash paths below it, stand in the empty folder where the program starts,
	// for this run. They are no part of the memory that it is charged for. The box must
	// have no Dir of its own; there is room for half of what one of its temporary folders
	// may hold.
	Files map[string][]byte
	// Placed stand in the box's Folder for this run, in this order, and are no part of its
	// memory either.
	Placed []File
	Stdout io.Writer
	Stderr io.Writer
	// In and Out, when set, are ends of pipes to other programs, made by [Connect], and
	// take the places of Stdin and Stdout. Run takes them over and closes them. It does
	// so when it has seen the program's end, so that nobody at the other ends can
	// learn of that end, by end of file or SIGPIPE, before Run has told it. Where a
	// program itself closes one and goes on, the others see it some 10 ms later.
	In, Out *os.File
	// KeepIn leaves In open whatever the program does, so that nobody gets SIGPIPE for
	// writing there. After Run, whatever that returns, In is the caller's to close.
	KeepIn bool
	// HideOut keeps from the others until the program's end that it has closed Out itself.
	HideOut bool
	// Begun, when set, is called just before the program begins, with all that can be
	// done beforehand done, and delays it; ctx is Run's.
	Begun func(ctx context.Context, r *Running)
	// Late, when set, is called when the run is over its wall limit and the grace, just
	// before it is stopped for that.
	Late func()
	// Ended, when set, is called once as soon as the end of a program that has begun is
	// seen, before In and Out are closed, and delays that. failed is whether it died or
	// ended with another status than 0 of its own accord.
	Ended func(failed bool)
	// CPUs pins the run to these CPUs; nil leaves it where the judge runs.
	CPUs   []int
	Limits limits.Limits
	// Grace is how far over the CPU and wall limits the run may go before it is
	// stopped, so that the true figure can be told.
	Grace time.Duration
}

// Result is what one run did. All sizes are in bytes.
type Result struct {
	Stop     Stop          `json:"stop"`
	ExitCode int           `json:"exit_code"`    // of the program itself, when it exited by itself
	Signal   Signal        `json:"signal"`       // that killed it, when one did that the sandbox did not send; SIGSYS with Forbidden
	Denied   string        `json:"-"`            // the call that was denied, with Forbidden, where it is known
	CPU      time.Duration `json:"cpu_ns"`       // user and system time of all its processes and threads
	Wall     time.Duration `json:"wall_ns"`      // from the moment before its execve to its end, as by a clock
	Memory   limits.Bytes  `json:"memory_bytes"` // peak of what it was charged for (cgroup) or was seen to have (polled)
	Stdout   int64         `json:"stdout_bytes"` // bytes it wrote to standard output, as far as they were read
	Stderr   int64         `json:"stderr_bytes"` // bytes it wrote to standard error, as far as they were read
	// StackOverflow is set when the run died of SIGSEGV after it had used about as much
	// memory as its stack may hold, a sixteenth less than the memory limit. The kernel
	// tells a parent no more about the fault.
	StackOverflow bool `json:"-"`
	// Full is set when no room was left in the box's Folder at the end. In rlimit mode a run
	// that takes more than there is is stopped, as OverOutput.
	Full bool `json:"-"`
	// Waited is how much of Wall the run was ready to run and had no CPU because others
	// had it. It does not count against the wall limit, see Counted. It is 0 for runs of
	// a few milliseconds and those without a wall limit, which are not looked at.
	Waited time.Duration `json:"waited_ns"`
}

// Counted returns the wall time that counts against the limit: without what the run
// waited for a CPU.
func (r Result) Counted() time.Duration { return max(r.Wall-r.Waited, 0) }

// Mechanisms says what enforces and measures each limit in a box, in words for a
// report header. An empty text means that the limit is not enforced at all.
type Mechanisms struct {
	Service   string `json:"service,omitempty"` // path of the runner service that has the boxes; "" is this process
	Mode      Mode   `json:"mode"`
	Isolation string `json:"isolation"`
	CPU       string `json:"cpu"`
	Wall      string `json:"wall"`
	Memory    string `json:"memory"`
	Output    string `json:"output"`
	Processes string `json:"processes"`
}

// ErrMode is wrapped by errors about a mode that this host cannot provide.
var ErrMode = errors.New("sandbox mode not available")

// ErrDied is wrapped by errors of runs whose box died under them. The run has no
// result, but may have one in another box, and its box starts anew for the next.
var ErrDied = errors.New("the container died")

// StarvedError is returned for a run that was stopped because it had waited for a CPU for
// ten times its wall limit, and, without any time, for one that could not be made because its
// container did not answer. It says nothing about the program: the host is too busy.
type StarvedError struct {
	Wall, CPU, Waited time.Duration // see [Result]
}

func (e *StarvedError) Error() string {
	if e.Wall == 0 {
		return "this host is too busy: a container has no CPU (hint: give this machine less to do)"
	}
	return fmt.Sprintf("this host is too busy: waited %v of %v for a CPU (hint: give this machine less to do)",
		e.Waited.Round(time.Millisecond), e.Wall.Round(time.Millisecond))
}

// Lost reports whether a run with this error came to nothing for a reason that need not be
// there the next time: it may be tried again.
func Lost(err error) bool {
	_, starved := errors.AsType[*StarvedError](err)
	return starved || errors.Is(err, ErrDied)
}

// StartError reports that the program could not be started at all: it does not
// exist inside, is for another architecture, or lacks its interpreter. It is the
// program's fault only if the program is an executable itself and not run by a tool.
type StartError struct{ Err error }

func (e *StartError) Error() string { return fmt.Sprintf("cannot start: %v", e.Err) }

// Unwrap returns the cause.
func (e *StartError) Unwrap() error { return e.Err }
