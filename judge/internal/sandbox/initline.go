package sandbox

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"tribunal/judge/internal/quote"
)

// initLine is a socket between the judge and the init of a container, whose standard error is the
// other end. It carries the init's last message before it dies, and one request that go-sandbox
// lacks:
//
// go-sandbox keeps the standard files of a program open in the init while the program runs. That
// breaks pipes between two programs, because a reader gets end of file only when the last copy of
// the writing end is closed. So the judge asks the init to close its copies once the program has
// its own.
type initLine struct{ *os.File }

const (
	askRelease = 'l'
	didRelease = '\x00' // no message of the init begins with this byte
)

// lineTimeout is how long an init may take to answer on a busy machine.
const lineTimeout = 10 * time.Second

// newInitLine returns an initLine, and its other end for the init.
func newInitLine() (*initLine, *os.File, error) {
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, 0)
	if err != nil {
		return nil, nil, fmt.Errorf("socket: %w", err)
	}
	return &initLine{os.NewFile(uintptr(pair[0]), "init")}, os.NewFile(uintptr(pair[1]), "init"), nil
}

func (l *initLine) close() { l.Close() }

// releasePipes asks the init to close all its pipes, and returns when it has. It must be called
// after the program was forked and before it begins.
func (l *initLine) releasePipes() error {
	if err := l.SetDeadline(time.Now().Add(lineTimeout)); err != nil {
		return err
	}
	answer := []byte{askRelease}
	if _, err := l.Write(answer); err != nil {
		return fmt.Errorf("%w: its init: %w", ErrDied, err)
	}
	if _, err := io.ReadFull(l, answer); err != nil {
		return fmt.Errorf("%w: its init: %w", ErrDied, err)
	}
	if answer[0] != didRelease {
		return l.lastWords(ErrDied)
	}
	return nil
}

// serveLine runs in the init and serves the judge's requests.
func serveLine() {
	// A duplicate, because the runtime has already decided how to read from the original.
	fd, err := unix.FcntlInt(os.Stderr.Fd(), unix.F_DUPFD_CLOEXEC, 3)
	if err == nil {
		err = unix.SetNonblock(fd, true)
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "line: %v\n", err)
		return
	}
	end := os.NewFile(uintptr(fd), "judge")
	ask := make([]byte, 1)
	for {
		if _, err := io.ReadFull(end, ask); err != nil {
			return // the judge has closed the line and is about to kill this process
		}
		if err := closePipes(); err != nil {
			fmt.Fprintf(os.Stderr, "pipes: %v\n", err)
			continue
		}
		if _, err := end.Write([]byte{didRelease}); err != nil {
			return
		}
	}
}

// closePipes closes all pipes of this process. It puts /dev/null in their place, because go-sandbox
// will close the same numbers.
func closePipes() error {
	null, err := unix.Open(os.DevNull, unix.O_RDWR|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(null)
	list, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return err
	}
	for _, entry := range list {
		fd, err := strconv.Atoi(entry.Name())
		if err != nil {
			return err
		}
		var file unix.Stat_t
		if unix.Fstat(fd, &file) != nil || file.Mode&unix.S_IFMT != unix.S_IFIFO {
			continue // only the descriptor of the listing itself is already closed
		}
		if err := unix.Dup3(null, fd, unix.O_CLOEXEC); err != nil {
			return err
		}
	}
	return nil
}

// lastWords adds the init's last message to err if the message explains why the init died. If the
// init ran out of a resource, the returned error also wraps that error.
func (l *initLine) lastWords(err error) error {
	if strings.HasSuffix(err.Error(), "message truncated") {
		return fmt.Errorf("%w: %w", err, unix.EMFILE) // no descriptor was free to receive one
	}
	message, found := strings.CutPrefix(quote.First(l.readMessage()), "container_exit: ")
	if !found && !strings.Contains(message, ": ") || strings.HasSuffix(message, "EOF") {
		return err // it says only that its socket was closed
	}
	if strings.Contains(message, "failed to create new OS thread") || strings.Contains(message, "pthread_create failed") {
		return fmt.Errorf("%w: its init: no more threads: %w", err, unix.EAGAIN)
	}
	for _, e := range exhaustion {
		if before, found := strings.CutSuffix(message, e.Error()); found {
			return fmt.Errorf("%w: its init: %s%w", err, before, e)
		}
	}
	return fmt.Errorf("%w: its init: %s", err, message)
}

// readMessage returns the first 512 bytes that the init has written to standard error so far.
func (l *initLine) readMessage() string {
	raw, err := l.SyscallConn()
	if err != nil {
		return ""
	}
	buf := make([]byte, 512)
	n := 0
	_ = l.SetReadDeadline(time.Time{})
	_ = raw.Read(func(fd uintptr) bool {
		for n < len(buf) {
			k, err := unix.Read(int(fd), buf[n:])
			if errors.Is(err, unix.EINTR) {
				continue
			}
			if err != nil || k <= 0 {
				break
			}
			n += k
		}
		return true
	})
	return string(buf[:n])
}
