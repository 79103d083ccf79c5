package web

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/coder/websocket"

	"tribunal/judge/judged/internal/access"
	"tribunal/judge/judged/internal/service"
	"tribunal/judge/judged/internal/store/storetest"
	"tribunal/judge/judged/internal/task"
)

// sse is an event as a client reads it.
type sse struct {
	event, id, data string
}

// readEvents reads server-sent events, without heartbeats, until the stream ends.
func readEvents(from io.Reader, each func(sse)) error {
	lines := bufio.NewScanner(from)
	lines.Buffer(nil, 1<<20)
	var e sse
	for lines.Scan() {
		name, value, _ := strings.Cut(lines.Text(), ": ")
		switch {
		case lines.Text() == "" && e.event != "":
			each(e)
			e = sse{}
		case name == "event":
			e.event = value
		case name == "id":
			e.id = value
		case name == "data":
			e.data += value
		}
	}
	return lines.Err()
}

// gated is a worker that judges after the gate has opened.
func gated() (open func(), work func(*world, *task.Task) *task.Answer) {
	gate := make(chan struct{})
	return sync.OnceFunc(func() { close(gate) }), func(w *world, t *task.Task) *task.Answer {
		if t.Part != task.Check {
			<-gate
		}
		return judge(w, t)
	}
}

// gatedJudging hands a program in to a world in which no judging ends until open is called.
func gatedJudging(t *testing.T, verdict string) (w *world, j Judging, open func()) {
	t.Helper()
	open, work := gated()
	w = start(t, work)
	t.Cleanup(open)
	w.problem("maze")
	w.do("ann", "POST", "/v1/judgings", program(verdict)).decode(t, http.StatusCreated, &j)
	return w, j, open
}

// revocable are tokens that can be revoked.
type revocable struct {
	tokens
	revoked atomic.Bool
}

func (r *revocable) Verify(ctx context.Context, token string) (access.Identity, error) {
	if r.revoked.Load() {
		return access.Identity{}, access.Revoked
	}
	return r.tokens.Verify(ctx, token)
}

// TestRevokedWhileWatching revokes a token with which streams are open, and expects that they end.
func TestRevokedWhileWatching(t *testing.T) {
	t.Parallel()
	who := &revocable{tokens: everybody}
	w := start(t, nil, func(o *Options) { o.Tokens, o.Bounds.Beat = who, time.Millisecond })
	w.waiting("maze")
	var j Judging
	w.do("ann", "POST", "/v1/judgings", program("WA")).decode(t, http.StatusCreated, &j)
	var streams []io.ReadCloser
	for _, path := range []string{j.Links.Events, "/v1/events"} {
		resp, err := w.ask(t.Context(), "ann", "GET", path, nil)
		if err != nil {
			t.Fatal(err)
		}
		streams = append(streams, resp.Body)
	}
	resp, err := w.ask(t.Context(), "ann", "POST", "/v1/batches", line("a", "AC"), "Content-Type", ndjson, "Idempotency-Key", "one")
	if err != nil {
		t.Fatal(err)
	}
	who.revoked.Store(true)
	for _, s := range append(streams, resp.Body) {
		_, _ = io.Copy(io.Discard, s) // until it ends
		s.Close()
	}
}

// TestEvents watches a judging from its beginning to its end, is cut off, and comes back.
func TestEvents(t *testing.T) {
	t.Parallel()
	w, j, open := gatedJudging(t, "WA")
	resp, err := w.ask(t.Context(), "ann", "GET", j.Links.Events, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if kind := resp.Header.Get("Content-Type"); kind != "text/event-stream" || resp.StatusCode != http.StatusOK {
		t.Fatal(resp.Status, kind)
	}
	var got []string
	var last sse
	err = readEvents(resp.Body, func(e sse) {
		last = e
		if e.event == "live" {
			got = append(got, e.data)
			open()
			return
		}
		var now Judging
		if err := json.Unmarshal([]byte(e.data), &now); err != nil || e.id != fmt.Sprint(now.Sequence) {
			t.Errorf("%+v: %v", e, err)
		}
		got = append(got, now.Status+now.Verdict)
		if now.Status == "waiting" {
			if err := w.store.Signals.Send(service.LiveSignal+"."+j.ID, []byte("{\"judging\":1,\"event\":\"case\",\n\"case\":\"a/1\",\"verdict\":\"WA\",\"input\":\"secret\"}")); err != nil {
				t.Error(err)
			}
		}
	})
	if want := []string{"waiting", `{"judging":1,"attempt":0,"event":"case","case":"a/1","verdict":"WA"}`, "doneWA"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, want %q: %v", got, want, err)
	}
	if r := w.do("ann", "GET", j.Links.Events, nil, "Last-Event-ID", last.id); r.StatusCode != http.StatusNoContent {
		t.Errorf("a client that knows everything: %s %s", r.Status, r.text)
	}
	again := w.do("ann", "GET", j.Links.Events, nil, "Last-Event-ID", "1")
	if strings.Count(again.text, "event: judging") != 1 || !strings.Contains(again.text, `"verdict":"WA"`) {
		t.Errorf("a client that was away: %s", again.text)
	}
	if r := w.do("ann", "GET", j.Links.Events, nil, "Last-Event-ID", "last"); r.StatusCode != 422 {
		t.Error(r.Status)
	}
}

// TestKnown checks that a client that knows the present state gets only what happens after it.
func TestKnown(t *testing.T) {
	t.Parallel()
	w, j, open := gatedJudging(t, "WA")
	resp, err := w.ask(t.Context(), "ann", "GET", j.Links.Events, nil, "Last-Event-ID", fmt.Sprint(j.Sequence))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	<-w.watched
	open()
	var got []string
	err = readEvents(resp.Body, func(e sse) {
		var now Judging
		if err := json.Unmarshal([]byte(e.data), &now); err != nil {
			t.Error(err)
		}
		got = append(got, now.Status+now.Verdict)
	})
	if want := []string{"doneWA"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, want %q: %v", got, want, err)
	}
}

// TestApplied checks that a watcher learns that another judging counts.
func TestApplied(t *testing.T) {
	t.Parallel()
	open, work := gated()
	w := start(t, func(w *world, task *task.Task) *task.Answer {
		if task.Judging == 3 {
			return work(w, task)
		}
		return judge(w, task)
	})
	t.Cleanup(open)
	w.problem("maze")
	j := w.judged("ann", program("AC"))
	batch := w.rejudge(Rejudging{Judgings: []string{j.ID}})
	w.preview(batch, j)                            // when it is done: the only worker might take the next one first
	w.rejudge(Rejudging{Judgings: []string{j.ID}}) // keeps the stream open
	resp, err := w.ask(t.Context(), "ann", "GET", j.Links.Events, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	applied := false
	err = readEvents(resp.Body, func(e sse) {
		var now Judging
		if err := json.Unmarshal([]byte(e.data), &now); err != nil {
			t.Error(err)
		}
		if now.Number == 2 {
			open()
			return
		}
		if len(now.Judgings) > 1 && now.Judgings[1].Status == "done" && !applied {
			applied = true
			if r := w.do("rejudger", "POST", "/v1/rejudgings/"+batch+"/apply", nil); r.StatusCode != 200 {
				t.Error(r.Status, r.text)
			}
		}
	})
	if err != nil {
		t.Error(err)
	}
}

// TestWebSocket watches a judging over a WebSocket, whose token comes as a browser can send it.
func TestWebSocket(t *testing.T) {
	t.Parallel()
	w := start(t, judge)
	w.problem("maze")
	var j Judging
	w.do("ann", "POST", "/v1/judgings", program("AC")).decode(t, http.StatusCreated, &j)
	url := "ws" + strings.TrimPrefix(w.http.URL, "http") + j.Links.Events
	c, _, err := websocket.Dial(t.Context(), url, &websocket.DialOptions{Subprotocols: []string{"tribunal", "bearer.ann"}})
	if err != nil {
		t.Fatal(err)
	}
	defer c.CloseNow()
	if c.Subprotocol() != "tribunal" {
		t.Errorf("subprotocol %q", c.Subprotocol())
	}
	var now Judging
	for {
		_, text, err := c.Read(t.Context())
		if websocket.CloseStatus(err) == websocket.StatusNormalClosure {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		var e Event
		if err := json.Unmarshal(text, &e); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(e.Data, &now); err != nil || e.ID != now.Sequence || e.Event != "judging" {
			t.Fatalf("%+v: %v", e, err)
		}
	}
	if now.Verdict != "AC" {
		t.Errorf("%+v", now)
	}
	for _, o := range []*websocket.DialOptions{
		{}, // without a token
		{Subprotocols: []string{"tribunal", "bearer.bob"}},
		{Subprotocols: []string{"tribunal", "bearer.ann"}, HTTPHeader: http.Header{"Origin": {"https://evil.example"}}},
	} {
		if c, _, err := websocket.Dial(t.Context(), url, o); err == nil {
			c.CloseNow()
			t.Errorf("%+v is let in", o)
		}
	}
}

// TestNoHandshake checks that a request for a WebSocket that is not complete is answered as any other.
func TestNoHandshake(t *testing.T) {
	t.Parallel()
	w := start(t, judge)
	w.problem("maze")
	for _, tt := range []struct {
		why, want string
		headers   []string
		status    int
	}{
		{"no Connection", "Connection", nil, http.StatusUpgradeRequired},
		{"an old version", "only 13", []string{"Connection", "Upgrade", "Sec-WebSocket-Version", "8"}, http.StatusBadRequest},
		{"no key", "Sec-WebSocket-Key", []string{"Connection", "Upgrade", "Sec-WebSocket-Version", "13"}, http.StatusBadRequest},
	} {
		r := w.do("ann", "GET", "/v1/events", nil, append(tt.headers, "Upgrade", "websocket")...)
		var p Problem
		if r.decode(t, tt.status, &p); r.Header.Get("Content-Type") != problemJSON || p.Status != tt.status || !strings.Contains(p.Detail, tt.want) {
			t.Errorf("%s: %s %v %s", tt.why, r.Status, r.Header, r.text)
		}
	}
}

// TestEventsBeforeBody checks that a stream begins though the body of its request does not come.
func TestEventsBeforeBody(t *testing.T) {
	t.Parallel()
	w := start(t, judge)
	c, err := net.Dial("tcp", w.http.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	deadline, _ := storetest.Patient(t).Deadline()
	if err := c.SetReadDeadline(deadline); err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(c, "GET /v1/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ann\r\nContent-Length: 9\r\n\r\nx"); err != nil {
		t.Fatal(err)
	}
	r, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		t.Fatal(err)
	}
	if r.StatusCode != 200 {
		t.Error(r.Status)
	}
	c.Close() // else the body would be read to its end
	r.Body.Close()
}

// TestAllEvents watches everything: the owner only the own judgings, and who was away gets the states
// that were missed.
func TestAllEvents(t *testing.T) {
	t.Parallel()
	w := start(t, judge)
	w.problem("maze")
	ctx, stop := context.WithCancel(t.Context())
	watch := func(token string, headers ...string) <-chan sse {
		resp, err := w.ask(ctx, token, "GET", "/v1/events?problem=maze", nil, headers...)
		if err != nil {
			t.Fatal(err)
		}
		events := make(chan sse, 100)
		go func() {
			defer close(events)
			defer resp.Body.Close()
			_ = readEvents(resp.Body, func(e sse) { events <- e }) // until the test stops it
		}()
		return events
	}
	reader, ann := watch("reader"), watch("ann")
	for w.service.Watchers() < 2 { // the headers of an answer come before it watches
		runtime.Gosched()
	}
	one, two := w.judged("bob", program("AC")), w.judged("ann", program("WA"))
	next := func(from <-chan sse) (string, string) {
		e, ok := <-from
		var j Judging
		if err := json.Unmarshal([]byte(e.data), &j); !ok || err != nil {
			t.Fatalf("%+v: %v", e, err)
		}
		return j.ID + j.Status, e.id
	}
	first := ""
	for i, want := range []string{one.ID + "waiting", one.ID + "done", two.ID + "waiting", two.ID + "done"} {
		got, id := next(reader)
		if got != want {
			t.Fatalf("event %d: %s, want %s", i, got, want)
		}
		if first == "" {
			first = id
		}
	}
	if got, _ := next(ann); got != two.ID+"waiting" {
		t.Errorf("ann sees %s first", got)
	}
	late := watch("reader", "Last-Event-ID", first)
	for _, want := range []string{one.ID + "done", two.ID + "done"} {
		if got, _ := next(late); got != want {
			t.Errorf("who was away gets %s, want %s", got, want)
		}
	}
	stop()
	for range reader {
	}
}
