//go:build linux

package sandbox

import (
	"encoding/binary"
	"fmt"

	"github.com/criyle/go-sandbox/pkg/rlimit"
	"golang.org/x/sys/unix"
)

// The judge and the init of a container speak over a stream socket. The judge sends requests, with
// the files that belong to them, and the init answers each with one reply or, for a run, with
// several:
//
//	judge                    init                        program
//	runRequest and files ->  vfork                       sets itself up
//	                                                  <- readyReply
//	writes its files
//	goRequest            ->                              execve
//	                         closes the files, waits     …
//	                      <- endedReply                  exits
//	                         kills and reaps the rest
//	                      <- doneReply, if there was any
//
// The program is a child by vfork: until its execve it uses the memory of the init, which stands
// still. So no page table is copied and thrown away again; and the child can use the init's end of
// the socket, and leaves its error, if it cannot begin, in the init's memory. The kernel tells the
// judge which process has sent a reply (SO_PASSCRED, see unix(7)), by its number in the judge's own
// pid namespace.

// The kinds of requests and replies.
const (
	setupRequest uint32 = iota + 1 // build the container; the payload is a [setup]
	emptyRequest                   // empty the temporary folders
	runRequest                     // the payload is a program, see appendProgram
	goRequest                      // to the child of a runRequest: execute the program
	stopRequest                    // to the child of a runRequest: exit without executing the program

	doneReply   // to a setupRequest, with the descriptor that reports denied calls; to an emptyRequest; after a run
	failedReply // to a setupRequest or an emptyRequest
	readyReply  // from the child of a runRequest: nothing but the execve is left to do
	endedReply  // to a runRequest: the program has ended, or could not begin
)

// headerSize is the size of the header of a request: its kind, and the size of the payload that
// follows, in bytes. All integers of both directions are in the byte order of the machine.
const headerSize = 8

// reply is what an init answers. A failedReply is followed by a text.
type reply struct {
	kind   uint32
	stage  uint32 // of an endedReply: what failed, an index of stages
	errno  uint32 // the error that it failed with; 0 is none
	text   uint32 // the length of the text that follows, in bytes
	status uint32 // of an endedReply: the program's wait status
	last   uint32 // of an endedReply: 1 if the program left no process; then no doneReply follows
	cpu    int64  // of an endedReply: the program's user and system time in µs
	rss    int64  // of an endedReply: the program's peak resident size in KiB
}

const replySize = 40

// stages names the steps of a run before the program begins, for errors.
var stages = [...]string{
	stageFork: "fork", stageGroup: "control group", stageAccount: "account", stageFiles: "files", stageSession: "session", stageLimits: "resource limits",
	stageCapabilities: "capabilities", stageFilter: "system call filter", stageSync: "socket", stageExec: "execve", stageReceive: "files sent",
}

const (
	stageNone uint32 = iota
	stageFork
	stageGroup
	stageAccount
	stageFiles
	stageSession
	stageLimits
	stageCapabilities
	stageFilter
	stageSync
	stageExec
	stageReceive
)

func (r *reply) encode(b *[replySize]byte) {
	for i, n := range [...]uint32{r.kind, r.stage, r.errno, r.text, r.status, r.last} {
		binary.NativeEndian.PutUint32(b[4*i:], n)
	}
	binary.NativeEndian.PutUint64(b[24:], uint64(r.cpu))
	binary.NativeEndian.PutUint64(b[32:], uint64(r.rss))
}

func (r *reply) decode(b *[replySize]byte) {
	for i, n := range [...]*uint32{&r.kind, &r.stage, &r.errno, &r.text, &r.status, &r.last} {
		*n = binary.NativeEndian.Uint32(b[4*i:])
	}
	r.cpu = int64(binary.NativeEndian.Uint64(b[24:]))
	r.rss = int64(binary.NativeEndian.Uint64(b[32:]))
}

// failure returns the error of a run whose child reported one.
func (r reply) failure() error {
	if r.errno == 0 {
		return nil
	}
	err := unix.Errno(r.errno)
	if r.stage == stageExec && blamesProgram(err) {
		return &StartError{err}
	}
	return fmt.Errorf("%s: %w", stages[r.stage], err)
}

// appendProgram appends the payload of a runRequest.
func appendProgram(b []byte, flags uint32, limits []rlimit.RLimit, args, env []string) []byte {
	for _, n := range []int{int(flags), len(limits), len(args), len(env)} {
		b = binary.NativeEndian.AppendUint32(b, uint32(n))
	}
	for _, l := range limits {
		b = binary.NativeEndian.AppendUint64(b, uint64(l.Res))
		b = binary.NativeEndian.AppendUint64(b, l.Rlim.Cur)
		b = binary.NativeEndian.AppendUint64(b, l.Rlim.Max)
	}
	for _, list := range [][]string{args, env} {
		for _, s := range list {
			b = append(append(b, s...), 0)
		}
	}
	return b
}

// The flags of a program: which files follow the three standard ones.
const (
	withExe   uint32 = 1 << iota // the executable; without it, the first argument is its path
	withGroup                    // the folder of the control group in which the program is born
	withTasks                    // one or more files "tasks" of the control groups that the program enters
)
