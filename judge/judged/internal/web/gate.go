package web

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"runtime/debug"
	"slices"
	"strings"
	"time"
)

// request carries facts about a request between the gate, its handler and the audit.
type request struct {
	caller Caller
	object string // the id of what the request is about
}

type requestKey struct{}

// requestOf returns what is known of the request of a context.
func requestOf(ctx context.Context) *request {
	q, _ := ctx.Value(requestKey{}).(*request)
	return q
}

// callerOf returns who makes the request of a context.
func callerOf(ctx context.Context) *Caller { return &requestOf(ctx).caller }

func about(ctx context.Context, id string) { requestOf(ctx).object = id }

// writeSlack is how much longer the answer to a request may take to be sent than the request may take.
const writeSlack = 10 * time.Second

// gate passes a request of a row to its handler if the caller may make it, and enforces the bounds of the row.
func (w *Web) gate(row *row, h http.HandlerFunc) http.Handler {
	return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		a, q, begin := &answer{ResponseWriter: rw}, &request{}, time.Now()
		h, most, slow := h, row.body, row.time
		if row.form != nil && isForm(r) {
			h, most, slow = row.form, row.formBody, row.formTime
		}
		b := &body{from: http.MaxBytesReader(rw, r.Body, most), lease: lease{from: &w.budget}, answer: rw, timed: row.time > 0}
		ctx := context.WithValue(r.Context(), requestKey{}, q)
		defer func() {
			b.end()
			w.recovered(recover(), row, a)
			if row.method != http.MethodGet && a.status/100 == 2 {
				for _, trouble := range w.troubles {
					trouble.Succeeded()
				}
			}
			w.metrics.request(row, a.status, time.Since(begin))
			w.audit(row, r, q, a.status)
		}()
		a.Header().Set("X-Content-Type-Options", "nosniff")
		a.Header().Set("Cache-Control", "no-store")
		deadlines(rw, cmp.Or(slow, w.o.Bounds.Brief), row.wait) // a stream gets its time when it is admitted
		if r.Body == http.NoBody {
			_ = http.NewResponseController(rw).SetReadDeadline(time.Time{}) // see body.Read
		}
		if err := w.admit(row, r, q); err != nil {
			writeProblem(a, err)
			return
		}
		if row.time == 0 {
			deadlines(rw, 0, 0)
			_ = http.NewResponseController(rw).EnableFullDuplex() // else the first event waits for a body that never comes
			if r.ProtoMajor == 1 && r.Body != http.NoBody {
				// The body may be unread at the end. Then net/http would both read on in it and look for the next request.
				a.Header().Set("Connection", "close")
			}
		}
		if _, err := url.ParseQuery(r.URL.RawQuery); err != nil { // a part that cannot be parsed may be a filter
			writeProblem(a, refuse(http.StatusBadRequest, "the query is not valid: %v", err))
			return
		}
		if row.time > 0 {
			var stop func()
			ctx, stop = context.WithTimeout(ctx, slow+row.wait)
			defer stop()
		}
		if len(r.Header.Get("Idempotency-Key")) > maxKey {
			writeProblem(a, refuse(http.StatusUnprocessableEntity, "Idempotency-Key: at most %d bytes", maxKey))
			return
		}
		b.owner = q.caller.Owner
		r = r.WithContext(ctx)
		r.Body = b
		h(a, r)
	})
}

// deadlines bounds the time in which the body of a request must arrive and its answer must be sent; the answer may
// take wait in addition. 0 means no bound. Handlers of streams set their own.
func deadlines(rw http.ResponseWriter, d, wait time.Duration) {
	read, write := time.Time{}, time.Time{}
	if d > 0 {
		read = time.Now().Add(d)
		write = read.Add(wait + writeSlack)
	}
	c := http.NewResponseController(rw)
	_ = c.SetReadDeadline(read) // recorders in tests have no deadlines
	_ = c.SetWriteDeadline(write)
}

// admit finds out who makes a request, and whether they may.
func (w *Web) admit(row *row, r *http.Request, q *request) (err error) {
	if !row.free {
		if err := w.take(w.o.PerAddress, addressKey(r)); err != nil {
			return err
		}
	}
	if len(row.scopes) == 0 {
		return nil
	}
	if q.caller, err = w.caller(r); err != nil {
		return err
	}
	if q.caller.Scopes == nil {
		return refuse(http.StatusUnauthorized, "this needs a token (hint: Authorization: Bearer TOKEN)")
	}
	if q.caller.Token != "" {
		if err := w.take(w.o.PerToken, q.caller.Token); err != nil {
			return err
		}
	}
	if !q.caller.may(row.scopes...) {
		return q.caller.lacks(row.scopes[0])
	}
	return nil
}

// take counts a request against what a key may ask for.
func (w *Web) take(from Limiter, key string) error {
	if from == nil {
		return nil
	}
	ok, wait := from.Allow(key)
	if ok {
		return nil
	}
	w.metrics.limited.Inc()
	return refuse(http.StatusTooManyRequests, "too many requests (hint: wait as long as Retry-After says)").kind(kindRate).after(max(wait, time.Second))
}

// recovered ends a request whose handler panicked.
func (w *Web) recovered(v any, row *row, a *answer) {
	if v == nil {
		return
	}
	if err, ok := v.(error); ok && errors.Is(err, http.ErrAbortHandler) {
		panic(v)
	}
	w.o.Log.Error("a handler panicked", "route", row.pattern(), "error", v, "stack", string(debug.Stack()))
	if a.status == 0 {
		writeProblem(a, refuse(http.StatusInternalServerError, "the service has a bug (hint: its log says more)"))
	}
}

// caught wraps f for a goroutine of its own: a panic becomes an error, because it must not end the service.
func (w *Web) caught(f func() error) func() error {
	return func() (err error) {
		defer func() {
			if v := recover(); v != nil {
				w.o.Log.Error("a handler panicked", "error", v, "stack", string(debug.Stack()))
				err = fmt.Errorf("a panic: %v", v)
			}
		}()
		return f()
	}
}

// crossOrigin lets scripts of listed web pages use the API, and answers what browsers ask before. Cookies are never
// theirs to send: a script sends a token.
func (w *Web) crossOrigin(rw http.ResponseWriter, r *http.Request) (answered bool) {
	origin, path := r.Header.Get("Origin"), strings.TrimPrefix(r.URL.Path, extraPrefix)
	if len(w.o.Origins) == 0 || !isJudge0(path) && !strings.HasPrefix(r.URL.Path, "/v1/") {
		return false
	}
	h := rw.Header()
	h.Add("Vary", "Origin")
	if origin == "" || !slices.Contains(w.o.Origins, origin) && !slices.Contains(w.o.Origins, "*") {
		return false
	}
	h.Set("Access-Control-Allow-Origin", origin)
	h.Set("Access-Control-Expose-Headers", "Location, Retry-After")
	if r.Method != http.MethodOptions || r.Header.Get("Access-Control-Request-Method") == "" {
		return false
	}
	if err := w.take(w.o.PerAddress, addressKey(r)); err != nil {
		writeProblem(rw, err)
		return true
	}
	h.Set("Access-Control-Allow-Methods", "GET, POST, PUT, DELETE")
	h.Set("Access-Control-Allow-Headers", "Authorization, X-Auth-Token, Content-Type, Idempotency-Key, Last-Event-ID, X-Judge0-App, X-Judge0-App-Version")
	h.Set("Access-Control-Max-Age", "600")
	rw.WriteHeader(http.StatusNoContent)
	return true
}

// stray answers a request that no row is for.
func (w *Web) stray(rw http.ResponseWriter, r *http.Request, h http.Handler) {
	deadlines(rw, time.Minute, 0)
	was := &answer{ResponseWriter: unwritten{http.Header{}}}
	h.ServeHTTP(was, r)
	if allow := was.Header().Get("Allow"); allow != "" {
		rw.Header().Set("Allow", allow)
		writeProblem(rw, refuse(http.StatusMethodNotAllowed, "%s is not allowed here (hint: %s)", r.Method, allow))
		return
	}
	writeProblem(rw, refuse(http.StatusNotFound, "no such path (hint: /openapi.json lists them)"))
}

// lease returns what the answer to a request takes from the budget. The caller ends it.
func (w *Web) lease(r *http.Request) *lease {
	return &lease{from: &w.budget, owner: callerOf(r.Context()).Owner}
}

// unwritten holds the headers of an answer that is not sent.
type unwritten struct{ header http.Header }

func (u unwritten) Header() http.Header         { return u.header }
func (u unwritten) Write(p []byte) (int, error) { return len(p), nil }
func (u unwritten) WriteHeader(int)             {}

// answer remembers the status that was sent, 0 if none was.
type answer struct {
	http.ResponseWriter
	status int
}

func (a *answer) WriteHeader(status int) {
	if a.status == 0 {
		a.status = status
	}
	a.ResponseWriter.WriteHeader(status)
}

func (a *answer) Write(p []byte) (int, error) {
	if a.status == 0 {
		a.status = http.StatusOK
	}
	return a.ResponseWriter.Write(p)
}

// Unwrap returns what an [http.ResponseController] controls.
func (a *answer) Unwrap() http.ResponseWriter { return a.ResponseWriter }

// body is the body of a request. Its bytes count against the budget until the request ends, except in streams,
// whose handlers count the bytes that they keep.
type body struct {
	lease
	from   io.ReadCloser
	answer http.ResponseWriter
	timed  bool // it is read whole by a deadline, which must not end the request once the body is there
}

var errBuffered = refuse(http.StatusServiceUnavailable, "too many large requests at a time (hint: ask again later)").kind(kindBusy).after(retryBusy)

// bodyError is an error of reading a body, caused by the client or the connection.
type bodyError struct{ error }

func (e bodyError) Unwrap() error { return e.error }

// Read marks errors as [bodyError], except the end.
func (b *body) Read(p []byte) (int, error) {
	n, err := b.from.Read(p)
	if b.timed && n > 0 && !b.take(n) {
		maps.Copy(b.answer.Header(), errBuffered.GetHeaders()) // package huma does not send those of an error of a body
		return 0, errBuffered
	}
	if errors.Is(err, io.EOF) && b.timed {
		// net/http reads on, to notice when the client goes away, and would take the deadline for that.
		_ = http.NewResponseController(b.answer).SetReadDeadline(time.Time{})
	}
	if err != nil && !errors.Is(err, io.EOF) {
		err = bodyError{err}
	}
	return n, err
}

func (b *body) Close() error { return b.from.Close() }
