package pages

import (
	"archive/zip"
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	unescape "html"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path"
	"regexp"
	"strings"
	"testing"
	"time"

	"tribunal/judge/judged/internal/access"
	"tribunal/judge/judged/internal/ledger"
	"tribunal/judge/judged/internal/service"
	"tribunal/judge/judged/internal/store/storetest"
)

// hidden returns the value of a hidden field of a page.
func (r *reply) hidden(t *testing.T, name string) string {
	t.Helper()
	m := regexp.MustCompile(`name="` + name + `" value="([^"]*)"`).FindStringSubmatch(r.text)
	if m == nil {
		t.Fatalf("no field %s in\n%s", name, r.text)
	}
	return unescape.UnescapeString(m[1])
}

// classroom is a world with a teacher, a participant and an observer.
func classroom(t *testing.T) (w *world, tea *browser) {
	t.Helper()
	w = start(t)
	w.problem("a")
	w.problem("b")
	w.contest("c", func(c *ledger.Course) { c.Scoring = ledger.Points; c.Freeze = time.Time{} })
	w.contest("other")
	w.person("c", "tea", ledger.Teacher)
	w.person("c", "ann", ledger.Participant)
	w.person("c", "obs", ledger.Observer)
	return w, w.browser("tea")
}

// TestImport goes from a list to an account.
func TestImport(t *testing.T) {
	t.Parallel()
	w, tea := classroom(t)
	if err := w.service.SetPerson(t.Context(), "other", ledger.Person{Login: "out", Name: "Out", Role: ledger.Participant}, 0, "root"); err != nil {
		t.Fatal(err)
	}
	const list = "Name;Login;Gruppe;E-Mail\nBob Ray;bob;g1;bob@x.org\nName of ann;ann;g2;\nOut;out;;\nCid Öz;;g1;\n<b>Dan</b>;dan;;\n"
	tea.hand("/c/c/import", nil, upload{"class.csv", "name,login\n,x\nAnn,a b\n"}).want(t, http.StatusUnprocessableEntity, "Nothing was imported", "class.csv:2: no name", `class.csv:3: the login "a b" is not valid`)
	tea.hand("/c/c/import", map[string]string{"text": "x,y\n<i>,2\n"}).want(t, http.StatusUnprocessableEntity, "list:1: no column with names", "<i>,2")
	tea.hand("/c/c/import", nil, upload{"class.xlsx", "PK\x03\x04"}).want(t, http.StatusUnprocessableEntity, "a workbook")
	preview := tea.hand("/c/c/import", nil, upload{"class.csv", list}).want(t, http.StatusOK, "4 new, 1 changed, 0 as they are", "bob Bob Ray g1 bob@x.org participant new", "was Name of ann", "cid.oz")
	if got := w.service.People("c"); len(got) != 3 {
		t.Fatalf("a preview has changed the course: %v", got)
	}
	broken := tea.do(tea.request("POST", "/c/c/import", "multipart/form-data; boundary=x", strings.NewReader("--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.csv\"\r\n\r\nname\nEve")))
	broken.want(t, http.StatusBadRequest, "the upload broke off, and nothing was imported")
	done := tea.hand("/c/c/import", map[string]string{"text": preview.hidden(t, "text"), "apply": "yes"}).want(t, http.StatusOK, "4 new, 1 changed", "out is in another course, too, and keeps that account", "bob Bob Ray "+w.server.URL+"/join/tj_")
	if strings.Contains(done.text, "<b>Dan") || strings.Count(done.text, "/join/tj_") != 3 {
		t.Errorf("the page has markup of the list, or not three links:\n%s", done.text)
	}
	link := regexp.MustCompile(`/join/tj_\w+`).FindString(done.text)
	bob := w.browser("")
	bob.post(link, url.Values{"password": {"long enough"}, "again": {"long enough"}}).want(t, http.StatusSeeOther)
	bob.get("/c/c").want(t, http.StatusOK, "Contest c")
	again := tea.hand("/c/c/import", map[string]string{"text": list}).want(t, http.StatusOK, "0 new, 0 changed, 5 as they are")
	tea.hand("/c/c/import", map[string]string{"text": again.hidden(t, "text"), "apply": "yes"}).want(t, http.StatusOK, "0 new, 0 changed, 5 as they were")
	w.browser("ann").get("/c/c/import").want(t, http.StatusForbidden)
}

// TestPeople looks at the table of people, and changes one.
func TestPeople(t *testing.T) {
	t.Parallel()
	w, tea := classroom(t)
	w.person("c", "bob", ledger.Participant)
	w.set(120) // late
	id := w.browser("ann").submission("c", "a", "AC")
	tea.get("/c/c/people").want(t, http.StatusOK, "2 participants, 1 of them silent", "Name of ann 1 late ann 1 1 1 1 late", "Name of bob silent bob", "Name of tea tea teacher tea@private.example")
	if page := tea.get("/c/c/people?silent=yes"); strings.Contains(page.text, "Name of ann") || !strings.Contains(page.text, "Name of bob") {
		t.Errorf("only silent ones:\n%s", page.text)
	}
	person := tea.get("/c/c/person/bob").want(t, http.StatusOK, "There is a password", "0 submissions, all questions asked and the account")
	form := url.Values{"after": {person.hidden(t, "after")}, "name": {"Bob R."}, "group": {"g1"}, "email": {"b@x.org"}, "role": {"participant"}}
	tea.post("/c/c/person/bob", form).want(t, http.StatusSeeOther)
	form.Set("name", "Bobby")
	stale := tea.post("/c/c/person/bob", form).want(t, http.StatusConflict, "somebody else has changed bob meanwhile")
	if !strings.Contains(stale.text, `value="Bobby"`) {
		t.Errorf("what was entered is lost:\n%s", stale.text)
	}
	form.Set("after", stale.hidden(t, "after"))
	tea.post("/c/c/person/bob", form).want(t, http.StatusSeeOther)
	tea.get("/c/c/people?group=g1").want(t, http.StatusOK, "Bobby")
	for _, tt := range []struct{ why, login, key, value, want string }{
		{"no name", "bob", "name", " ", "no name"},
		{"no address", "bob", "email", "x", "is not valid"},
		{"no role", "bob", "role", "", "choose a role"},
		{"an unknown role", "bob", "role", "king", "unknown role"},
		{"the own role", "tea", "role", "observer", "you cannot change your own role"},
	} {
		bad := url.Values{"after": {"0"}, "name": {"N"}, "role": {"participant"}}
		bad.Set(tt.key, tt.value)
		tea.post("/c/c/person/"+tt.login, bad).want(t, http.StatusUnprocessableEntity, tt.want)
	}
	added := tea.post("/c/c/person", url.Values{"name": {"Eve Ay"}, "role": {"observer"}}).want(t, http.StatusOK, "1 new", "eve.ay Eve Ay http")
	tea.post("/c/c/person", url.Values{"name": {"Ann"}, "login": {"ANN"}}).want(t, http.StatusUnprocessableEntity, "ann is a member already")
	if p, err := w.service.Person("c", "eve.ay"); err != nil || p.Role != ledger.Observer || !strings.Contains(added.text, "data:text/csv") {
		t.Errorf("eve is %+v, %v", p, err)
	}

	tea.post("/c/c/person/ann/erase", url.Values{"sure": {"an"}}).want(t, http.StatusUnprocessableEntity, "nothing was erased")
	tea.post("/c/c/person/tea/erase", url.Values{"sure": {"tea"}}).want(t, http.StatusUnprocessableEntity, "you cannot erase yourself")
	w.browser("obs").post("/c/c/person/ann/erase", url.Values{"sure": {"ann"}}).want(t, http.StatusForbidden)
	tea.post("/c/c/person/ann/erase", url.Values{"sure": {"ann"}}).want(t, http.StatusSeeOther)
	tea.get("/c/c/s/"+id).want(t, http.StatusNotFound)
	tea.get("/c/c/person/ann").want(t, http.StatusNotFound)
	if w.tokens.HasPassword(t.Context(), "ann") {
		t.Error("ann still has an account")
	}
}

// away is a service that fails once to erase submissions.
type away struct {
	Service
	failed bool
}

func (a *away) EraseSubmitter(ctx context.Context, submitter, by string) (int, error) {
	if !a.failed {
		a.failed = true
		return 0, errors.New("away")
	}
	return a.Service.EraseSubmitter(ctx, submitter, by)
}

// TestEraseAgain completes an erasure that broke off after the member was gone.
func TestEraseAgain(t *testing.T) {
	t.Parallel()
	w := start(t, func(o *Options) { o.Service = &away{Service: o.Service} })
	w.problem("a")
	w.contest("c")
	w.person("c", "ann", ledger.Participant)
	w.person("c", "tea", ledger.Teacher)
	w.set(10)
	tea, id := w.browser("tea"), w.browser("ann").submission("c", "a", "AC ann")
	erase := func(login, sure string, status int) {
		t.Helper()
		tea.post("/c/c/person/"+login+"/erase", url.Values{"sure": {sure}}).want(t, status)
	}
	erase("ann", "ann", http.StatusInternalServerError)
	tea.get("/c/c/s/"+id).want(t, http.StatusOK)
	erase("ann", "bob", http.StatusNotFound)
	erase("never", "never", http.StatusNotFound)
	erase("ann", "ann", http.StatusSeeOther)
	tea.get("/c/c/s/"+id).want(t, http.StatusNotFound)
	if w.tokens.HasPassword(t.Context(), "ann") {
		t.Error("ann still has an account")
	}
	erase("ann", "ann", http.StatusSeeOther) // nothing is left to do
}

// TestInvite checks that a teacher cannot take over the account of a member of another course.
func TestInvite(t *testing.T) {
	t.Parallel()
	w, tea := classroom(t)
	page := tea.post("/c/c/person/ann/invite", nil).want(t, http.StatusOK, "/join/tj_")
	secret := regexp.MustCompile(`/join/(tj_\w+)`).FindStringSubmatch(page.text)[1]
	if pass, err := w.tokens.Pass(t.Context(), access.Invitation, secret); err != nil || pass.Login != "ann" {
		t.Errorf("%+v, %v", pass, err)
	}
	w.person("other", "ann", ledger.Participant)
	tea.post("/c/c/person/ann/invite", nil).want(t, http.StatusForbidden, "is in another course, too")
	w.browser("root").post("/c/c/person/ann/invite", nil).want(t, http.StatusOK, "/join/tj_")
}

// TestSettings changes a course, also by two editors at once, and makes one.
func TestSettings(t *testing.T) {
	t.Parallel()
	w, tea := classroom(t)
	other := w.browser("root")
	if page := w.browser("obs").get("/c/c/settings").want(t, http.StatusOK, "title: Contest c"); strings.Contains(page.text, "Save</button>") {
		t.Error("an observer could save")
	}
	first, second := tea.get("/c/c/settings").want(t, http.StatusOK, "title: Contest c", "{label: A, problem: a, colour:"), other.get("/c/c/settings")
	save := func(b *browser, after, text string) *reply {
		return b.post("/c/c/settings", url.Values{"after": {after}, "text": {text}})
	}
	const mine, theirs = "title: Mine\r\nproblems:\r\n  - {label: X, problem: nowhere}\r\n", "title: Theirs <b>\n"
	save(tea, first.hidden(t, "after"), "title: T\ntilte: x\n").want(t, http.StatusUnprocessableEntity, `course.yaml:2: unknown field "tilte"`, "title: T tilte: x")
	save(tea, first.hidden(t, "after"), strings.Repeat("x", form)).want(t, http.StatusRequestEntityTooLarge, "that is too large")
	save(tea, first.hidden(t, "after"), mine).want(t, http.StatusSeeOther)
	tea.get("/c/c/settings?saved=yes").want(t, http.StatusOK, "Saved.", "title: Mine", "The service cannot judge X (nowhere)")
	late := save(other, second.hidden(t, "after"), theirs).want(t, http.StatusConflict, "tea has changed the course while you did", "title: Mine", "title: Theirs <b>")
	if c, _ := w.service.Course("c"); c.Title != "Mine" || c.By != "/c/tea" {
		t.Errorf("the course is %+v", c)
	}
	save(other, late.hidden(t, "after"), theirs).want(t, http.StatusSeeOther)
	if c, _ := w.service.Course("c"); c.Title != "Theirs <b>" || c.By != "root" {
		t.Errorf("the course is %+v", c)
	}

	form := func(id, text string) url.Values { return url.Values{"id": {id}, "text": {text}} }
	other.get("/new").want(t, http.StatusOK, "title: My course")
	other.post("/new", form("fresh", firstText)).want(t, http.StatusSeeOther)
	other.post("/new", form("fresh", firstText)).want(t, http.StatusConflict, "there is a course with the id fresh already", "title: My course")
	other.post("/new", form("Fresh!", firstText)).want(t, http.StatusUnprocessableEntity, "an id has up to 63 lower-case letters")
	other.post("/new", form("x", "about: x")).want(t, http.StatusUnprocessableEntity, "title")
	contest := "---\nname: Cup & <b>\nshort-name: The Cup\nstart-time: 2026-12-01T09:00:00Z\nduration: 5:00:00\nmedals: {gold: 4}\n---\nproblems: [{letter: A, short-name: a}]\n"
	made := other.post("/new", form("", contest)).want(t, http.StatusOK, "Not saved yet", "Without effect here: medals", "title: Cup & <b>", "{label: A, problem: a}")
	if !strings.Contains(made.text, `name="id" value="the_cup"`) {
		t.Errorf("the id is not that of the contest: %s", made.text)
	}
	other.post("/new", form("", strings.Replace(contest, "medals", "medels", 1))).want(t, http.StatusUnprocessableEntity, "course.yaml:6: unknown key \"medels\" (hint: did you mean medals?)")
	other.get("/c/the_cup/settings").want(t, http.StatusNotFound)
	tea.get("/new").want(t, http.StatusForbidden)
	tea.post("/new", form("teas", firstText)).want(t, http.StatusForbidden)
	tea.get("/c/fresh/settings").want(t, http.StatusNotFound)
}

// TestRuling decides by hand, and takes it back.
func TestRuling(t *testing.T) {
	t.Parallel()
	w, tea := classroom(t)
	id := w.browser("ann").submission("c", "a", "WA wrong")
	page := "/c/c/s/" + id
	tea.get(page).want(t, http.StatusOK, "Decide by hand", "1 counts WA w1")
	tea.get(page+"/judging/1").want(t, http.StatusOK, "worker w1", "WA on case secret/2", secret)
	if got := tea.get(page + "/judging/1?as=json"); !strings.Contains(got.text, `"secret/2"`) {
		t.Errorf("the result: %s", got.text)
	}
	for _, path := range []string{"/judging/0", "/judging/2", "/judging/x"} {
		tea.get(page+path).want(t, http.StatusNotFound)
	}
	w.browser("ann").get(page+"/judging/1").want(t, http.StatusForbidden)
	for _, tt := range []struct {
		why  string
		form url.Values
		want string
	}{
		{"no verdict", url.Values{"reason": {"x"}}, "choose a verdict"},
		{"no reason", url.Values{"verdict": {"AC"}, "reason": {" "}}, "give a reason"},
		{"a long reason", url.Values{"verdict": {"AC"}, "reason": {strings.Repeat("x", 501)}}, "give a reason"},
		{"no points", url.Values{"verdict": {"WA"}, "reason": {"x"}, "points": {"many"}}, "are no points"},
		{"points that are no number", url.Values{"verdict": {"WA"}, "reason": {"x"}, "points": {"NaN"}}, "are no points"},
	} {
		tea.post(page+"/rule", tt.form).want(t, http.StatusUnprocessableEntity, tt.want)
	}
	tea.post(page+"/rule", url.Values{"verdict": {"WA"}, "points": {"0,5"}, "reason": {"half of it is right"}}).want(t, http.StatusSeeOther)
	w.browser("ann").get(page).want(t, http.StatusOK, "0.5 points", "Decided by hand: half of it is right")
	sub, err := w.service.Get(id)
	if err != nil || sub.Ruling == nil || sub.Ruling.By != "/c/tea" {
		t.Errorf("%+v, %v", sub.Ruling, err)
	}
	tea.post(page+"/rule", url.Values{"back": {"yes"}, "reason": {"a mistake"}}).want(t, http.StatusSeeOther)
	if got := w.browser("ann").get(page); strings.Contains(got.text, "Decided by hand") {
		t.Errorf("it is still there:\n%s", got.text)
	}
	w.browser("obs").post(page+"/rule", url.Values{"verdict": {"AC"}, "reason": {"x"}}).want(t, http.StatusForbidden)

	// Without the problem the course has no pages of it to which there could be links.
	c, err := w.service.Course("c")
	if err == nil {
		c.Problems = nil
		err = w.service.SetCourse(t.Context(), "c", c.Course, c.Sequence, "root")
	}
	if err != nil {
		t.Fatal(err)
	}
	if got := tea.get(page).want(t, http.StatusOK, "WA"); strings.Contains(got.text, "/c/c/p/a") || strings.Contains(got.text, "/likeness") {
		t.Errorf("the page has links to nothing:\n%s", got.text)
	}
}

// TestRejudge judges submissions again, looks at what would change, and applies it.
func TestRejudge(t *testing.T) {
	t.Parallel()
	w, tea := classroom(t)
	ann := w.browser("ann")
	id := ann.submission("c", "a", "WA once")
	ann.submission("c", "a", "AC")
	ann.submission("c", "b", "AC")
	tea.get("/c/c/rejudge").want(t, http.StatusOK, "A, newest version")
	tea.post("/c/c/rejudge", url.Values{"problem": {"zzz"}}).want(t, http.StatusUnprocessableEntity, "choose a problem of the course")
	w.mend()
	to := tea.post("/c/c/rejudge", url.Values{"problem": {"a"}}).want(t, http.StatusSeeOther).Header.Get("Location")
	batch := to[strings.LastIndex(to, "/")+1:]
	w.judged(batch)
	tea.get(to).want(t, http.StatusOK, "What would change", "2 submissions: 1 change, 1 stay, 0 still wait", "Name of ann WA 1 of 2 secret/2 AC 2 of 2")
	ann.get("/c/c/s/"+id).want(t, http.StatusOK, "WA 1 of 2 cases")
	tea.post(to, nil).want(t, http.StatusSeeOther)
	ann.get("/c/c/s/"+id).want(t, http.StatusOK, "AC 2 of 2 cases")
	tea.get(to).want(t, http.StatusOK, "What has changed", "Applied.")
	tea.post(to, nil).want(t, http.StatusUnprocessableEntity, "was applied before")
	tea.get("/c/c/rejudge").want(t, http.StatusOK, "tea 2 applied")

	one := tea.post("/c/c/s/"+id+"/rejudge", nil).want(t, http.StatusSeeOther).Header.Get("Location")
	w.judged(one[strings.LastIndex(one, "/")+1:])
	tea.get(one).want(t, http.StatusOK, "1 submission: 0 change, 1 stay")

	// A batch with a submission of another course is not for the teachers of this one.
	w.person("other", "bob", ledger.Participant)
	foreign := w.browser("bob").submission("other", "a", "AC")
	mixed, err := w.service.Rejudge(t.Context(), []string{id, foreign}, "", "root")
	if err != nil {
		t.Fatal(err)
	}
	tea.get("/c/c/rejudge/"+mixed).want(t, http.StatusNotFound)
	tea.post("/c/c/rejudge/"+mixed, nil).want(t, http.StatusNotFound)
	tea.post("/c/c/s/"+foreign+"/rejudge", nil).want(t, http.StatusNotFound)
}

// TestExport checks the files with the outcomes.
func TestExport(t *testing.T) {
	t.Parallel()
	w, tea := classroom(t)
	err := w.service.SetPerson(t.Context(), "c", ledger.Person{Login: "eve", Name: "=cmd|' /C calc'!A0", Group: "@g, \"1\"", Role: ledger.Participant}, service.Newest, "root")
	if err != nil {
		t.Fatal(err)
	}
	w.set(12)
	w.browser("ann").submission("c", "a", "WA")
	w.browser("ann").submission("c", "b", "AC")
	book := tea.get("/c/c/export.csv")
	want := "\ufeffname,login,group,e-mail,A,B,sum\n'=cmd|' /C calc'!A0,eve,\"'@g, \"\"1\"\"\",,,,0\nName of ann,ann,,ann@private.example,0,1,1\n"
	if book.text != want || book.Header.Get("Content-Disposition") != "attachment; filename=c.csv" {
		t.Errorf("%v\n%q, want\n%q", book.Header, book.text, want)
	}
	w.contest("c")
	if got, want := tea.get("/c/c/results.tsv").text, "results\t1\nann\t1\tGold Medal\t1\t12\t12\t\neve\t\tHonorable\t0\t0\t0\t\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	tea.get("/c/c/scoreboard.json").want(t, http.StatusOK, `"team_id": "ann"`, `"contest_time": "0:12:00"`)
	tea.get("/c/c/awards.json").want(t, http.StatusOK, `"id": "first-to-solve-b"`)
	for _, file := range []string{"export.csv", "results.tsv", "scoreboard.json", "awards.json", "teams.json"} {
		w.browser("ann").get("/c/c/"+file).want(t, http.StatusForbidden)
	}
}

// TestPeopleLive follows the table of people, which ends for somebody who is no longer of the jury.
func TestPeopleLive(t *testing.T) {
	t.Parallel()
	w, _ := classroom(t)
	obs := w.browser("obs")
	resp, err := obs.client.Do(obs.request("GET", "/c/c/people/events", "", nil))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	context.AfterFunc(storetest.Patient(t), func() { resp.Body.Close() })
	lines := bufio.NewScanner(resp.Body)
	await := func(want string) bool {
		for lines.Scan() {
			if strings.Contains(plain(lines.Text()), want) {
				return true
			}
		}
		return false
	}
	if !await("Name of ann silent ann") {
		t.Fatal("the table does not come")
	}
	w.set(5)
	w.browser("ann").submission("c", "a", "AC")
	if !await("Name of ann ann 1 1 1 1") {
		t.Fatal("the table does not change")
	}
	w.person("c", "obs", ledger.Participant)
	w.browser("ann").submission("c", "b", "AC secret of ann")
	if await("Name of ann ann 2 2") {
		t.Error("a participant sees the table")
	}
}

// TestUpload uploads a package, and looks at what verifying it has found.
func TestUpload(t *testing.T) {
	t.Parallel()
	w, tea := classroom(t)
	root := w.browser("root")
	tea.get("/admin/problems/upload").want(t, http.StatusForbidden)
	var archive bytes.Buffer
	z := zip.NewWriter(&archive)
	if _, err := z.Create("problem.yaml"); err != nil || z.Close() != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		why, id string
		files   []upload
		want    string
	}{
		{"nothing", "", nil, "choose the package"},
		{"no archive", "", []upload{{"new.zip", "PK"}}, "not a zip archive"},
		{"a wrong id", "New!", []upload{{"new.zip", archive.String()}}, "want up to 63 lower-case letters"},
		{"a reserved id", ledger.InlineProblem, []upload{{"new.zip", archive.String()}}, "is reserved"},
	} {
		root.hand("/admin/problems/upload", map[string]string{"id": tt.id}, tt.files...).want(t, http.StatusUnprocessableEntity, tt.want)
	}
	to := root.hand("/admin/problems/upload", nil, upload{"new.zip", archive.String()}).want(t, http.StatusSeeOther).Header.Get("Location")
	if _, err := w.service.AwaitCheck(t.Context(), "new", path.Base(to)); err != nil {
		t.Fatal(err)
	}
	root.get(to).want(t, http.StatusOK, "Problem new", "usable", "1 finding a finding "+secret)
	root.get("/admin/problems/upload/new/zzz").want(t, http.StatusNotFound)
	tea.get(to).want(t, http.StatusForbidden)
}

// TestAudit checks that deeds are in the audit log, and that the secret of an invitation is not.
func TestAudit(t *testing.T) {
	t.Parallel()
	w, _ := classroom(t)
	var log bytes.Buffer
	p := New(Options{Service: w.service, Accounts: w.tokens, Audit: slog.New(slog.NewTextHandler(&log, nil))})
	for _, path := range []string{"/join/tj_secret", "/c/c/person/ann/erase"} {
		r := httptest.NewRequestWithContext(t.Context(), "POST", path, nil)
		r.Header.Set("Sec-Fetch-Site", "same-origin")
		h, ok := p.Handler(r)
		if !ok {
			t.Fatalf("no page %s", path)
		}
		h.ServeHTTP(httptest.NewRecorder(), r)
	}
	for _, want := range []string{`route="POST /join/{token}" object=/join/… `, `object=/c/c/person/ann/erase viewer="" address=192.0.2.1 status=401`} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("no %s in\n%s", want, log.String())
		}
	}
}

// judged waits until the judgings of a batch are done.
func (w *world) judged(batch string) {
	w.t.Helper()
	watch := w.service.WatchCourse("c")
	defer watch.Close()
	for {
		p, err := w.service.Preview(batch)
		if err != nil {
			w.t.Fatal(err)
		}
		if p.Waiting == 0 {
			return
		}
		select {
		case <-watch.C:
		case <-storetest.Patient(w.t).Done():
			w.t.Fatal(fmt.Errorf("the batch %s: %+v", batch, p))
		}
	}
}
