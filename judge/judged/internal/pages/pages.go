// Package pages serves the service to people: pages in a browser for participants, teachers and operators.
//
// Begin with routes.go: it has a row for every page, with who may see it and in which phase of a course. A request
// passes the gate of its row (gate.go), which finds out who is there, and then a handler, which asks the service and
// fills a template. What a viewer may see of a judging is decided by package feedback, and of a course by package
// course; templates only show what they get.
package pages

import (
	"context"
	"embed"
	"html/template"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/problem"
	"tribunal/judge/judged/internal/access"
	"tribunal/judge/judged/internal/ledger"
	"tribunal/judge/judged/internal/rate"
	"tribunal/judge/judged/internal/service"
	"tribunal/judge/judged/internal/store"
)

// Service holds the methods of a [service.Service] that the pages use.
type Service interface {
	Offer(ctx context.Context) func(language string) (taken bool, ready int)
	Courses() []ledger.CourseState
	Course(id string) (ledger.CourseState, error)
	SetCourse(ctx context.Context, id string, c ledger.Course, after uint64, by string) error
	People(course string) []ledger.PersonState
	Person(course, login string) (ledger.PersonState, error)
	CoursesOf(login string) []string
	SetPerson(ctx context.Context, course string, p ledger.Person, after uint64, by string) error
	ErasePerson(ctx context.Context, course, login, by string) error
	EraseSubmitter(ctx context.Context, submitter, by string) (int, error)
	Questions(course string) []ledger.QuestionState
	SetQuestion(ctx context.Context, course, id string, q ledger.Question, after uint64, by string) (string, error)
	Rule(ctx context.Context, id string, r ledger.Ruled, by string) error
	WatchCourse(course string) *service.Watch

	Submit(ctx context.Context, r service.Request) (sub ledger.Submission, created bool, err error)
	Get(id string) (ledger.Submission, error)
	Lately(ctx context.Context, look func() error) error
	List(filter func(*ledger.Submission) bool, after string, most int) []ledger.Submission
	Result(ctx context.Context, id string, number int) ([]byte, error)
	Source(ctx context.Context, id string) (*ledger.Submitted, []byte, error)
	Watch(id string) (*ledger.Submission, *service.Watch, error)
	Position(id string, number int) int
	Rejudge(ctx context.Context, ids []string, version, by string) (batch string, err error)
	Batches() []service.Batch
	Preview(batch string) (service.Preview, error)
	Apply(ctx context.Context, batch, by string, partly bool) error
	Release(ctx context.Context, id string, number int, by string) error

	Problems() []service.Problem
	Version(id, version string) (ledger.Version, error)
	Upload(ctx context.Context, u service.Upload) (v ledger.Version, added bool, err error)
	Content(ctx context.Context, ref store.Ref) ([]byte, error)
	Workers(ctx context.Context) (map[string]service.Worker, error)
	Stats() service.Stats
	Ready(ctx context.Context) error
}

// Accounts knows people by their passwords and sessions, and tokens; see package access.
type Accounts interface {
	Tokens
	SignIn(ctx context.Context, login, password string) error
	SetPassword(ctx context.Context, login, password string) error
	NewAccount(ctx context.Context, login, password string) error
	Join(ctx context.Context, invitation, password string) error
	HasPassword(ctx context.Context, login string) bool
	EraseAccount(ctx context.Context, login string) error
	OpenPass(ctx context.Context, p access.Pass) (string, error)
	Pass(ctx context.Context, k access.Kind, secret string) (access.Pass, error)
	ClosePass(ctx context.Context, k access.Kind, secret string) error
	Verify(ctx context.Context, token string) (access.Identity, error)
}

// Options are the settings of the pages.
type Options struct {
	Service  Service  // required
	Accounts Accounts // required
	// Feedback is what participants see of judgings by problems that say nothing about that; "" means samples.
	Feedback    problem.Feedback
	Languages   []string // ids, sorted
	LanguagesOf func(name string) []string
	ExtensionOf func(language string) string // with its dot; "" if the language has none
	MaxSource   limits.Bytes                 // of a submission; 0 means 1 MiB
	Free        func() (limits.Bytes, error) // of the disk with the data; nil if servers elsewhere keep it
	Log         *slog.Logger
	Audit       *slog.Logger // gets a record of every request that changes something
	Now         func() time.Time
}

// Pages is an http.Handler, and safe for concurrent use.
type Pages struct {
	o         Options
	mux       *http.ServeMux
	templates *template.Template
	static    map[string]asset
	attempts  *rate.Limiter // of a login to sign in from an address, to ask and to run
	logins    *rate.Limiter // of a login to sign in from anywhere
	addresses *rate.Limiter // requests without a session that cost much, by address, which a whole class may share
	uploads   chan struct{} // has an element for each upload that is being read

	mu        sync.Mutex
	boards    map[string]*board // by course
	uploading map[string]int    // uploads that are being read, by who hands in

	comparing  chan struct{}     // has an element while submissions are compared
	likenesses map[string]*alike // by course and problem

	beat   time.Duration
	ending context.Context // ends when the server shuts down
	end    context.CancelFunc
}

//go:embed templates static
var files embed.FS

// mostUploads is how many uploads are read at a time.
const mostUploads = 64

// New returns the pages of a service.
func New(o Options) *Pages {
	if o.Now == nil {
		o.Now = time.Now
	}
	for _, log := range []**slog.Logger{&o.Log, &o.Audit} {
		if *log == nil {
			*log = slog.New(slog.DiscardHandler)
		}
	}
	if o.Feedback == "" {
		o.Feedback = problem.FeedbackSamples
	}
	if o.MaxSource == 0 {
		o.MaxSource = limits.MiB
	}
	p := &Pages{
		o: o, mux: http.NewServeMux(), boards: map[string]*board{}, uploading: map[string]int{}, comparing: make(chan struct{}, 1), likenesses: map[string]*alike{}, uploads: make(chan struct{}, mostUploads),
		beat:     beat,
		attempts: rate.New(1.0/6, 10, 100_000), logins: rate.New(1, 100, 100_000), addresses: rate.New(5, 300, 100_000),
	}
	p.ending, p.end = context.WithCancel(context.Background())
	p.templates = template.Must(template.New("").Funcs(functions).ParseFS(files, "templates/*.html"))
	p.static = assets(files)
	for _, row := range p.routes() {
		p.mux.Handle(row.pattern(), p.gate(&row))
	}
	p.mux.HandleFunc("GET /static/{name}", p.serveStatic)
	return p
}

// Handler returns the handler of a request, false if it is for no page.
func (p *Pages) Handler(r *http.Request) (http.Handler, bool) {
	h, pattern := p.mux.Handler(r)
	if pattern == "" {
		return nil, false
	}
	_ = h
	return p.mux, true
}

// End ends the streams of live pages, whose browsers then come back.
func (p *Pages) End() { p.end() }
