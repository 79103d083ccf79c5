package pages

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/iotest"
	"time"

	"tribunal/judge/judged/internal/access"
	"tribunal/judge/judged/internal/course"
	"tribunal/judge/judged/internal/ledger"
	"tribunal/judge/judged/internal/store/storetest"
)

// TestParticipant goes from an invitation to an accepted submission.
func TestParticipant(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.problem("a")
	w.problem("b")
	w.contest("c")
	if err := w.service.SetPerson(t.Context(), "c", ledger.Person{Login: "ann", Name: "Ann Lee", Role: ledger.Participant}, 0, "root"); err != nil {
		t.Fatal(err)
	}
	invitation, err := w.tokens.OpenPass(t.Context(), access.Pass{Kind: access.Invitation, Login: "ann", Expires: time.Now().Add(time.Hour)})
	if err != nil {
		t.Fatal(err)
	}
	ann := w.browser("")
	ann.get("/").want(t, http.StatusSeeOther)
	ann.get("/join/"+invitation).want(t, http.StatusOK, "Welcome, ann")
	ann.post("/join/"+invitation, url.Values{"password": {"short"}, "again": {"short"}}).want(t, http.StatusUnprocessableEntity, "8 to 200 characters")
	ann.post("/join/"+invitation, url.Values{"password": {"long enough"}, "again": {"another"}}).want(t, http.StatusUnprocessableEntity, "differ")
	ann.post("/join/"+invitation, url.Values{"password": {"long enough"}, "again": {"long enough"}}).want(t, http.StatusSeeOther)
	w.browser("").post("/join/"+invitation, url.Values{"password": {"of a thief"}, "again": {"of a thief"}}).want(t, http.StatusNotFound, "used")

	ann.get("/").want(t, http.StatusOK, "Contest c")
	ann.get("/c/c").want(t, http.StatusOK, "Problem a", "Problem b", "running")
	ann.get("/c/c/p/a").want(t, http.StatusOK, "A. Problem a", "Add two numbers.", "Time limit 1 s")
	if got := ann.get("/c/c/p/a/samples/1.in"); got.text != "1 2\n" || got.Header.Get("Content-Disposition") != `attachment; filename=a-1.in` {
		t.Errorf("the sample: %q, %v", got.text, got.Header)
	}
	for _, file := range []string{"2.in", "0.in", "1.out", "x", "1.in.in"} {
		ann.get("/c/c/p/a/samples/"+file).want(t, http.StatusNotFound)
	}
	w.set(12)
	wrong := ann.submission("c", "a", "WA first")
	ann.get("/c/c/s/"+wrong).want(t, http.StatusOK, "WA 1 of 2 cases", "sample/1 AC", "secret/2 WA", "WA first")
	w.set(20)
	right := ann.submission("c", "a", "AC second")
	ann.get("/c/c/s/"+right).want(t, http.StatusOK, "AC 2 of 2 cases")
	ann.get("/c/c").want(t, http.StatusOK, "solved 2 attempts")
	ann.get("/c/c/s").want(t, http.StatusOK, "A cpp AC", "A cpp WA")
	ann.get("/c/c/standings").want(t, http.StatusOK, "1 Ann Lee 1 40 20 2")
	if got := ann.get("/c/c/s/" + right + "/source"); got.text != "AC second" {
		t.Errorf("the source: %q", got.text)
	}
}

// TestHandIn checks what can be handed in, and what is said about what cannot.
func TestHandIn(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.problem("a")
	w.contest("c", func(c *ledger.Course) { c.Languages, c.MaxSource, c.Rate = []string{"cpp", "python"}, 300, 4 })
	w.person("c", "ann", ledger.Participant)
	ann := w.browser("ann")
	for _, tt := range []struct {
		why    string
		fields map[string]string
		files  []upload
		status int
		want   string
	}{
		{"nothing", nil, nil, 422, "there is neither a file nor text"},
		{"text without a language", map[string]string{"text": "AC"}, nil, 422, "choose the language of the text"},
		{"both", map[string]string{"text": "AC", "language": "cpp"}, []upload{{"a.cpp", "AC"}}, 422, "there are both a file and text"},
		{"a file of no language", nil, []upload{{"a.txt", "AC"}}, 422, "a.txt: the language is not clear from the name: choose one"},
		{"an empty file", nil, []upload{{"a.cpp", ""}}, 422, "a.cpp: the source is empty"},
		{"an archive that is none", nil, []upload{{"a.zip", "PK"}}, 422, "a.zip: not a zip archive"},
		{"two files with a name", nil, []upload{{"a.cpp", "1"}, {"a.cpp", "2"}}, 422, "two files are called a.cpp"},
		{"an unknown language", map[string]string{"text": "AC", "language": "brainf"}, nil, 422, `unknown language "brainf"`},
		{"a language of others", nil, []upload{{"a.c", "AC"}}, 403, "c is not among the languages of the course: cpp, python"},
		{"a large source", nil, []upload{{"a.cpp", strings.Repeat("x", 301)}}, 403, "the source has 301 bytes, and the course allows 300"},
		{"a hidden name", nil, []upload{{".a.cpp", "AC"}}, 422, "a name does not begin with a dot"},
		{"markup is kept and escaped", map[string]string{"text": "</textarea><script>alert(1)</script>", "language": "zzz"}, nil, 422, "</textarea><script>alert(1)</script>"},
	} {
		got := ann.hand("/c/c/p/a", tt.fields, tt.files...)
		if got.StatusCode != tt.status || !strings.Contains(plain(strings.ReplaceAll(got.text, "<span", " <span")), tt.want) {
			t.Errorf("%s: %s, want %d %q in\n%s", tt.why, got.Status, tt.status, tt.want, plain(got.text))
		}
		if strings.Contains(got.text, "<script>alert") {
			t.Errorf("%s: the page has the script", tt.why)
		}
	}
	// The language of an archive is not clear from its name, and the course does not allow all.
	several := []upload{{"main.py", "AC"}, {"other.py", "x"}}
	ann.hand("/c/c/p/a", nil, several...).want(t, http.StatusUnprocessableEntity, "choose the language of several files")
	ann.hand("/c/c/p/a", map[string]string{"language": "python"}, several...).want(t, http.StatusSeeOther)
	at := ann.hand("/c/c/p/a", nil, upload{"a.cpp", "AC"}).want(t, http.StatusSeeOther).Header.Get("Location")
	w.await(at[strings.LastIndex(at, "/")+1:])
	in, _, err := w.service.Source(t.Context(), at[strings.LastIndex(at, "/")+1:])
	if err != nil || in.Language != "cpp" { // else a line #! could choose another
		t.Errorf("the language is %q, %v", in.Language, err)
	}
	// A form that is sent twice is one submission.
	key := regexp.MustCompile(`name="key" value="([^"]+)"`).FindStringSubmatch(ann.get("/c/c/p/a").text)[1]
	first := ann.hand("/c/c/p/a", map[string]string{"key": key}, upload{"b.cpp", "AC b"}).want(t, http.StatusSeeOther)
	again := ann.hand("/c/c/p/a", map[string]string{"key": key}, upload{"b.cpp", "AC b"}).want(t, http.StatusSeeOther)
	if first.Header.Get("Location") != again.Header.Get("Location") {
		t.Errorf("a form that was sent twice made two submissions")
	}
	ann.hand("/c/c/p/a", nil, upload{"c.cpp", "AC c"}).want(t, http.StatusSeeOther)
	ann.hand("/c/c/p/a", nil, upload{"d.cpp", "AC d"}).want(t, http.StatusForbidden, "4 submissions in a minute are the most")
	w.set(2)
	ann.hand("/c/c/p/a", nil, upload{"d.cpp", "AC d"}).want(t, http.StatusSeeOther)
}

// TestRate hands in at the same time, and no more is taken than the course allows.
func TestRate(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.problem("a")
	w.contest("c", func(c *ledger.Course) { c.Rate = 2 })
	w.person("c", "ann", ledger.Participant)
	ann := w.browser("ann")
	var taken atomic.Int32
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			if ann.hand("/c/c/p/a", nil, upload{fmt.Sprint("a", i, ".cpp"), "AC"}).StatusCode == http.StatusSeeOther {
				taken.Add(1)
			}
		})
	}
	all.Wait()
	if n := taken.Load(); n == 0 || n > 2 {
		t.Errorf("%d submissions were taken, want up to 2", n)
	}
	ann.hand("/c/c/p/a", nil, upload{"b.cpp", "AC"})
	ann.hand("/c/c/p/a", nil, upload{"c.cpp", "AC"}).want(t, http.StatusForbidden, "2 submissions in a minute are the most")
}

// TestAccess asks for every page in every role and phase. Who sees what is in a file, so that every change of it is
// seen. No page that a participant sees has secret data, or data of other participants.
func TestAccess(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.problem("a")
	w.problem("b")
	w.contest("c", func(c *ledger.Course) { c.Register = "sesame" })
	w.contest("other")
	for login, role := range map[string]ledger.Role{"ann": ledger.Participant, "bob": ledger.Participant, "obs": ledger.Observer, "tea": ledger.Teacher} {
		w.person("c", login, role)
	}
	w.person("other", "out", ledger.Teacher)
	w.set(10)
	bobs, anns := w.browser("bob").submission("c", "a", "WA of bob"), ""
	ann := w.browser("ann")
	anns = ann.submission("c", "a", "WA of ann")
	ann.post("/c/c/questions", url.Values{"text": {"a question of ann"}}).want(t, http.StatusSeeOther)
	w.browser("bob").post("/c/c/questions", url.Values{"text": {"a question of bob"}}).want(t, http.StatusSeeOther)

	roles := []string{"", "ann", "obs", "tea", "out", "root"}
	browsers := map[string]*browser{}
	for _, role := range roles {
		browsers[role] = w.browser(role)
	}
	phases := []struct {
		name   string
		minute int
	}{{"before", -10}, {"during", 30}, {"frozen", 70}, {"late", 150}, {"after", 250}}
	pages := New(Options{Service: w.service, Accounts: w.tokens})
	var table strings.Builder
	for _, row := range pages.routes() {
		if row.path == "/sign-out" || row.path == "/sign-in" || row.method == "POST" && !strings.HasPrefix(row.path, "/c/") && !strings.HasPrefix(row.path, "/admin") {
			continue // it would end the session, or use up the attempts
		}
		for _, phase := range phases {
			w.set(phase.minute)
			var line []string
			for _, role := range roles {
				id := bobs // of somebody else
				path := strings.NewReplacer("{course}", "c", "{problem}", "a", "{id}", id, "{file}", "1.in", "{token}", "x", "{login}", "bob", "{batch}", "x", "{judging}", "1", "{$}", "").Replace(row.path)
				r := browsers[role].request(row.method, path, map[bool]string{true: "application/x-www-form-urlencoded"}[row.method == "POST"], nil)
				if row.stream { // it would not end
					r.Method = "HEAD"
				}
				got := browsers[role].do(r)
				name := role
				if name == "" {
					name = "nobody"
				}
				line = append(line, fmt.Sprintf("%s %d", name, got.StatusCode))
				if role == "ann" || role == "" {
					for _, hidden := range []string{secret, "private.example", "WA of bob", "question of bob", bobs} {
						if strings.Contains(got.text, hidden) && got.StatusCode != http.StatusSeeOther {
							t.Errorf("%s as %s, %s: the page has %q:\n%s", row.pattern(), name, phase.name, hidden, got.text)
						}
					}
				}
				if got.StatusCode >= 500 {
					t.Errorf("%s as %s, %s: %s\n%s", row.pattern(), name, phase.name, got.Status, got.text)
				}
				if policy := got.Header.Get("Content-Security-Policy"); policy != drawingPolicy && (!strings.Contains(policy, "script-src 'self'") || strings.Contains(policy, "unsafe")) {
					t.Errorf("%s: the policy is %q", row.pattern(), policy)
				}
			}
			fmt.Fprintf(&table, "%-4s %-36s %-7s %s\n", row.method, row.path, phase.name, strings.Join(line, ", "))
			if !strings.Contains(row.path, "{course}") {
				break // it has no phases
			}
		}
	}
	golden(t, "access.txt", table.String())
	w.set(30)
	ann.get("/c/c/s/"+anns).want(t, http.StatusOK, "of ann")
	if got := w.browser("tea").get("/c/c/s/"+bobs).want(t, http.StatusOK, "of bob"); !strings.Contains(got.text, ">"+secret+"\n2 3</pre>") {
		t.Errorf("no input line by line in\n%s", got.text)
	}
}

// TestFreeze checks that the freeze hides outcomes of others until the thaw, and nothing from teachers.
func TestFreeze(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.problem("a")
	w.problem("b")
	w.contest("c", func(c *ledger.Course) { c.Thaw = begin.Add(90 * time.Minute) })
	w.person("c", "ann", ledger.Participant)
	w.person("c", "bob", ledger.Participant)
	w.person("c", "tea", ledger.Teacher)
	w.set(70)
	id := w.browser("ann").submission("c", "a", "AC")
	w.browser("ann").get("/c/c/s/"+id).want(t, http.StatusOK, "AC 2 of 2 cases")
	board := func(login string) string {
		return plain(w.browser(login).get("/c/c/standings").want(t, http.StatusOK).text)
	}
	if got := board("bob"); !strings.Contains(got, "frozen") || !strings.Contains(got, "Name of ann 0 0 – 0 + 1") {
		t.Errorf("in the freeze: %s", got)
	}
	if got := board("tea"); !strings.Contains(got, "1 Name of ann 1 70 70 1") {
		t.Errorf("to a teacher: %s", got)
	}
}

// TestThaw checks that standings change by time alone.
func TestThaw(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.problem("a")
	w.contest("c", func(c *ledger.Course) { c.Thaw = begin.Add(90 * time.Minute) })
	w.person("c", "ann", ledger.Participant)
	w.set(95)
	w.browser("ann").submission("c", "a", "AC")
	w.browser("ann").get("/c/c/standings").want(t, http.StatusOK, "1 Name of ann 1 95 95 1")
}

// TestFeedback checks that pages say no more about own submissions, nor the standings about those of others, than the
// course allows.
func TestFeedback(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.problem("a")
	w.contest("c", func(c *ledger.Course) {
		c.Feedback, c.Scoring, c.Problems = "none", ledger.Points, []ledger.CourseProblem{{Label: "A", Problem: "a", Points: 10, Partial: true}}
	})
	w.person("c", "ann", ledger.Participant)
	w.person("c", "tea", ledger.Teacher)
	ann := w.browser("ann")
	id := ann.submission("c", "a", "WA of ann")
	for _, path := range []string{"/c/c", "/c/c/standings", "/c/c/s", "/c/c/s/" + id, "/c/c/p/a"} {
		page := ann.get(path).want(t, http.StatusOK).text
		for _, told := range []string{`class="v wrong"`, ">tried<", "<b>5</b>", ">5<", "1 of 2", "not judged"} {
			if strings.Contains(page, told) {
				t.Errorf("%s says %q:\n%s", path, told, page)
			}
		}
	}
	w.browser("tea").get("/c/c/standings").want(t, http.StatusOK, "1 Name of ann 5 5 1")
}

// TestStrangers checks that somebody who is not in a course does not learn of it.
func TestStrangers(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.contest("c")
	w.contest("other")
	w.person("other", "eve", ledger.Teacher)
	for _, who := range []string{"", "eve"} {
		b := w.browser(who)
		for _, path := range []string{"/c/c", "/c/c/standings", "/c/c/questions", "/c/nothing"} {
			for _, got := range []*reply{b.get(path), b.post(path, nil)} {
				if strings.Contains(got.text, "Contest c") {
					t.Errorf("%q at %s: the page has the title", who, path)
				}
			}
		}
		if there, not := b.get("/c/c"), b.get("/c/nothing"); there.StatusCode != not.StatusCode {
			t.Errorf("%q: %d for a course, %d for none", who, there.StatusCode, not.StatusCode)
		}
	}
}

// TestForeignProblem checks that a teacher gets no data of a problem that another course has.
func TestForeignProblem(t *testing.T) {
	t.Parallel()
	w := start(t)
	for _, id := range []string{"a", "b", "exam"} {
		w.problem(id)
	}
	w.contest("c")
	w.contest("other", func(c *ledger.Course) { c.Problems = []ledger.CourseProblem{{Label: "X", Problem: "exam"}} })
	w.person("c", "tea", ledger.Teacher)
	set := func(who string, status int, texts ...string) {
		t.Helper()
		now, err := w.service.Course("c")
		if err != nil {
			t.Fatal(err)
		}
		text := "title: T\nproblems:\n  - {label: A, problem: a}\n  - {label: E, problem: exam}\n"
		w.browser(who).post("/c/c/settings", url.Values{"text": {text}, "after": {fmt.Sprint(now.Sequence)}}).want(t, status, texts...)
	}
	set("tea", http.StatusForbidden, "problem E: another course has exam")
	w.contest("other", func(c *ledger.Course) {
		c.Problems, c.Archived = []ledger.CourseProblem{{Label: "X", Problem: "exam"}}, true
	})
	set("tea", http.StatusForbidden, "problem E: another course has exam") // an exam that is over may come again
	set("root", http.StatusSeeOther)
	set("tea", http.StatusSeeOther) // the course has it now
}

// TestLive follows a submission and the standings by their events.
func TestLive(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.problem("a")
	w.contest("c", func(c *ledger.Course) { c.Standings = ledger.Public })
	w.person("c", "ann", ledger.Participant)
	ann := w.browser("ann")
	events := func(b *browser, path string) *bufio.Scanner {
		resp, err := b.client.Do(b.request("GET", path, "", nil))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { resp.Body.Close() })
		if kind := resp.Header.Get("Content-Type"); kind != "text/event-stream" {
			t.Fatalf("%s: %s %s", path, resp.Status, kind)
		}
		return bufio.NewScanner(resp.Body)
	}
	await := func(s *bufio.Scanner, want string) {
		t.Helper()
		for s.Scan() {
			if strings.Contains(plain(s.Text()), want) {
				return
			}
		}
		t.Fatalf("the stream ended without %q", want)
	}
	board := events(w.browser(""), "/c/c/standings/events")
	await(board, "Name of ann 0 0")
	slow := ann.submission("c", "a", "slow")
	live := events(ann, "/c/c/s/"+slow+"/events")
	await(live, "event: progress")
	if err := w.store.Signals.Send("live."+slow, []byte(`{"judging":1,"attempt":1,"event":"case","case":"secret/2","verdict":"WA"}`)); err != nil {
		t.Fatal(err)
	}
	await(live, "WA")
	if err := w.service.Cancel(t.Context(), slow, 1, "root", "enough"); err != nil {
		t.Fatal(err)
	}
	await(live, "event: done")
	w.set(5)
	ann.submission("c", "a", "AC")
	await(board, "1 Name of ann 1 5 5 1")
}

// TestSessions checks how sessions begin and end.
func TestSessions(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.contest("c")
	w.person("c", "ann", ledger.Participant)
	first, second := w.browser("ann"), w.browser("ann")
	cookie := first.client.Jar.Cookies(first.request("GET", "/", "", nil).URL)[0]
	if set := first.post("/sign-in", url.Values{"login": {"ann"}, "password": {password("ann")}}).Header.Get("Set-Cookie"); !strings.Contains(set, "HttpOnly; SameSite=Lax") {
		t.Errorf("the cookie: %s", set)
	}
	w.browser("").hand("/sign-in", map[string]string{"login": "ann", "password": password("ann")}).want(t, http.StatusSeeOther) // in parts, as curl -F does
	old := w.browser("")
	r := old.request("GET", "/account", "", nil)
	r.AddCookie(cookie)
	old.do(r).want(t, http.StatusSeeOther) // signing in again has ended the session before
	first.get("/account").want(t, http.StatusOK, "signed in as ann")
	first.post("/account", url.Values{"old": {"wrong one"}, "password": {"a new password"}, "again": {"a new password"}}).want(t, http.StatusUnauthorized, "the old password is another")
	first.post("/account", url.Values{"old": {password("ann")}, "password": {"a new password"}, "again": {"a new password"}}).want(t, http.StatusSeeOther)
	first.get("/account").want(t, http.StatusOK)
	second.get("/account").want(t, http.StatusSeeOther) // another password ends all other sessions
	first.post("/sign-out", nil).want(t, http.StatusSeeOther)
	first.get("/account").want(t, http.StatusSeeOther)

	third := w.browser("")
	for _, form := range []url.Values{{"login": {"ann"}, "password": {"x"}}, {"login": {"nobody"}, "password": {"x"}}, {"password": {"tj_x"}}} {
		third.post("/sign-in", form).want(t, http.StatusUnauthorized, "The login and the password do not belong together")
	}
	for range 12 {
		if third.post("/sign-in", url.Values{"login": {"eve"}, "password": {"guess"}}).StatusCode == http.StatusTooManyRequests {
			return
		}
	}
	t.Error("a login can be guessed without a bound")
}

// TestForeignForms checks that other sites cannot send forms in the name of somebody, nor choose where signing in leads.
func TestForeignForms(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.contest("c")
	w.person("c", "ann", ledger.Participant)
	ann := w.browser("ann")
	for _, header := range [][2]string{{"Sec-Fetch-Site", "cross-site"}, {"Sec-Fetch-Site", "same-site"}, {"Origin", "https://evil.example"}} {
		r := ann.request("POST", "/c/c/questions", "application/x-www-form-urlencoded", strings.NewReader("text=hello"))
		r.Header.Del("Sec-Fetch-Site")
		r.Header.Set(header[0], header[1])
		ann.do(r).want(t, http.StatusForbidden, "another site")
	}
	if list := w.service.Questions("c"); len(list) > 0 {
		t.Errorf("a foreign form asked %v", list)
	}
	for _, next := range []string{"https://evil.example", "//evil.example", "/\\evil.example", "javascript:alert(1)", "evil"} {
		got := w.browser("").post("/sign-in", url.Values{"login": {"ann"}, "password": {password("ann")}, "next": {next}})
		if to := got.Header.Get("Location"); to != "/" {
			t.Errorf("next=%s leads to %s", next, to)
		}
	}
}

func TestRegister(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.contest("open", func(c *ledger.Course) { c.Register = "sesame" })
	w.contest("closed")
	w.person("closed", "ann", ledger.Participant)
	w.browser("").get("/register/closed").want(t, http.StatusNotFound)
	form := func(word, login, password string) url.Values {
		return url.Values{"word": {word}, "login": {login}, "name": {"Eve"}, "password": {password}}
	}
	with := func(key, value string) url.Values {
		f := form("sesame", "eve", "long enough")
		f.Set(key, value)
		return f
	}
	for _, tt := range []struct {
		form url.Values
		want string
	}{
		{form("wrong", "eve", "long enough"), "the word for this course is another"},
		{form("sesame", "Eve Adams", "long enough"), "a login has up to 63 lower-case letters"},
		{form("sesame", "eve", "short"), "8 to 200 characters"},
		{with("name", ""), "give your name"},
		{with("name", "A\x07"), "printable characters"},
		{with("name", strings.Repeat("x", 201)), "printable characters"},
		{with("email", "x"), `the e-mail address "x" is not valid`},
		{with("email", strings.Repeat("x", 200)+"@x.org"), "printable characters"},
		{form("sesame", "ann", "long enough"), "this login is taken"}, // else an account of another course would be taken over
	} {
		w.browser("").post("/register/open", tt.form).want(t, http.StatusUnprocessableEntity, tt.want)
	}
	eve := w.browser("")
	eve.post("/register/open", form("sesame", "eve", "long enough")).want(t, http.StatusSeeOther)
	eve.get("/c/open").want(t, http.StatusOK, "Contest open")
	w.browser("").post("/register/open", form("sesame", "eve", "long enough")).want(t, http.StatusUnprocessableEntity, "taken")
	// An attempt that broke off after the account was made is completed by the same password alone.
	if err := w.tokens.SetPassword(t.Context(), "eva", "long enough"); err != nil {
		t.Fatal(err)
	}
	eva := w.browser("")
	eva.post("/register/open", form("sesame", "eva", "of a thief")).want(t, http.StatusUnprocessableEntity, "taken")
	eva.post("/register/open", form("sesame", "eva", "long enough")).want(t, http.StatusSeeOther)
	eva.get("/c/open").want(t, http.StatusOK, "Contest open")
	// A login that was erased stays that of the person who had it, and no account is left behind.
	if err := w.service.ErasePerson(t.Context(), "open", "eva", "root"); err != nil {
		t.Fatal(err)
	}
	if err := w.tokens.EraseAccount(t.Context(), "eva"); err != nil {
		t.Fatal(err)
	}
	w.browser("").post("/register/open", form("sesame", "eva", "long enough")).want(t, http.StatusUnprocessableEntity, "this login was erased from the course")
	if w.tokens.HasPassword(t.Context(), "eva") {
		t.Error("who could not register has an account")
	}
	ann := w.browser("ann")
	ann.post("/register/open", url.Values{"word": {"sesame"}, "name": {"Ann"}}).want(t, http.StatusSeeOther)
	if got := w.service.CoursesOf("ann"); !slices.Equal(got, []string{"closed", "open"}) {
		t.Errorf("ann is in %v", got)
	}
}

func TestQuestions(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.problem("a")
	w.contest("c")
	for login, role := range map[string]ledger.Role{"ann": ledger.Participant, "bob": ledger.Participant, "obs": ledger.Observer, "tea": ledger.Teacher} {
		w.person("c", login, role)
	}
	ann, bob, tea := w.browser("ann"), w.browser("bob"), w.browser("tea")
	ann.post("/c/c/questions", url.Values{"text": {"is <b>0</b> allowed?"}, "problem": {"a"}}).want(t, http.StatusSeeOther)
	ann.post("/c/c/questions", url.Values{"text": {" "}}).want(t, http.StatusUnprocessableEntity)
	ann.post("/c/c/questions", url.Values{"text": {"x"}, "problem": {"zzz"}}).want(t, http.StatusNotFound)
	ann.post("/c/c/questions", url.Values{"text": {strings.Repeat("x", 4001)}}).want(t, http.StatusUnprocessableEntity)
	w.browser("obs").post("/c/c/questions", url.Values{"text": {"x"}}).want(t, http.StatusForbidden)
	ann.get("/c/c/questions").want(t, http.StatusOK, "is <b>0</b> allowed? not answered yet")
	if strings.Contains(bob.get("/c/c/questions").text, "allowed") {
		t.Error("bob sees a question of ann")
	}
	id := w.service.Questions("c")[0].ID
	bob.post("/c/c/questions", url.Values{"text": {"yes"}, "to": {id}, "public": {"on"}}).want(t, http.StatusSeeOther) // is a question of its own
	if got := w.service.Questions("c")[0]; got.Answer != "" || got.Public {
		t.Errorf("bob answered: %+v", got)
	}
	seen := func() string {
		list := w.service.Questions("c")
		return fmt.Sprint(list[slices.IndexFunc(list, func(q ledger.QuestionState) bool { return q.ID == id })].Sequence)
	}
	old := seen()
	tea.post("/c/c/questions", url.Values{"text": {"yes"}, "to": {id}, "after": {seen()}}).want(t, http.StatusSeeOther)
	tea.post("/c/c/questions", url.Values{"text": {"no"}, "to": {id}, "after": {old}}).want(t, http.StatusConflict) // another teacher was faster
	ann.get("/c/c/questions").want(t, http.StatusOK, "allowed? yes")
	tea.post("/c/c/questions", url.Values{"text": {"yes, to all"}, "to": {id}, "after": {seen()}, "public": {"on"}}).want(t, http.StatusSeeOther)
	if page := plain(bob.get("/c/c/questions").text); !strings.Contains(page, "yes, to all") || strings.Contains(page, "asked by") {
		t.Errorf("bob sees: %s", page)
	}
	tea.post("/c/c/questions", url.Values{"text": {"lunch is ready"}}).want(t, http.StatusSeeOther)
	bob.get("/c/c").want(t, http.StatusOK, "lunch is ready")
}

// TestRun runs a program on an input that its author chooses.
func TestRun(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.contest("c")
	w.person("c", "ann", ledger.Participant)
	w.person("c", "bob", ledger.Participant)
	ann := w.browser("ann")
	for _, tt := range []struct {
		form url.Values
		want string
	}{
		{url.Values{"language": {"cpp"}}, "there is no program"},
		{url.Values{"text": {"x"}}, "choose the language of the program"},
		{url.Values{"text": {"\xff"}, "language": {"cpp"}}, "not valid UTF-8"},
	} {
		ann.post("/c/c/run", tt.form).want(t, http.StatusUnprocessableEntity, tt.want)
	}
	got := ann.post("/c/c/run", url.Values{"language": {"cpp"}, "text": {"a program"}, "input": {"1 2\r\n3 <b>\r\n"}}).want(t, http.StatusSeeOther)
	path := got.Header.Get("Location")
	w.await(path[strings.LastIndex(path, "/")+1:])
	ann.get(path).want(t, http.StatusOK, "OK", "read 1 2 3 <b>", "a program")
	w.browser("bob").get(path).want(t, http.StatusNotFound)
	ann.get("/c/c/s/"+path[strings.LastIndex(path, "/")+1:]).want(t, http.StatusNotFound) // it is no submission
	ann.get("/c/c").want(t, http.StatusOK)
}

// TestRows checks what every row must have.
func TestRows(t *testing.T) {
	t.Parallel()
	p := New(Options{})
	names := map[string]bool{}
	for _, r := range p.routes() {
		if names[r.pattern()] {
			t.Errorf("%s is there twice", r.pattern())
		}
		names[r.pattern()] = true
		if (r.method == http.MethodPost) != (r.body > 0) {
			t.Errorf("%s: a body of %d bytes", r.pattern(), r.body)
		}
		if strings.HasPrefix(r.path, "/c/{course}/") && r.level == everybody {
			t.Errorf("%s is for everybody", r.pattern())
		}
		if r.since != "" && r.since != course.During {
			t.Errorf("%s: from phase %s", r.pattern(), r.since)
		}
	}
}

// TestManySignIn lets a class sign in at once, from one address.
func TestManySignIn(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.contest("c")
	const people = 120
	for i := range people {
		w.person("c", fmt.Sprint("p", i), ledger.Participant)
	}
	var all sync.WaitGroup
	for i := range people {
		all.Go(func() {
			login := fmt.Sprint("p", i)
			got := w.browser("").post("/sign-in", url.Values{"login": {login}, "password": {password(login)}})
			if got.StatusCode != http.StatusSeeOther {
				t.Errorf("%s: %s", login, got.Status)
			}
		})
	}
	all.Wait()
}

// TestClock sets the clock back in a freeze: by a little, which the ledger does not follow, and by an hour, which it does.
// Until then the order of submissions stays, and standings show nothing that was hidden.
func TestClock(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.problem("a")
	w.contest("c", func(c *ledger.Course) { c.Thaw = begin.Add(90 * time.Minute) })
	w.person("c", "ann", ledger.Participant)
	w.person("c", "bob", ledger.Participant)
	at := func(login string, minute int) time.Time {
		t.Helper()
		w.set(minute)
		sub, err := w.service.Get(w.browser(login).submission("c", "a", "AC"))
		if err != nil {
			t.Fatal(err)
		}
		return sub.At
	}
	first := at("ann", 65)
	if second := at("bob", 56); second != first {
		t.Errorf("handed in at %v, and then at %v", first, second)
	}
	w.browser("bob").get("/c/c/standings").want(t, http.StatusOK, "frozen", "Name of ann 0 0 – 0 + 1", "Name of bob 0 0 – 0 + 1")
	c, err := w.service.Course("c")
	if err != nil {
		t.Fatal(err)
	}
	all := w.service.List(func(*ledger.Submission) bool { return true }, "", 10)
	for _, row := range course.StandingsOf(&c, w.service.People("c"), all, true, begin).Rows {
		if row.Solved != 1 || row.Cells[0].First != (row.Login == "ann") {
			t.Errorf("ann was the first to solve it: %+v", row)
		}
	}
	if third := at("bob", 10); third != begin.Add(10*time.Minute) {
		t.Errorf("with a clock that was right at last: %v", third)
	}
}

// TestBrokenUpload checks that an upload that breaks off is not taken for a whole one, and leaves nothing.
func TestBrokenUpload(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.problem("a")
	w.contest("c")
	w.person("c", "ann", ledger.Participant)
	ann := w.browser("ann")
	const head = "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.cpp\"\r\n\r\nAC"
	for _, body := range []string{"", "--x", head, head + "\r\n--x", head + "\r\n--x\r\nContent-Disposition: form-data; name=\"language\"\r\n\r\ncpp"} {
		got := ann.do(ann.request("POST", "/c/c/p/a", "multipart/form-data; boundary=x", strings.NewReader(body)))
		got.want(t, http.StatusBadRequest, "the upload broke off")
	}
	// The connection ends before the body.
	r := ann.request("POST", "/c/c/p/a", "multipart/form-data; boundary=x", io.MultiReader(strings.NewReader(head), iotest.ErrReader(errors.New("cut"))))
	r.ContentLength = 1000
	if resp, err := ann.client.Do(r); err == nil {
		resp.Body.Close()
		t.Errorf("an upload without an end: %s", resp.Status)
	}
	if err := w.service.CatchUp(t.Context()); err != nil {
		t.Fatal(err)
	}
	if list := w.service.List(func(*ledger.Submission) bool { return true }, "", 10); len(list) > 0 {
		t.Errorf("it left %+v", list)
	}
	ann.hand("/c/c/p/a", nil, upload{"a.cpp", "AC"}).want(t, http.StatusSeeOther) // none of its places is taken
	ann.hand("/c/c/p/a", nil, upload{"a.cpp", "AC"}).want(t, http.StatusSeeOther)
}

// TestTwoCourses checks that a person with two courses is in each what the course says, and sees of each what is its.
func TestTwoCourses(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.problem("a")
	w.contest("c")
	w.contest("d")
	w.person("c", "ann", ledger.Participant)
	w.person("d", "ann", ledger.Teacher)
	w.person("c", "bob", ledger.Participant)
	w.person("d", "bob", ledger.Participant)
	ann, bob := w.browser("ann"), w.browser("bob")
	ofC, ofD := bob.submission("c", "a", "AC in c"), bob.submission("d", "a", "AC in d")
	ann.get("/").want(t, http.StatusOK, "Contest c", "Contest d")
	ann.get("/c/c/people").want(t, http.StatusForbidden)
	ann.get("/c/d/people").want(t, http.StatusOK, "Name of bob")
	for path, status := range map[string]int{
		"/c/d/s/" + ofD: http.StatusOK, "/c/c/s/" + ofC: http.StatusNotFound, "/c/d/s/" + ofC: http.StatusNotFound, "/c/c/s/" + ofD: http.StatusNotFound,
		"/c/d/s/" + ofC + "/source": http.StatusNotFound, "/c/d/s/" + ofC + "/judging/1": http.StatusNotFound,
	} {
		ann.get(path).want(t, status)
	}
	ann.post("/c/d/s/"+ofC+"/rule", url.Values{"verdict": {"WA"}, "reason": {"r"}}).want(t, http.StatusNotFound)
	bob.get("/c/d/s/"+ofC).want(t, http.StatusNotFound)
	bob.get("/c/c/s").want(t, http.StatusOK)
	if text := bob.get("/c/c/s").text; strings.Contains(text, ofD) || !strings.Contains(text, ofC) {
		t.Errorf("the submissions of a course:\n%s", text)
	}
	// Erased from one course, bob stays in the other with everything.
	ann.post("/c/d/person/bob/erase", url.Values{"sure": {"bob"}}).want(t, http.StatusSeeOther)
	bob.get("/c/d").want(t, http.StatusNotFound)
	bob.get("/c/c/s/"+ofC).want(t, http.StatusOK)
}

// TestLeft checks that the stream of a submission ends when its viewer may not see it any more.
func TestLeft(t *testing.T) {
	t.Parallel()
	for _, leave := range []func(*world) error{
		func(w *world) error { return w.service.ErasePerson(w.t.Context(), "c", "ann", "root") },
		func(w *world) error { return w.tokens.CloseAll(w.t.Context(), "ann") },
		func(w *world) error {
			w.contest("c", func(c *ledger.Course) { c.Archived = true })
			return nil
		},
	} {
		w := start(t)
		w.pages.beat = time.Millisecond
		w.problem("a")
		w.contest("c", func(c *ledger.Course) { c.Standings = ledger.Public })
		w.person("c", "ann", ledger.Participant)
		ann := w.browser("ann")
		id := ann.submission("c", "a", "slow")
		r := ann.request("GET", "/c/c/s/"+id+"/events", "", nil).WithContext(storetest.Patient(t))
		resp, err := ann.client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		if _, err := resp.Body.Read(make([]byte, 1)); err != nil {
			t.Fatal(err)
		}
		if err := leave(w); err != nil {
			t.Fatal(err)
		}
		if _, err := io.Copy(io.Discard, resp.Body); err != nil {
			t.Errorf("the stream goes on: %v", err)
		}
	}
}
