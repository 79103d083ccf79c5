package pages

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"tribunal/judge/judged/internal/ledger"
	"tribunal/judge/judged/internal/task"
)

// TestDrawing checks that the drawing of a case goes where its data go, and that no browser runs anything in it.
func TestDrawing(t *testing.T) {
	t.Parallel()
	w := start(t)
	problems := []string{"a", "first"} // which shows the first failure whole
	for _, id := range problems {
		w.problem(id)
	}
	of := func(c *ledger.Course) {
		c.Problems = []ledger.CourseProblem{{Label: "A", Problem: "a"}, {Label: "F", Problem: "first"}}
	}
	w.contest("c", of)
	w.contest("mute", of, func(c *ledger.Course) { c.Feedback = "samples" })
	browsers := map[string]*browser{}
	for login, role := range map[string]ledger.Role{"ann": ledger.Participant, "bob": ledger.Participant, "obs": ledger.Observer} {
		w.person("c", login, role)
		w.person("mute", login, role)
		browsers[login] = w.browser(login)
	}
	for _, tt := range []struct {
		why, course, problem, text, viewer string
		shown                              bool
	}{
		{"a secret case is not shown to whom failed it", "c", "a", "WA 1", "ann", false},
		{"but to the jury", "c", "a", "WA 2", "obs", true},
		{"the problem shows the first failure", "c", "first", "WA 3", "ann", true},
		{"of oneself", "c", "first", "WA 4", "bob", false},
		{"the course shows less than the problem", "mute", "first", "WA 5", "ann", false},
		{"and all to the jury", "mute", "first", "WA 6", "obs", true},
		{"an accepted one has none", "c", "first", "AC 7", "obs", false},
	} {
		id := browsers["ann"].submission(tt.course, tt.problem, tt.text)
		page := "/c/" + tt.course + "/s/" + id
		address := page + "/drawing/1"
		if got := browsers[tt.viewer].get(page).text; strings.Contains(got, address) != tt.shown || tt.shown && !strings.Contains(got, `width="300" height="100"`) {
			t.Errorf("%s: the page has it: %v, want %v", tt.why, !tt.shown, tt.shown)
		}
		got := browsers[tt.viewer].get(address)
		if !tt.shown {
			got.want(t, http.StatusNotFound)
			if strings.Contains(got.text, secret) {
				t.Errorf("%s: %s", tt.why, got.text)
			}
			continue
		}
		if got.StatusCode != http.StatusOK || got.text != drawnCase {
			t.Errorf("%s: %s %s", tt.why, got.Status, got.text)
		}
		for name, want := range map[string]string{"Content-Type": "image/svg+xml", "X-Content-Type-Options": "nosniff", "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox"} {
			if has := got.Header.Get(name); has != want {
				t.Errorf("%s: %s is %q, want %q", tt.why, name, has, want)
			}
		}
		for _, n := range []string{"0", "2", "x", "-1"} {
			browsers[tt.viewer].get(page+"/drawing/"+n).want(t, http.StatusNotFound)
		}
	}
	id := browsers["ann"].submission("c", "first", "WA again")
	batch, err := w.service.Rejudge(t.Context(), []string{id}, "", "root")
	if err != nil {
		t.Fatal(err)
	}
	w.judged(batch)
	address := "/c/c/s/" + id + "/drawing/2" // of a judging that does not count yet
	browsers["obs"].get(address).want(t, http.StatusOK)
	browsers["ann"].get(address).want(t, http.StatusNotFound)
}

// TestDrawingOf reads the size that a drawing says it has.
func TestDrawingOf(t *testing.T) {
	t.Parallel()
	svg := func(attributes string) string { return `<svg xmlns="http://www.w3.org/2000/svg" ` + attributes + `/>` }
	for _, tt := range []struct{ why, svg, err, want string }{
		{"pixels", svg(`width="600" height="745.5"`), "", "600 746"},
		{"nothing", svg(``), "", "0 0"},
		{"another unit", svg(`width="10cm" height="30"`), "", "0 30"},
		{"only a width", svg(`width="100"`), "", "0 0"},
		{"no number", svg(`width="NaN" height="1e9"`), "", "0 0"},
		{"no picture", "", "it failed", "0 0 it failed"},
	} {
		d := drawingOf(&task.Drawing{SVG: tt.svg, Error: tt.err}, "c", "s", 1)
		if got := strings.TrimSpace(fmt.Sprint(d.Width, d.Height, " ", d.Error)); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.why, got, tt.want)
		}
	}
}
