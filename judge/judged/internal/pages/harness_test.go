package pages

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"log/slog"
	"mime/multipart"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/journal"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/verdict"
	"tribunal/judge/judged/internal/access"
	"tribunal/judge/judged/internal/broker"
	"tribunal/judge/judged/internal/broker/brokertest"
	"tribunal/judge/judged/internal/ledger"
	"tribunal/judge/judged/internal/service"
	"tribunal/judge/judged/internal/store"
	"tribunal/judge/judged/internal/store/storetest"
	"tribunal/judge/judged/internal/task"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// world is the pages of a service with a store and a worker that plays a script. Its clock is set by tests.
type world struct {
	t       testing.TB
	service *service.Service
	store   *store.Store
	tokens  *access.Tokens
	pages   *Pages
	server  *httptest.Server
	admin   string // a token with the scope admin

	mu     sync.Mutex
	now    time.Time
	mended bool // a source "WA once" is accepted
}

// mend has the worker accept what it did not.
func (w *world) mend() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.mended = true
}

// begin is when the contests of tests begin.
var begin = time.Date(2026, 12, 1, 9, 0, 0, 0, time.UTC)

// start starts a world at begin, whose pages have options that edit changes.
func start(t testing.TB, edit ...func(*Options)) *world {
	t.Helper()
	w := &world{t: t, now: begin}
	ctx, stop := context.WithCancel(context.Background())
	w.store = brokertest.Open(t, brokertest.Connect(t), broker.Options{})
	clock := func() time.Time {
		w.mu.Lock()
		defer w.mu.Unlock()
		return w.now
	}
	var err error
	w.service, err = service.New(ctx, w.store, service.Options{Now: clock, LanguagesOf: languagesOf})
	if err != nil {
		t.Fatal(err)
	}
	entries, err := access.NewLogStore(ctx, w.store.Tokens, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	w.tokens = access.New(entries, access.Options{Cost: access.Cost{MemoryKiB: 8, Passes: 1, Threads: 1}})
	w.admin, _, err = w.tokens.Issue(ctx, access.Grant{Name: "n", Owner: "root", Scopes: access.Scopes()})
	if err != nil {
		t.Fatal(err)
	}
	var running sync.WaitGroup
	running.Go(func() { _ = w.service.Run(ctx) })
	running.Go(func() { w.work(ctx) })
	o := Options{
		Service: w.service, Accounts: w.tokens, Languages: []string{"c", "cpp", "python"}, LanguagesOf: languagesOf,
		Log: slog.New(slog.NewTextHandler(t.Output(), nil)),
		ExtensionOf: func(language string) string {
			return map[string]string{"c": ".c", "cpp": ".cpp", "python": ".py"}[language]
		}, Free: func() (limits.Bytes, error) { return 4 * limits.GiB, nil }, Now: w.service.Now,
	}
	for _, e := range edit {
		e(&o)
	}
	p := New(o)
	w.pages = p
	w.server = httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		h, ok := p.Handler(r)
		if !ok {
			http.NotFound(rw, r)
			return
		}
		h.ServeHTTP(rw, r)
	}))
	t.Cleanup(func() {
		p.End()
		w.server.Close()
		stop()
		running.Wait()
	})
	return w
}

func languagesOf(name string) []string {
	if l := map[string]string{".c": "c", ".cpp": "cpp", ".py": "python"}[filepath.Ext(name)]; l != "" {
		return []string{l}
	}
	return nil
}

// set sets the time of the world to some minutes after begin.
func (w *world) set(minutes int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.now = begin.Add(time.Duration(minutes) * time.Minute)
}

// work answers tasks until ctx ends. A source is judged as the verdict with which it begins; "slow" waits for ever, and
// "fail" is a failure of the judge.
func (w *world) work(ctx context.Context) {
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
		a, err := w.judge(ctx, &t)
		if err != nil {
			a = &task.Answer{Error: err.Error()}
		}
		if a != nil {
			a.Submission, a.Judging, a.Attempt, a.Part, a.Problem, a.Version, a.Proof, a.Worker = t.Submission, t.Judging, t.Attempt, t.Part, t.Problem, t.Version, t.Proof, "w1"
			data, err := json.Marshal(a)
			if err == nil {
				err = w.store.Results.Push(ctx, m.ID(), data)
			}
			if err != nil && ctx.Err() == nil {
				w.t.Error(err)
			}
		}
		if err := m.Ack(ctx); err != nil && ctx.Err() == nil {
			w.t.Error(err)
		}
	}
}

// secret is in all data that participants must not see.
const secret = "TOP-SECRET"

// drawnCase is the drawing of a failing case.
const drawnCase = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 30 10" width="300" height="100.4" fill="none" stroke="#1864ab"><title>` + secret + `</title><style>rect{stroke-width:.3}</style><rect x="1" y="1" width="8" height="8"/><rect x="11" y="1" width="8" height="8"/><rect x="21" y="1" width="8" height="8" stroke="#b02525"/></svg>`

func (w *world) judge(ctx context.Context, t *task.Task) (*task.Answer, error) {
	if t.Part == task.Check {
		page, err := json.Marshal(task.Page{
			Title: "Problem " + t.Problem, Language: "en", Body: "<p>Add two numbers.</p>", Facts: []task.Fact{{Name: "Time limit", Value: "1 s"}},
			Samples: []task.Sample{{Input: "1 2\n", Output: "3\n"}},
		})
		if err != nil {
			return nil, err
		}
		shown := "samples"
		if t.Problem == "first" {
			shown = "first"
		}
		ref, err := w.store.Blobs.Put(ctx, page)
		return &task.Answer{Checked: &ledger.Checked{
			Usable: true, Title: "Problem " + t.Problem, Cases: 2, Page: &ref, Shown: &ledger.Shown{Feedback: shown, Samples: []string{"sample/1"}},
			Findings: []string{"a finding " + secret},
		}}, err
	}
	source, err := store.Fetch(ctx, w.store.Blobs, t.Source)
	if err != nil {
		return nil, err
	}
	word, _, _ := strings.Cut(string(source), " ")
	switch word {
	case "slow":
		return nil, nil
	case "fail":
		return nil, errors.New("no compiler <here>")
	}
	if t.Input != nil {
		input, err := store.Fetch(ctx, w.store.Blobs, *t.Input)
		if err != nil {
			return nil, err
		}
		data, err := json.Marshal(&task.Result{Run: &task.Run{Outcome: "OK", Text: append([]byte("read "), input...)}})
		if err != nil {
			return nil, err
		}
		ref, err := store.Stow(ctx, w.store.Blobs, data)
		return &task.Answer{Summary: &ledger.Summary{}, Result: ref}, err
	}
	w.mu.Lock()
	if w.mended && string(source) == "WA once" {
		word = "AC"
	}
	w.mu.Unlock()
	v := verdict.AC
	for _, one := range verdict.All() {
		if one.String() == word {
			v = one
		}
	}
	r := &task.Result{Begin: &grade.Begin{Problem: t.Problem, Cases: []string{"sample/1", "secret/2"}}, Built: &grade.Built{Language: "cpp"}}
	summary := &ledger.Summary{Verdict: v, Judged: 2, Total: 2, Passed: 2, Spent: time.Millisecond}
	if v != verdict.AC {
		summary.Passed, summary.First, summary.Cause = 1, "secret/2", "a cause "+secret
	}
	r.Cases = []journal.Case{
		{Index: 0, Case: grade.Case{Name: "sample/1", Verdict: verdict.AC}},
		{Index: 1, Case: grade.Case{Name: "secret/2", Verdict: v, Cause: summary.Cause, Stderr: secret, Message: secret, Shown: grade.Shown{Input: secret + "\n2 3\n", Note: secret}}},
	}
	r.Done = &grade.Done{Verdict: v, First: summary.First, Passed: summary.Passed, Judged: 2, Total: 2}
	if v != verdict.AC {
		r.Drawing = &task.Drawing{Case: "secret/2", SVG: drawnCase}
	}
	data, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	ref, err := store.Stow(ctx, w.store.Blobs, data)
	return &task.Answer{Summary: summary, Result: ref}, err
}

// problem uploads a problem, and waits for its check.
func (w *world) problem(id string) {
	w.t.Helper()
	v, _, err := w.service.Upload(w.t.Context(), service.Upload{ID: id, Title: id, By: "root", Archive: []byte(id)})
	if err == nil {
		_, err = w.service.AwaitCheck(w.t.Context(), id, v.ID)
	}
	if err != nil {
		w.t.Fatal(err)
	}
}

// contest makes a course with the problems a and b, from minute 0 to 100, frozen from minute 60.
func (w *world) contest(id string, edit ...func(*ledger.Course)) {
	w.t.Helper()
	c := ledger.Course{
		Title: "Contest " + id, Open: begin, Due: begin.Add(100 * time.Minute), Late: begin.Add(200 * time.Minute), Freeze: begin.Add(60 * time.Minute), Scoring: ledger.ICPC,
		Problems: []ledger.CourseProblem{{Label: "A", Problem: "a", Colour: "#e03131"}, {Label: "B", Problem: "b"}},
	}
	for _, e := range edit {
		e(&c)
	}
	if err := w.service.SetCourse(w.t.Context(), id, c, service.Newest, "root"); err != nil {
		w.t.Fatal(err)
	}
}

// person makes a member whose password is the login and more.
func (w *world) person(course, login string, role ledger.Role) {
	w.t.Helper()
	err := w.service.SetPerson(w.t.Context(), course, ledger.Person{Login: login, Name: "Name of " + login, Email: login + "@private.example", Role: role}, service.Newest, "root")
	if err == nil && !w.tokens.HasPassword(w.t.Context(), login) {
		err = w.tokens.SetPassword(w.t.Context(), login, password(login))
	}
	if err != nil {
		w.t.Fatal(err)
	}
}

func password(login string) string { return login + " password" }

// browser is somebody with cookies.
type browser struct {
	w      *world
	client *http.Client
}

// browser returns one in which somebody has signed in: a login, "root" for the token of the administrator, or "".
func (w *world) browser(login string) *browser {
	w.t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		w.t.Fatal(err)
	}
	b := &browser{w, &http.Client{Jar: jar, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
	form := url.Values{"login": {login}, "password": {password(login)}}
	if login == "root" {
		form = url.Values{"password": {w.admin}}
	}
	if login != "" {
		if got := b.post("/sign-in", form); got.StatusCode != http.StatusSeeOther {
			w.t.Fatalf("%s cannot sign in: %s\n%s", login, got.Status, got.text)
		}
	}
	return b
}

// reply is an answer to a request of a test.
type reply struct {
	*http.Response
	text string
}

func (b *browser) do(r *http.Request) *reply {
	b.w.t.Helper()
	resp, err := b.client.Do(r)
	if err != nil {
		b.w.t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		b.w.t.Fatal(err)
	}
	return &reply{resp, string(text)}
}

func (b *browser) request(method, path, kind string, body io.Reader) *http.Request {
	b.w.t.Helper()
	r, err := http.NewRequestWithContext(b.w.t.Context(), method, b.w.server.URL+path, body)
	if err != nil {
		b.w.t.Fatal(err)
	}
	if kind != "" {
		r.Header.Set("Content-Type", kind)
		r.Header.Set("Sec-Fetch-Site", "same-origin")
	}
	return r
}

func (b *browser) get(path string) *reply {
	b.w.t.Helper()
	return b.do(b.request("GET", path, "", nil))
}

func (b *browser) post(path string, form url.Values) *reply {
	b.w.t.Helper()
	return b.do(b.request("POST", path, "application/x-www-form-urlencoded", strings.NewReader(form.Encode())))
}

// upload is a file of a form.
type upload struct{ name, text string }

// hand hands in files and fields, as a browser does.
func (b *browser) hand(path string, fields map[string]string, files ...upload) *reply {
	b.w.t.Helper()
	var body bytes.Buffer
	m := multipart.NewWriter(&body)
	for name, value := range fields {
		_ = m.WriteField(name, value)
	}
	for _, f := range files {
		w, err := m.CreateFormFile("file", f.name)
		if err == nil {
			_, err = io.WriteString(w, f.text)
		}
		if err != nil {
			b.w.t.Fatal(err)
		}
	}
	m.Close()
	return b.do(b.request("POST", path, m.FormDataContentType(), &body))
}

// until waits until the judging of a submission that counts is in a state.
func (w *world) until(id string, is func(*ledger.Judging) bool) {
	w.t.Helper()
	for {
		var sub *ledger.Submission
		var watch *service.Watch
		err := w.service.Lately(w.t.Context(), func() (err error) { sub, watch, err = w.service.Watch(id); return err })
		if err != nil {
			w.t.Fatal(err)
		}
		done := is(sub.Counts())
		if !done {
			select {
			case <-watch.C:
			case <-storetest.Patient(w.t).Done():
				w.t.Fatal("no outcome")
			}
		}
		watch.Close()
		if done {
			return
		}
	}
}

// submission hands in a program, waits for its outcome unless it is slow, and returns its id.
func (b *browser) submission(course, problem, text string) string {
	b.w.t.Helper()
	got := b.hand("/c/"+course+"/p/"+problem, map[string]string{"language": "cpp", "text": text})
	if got.StatusCode != http.StatusSeeOther {
		b.w.t.Fatalf("%s: %s", got.Status, got.text)
	}
	id := filepath.Base(got.Header.Get("Location"))
	if !strings.HasPrefix(text, "slow") {
		b.w.await(id)
	}
	return id
}

// await waits until a submission has been judged, or could not be.
func (w *world) await(id string) {
	w.t.Helper()
	w.until(id, func(j *ledger.Judging) bool { return j.Status != ledger.Waiting })
}

// want checks that a page has a status and texts.
func (r *reply) want(t *testing.T, status int, texts ...string) *reply {
	t.Helper()
	if r.StatusCode != status {
		t.Errorf("%s %s: %s, want %d\n%s", r.Request.Method, r.Request.URL.Path, r.Status, status, r.text)
	}
	for _, text := range texts {
		if !strings.Contains(plain(r.text), text) {
			t.Errorf("%s %s: no %q in\n%s", r.Request.Method, r.Request.URL.Path, text, plain(r.text))
		}
	}
	return r
}

var tags = regexp.MustCompile(`(?s)<script.*?</script>|<[^>]*>`)

// plain returns the text of a page without its tags.
func plain(page string) string {
	page = tags.ReplaceAllString(page, " ")
	for _, each := range [][2]string{{"&#39;", "'"}, {"&#34;", `"`}, {"&lt;", "<"}, {"&gt;", ">"}, {"&#43;", "+"}, {"&amp;", "&"}} {
		page = strings.ReplaceAll(page, each[0], each[1])
	}
	return strings.Join(strings.Fields(page), " ")
}

// golden compares a text with a golden file.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got); d != "" {
		t.Errorf("%s (-want +got):\n%s", path, d)
	}
}
