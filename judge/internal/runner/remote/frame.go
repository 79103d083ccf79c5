//go:build linux

// Package remote runs requests in another process, over a socket: a service that runs them in its
// jails, and a runner that sends them there. Begin with the protocol in frame.go.
package remote

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// The stream socket carries frames: a byte for the kind, the length of the text as four bytes in
// big-endian order, and the text. Descriptors come with the first byte of a request. The service
// begins with a hello. It answers each request with output frames, as the program prints, one
// reply, and data frames with the contents of the copies.
const (
	kindHello   = 'H' // hello as JSON
	kindRequest = 'R' // request as JSON
	kindCancel  = 'C' // no text: stop the run in progress
	kindOutput  = 'O' // standard output of the program
	kindReply   = 'E' // reply as JSON
	kindData    = 'D' // contents of the copies, in the order of the reply
)

// Sizes of frames.
const (
	maxRequest = 8 << 20  // largest frame that the caller may send
	maxReply   = 64 << 20 // largest frame that the service may send
	chunk      = 64 << 10 // output and data are split into frames of this size
)

// patience is how long the peer may take to read, or to send the rest of a frame that it has
// begun. Only tests change it.
var patience = time.Minute

// frame is a received frame.
type frame struct {
	kind byte
	text []byte
	fds  []int // descriptors that the receiver must close; -1 for one that something else owns now
}

func (f *frame) close() {
	for _, fd := range f.fds {
		if fd >= 0 {
			unix.Close(fd)
		}
	}
	f.fds = nil
}

// errProtocol is wrapped by errors about invalid messages of the peer.
var errProtocol = errors.New("the other side breaks the protocol")

func violation(format string, args ...any) error {
	return fmt.Errorf("%w: %s", errProtocol, fmt.Sprintf(format, args...))
}

// write sends a frame with descriptors.
func write(c *net.UnixConn, kind byte, text []byte, fds ...*os.File) error {
	if err := c.SetWriteDeadline(time.Now().Add(patience)); err != nil {
		return err
	}
	data := append(binary.BigEndian.AppendUint32([]byte{kind}, uint32(len(text))), text...)
	if len(fds) > 0 {
		var numbers []int
		for _, f := range fds {
			numbers = append(numbers, int(f.Fd()))
		}
		n, _, err := c.WriteMsgUnix(data, unix.UnixRights(numbers...), nil)
		if err != nil {
			return err
		}
		data = data[n:]
	}
	_, err := c.Write(data)
	return err
}

// read reads a frame of no more than the given numbers of bytes and descriptors. It waits without
// limit for the first byte.
func read(c *net.UnixConn, most, descriptors int) (f frame, err error) {
	defer func() {
		if err != nil {
			f.close()
		}
	}()
	if err := c.SetReadDeadline(time.Time{}); err != nil {
		return f, err
	}
	head := make([]byte, 5)
	n, err := receive(c, head[:1], descriptors, &f)
	if err != nil {
		return f, err
	}
	if n == 0 {
		return f, io.EOF
	}
	if err := c.SetReadDeadline(time.Now().Add(patience)); err != nil {
		return f, err
	}
	if _, err := io.ReadFull(c, head[1:]); err != nil {
		return f, err
	}
	f.kind = head[0]
	size := binary.BigEndian.Uint32(head[1:])
	if int64(size) > int64(most) {
		return f, violation("a frame of %d bytes", size)
	}
	// ReadAll allocates memory for the bytes that arrive, not for the announced size.
	f.text, err = io.ReadAll(io.LimitReader(c, int64(size)))
	if err == nil && len(f.text) < int(size) {
		err = io.ErrUnexpectedEOF
	}
	return f, err
}

// receive reads available bytes and their descriptors. The kernel closes descriptors that come
// with any other byte than the first of a frame, because plain reads do not receive them.
func receive(c *net.UnixConn, p []byte, descriptors int, f *frame) (n int, err error) {
	control := make([]byte, unix.CmsgSpace(4*descriptors))
	n, size, flags, _, err := c.ReadMsgUnix(p, control)
	if err != nil {
		return n, err
	}
	messages, err := unix.ParseSocketControlMessage(control[:size])
	if err != nil {
		return n, err
	}
	for _, m := range messages {
		if m.Header.Level != unix.SOL_SOCKET || m.Header.Type != unix.SCM_RIGHTS {
			continue
		}
		numbers, err := unix.ParseUnixRights(&m)
		if err != nil {
			return n, err
		}
		f.fds = append(f.fds, numbers...)
	}
	if flags&unix.MSG_CTRUNC != 0 || len(f.fds) > descriptors {
		return n, violation("more than %d descriptors", descriptors)
	}
	return n, nil
}
