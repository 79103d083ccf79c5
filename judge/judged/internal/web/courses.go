package web

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"tribunal/judge/judged/internal/course"
	"tribunal/judge/judged/internal/enrol"
	"tribunal/judge/judged/internal/ledger"
	"tribunal/judge/judged/internal/service"
)

// CourseInfo is a course as it was set last.
type CourseInfo struct {
	ID       string    `json:"id" example:"algorithms"`
	Sequence uint64    `json:"sequence" doc:"grows with every change; the ETag of the course"`
	By       string    `json:"by" doc:"who set it last"`
	At       time.Time `json:"at" doc:"when"`
	ledger.Course
}

func courseInfo(c *ledger.CourseState) CourseInfo {
	return CourseInfo{c.ID, c.Sequence, c.By, c.At, c.Course}
}

// CourseList lists courses.
type CourseList struct {
	Courses []CourseInfo `json:"courses"`
}

type coursesOutput struct{ Body CourseList }

func (w *Web) listCourses(ctx context.Context, _ *struct{}) (*coursesOutput, error) {
	out := &coursesOutput{CourseList{[]CourseInfo{}}}
	return out, w.o.Service.Lately(ctx, func() error {
		for _, c := range w.o.Service.Courses() {
			out.Body.Courses = append(out.Body.Courses, courseInfo(&c))
		}
		return nil
	})
}

type courseInput struct {
	ID string `path:"id" maxLength:"64"`
}

type courseOutput struct {
	ETag string `header:"ETag"`
	Body CourseInfo
}

// course returns a course. The error wraps service.ErrUnknown if there is none.
func (w *Web) course(ctx context.Context, id string) (c ledger.CourseState, err error) {
	err = w.o.Service.Lately(ctx, func() error { c, err = w.o.Service.Course(id); return err })
	return c, err
}

func (w *Web) getCourse(ctx context.Context, in *courseInput) (*courseOutput, error) {
	c, err := w.course(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	return &courseOutput{fmt.Sprintf("%q", strconv.FormatUint(c.Sequence, 10)), courseInfo(&c)}, nil
}

// courseFormat reads the only body in YAML: a course.yaml, or the contest.yaml of another contest system.
var courseFormat = huma.Format{
	Marshal: huma.DefaultJSONFormat.Marshal, // all JSON is YAML
	Unmarshal: func(text []byte, to any) error {
		c, _, err := course.Read("body", text)
		if err != nil {
			return err
		}
		text, err = json.Marshal(c)
		return errors.Join(err, json.Unmarshal(text, to))
	},
}

type putCourseInput struct {
	ID      string `path:"id" maxLength:"64"`
	IfMatch string `header:"If-Match" doc:"The ETag of the course that was edited, or \"0\" for a new one: if another editor was faster, the answer is 412. By default the newest course is replaced."`
	Body    ledger.Course
}

// putCourse sets a course, whole.
func (w *Web) putCourse(ctx context.Context, in *putCourseInput) (*courseOutput, error) {
	about(ctx, in.ID)
	if err := course.Check(&in.Body); err != nil {
		return nil, wrong("", "%v", err)
	}
	after := service.Newest
	if in.IfMatch != "" {
		n, err := strconv.ParseUint(strings.Trim(in.IfMatch, `"`), 10, 64)
		if err != nil {
			return nil, refuse(http.StatusUnprocessableEntity, "If-Match: want an ETag of this course, such as \"12\"")
		}
		after = n
	}
	err := w.o.Service.SetCourse(ctx, in.ID, in.Body, after, callerOf(ctx).Owner)
	if errors.Is(err, service.ErrChanged) {
		return nil, refuse(http.StatusPreconditionFailed, "somebody else has changed the course meanwhile (hint: get it again, and repeat the change)")
	}
	if err != nil {
		return nil, err
	}
	return w.getCourse(ctx, &courseInput{in.ID})
}

// CourseMember is a member of a course.
type CourseMember struct {
	ledger.Person
	Since    time.Time `json:"since"`
	Password bool      `json:"password" doc:"whether the person has set one"`
}

// CourseMembers lists the members of a course.
type CourseMembers struct {
	People []CourseMember `json:"people"`
}

type membersOutput struct{ Body CourseMembers }

func (w *Web) listPeople(ctx context.Context, in *courseInput) (*membersOutput, error) {
	if _, err := w.course(ctx, in.ID); err != nil {
		return nil, err
	}
	out := &membersOutput{CourseMembers{[]CourseMember{}}}
	for _, m := range w.o.Service.People(in.ID) {
		out.Body.People = append(out.Body.People, CourseMember{m.Person, m.Since, w.o.Accounts.HasPassword(ctx, m.Login)})
	}
	return out, nil
}

// Enrolment is a list of people who become members of a course. A field that is absent stays as it is. Who has no login
// gets that of the member with the same e-mail address, or without one the same name, or else a new one.
type Enrolment struct {
	People  []ledger.Person `json:"people" minItems:"1" maxItems:"20000" doc:"without a login, the member with the same e-mail address or name, or else a new login; without a role, a participant"`
	Preview bool            `json:"preview,omitempty" doc:"only answer what would change"`
}

// EnrolledList lists what became of people, in the order of the request.
type EnrolledList struct {
	People []enrol.Member `json:"people"`
}

type enrolInput struct {
	ID   string `path:"id" maxLength:"64"`
	Body Enrolment
}

type enrolOutput struct{ Body EnrolledList }

// enrol makes people members of a course.
func (w *Web) enrol(ctx context.Context, in *enrolInput) (*enrolOutput, error) {
	about(ctx, in.ID)
	if _, err := w.course(ctx, in.ID); err != nil {
		return nil, err
	}
	p := refuse(http.StatusUnprocessableEntity, "the request is not valid")
	for i := range in.Body.People {
		if err := enrol.Check(&in.Body.People[i]); err != nil {
			p.Errors = append(p.Errors, Fault{fmt.Sprintf("body.people[%d]", i), err.Error()})
		}
	}
	if p.Errors != nil {
		return nil, p
	}
	plan, err := enrol.PlanFor(ctx, w.o.Service, w.o.Accounts, in.ID, in.Body.People, true)
	if err != nil {
		return nil, err
	}
	if !in.Body.Preview {
		if err := enrol.Enrol(ctx, w.o.Service, w.o.Accounts, in.ID, plan, callerOf(ctx).Owner, true); err != nil {
			return nil, err
		}
	}
	return &enrolOutput{EnrolledList{plan}}, nil
}

type erasePersonInput struct {
	ID    string `path:"id" maxLength:"64"`
	Login string `path:"login" maxLength:"63"`
}

// erasePerson removes a member with everything that was handed in.
func (w *Web) erasePerson(ctx context.Context, in *erasePersonInput) (*eraseSubmitterOutput, error) {
	about(ctx, in.ID+"/"+in.Login)
	n, err := enrol.Erase(ctx, w.o.Service, w.o.Accounts, in.ID, in.Login, callerOf(ctx).Owner)
	if err != nil {
		return nil, err
	}
	return &eraseSubmitterOutput{Erased{n}}, nil
}

type standingsInput struct {
	ID     string `path:"id" maxLength:"64"`
	Public bool   `query:"public" doc:"as participants see them, which matters in a freeze"`
}

type standingsOutput struct{ Body course.Standings }

func (w *Web) getStandings(ctx context.Context, in *standingsInput) (*standingsOutput, error) {
	c, err := w.course(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	s := w.standings(&c, in.Public)
	s.Problems, s.Rows = append([]ledger.CourseProblem{}, s.Problems...), append([]course.Row{}, s.Rows...) // a list is never null
	return &standingsOutput{*s}, nil
}

func (w *Web) standings(c *ledger.CourseState, public bool) *course.Standings {
	list := w.o.Service.List(func(s *ledger.Submission) bool { return ledger.CourseOf(s.Submitter) == c.ID && !s.Run }, "", 1<<30)
	return course.StandingsOf(c, w.o.Service.People(c.ID), list, !public, w.o.Now())
}

// getResults answers with a file of results, whole even in a freeze.
func (w *Web) getResults(rw http.ResponseWriter, r *http.Request) error {
	c, err := w.course(r.Context(), r.PathValue("id"))
	if err != nil {
		return err
	}
	file := r.PathValue("file")
	text := course.Export(file, &c, w.standings(&c, false), w.o.Now())
	if text == nil {
		return refuse(http.StatusNotFound, "no file %.40q (hint: %s)", file, strings.Join(course.Exports, ", "))
	}
	rw.Header().Set("Content-Type", bytesType)
	rw.Header().Set("Content-Disposition", "attachment; filename="+file)
	_, err = rw.Write(text)
	return gone(err)
}
