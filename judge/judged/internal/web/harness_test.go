package web

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/verdict"
	"tribunal/judge/judged/internal/access"
	"tribunal/judge/judged/internal/broker"
	"tribunal/judge/judged/internal/broker/brokertest"
	"tribunal/judge/judged/internal/ledger"
	"tribunal/judge/judged/internal/service"
	"tribunal/judge/judged/internal/store"
	"tribunal/judge/judged/internal/task"
)

// languages are those of tests.
var languages = []Language{
	{"c", []string{".c"}, []string{"-O[0-3]"}}, {"cpp", []string{".cpp", ".cc"}, nil}, {"go", []string{".go"}, nil}, {"java", []string{".java"}, nil}, {"python3", []string{".py"}, nil},
}

// world is an API over a service, with a store and a worker that plays a script.
type world struct {
	t       *testing.T
	web     *Web
	watched chan struct{} // gets something for every watch of a judging
	http    *httptest.Server
	service *service.Service
	store   *store.Store
	audit   *lines
}

// lines collects the lines of a log.
type lines struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// tokens are those of tests: the name of each is the token.
type tokens map[string]access.Identity

func (t tokens) Verify(_ context.Context, token string) (access.Identity, error) {
	id, ok := t[token]
	if !ok {
		return id, access.Unknown
	}
	return id, nil
}

func (tokens) Issue(context.Context, access.Grant) (string, access.Entry, error) {
	panic("not in tests")
}
func (tokens) Revoke(context.Context, string) error         { panic("not in tests") }
func (tokens) List(context.Context) ([]access.Entry, error) { panic("not in tests") }

var everybody = tokens{
	"ann":      {Token: "t1", Owner: "ann", Scopes: []access.Scope{access.Submit}},
	"bob":      {Token: "t2", Owner: "bob", Scopes: []access.Scope{access.Submit}},
	"reader":   {Token: "t3", Owner: "reader", Scopes: []access.Scope{access.Read}},
	"author":   {Token: "t4", Owner: "author", Scopes: []access.Scope{access.Problems}},
	"rejudger": {Token: "t5", Owner: "rejudger", Scopes: []access.Scope{access.Rejudge}},
	"admin":    {Token: "t6", Owner: "admin", Scopes: []access.Scope{access.Admin}},
	"clerk":    {Token: "t9", Owner: "clerk", Scopes: []access.Scope{access.Submit, access.Read}},
	"teacher":  {Token: "t8", Owner: "teacher", Scopes: []access.Scope{access.Submit, access.Read, access.Problems, access.Rejudge}},
}

// start starts a world in which work answers the tasks; nil: none is answered.
func start(t *testing.T, work func(*world, *task.Task) *task.Answer, edit ...func(*Options)) *world {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	w := &world{t: t, audit: &lines{}, store: brokertest.Open(t, brokertest.Connect(t), broker.Options{})}
	var err error
	if w.service, err = service.New(ctx, w.store, service.Options{Quota: 50, LanguagesOf: languagesOfName}); err != nil {
		t.Fatal(err)
	}
	var running sync.WaitGroup
	running.Go(func() {
		if err := w.service.Run(ctx); err != nil {
			t.Errorf("the service ended: %v", err)
		}
	})
	if work != nil {
		running.Go(func() { w.work(ctx, work) })
	}
	w.watched = make(chan struct{}, 5000)
	o := Options{Service: &watching{w.service, w.watched}, Tokens: everybody, Languages: languages, Audit: slog.New(slog.NewJSONHandler(w.audit, nil))}
	for _, e := range edit {
		e(&o)
	}
	w.web = New(o)
	w.http = httptest.NewUnstartedServer(w.web)
	w.http.Config = NewServer(w.web)
	w.http.Start()
	t.Cleanup(func() {
		w.web.end()
		w.http.Close()
		stop()
		running.Wait()
	})
	return w
}

// watching tells when a judging is watched.
type watching struct {
	Service
	began chan<- struct{}
}

func (w *watching) Watch(id string) (*ledger.Submission, *service.Watch, error) {
	sub, watch, err := w.Service.Watch(id)
	w.began <- struct{}{}
	return sub, watch, err
}

// work answers tasks until ctx ends.
func (w *world) work(ctx context.Context, answer func(*world, *task.Task) *task.Answer) {
	for {
		m, err := w.store.Work.Pull(ctx)
		if err != nil {
			return
		}
		var t task.Task
		if err := json.Unmarshal(m.Data(), &t); err != nil {
			w.t.Error(err)
			return
		}
		a := answer(w, &t)
		if a == nil {
			continue // it dies
		}
		a.Submission, a.Judging, a.Attempt, a.Part, a.Problem, a.Version, a.Proof = t.Submission, t.Judging, t.Attempt, t.Part, t.Problem, t.Version, t.Proof
		a.Worker = "w1"
		data, err := json.Marshal(a)
		if err != nil {
			w.t.Error(err)
			return
		}
		if err := w.store.Results.Push(ctx, m.ID(), data); err != nil && ctx.Err() == nil {
			w.t.Error(err)
		}
		if err := m.Ack(ctx); err != nil && ctx.Err() == nil {
			w.t.Error(err)
		}
	}
}

// judge is a worker that gives the verdict that the source names, such as "WA", and that runs programs
// by writing their input. A problem whose archive contains "unusable" cannot be judged.
func judge(w *world, t *task.Task) *task.Answer {
	if t.Part == task.Check {
		archive, err := w.service.Content(context.Background(), t.Archive)
		if err != nil {
			return &task.Answer{Error: err.Error()}
		}
		if bytes.Contains(archive, []byte("unusable")) {
			return &task.Answer{Checked: &ledger.Checked{Findings: []string{"no test cases"}}}
		}
		return &task.Answer{Checked: &ledger.Checked{Usable: true, Title: "A problem", Cases: 2}}
	}
	source, err := store.Fetch(context.Background(), w.store.Blobs, t.Source)
	if err != nil {
		return &task.Answer{Error: err.Error()}
	}
	result, summary := &task.Result{}, &ledger.Summary{Spent: time.Millisecond}
	if t.Input != nil {
		input, err := store.Fetch(context.Background(), w.store.Blobs, *t.Input)
		if err != nil {
			return &task.Answer{Error: err.Error()}
		}
		result.Run = ran(string(source), input)
	} else {
		v := verdict.AC
		for _, one := range verdict.All() {
			if strings.HasPrefix(string(source), one.String()) {
				v = one
			}
		}
		if v == verdict.JE {
			return &task.Answer{Error: "the judge failed"}
		}
		summary.Verdict, summary.Judged, summary.Total = v, 2, 2
		result.Begin = &grade.Begin{Problem: t.Problem, Cases: []string{"a/1", "a/2"}}
		result.Done = &grade.Done{Verdict: v, Judged: 2, Total: 2}
	}
	data, err := json.Marshal(result)
	if err != nil {
		return &task.Answer{Error: err.Error()}
	}
	ref, err := store.Stow(context.Background(), w.store.Blobs, data)
	if err != nil {
		return &task.Answer{Error: err.Error()}
	}
	return &task.Answer{Summary: summary, Result: ref}
}

// ran is the result of a program that writes its input, or that cannot be compiled.
func ran(source string, input []byte) *task.Run {
	if strings.HasPrefix(source, "CE") {
		return &task.Run{Outcome: "CE", Built: grade.Built{Build: grade.Build{Error: "solution.c:1: error: no"}}}
	}
	r := &task.Run{Outcome: "OK", Text: input}
	for _, v := range verdict.All() {
		if strings.HasPrefix(source, v.String()) && v != verdict.AC {
			r.Outcome, r.Errors = v.String(), []byte("oh no")
		}
	}
	return r
}

// problem uploads a problem, and waits for its check.
func (w *world) problem(id string) ledger.Version { return w.version(id, id) }

// version uploads a version of a problem with a name, and waits for its check.
func (w *world) version(id, name string) ledger.Version {
	w.t.Helper()
	v, _, err := w.service.Upload(w.t.Context(), service.Upload{ID: id, Title: id, By: "author", Archive: pack(w.t, map[string]string{"problem.yaml": "name: " + name})})
	if err == nil {
		v, err = w.service.AwaitCheck(w.t.Context(), id, v.ID)
	}
	if err != nil {
		w.t.Fatal(err)
	}
	return v
}

// waiting uploads a problem that can be judged, in a world without a worker.
func (w *world) waiting(id string) {
	w.t.Helper()
	v, _, err := w.service.Upload(w.t.Context(), service.Upload{ID: id, By: "author", Archive: pack(w.t, map[string]string{"problem.yaml": "name: " + id})})
	if err != nil {
		w.t.Fatal(err)
	}
	e := ledger.Encode(ledger.Event{Checked: &ledger.Checked{Usable: true, Title: id, Cases: 2}})
	if _, err := w.store.Log.Append(w.t.Context(), ledger.ProblemSubject(id, v.ID), v.Sequence, e); err != nil {
		w.t.Fatal(err)
	}
	if err := w.service.CatchUp(w.t.Context()); err != nil {
		w.t.Fatal(err)
	}
}

// reply is an answer to a request of a test.
type reply struct {
	*http.Response
	text string
}

// decode decodes an answer with a status.
func (r *reply) decode(t *testing.T, status int, to any) {
	t.Helper()
	if r.StatusCode != status {
		t.Fatalf("%s, want %d: %s", r.Status, status, r.text)
	}
	if err := json.Unmarshal([]byte(r.text), to); err != nil {
		t.Fatalf("%v in %s", err, r.text)
	}
}

// do makes a request with a token, and with a body if it is not nil: a string as it is, anything else as
// JSON.
func (w *world) do(token, method, path string, body any, headers ...string) *reply {
	w.t.Helper()
	resp, err := w.ask(w.t.Context(), token, method, path, body, headers...)
	if err != nil {
		w.t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		w.t.Fatal(err)
	}
	w.conforms(resp, text)
	return &reply{resp, string(text)}
}

// conforms checks an answer against the document, line by line if it has lines.
func (w *world) conforms(resp *http.Response, text []byte) {
	w.t.Helper()
	if resp.StatusCode == http.StatusMethodNotAllowed || bytes.Contains(text, []byte("no such path")) {
		return // the document does not know it
	}
	parts := [][]byte{text}
	if resp.Header.Get("Content-Type") == ndjson {
		parts = bytes.SplitAfter(bytes.TrimSpace(text), []byte("\n"))
	}
	for _, part := range parts {
		one := *resp
		one.Body = io.NopCloser(bytes.NewReader(part))
		for _, fault := range conforms()(resp.Request, &one) {
			w.t.Errorf("%s %s: the answer %s does not conform to the document: %s", resp.Request.Method, resp.Request.URL.Path, part, fault)
		}
	}
}

// ask is like do, and leaves the body of the answer to the caller.
func (w *world) ask(ctx context.Context, token, method, path string, body any, headers ...string) (*http.Response, error) {
	var from io.Reader
	text, isText := body.(string)
	switch {
	case isText:
		from = strings.NewReader(text)
	case body != nil:
		data, err := json.Marshal(body)
		if err != nil {
			return nil, err
		}
		from = bytes.NewReader(data)
	}
	r, err := http.NewRequestWithContext(ctx, method, w.http.URL+path, from)
	if err != nil {
		return nil, err
	}
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	return w.http.Client().Do(r)
}
