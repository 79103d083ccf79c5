package pages

import (
	"bytes"
	"fmt"
	escape "html"
	"maps"
	"mime/multipart"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"tribunal/judge/judged/internal/ledger"
)

// links are what a browser loads or a reader clicks.
var links = regexp.MustCompile(`(?:href|src|data-events)="([^"]+)"`)

// crawl loads every page to which pages lead, from the front page and the pages in more on, and returns them by address.
// Every link works, at least for the viewer who finds it.
func (b *browser) crawl(t *testing.T, more ...string) map[string]string {
	t.Helper()
	seen := map[string]string{}
	for queue := append([]string{"/"}, more...); len(queue) > 0; {
		at := queue[0]
		queue = queue[1:]
		u, err := url.Parse(at)
		if err != nil {
			t.Errorf("the link %q: %v", at, err)
			continue
		}
		if _, was := seen[at]; was || u.Host != "" || u.Scheme != "" || strings.HasSuffix(u.Path, "/events") || u.Path == "" {
			continue
		}
		got := b.get(at)
		seen[at] = got.text
		if got.StatusCode >= 500 || got.StatusCode >= 400 && !slices.Contains(more, at) {
			t.Errorf("a link to %s: %s", at, got.Status)
		}
		if to := got.Header.Get("Location"); to != "" {
			queue = append(queue, to)
		}
		for _, m := range links.FindAllStringSubmatch(got.text, -1) {
			to, err := got.Request.URL.Parse(escape.UnescapeString(m[1]))
			if err == nil && to.Host == got.Request.URL.Host {
				queue = append(queue, to.RequestURI())
			}
		}
	}
	return seen
}

// TestCrawl walks every page as everybody, and guesses the addresses of others' pages. None has what its reader must not
// know.
func TestCrawl(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.problem("a")
	w.problem("b")
	for _, id := range []string{"c", "d"} {
		w.contest(id, func(c *ledger.Course) { c.Scoring, c.Freeze, c.Register = ledger.Points, time.Time{}, "WORD-OF-"+id })
		w.person(id, "ann-"+id, ledger.Participant)
		w.person(id, "bob-"+id, ledger.Participant)
		w.person(id, "tea-"+id, ledger.Teacher)
		w.person(id, "obs-"+id, ledger.Observer)
	}
	w.set(10)
	var pages []string
	root := w.browser("root")
	for _, login := range []string{"ann-c", "bob-c", "ann-d", "bob-d"} {
		course := login[len(login)-1:]
		sub := w.browser(login).submission(course, "a", "WA SOURCE-OF-"+login)
		w.browser(login).post("/c/"+course+"/questions", url.Values{"text": {"QUESTION-OF-" + login}}).want(t, http.StatusSeeOther)
		root.post("/c/"+course+"/s/"+sub+"/rule", url.Values{"verdict": {"WA"}, "reason": {"REASON-FOR-" + login}}).want(t, http.StatusSeeOther)
	}
	all := root.crawl(t)
	for at := range all {
		pages = append(pages, at)
	}
	slices.Sort(pages)
	if len(pages) < 60 {
		t.Errorf("only %d pages", len(pages))
	}
	marks := []string{"WORD-OF-c", "WORD-OF-d", secret}
	for _, login := range []string{"ann-c", "bob-c", "ann-d", "bob-d"} {
		marks = append(marks, "SOURCE-OF-"+login, "QUESTION-OF-"+login, "REASON-FOR-"+login, login+"@private.example")
	}
	found := func(pages map[string]string, mark string) (at string) {
		for _, at := range slices.Sorted(maps.Keys(pages)) {
			if strings.Contains(pages[at], mark) {
				return at
			}
		}
		return ""
	}
	for _, mark := range marks {
		if found(all, mark) == "" {
			t.Errorf("the administrator sees no %s, which this test looks for", mark)
		}
	}
	for _, tt := range []struct {
		who  string
		mays []string // parts of what the viewer may see
	}{
		{"", nil},
		{"ann-c", []string{"-OF-ann-c", "-FOR-ann-c", "ann-c@"}},
		{"bob-d", []string{"-OF-bob-d", "-FOR-bob-d", "bob-d@"}},
		{"tea-c", []string{"-c", secret}},
		{"obs-d", []string{"-d", secret}},
	} {
		b := w.browser(tt.who)
		clicked, guessed := b.crawl(t), b.crawl(t, pages...)
		for _, mark := range marks {
			may := slices.ContainsFunc(tt.mays, func(part string) bool { return strings.Contains(mark, part) })
			if at := found(guessed, mark); at != "" && !may {
				t.Errorf("%q sees %s at %s", tt.who, mark, at)
			}
			if strings.Contains(mark, "SOURCE") && may && found(clicked, mark) == "" {
				t.Errorf("%q finds no page with %s", tt.who, mark)
			}
		}
	}
}

// FuzzHandIn hands in any body as a form. The service answers, and what it takes is a submission whole.
func FuzzHandIn(f *testing.F) {
	w := start(f)
	w.problem("a")
	w.problem("b")
	w.contest("c", func(c *ledger.Course) { c.Rate = 0 })
	w.person("c", "ann", ledger.Participant)
	w.set(10)
	ann := w.browser("ann")
	const boundary = "multipart/form-data; boundary=x"
	var body bytes.Buffer
	m := multipart.NewWriter(&body)
	_ = m.SetBoundary("x")
	for _, field := range [][2]string{{"language", "cpp"}, {"text", "AC"}, {"key", fmt.Sprintf("%026d", 1)}} {
		_ = m.WriteField(field[0], field[1])
	}
	part, err := m.CreateFormFile("file", "a.cpp")
	if err == nil {
		_, err = part.Write([]byte("AC"))
	}
	if err != nil {
		f.Fatal(err)
	}
	m.Close()
	f.Add(boundary, body.Bytes())
	f.Add(boundary, body.Bytes()[:body.Len()/2])
	f.Add("application/x-www-form-urlencoded", []byte("text=AC&language=cpp&language=%zz"))
	f.Add("text/plain", []byte("AC"))
	f.Add("multipart/form-data", []byte("--x\r\n"))
	f.Fuzz(func(t *testing.T, kind string, body []byte) {
		ann := &browser{&world{t: t, server: w.server}, ann.client}
		r := ann.request("POST", "/c/c/p/a", "text/plain", bytes.NewReader(body))
		r.Header["Content-Type"] = []string{strings.Map(func(c rune) rune {
			if c < ' ' || c > '~' {
				return -1
			}
			return c
		}, kind)}
		got := ann.do(r)
		switch {
		case got.StatusCode >= 500:
			t.Errorf("%s\n%s", got.Status, got.text)
		case got.StatusCode == http.StatusSeeOther && strings.HasPrefix(got.Header.Get("Location"), "/c/c/s/"):
			ann.get(got.Header.Get("Location")).want(t, http.StatusOK)
		}
	})
}
