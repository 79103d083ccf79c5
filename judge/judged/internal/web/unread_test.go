package web

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
)

// narrow is a connection that holds little of what was not read yet, as those of a network may.
type narrow struct{ net.Conn }

// RemoteAddr returns the address that a client on this machine has.
func (narrow) RemoteAddr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 1} }

// single is a listener with one connection.
type single chan net.Conn

func (l single) Accept() (net.Conn, error) {
	c, ok := <-l
	if !ok {
		return nil, net.ErrClosed
	}
	return c, nil
}
func (l single) Close() error { return nil }
func (single) Addr() net.Addr { return narrow{}.RemoteAddr() }

// dial returns both ends of a narrow connection.
func dial() (client, server net.Conn) {
	client, one := net.Pipe()
	two, server := net.Pipe()
	relay := func(from, to net.Conn) {
		held := make(chan []byte, 8)
		go func() {
			defer to.Close()
			for part := range held {
				if _, err := to.Write(part); err != nil {
					break
				}
			}
			for range held { // nobody reads it any more
			}
		}()
		defer close(held)
		for {
			part := make([]byte, 4<<10)
			n, err := from.Read(part)
			held <- part[:n]
			if err != nil {
				return
			}
		}
	}
	go relay(one, two)
	go relay(two, one)
	return client, narrow{server}
}

// TestBatchOfPlainClient sends all lines of a batch before it reads anything, as the HTTP libraries of many languages
// do. The answers are more than the connection holds.
func TestBatchOfPlainClient(t *testing.T) {
	t.Parallel()
	w := start(t, judge)
	w.problem("maze")
	server, l := NewServer(w.web), make(single, 1)
	c, end := dial()
	l <- end
	go func() { _ = server.Serve(l) }()
	t.Cleanup(func() {
		close(l)
		_ = server.Close()
	})
	const refused = 3000
	var body strings.Builder
	for i := range refused {
		fmt.Fprintf(&body, `{"key":"bad-%d","source":%q}`+"\n", i, strings.Repeat("x", 500))
		if i%300 == 0 {
			body.WriteString(line(fmt.Sprint("good-", i), "AC"))
		}
	}
	defer c.Close()
	head := fmt.Sprintf("POST /v1/batches HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ann\r\nContent-Type: %s\r\nIdempotency-Key: plain\r\nContent-Length: %d\r\n\r\n", ndjson, body.Len())
	if _, err := io.WriteString(c, head+body.String()); err != nil {
		t.Fatalf("sending: %v", err)
	}
	resp, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatalf("after %d bytes: %v", len(text), err)
	}
	list := events(t, string(text))
	if last := list[len(list)-1]; last.Event != "end" || last.Taken != refused/300 || last.Refused != refused {
		t.Errorf("the last event is %+v", last)
	}
	if words := short(list); !slices.Contains(words, "ended good-0 done AC") || !slices.Contains(words, fmt.Sprintf("refused bad-%d422", refused-1)) {
		t.Errorf("%d events do not have all that happened", len(list))
	}
	if held := w.web.budget.held(); held != 0 {
		t.Errorf("%d bytes of the budget are still taken", held)
	}
}

// TestAnswers adds events that nobody reads: as many as the budget has room for, and then none until one is read.
func TestAnswers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := &budget{most: 6 * answerSize} // an owner has half of it
		a := newAnswers(lease{from: b, owner: "ann"})
		for i := range 3 {
			if err := a.add(t.Context(), BatchEvent{Line: i}); err != nil {
				t.Fatal(err)
			}
		}
		if err := a.add(t.Context(), BatchEvent{Line: 3}); !errors.Is(err, errUnread) {
			t.Errorf("more than the budget has: %v", err)
		}
		list, err := a.next(t.Context())
		if err != nil || len(list) != 3 || list[2].Line != 2 {
			t.Errorf("got %v, %v", list, err)
		}
		if err := a.add(t.Context(), BatchEvent{Line: 3}); err != nil { // a single one needs no budget
			t.Error(err)
		}
		added := make(chan error)
		go func() { added <- a.add(t.Context(), BatchEvent{Line: 4}) }()
		synctest.Wait()
		a.wrote(1)
		if err := <-added; err != nil {
			t.Errorf("after one was read: %v", err)
		}
		if list, err := a.next(t.Context()); err != nil || len(list) != 2 {
			t.Errorf("got %v, %v", list, err)
		}
		ended, stop := context.WithCancel(t.Context())
		stop()
		if _, err := a.next(ended); !errors.Is(err, context.Canceled) {
			t.Errorf("nothing was added: %v", err)
		}
		a.end()
		if held := b.held(); held != 0 {
			t.Errorf("%d bytes are still taken", held)
		}
	})
}
