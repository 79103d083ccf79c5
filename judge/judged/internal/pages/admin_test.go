package pages

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"tribunal/judge/judged/internal/ledger"
	"tribunal/judge/judged/internal/service"
)

// TestOverview checks what an operator sees of a service at rest, and of one with work.
func TestOverview(t *testing.T) {
	t.Parallel()
	w := start(t)
	root := w.browser("root")
	root.get("/").want(t, http.StatusOK, "Service")
	root.get("/admin").want(t, http.StatusOK, "ready to take submissions", "No worker takes tasks", "workers ready 0 of 0", "waiting 0", "free on the disk 4 GiB", "version")
	w.problem("a")
	w.contest("c")
	if got := w.browserOf("c", "tea", ledger.Teacher).get("/"); strings.Contains(got.text, `href="/admin"`) {
		t.Error("a teacher gets the link of operators")
	}
	ann := w.browserOf("c", "ann", ledger.Participant)
	w.set(10)
	ann.submission("c", "a", "WA")
	ann.submission("c", "a", "slow")
	w.set(12)
	root.get("/admin").want(t, http.StatusOK, "waiting 1", "the oldest for 120 s", "c 1 Tue 1 Dec 2026, 09:10 UTC", "WA wrong answer 1", "leads")
}

// TestWorkers checks that the page says who is not ready, and why.
func TestWorkers(t *testing.T) {
	t.Parallel()
	w := start(t)
	root := w.browser("root")
	root.get("/admin/workers").want(t, http.StatusOK, "There are none.")
	for i, one := range []service.Worker{{Sick: "broken <jail>"}, {Draining: true}, {Languages: []string{"c", "cpp"}, Seen: begin}} {
		one.Worker, one.Host.Host, one.CPUs, one.Slots, one.Load, one.Factor = fmt.Sprint("w", i+1), "host", 4, 2, 1.25, 1.5
		data, err := json.Marshal(one)
		if err == nil {
			err = w.store.Board.Post(t.Context(), service.WorkersKey+"."+one.Worker, data)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	root.get("/admin/workers").want(t, http.StatusOK, "w1 host,", "sick broken <jail> 0 2 1.2 of 4 1.50", "w2 host,", "ending", "w3 host,", "ready 0 2 1.2 of 4 1.50 Tue 1 Dec 2026, 09:00 UTC c cpp")
	w.problem("a")
	w.contest("c")
	for _, at := range []string{"/c/c/run", "/c/c/p/a"} { // a language that no worker has is not on offer
		if page := root.get(at).want(t, http.StatusOK, "c cpp"); strings.Contains(page.text, "<option>python") {
			t.Errorf("%s offers python:\n%s", at, page.text)
		}
	}
}

// TestRelease releases what is held: one judging, then all, of which one was released meanwhile.
func TestRelease(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.problem("a")
	w.contest("c")
	ann, root := w.browserOf("c", "ann", ledger.Participant), w.browser("root")
	w.set(10)
	root.get("/admin/held").want(t, http.StatusOK, "Nothing is held.")
	one, two := ann.submission("c", "a", "fail 1"), ann.submission("c", "a", "fail 2")
	page := root.get("/admin/held").want(t, http.StatusOK, one, two, "by /c/ann to a,", "no compiler <here> 3 attempts", "Release all")
	if !strings.Contains(page.text, `href="/c/c/s/`+one+`"`) {
		t.Error("no link to the submission")
	}
	root.get("/admin").want(t, http.StatusOK, "2 judgings held")
	held := func(id string, attempt int) {
		t.Helper()
		w.until(id, func(j *ledger.Judging) bool { return j.Status == ledger.Held && j.Attempt == attempt })
	}
	root.post("/admin/held", url.Values{"id": {one}, "judging": {"1"}}).want(t, http.StatusSeeOther)
	held(one, 7)
	held(two, 4)
	root.post("/admin/held", url.Values{}).want(t, http.StatusUnprocessableEntity) // as if the form had broken off
	root.post("/admin/held", url.Values{"all": {"yes"}}).want(t, http.StatusSeeOther)
	held(one, 10)
	held(two, 7)
	done := ann.submission("c", "a", "AC")
	root.post("/admin/held", url.Values{"id": {done}, "judging": {"1"}}).want(t, http.StatusUnprocessableEntity)
	root.post("/admin/held", url.Values{"id": {"nothing"}, "judging": {"1"}}).want(t, http.StatusNotFound)
	root.post("/admin/held", url.Values{"id": {one}, "judging": {"x"}}).want(t, http.StatusUnprocessableEntity, "want a number")
}

// TestProblemsPage checks that the page names the newest version, and what was found.
func TestProblemsPage(t *testing.T) {
	t.Parallel()
	w := start(t)
	root := w.browser("root")
	root.get("/admin/problems").want(t, http.StatusOK, "There are none yet.", "Upload a package")
	w.problem("a")
	root.get("/admin/problems").want(t, http.StatusOK, "newest usable 1 finding a finding", "2 Problem a Tue 1 Dec 2026, 09:00 UTC root")
}

// TestTokensPage makes a token that works, sees it only once, and revokes it.
func TestTokensPage(t *testing.T) {
	t.Parallel()
	w := start(t)
	root := w.browser("root")
	for _, tt := range []struct {
		why  string
		form url.Values
		want string
	}{
		{"no owner", url.Values{"scope": {"read"}}, "name \"\" of a token is not 1 to 100 bytes"},
		{"no scope", url.Values{"owner": {"ann"}}, "no scope"},
		{"an unknown scope", url.Values{"owner": {"ann"}, "scope": {"read", "write"}}, `unknown scope "write"`},
		{"an owner in two lines", url.Values{"owner": {"a\nb"}, "name": {"x"}, "scope": {"read"}}, "printable"},
		{"no days", url.Values{"owner": {"ann"}, "scope": {"read"}, "days": {"-1"}}, "days: want a number"},
		{"what was written stays", url.Values{"owner": {"<ann>"}, "scope": {"read"}, "days": {"soon"}}, "days: want a number"},
	} {
		got := root.post("/admin/tokens", tt.form)
		if got.want(t, http.StatusUnprocessableEntity, tt.want); strings.Contains(got.text, "tj_") {
			t.Errorf("%s: a token was made", tt.why)
		}
		if owner := tt.form.Get("owner"); owner == "<ann>" && !strings.Contains(got.text, `value="&lt;ann&gt;"`) {
			t.Errorf("%s: the owner is lost", tt.why)
		}
	}
	made := root.post("/admin/tokens", url.Values{"owner": {"web site"}, "scope": {"submit", "read"}, "days": {"30"}}).want(t, http.StatusOK, "web site", "submit read")
	token := regexp.MustCompile(`tj_\w+`).FindString(made.text)
	id, err := w.tokens.Verify(t.Context(), token)
	if err != nil || id.Owner != "web site" || len(id.Scopes) != 2 {
		t.Fatalf("%q: %+v, %v", token, id, err)
	}
	if page := root.get("/admin/tokens").want(t, http.StatusOK, id.Token, "valid until"); strings.Contains(page.text, token) {
		t.Error("the token is shown again")
	}
	root.post("/admin/tokens/"+id.Token+"/revoke", nil).want(t, http.StatusSeeOther)
	root.get("/admin/tokens").want(t, http.StatusOK, "revoked")
	if _, err := w.tokens.Verify(t.Context(), token); err == nil {
		t.Error("the revoked token is valid")
	}
	root.post("/admin/tokens/nothing/revoke", nil).want(t, http.StatusNotFound)
}

// browserOf makes a member of a course, if it is there, who has signed in.
func (w *world) browserOf(course, login string, role ledger.Role) *browser {
	w.t.Helper()
	w.person(course, login, role)
	return w.browser(login)
}
