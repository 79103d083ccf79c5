//go:build linux

package sandbox

import (
	"errors"
	"slices"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// Relay stands between two connected programs. It carries the bytes that they send each other, and
// records the beginning and the end of each direction with times. If one program closes its end,
// the relay closes the other's: after the last byte comes the end of file, and further writes get
// SIGPIPE.
//
// A single goroutine does this. It sleeps until one of the four pipes is ready.
type Relay struct {
	flows  [2]flow    // the two directions, by the side that writes
	bell   int        // an eventfd that stops the relay
	mu     sync.Mutex // held except while the goroutine sleeps
	done   chan struct{}
	pieces int // number of pieces so far
}

// flow is one direction.
type flow struct {
	in, out int    // the relay's ends, from the writer and to the reader; -1 when closed
	pending []byte // part of buf: read and not yet written
	buf     []byte
	kept    transcript
}

// relayBuffer is how much is read at once: the capacity of a pipe.
const relayBuffer = 64 << 10

// End returns the transcript in chronological order, with times since start. Both runs must have
// ended: if a process still holds a pipe a while later, End stops the relay.
func (t *Relay) End(start time.Time) []Piece {
	timer := time.NewTimer(linger)
	defer timer.Stop()
	select {
	case <-t.done:
	case <-timer.C:
		_, _ = unix.Write(t.bell, []byte{1, 0, 0, 0, 0, 0, 0, 0})
		<-t.done
	}
	t.close()
	var all []keptPiece
	for side := range t.flows {
		for _, s := range t.flows[side].kept.all() {
			s.From, s.At = Side(side), s.when.Sub(start)
			all = append(all, s)
		}
	}
	slices.SortStableFunc(all, func(a, b keptPiece) int { return a.order - b.order })
	pieces := make([]Piece, len(all))
	for i, s := range all {
		pieces[i] = s.Piece
	}
	return pieces
}

// Empty reports whether everything that a side has written has been passed on, or never can be.
func (t *Relay) Empty(side Side) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	f := &t.flows[side]
	if len(f.pending) > 0 && f.out >= 0 {
		return false
	}
	if f.in < 0 || f.out < 0 {
		return true
	}
	left, err := unix.IoctlGetInt(f.in, unix.TIOCINQ)
	return err != nil || left == 0
}

// close closes what is open. The goroutine must not be running.
func (t *Relay) close() {
	for side := range t.flows {
		t.flows[side].close()
	}
	closeFD(&t.bell)
}

func closeFD(fd *int) {
	if *fd >= 0 {
		unix.Close(*fd)
		*fd = -1
	}
}

// relay carries bytes until both directions have ended or the bell rings.
func (t *Relay) relay() {
	defer close(t.done)
	// For each flow its in and its out, then the bell. The kernel ignores negative descriptors.
	polls := make([]unix.PollFd, 5)
	t.mu.Lock()
	defer t.mu.Unlock()
	for t.flows[0].open() || t.flows[1].open() {
		for side := range t.flows {
			t.flows[side].prepare(polls[2*side:])
		}
		polls[4] = unix.PollFd{Fd: int32(t.bell), Events: unix.POLLIN}
		t.mu.Unlock()
		_, err := unix.Poll(polls, -1)
		t.mu.Lock()
		if err != nil && !errors.Is(err, unix.EINTR) || polls[4].Revents != 0 {
			break
		} else if err != nil {
			continue
		}
		// First handle the readers that have gone: a program that reads the end of its peer's
		// output must not be able to write to that peer any more.
		for side := range t.flows {
			if polls[2*side+1].Revents&unix.POLLERR != 0 {
				t.flows[side].close()
			}
		}
		for side := range t.flows {
			t.serve(&t.flows[side], polls[2*side].Revents)
		}
	}
	for side := range t.flows {
		t.flows[side].close()
	}
}

func (f *flow) open() bool { return f.out >= 0 }

func (f *flow) close() {
	closeFD(&f.in)
	closeFD(&f.out)
}

// prepare fills in the events that a flow waits for. The kernel reports in any case that the reader
// has gone.
func (f *flow) prepare(polls []unix.PollFd) {
	polls[0] = unix.PollFd{Fd: int32(f.in), Events: unix.POLLIN}
	polls[1] = unix.PollFd{Fd: int32(f.out)}
	if len(f.pending) > 0 {
		polls[0].Fd = -1 // read no more before this is written
		polls[1].Events = unix.POLLOUT
	}
}

// serve reads and writes as far as poll has reported it possible.
func (t *Relay) serve(f *flow, in int16) {
	if in != 0 && f.in >= 0 {
		n, err := unix.Read(f.in, f.buf)
		switch {
		case n > 0:
			f.pending = f.buf[:n]
			f.kept.add(f.pending, time.Now(), t.pieces)
			t.pieces++
		case !again(err): // the writer has closed its end
			closeFD(&f.in)
		}
	}
	if len(f.pending) > 0 && f.out >= 0 {
		n, err := unix.Write(f.out, f.pending)
		switch {
		case n > 0:
			f.pending = f.pending[n:]
		case !again(err):
			f.close()
			return
		}
	}
	if f.in < 0 && len(f.pending) == 0 {
		f.close() // all is delivered
	}
}

// again reports whether a call that did nothing may succeed later.
func again(err error) bool { return errors.Is(err, unix.EAGAIN) || errors.Is(err, unix.EINTR) }
