package pages

import (
	"context"
	"crypto/tls"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"tribunal/judge/judged/internal/access"
	"tribunal/judge/judged/internal/ledger"
	"tribunal/judge/judged/internal/rate"
	"tribunal/judge/judged/internal/service"
)

// TestNext checks that signing in leads to no other site.
func TestNext(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.contest("c")
	w.person("c", "ann", ledger.Participant)
	for _, tt := range []struct{ next, want string }{
		{"/c/c?x=1", "/c/c?x=1"}, {"", "/"}, {"c", "/"}, {"https://evil.example", "/"}, {"//evil.example", "/"},
		{"/\\evil.example", "/"}, {"/\t/evil.example", "/"}, {"/\n/evil.example", "/"}, {"/\x00/evil.example", "/"}, {"/\x1f", "/"},
	} {
		got := w.browser("").post("/sign-in", url.Values{"login": {"ann"}, "password": {password("ann")}, "next": {tt.next}}).want(t, http.StatusSeeOther)
		if to := got.Header.Get("Location"); to != tt.want {
			t.Errorf("next %q leads to %q", tt.next, to)
		}
	}
}

// TestInvitationOfAnotherCourse checks that teachers cannot use an invitation that they kept.
func TestInvitationOfAnotherCourse(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.contest("c")
	w.contest("other")
	join := func(course string) (page string) {
		t.Helper()
		secret, err := w.tokens.OpenPass(t.Context(), access.Pass{Kind: access.Invitation, Login: "ann", Course: course, Expires: time.Now().Add(time.Hour)})
		if err != nil {
			t.Fatal(err)
		}
		return "/join/" + secret
	}
	kept, ofOperator := join("c"), join("")
	set := func(course string) {
		t.Helper()
		if err := w.service.SetPerson(t.Context(), course, ledger.Person{Login: "ann", Name: "Ann", Role: ledger.Participant}, 0, "root"); err != nil {
			t.Fatal(err)
		}
	}
	set("c")
	w.browser("").get(kept).want(t, http.StatusOK, "Welcome, ann")
	set("other")
	form := url.Values{"password": {"long enough"}, "again": {"long enough"}}
	w.browser("").get(kept).want(t, http.StatusForbidden, "ann is in another course now", "ask an operator")
	w.browser("").post(kept, form).want(t, http.StatusForbidden)
	if w.tokens.HasPassword(t.Context(), "ann") {
		t.Error("the account was taken over")
	}
	w.browser("").post(ofOperator, form).want(t, http.StatusSeeOther)
}

// TestLimited checks what the limits count together, and that they keep no text that can be no login.
func TestLimited(t *testing.T) {
	t.Parallel()
	p := &Pages{attempts: rate.New(1e-6, 1, 100), logins: rate.New(1e-6, 2, 100), addresses: rate.New(1e-6, 3, 100)}
	for i, tt := range []struct {
		why, address, login string
		status              int
	}{
		{"a login", "192.0.2.1:1", "ann", 0},
		{"the same login again", "192.0.2.1:1", "ann", http.StatusTooManyRequests},
		{"its owner elsewhere is not kept out", "192.0.2.2:1", "ann", 0},
		{"but many addresses have a bound together", "192.0.2.3:1", "ann", http.StatusTooManyRequests},
		{"no login", "192.0.2.1:2", "Ann Lee", http.StatusUnprocessableEntity},
		{"a long text", "192.0.2.5:2", strings.Repeat("x", 1<<20), http.StatusUnprocessableEntity},
		{"an address too often", "192.0.2.1:3", "bob", http.StatusTooManyRequests},
		{"a token", "[2001:db8::1]:1", "", 0},
		{"a token from the same network", "[2001:db8::2]:1", "", http.StatusTooManyRequests},
		{"a third request from the network", "[2001:db8::3]:1", "cid", 0},
		{"a fourth", "[2001:db8::4]:1", "dan", http.StatusTooManyRequests},
		{"another network", "[2001:db8:0:1::1]:1", "dan", 0},
	} {
		r := httptest.NewRequest("POST", "/sign-in", nil)
		r.RemoteAddr = tt.address
		err := (&request{Pages: p, Request: r}).limited(tt.login)
		if (err == nil) != (tt.status == 0) || err != nil && failureOf(err).status != tt.status {
			t.Errorf("%d, %s: %v, want %d", i, tt.why, err, tt.status)
		}
	}
}

// TestNamesakes checks that a token whose owner is called like a member hands in as somebody else, and that the ledger
// records their deeds under different names.
func TestNamesakes(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.problem("a")
	w.contest("c")
	w.person("c", "ann", ledger.Teacher)
	w.person("c", "bob", ledger.Participant)
	token := func(owner string) *browser {
		secret, _, err := w.tokens.Issue(t.Context(), access.Grant{Name: "n", Owner: owner, Scopes: access.Scopes()})
		if err != nil {
			t.Fatal(err)
		}
		b := w.browser("")
		b.post("/sign-in", url.Values{"password": {secret}}).want(t, http.StatusSeeOther)
		return b
	}
	bob, root := w.browser("bob"), token("bob")
	id := root.submission("c", "a", "AC by root")
	bob.get("/c/c/s/"+id).want(t, http.StatusNotFound)
	if text := bob.get("/c/c/standings").text; !strings.Contains(plain(text), "Name of bob 0 0") {
		t.Errorf("the token has solved a problem for bob:\n%s", plain(text))
	}
	for _, tt := range []struct {
		b    *browser
		want string
	}{{w.browser("ann"), "/c/ann"}, {token("ann"), "ann"}} {
		tt.b.post("/c/c/s/"+id+"/rule", url.Values{"verdict": {"WA"}, "reason": {"by " + tt.want}}).want(t, http.StatusSeeOther)
		if sub, err := w.service.Get(id); err != nil || sub.Ruling == nil || sub.Ruling.By != tt.want {
			t.Errorf("the ruling is by %+v, want %s", sub.Ruling, tt.want)
		}
	}
}

// TestCookie checks that a browser that uses TLS gives its session away by TLS alone.
func TestCookie(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		state *tls.ConnectionState
		want  string
	}{
		{nil, "judged=secret; Path=/; Max-Age=1; HttpOnly; SameSite=Lax"},
		{&tls.ConnectionState{}, "__Host-judged=secret; Path=/; Max-Age=1; HttpOnly; Secure; SameSite=Lax"},
	} {
		r, rec := httptest.NewRequest("GET", "/", nil), httptest.NewRecorder()
		r.TLS = tt.state
		(&request{Request: r, ResponseWriter: rec}).setCookie("secret", time.Second)
		if got := rec.Header().Get("Set-Cookie"); got != tt.want {
			t.Errorf("%s, want %s", got, tt.want)
		}
	}
}

// TestBalanced signs in at one service and goes on at another, as behind a balancer: it knows the session and the new
// member at once.
func TestBalanced(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.contest("c", func(c *ledger.Course) { c.Register = "word" })
	ctx, stop := context.WithCancel(context.Background())
	svc, err := service.New(ctx, w.store, service.Options{Now: func() time.Time { return begin }})
	if err != nil {
		t.Fatal(err)
	}
	entries, err := access.NewLogStore(ctx, w.store.Tokens, slog.New(slog.DiscardHandler)) // which does not follow the log
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- svc.Run(ctx) }()
	other := New(Options{Service: svc, Accounts: access.New(entries, access.Options{}), Now: func() time.Time { return begin }})
	t.Cleanup(func() {
		stop()
		<-done
	})
	got := w.browser("").post("/register/c", url.Values{"login": {"ann"}, "name": {"Ann"}, "password": {"long enough"}, "word": {"word"}}).want(t, http.StatusSeeOther)
	r, rec := httptest.NewRequest("GET", "/c/c", nil), httptest.NewRecorder()
	r.AddCookie(got.Cookies()[0])
	h, _ := other.Handler(r)
	if h.ServeHTTP(rec, r); rec.Code != http.StatusOK || !strings.Contains(rec.Body.String(), "ann") {
		t.Errorf("%d %s\n%s", rec.Code, rec.Header().Get("Location"), rec.Body)
	}
}
