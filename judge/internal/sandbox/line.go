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

// line is a socket between the judge and the init of a container, which has it for
// its standard error. What the init says before it dies comes this way, and so does
// the one request that go-sandbox does not know.
//
// go-sandbox keeps the standard files of a program open in the init as long as the
// program runs. For ends of pipes that will not do: another program waits for the
// last one to be closed. So the judge has the init let go of them once the program
// has its own.
type line struct{ *os.File }

const (
	askLetGo = 'l'
	didLetGo = '\x00' // which begins no words
)

// lineTimeout is how long an init may take to answer on a busy machine.
const lineTimeout = 10 * time.Second

// newLine returns a line and its other end, for the init.
func newLine() (*line, *os.File, error) {
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, 0)
	if err != nil {
		return nil, nil, fmt.Errorf("socket: %w", err)
	}
	return &line{os.NewFile(uintptr(pair[0]), "init")}, os.NewFile(uintptr(pair[1]), "init"), nil
}

func (l *line) close() { l.Close() }

// letGo returns when the init has closed all pipes. A program must have been forked
// and not begun.
func (l *line) letGo() error {
	if err := l.SetDeadline(time.Now().Add(lineTimeout)); err != nil {
		return err
	}
	answer := []byte{askLetGo}
	if _, err := l.Write(answer); err != nil {
		return fmt.Errorf("%w: its init: %w", ErrDied, err)
	}
	if _, err := io.ReadFull(l, answer); err != nil {
		return fmt.Errorf("%w: its init: %w", ErrDied, err)
	}
	if answer[0] != didLetGo {
		return l.lastWords(ErrDied)
	}
	return nil
}

// serveLine does what the judge asks for, in the init.
func serveLine() {
	// A number of its own, which the runtime has not decided yet how to read from.
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
			return // the judge has closed the line and is about to end this process
		}
		if err := closePipes(); err != nil {
			fmt.Fprintf(os.Stderr, "pipes: %v\n", err)
			continue
		}
		if _, err := end.Write([]byte{didLetGo}); err != nil {
			return
		}
	}
}

// closePipes closes all pipes of this process. Their numbers stay in use, since
// go-sandbox is going to close them as well.
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
			continue // what has been closed meanwhile was the list itself
		}
		if err := unix.Dup3(null, fd, unix.O_CLOEXEC); err != nil {
			return err
		}
	}
	return nil
}

// lastWords adds to an error what the init said, if it said why it died. What it
// ran out of becomes part of the error.
func (l *line) lastWords(err error) error {
	if strings.HasSuffix(err.Error(), "message truncated") {
		return fmt.Errorf("%w: %w", err, unix.EMFILE) // there was no descriptor to receive another by
	}
	said, found := strings.CutPrefix(quote.First(l.heard()), "container_exit: ")
	if !found && !strings.Contains(said, ": ") || strings.HasSuffix(said, "EOF") {
		return err // nothing but that its socket was closed
	}
	if strings.Contains(said, "failed to create new OS thread") || strings.Contains(said, "pthread_create failed") {
		return fmt.Errorf("%w: its init: no more threads: %w", err, unix.EAGAIN)
	}
	for _, e := range exhaustion {
		if before, found := strings.CutSuffix(said, e.Error()); found {
			return fmt.Errorf("%w: its init: %s%w", err, before, e)
		}
	}
	return fmt.Errorf("%w: its init: %s", err, said)
}

// heard returns the beginning of what the init has said until now.
func (l *line) heard() string {
	raw, err := l.SyscallConn()
	if err != nil {
		return ""
	}
	buf := make([]byte, 512)
	n := 0
	_ = l.SetReadDeadline(time.Time{})
	_ = raw.Read(func(fd uintptr) bool {
		for n < len(buf) {
			more, err := unix.Read(int(fd), buf[n:])
			if errors.Is(err, unix.EINTR) {
				continue
			}
			if err != nil || more <= 0 {
				break
			}
			n += more
		}
		return true
	})
	return string(buf[:n])
}
