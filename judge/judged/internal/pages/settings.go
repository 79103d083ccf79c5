package pages

import (
	"cmp"
	"errors"
	"net/http"
	"strings"

	"tribunal/judge/judged/internal/course"
	"tribunal/judge/judged/internal/ledger"
	"tribunal/judge/judged/internal/service"
)

// settingsData is what the page with a course.yaml shows.
type settingsData struct {
	ID      string // that is asked for, of a new course
	New     bool
	Text    string
	After   uint64 // the sequence of the course that the text was made from
	Wrong   string
	Theirs  string // the text of somebody else who was faster
	By      string
	Saved   bool
	Unknown []string        // problems that cannot be judged
	Contest *course.Contest // of which Text was made, to look at before it is saved
	Fields  []course.Field
}

func (p *Pages) settingsPage(q *request) error {
	d := &settingsData{Text: string(course.Write(&q.course.Course)), After: q.course.Sequence, By: q.course.By, Fields: course.Fields(), Saved: q.FormValue("saved") != ""}
	for _, problem := range q.course.Problems {
		if _, err := p.o.Service.Version(problem.Problem, ""); err != nil {
			d.Unknown = append(d.Unknown, problem.Label+" ("+problem.Problem+")")
		}
	}
	return q.show("settings", "Settings", d)
}

// text returns the course.yaml of a form, with ends of lines as they are stored.
func (q *request) text() string { return strings.ReplaceAll(q.FormValue("text"), "\r\n", "\n") }

// read reads the text of a form. If it returns false, it has shown what is wrong, or what a contest.yaml becomes.
func (q *request) read(d *settingsData, title string) (ledger.Course, bool) {
	c, contest, err := course.Read("course.yaml", []byte(d.Text))
	status := http.StatusOK
	if err != nil {
		d.Wrong, status = err.Error(), http.StatusUnprocessableEntity
	} else if d.Contest = contest; contest != nil {
		d.Text, d.ID = string(course.Write(&c)), cmp.Or(d.ID, contest.ID)
	}
	if err != nil || contest != nil {
		q.page(status, "settings", title, d)
		return c, false
	}
	return c, true
}

// setCourse sets the course. What was entered stays on the page if that is not possible.
func (p *Pages) setCourse(q *request) error {
	d := &settingsData{Text: q.text(), After: number(q.FormValue("after")), Fields: course.Fields()}
	c, ok := q.read(d, "Settings")
	if !ok {
		return nil
	}
	if d.Wrong = q.foreign(&c); d.Wrong != "" {
		q.page(http.StatusForbidden, "settings", "Settings", d)
		return nil
	}
	err := p.o.Service.SetCourse(q.ctx, q.course.ID, c, d.After, q.by())
	if errors.Is(err, service.ErrChanged) {
		newest, err := p.o.Service.Course(q.course.ID)
		if err != nil {
			return err
		}
		d.After, d.By, d.Theirs = newest.Sequence, newest.By, string(course.Write(&newest.Course))
		q.page(http.StatusConflict, "settings", "Settings", d)
		return nil
	}
	if err != nil {
		return err
	}
	return q.then("/c/%s/settings?saved=yes", q.course.ID)
}

// foreign says which problem a teacher must not add, because another course has it: teachers see all data of the
// problems of their courses. "" means that there is none.
func (q *request) foreign(c *ledger.Course) string {
	if q.viewer.Admin {
		return ""
	}
	for _, other := range q.o.Service.Courses() {
		for i := range c.Problems {
			id := c.Problems[i].Problem
			if other.ID != q.course.ID && other.Problem(id) != nil && q.course.Problem(id) == nil {
				return "problem " + c.Problems[i].Label + ": another course has " + id + ", so that only an operator can add it (hint: judged course set)"
			}
		}
	}
	return ""
}

// firstText is what the form for a new course begins with.
const firstText = `title: My course
about: What it is about.
problems:
  - {label: A, problem: example, points: 10}
open: 2027-01-11T08:00:00+01:00
due: 2027-01-18T08:00:00+01:00
scoring: points
`

func (p *Pages) newCoursePage(q *request) error {
	return q.show("settings", "New course", &settingsData{New: true, Text: firstText, Fields: course.Fields()})
}

func (p *Pages) newCourse(q *request) error {
	d := &settingsData{New: true, ID: strings.TrimSpace(q.FormValue("id")), Text: q.text(), Fields: course.Fields()}
	status := http.StatusUnprocessableEntity
	c, ok := q.read(d, "New course")
	if !ok {
		return nil
	}
	switch err := p.o.Service.SetCourse(q.ctx, d.ID, c, 0, q.by()); {
	case err == nil:
		return q.then("/c/%s/settings?saved=yes", d.ID)
	case errors.Is(err, service.ErrChanged):
		status, d.Wrong = http.StatusConflict, "there is a course with the id "+d.ID+" already"
	case errors.Is(err, service.ErrInvalid):
		d.Wrong = strings.TrimSuffix(err.Error(), ": "+service.ErrInvalid.Error())
	default:
		return err
	}
	q.page(status, "settings", "New course", d)
	return nil
}
