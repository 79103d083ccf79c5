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

// Connect makes what each of two commands writes to standard output the standard input
// of the other: it sets In and Out of both. They are closed by the runs or, of a
// command that is not run, by [Command.Close].
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

// ConnectTapped is Connect with a tap in between, which keeps so much of what each
// side says. The tap must be ended when both runs have.
func ConnectTapped(left, right *Command, keep limits.Bytes) (t *Tap, err error) {
	t = &Tap{bell: -1, done: make(chan struct{})}
	for side := range t.flows {
		t.flows[side] = flow{in: -1, out: -1, buf: make([]byte, tapBuffer), kept: record{half: max(int(keep/2), 1)}}
	}
	defer func() {
		if err != nil {
			left.Close()
			right.Close()
			t.close()
			t, err = nil, fmt.Errorf("tap: %w", err)
		}
	}()
	for side, way := range [2][2]*Command{{left, right}, {right, left}} {
		f := &t.flows[side]
		if f.in, way[0].Out, err = tappedPipe(0); err != nil {
			return t, err
		}
		if f.out, way[1].In, err = tappedPipe(1); err != nil {
			return t, err
		}
	}
	if t.bell, err = unix.Eventfd(0, unix.EFD_CLOEXEC); err != nil {
		return t, err
	}
	go t.carry()
	return t, nil
}

// Close closes In and Out, if they are open: of a command that is never run.
func (cmd *Command) Close() {
	if cmd.In != nil {
		cmd.In.Close()
	}
	cmd.closeOut()
}

// closeRun closes what a run has taken over.
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

// Listen takes what is still said through in, the In of a command with KeepIn whose program
// has ended, up to so many bytes (0 is any number), for nobody to hear: who speaks there does
// not learn of that end by SIGPIPE before. Then, unless it is nil, it calls full. It closes
// in, at the latest soon after stop is called.
func Listen(in *os.File, most limits.Bytes, full func()) (stop func()) {
	defer in.Close()
	fd, err := unix.FcntlInt(in.Fd(), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		return func() {} // it gets SIGPIPE
	}
	// Reading must be possible to give up: others may hold the pipe for ever.
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

// pipe returns the two ends of a new pipe, both of which block as programs expect.
func pipe() (read, write *os.File, err error) {
	var p [2]int
	if err := unix.Pipe2(p[:], unix.O_CLOEXEC); err != nil {
		return nil, nil, fmt.Errorf("pipe: %w", err)
	}
	return os.NewFile(uintptr(p[0]), "pipe"), os.NewFile(uintptr(p[1]), "pipe"), nil
}

// tappedPipe returns a new pipe of which the tap has one end, 0 to read or 1 to write,
// which does not block.
func tappedPipe(which int) (own int, program *os.File, err error) {
	var p [2]int
	if err := unix.Pipe2(p[:], unix.O_CLOEXEC); err != nil {
		return -1, nil, fmt.Errorf("pipe: %w", err)
	}
	return p[which], os.NewFile(uintptr(p[1-which]), "pipe"), unix.SetNonblock(p[which], true)
}
