package pages

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"tribunal/judge/judged/internal/ledger"
	"tribunal/judge/judged/internal/service"
)

// TestSheets checks that the page to hand out has what its participant may see, what a teacher remarked, and nothing of
// others.
func TestSheets(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.problem("a")
	w.problem("first") // which shows the first failure whole
	w.contest("c", func(c *ledger.Course) {
		c.Scoring, c.LatePenalty = ledger.Points, 50
		c.Problems = []ledger.CourseProblem{{Label: "A", Problem: "a", Points: 10}, {Label: "F", Problem: "first", Points: 4}}
	})
	for login, group := range map[string]string{"ann": "Monday", "bob": "Friday", "cy": "Friday"} {
		w.person("c", login, ledger.Participant)
		if err := w.service.SetPerson(t.Context(), "c", ledger.Person{Login: login, Name: "Name of " + login, Group: group, Role: ledger.Participant}, service.Newest, "root"); err != nil {
			t.Fatal(err)
		}
	}
	w.person("c", "obs", ledger.Observer)
	w.person("c", "tea", ledger.Teacher)
	ann, bob, tea := w.browser("ann"), w.browser("bob"), w.browser("tea")
	w.set(10)
	ann.submission("c", "a", "WA secret-of-ann")
	wrong := bob.submission("c", "a", "WA source-of-bob")
	tea.post("/c/c/s/"+wrong+"/rule", url.Values{"verdict": {"WA"}, "points": {"3"}, "reason": {"a good idea"}}).want(t, http.StatusSeeOther)
	w.set(150)
	ann.submission("c", "a", "AC late")
	ann.submission("c", "first", "WA x")

	obs := w.browser("obs")
	page := obs.get("/c/c/sheets/ann").want(t, http.StatusOK, "5 of 14 points · 1 of 2 problems solved", "A. Problem a AC late 2 / 2 5 / 10", "F. Problem first WA late 1 / 2 0 / 4",
		"WA on case secret/2", "a cause "+secret)
	for _, hidden := range []string{"of bob", "private.example", "AC late</pre>", "Source"} {
		if strings.Contains(page.text, hidden) {
			t.Errorf("ann's page has %q:\n%s", hidden, page.text)
		}
	}
	if !strings.Contains(page.text, "/drawing/1") {
		t.Error("ann's page has no drawing")
	}
	obs.get("/c/c/sheets/ann?sources=yes").want(t, http.StatusOK, "Source AC late", "Source WA x")
	for name, one := range map[string]*browser{"an observer": obs, "an administrator": w.browser("root")} {
		if got := one.get("/c/c/sheets/bob").want(t, http.StatusOK); strings.Contains(got.text, secret) {
			t.Errorf("bob's page, for %s, has the data of a secret case:\n%s", name, got.text)
		}
	}
	obs.get("/c/c/sheets/bob").want(t, http.StatusOK, "3 of 14 points · 0 of 2 problems solved", "A. Problem a WA by hand 1 / 2 3 / 10", "Decided by hand: a good idea", "nothing handed in")
	all := obs.get("/c/c/sheets").want(t, http.StatusOK, "3 pages, each", "Name of ann", "Name of bob", "Name of cy").text
	if strings.Count(all, `<article class="sheet">`) != 3 || strings.Contains(all, "Name of tea") {
		t.Errorf("all pages:\n%s", plain(all))
	}
	friday := obs.get("/c/c/sheets?group=Friday").want(t, http.StatusOK, "2 pages").text
	if strings.Contains(friday, "Name of ann") {
		t.Errorf("the pages of Friday:\n%s", plain(friday))
	}
	obs.get("/c/c/sheets?group=none").want(t, http.StatusOK, "There are no participants in this group.")
	for _, login := range []string{"tea", "none"} {
		obs.get("/c/c/sheets/"+login).want(t, http.StatusNotFound)
	}
	ann.get("/c/c/sheets/ann").want(t, http.StatusForbidden)

	c, err := w.service.Course("c")
	if err != nil {
		t.Fatal(err)
	}
	c.Feedback = "none"
	if err := w.service.SetCourse(t.Context(), "c", c.Course, service.Newest, "root"); err != nil {
		t.Fatal(err)
	}
	page = obs.get("/c/c/sheets/ann").want(t, http.StatusOK, "0 of 14 points", "A. Problem a judged")
	if strings.Contains(page.text, secret) || strings.Contains(page.text, `class="v wrong"`) {
		t.Errorf("a page of a course without feedback:\n%s", page.text)
	}
}
