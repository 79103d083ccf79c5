// Package web serves the API of the service over HTTP.
//
// Begin with routes.go: it has a row for every route, with who may use it and its bounds. What has no
// row does not exist. A request passes the gate of its row (gate.go), which knows the caller, and then a
// handler, which decodes it, asks the service, and encodes the answer.
package web

import (
	"cmp"
	"context"
	"log/slog"
	"net/http"
	"net/netip"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"tribunal/judge/internal/problem"
	"tribunal/judge/judged/internal/enrol"
	"tribunal/judge/judged/internal/judge0"
	"tribunal/judge/judged/internal/ledger"
	"tribunal/judge/judged/internal/retry"
	"tribunal/judge/judged/internal/service"
	"tribunal/judge/judged/internal/store"
)

// Service holds the methods of a [service.Service] that the API uses.
type Service interface {
	Submit(ctx context.Context, r service.Request) (sub ledger.Submission, created bool, err error)
	Get(id string) (ledger.Submission, error)
	Position(id string, number int) int
	List(filter func(*ledger.Submission) bool, after string, most int) []ledger.Submission
	Result(ctx context.Context, id string, number int) ([]byte, error)
	Source(ctx context.Context, id string) (*ledger.Submitted, []byte, error)
	Submitted(ctx context.Context, id string) (*ledger.Submitted, error)
	Cancel(ctx context.Context, id string, number int, by, reason string) error
	Release(ctx context.Context, id string, number int, by string) error
	Erase(ctx context.Context, id, by string) error
	Snapshot(ctx context.Context) error

	Watch(id string) (*ledger.Submission, *service.Watch, error)
	WatchAll(filter func(*ledger.Submission) bool) *service.Watch
	Watchers() int

	enrol.Service
	Course(id string) (ledger.CourseState, error)
	SetCourse(ctx context.Context, id string, c ledger.Course, after uint64, by string) error

	Rejudge(ctx context.Context, ids []string, version, by string) (batch string, err error)
	Batches() []service.Batch
	Preview(batch string) (service.Preview, error)
	Apply(ctx context.Context, batch, by string, partly bool) error

	Upload(ctx context.Context, u service.Upload) (v ledger.Version, added bool, err error)
	AwaitCheck(ctx context.Context, id, version string) (ledger.Version, error)
	Problems() []service.Problem
	Version(id, version string) (ledger.Version, error)
	StoreBlob(ctx context.Context, owner string, data []byte) (store.Ref, error)
	Blob(ctx context.Context, owner string, ref store.Ref) ([]byte, error)
	Content(ctx context.Context, ref store.Ref) ([]byte, error)

	Offer(ctx context.Context) func(language string) (taken bool, ready int)
	Workers(ctx context.Context) (map[string]service.Worker, error)
	Stats() service.Stats
	Metrics() *service.Metrics
	CallBack(ctx context.Context, id, url string) error
	Calls(tries int, send func(ctx context.Context, sub ledger.Submission, url string) error)
	Ready(ctx context.Context) error
	Reach(ctx context.Context, sequence uint64) error
	Lately(ctx context.Context, look func() error) error
}

// Options are the settings of the API. Those without a comment may be nil.
type Options struct {
	Service  Service        // required
	Tokens   Tokens         // nil: there are none
	Accounts enrol.Accounts // required for courses
	// Open lets programs on this machine do without a token whatever needs no administrator. These are programs of
	// all users of the machine, so it is off by default.
	Open bool
	// PerAddress and PerToken bound the rates of requests from an address and with a token; nil: no bound.
	PerAddress, PerToken Limiter
	// Feedback is what submitters see of judgings by problems that say nothing about that; "" means samples.
	Feedback  problem.Feedback
	Languages []Language
	Bounds    Bounds // zero fields mean the usual ones
	Log       *slog.Logger
	Audit     *slog.Logger   // gets a record of every request that changes something
	Pages     Pages          // nil: there are none
	Queue     int            // judgings that may wait, as clients of Judge0 see it
	Callbacks *Callbacks     // nil: there are none
	Origins   []string       // of the web pages whose scripts may use the API, such as https://ide.example.org; * for any
	Proxies   []netip.Prefix // addresses of proxies that say for whom they ask
	Now       func() time.Time
}

// Pages serves paths that the API does not have to people, as package pages does.
type Pages interface {
	// Handler returns the handler of a request, false if it is for no page.
	Handler(r *http.Request) (h http.Handler, ok bool)
	// End ends what would go on for long.
	End()
}

// Language is a language that submissions can have.
type Language struct {
	ID         string   `json:"id" example:"cpp"`
	Extensions []string `json:"extensions" example:"[\".cpp\"]" doc:"extensions of its source files, the usual one first"`
	Options    []string `json:"compiler_options,omitempty" doc:"that a submission of Judge0's API may bring, as regular expressions of a whole option"`
}

// Web is the API. It is an http.Handler, and safe for concurrent use.
type Web struct {
	o       Options
	mux     *http.ServeMux
	api     huma.API
	rows    map[string]*row // by pattern
	budget  budget
	probe   probe
	metrics *metrics
	spec    []byte // the OpenAPI document

	troubles map[string]*retry.Streak // by kind of problem: requests that failed since one last changed something

	ending context.Context // ends when the server shuts down
	end    context.CancelFunc
}

// New returns the API of a service.
func New(o Options) *Web {
	if o.Now == nil {
		o.Now = time.Now
	}
	for _, log := range []**slog.Logger{&o.Log, &o.Audit} {
		if *log == nil {
			*log = slog.New(slog.DiscardHandler)
		}
	}
	o.Feedback = cmp.Or(o.Feedback, problem.FeedbackSamples)
	o.Bounds = o.Bounds.complete()
	w := &Web{o: o, mux: http.NewServeMux(), rows: map[string]*row{}, budget: budget{most: o.Bounds.Buffered}, probe: probe{turn: make(chan struct{}, 1)}, troubles: map[string]*retry.Streak{kindFull: {}, kindAway: {}}}
	w.ending, w.end = context.WithCancel(context.Background())
	w.metrics = newMetrics(w)
	w.api = huma.NewAPI(w.config(), humago.NewAdapter(patterns{w}, ""))
	rows := w.routes()
	for i := range rows {
		w.rows[rows[i].pattern()] = &rows[i]
	}
	for i := range rows {
		op := rows[i].operation()
		rows[i].add(w.api, op)
		alsoReturns(op, rows[i].statuses)
	}
	w.spec = w.document()
	if o.Callbacks != nil {
		o.Service.Calls(judge0.Tries, w.sender())
	}
	return w
}

// patterns registers the handlers of huma, each behind the gate of its row.
type patterns struct{ w *Web }

// HandleFunc adds the handler of a row. It panics if no row has the pattern.
func (p patterns) HandleFunc(pattern string, h func(http.ResponseWriter, *http.Request)) {
	row := p.w.rows[pattern]
	if row == nil {
		panic("web: no row for " + pattern)
	}
	p.w.mux.Handle(pattern, p.w.gate(row, h))
}

// ServeHTTP completes the interface that huma wants, and is not called.
func (p patterns) ServeHTTP(w http.ResponseWriter, r *http.Request) { p.w.ServeHTTP(w, r) }

// whileServing returns a context that also ends when the server shuts down.
func (w *Web) whileServing(ctx context.Context) (context.Context, func()) {
	ctx, stop := context.WithCancel(ctx)
	forget := context.AfterFunc(w.ending, stop)
	return ctx, func() {
		forget()
		stop()
	}
}

// ServeHTTP answers a request. A path or a method without a row gets a problem document too.
func (w *Web) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	if r.ProtoMajor == 1 && r.TransferEncoding != nil {
		// The request may have had a Content-Length too, which net/http removes. A proxy that goes by it would see
		// another request behind it.
		rw.Header().Set("Connection", "close")
	}
	r = w.forwarded(r)
	if w.crossOrigin(rw, r) {
		return
	}
	r = judge0Request(r)
	h, pattern := w.mux.Handler(r)
	if pattern != "" {
		w.mux.ServeHTTP(rw, r)
		return
	}
	if w.o.Pages != nil {
		if h, ok := w.o.Pages.Handler(r); ok {
			if err := w.take(w.o.PerAddress, addressKey(r)); err != nil {
				writeProblem(rw, err)
				return
			}
			h.ServeHTTP(rw, r)
			return
		}
	}
	w.stray(rw, r, h)
}
