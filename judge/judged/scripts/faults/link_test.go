package faults

import (
	"errors"
	"io"
	"net"
	"sync"
	"testing"
	"time"
)

// endpoint is where a process can be reached. It changes when the process is started again.
type endpoint struct {
	mu      sync.Mutex
	address string
}

func (e *endpoint) set(address string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.address = address
}

func (e *endpoint) get() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.address
}

// link is a proxy before one or more endpoints, each of which has a constant address here. Its faults
// are those of a bad line.
type link struct {
	addresses []string
	listeners []net.Listener
	running   sync.WaitGroup

	mu      sync.Mutex
	changed *sync.Cond
	closed  bool
	isCut   bool // nothing connects, and what was connected is not any more
	stalled bool // bytes do not arrive for now, without an error at either end
	isSlow  bool
	conns   map[net.Conn]bool
}

// newLink returns a link, which ends with the test.
func newLink(t *testing.T, to ...*endpoint) *link {
	t.Helper()
	l := &link{conns: map[net.Conn]bool{}}
	l.changed = sync.NewCond(&l.mu)
	for _, e := range to {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		l.listeners = append(l.listeners, listener)
		l.addresses = append(l.addresses, listener.Addr().String())
		l.running.Go(func() { l.accept(listener, e) })
	}
	t.Cleanup(l.close)
	return l
}

func (l *link) close() {
	for _, listener := range l.listeners {
		listener.Close()
	}
	l.mu.Lock()
	l.closed = true
	l.drop()
	l.mu.Unlock()
	l.running.Wait()
}

// drop ends all connections. The link is locked.
func (l *link) drop() {
	for c := range l.conns {
		_ = c.(*net.TCPConn).SetLinger(0)
		c.Close()
	}
	clear(l.conns)
	l.changed.Broadcast()
}

func (l *link) accept(from net.Listener, to *endpoint) {
	for {
		client, err := from.Accept()
		if err != nil {
			if errors.Is(err, net.ErrClosed) {
				return
			}
			continue
		}
		l.running.Go(func() { l.serve(client, to) })
	}
}

// serve passes bytes on in both directions until one side ends.
func (l *link) serve(client net.Conn, to *endpoint) {
	defer client.Close()
	if !l.add(client) {
		return
	}
	defer l.remove(client)
	server, err := net.Dial("tcp", to.get())
	if err != nil || !l.add(server) {
		return
	}
	defer l.remove(server)
	var both sync.WaitGroup
	for _, pair := range [][2]net.Conn{{client, server}, {server, client}} {
		both.Go(func() {
			l.pass(pair[0], pair[1])
			pair[0].Close()
			pair[1].Close()
		})
	}
	both.Wait()
}

func (l *link) add(c net.Conn) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.isCut || l.closed {
		return false
	}
	l.conns[c] = true
	return true
}

func (l *link) remove(c net.Conn) {
	c.Close()
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.conns, c)
}

func (l *link) pass(from io.Reader, to io.Writer) {
	piece := make([]byte, 16<<10)
	for {
		n, err := from.Read(piece)
		if n > 0 {
			time.Sleep(l.wait())
			if _, err := to.Write(piece[:n]); err != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}

// wait waits while the link is stalled, and returns how long a piece takes.
func (l *link) wait() time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	for l.stalled && !l.closed && !l.isCut {
		l.changed.Wait()
	}
	if l.isSlow {
		return slowness
	}
	return 0
}

// change sets or ends a fault.
func (l *link) change(set func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	set()
	if l.isCut {
		l.drop()
	}
	l.changed.Broadcast()
}

func (l *link) cut(is bool)   { l.change(func() { l.isCut = is }) }
func (l *link) stall(is bool) { l.change(func() { l.stalled = is }) }
func (l *link) slow(is bool)  { l.change(func() { l.isSlow = is }) }

// slowness is how long a piece takes over a slow link, whose bandwidth is then half a megabyte a second.
const slowness = 30 * time.Millisecond
