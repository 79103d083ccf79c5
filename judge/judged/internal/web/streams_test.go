package web

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"tribunal/internal/tier"
	"tribunal/judge/judged/internal/ledger"
	"tribunal/judge/judged/internal/service"
)

// TestListeners has 2,000 clients watch one judging. Each gets its end.
func TestListeners(t *testing.T) {
	tier.T2(t, "many listeners at once")
	t.Parallel()
	const listeners = 2000
	w, j, open := gatedJudging(t, "AC")
	var began, ended sync.WaitGroup
	began.Add(listeners)
	errs := make(chan error, listeners)
	for range listeners {
		ended.Go(func() {
			first := sync.OnceFunc(began.Done)
			defer first()
			resp, err := w.ask(t.Context(), "ann", "GET", j.Links.Events, nil)
			if err != nil {
				errs <- err
				return
			}
			defer resp.Body.Close()
			last := ""
			if err := readEvents(resp.Body, func(e sse) { last = e.data; first() }); err != nil || !strings.Contains(last, `"verdict":"AC"`) {
				errs <- fmt.Errorf("%w %s", err, last)
			}
		})
	}
	began.Wait()
	if n := w.service.Watchers(); n != listeners {
		t.Errorf("%d watchers, want %d", n, listeners)
	}
	open()
	ended.Wait()
	close(errs)
	for err := range errs {
		t.Fatalf("%d listeners failed, such as: %v", len(errs)+1, err)
	}
}

// TestShutdown checks that the end of the server ends streams and waiting requests, and that these still
// get an answer.
func TestShutdown(t *testing.T) {
	t.Parallel()
	w := start(t, nil)
	w.waiting("maze")
	var j Judging
	w.do("ann", "POST", "/v1/judgings", program("AC")).decode(t, http.StatusCreated, &j)
	if c := w.http.Config; c.ReadHeaderTimeout == 0 || c.IdleTimeout == 0 || c.MaxHeaderBytes == 0 {
		t.Errorf("%+v", c)
	}
	resp, err := w.ask(t.Context(), "ann", "GET", j.Links.Events, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	waited := make(chan *http.Response, 1)
	go func() {
		r, err := w.ask(t.Context(), "ann", "GET", j.Links.Self+"?wait=50s", nil)
		if err != nil {
			t.Error(err)
		}
		waited <- r
	}()
	<-w.watched
	<-w.watched
	if err := w.http.Config.Shutdown(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := readEvents(resp.Body, func(sse) {}); err != nil {
		t.Errorf("the stream ends with %v", err)
	}
	r := <-waited
	defer r.Body.Close()
	if r.StatusCode != http.StatusOK {
		t.Error(r.Status)
	}
}

// FuzzWriteEvent checks that whatever a worker says is one event for the client.
func FuzzWriteEvent(f *testing.F) {
	f.Add([]byte("{\"a\":\n1}"), uint64(7))
	f.Add([]byte("x\n\nevent: judging\ndata: {}\n\n"), uint64(0))
	f.Add([]byte("a\rid: 7"), uint64(0))
	f.Fuzz(func(t *testing.T, data []byte, id uint64) {
		var b strings.Builder
		if err := writeEvent(&b, Event{Event: "live", ID: id, Data: data}); err != nil {
			t.Fatal(err)
		}
		events := 0
		text := strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(b.String()) // all are line ends to a client
		for line := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
			name, _, _ := strings.Cut(line, ":")
			switch name {
			case "event", "id":
				events++
			case "data", "":
			default:
				t.Fatalf("a line %q in %q", line, b.String())
			}
		}
		if want := 1 + min(int(id), 1); events != want && id < 1<<62 {
			t.Fatalf("%d events and ids in %q", events, b.String())
		}
	})
}

// TestHead checks that a request for the header of a stream watches nothing: its body would never end.
func TestHead(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		method, path string
		watches      int
	}{
		{"GET", "/v1/events", 1},
		{"GET", "/v1/judgings/x/events", 1},
		{"HEAD", "/v1/events", 0},
		{"HEAD", "/v1/judgings/x/events", 0},
	} {
		s := &unwatched{}
		r := httptest.NewRequestWithContext(t.Context(), tt.method, tt.path, nil)
		r.Header.Set("Authorization", "Bearer reader")
		rec := httptest.NewRecorder()
		New(Options{Service: s, Tokens: everybody}).ServeHTTP(rec, r)
		if rec.Code != 200 || rec.Header().Get("Content-Type") != "text/event-stream" || s.watches != tt.watches {
			t.Errorf("%s %s: %d %v, %d watches, want %d", tt.method, tt.path, rec.Code, rec.Header(), s.watches, tt.watches)
		}
	}
}

// unwatched is a service with a submission whose watches end at once.
type unwatched struct {
	nobody
	watches int
}

func (u *unwatched) Get(id string) (ledger.Submission, error) {
	return ledger.Submission{ID: id, Sequence: 1}, nil
}

func (u *unwatched) Watch(string) (*ledger.Submission, *service.Watch, error) {
	u.watches++
	return nil, nil, service.ErrUnknown
}

func (u *unwatched) WatchAll(func(*ledger.Submission) bool) *service.Watch {
	u.watches++
	panic("watched")
}
