package pages

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"tribunal/judge/judged/internal/access"
	"tribunal/judge/judged/internal/course"
	"tribunal/judge/judged/internal/ledger"
	"tribunal/judge/judged/internal/service"
	"tribunal/judge/judged/internal/store"
)

// viewer is who makes a request. The zero value is somebody who has not signed in.
type viewer struct {
	Login string // "" with a token
	Owner string // of the token
	Admin bool   // may do everything
	Ends  time.Time
}

// SignedIn reports whether the viewer has signed in.
func (v *viewer) SignedIn() bool { return v.Login != "" || v.Owner != "" }

// Name returns what pages call the viewer.
func (v *viewer) Name() string {
	if v.Login != "" {
		return v.Login
	}
	return v.Owner
}

// member returns the name under which the viewer hands in to a course, "" without a viewer: no login has a colon.
func (v *viewer) member() string {
	if v.Owner != "" {
		return "token:" + v.Owner
	}
	return v.Login
}

// request is a request to a page, with what the gate has found out.
type request struct {
	*Pages
	http.ResponseWriter
	*http.Request
	ctx    context.Context
	viewer viewer
	course *ledger.CourseState // nil for pages of no course
	person *ledger.PersonState // the viewer as a member of the course; nil if that is not so
	phase  course.Phase        // of the course for the viewer
	now    time.Time
	status int // that was written, 0 before
}

// by returns the name under which the ledger records what the viewer does: a member is called like a submitter, which no
// owner of a token is.
func (q *request) by() string {
	if q.viewer.Login != "" {
		return ledger.SubmitterOf(q.course.ID, q.viewer.Login)
	}
	return q.viewer.Owner
}

func (q *request) teacher() bool {
	return q.viewer.Admin || q.person != nil && q.person.Role == ledger.Teacher
}

func (q *request) jury() bool {
	return q.teacher() || q.person != nil && q.person.Role == ledger.Observer
}

func (q *request) group() string {
	if q.person == nil {
		return ""
	}
	return q.person.Group
}

// failure is the error of a request that its sender has caused, with the status of the answer.
type failure struct {
	status      int
	text, hint  string
	mayBeSigned bool // signing in may help
}

func (f *failure) Error() string { return f.text }

func fail(status int, format string, args ...any) *failure {
	text, hint, _ := strings.Cut(fmt.Sprintf(format, args...), " (hint: ")
	return &failure{status: status, text: text, hint: strings.TrimSuffix(hint, ")")}
}

var errNoPage = fail(http.StatusNotFound, "there is no such page (hint: the address may be mistyped, or not for you)")

var errSignIn = &failure{status: http.StatusUnauthorized, text: "sign in to see this page", mayBeSigned: true}

// policy is the content security policy of all pages: scripts, styles and images are ours.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// answerTime is how long a page that is no stream may take.
const answerTime = 30 * time.Second

// errNoBody ends a stream that was asked for its head only.
var errNoBody = errors.New("the answer has no body")

var crossOrigin = http.NewCrossOriginProtection()

// gate returns the handler of a row.
func (p *Pages) gate(r *row) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, hr *http.Request) {
		q := &request{Pages: p, Request: hr, now: p.o.Now()}
		q.ResponseWriter = &answer{ResponseWriter: w, q: q}
		defer q.recovered()
		h := q.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "same-origin")
		h.Set("Cache-Control", "no-store")
		if hr.TLS != nil {
			h.Set("Strict-Transport-Security", "max-age=31536000")
		}
		control := http.NewResponseController(w)
		q.ctx = hr.Context()
		if !r.stream {
			_ = control.SetReadDeadline(time.Now().Add(answerTime))
			_ = control.SetWriteDeadline(time.Now().Add(2 * answerTime))
			var stop func()
			q.ctx, stop = context.WithTimeout(q.ctx, answerTime)
			defer stop()
		}
		q.Body = http.MaxBytesReader(w, hr.Body, r.body)
		err := q.admit(r)
		if err == nil && r.body == form {
			err = q.parse()
		}
		if err == nil {
			err = r.handle(q)
		}
		if err != nil && !errors.Is(err, errNoBody) {
			q.failed(err)
		}
		if r.method != http.MethodGet {
			p.o.Audit.Info("page", "route", r.pattern(), "object", q.object(), "viewer", q.viewer.member(), "address", address(hr), "status", q.status)
		}
	})
}

// parse reads a form without files. Without it one that is too large would be an empty one.
func (q *request) parse() error {
	err := q.ParseForm()
	if err == nil {
		if err = q.ParseMultipartForm(form); errors.Is(err, http.ErrNotMultipart) {
			err = nil
		}
	}
	if _, large := errors.AsType[*http.MaxBytesError](err); err != nil && !large {
		return fail(http.StatusBadRequest, "the form cannot be read")
	}
	return err
}

// object returns the path of the request for logs, without the secret of an invitation.
func (q *request) object() string {
	if strings.HasPrefix(q.URL.Path, "/join/") {
		return "/join/…"
	}
	return q.URL.Path
}

// answer remembers the status of an answer.
type answer struct {
	http.ResponseWriter
	q *request
}

func (a *answer) WriteHeader(status int) {
	if a.q.status == 0 {
		a.q.status = status
	}
	a.ResponseWriter.WriteHeader(status)
}

func (a *answer) Write(b []byte) (int, error) {
	if a.q.status == 0 {
		a.q.status = http.StatusOK
	}
	return a.ResponseWriter.Write(b)
}

// Unwrap returns what an [http.ResponseController] controls.
func (a *answer) Unwrap() http.ResponseWriter { return a.ResponseWriter }

// recovered ends a request whose handler panicked.
func (q *request) recovered() {
	v := recover()
	if v == nil {
		return
	}
	if err, ok := v.(error); ok && errors.Is(err, http.ErrAbortHandler) {
		panic(v)
	}
	q.o.Log.Error("a page panicked", "object", q.object(), "error", v, "stack", string(debug.Stack()))
	if q.status == 0 {
		q.failed(fail(http.StatusInternalServerError, "the service has a bug (hint: its log says more)"))
	}
}

// admit finds out who is there, and returns an error unless they may use the row now.
func (q *request) admit(r *row) error {
	if err := crossOrigin.Check(q.Request); err != nil {
		return fail(http.StatusForbidden, "this form was sent from another site (hint: open the page here and send it again)")
	}
	if _, err := url.ParseQuery(q.URL.RawQuery); err != nil {
		return fail(http.StatusBadRequest, "the address is not valid")
	}
	if err := q.recognize(); err != nil {
		return err
	}
	if id := q.PathValue("course"); id != "" {
		var c ledger.CourseState
		err := q.lately(func() (err error) { c, err = q.o.Service.Course(id); return err })
		if err != nil && !q.viewer.SignedIn() && r.level != everybody { // whether it exists is nothing for strangers
			return errSignIn
		}
		if err != nil {
			return errNoPage
		}
		q.course = &c
		if q.viewer.Login != "" {
			var person ledger.PersonState
			if q.lately(func() (err error) { person, err = q.o.Service.Person(id, q.viewer.Login); return err }) == nil {
				q.person = &person
			}
		}
		q.phase = course.PhaseOf(&c.Course, q.group(), q.now)
		if c.Archived && !q.jury() {
			q.course = nil
			return errNoPage
		}
	}
	switch {
	case q.may(r):
	case !q.viewer.SignedIn():
		q.course = nil // an error page would show its title
		return errSignIn
	case q.person != nil || r.level == operators:
		return fail(http.StatusForbidden, "this is not for you (hint: another role may be needed; ask a teacher)")
	default:
		q.course = nil
		return errNoPage
	}
	if r.since != "" && q.phase == course.Before && !q.jury() {
		return fail(http.StatusForbidden, "%s begins at %s", q.course.Title, when(q.course.Times(q.group()).Open))
	}
	return nil
}

// lately looks for something that may be so new that only another service knows it; for strangers only here.
func (q *request) lately(look func() error) error {
	if !q.viewer.SignedIn() {
		return look()
	}
	return q.o.Service.Lately(q.ctx, look)
}

func (q *request) may(r *row) bool {
	switch r.level {
	case everybody:
		return true
	case signedIn:
		return q.viewer.SignedIn()
	case members:
		return q.person != nil || q.viewer.Admin || r.open() && q.course.Standings == ledger.Public
	case participants:
		return q.teacher() || q.person != nil && q.person.Role == ledger.Participant
	case jury:
		return q.jury()
	case teachers:
		return q.teacher()
	}
	return q.viewer.Admin
}

// recognize finds out who makes the request by the session in its cookie. An invalid one is nobody.
func (q *request) recognize() error {
	cookie, err := q.Cookie(q.cookieName())
	if err != nil {
		return nil
	}
	pass, err := q.o.Accounts.Pass(q.ctx, access.Session, cookie.Value)
	if _, refused := errors.AsType[access.Refusal](err); refused {
		return nil
	}
	if err != nil {
		return err
	}
	q.viewer = viewer{Login: pass.Login, Owner: pass.Owner, Admin: slices.Contains(pass.Scopes, access.Admin), Ends: pass.Expires}
	return nil
}

// failed answers a request with a page that says what is wrong.
func (q *request) failed(err error) {
	f := failureOf(err)
	if f.status >= 500 {
		q.o.Log.Warn("a page failed", "object", q.object(), "error", err)
	}
	if q.status != 0 {
		return
	}
	if f.mayBeSigned && q.Method == http.MethodGet {
		http.Redirect(q.ResponseWriter, q.Request, "/sign-in?next="+url.QueryEscape(q.URL.RequestURI()), http.StatusSeeOther)
		return
	}
	if f.status == http.StatusServiceUnavailable || f.status == http.StatusTooManyRequests {
		q.Header().Set("Retry-After", "5")
	}
	q.page(f.status, "error", f.text, map[string]any{"Text": f.text, "Hint": f.hint})
}

// failureOf returns what to say of an error.
func failureOf(err error) *failure {
	if f, ok := errors.AsType[*failure](err); ok {
		return f
	}
	refused, isRefusal := errors.AsType[course.Refusal](err)
	_, large := errors.AsType[*http.MaxBytesError](err)
	is := func(target error) bool { return errors.Is(err, target) }
	switch {
	case isRefusal:
		return fail(http.StatusForbidden, "%s", string(refused))
	case large:
		return fail(http.StatusRequestEntityTooLarge, "that is too large (hint: go back and make it shorter)")
	case is(service.ErrUnknown):
		return errNoPage
	case is(service.ErrChanged):
		return fail(http.StatusConflict, "somebody else has changed this meanwhile (hint: go back, load the page again and repeat your change)")
	case is(service.ErrState), is(service.ErrInvalid), is(service.ErrReused):
		return fail(http.StatusUnprocessableEntity, "%v", err)
	case is(service.ErrBusy), is(access.ErrBusy):
		return fail(http.StatusServiceUnavailable, "too much is going on at the moment (hint: try again in some seconds)")
	case is(store.ErrFull):
		return fail(http.StatusInsufficientStorage, "the service has no room (hint: tell its operator)")
	}
	return fail(http.StatusInternalServerError, "this did not work (hint: try again; the log of the service says why)")
}

// page answers with a template and a status. content is what the template gets as .Data.
func (q *request) page(status int, name, title string, content any) {
	var b bytes.Buffer
	err := q.templates.ExecuteTemplate(&b, name+".html", view{q, title, content})
	if err != nil {
		q.o.Log.Error("a template failed", "file", name, "error", err)
		http.Error(q.ResponseWriter, "the service has a bug; its log says more", http.StatusInternalServerError)
		return
	}
	q.Header().Set("Content-Type", "text/html; charset=utf-8")
	q.WriteHeader(status)
	_, _ = b.WriteTo(q.ResponseWriter)
}

// show answers with a template.
func (q *request) show(name, title string, content any) error {
	q.page(http.StatusOK, name, title, content)
	return nil
}

// then sends the browser to another page of the service after a form.
func (q *request) then(format string, args ...any) error {
	http.Redirect(q.ResponseWriter, q.Request, fmt.Sprintf(format, args...), http.StatusSeeOther)
	return nil
}

// view is what a template gets.
type view struct {
	q     *request
	Title string
	Data  any
}

func (v view) Viewer() *viewer             { return &v.q.viewer }
func (v view) Course() *ledger.CourseState { return v.q.course }
func (v view) Teacher() bool               { return v.q.teacher() }
func (v view) Jury() bool                  { return v.q.jury() }
func (v view) Participant() bool           { return v.q.may(&row{level: participants}) }
func (v view) Phase() course.Phase         { return v.q.phase }
func (v view) Times() ledger.Times         { return v.q.course.Times(v.q.group()) }
func (v view) Path() string                { return v.q.URL.Path }
func (v view) Now() time.Time              { return v.q.now }
func (v view) Person() *ledger.PersonState { return v.q.person }
func (v view) SeesStandings() bool         { return v.q.seesStandings() }

// Problems returns the problems of the course that the viewer may know of.
func (v view) Problems() []ledger.CourseProblem {
	if v.q.phase == course.Before && !v.q.jury() {
		return nil
	}
	return v.q.course.Problems
}

// Scored reports whether the course counts points.
func (v view) Scored() bool {
	return v.q.course.Scoring == "" || v.q.course.Scoring == ledger.Points
}

func (q *request) seesStandings() bool {
	return q.jury() || q.course.Standings != ledger.Jury && q.phase != course.Before
}

func address(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr
	}
	return host
}

// Header returns the header of the answer. It and the following choose between the request and the answer.
func (q *request) Header() http.Header { return q.ResponseWriter.Header() }

func (q *request) Write(b []byte) (int, error) { return q.ResponseWriter.Write(b) }
