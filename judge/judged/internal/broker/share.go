package broker

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"syscall"

	"github.com/nats-io/nats.go"
)

// socket is the file in the folder of a server through which other processes of the same user connect to it.
const socket = "nats.sock"

// inside returns a name for a file in an open folder that a socket can have, however long the path of the folder is.
func inside(dir *os.File) string { return fmt.Sprintf("/proc/self/fd/%d/%s", dir.Fd(), socket) }

// Share lets other processes of this user connect to the server with [Shared], until stop is called. They may do
// everything, as they can with the files in the folder of the server, which must be used by no other.
func (s *Server) Share() (stop func(), err error) {
	if err := os.Remove(filepath.Join(s.e.Dir, socket)); err != nil && !errors.Is(err, fs.ErrNotExist) { // of a process that was killed
		return nil, err
	}
	dir, err := os.Open(s.e.Dir)
	if err != nil {
		return nil, err
	}
	// The mode that a socket has before it gets a name becomes that of its file, so there is no moment at which
	// others may connect.
	c := net.ListenConfig{Control: func(_, _ string, raw syscall.RawConn) (err error) {
		return errors.Join(raw.Control(func(fd uintptr) { err = syscall.Fchmod(int(fd), 0o600) }), err)
	}}
	listener, err := c.Listen(context.Background(), "unix", inside(dir))
	if err != nil {
		dir.Close()
		return nil, err
	}
	go func() {
		for {
			outer, err := listener.Accept()
			if err != nil {
				return // it is closed
			}
			go s.relay(outer)
		}
	}()
	return func() { listener.Close(); dir.Close() }, nil
}

// relay connects another process with the server, until either ends.
func (s *Server) relay(outer net.Conn) {
	defer outer.Close()
	inner, err := s.InProcessConn()
	if err != nil {
		return // which the other process notices
	}
	go func() {
		_, _ = io.Copy(inner, outer)
		inner.Close()
	}()
	_, _ = io.Copy(outer, inner)
}

// Shared connects to the server that another process runs in a folder.
func Shared(dir, token string) (*nats.Conn, error) {
	return connect("", nats.InProcessServer(shared(dir)), nats.UserInfo(string(Service), token))
}

// shared is the folder of a server; it implements [nats.InProcessConnProvider].
type shared string

func (s shared) InProcessConn() (net.Conn, error) {
	dir, err := os.Open(string(s))
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	return net.Dial("unix", inside(dir))
}
