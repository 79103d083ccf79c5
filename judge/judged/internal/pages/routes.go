package pages

import (
	"net/http"

	"tribunal/judge/judged/internal/course"
	"tribunal/judge/judged/internal/enrol"
)

// level is who may see a page.
type level int

// The levels, each of which includes those after it.
const (
	everybody level = iota
	signedIn
	members      // of the course, and those who may see its standings where the row says so
	participants // members who may hand in: not observers
	jury         // teachers and observers
	teachers
	operators // with the scope admin
)

// row is a page or an action: who may use it, and when.
type row struct {
	method, path string
	level        level
	since        course.Phase // participants need at least this phase; "" is any
	body         int64        // the largest body, in bytes; 0: none is read
	stream       bool         // it sends events
	handle       func(*request) error
}

func (r *row) pattern() string { return r.method + " " + r.path }

// form is the bound of the body of a form without files.
const form = 256 << 10

func (p *Pages) routes() []row {
	upload := int64(p.o.MaxSource)*2 + form
	during := course.During
	return []row{
		{method: "GET", path: "/{$}", level: everybody, handle: p.home},
		{method: "GET", path: "/sign-in", level: everybody, handle: p.signInPage},
		{method: "POST", path: "/sign-in", level: everybody, body: form, handle: p.signIn},
		{method: "POST", path: "/sign-out", level: everybody, body: form, handle: p.signOut},
		{method: "GET", path: "/join/{token}", level: everybody, handle: p.joinPage},
		{method: "POST", path: "/join/{token}", level: everybody, body: form, handle: p.join},
		{method: "GET", path: "/register/{course}", level: everybody, handle: p.registerPage},
		{method: "POST", path: "/register/{course}", level: everybody, body: form, handle: p.register},
		{method: "GET", path: "/account", level: signedIn, handle: p.accountPage},
		{method: "POST", path: "/account", level: signedIn, body: form, handle: p.setPassword},

		{method: "GET", path: "/c/{course}", level: members, handle: p.coursePage},
		{method: "GET", path: "/c/{course}/p/{problem}", level: members, since: during, handle: p.problemPage},
		{method: "POST", path: "/c/{course}/p/{problem}", level: participants, since: during, body: upload, handle: p.handIn},
		{method: "GET", path: "/c/{course}/p/{problem}/samples/{file}", level: members, since: during, handle: p.sample},
		{method: "GET", path: "/c/{course}/s", level: members, since: during, handle: p.submissionsPage},
		{method: "GET", path: "/c/{course}/s/{id}", level: members, since: during, handle: p.submissionPage},
		{method: "GET", path: "/c/{course}/s/{id}/source", level: members, since: during, handle: p.source},
		{method: "GET", path: "/c/{course}/s/{id}/drawing/{judging}", level: members, since: during, handle: p.drawing},
		{method: "GET", path: "/c/{course}/s/{id}/events", level: members, since: during, stream: true, handle: p.submissionEvents},
		{method: "GET", path: "/c/{course}/run", level: participants, since: during, handle: p.runPage},
		{method: "POST", path: "/c/{course}/run", level: participants, since: during, body: upload, handle: p.run},
		{method: "GET", path: "/c/{course}/run/{id}", level: participants, since: during, handle: p.ranPage},
		{method: "GET", path: "/c/{course}/run/{id}/events", level: participants, since: during, stream: true, handle: p.submissionEvents},
		{method: "GET", path: "/c/{course}/standings", level: members, since: during, handle: p.standingsPage},
		{method: "GET", path: "/c/{course}/standings/events", level: members, since: during, stream: true, handle: p.standingsEvents},
		{method: "GET", path: "/c/{course}/questions", level: members, handle: p.questionsPage},
		{method: "POST", path: "/c/{course}/questions", level: participants, body: form, handle: p.ask},

		{method: "GET", path: "/c/{course}/people", level: jury, handle: p.peoplePage},
		{method: "GET", path: "/c/{course}/people/events", level: jury, stream: true, handle: p.peopleEvents},
		{method: "GET", path: "/c/{course}/import", level: teachers, handle: p.importPage},
		{method: "POST", path: "/c/{course}/import", level: teachers, body: enrol.MaxFile + form, handle: p.importPeople},
		{method: "GET", path: "/c/{course}/person", level: teachers, handle: p.personPage},
		{method: "POST", path: "/c/{course}/person", level: teachers, body: form, handle: p.addPerson},
		{method: "GET", path: "/c/{course}/person/{login}", level: teachers, handle: p.personPage},
		{method: "POST", path: "/c/{course}/person/{login}", level: teachers, body: form, handle: p.setPerson},
		{method: "POST", path: "/c/{course}/person/{login}/invite", level: teachers, body: form, handle: p.invite},
		{method: "POST", path: "/c/{course}/person/{login}/erase", level: teachers, body: form, handle: p.erasePerson},
		{method: "GET", path: "/c/{course}/likeness", level: jury, handle: p.likenessPage},
		{method: "GET", path: "/c/{course}/likeness/{problem}/{id}/{other}", level: jury, handle: p.pairPage},
		{method: "GET", path: "/c/{course}/sheets", level: jury, handle: p.sheetsPage},
		{method: "GET", path: "/c/{course}/sheets/{login}", level: jury, handle: p.sheetsPage},
		{method: "GET", path: "/c/{course}/export.csv", level: jury, handle: p.gradeBook},
		{method: "GET", path: "/c/{course}/results.tsv", level: jury, handle: p.results},
		{method: "GET", path: "/c/{course}/scoreboard.json", level: jury, handle: p.results},
		{method: "GET", path: "/c/{course}/awards.json", level: jury, handle: p.results},
		{method: "GET", path: "/c/{course}/teams.json", level: jury, handle: p.results},
		{method: "GET", path: "/c/{course}/settings", level: jury, handle: p.settingsPage},
		{method: "POST", path: "/c/{course}/settings", level: teachers, body: form, handle: p.setCourse},
		{method: "GET", path: "/new", level: operators, handle: p.newCoursePage},
		{method: "POST", path: "/new", level: operators, body: form, handle: p.newCourse},
		{method: "GET", path: "/c/{course}/s/{id}/judging/{judging}", level: jury, handle: p.judgingPage},
		{method: "POST", path: "/c/{course}/s/{id}/rule", level: teachers, body: form, handle: p.rule},
		{method: "POST", path: "/c/{course}/s/{id}/rejudge", level: teachers, body: form, handle: p.rejudgeOne},
		{method: "GET", path: "/c/{course}/rejudge", level: jury, handle: p.rejudgePage},
		{method: "POST", path: "/c/{course}/rejudge", level: teachers, body: form, handle: p.rejudge},
		{method: "GET", path: "/c/{course}/rejudge/{batch}", level: jury, handle: p.batchPage},
		{method: "POST", path: "/c/{course}/rejudge/{batch}", level: teachers, body: form, handle: p.applyBatch},
		{method: "GET", path: "/admin/problems/upload", level: operators, handle: p.uploadPage},
		{method: "POST", path: "/admin/problems/upload", level: operators, body: mostPackage + form, handle: p.upload},
		{method: "GET", path: "/admin/problems/upload/{problem}/{version}", level: operators, handle: p.uploadedPage},
		{method: "GET", path: "/admin", level: operators, handle: p.adminPage},
		{method: "GET", path: "/admin/workers", level: operators, handle: p.adminWorkers},
		{method: "GET", path: "/admin/held", level: operators, handle: p.adminHeld},
		{method: "POST", path: "/admin/held", level: operators, body: form, handle: p.releaseHeld},
		{method: "GET", path: "/admin/problems", level: operators, handle: p.adminProblems},
		{method: "GET", path: "/admin/tokens", level: operators, handle: p.adminTokens},
		{method: "POST", path: "/admin/tokens", level: operators, body: form, handle: p.makeToken},
		{method: "POST", path: "/admin/tokens/{token}/revoke", level: operators, body: form, handle: p.revokeToken},
	}
}

// open reports whether a row may be used without an account in a course whose standings are public.
func (r *row) open() bool {
	return r.method == http.MethodGet && (r.path == "/c/{course}/standings" || r.path == "/c/{course}/standings/events")
}
