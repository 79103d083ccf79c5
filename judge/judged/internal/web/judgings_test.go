package web

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"tribunal/judge/judged/internal/ledger"
	"tribunal/judge/judged/internal/task"
)

func text(s string) *string { return &s }

// program is a submission of a program that gets a verdict.
func program(verdict string) Submission {
	return Submission{Problem: "maze", Language: "cpp", Source: text(verdict)}
}

// judged hands something in and waits for its end.
func (w *world) judged(token string, s Submission) (j Judging) {
	w.t.Helper()
	w.do(token, "POST", "/v1/judgings?wait=60s", s).decode(w.t, http.StatusCreated, &j)
	return j
}

func TestJudging(t *testing.T) {
	t.Parallel()
	w := start(t, judge)
	v := w.problem("maze")
	r := w.do("ann", "POST", "/v1/judgings?wait=60s", program("WA"))
	var j Judging
	r.decode(t, http.StatusCreated, &j)
	if j.Verdict != "WA" || j.Status != "done" || j.Submitter != "ann" || j.Name != "solution.cpp" || j.Number != 1 || len(j.Judgings) != 1 || j.Version != v.ID {
		t.Errorf("%+v", j)
	}
	if r.Header.Get("Location") != j.Links.Self {
		t.Errorf("%v", r.Header)
	}
	var again Judging
	w.do("ann", "GET", j.Links.Self, nil).decode(t, http.StatusOK, &again)
	if again.Verdict != "WA" || again.Sequence != j.Sequence {
		t.Errorf("%+v", again)
	}
	var result task.Result
	w.do("ann", "GET", j.Links.Result, nil).decode(t, http.StatusOK, &result)
	if result.Done == nil || result.Done.Verdict.String() != "WA" || len(result.Begin.Cases) != 2 {
		t.Errorf("%+v", result)
	}
	source := w.do("ann", "GET", j.Links.Source, nil)
	if source.text != "WA" || source.Header.Get("Content-Type") != bytesType || source.Header.Get("Content-Disposition") != "attachment; filename=solution.cpp" {
		t.Errorf("%s, %v", source.text, source.Header)
	}
}

// TestEmptySource hands in a source without bytes, which gets a verdict as any other.
func TestEmptySource(t *testing.T) {
	t.Parallel()
	w := start(t, judge)
	w.problem("maze")
	for _, field := range []string{"source", "source_base64"} {
		body := fmt.Sprintf(`{"problem":"maze","language":"c",%q:""}`, field)
		var j Judging
		if w.do("ann", "POST", "/v1/judgings?wait=60s", body).decode(t, http.StatusCreated, &j); j.Status != "done" {
			t.Errorf("%s: %+v", field, j)
		}
	}
}

// TestOwn checks who sees a judging: its owner, and those who may read.
func TestOwn(t *testing.T) {
	t.Parallel()
	w := start(t, judge)
	w.problem("maze")
	s := program("AC")
	s.Submitter = "team 1/é"
	j := w.judged("ann", s)
	if j.Submitter != "ann/team 1/é" {
		t.Errorf("submitter %q", j.Submitter)
	}
	for _, path := range []string{j.Links.Self, j.Links.Result, j.Links.Source} {
		for token, want := range map[string]int{"ann": 200, "bob": 404, "reader": 200, "rejudger": 200, "teacher": 200} {
			if got := w.do(token, "GET", path, nil); got.StatusCode != want {
				t.Errorf("%s asks for %s: %s, want %d", token, path, got.Status, want)
			}
		}
	}
	for token, want := range map[string]int{"ann": 1, "bob": 0, "reader": 1} {
		var list JudgingList
		if w.do(token, "GET", "/v1/judgings", nil).decode(t, 200, &list); len(list.Judgings) != want {
			t.Errorf("%s sees %d judgings, want %d", token, len(list.Judgings), want)
		}
	}
	if r := w.do("bob", "POST", j.Links.Self+"/cancel", nil); r.StatusCode != 404 {
		t.Errorf("bob cancels: %s", r.Status)
	}
}

// TestOwners checks that owners with similar names have different submissions.
func TestOwners(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why, submitter, owner string
		want                  bool
	}{
		{"the owner", "a", "a", true},
		{"a submitter of the owner", "a/b", "a", true},
		{"another owner with a longer name", "ab", "a", false},
		{"an owner with a slash is not a submitter of another owner", "a%2Fb", "a", false},
		{"and sees its own", "a%2Fb", "a/b", true},
		{"whatever its name looks like", "a%252Fb", "a%2Fb", true},
		{"a course", "/a/b", "a", false},
		{"nor one that is called like a course", "/a/b", "/a", false},
		{"nobody", "", "", false},
	} {
		c := &Caller{}
		c.Owner = tt.owner
		if got := c.own(&ledger.Submission{Submitter: tt.submitter}); got != tt.want {
			t.Errorf("%s: %v", tt.why, got)
		}
		if name, err := submitterOf("x", c); tt.want && (err != nil || !strings.HasPrefix(tt.submitter+"/", strings.TrimSuffix(name, "x"))) {
			t.Errorf("%s: %q, %v", tt.why, name, err)
		}
	}
}

// TestIdempotency checks that a request with a key is one judging, however often it is sent.
func TestIdempotency(t *testing.T) {
	t.Parallel()
	w := start(t, judge)
	w.problem("maze")
	var first, second Judging
	w.do("ann", "POST", "/v1/judgings", program("AC"), "Idempotency-Key", "k").decode(t, http.StatusCreated, &first)
	w.do("ann", "POST", "/v1/judgings", program("AC"), "Idempotency-Key", "k").decode(t, http.StatusOK, &second)
	if first.ID != second.ID {
		t.Error("the same request twice is two judgings")
	}
	var p Problem
	if w.do("ann", "POST", "/v1/judgings", program("WA"), "Idempotency-Key", "k").decode(t, 422, &p); p.Type != kindReused {
		t.Errorf("%+v", p)
	}
	w.do("bob", "POST", "/v1/judgings", program("AC"), "Idempotency-Key", "k").decode(t, http.StatusCreated, &second)
	if first.ID == second.ID {
		t.Error("two owners share a key")
	}
}

// TestList checks filters and pages.
func TestList(t *testing.T) {
	t.Parallel()
	w := start(t, judge)
	v := w.problem("maze")
	w.problem("game")
	var ids []string
	var all []Judging
	for i := range 5 {
		s := program([]string{"AC", "WA"}[i%2])
		if i == 4 {
			s.Problem = "game"
		}
		all = append(all, w.judged("ann", s))
		ids = append(ids, all[i].ID)
	}
	third := url.QueryEscape(all[2].Created.Format(time.RFC3339Nano))
	for _, tt := range []struct {
		query string
		want  []int
	}{
		{"", []int{4, 3, 2, 1, 0}},
		{"?verdict=WA", []int{3, 1}},
		{"?problem=game", []int{4}},
		{"?problem=maze@" + v.ID[:8], []int{3, 2, 1, 0}},
		{"?problem=maze@0000", nil},
		{"?status=waiting", nil},
		{"?language=cpp&verdict=WA", []int{3, 1}},
		{"?language=python", nil},
		{"?worker=" + url.QueryEscape(all[0].Worker), []int{4, 3, 2, 1, 0}},
		{"?worker=another", nil},
		{"?since=" + third, []int{4, 3, 2}},
		{"?until=" + third, []int{1, 0}},
		{"?submitter=ann&limit=2", []int{4, 3}},
		{"?limit=2&after=" + ids[3], []int{2, 1}},
		{"?limit=2&after=" + ids[1], []int{0}},
		{"?submitter=bob", nil},
	} {
		var list JudgingList
		w.do("reader", "GET", "/v1/judgings"+tt.query, nil).decode(t, 200, &list)
		var got []int
		for _, j := range list.Judgings {
			got = append(got, slices.Index(ids, j.ID))
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v, want %v", tt.query, got, tt.want)
		}
		if more := len(tt.want) == 2 && strings.Contains(tt.query, "limit"); (list.Next != "") != more || more && list.Next != list.Judgings[1].ID {
			t.Errorf("%s: next %q", tt.query, list.Next)
		}
	}
}

// TestHeldRejudging checks that a rejudging which is held is in the list of what is held, although it does not count:
// it waits for a release all the same, as judged_held says.
func TestHeldRejudging(t *testing.T) {
	t.Parallel()
	w := start(t, func(w *world, t *task.Task) *task.Answer {
		if t.Judging == 2 {
			return &task.Answer{Error: "the judge failed"}
		}
		return judge(w, t)
	})
	w.problem("maze")
	j := w.judged("ann", program("AC"))
	w.preview(w.rejudge(Rejudging{Judgings: []string{j.ID}}), j)
	for query, want := range map[string]int{"status=held": 1, "status=done": 1, "status=waiting": 0} {
		var list JudgingList
		w.do("reader", "GET", "/v1/judgings?"+query, nil).decode(t, 200, &list)
		if len(list.Judgings) != want {
			t.Errorf("%s: %d, want %d", query, len(list.Judgings), want)
		}
	}
	if r := w.do("rejudger", "POST", j.Links.Self+"/release", nil); r.StatusCode != http.StatusConflict {
		t.Errorf("the judging that counts is released: %s", r.Status)
	}
	if r := w.do("rejudger", "POST", j.Links.Self+"/release?judging=2", nil); r.StatusCode != http.StatusOK {
		t.Errorf("the rejudging is not released: %s", r.Status)
	}
}

// TestCancel checks that a judging can be cancelled until it has ended, and released when it is held.
func TestCancel(t *testing.T) {
	t.Parallel()
	w := start(t, judge)
	w.problem("maze")
	held := w.judged("ann", program("JE"))
	if held.Status != "held" || held.Error != "the judge failed" || held.Attempt != 4 {
		t.Errorf("%+v", held)
	}
	var j Judging
	w.do("rejudger", "POST", held.Links.Self+"/release", nil).decode(t, 200, &j)
	if j.Status == "done" {
		t.Errorf("%+v", j)
	}
	w.do("ann", "GET", held.Links.Self+"?wait=60s", nil).decode(t, 200, &j)
	if j.Status != "held" || j.Attempt != 7 {
		t.Errorf("%+v", j)
	}
	w.do("ann", "POST", held.Links.Self+"/cancel", Reason{"twice"}).decode(t, 200, &j)
	if j.Status != "cancelled" || j.Error != "cancelled: twice" {
		t.Errorf("%+v", j)
	}
	if r := w.do("clerk", "POST", held.Links.Self+"/cancel", nil); r.StatusCode != 403 {
		t.Errorf("who may only read cancels: %s", r.Status)
	}
	done := w.judged("ann", program("AC"))
	for _, path := range []string{"/cancel", "/release"} {
		if r := w.do("teacher", "POST", done.Links.Self+path, nil); r.StatusCode != 409 && path == "/release" || r.StatusCode < 400 {
			t.Errorf("%s of a judging that is done: %s", path, r.Status)
		}
	}
	if r := w.do("ann", "POST", done.Links.Self+"/cancel", nil); r.StatusCode != 409 {
		t.Errorf("cancelling what is done: %s %s", r.Status, r.text)
	}
}

// TestInline checks that tests that come with a submission are a version of their own, one for the same
// tests, which is not listed and needs no check.
func TestInline(t *testing.T) {
	t.Parallel()
	w := start(t, func(w *world, k *task.Task) *task.Answer {
		if k.Part == task.Check {
			t.Error("the tests of a submission are checked")
		}
		return judge(w, k)
	})
	s := Submission{Language: "go", Source: text("AC"), Tests: []Test{{"1\n", "2\n"}, {"2\n", "4\n"}}, Limits: "cpu=1s"}
	a, b := w.judged("ann", s), w.judged("bob", s)
	if a.Verdict != "AC" || a.Problem != ledger.InlineProblem || a.Version != b.Version {
		t.Errorf("%+v", a)
	}
	w.do("ann", "POST", "/v1/judgings?wait=60s", s, "Idempotency-Key", "k").decode(t, http.StatusCreated, &b)
	s.Tests[0].Output = "3\n"
	if c := w.judged("ann", s); c.Version == a.Version {
		t.Error("other tests are the same version")
	}
	before := w.service.Sequence()
	s.Tests[0].Output = "2\n"
	if w.do("ann", "POST", "/v1/judgings", s, "Idempotency-Key", "k").decode(t, http.StatusOK, &a); a.ID != b.ID {
		t.Errorf("the same submission is %s and %s", a.ID, b.ID)
	}
	if err := w.service.CatchUp(t.Context()); err != nil || w.service.Sequence() != before {
		t.Errorf("a submission that was known has added records: %v", err)
	}
	var list ProblemList
	if w.do("ann", "GET", "/v1/problems", nil).decode(t, 200, &list); len(list.Problems) != 0 {
		t.Errorf("%+v", list)
	}
	if r := w.do("ann", "GET", "/v1/problems/"+ledger.InlineProblem, nil); r.StatusCode != 404 {
		t.Error(r.Status)
	}
}

// TestBlob checks submissions whose source is stored before.
func TestBlob(t *testing.T) {
	t.Parallel()
	w := start(t, judge)
	w.problem("maze")
	source := "WA" + strings.Repeat("x", 100_000)
	sum := sha256.Sum256([]byte(source))
	hash := hex.EncodeToString(sum[:])
	s := program("")
	s.Source, s.Blob = nil, &Blob{hash, int64(len(source))}
	if r := w.do("ann", "POST", "/v1/judgings", s); r.StatusCode != 422 || !strings.Contains(r.text, "PUT /v1/blobs/{sha256}") {
		t.Errorf("a blob that is not there: %s %s", r.Status, r.text)
	}
	if r := w.do("ann", "PUT", "/v1/blobs/"+hash, source[1:], "Content-Type", bytesType); r.StatusCode != 422 {
		t.Errorf("another content: %s", r.Status)
	}
	var blob Blob
	w.do("ann", "PUT", "/v1/blobs/"+hash, source, "Content-Type", bytesType).decode(t, http.StatusCreated, &blob)
	if blob != *s.Blob {
		t.Errorf("%+v", blob)
	}
	j := w.judged("ann", s)
	if got := w.do("ann", "GET", j.Links.Source, nil).text; j.Verdict != "WA" || got != source {
		t.Errorf("%+v", j)
	}
	if r := w.do("bob", "POST", "/v1/judgings", s); r.StatusCode != 422 {
		t.Errorf("a blob that another owner has stored: %s", r.Status)
	}
}

// TestSecretPackage tries to read a package, whose hash everybody knows, by handing it in.
func TestSecretPackage(t *testing.T) {
	t.Parallel()
	w := start(t, judge)
	v := w.problem("maze")
	s := program("")
	s.Source, s.Blob = nil, &Blob{v.ID, v.Archive.Size}
	if r := w.do("ann", "POST", "/v1/judgings", s); r.StatusCode != 422 {
		t.Errorf("the package can be handed in as a source: %s %s", r.Status, r.text)
	}
}

// TestErase checks that nothing is left of what is erased.
func TestErase(t *testing.T) {
	t.Parallel()
	w := start(t, judge)
	w.problem("maze")
	s := program("AC")
	s.Submitter = "x"
	var keyed Judging
	w.do("ann", "POST", "/v1/judgings", s, "Idempotency-Key", "k").decode(t, http.StatusCreated, &keyed)
	if r := w.do("admin", "DELETE", keyed.Links.Self, nil); r.StatusCode != http.StatusNoContent {
		t.Error(r.Status, r.text)
	}
	if r := w.do("ann", "POST", "/v1/judgings", s, "Idempotency-Key", "k"); r.StatusCode != http.StatusConflict || !strings.Contains(r.text, "another key") {
		t.Errorf("the key of an erased submission: %s %s", r.Status, r.text)
	}
	first, second, other := w.judged("ann", s), w.judged("ann", s), w.judged("ann", program("AC"))
	if r := w.do("admin", "DELETE", first.Links.Self, nil); r.StatusCode != http.StatusNoContent {
		t.Error(r.Status, r.text)
	}
	if r := w.do("admin", "DELETE", first.Links.Self, nil); r.StatusCode != http.StatusNotFound {
		t.Error(r.Status)
	}
	var erased Erased
	if w.do("admin", "DELETE", "/v1/submitters/ann%2Fx", nil).decode(t, 200, &erased); erased.Erased != 1 {
		t.Errorf("%+v", erased)
	}
	for id, want := range map[string]int{first.ID: 404, second.ID: 404, other.ID: 200} {
		if r := w.do("ann", "GET", "/v1/judgings/"+id, nil); r.StatusCode != want {
			t.Errorf("%s: %s, want %d", id, r.Status, want)
		}
	}
}

// TestPosition asks for a judging that waits, in all answers that have one, and when it has ended.
func TestPosition(t *testing.T) {
	t.Parallel()
	w := start(t, nil)
	w.waiting("maze")
	var first, second, now Judging
	w.do("ann", "POST", "/v1/judgings", program("AC")).decode(t, 201, &first)
	w.do("ann", "POST", "/v1/judgings", program("WA")).decode(t, 201, &second)
	if err := w.service.CatchUp(t.Context()); err != nil {
		t.Fatal(err)
	}
	for i, j := range []Judging{first, second} {
		if w.do("ann", "GET", j.Links.Self, nil).decode(t, 200, &now); now.Position != i+1 {
			t.Errorf("judging %d has position %d", i+1, now.Position)
		}
	}
	if w.do("ann", "POST", first.Links.Self+"/cancel", nil); first.Position != 0 {
		t.Errorf("an answer that does not know it says %d", first.Position)
	}
	for i, j := range []Judging{first, second} {
		now = Judging{}
		if w.do("ann", "GET", j.Links.Self, nil).decode(t, 200, &now); now.Position != i {
			t.Errorf("after the first was cancelled, judging %d has position %d", i+1, now.Position)
		}
	}
}
