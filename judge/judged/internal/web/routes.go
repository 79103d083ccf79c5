package web

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"tribunal/judge/judged/internal/access"
	"tribunal/judge/judged/internal/enrol"
)

// row is a route: its name, who may use it, and its bounds.
type row struct {
	method, path string
	scopes       []access.Scope // one of which the caller needs; nil: everybody may, without a token
	free         bool           // its requests are not counted
	body         int64          // the largest body, in bytes; 0: none is read
	formBody     int64          // the largest form
	time         time.Duration  // for the body to arrive and the answer to be made; 0: a stream
	formTime     time.Duration  // the same of a form
	wait         time.Duration  // for which the answer may wait for a result in addition
	statuses     []int          // of success; the first is usual
	id, summary  string         // of the operation in the OpenAPI document
	tag          string
	form         http.HandlerFunc // takes multipart/form-data instead of JSON; nil: none
	add          func(huma.API, huma.Operation)
}

// pattern returns the row's pattern of [http.ServeMux].
func (r *row) pattern() string { return r.method + " " + r.path }

// small is the bound of bodies that hold next to nothing.
const small = 4 << 10

// Groups of scopes. With Submit alone a caller sees and changes only judgings of the same owner, which the handlers
// check.
var (
	submitters = []access.Scope{access.Submit}
	readers    = []access.Scope{access.Submit, access.Read, access.Rejudge}
	changers   = []access.Scope{access.Submit, access.Rejudge}
	rejudgers  = []access.Scope{access.Rejudge}
	authors    = []access.Scope{access.Problems}
	solvers    = []access.Scope{access.Submit, access.Read, access.Rejudge, access.Problems}
	watchers   = []access.Scope{access.Read, access.Admin}
	admins     = []access.Scope{access.Admin}
	anyScope   = []access.Scope{access.Submit, access.Read, access.Rejudge, access.Problems, access.Admin}
)

func (w *Web) routes() []row {
	brief := w.o.Bounds.Brief
	long, wait := 20*brief, w.o.Bounds.Wait
	source, pack := int64(w.o.Bounds.Source), int64(w.o.Bounds.Package)
	return []row{
		{method: "POST", path: "/v1/judgings", scopes: submitters, body: 2 * source, time: brief, wait: wait, form: w.createJudgingForm, formBody: source + pack + 1<<20, formTime: long, statuses: []int{201, 200}, id: "createJudging", tag: "judgings", summary: "Hand in a submission", add: typed(w, w.createJudging)},
		{method: "GET", path: "/v1/judgings", scopes: readers, time: brief, id: "listJudgings", tag: "judgings", summary: "List judgings, the newest first", add: typed(w, w.listJudgings)},
		{method: "GET", path: "/v1/judgings/{id}", scopes: readers, time: brief, wait: wait, id: "getJudging", tag: "judgings", summary: "Get a judging, or wait for its end", add: typed(w, w.getJudging)},
		{method: "GET", path: "/v1/judgings/{id}/result", scopes: readers, time: brief, id: "getResult", tag: "judgings", summary: "Get the whole result of a judging, case by case", add: raw(w, w.getResult, returnsResult)},
		{method: "GET", path: "/v1/judgings/{id}/source", scopes: readers, time: brief, id: "getSource", tag: "judgings", summary: "Get the source that was handed in", add: raw(w, w.getSource, returns(bytesType, "The source"))},
		{method: "GET", path: "/v1/judgings/{id}/events", scopes: readers, id: "watchJudging", tag: "judgings", summary: "Watch a judging by server-sent events, or by WebSocket", add: raw(w, w.watchJudging, streams("Events, until the judging ends"))},
		{method: "POST", path: "/v1/judgings/{id}/cancel", scopes: changers, body: small, time: brief, id: "cancelJudging", tag: "judgings", summary: "Cancel a judging that has not ended", add: typed(w, w.cancel)},
		{method: "POST", path: "/v1/judgings/{id}/release", scopes: rejudgers, body: small, time: brief, id: "releaseJudging", tag: "judgings", summary: "Let a judging that is held wait again", add: typed(w, w.release)},
		{method: "DELETE", path: "/v1/judgings/{id}", scopes: admins, time: long, id: "eraseJudging", tag: "administration", summary: "Erase a submission and all that became of it", add: typed(w, w.erase)},
		{method: "GET", path: "/v1/events", scopes: readers, id: "watchAll", tag: "judgings", summary: "Watch all judgings that the caller may see", add: raw(w, w.watchAll, streamsAll)},
		{method: "POST", path: "/v1/batches", scopes: submitters, body: int64(w.o.Bounds.Batch), id: "createBatch", tag: "judgings", summary: "Hand in many submissions, line by line, and get their results as they end", add: raw(w, w.createBatch, streamsBatch)},
		{method: "POST", path: "/v1/run", scopes: submitters, body: 4 * source, time: brief, wait: wait, statuses: []int{200, 202}, id: "createRun", tag: "judgings", summary: "Run a program on an input", add: typed(w, w.createRun)},
		{method: "PUT", path: "/v1/blobs/{sha256}", scopes: submitters, body: source, time: long, statuses: []int{201}, id: "putBlob", tag: "judgings", summary: "Store a source to which submissions can refer", add: typed(w, w.putBlob)},
		{method: "GET", path: "/v1/problems", scopes: solvers, time: brief, id: "listProblems", tag: "problems", summary: "List the problems", add: typed(w, w.listProblems)},
		{method: "GET", path: "/v1/problems/{id}", scopes: solvers, time: brief, id: "getProblem", tag: "problems", summary: "Get a problem with its versions", add: typed(w, w.getProblem)},
		{method: "POST", path: "/v1/problems", scopes: authors, body: pack, time: long, statuses: []int{201, 200}, id: "createProblem", tag: "problems", summary: "Upload a package, which becomes a version of a problem", add: typed(w, w.createProblem)},
		{method: "POST", path: "/v1/rejudgings", scopes: rejudgers, body: 1 << 20, time: long, statuses: []int{201}, id: "createRejudging", tag: "rejudgings", summary: "Judge submissions again; nothing changes before that is applied", add: typed(w, w.createRejudging)},
		{method: "GET", path: "/v1/rejudgings", scopes: rejudgers, time: brief, id: "listRejudgings", tag: "rejudgings", summary: "List the batches of rejudgings, the newest first", add: typed(w, w.listRejudgings)},
		{method: "GET", path: "/v1/rejudgings/{batch}", scopes: rejudgers, time: brief, id: "getRejudging", tag: "rejudgings", summary: "See what applying a batch would change", add: typed(w, w.getRejudging)},
		{method: "POST", path: "/v1/rejudgings/{batch}/apply", scopes: rejudgers, body: small, time: brief, id: "applyRejudging", tag: "rejudgings", summary: "Make the judgings of a batch those that count, all at once", add: typed(w, w.applyRejudging)},
		{method: "DELETE", path: "/v1/submitters/{name}", scopes: admins, time: long, id: "eraseSubmitter", tag: "administration", summary: "Erase all submissions of a submitter", add: typed(w, w.eraseSubmitter)},
		{method: "GET", path: "/v1/courses", scopes: admins, time: brief, id: "listCourses", tag: "courses", summary: "List courses, the one that was set last first", add: typed(w, w.listCourses)},
		{method: "GET", path: "/v1/courses/{id}", scopes: admins, time: brief, id: "getCourse", tag: "courses", summary: "Get a course", add: typed(w, w.getCourse)},
		{method: "PUT", path: "/v1/courses/{id}", scopes: admins, body: 256 << 10, time: brief, id: "putCourse", tag: "courses", summary: "Set a course, whole", add: typed(w, w.putCourse)},
		{method: "GET", path: "/v1/courses/{id}/people", scopes: admins, time: brief, id: "listPeople", tag: "courses", summary: "List the members of a course", add: typed(w, w.listPeople)},
		{method: "POST", path: "/v1/courses/{id}/people", scopes: admins, body: enrol.MaxFile, time: long, id: "enrolPeople", tag: "courses", summary: "Make people members of a course, and invite those without a password", add: typed(w, w.enrol)},
		{method: "DELETE", path: "/v1/courses/{id}/people/{login}", scopes: admins, time: long, id: "erasePerson", tag: "courses", summary: "Erase a member, with everything handed in", add: typed(w, w.erasePerson)},
		{method: "GET", path: "/v1/courses/{id}/standings", scopes: admins, time: brief, id: "getStandings", tag: "courses", summary: "Get the standings of a course", add: typed(w, w.getStandings)},
		{method: "GET", path: "/v1/courses/{id}/results/{file}", scopes: admins, time: brief, id: "getResults", tag: "courses", summary: "Get the results of a course as results.tsv, scoreboard.json, awards.json or teams.json", add: raw(w, w.getResults, returns(bytesType, "The file, as the CCS specification has it"))},
		{method: "GET", path: "/v1/tokens", scopes: admins, time: brief, id: "listTokens", tag: "administration", summary: "List the tokens, without their secrets", add: typed(w, w.listTokens)},
		{method: "POST", path: "/v1/tokens", scopes: admins, body: small, time: brief, statuses: []int{201}, id: "createToken", tag: "administration", summary: "Make a token, which is shown only now", add: typed(w, w.createToken)},
		{method: "DELETE", path: "/v1/tokens/{id}", scopes: admins, time: brief, id: "revokeToken", tag: "administration", summary: "Revoke a token", add: typed(w, w.revokeToken)},
		{method: "GET", path: "/v1/languages", time: brief, id: "listLanguages", tag: "service", summary: "List the languages", add: typed(w, w.listLanguages)},
		{method: "GET", path: "/v1/workers", scopes: watchers, time: brief, id: "listWorkers", tag: "service", summary: "List the workers", add: typed(w, w.listWorkers)},
		{method: "GET", path: "/v1/version", time: brief, id: "getVersion", tag: "service", summary: "Get the build of the service", add: typed(w, w.getVersion)},
		{method: "GET", path: "/healthz", time: brief, free: true, id: "getHealth", tag: "service", summary: "Whether the process is alive", add: typed(w, w.alive)},
		{method: "GET", path: "/readyz", time: brief, free: true, id: "getReady", tag: "service", summary: "Whether submissions can be taken", add: typed(w, w.ready)},
		{method: "GET", path: "/metrics", scopes: watchers, time: brief, free: true, id: "getMetrics", tag: "service", summary: "Metrics for Prometheus", add: raw(w, w.getMetrics, returns("text/plain", "Metrics in the text format of Prometheus"))},
		{method: "GET", path: "/openapi.json", time: brief, id: "getOpenAPI", tag: "service", summary: "This document", add: raw(w, w.getOpenAPI, returns(jsonType, "An OpenAPI document"))},

		{method: "POST", path: "/submissions", scopes: submitters, body: 4 * source, time: brief, wait: wait, id: "judge0Create", tag: "judge0", summary: "Create a submission", add: raw(w, w.judge0Create, compatible("201", "400", "422", "503"))},
		{method: "GET", path: "/submissions/{token}", scopes: readers, time: brief, id: "judge0Get", tag: "judge0", summary: "Get a submission", add: raw(w, w.judge0Get, compatible("200", "400", "404"))},
		{method: "POST", path: "/submissions/batch", scopes: submitters, body: 4 * source, time: brief, id: "judge0CreateBatch", tag: "judge0", summary: "Create several submissions", add: raw(w, w.judge0CreateBatch, compatible("201", "400", "422", "503"))},
		{method: "GET", path: "/submissions/batch", scopes: readers, time: brief, id: "judge0GetBatch", tag: "judge0", summary: "Get several submissions", add: raw(w, w.judge0GetBatch, compatible("200", "400"))},
		{method: "GET", path: "/submissions", scopes: readers, time: brief, id: "judge0List", tag: "judge0", summary: "List submissions, the newest first", add: raw(w, w.judge0List, compatible("200", "400"))},
		{method: "DELETE", path: "/submissions/{token}", scopes: submitters, time: long, id: "judge0Delete", tag: "judge0", summary: "Erase a submission of one's own that has ended", add: raw(w, w.judge0Delete, compatible("200", "400", "404"))},
		{method: "GET", path: "/languages", time: brief, id: "judge0Languages", tag: "judge0", summary: "List the languages by their numbers", add: raw(w, w.judge0Languages, compatible("200"))},
		{method: "GET", path: "/languages/all", time: brief, id: "judge0AllLanguages", tag: "judge0", summary: "List the languages, with the numbers that only old clients use", add: raw(w, w.judge0AllLanguages, compatible("200"))},
		{method: "GET", path: "/languages/{id}", time: brief, id: "judge0Language", tag: "judge0", summary: "Get a language", add: raw(w, w.judge0Language, compatible("200", "404"))},
		{method: "GET", path: "/statuses", time: brief, id: "judge0Statuses", tag: "judge0", summary: "List the statuses", add: raw(w, w.judge0Statuses, compatible("200"))},
		{method: "GET", path: "/about", time: brief, id: "judge0About", tag: "judge0", summary: "Get the version of Judge0 whose numbers of languages are used", add: raw(w, w.judge0About, compatible("200"))},
		{method: "GET", path: "/config_info", time: brief, id: "judge0Config", tag: "judge0", summary: "Get what submissions may ask for", add: raw(w, w.judge0Config, compatible("200"))},
		{method: "POST", path: "/authenticate", scopes: anyScope, body: small, time: brief, id: "judge0Authenticate", tag: "judge0", summary: "Check that a token is valid", add: raw(w, w.judge0Allowed, returnsNothing)},
		{method: "POST", path: "/authorize", scopes: admins, body: small, time: brief, id: "judge0Authorize", tag: "judge0", summary: "Check that a token is an administrator's", add: raw(w, w.judge0Allowed, returnsNothing)},
	}
}

const (
	jsonType  = "application/json"
	bytesType = "application/octet-stream"
)

// operation returns what the OpenAPI document says about the row.
func (r *row) operation() huma.Operation {
	op := huma.Operation{
		Method: r.method, Path: r.path, OperationID: r.id, Summary: r.summary, Tags: []string{r.tag},
		MaxBodyBytes: -1, BodyReadTimeout: r.time, // the gate bounds both
		Responses: map[string]*huma.Response{}, Extensions: map[string]any{},
	}
	if r.statuses != nil {
		op.DefaultStatus = r.statuses[0]
	}
	if r.form != nil {
		op.RequestBody = formSchema()
	}
	if len(r.scopes) > 0 {
		names := make([]string, len(r.scopes))
		for i, s := range r.scopes {
			names[i] = string(s)
		}
		op.Security = []map[string][]string{{"bearer": {}}}
		op.Extensions["x-scopes"] = names
	}
	return op
}

// typed adds a handler whose request and answer are values. Its errors become problems.
func typed[I, O any](w *Web, h func(context.Context, *I) (*O, error)) func(huma.API, huma.Operation) {
	return func(api huma.API, op huma.Operation) {
		huma.Register(api, op, func(ctx context.Context, in *I) (*O, error) {
			out, err := h(ctx, in)
			if err != nil {
				return nil, w.failed(op.Path, err)
			}
			return out, nil
		})
	}
}

// raw adds a handler that writes its answer itself. If it returns an error, it must have written nothing. describe
// completes the operation in the OpenAPI document.
func raw(w *Web, h func(http.ResponseWriter, *http.Request) error, describe func(huma.API, *huma.Operation)) func(huma.API, huma.Operation) {
	return func(api huma.API, op huma.Operation) {
		describe(api, &op)
		addProblem(api, &op)
		api.OpenAPI().AddOperation(&op)
		api.Adapter().Handle(&op, func(ctx huma.Context) {
			r, rw := humago.Unwrap(ctx)
			if err := h(rw, r); err != nil {
				writeProblem(rw, w.failed(op.Path, err))
			}
		})
	}
}

// failed returns the problem of an error, and logs errors that the client did not cause. A request for something
// that the service does not have, such as a language, is the client's. While the store is full or away, every
// request fails, and only some failures are logged.
func (w *Web) failed(path string, err error) *Problem {
	p := problemOf(err)
	if p.Status >= 500 && p.Status != http.StatusNotImplemented {
		n, log := int64(1), true
		if trouble := w.troubles[p.Type]; trouble != nil {
			n, log = trouble.Failed()
		}
		if log {
			w.o.Log.Warn("a request failed", "route", path, "failures", n, "error", err)
		}
	}
	return p
}
