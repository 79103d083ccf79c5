package web

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"tribunal/judge/judged/internal/ledger"
	"tribunal/judge/judged/internal/service"
)

// TestBadRequests sends requests that are wrong, and checks that nothing of them is stored.
func TestBadRequests(t *testing.T) {
	t.Parallel()
	w := start(t, judge, func(o *Options) { o.Bounds.Source = 1000 })
	w.problem("maze")
	bad, _, err := w.service.Upload(t.Context(), service.Upload{ID: "bad", By: "author", Archive: pack(t, map[string]string{"x": "unusable"})})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.service.AwaitCheck(t.Context(), "bad", bad.ID); err != nil {
		t.Fatal(err)
	}
	before, err := w.store.Log.Last(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	edit := func(change func(*Submission)) Submission {
		s := program("AC")
		change(&s)
		return s
	}
	long := strings.Repeat("x", 1001)
	for _, tt := range []struct {
		why    string
		body   any
		status int
		want   string
	}{
		{"no JSON", "{", 400, "unexpected end of JSON input"},
		{"a number", "7", 422, "expected object"},
		{"nothing", "", 400, "request body is required"},
		{"an unknown field", `{"problem":"maze","sauce":"x"}`, 422, "unexpected property"},
		{"a wrong type", `{"problem":["maze"]}`, 422, "expected string"},
		{"deep nesting", strings.Repeat("[", 500), 400, "unexpected end of JSON input"},
		{"very deep nesting", strings.Repeat(`{"a":`, 1000), 413, "2000B"},
		{"a large body", edit(func(s *Submission) { s.Source = text(long + long) }), 413, "the body has more than 2000B"},
		{"a large source", edit(func(s *Submission) { s.Source = text(long) }), 422, "a source has at most 1000B"},
		{"no source", edit(func(s *Submission) { s.Source = nil }), 422, "want one of source, source_base64 and blob"},
		{"two sources", edit(func(s *Submission) { s.Base64 = []byte("x") }), 422, "want one of"},
		{"the beginning of base64", `{"problem":"maze","language":"c","source_base64":"YQ"}`, 422, "base64"},
		{"no base64", `{"problem":"maze","language":"c","source_base64":"?"}`, 422, "base64"},
		{"a large blob", edit(func(s *Submission) { s.Source, s.Blob = nil, &Blob{strings.Repeat("a", 64), 1001} }), 422, "at most"},
		{"a blob with another name", edit(func(s *Submission) { s.Source, s.Blob = nil, &Blob{"../../x", 1} }), 422, "pattern"},
		{"no problem", edit(func(s *Submission) { s.Problem = "" }), 422, "want either a problem or tests"},
		{"a version of no problem", edit(func(s *Submission) { s.Problem = "@" }), 422, "want the id of a problem before the @"},
		{"bytes that are not UTF-8", "{\"problem\":\"maze\",\"language\":\"c\",\"source\":\"\xe9\"}", 400, "source_base64"},
		{"half of a surrogate pair", `{"problem":"maze","language":"c","source":"\ud800"}`, 400, "source_base64"},
		{"a problem and tests", edit(func(s *Submission) { s.Tests = []Test{{"", ""}} }), 422, "want either a problem or tests"},
		{"no tests", edit(func(s *Submission) { s.Problem, s.Tests = "", []Test{} }), 422, ""},
		{"large tests", edit(func(s *Submission) { s.Problem, s.Tests = "", []Test{{long, ""}} }), 422, "tests have at most 1000B"},
		{"the problem of tests", edit(func(s *Submission) { s.Problem = ledger.InlineProblem }), 422, "reserved"},
		{"an unknown problem", edit(func(s *Submission) { s.Problem = "cake" }), 404, "problem cake: no such thing (hint: GET /v1/problems lists the problems)"},
		{"an unknown version", edit(func(s *Submission) { s.Problem = "maze@000" }), 404, "problem maze@000: no such thing"},
		{"a problem that cannot be judged", edit(func(s *Submission) { s.Problem = "bad" }), 409, "no version of it can be judged"},
		{"an unknown language", edit(func(s *Submission) { s.Language = "cobol" }), 422, `unknown language \"cobol\" (hint: GET /v1/languages lists them)`},
		{"no language", edit(func(s *Submission) { s.Language = "" }), 422, "want a language, or a name"},
		{"an unknown extension", edit(func(s *Submission) { s.Language, s.Name = "", "a.cob" }), 422, "no language has the extension"},
		{"a path", edit(func(s *Submission) { s.Name = "../a.cpp" }), 422, "without folders"},
		{"a path of Windows", edit(func(s *Submission) { s.Name = `C:\a.cpp` }), 422, "without folders"},
		{"a hidden file", edit(func(s *Submission) { s.Name = ".a.cpp" }), 422, "dot or a hyphen"},
		{"a flag", edit(func(s *Submission) { s.Name = "-o.cpp" }), 422, "dot or a hyphen"},
		{"a line break in a name", edit(func(s *Submission) { s.Name = "a\n.cpp" }), 422, "printable"},
		{"an unknown limit", edit(func(s *Submission) { s.Problem, s.Tests, s.Limits = "", []Test{{"", ""}}, "ram=1MiB" }), 422, "unknown limit"},
		{"a limit that is too large", edit(func(s *Submission) { s.Problem, s.Tests, s.Limits = "", []Test{{"", ""}}, "cpu=1h" }), 422, "cpu is at most 30s here"},
		{"other limits of a problem", edit(func(s *Submission) { s.Limits = "cpu=9s" }), 403, "scope read"},
		{"an unknown priority", edit(func(s *Submission) { s.Priority = "rejudge" }), 422, "priority"},
		{"a submitter with a line break", edit(func(s *Submission) { s.Submitter = "a\nb" }), 422, "printable"},
		{"an archive that is none", edit(func(s *Submission) { s.Name = "a.zip" }), 422, "not a zip archive"},
	} {
		r := w.do("ann", "POST", "/v1/judgings", tt.body)
		if r.StatusCode != tt.status || !strings.Contains(r.text, tt.want) || r.Header.Get("Content-Type") != problemJSON {
			t.Errorf("%s: %s %s %s, want %d %s", tt.why, r.Status, r.Header.Get("Content-Type"), r.text, tt.status, tt.want)
		}
		if strings.Contains(r.text, long) {
			t.Errorf("%s: the answer repeats the request", tt.why)
		}
	}
	after, err := w.store.Log.Last(t.Context())
	if err != nil || after != before && after != before+1 { // the check of the problem that cannot be judged
		t.Errorf("%d records before, %d after: %v", before, after, err)
	}
}

// TestBadPaths asks for what there is not.
func TestBadPaths(t *testing.T) {
	t.Parallel()
	w := start(t, nil)
	for _, tt := range []struct {
		why, method, path string
		status            int
		want              string
	}{
		{"an unknown path", "GET", "/v2", 404, "/openapi.json"},
		{"the root", "GET", "/", 404, "no such path"},
		{"another method", "PUT", "/v1/judgings", 405, "PUT is not allowed here (hint: GET, HEAD, POST)"},
		{"an unknown judging", "GET", "/v1/judgings/x", 404, "judging x: no such thing"},
		{"a path in an id", "GET", "/v1/judgings/..%2F..%2Fetc", 404, "no such thing"},
		{"a long id", "GET", "/v1/judgings/" + strings.Repeat("x", 65), 422, "length"},
		{"an unknown result", "GET", "/v1/judgings/x/result", 404, "no such thing"},
		{"unknown events", "GET", "/v1/judgings/x/events", 404, "no such thing"},
		{"an unknown problem", "GET", "/v1/problems/x", 404, "problem x: no such thing"},
		{"an unknown batch", "GET", "/v1/rejudgings/x", 404, "batch x: no such thing"},
		{"an unknown parameter", "GET", "/v1/judgings?sort=up", 422, "sort"},
		{"an unknown parameter of a stream", "GET", "/v1/events?submiter=ann", 422, `"query.submiter","message":"unknown query parameter"`},
		{"a status that there is not", "GET", "/v1/judgings?status=lost", 422, "status"},
		{"an unknown page", "GET", "/v1/judgings?after=x", 404, "no such thing"},
		{"no limit", "GET", "/v1/judgings?limit=0", 422, "limit"},
		{"a query that is none", "GET", "/v1/judgings?submitter=50%", 400, "the query is not valid"},
		{"the same of a stream", "GET", "/v1/events?submitter=%zz", 400, "the query is not valid"},
		{"no time", "GET", "/v1/judgings/x?wait=soon", 422, "wait: want a time such as 30s"},
	} {
		r := w.do("teacher", tt.method, tt.path, nil)
		if r.StatusCode != tt.status || !strings.Contains(r.text, tt.want) || r.Header.Get("Content-Type") != problemJSON {
			t.Errorf("%s: %s %s %s, want %d %s", tt.why, r.Status, r.Header.Get("Content-Type"), r.text, tt.status, tt.want)
		}
	}
}

// TestBusy checks that a client is told to come back when too many judgings of a submitter wait.
func TestBusy(t *testing.T) {
	t.Parallel()
	w := start(t, nil)
	w.waiting("maze")
	for i := range 50 {
		if r := w.do("ann", "POST", "/v1/judgings", program(fmt.Sprint("AC", i))); r.StatusCode != http.StatusCreated {
			t.Fatal(r.Status, r.text)
		}
	}
	if err := w.service.CatchUp(t.Context()); err != nil {
		t.Fatal(err)
	}
	r := w.do("ann", "POST", "/v1/judgings", program("AC"))
	if r.StatusCode != http.StatusTooManyRequests || r.Header.Get("Retry-After") != "5" || !strings.Contains(r.text, kindBusy) {
		t.Errorf("%s %s %v", r.Status, r.text, r.Header)
	}
	r = w.do("ann", "POST", "/submissions/batch", `{"submissions":[{"source_code":"x","language_id":50}]}`)
	if r.StatusCode != http.StatusServiceUnavailable || r.Header.Get("Retry-After") != "5" || !strings.Contains(r.text, "queue is full") {
		t.Errorf("a batch of Judge0: %s %s", r.Status, r.text)
	}
	if r := w.do("bob", "POST", "/v1/judgings", program("AC")); r.StatusCode != http.StatusCreated {
		t.Errorf("another submitter: %s", r.Status)
	}
}
