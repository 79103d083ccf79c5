package submit

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"tribunal/judge/cli/client"
	"tribunal/judge/internal/account"
	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/journal"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/verdict"
)

// fake is a server that judges by the text of a source.
type fake struct {
	mu       sync.Mutex
	requests []string
	keys     map[string]string                                  // ids of judgings by idempotency key
	refuse   func(path string, n int) (status int, body string) // of the n-th request for a path
	asked    map[string]int
	cases    []string
	newest   string
	versions []client.VersionInfo
}

func (f *fake) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	defer f.mu.Unlock()
	body, _ := io.ReadAll(r.Body) // what is missing is seen in the requests
	f.requests = append(f.requests, r.Method+" "+r.URL.Path+" "+string(body))
	f.asked[r.URL.Path]++
	if f.refuse != nil {
		if status, text := f.refuse(r.URL.Path, f.asked[r.URL.Path]); status > 0 {
			w.Header().Set("Retry-After", "0")
			w.WriteHeader(status)
			_, _ = io.WriteString(w, text)
			return
		}
	}
	answer := func(v any) { _ = json.NewEncoder(w).Encode(v) }
	switch id := r.PathValue("id"); {
	case strings.HasPrefix(r.URL.Path, "/v1/problems/"):
		answer(client.ProblemInfo{Newest: f.newest, Versions: f.versions})
	case r.Method == http.MethodPost && r.URL.Path == "/v1/judgings":
		var s client.Submission
		if err := json.Unmarshal(body, &s); err != nil {
			panic(err)
		}
		key := r.Header.Get("Idempotency-Key")
		if f.keys[key] == "" {
			f.keys[key] = string(s.SourceBase64)
		}
		answer(client.Judging{ID: string(s.SourceBase64), Status: "waiting"})
	case strings.HasSuffix(r.URL.Path, "/result"):
		answer(f.result(id))
	case strings.HasSuffix(r.URL.Path, "/cancel"):
		answer(client.Judging{ID: id, Status: "cancelled"})
	default:
		j := client.Judging{ID: id, Status: "done", Number: 1}
		if id == "held" {
			j.Status, j.Error = "held", "three workers died"
		}
		answer(j)
	}
}

func (f *fake) result(id string) any {
	v := verdict.AC
	c := grade.Case{Name: "a/2", Verdict: verdict.AC}
	if id == "wrong" {
		v = verdict.WA
		c = grade.Case{Name: "a/2", Verdict: verdict.WA, Cause: "differs", Mismatch: &diff.Mismatch{Line: 1}, Stderr: "oh"}
	}
	cases := f.cases
	if id == "nothing" { // of a problem whose verdicts submitters do not see
		return map[string]any{"feedback": "none", "begin": map[string]any{"problem": "maze"}, "built": grade.Built{Language: "c"}, "done": map[string]any{"verdict": ""}}
	}
	if id == "other" {
		cases = []string{"b/1"}
	}
	return map[string]any{
		"host":  map[string]string{"worker": "w1", "host": "h1"},
		"begin": grade.Begin{Problem: "maze", Title: "A maze", Limits: limits.Limits{Memory: limits.GiB}, Cases: cases, Notes: []string{"a note"}, Command: []string{"judge"}, Submissions: []string{"x"}},
		"built": grade.Built{Language: "c"}, "cases": []journal.Case{{Index: 1, Case: c}},
		"done": grade.Done{Verdict: v, Judged: 1, Total: 2, First: "a/2"},
	}
}

// serve starts a fake and returns a task for it with sources of these texts.
func serve(t *testing.T, f *fake, texts ...string) *Task {
	t.Helper()
	f.keys, f.asked, f.cases = map[string]string{}, map[string]int{}, []string{"a/1", "a/2"}
	if f.newest == "" {
		f.newest = "v1"
	}
	mux := http.NewServeMux()
	mux.Handle("/", f)
	mux.Handle("/v1/judgings/{id}", f)
	mux.Handle("/v1/judgings/{id}/{what}", f)
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	task := &Task{Client: &client.Client{URL: s.URL, HTTP: s.Client()}, Problem: "maze"}
	for _, text := range texts {
		task.Sources = append(task.Sources, Source{Shown: text + ".c", Name: text + ".c", Data: []byte(text)})
	}
	return task
}

// TestGrade checks that the events are those that an account takes, in the order of the sources, and
// what becomes of submissions without a result.
func TestGrade(t *testing.T) {
	t.Parallel()
	f := &fake{}
	task := serve(t, f, "held", "right", "wrong", "held")
	task.Expected = []verdict.Verdict{verdict.None, verdict.AC, verdict.AC, verdict.None}
	x := &account.Execution{Full: -1}
	var kinds []string
	taken, err := task.Grade(t.Context(), func(e grade.Event) {
		kinds = append(kinds, strings.TrimPrefix(fmt.Sprintf("%T", e), "*grade."))
		x.Apply(e)
	})
	if err != nil {
		t.Fatal(err)
	}
	want := "Begin Built Done Built Case Done Progress Built Case Done Progress Built Done Progress End"
	if got := strings.Join(kinds, " "); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if x.Title != "A maze" || !slices.Equal(x.Notes, []string{"a note", "judged by w1 on h1"}) || x.Command != nil || !x.Ended {
		t.Errorf("%+v", x.Begin)
	}
	for i, want := range []verdict.Verdict{verdict.JE, verdict.AC, verdict.WA, verdict.JE} {
		s := x.Submissions[i]
		if s.Name != task.Sources[i].Shown || s.Verdict != want || !s.Finished || s.Total != 2 {
			t.Errorf("%d: %+v", i, s)
		}
	}
	if s := x.Submissions[2]; *s.AsExpected || s.Deciding() == nil || s.Deciding().Mismatch == nil || s.Deciding().Stderr != "oh" || s.On(1) == nil || s.Language != "c" {
		t.Errorf("%+v", s)
	}
	if s := x.Submissions[0]; s.Cause != "the server has no result: three workers died" || s.AsExpected != nil {
		t.Errorf("%+v", s)
	}
	if len(taken) != 4 || !taken[3].Ended || taken[3].ID != "held" {
		t.Errorf("%+v", taken)
	}
	for _, r := range f.requests {
		if strings.HasPrefix(r, "POST /v1/judgings ") && !strings.Contains(r, `"problem":"maze@v1"`) {
			t.Errorf("the version is not fixed: %s", r)
		}
	}
}

// TestWithheld checks what is said about a verdict that a server does not show.
func TestWithheld(t *testing.T) {
	t.Parallel()
	task := serve(t, &fake{}, "nothing")
	x := &account.Execution{Full: -1}
	if _, err := task.Grade(t.Context(), func(e grade.Event) { x.Apply(e) }); err != nil {
		t.Fatal(err)
	}
	if want := []string{"not shown to submitters: verdicts, except of what does not compile"}; !slices.Equal(x.Notes, want) {
		t.Errorf("%q", x.Notes)
	}
	if s := x.Submissions[0]; !x.Withheld || s.Verdict != verdict.None || s.Cause != "the verdict is not shown to submitters" || !s.Finished {
		t.Errorf("%+v", s)
	}
	for _, f := range problem.Feedbacks() {
		if (withheld[f] == "") != (f == problem.FeedbackAll) {
			t.Errorf("%s: %q", f, withheld[f])
		}
	}
}

// TestFirstVersion hands in for a problem whose versions have not been checked yet, or cannot be judged.
func TestFirstVersion(t *testing.T) {
	t.Parallel()
	f := &fake{versions: []client.VersionInfo{{Version: "v3", Status: "unusable"}, {Version: "v2", Status: "waiting"}, {Version: "v1", Status: "waiting"}}}
	task := serve(t, f, "right")
	f.newest = ""
	if _, err := task.Grade(t.Context(), func(grade.Event) {}); err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(f.requests, func(r string) bool { return strings.Contains(r, `"problem":"maze@v2"`) }) {
		t.Errorf("the requests are %q", f.requests)
	}
}

// TestAgain checks that a busy server is waited for, and that nothing is handed in twice.
func TestAgain(t *testing.T) {
	t.Parallel()
	f := &fake{refuse: func(path string, n int) (int, string) {
		switch {
		case path == "/v1/judgings" && n == 1:
			return 429, `{"title":"Too Many Requests","detail":"too many judgings wait"}`
		case path == "/v1/judgings/right/result" && n == 1:
			return 503, `{"title":"Service Unavailable"}`
		}
		return 0, ""
	}}
	task := serve(t, f, "right")
	var notes []string
	task.Note = func(text string) { notes = append(notes, text) }
	if _, err := task.Grade(t.Context(), func(grade.Event) {}); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(notes, []string{"the server is busy, waiting for it"}) || len(f.keys) != 1 {
		t.Errorf("%q, %v", notes, f.keys)
	}
}

// TestAway checks that the user hears each time that the server is away, and that it is back.
func TestAway(t *testing.T) {
	t.Parallel()
	f := &fake{refuse: func(path string, n int) (int, string) {
		if n == 1 && (path == "/v1/judgings/right" || path == "/v1/judgings/right/result") {
			return 503, `{"title":"Service Unavailable"}`
		}
		return 0, ""
	}}
	task := serve(t, f, "right")
	var notes []string
	task.Note = func(text string) { notes = append(notes, strings.Split(text, ",")[0]) }
	if _, err := task.Grade(t.Context(), func(grade.Event) {}); err != nil {
		t.Fatal(err)
	}
	if want := []string{"the server does not answer", "the server answers again", "the server does not answer", "the server answers again"}; !slices.Equal(notes, want) {
		t.Errorf("%q", notes)
	}
}

// TestErrors checks what is said when the server refuses, or answers something else.
func TestErrors(t *testing.T) {
	t.Parallel()
	refuse := func(at string, status int, body string) *fake {
		return &fake{refuse: func(path string, _ int) (int, string) {
			if path == at {
				return status, body
			}
			return 0, ""
		}}
	}
	for _, tt := range []struct {
		why     string
		fake    *fake
		texts   []string
		problem string
		want    string
	}{
		{"an unknown problem", refuse("/v1/problems/maze", 404, `{"detail":"problem maze: no such thing"}`), []string{"right"}, "maze", "problem maze: no such thing"},
		{"a problem that cannot be judged", &fake{newest: "-"}, []string{"right"}, "maze", "no version of it can be judged (hint: "},
		{"a source that is refused", refuse("/v1/judgings", 422, `{"detail":"the request is not valid","errors":[{"location":"body.language","message":"unknown"}]}`), []string{"right"}, "maze", "right.c: the request is not valid; language: unknown"},
		{"a wrong token", refuse("/v1/judgings", 401, `{"detail":"unknown token"}`), []string{"right"}, "maze@v2", "unknown token"},
		{"no result at all", &fake{}, []string{"held", "held"}, "maze", "held.c: the server has no result: three workers died (hint: "},
		{"another version", &fake{}, []string{"right", "other"}, "maze", "other.c: was judged on other cases than right.c (hint: judge again)"},
		{"no result of a judging", refuse("/v1/judgings/right/result", 200, `{"run":{}}`), []string{"right"}, "maze", "the result is not of a judging"},
	} {
		task := serve(t, tt.fake, tt.texts...)
		if tt.fake.newest == "-" {
			tt.fake.newest = ""
		}
		task.Problem = tt.problem
		if _, err := task.Grade(t.Context(), func(grade.Event) {}); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %s", tt.why, err, tt.want)
		}
	}
}

// TestInterrupted checks that what was taken is known after an interrupt, and can be cancelled.
func TestInterrupted(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why, path string
		request   int // to the path, from 1
		status    int
	}{
		{"while the server judges", "/v1/judgings/slow", 1, 503},
		{"before the server has answered", "/v1/judgings", 2, 0},
	} {
		ctx, stop := context.WithCancel(t.Context())
		f := &fake{refuse: func(path string, n int) (int, string) {
			if path == tt.path && n == tt.request {
				stop()
				return tt.status, "{}"
			}
			return 0, ""
		}}
		task := serve(t, f, "right", "slow")
		task.Parallel = 1
		taken, err := task.Grade(ctx, func(grade.Event) {})
		if !errors.Is(err, context.Canceled) || len(taken) != 2 || !taken[0].Ended || taken[1].Ended {
			t.Fatalf("%s: %+v, %v", tt.why, taken, err)
		}
		if n, err := Cancel(t.Context(), task.Client, taken); n != 1 || err != nil {
			t.Errorf("%s: %d cancelled, %v", tt.why, n, err)
		}
		if last := f.requests[len(f.requests)-1]; last != `POST /v1/judgings/slow/cancel {"reason":"interrupted"}` {
			t.Errorf("%s: %s", tt.why, last)
		}
	}
}

// TestRead reads sources as users name them.
func TestRead(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		file := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"a.c", "many/b.c", "many/lib/b.h", "many/.git/x", "many/.hidden", "many/__pycache__/y", "empty/.x"} {
		write(name, name)
	}
	if err := os.Symlink("a.c", filepath.Join(dir, "many", "lib", "link.c")); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ why, name, want string }{
		{"a file", "a.c", "a.c"},
		{"a folder with a link", "many", "not a regular file"},
		{"a folder without files", "empty", "has no files"},
		{"nothing", "b.c", "no such file"},
	} {
		s, err := Read(filepath.Join(dir, tt.name))
		if got := string(s.Data) + fmt.Sprint(err); !strings.Contains(got, tt.want) {
			t.Errorf("%s: %s, want %s", tt.why, got, tt.want)
		}
	}
	if err := os.Remove(filepath.Join(dir, "many", "lib", "link.c")); err != nil {
		t.Fatal(err)
	}
	s, err := Read(filepath.Join(dir, "many"))
	if err != nil || s.Name != "many.zip" {
		t.Fatalf("%s, %v", s.Name, err)
	}
	z, err := zip.NewReader(bytes.NewReader(s.Data), int64(len(s.Data)))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range z.File {
		names = append(names, f.Name)
	}
	if !slices.Equal(names, []string{"b.c", "lib/b.h"}) {
		t.Errorf("%q", names)
	}
	if s, err := ReadFrom("-", "x.c", strings.NewReader("text")); err != nil || string(s.Data) != "text" || s.Name != "x.c" {
		t.Errorf("%+v, %v", s, err)
	}
}
