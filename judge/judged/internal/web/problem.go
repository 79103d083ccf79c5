package web

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"tribunal/judge/internal/limits"
	"tribunal/judge/judged/internal/access"
	"tribunal/judge/judged/internal/service"
	"tribunal/judge/judged/internal/store"
)

// Problem is an error in an answer, as of RFC 9457.
type Problem struct {
	Type   string  `json:"type,omitempty" doc:"names the kind of the problem; absent if the status says everything" example:"urn:tribunal:busy"`
	Title  string  `json:"title" example:"Too Many Requests"`
	Status int     `json:"status" example:"429"`
	Detail string  `json:"detail,omitempty" doc:"what is wrong here, and often a hint what to do"`
	Errors []Fault `json:"errors,omitempty" doc:"what is wrong where in the request"`

	retry time.Duration // for Retry-After; 0: none
}

// Fault is an error at one place of a request.
type Fault struct {
	Location string `json:"location,omitempty" example:"body.tests[3].input"`
	Message  string `json:"message"`
}

func (p *Problem) Error() string {
	if len(p.Errors) > 0 {
		return fmt.Sprintf("%s: %s %s", p.Detail, p.Errors[0].Location, p.Errors[0].Message)
	}
	return p.Detail
}

func (p *Problem) GetStatus() int { return p.Status }

func (p *Problem) ContentType(string) string { return problemJSON }

// GetHeaders returns the headers that belong to the problem.
func (p *Problem) GetHeaders() http.Header {
	h := http.Header{}
	if p.retry > 0 {
		h.Set("Retry-After", strconv.Itoa(int((p.retry+time.Second-1)/time.Second)))
	}
	if p.Status == http.StatusUnauthorized {
		h.Set("WWW-Authenticate", `Bearer realm="judged"`)
	}
	return h
}

const problemJSON = "application/problem+json"

// kinds of problems that share a status with others.
const (
	kindBusy   = "urn:tribunal:busy"       // too many judgings wait
	kindRate   = "urn:tribunal:rate"       // the caller asks too often
	kindReused = "urn:tribunal:key-reused" // the idempotency key was used for another request
	kindState  = "urn:tribunal:state"      // the thing is not in a state in which this can be done
	kindFull   = "urn:tribunal:store-full" // an administrator must make room
	kindAway   = "urn:tribunal:store-away" // the outcome is unknown
)

func refuse(status int, format string, args ...any) *Problem {
	return &Problem{Title: http.StatusText(status), Status: status, Detail: fmt.Sprintf(format, args...)}
}

func (p *Problem) kind(kind string) *Problem {
	p.Type = kind
	return p
}

func (p *Problem) after(retry time.Duration) *Problem {
	p.retry = retry
	return p
}

// Times after which a refused client should ask again.
const (
	retryBusy = 5 * time.Second
	retryAway = 2 * time.Second
)

// problemOf returns the problem that an error is to the client.
func problemOf(err error) *Problem {
	if p, ok := errors.AsType[*Problem](err); ok {
		return p
	}
	is := func(target error) bool { return errors.Is(err, target) }
	_, isRefusal := errors.AsType[access.Refusal](err)
	unread, isBody := errors.AsType[bodyError](err)
	absent, isAbsent := errors.AsType[*service.LanguageError](err)
	large, isLarge := errors.AsType[*http.MaxBytesError](err)
	switch {
	case isLarge:
		return refuse(http.StatusRequestEntityTooLarge, "the body has more than %v", limits.Bytes(large.Limit))
	case is(os.ErrDeadlineExceeded):
		return refuse(http.StatusRequestTimeout, "the body did not arrive in time")
	case is(io.ErrUnexpectedEOF):
		return refuse(http.StatusBadRequest, "the body ended early")
	case isBody:
		return refuse(http.StatusBadRequest, "the body cannot be read: %v", unread)
	case isAbsent:
		return wrong("language", "%v", absent)
	case is(service.ErrUnknown):
		return refuse(http.StatusNotFound, "%v", err)
	case is(service.ErrReused):
		return refuse(http.StatusUnprocessableEntity, "%v", err).kind(kindReused)
	case is(service.ErrState):
		return refuse(http.StatusConflict, "%v", err).kind(kindState)
	case is(service.ErrBusy):
		return refuse(http.StatusTooManyRequests, "%v", err).kind(kindBusy).after(retryBusy)
	case is(service.ErrInvalid):
		return refuse(http.StatusUnprocessableEntity, "%s", strings.TrimSuffix(err.Error(), ": "+service.ErrInvalid.Error())) // the status says so
	case isRefusal:
		return refuse(http.StatusUnauthorized, "%v", err)
	case is(access.ErrBusy):
		return refuse(http.StatusServiceUnavailable, "%v", err).kind(kindBusy).after(retryAway)
	case is(access.ErrNotFound):
		return refuse(http.StatusNotFound, "%v", err)
	case is(access.ErrConflict):
		return refuse(http.StatusConflict, "%v", err)
	case is(store.ErrLarge):
		return refuse(http.StatusRequestEntityTooLarge, "the request is too large, and nothing was taken (hint: a large source can be stored by PUT /v1/blobs/{sha256})")
	case is(store.ErrFull):
		return refuse(http.StatusInsufficientStorage, "the store is full, and nothing was taken (hint: an administrator must make room)").kind(kindFull).after(time.Minute)
	case is(store.ErrDamaged):
		return refuse(http.StatusInternalServerError, "what the store has is damaged (hint: the log of the service says what; an administrator must restore it)")
	case is(store.ErrNotFound):
		return refuse(http.StatusNotFound, "the content is not there any more")
	case is(context.DeadlineExceeded):
		return refuse(http.StatusServiceUnavailable, "the service could not answer in time (hint: ask again, with the same Idempotency-Key if there is one)").kind(kindAway).after(retryAway)
	}
	return refuse(http.StatusServiceUnavailable, "the store does not answer (hint: ask again, with the same Idempotency-Key if there is one)").kind(kindAway).after(retryAway)
}

func writeProblem(w http.ResponseWriter, err error) {
	p := problemOf(err)
	for name, values := range p.GetHeaders() {
		w.Header()[name] = values
	}
	writeJSON(w, p.Status, problemJSON, p)
}

// writeJSON writes a value as JSON. If the client has gone, it does not get it.
func writeJSON(w http.ResponseWriter, status int, mediaType string, v any) {
	w.Header().Set("Content-Type", mediaType)
	w.WriteHeader(status)
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	_ = e.Encode(v)
}

// Package huma takes its settings from global variables: how it reports requests that do not fit their operation,
// and that a list is never null.
func init() {
	huma.DefaultArrayNullable = false
	huma.NewError = func(status int, msg string, errs ...error) huma.StatusError { return invalid(status, msg, errs) }
	huma.NewErrorWithContext = func(_ huma.Context, status int, msg string, errs ...error) huma.StatusError {
		return invalid(status, msg, errs)
	}
}

// invalid returns the problem of a request that could not be read or does not fit its operation. It leaves out the
// wrong values: they may be large, or secret.
func invalid(status int, msg string, errs []error) *Problem {
	p := refuse(status, "%s", msg)
	if status == http.StatusUnsupportedMediaType {
		p.Detail += " (hint: JSON has the header Content-Type: application/json, which curl --json sends)"
	}
	for _, err := range errs {
		if isReading(err) {
			return problemOf(err)
		}
		if d, ok := errors.AsType[*huma.ErrorDetail](err); ok {
			p.Errors = append(p.Errors, Fault{d.Location, d.Message})
		} else if err != nil {
			p.Errors = append(p.Errors, Fault{Message: err.Error()})
		}
	}
	return p
}

// isReading reports whether the error came from reading a body.
func isReading(err error) bool {
	_, unread := errors.AsType[bodyError](err)
	_, known := errors.AsType[*Problem](err)
	return unread || known || errors.Is(err, io.ErrUnexpectedEOF)
}
