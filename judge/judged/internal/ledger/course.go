package ledger

import (
	"encoding/base32"
	"slices"
	"strings"
	"time"

	"tribunal/judge/internal/verdict"
	"tribunal/judge/judged/internal/store"
)

// Course sets a course: a class, or a contest. The newest one counts, whole.
type Course struct {
	Title    string          `json:"title" yaml:"title,required,nonempty" doc:"the name of the course"`
	About    string          `json:"about,omitempty" yaml:"about" doc:"a few words for its members"`
	Problems []CourseProblem `json:"problems,omitempty" yaml:"problems" doc:"in the order in which they are shown"`

	Open   time.Time        `json:"open,omitzero" yaml:"open" doc:"before, participants do not see the problems"`
	Due    time.Time        `json:"due,omitzero" yaml:"due" doc:"what is handed in from then on is late"`
	Late   time.Time        `json:"late,omitzero" yaml:"late" doc:"until then late submissions are taken (usually: none are)"`
	Groups map[string]Times `json:"groups,omitempty" yaml:"groups" doc:"groups of members, with the times that differ for them"`
	Freeze time.Time        `json:"freeze,omitzero" yaml:"freeze" doc:"what is handed in from then on changes nothing in the standings that participants see"`
	Thaw   time.Time        `json:"thaw,omitzero" yaml:"thaw" doc:"the end of the freeze (usually: when freeze is taken away)"`

	Scoring     Scoring       `json:"scoring,omitempty" yaml:"scoring" enum:"points,icpc,practice" doc:"how standings are made"`
	Penalty     time.Duration `json:"penalty,omitempty" yaml:"penalty" min:"0s" max:"24h" doc:"with icpc: for each rejected attempt at a problem that was solved (usually 20m)"`
	LatePenalty float64       `json:"late_penalty,omitempty" yaml:"late_penalty" min:"0" max:"100" doc:"with points: percent of the points of late submissions"`
	Standings   Audience      `json:"standings,omitempty" yaml:"standings" enum:"public,members,jury" doc:"who sees them: everybody, the members, or only teachers and observers"`
	Feedback    string        `json:"feedback,omitempty" yaml:"feedback" enum:"none,verdict,samples,first,all" doc:"the most that participants see of judgings, where the problem allows more"`
	Languages   []string      `json:"languages,omitempty" yaml:"languages" doc:"that submissions may have (usually: all)"`
	MaxSource   int64         `json:"max_source,omitempty" yaml:"max_source" min:"1" doc:"largest source in bytes"`
	Rate        int           `json:"rate,omitempty" yaml:"rate" min:"1" doc:"submissions of a participant in a minute"`
	Register    string        `json:"register,omitempty" yaml:"register" doc:"the word with which everybody can join"`
	Archived    bool          `json:"archived,omitempty" yaml:"archived" doc:"only teachers and observers see the course"`
}

// CourseProblem is a problem of a course.
type CourseProblem struct {
	Label   string  `json:"label" yaml:"label,required,nonempty" doc:"such as A"`
	Problem string  `json:"problem" yaml:"problem,required,nonempty" doc:"id of the problem"`
	Points  float64 `json:"points,omitempty" yaml:"points" min:"0" doc:"for an accepted submission (usually 1, or what the problem gives)"`
	Partial bool    `json:"partial,omitempty" yaml:"partial" doc:"a part of the cases gives that part of the points"`
	Colour  string  `json:"colour,omitempty" yaml:"colour" pattern:"#[0-9a-fA-F]{6}" doc:"such as #e03131"`
}

// Times are those of a group that differ from those of its course. Zero times do not.
type Times struct {
	Open time.Time `json:"open,omitzero" yaml:"open"`
	Due  time.Time `json:"due,omitzero" yaml:"due"`
	Late time.Time `json:"late,omitzero" yaml:"late"`
}

// Scoring says how standings are made.
type Scoring string

// The ways to score; "" is Points.
const (
	Points   Scoring = "points"   // the sum of the best points of each problem
	ICPC     Scoring = "icpc"     // problems solved, then time with penalties
	Practice Scoring = "practice" // problems solved, without times
)

// Audience says who sees standings, besides teachers and observers.
type Audience string

// The audiences; "" is Members.
const (
	Public  Audience = "public"
	Members Audience = "members"
	Jury    Audience = "jury"
)

// Role is what a member may do in a course.
type Role string

// The roles.
const (
	Participant Role = "participant"
	Observer    Role = "observer" // sees what teachers see, and changes nothing
	Teacher     Role = "teacher"
)

// Person sets a member of a course. The newest one counts, whole.
type Person struct {
	Login string `json:"login,omitempty" maxLength:"63" doc:"of the account" example:"ann.lee"`
	Name  string `json:"name" minLength:"1" maxLength:"200" example:"Ann Lee"`
	Group string `json:"group,omitempty" maxLength:"200"`
	Email string `json:"email,omitempty" maxLength:"200"`
	Role  Role   `json:"role,omitempty" enum:"participant,observer,teacher"`
}

// Question sets a question to the teachers of a course with its answer, or an announcement, which nobody asked. The
// newest one counts, whole.
type Question struct {
	Asker   string    `json:"asker,omitempty"`   // a login; "" for announcements
	Problem string    `json:"problem,omitempty"` // "" for the whole course
	Text    string    `json:"text,omitempty"`
	Answer  string    `json:"answer,omitempty"`
	Public  bool      `json:"public,omitempty"` // all members see it
	Asked   time.Time `json:"asked"`
}

// Ruled sets the outcome of a submission by hand, whatever its judgings say. One without a verdict takes that back.
type Ruled struct {
	Verdict verdict.Verdict `json:"verdict,omitempty"`
	Points  float64         `json:"points,omitempty"`
	Reason  string          `json:"reason"`
}

// CourseState is the state of a course. Readers copy it; it never changes once readers can see it.
type CourseState struct {
	Course
	ID       string
	Sequence uint64 // of its last record, which the next event must name
	By       string // who set it
	At       time.Time
}

// PersonState is the state of a member. One who was erased keeps only the login, because the subject has it.
type PersonState struct {
	Person
	Sequence uint64
	Since    time.Time
	Erased   bool
}

// QuestionState is the state of a question.
type QuestionState struct {
	Question
	ID       string
	Sequence uint64
	By       string // who wrote it last
	At       time.Time
}

// Ruling is a [Ruled] in effect.
type Ruling struct {
	Ruled
	By string
	At time.Time
}

// Times returns the times that hold for the members of a group.
func (c *Course) Times(group string) Times {
	t, own := Times{c.Open, c.Due, c.Late}, c.Groups[group]
	for _, each := range []struct {
		to   *time.Time
		from time.Time
	}{{&t.Open, own.Open}, {&t.Due, own.Due}, {&t.Late, own.Late}} {
		if !each.from.IsZero() {
			*each.to = each.from
		}
	}
	if t.Late.Before(t.Due) {
		t.Late = t.Due
	}
	return t
}

// Problem returns a problem of the course by its id, nil if the course does not have it.
func (c *Course) Problem(id string) *CourseProblem {
	i := slices.IndexFunc(c.Problems, func(p CourseProblem) bool { return p.Problem == id })
	if i < 0 {
		return nil
	}
	return &c.Problems[i]
}

// SubmitterOf returns the submitter of what a member of a course hands in: the course is the owner. No owner of a token
// begins with a slash, so none is called like a course or a member.
func SubmitterOf(course, login string) string { return "/" + course + "/" + login }

// CourseOf returns the course whose member a submitter is, "" if it belongs to the owner of a token.
func CourseOf(submitter string) string {
	name, ok := strings.CutPrefix(submitter, "/")
	course, _, _ := strings.Cut(name, "/")
	if !ok {
		return ""
	}
	return course
}

// LoginOf returns the login of the member of a course that a submitter is.
func LoginOf(course, submitter string) (login string, ok bool) {
	if login, ok = strings.CutPrefix(submitter, SubmitterOf(course, "")); ok {
		return login, true
	}
	return "", false
}

// Subject prefixes.
const (
	courses   = "course."
	people    = "person."
	questions = "question."
)

// CourseSubject returns the subject of a course. The ids of courses have the form of those of problems.
func CourseSubject(id string) string { return courses + id }

// PersonSubject returns the subject of a member, in base32 because logins have more letters than subjects.
func PersonSubject(course, login string) string {
	return people + course + "." + loginCode.EncodeToString([]byte(login))
}

var loginCode = base32.HexEncoding.WithPadding(base32.NoPadding)

// QuestionSubject returns the subject of a question.
func QuestionSubject(course, id string) string { return questions + course + "." + id }

// addToCourse adds an event to a course, its members or its questions, whose subjects are a kind, the course and an id.
func (f *Fold) addToCourse(r store.Record, e *Event) (Change, bool) {
	kind, name, _ := strings.Cut(strings.Clone(r.Subject), ".")
	id, item, _ := strings.Cut(name, ".")
	switch kind + "." {
	case courses:
		if e.Course == nil {
			return Change{}, false
		}
		f.Courses[id] = &CourseState{Course: *e.Course, ID: id, Sequence: r.Sequence, By: e.By, At: e.At}
	case people:
		m := &PersonState{Sequence: r.Sequence, Since: e.At}
		switch {
		case e.Person != nil:
			m.Person = *e.Person
		case e.Erased != nil:
			login, err := loginCode.DecodeString(item)
			if err != nil {
				return Change{}, false
			}
			m.Person.Login, m.Erased = string(login), true
		default:
			return Change{}, false
		}
		if was := f.People[id][m.Login]; was != nil && !was.Erased {
			m.Since = was.Since
		}
		put(f.People, id, m.Login, m)
	case questions:
		switch {
		case e.Question != nil:
			put(f.Questions, id, item, &QuestionState{Question: *e.Question, ID: item, Sequence: r.Sequence, By: e.By, At: e.At})
		case e.Erased != nil:
			delete(f.Questions[id], item)
		default:
			return Change{}, false
		}
	}
	return Change{Course: id}, true
}

// put sets an item of a course.
func put[T any](in map[string]map[string]T, course, id string, item T) {
	if in[course] == nil {
		in[course] = map[string]T{}
	}
	in[course][id] = item
}
