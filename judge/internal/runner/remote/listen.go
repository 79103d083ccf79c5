//go:build linux

package remote

import (
	"errors"
	"fmt"
	"net"
	"os"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

// DefaultPath is the socket where the service listens by default and callers look for it.
const DefaultPath = "/run/tribunal/runner.sock"

// Listen creates the socket of a service, to which root and a group (-1 for none) can connect. It
// replaces a socket on which no process listens any more. Only root may be able to write to the
// folder.
func Listen(path string, group int) (*net.UnixListener, error) {
	if info, err := os.Lstat(path); err == nil && info.Mode()&os.ModeSocket != 0 {
		c, err := net.Dial("unix", path)
		if err == nil {
			c.Close()
			return nil, fmt.Errorf("%s: another service listens there", path)
		}
		if errors.Is(err, syscall.ECONNREFUSED) {
			if err := os.Remove(path); err != nil {
				return nil, err
			}
		}
	}
	// The socket must get its group before callers can connect.
	fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	f := os.NewFile(uintptr(fd), path)
	defer f.Close()
	if err := unix.Bind(fd, &unix.SockaddrUnix{Name: path}); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if err := errors.Join(os.Chmod(path, 0o660), os.Lchown(path, -1, group)); err != nil {
		return nil, errors.Join(err, os.Remove(path))
	}
	if err := unix.Listen(fd, 64); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), os.Remove(path))
	}
	l, err := net.FileListener(f)
	if err != nil {
		return nil, err
	}
	unix := l.(*net.UnixListener)
	unix.SetUnlinkOnClose(true)
	return unix, nil
}

// Inherited returns the socket that systemd passed to this process, as in sd_listen_fds(3), or
// nil if there is none.
func Inherited() (*net.UnixListener, error) {
	if pid, err := strconv.Atoi(os.Getenv("LISTEN_PID")); err != nil || pid != os.Getpid() {
		return nil, nil
	}
	if n := os.Getenv("LISTEN_FDS"); n != "1" {
		return nil, fmt.Errorf("%s sockets were passed, not one", n)
	}
	for _, name := range []string{"LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"} {
		os.Unsetenv(name)
	}
	const first = 3
	unix.CloseOnExec(first)
	f := os.NewFile(first, "socket")
	defer f.Close()
	l, err := net.FileListener(f)
	if err != nil {
		return nil, err
	}
	of, ok := l.(*net.UnixListener)
	if !ok {
		return nil, errors.Join(errors.New("the passed socket is not a Unix socket"), l.Close())
	}
	return of, nil
}
