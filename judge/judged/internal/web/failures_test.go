package web

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http/httptest"
	"strings"
	"testing"

	"tribunal/judge/judged/internal/access"
	"tribunal/judge/judged/internal/ledger"
	"tribunal/judge/judged/internal/service"
	"tribunal/judge/judged/internal/store"
)

// TestFailures checks what a client is told when the service fails.
func TestFailures(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why    string
		err    error
		status int
		kind   string
		retry  string
	}{
		{"the store is full", fmt.Errorf("x: %w", store.ErrFull), 507, kindFull, "60"},
		{"the store is away", errors.New("nats: no responders"), 503, kindAway, "2"},
		{"the store is slow", context.DeadlineExceeded, 503, kindAway, "2"},
		{"a content is damaged, and asking again does not help", fmt.Errorf("x: %w", store.ErrDamaged), 500, "an administrator must", ""},
		{"too many tokens", access.ErrBusy, 503, kindBusy, "2"},
		{"busy", service.ErrBusy, 429, kindBusy, "5"},
	} {
		log := &lines{}
		w := New(Options{Service: failing{err: tt.err}, Tokens: everybody, Languages: languages, Log: slog.New(slog.NewJSONHandler(log, nil))})
		r := httptest.NewRequestWithContext(t.Context(), "POST", "/v1/judgings", strings.NewReader(`{"problem":"maze","language":"c","source":"x"}`))
		r.Header.Set("Authorization", "Bearer ann")
		rec := httptest.NewRecorder()
		w.ServeHTTP(rec, r)
		if text := rec.Body.String(); rec.Code != tt.status || !strings.Contains(text, tt.kind) || rec.Header().Get("Retry-After") != tt.retry || strings.Contains(text, "nats") {
			t.Errorf("%s: %d %v %s", tt.why, rec.Code, rec.Header(), text)
		}
		if logged := log.String() != ""; logged != (tt.status >= 500 && tt.status != 501) {
			t.Errorf("%s: logged %v", tt.why, logged)
		}
	}
	w := New(Options{Service: failing{err: nil}, Tokens: everybody, Languages: languages})
	r := httptest.NewRequestWithContext(t.Context(), "GET", "/readyz", nil)
	rec := httptest.NewRecorder()
	if w.ServeHTTP(rec, r); rec.Code != 503 || !strings.Contains(rec.Body.String(), "the store does not answer") {
		t.Errorf("not ready: %d %s", rec.Code, rec.Body)
	}
}

// TestOutageInLog has many requests fail before one succeeds. The log gets some of them.
func TestOutageInLog(t *testing.T) {
	t.Parallel()
	log, broken := &lines{}, &failing{err: store.ErrFull}
	w := New(Options{Service: broken, Tokens: everybody, Languages: languages, Log: slog.New(slog.NewJSONHandler(log, nil))})
	for _, tt := range []struct {
		why          string
		err          error
		requests     int
		logged, last string // lines so far, and what is in the last
	}{
		{"the disk is full", store.ErrFull, 1000, "10", `"failures":512`},
		{"then the store is away, which is another trouble", errors.New("nats: no responders"), 3, "12", `"failures":2`},
		{"a request succeeds", nil, 1, "12", ""},
		{"the disk is full again", store.ErrFull, 3, "14", `"failures":2`},
		{"what is damaged is always logged", store.ErrDamaged, 3, "17", `"failures":1`},
	} {
		broken.err = tt.err
		for range tt.requests {
			r := httptest.NewRequestWithContext(t.Context(), "POST", "/v1/judgings", strings.NewReader(`{"problem":"maze","language":"c","source":"x"}`))
			r.Header.Set("Authorization", "Bearer ann")
			r.Header.Set("Content-Type", "application/json")
			w.ServeHTTP(httptest.NewRecorder(), r)
		}
		all := strings.Split(strings.TrimSpace(log.String()), "\n")
		if fmt.Sprint(len(all)) != tt.logged || !strings.Contains(all[len(all)-1], tt.last) {
			t.Errorf("%s: %d lines, want %s with %s at last: %s", tt.why, len(all), tt.logged, tt.last, all[len(all)-1])
		}
	}
}

// failing is a service that takes no submission, and that panics when it is asked for one.
type failing struct {
	nobody
	err error
}

func (f failing) Submit(context.Context, service.Request) (ledger.Submission, bool, error) {
	return ledger.Submission{}, false, f.err
}
func (failing) Ready(context.Context) error             { return errors.New("nats: timeout") }
func (failing) Get(string) (ledger.Submission, error)   { panic("a bug") }
func (failing) Preview(string) (service.Preview, error) { return service.Preview{}, nil }

// TestPanic checks that a bug in a handler costs only its request.
func TestPanic(t *testing.T) {
	t.Parallel()
	w := New(Options{Service: failing{}, Tokens: everybody})
	r := httptest.NewRequestWithContext(t.Context(), "GET", "/v1/judgings/x", nil)
	r.Header.Set("Authorization", "Bearer ann")
	rec := httptest.NewRecorder()
	if w.ServeHTTP(rec, r); rec.Code != 500 || !strings.Contains(rec.Body.String(), "has a bug") {
		t.Errorf("%d %s", rec.Code, rec.Body)
	}
	if err := w.caught(func() error { panic("x") })(); err == nil {
		t.Error("a panic is no error")
	}
}

// away is a service that has lost its store.
type away struct{ nobody }

func (away) Lately(context.Context, func() error) error { return errors.New("nats: timeout") }

// TestCompatibleAway checks that clients of other APIs are not told that a thing does not exist
// when the service does not know: they would not ask again.
func TestCompatibleAway(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why     string
		service Service
		status  int
	}{
		{"there is none", nobody{}, 404},
		{"the store is away", away{}, 503},
	} {
		w := New(Options{Service: tt.service, Tokens: everybody, Languages: languages})
		q := httptest.NewRequestWithContext(t.Context(), "GET", "/submissions/x", nil)
		q.Header.Set("Authorization", "Bearer ann")
		rec := httptest.NewRecorder()
		if w.ServeHTTP(rec, q); rec.Code != tt.status {
			t.Errorf("%s: %d %s, want %d", tt.why, rec.Code, rec.Body, tt.status)
		}
	}
}
