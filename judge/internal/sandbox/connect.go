//go:build linux

package sandbox

import (
	"fmt"
	"io"
	"math"
	"os"
	"time"

	"golang.org/x/sys/unix"

	"tribunal/judge/internal/limits"
)

// Connect connects two commands by two pipes, each one's standard output to the other's standard
// input: it sets In and Out of both. The runs close them; for a command that is never run,
// [Command.Close] does.
func Connect(left, right *Command) (err error) {
	defer func() {
		if err != nil {
			left.Close()
			right.Close()
		}
	}()
	if right.In, left.Out, err = pipe(); err != nil {
		return err
	}
	left.In, right.Out, err = pipe()
	return err
}

// ConnectRelayed connects two commands as Connect does, with a relay in between that records up to
// keep bytes of each side. [Relay.End] must be called when both runs have ended.
func ConnectRelayed(left, right *Command, keep limits.Bytes) (t *Relay, err error) {
	t = &Relay{bell: -1, done: make(chan struct{})}
	for side := range t.flows {
		t.flows[side] = flow{in: -1, out: -1, buf: make([]byte, relayBuffer), kept: transcript{half: max(int(keep/2), 1)}}
	}
	defer func() {
		if err != nil {
			left.Close()
			right.Close()
			t.close()
			t, err = nil, fmt.Errorf("relay: %w", err)
		}
	}()
	for side, pair := range [2][2]*Command{{left, right}, {right, left}} {
		f := &t.flows[side]
		if f.in, pair[0].Out, err = relayPipe(0); err != nil {
			return t, err
		}
		if f.out, pair[1].In, err = relayPipe(1); err != nil {
			return t, err
		}
	}
	if t.bell, err = unix.Eventfd(0, unix.EFD_CLOEXEC); err != nil {
		return t, err
	}
	go t.relay()
	return t, nil
}

// Close closes In and Out of a command that is never run, if they are set.
func (cmd *Command) Close() {
	if cmd.In != nil {
		cmd.In.Close()
	}
	cmd.closeOut()
}

// closeRun closes the pipe ends that a run has taken over.
func (cmd *Command) closeRun() {
	if cmd.KeepIn {
		cmd.closeOut()
		return
	}
	cmd.Close()
}

func (cmd *Command) closeOut() {
	if cmd.Out != nil {
		cmd.Out.Close()
	}
}

// DiscardRest discards what is still written to in, so that the writer gets no SIGPIPE. in is the
// In of a command with KeepIn whose program has ended. After most bytes (0 is no limit) DiscardRest
// calls full, unless that is nil, and closes in. Otherwise it closes in at the end of the input, or
// soon after stop is called.
func DiscardRest(in *os.File, most limits.Bytes, full func()) (stop func()) {
	defer in.Close()
	fd, err := unix.FcntlInt(in.Fd(), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		return func() {} // the writer gets SIGPIPE
	}
	// stop must be able to interrupt the reads: other processes may hold the pipe open for ever.
	if err := unix.SetNonblock(fd, true); err != nil {
		unix.Close(fd)
		return func() {}
	}
	f := os.NewFile(uintptr(fd), "pipe")
	go func() {
		defer f.Close()
		if most == 0 {
			most = math.MaxInt64 - 1
		}
		if n, _ := io.CopyN(io.Discard, f, int64(most)+1); n > int64(most) && full != nil {
			full()
		}
	}()
	return func() { _ = f.SetReadDeadline(time.Unix(1, 0)) }
}

// pipe returns both ends of a new pipe. Both block, as programs expect.
func pipe() (read, write *os.File, err error) {
	var p [2]int
	if err := unix.Pipe2(p[:], unix.O_CLOEXEC); err != nil {
		return nil, nil, fmt.Errorf("pipe: %w", err)
	}
	return os.NewFile(uintptr(p[0]), "pipe"), os.NewFile(uintptr(p[1]), "pipe"), nil
}

// relayPipe returns a new pipe. which selects the end that the relay owns, 0 to read or 1 to write;
// that end does not block.
func relayPipe(which int) (own int, program *os.File, err error) {
	var p [2]int
	if err := unix.Pipe2(p[:], unix.O_CLOEXEC); err != nil {
		return -1, nil, fmt.Errorf("pipe: %w", err)
	}
	return p[which], os.NewFile(uintptr(p[1-which]), "pipe"), unix.SetNonblock(p[which], true)
}
