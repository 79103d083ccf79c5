package web

import (
	"net/http"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"tribunal/judge/judged/internal/task"
)

// rejudge asks for a rejudging.
func (w *world) rejudge(r Rejudging) string {
	w.t.Helper()
	var info RejudgingInfo
	w.do("rejudger", "POST", "/v1/rejudgings", r).decode(w.t, http.StatusCreated, &info)
	return info.Batch
}

// preview waits until nothing happens to the judgings of a batch any more, and returns what it changes.
func (w *world) preview(batch string, judgings ...Judging) (p RejudgingPreview) {
	w.t.Helper()
	for _, j := range judgings {
		w.do("reader", "GET", j.Links.Events, nil) // ends with the judging
	}
	w.do("rejudger", "GET", "/v1/rejudgings/"+batch, nil).decode(w.t, 200, &p)
	return p
}

// TestRejudge judges again with another version of the problem, looks at what would change, and applies
// it.
func TestRejudge(t *testing.T) {
	t.Parallel()
	first := ""
	w := start(t, func(w *world, task *task.Task) *task.Answer {
		a := judge(w, task)
		if task.Version != first && a.Summary != nil && a.Summary.Verdict.String() == "WA" {
			a.Summary.Verdict = 1 // the new version accepts what was wrong
		}
		return a
	})
	first = w.problem("maze").ID
	right, wrong := w.judged("ann", program("AC")), w.judged("bob", program("WA"))
	tle := w.judged("bob", program("TLE"))
	var v VersionInfo
	w.do("author", "POST", "/v1/problems?id=maze&wait=60s", string(pack(t, map[string]string{"problem.yaml": "new"})), "Content-Type", "application/zip").decode(t, http.StatusCreated, &v)
	if v.Status != "usable" || v.Cases != 2 || v.By != "author" {
		t.Errorf("%+v", v)
	}
	var twice RejudgingInfo
	w.do("rejudger", "POST", "/v1/rejudgings", Rejudging{Judgings: []string{right.ID, right.ID}}).decode(t, http.StatusCreated, &twice)
	if twice.Judgings != 1 {
		t.Errorf("a judging that is named twice counts as %d", twice.Judgings)
	}
	w.preview(twice.Batch)
	batch := w.rejudge(Rejudging{Problem: "maze", Submitter: "bob"})
	p := w.preview(batch, wrong, tle)
	if p.Applied || p.Waiting != 0 || p.Same != 1 || len(p.Changed) != 1 || p.Changed[0].Judging != wrong.ID || p.Changed[0].Old.Verdict != "WA" || p.Changed[0].New.Verdict != "AC" {
		t.Errorf("%+v", p)
	}
	var now Judging
	if w.do("bob", "GET", wrong.Links.Self, nil).decode(t, 200, &now); now.Verdict != "WA" || now.Number != 1 || len(now.Judgings) != 2 {
		t.Errorf("before it is applied: %+v", now)
	}
	if w.do("rejudger", "POST", "/v1/rejudgings/"+batch+"/apply", nil).decode(t, 200, &p); !p.Applied {
		t.Errorf("%+v", p)
	}
	for id, want := range map[string]string{wrong.ID: "AC2", tle.ID: "TLE2", right.ID: "AC1"} {
		var j Judging
		if w.do("reader", "GET", "/v1/judgings/"+id, nil).decode(t, 200, &j); j.Verdict+string(rune('0'+j.Number)) != want {
			t.Errorf("%s: %+v, want %s", id, j, want)
		}
	}
	run := RunResult{}
	w.do("ann", "POST", "/v1/run", Run{Language: "c", Source: text("x")}).decode(t, 200, &run)
	for _, tt := range []struct {
		why    string
		r      Rejudging
		status int
		want   string
	}{
		{"everything", Rejudging{}, 422, "a filter with a problem"},
		{"everything, as a version of no problem", Rejudging{Problem: "@"}, 422, "a filter with a problem"},
		{"nothing", Rejudging{Problem: "cake"}, 404, "no submission is selected"},
		{"both", Rejudging{Judgings: []string{right.ID}, Verdict: "AC"}, 422, "either judgings or a filter"},
		{"an unknown judging", Rejudging{Judgings: []string{right.ID, "x"}}, 404, "judging x"},
		{"an unknown version", Rejudging{Judgings: []string{right.ID}, Version: "0000"}, 404, "maze@0000"},
		{"a run", Rejudging{Judgings: []string{run.ID}}, 422, "is a run"},
	} {
		if r := w.do("rejudger", "POST", "/v1/rejudgings", tt.r); r.StatusCode != tt.status || !strings.Contains(r.text, tt.want) {
			t.Errorf("%s: %s %s, want %d %s", tt.why, r.Status, r.text, tt.status, tt.want)
		}
	}
	if r := w.do("rejudger", "POST", "/v1/rejudgings/"+batch+"/apply", nil); r.StatusCode != 409 {
		t.Errorf("applied twice: %s", r.Status)
	}
}

// TestRejudgings lists batches of rejudgings, all at once and page by page.
func TestRejudgings(t *testing.T) {
	t.Parallel()
	w := start(t, judge)
	w.problem("maze")
	list := func(query string) (l RejudgingList) {
		w.do("rejudger", "GET", "/v1/rejudgings"+query, nil).decode(t, 200, &l)
		return l
	}
	if l := list(""); len(l.Rejudgings) > 0 || l.Next != "" {
		t.Errorf("before there is any: %+v", l)
	}
	one, two := w.judged("ann", program("AC")), w.judged("bob", program("WA"))
	var ids []string
	for range 3 {
		for begun := time.Now(); time.Since(begun) < 2*time.Millisecond; { // so that they do not begin in the same one
			runtime.Gosched()
		}
		ids = append([]string{w.rejudge(Rejudging{Problem: "maze"})}, ids...)
		w.preview(ids[0], one, two)
	}
	var p RejudgingPreview
	w.do("teacher", "POST", "/v1/rejudgings/"+ids[1]+"/apply", nil).decode(t, 200, &p)
	w.do("admin", "DELETE", one.Links.Self, nil)
	for _, tt := range []struct {
		query string
		want  []string
		next  string
	}{
		{"", ids, ""}, {"?limit=3", ids, ""}, {"?limit=2", ids[:2], ids[1]}, {"?limit=2&after=" + ids[1], ids[2:], ""}, {"?after=" + ids[2], nil, ""},
	} {
		l := list(tt.query)
		var got []string
		for i, b := range l.Rejudgings {
			got = append(got, b.Batch)
			if b.Judgings != 1 || b.Waiting != 0 || b.Applied != (b.Batch == ids[1]) || b.By != "rejudger" || b.Preview != "/v1/rejudgings/"+b.Batch || i > 0 && b.Created.After(l.Rejudgings[i-1].Created) {
				t.Errorf("%q: %+v", tt.query, b)
			}
		}
		if !slices.Equal(got, tt.want) || l.Next != tt.next {
			t.Errorf("%q: %q, and next %q; want %q, %q", tt.query, got, l.Next, tt.want, tt.next)
		}
	}
	for query, status := range map[string]int{"?after=x": 404, "?limit=0": 422} {
		if r := w.do("rejudger", "GET", "/v1/rejudgings"+query, nil); r.StatusCode != status {
			t.Errorf("%s: %s, want %d", query, r.Status, status)
		}
	}
}
