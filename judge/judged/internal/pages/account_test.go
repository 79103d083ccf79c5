package pages

import (
	"net/http"
	"net/url"
	"testing"

	"tribunal/judge/judged/internal/ledger"
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
