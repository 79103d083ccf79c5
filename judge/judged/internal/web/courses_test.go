package web

import (
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"testing"

	"tribunal/judge/judged/internal/access"
	"tribunal/judge/judged/internal/course"
	"tribunal/judge/judged/internal/ledger"
	"tribunal/judge/judged/internal/service"
)

// startCourses starts a world with accounts.
func startCourses(t *testing.T) (*world, *access.Tokens) {
	t.Helper()
	w := start(t, judge)
	entries, err := access.NewLogStore(t.Context(), w.store.Tokens, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	accounts := access.New(entries, access.Options{Cost: access.Cost{MemoryKiB: 8, Passes: 1, Threads: 1}})
	w.web.o.Accounts = accounts
	return w, accounts
}

// TestCourses sets a course, enrols people, and reads the standings.
func TestCourses(t *testing.T) {
	t.Parallel()
	w, accounts := startCourses(t)
	version := w.problem("sum")
	var c CourseInfo
	created := w.do("admin", "PUT", "/v1/courses/algo", `{"title": "Algorithms", "problems": [{"label": "A", "problem": "sum", "points": 3}]}`, "If-Match", `"0"`)
	created.decode(t, http.StatusOK, &c)
	tag := created.Header.Get("ETag")
	if c.Title != "Algorithms" || c.By != "admin" || tag == "" {
		t.Fatalf("%+v, %s", c, tag)
	}
	for _, tt := range []struct {
		why, body, match string
		status           int
		want             string
	}{
		{"another was faster to make it", `{"title": "x"}`, `"0"`, http.StatusPreconditionFailed, "somebody else has changed the course meanwhile"},
		{"no ETag", `{"title": "x"}`, `W/x`, http.StatusUnprocessableEntity, "want an ETag of this course"},
		{"no title", `{"title": " "}`, "", http.StatusUnprocessableEntity, "title: want 1 to 200 characters in a line"},
		{"times that contradict", `{"title": "x", "open": "2026-12-02T00:00:00Z", "due": "2026-12-01T00:00:00Z"}`, "", http.StatusUnprocessableEntity, "is not after open"},
		{"an unknown field", `{"title": "x", "tilte": 1}`, "", http.StatusUnprocessableEntity, "tilte"},
	} {
		got := w.do("admin", "PUT", "/v1/courses/algo", tt.body, slices.DeleteFunc([]string{"If-Match", tt.match}, func(string) bool { return tt.match == "" })...)
		if got.StatusCode != tt.status || !strings.Contains(got.text, tt.want) {
			t.Errorf("%s: %s %s, want %d %s", tt.why, got.Status, got.text, tt.status, tt.want)
		}
	}
	if got := w.do("admin", "PUT", "/v1/courses/Algo", `{"title": "x"}`); got.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(got.text, "an id has up to 63") {
		t.Errorf("a wrong id: %s %s", got.Status, got.text)
	}
	w.do("admin", "PUT", "/v1/courses/algo", `{"title": "Algorithms 1", "problems": [{"label": "A", "problem": "sum", "points": 3}]}`, "If-Match", tag).decode(t, http.StatusOK, &c)
	var all CourseList
	w.do("admin", "GET", "/v1/courses", nil).decode(t, http.StatusOK, &all)
	if len(all.Courses) != 1 || all.Courses[0].Title != "Algorithms 1" {
		t.Errorf("courses: %+v", all)
	}

	var people EnrolledList
	list := `"people": [{"name": "Ann Lee", "login": "ann"}, {"name": "Bob", "role": "teacher", "email": "bob@x.org"}]`
	w.do("admin", "POST", "/v1/courses/algo/people", `{"preview": true, `+list+`}`).decode(t, http.StatusOK, &people)
	if len(w.service.People("algo")) > 0 || people.People[0].State != "new" || people.People[0].Invitation != "" {
		t.Errorf("a preview: %+v", people)
	}
	w.do("admin", "POST", "/v1/courses/algo/people", `{`+list+`}`).decode(t, http.StatusOK, &people)
	if pass, err := accounts.Pass(t.Context(), access.Invitation, people.People[0].Invitation); err != nil || pass.Login != "ann" || people.People[1].Login != "bob" {
		t.Errorf("the invitation: %+v, %+v, %v", people, pass, err)
	}
	got := w.do("admin", "POST", "/v1/courses/algo/people", `{"people": [{"name": "x", "login": "A B"}, {"name": "y"}, {"name": "z", "email": "z"}]}`)
	if got.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(got.text, "body.people[0]") || !strings.Contains(got.text, "body.people[2]") || len(w.service.People("algo")) != 2 {
		t.Errorf("faults: %s %s", got.Status, got.text)
	}
	if err := accounts.SetPassword(t.Context(), "bob", "long enough"); err != nil {
		t.Fatal(err)
	}
	var members CourseMembers
	w.do("admin", "GET", "/v1/courses/algo/people", nil).decode(t, http.StatusOK, &members)
	if len(members.People) != 2 || members.People[1].Email != "bob@x.org" || members.People[1].Role != "teacher" || members.People[0].Password || !members.People[1].Password {
		t.Errorf("members: %+v", members)
	}

	sub, _, err := w.service.Submit(t.Context(), service.Request{Owner: ledger.SubmitterOf("algo", "ann"), Code: []byte("AC"), Submitted: ledger.Submitted{Submitter: ledger.SubmitterOf("algo", "ann"), Problem: "sum", Version: version.ID, Name: "a.cpp"}})
	if err != nil {
		t.Fatal(err)
	}
	w.do("reader", "GET", "/v1/judgings/"+sub.ID+"?wait=60s", nil)
	var s course.Standings
	w.do("admin", "GET", "/v1/courses/algo/standings", nil).decode(t, http.StatusOK, &s)
	if len(s.Rows) != 1 || s.Rows[0].Points != 3 || s.Rows[0].Solved != 1 || s.Rows[0].Cells[0].Submission != sub.ID {
		t.Errorf("standings: %+v", s)
	}
	tsv := w.do("admin", "GET", "/v1/courses/algo/results/results.tsv", nil)
	if tsv.text != "results\t1\nann\t1\tGold Medal\t1\t0\t0\t\n" || tsv.Header.Get("Content-Disposition") != "attachment; filename=results.tsv" {
		t.Errorf("results: %v %q", tsv.Header, tsv.text)
	}
	if got := w.do("admin", "GET", "/v1/courses/algo/results/grades.csv", nil); got.StatusCode != http.StatusNotFound || !strings.Contains(got.text, "results.tsv, scoreboard.json, awards.json, teams.json") {
		t.Errorf("a file that is not there: %s %s", got.Status, got.text)
	}
	contest := w.do("admin", "PUT", "/v1/courses/cup", "name: Cup\nstart-time: 2026-12-01T09:00:00Z\nduration: 5:00:00\nproblems: [{letter: A, short-name: sum}]\n", "Content-Type", "application/yaml")
	if contest.decode(t, http.StatusOK, &c); c.Title != "Cup" || c.Scoring != "icpc" || c.Problems[0].Problem != "sum" {
		t.Errorf("a contest.yaml: %s", contest.text)
	}
	for _, path := range []string{"/v1/courses/cup", "/v1/tokens"} {
		method := map[bool]string{true: "PUT", false: "POST"}[strings.HasSuffix(path, "cup")]
		if got := w.do("admin", method, path, "title: x\ntilte: x\n", "Content-Type", "application/yaml"); got.StatusCode/100 != 4 || !strings.Contains(got.text, "body:2: unknown field") {
			t.Errorf("a wrong YAML for %s: %s %s", path, got.Status, got.text)
		}
	}
	w.do("admin", "PUT", "/v1/courses/empty", `{"title": "Empty"}`).decode(t, http.StatusOK, &c)
	if got := w.do("admin", "GET", "/v1/courses/empty/standings", nil); strings.TrimSpace(got.text) != `{"problems":[],"rows":[],"frozen":false}` {
		t.Errorf("standings of nobody: %s", got.text)
	}
	var gone Erased
	w.do("admin", "DELETE", "/v1/courses/algo/people/ann", nil).decode(t, http.StatusOK, &gone)
	_, _, err = w.service.Source(t.Context(), sub.ID)
	if gone.Erased != 1 || err == nil || len(w.service.People("algo")) != 1 {
		t.Errorf("erased %+v, the source: %v, left: %v", gone, err, w.service.People("algo"))
	}
	for _, path := range []string{"/v1/courses/none", "/v1/courses/none/people", "/v1/courses/none/standings", "/v1/courses/none/results/results.tsv"} {
		if got := w.do("admin", "GET", path, nil); got.StatusCode != http.StatusNotFound {
			t.Errorf("%s: %s", path, got.Status)
		}
	}
	if got := w.do("admin", "DELETE", "/v1/courses/algo/people/ann", nil); got.StatusCode != http.StatusNotFound {
		t.Errorf("erased twice: %s", got.Status)
	}
	if log := w.audit.String(); !strings.Contains(log, `"object":"algo/ann"`) {
		t.Errorf("the audit: %s", log)
	}
}

// TestNamesake checks that a token whose owner is called like a course neither sees what its members hand in nor hands in
// as one of them.
func TestNamesake(t *testing.T) {
	t.Parallel()
	w, _ := startCourses(t)
	version := w.problem("sum")
	var c CourseInfo
	var people EnrolledList
	w.do("admin", "PUT", "/v1/courses/ann", `{"title": "Ann", "problems": [{"label": "A", "problem": "sum"}]}`).decode(t, http.StatusOK, &c)
	w.do("admin", "POST", "/v1/courses/ann/people", `{"people": [{"name": "Bob", "login": "bob"}]}`).decode(t, http.StatusOK, &people)
	bob := ledger.SubmitterOf("ann", "bob")
	sub, _, err := w.service.Submit(t.Context(), service.Request{Owner: bob, Code: []byte("WA"), Submitted: ledger.Submitted{Submitter: bob, Problem: "sum", Version: version.ID, Name: "a.cpp"}})
	if err != nil {
		t.Fatal(err)
	}
	if got := w.do("ann", "GET", "/v1/judgings/"+sub.ID, nil); got.StatusCode != http.StatusNotFound {
		t.Errorf("the token sees %s", got.text)
	}
	var j Judging
	w.do("ann", "POST", "/v1/judgings?wait=60s", `{"problem": "sum", "name": "a.cpp", "source": "AC", "submitter": "bob"}`).decode(t, http.StatusCreated, &j)
	var s course.Standings
	w.do("admin", "GET", "/v1/courses/ann/standings", nil).decode(t, http.StatusOK, &s)
	if len(s.Rows) != 1 || s.Rows[0].Solved != 0 {
		t.Errorf("the token has solved a problem for bob: %+v", s.Rows)
	}
	var list struct{ Judgings []Judging }
	if w.do("reader", "GET", "/v1/judgings?submitter=/ann/bob", nil).decode(t, http.StatusOK, &list); len(list.Judgings) != 1 || list.Judgings[0].ID != sub.ID {
		t.Errorf("bob has handed in %+v", list.Judgings)
	}
	var gone Erased
	if w.do("admin", "DELETE", "/v1/submitters/%2Fann%2Fbob", nil).decode(t, http.StatusOK, &gone); gone.Erased != 1 {
		t.Errorf("erased: %d", gone.Erased)
	}
}
