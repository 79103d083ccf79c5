package sandbox

import (
	"errors"
	"slices"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// Side is one of two programs that are connected.
type Side uint8

// The sides.
const (
	Left Side = iota
	Right
)

// Piece is what one side of a connection said at once, as far as it was kept.
type Piece struct {
	From Side
	At   time.Duration // since both began
	Text []byte
	Lost int64 // how many bytes of the same side right before it were not kept
}

// Tap stands between two programs that are connected, carries what they tell each
// other, and keeps the beginning and the end of it with the times. One that has gone
// is gone for the other as well: after all that it wrote comes the end of file, and
// who goes on writing to it gets SIGPIPE.
//
// One goroutine does it all. It sleeps until one of the four pipes wants something.
type Tap struct {
	flows [2]flow    // by the side that writes
	bell  int        // an eventfd that ends the tap
	mu    sync.Mutex // held but when it sleeps
	done  chan struct{}
	spoke int // how many pieces there were
}

// flow is one direction.
type flow struct {
	in, out int    // the tap's ends, from the writer and to the reader; -1 when closed
	pending []byte // of buf: read and not yet written
	buf     []byte
	kept    record
}

// tapBuffer is how much is read at once: what a pipe holds.
const tapBuffer = 64 << 10

// End returns what was kept, in the order of time, which counts from start. Both runs
// must have ended: what still holds a pipe a while later is no longer listened to.
func (t *Tap) End(start time.Time) []Piece {
	timer := time.NewTimer(linger)
	defer timer.Stop()
	select {
	case <-t.done:
	case <-timer.C:
		_, _ = unix.Write(t.bell, []byte{1, 0, 0, 0, 0, 0, 0, 0})
		<-t.done
	}
	t.close()
	var all []spoken
	for side := range t.flows {
		for _, s := range t.flows[side].kept.all() {
			s.From, s.At = Side(side), s.when.Sub(start)
			all = append(all, s)
		}
	}
	slices.SortStableFunc(all, func(a, b spoken) int { return a.order - b.order })
	pieces := make([]Piece, len(all))
	for i, s := range all {
		pieces[i] = s.Piece
	}
	return pieces
}

// Empty reports whether all that a side has said has been carried on, or never will be.
func (t *Tap) Empty(side Side) bool {
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

// close closes what is open. Nobody may be carrying.
func (t *Tap) close() {
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

// carry works until both flows have come to their ends or the bell rings.
func (t *Tap) carry() {
	defer close(t.done)
	// In this order: for each flow its in and its out, then the bell. The kernel leaves
	// out negative descriptors.
	polls := make([]unix.PollFd, 5)
	t.mu.Lock()
	defer t.mu.Unlock()
	for t.flows[0].open() || t.flows[1].open() {
		for side := range t.flows {
			t.flows[side].ask(polls[2*side:])
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
		// That a reader has gone comes first: who sees the end of the other's words must
		// not find it listening any more.
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

// ask fills in what a flow waits for. That the reader has gone is always told.
func (f *flow) ask(polls []unix.PollFd) {
	polls[0] = unix.PollFd{Fd: int32(f.in), Events: unix.POLLIN}
	polls[1] = unix.PollFd{Fd: int32(f.out)}
	if len(f.pending) > 0 {
		polls[0].Fd = -1 // one thing after the other
		polls[1].Events = unix.POLLOUT
	}
}

// serve does what poll has said can be done.
func (t *Tap) serve(f *flow, in int16) {
	if in != 0 && f.in >= 0 {
		n, err := unix.Read(f.in, f.buf)
		switch {
		case n > 0:
			f.pending = f.buf[:n]
			f.kept.add(f.pending, time.Now(), t.spoke)
			t.spoke++
		case !again(err): // the writer has gone
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

// again reports whether a call that did nothing may do something another time.
func again(err error) bool { return errors.Is(err, unix.EAGAIN) || errors.Is(err, unix.EINTR) }
