package pages

import (
	"bytes"
	"cmp"
	"encoding/json"
	"mime"
	"strings"
	"time"
	"unicode/utf8"

	"tribunal/judge/cli/layout"
	"tribunal/judge/internal/journal"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/verdict"
	"tribunal/judge/judged/internal/course"
	"tribunal/judge/judged/internal/feedback"
	"tribunal/judge/judged/internal/ledger"
	"tribunal/judge/judged/internal/task"
)

// Listed is a submission in a list, as its viewer may see it.
type Listed struct {
	ID, Course, Login, Who string
	Problem                *ledger.CourseProblem
	Language               string
	At                     time.Time
	Late                   bool
	Status                 ledger.Status
	Verdict                verdict.Verdict // None while there is none, or if it is not shown
	Points                 float64
	Most                   float64
	Ruled                  bool
}

// view returns what the viewer may see of a judging of a submission.
func (q *request) view(sub *ledger.Submission, version string) feedback.View {
	if q.jury() {
		return feedback.Whole()
	}
	return q.participantView(q.course, sub.Problem, version)
}

// participantView returns what participants of a course may see of judgings by a version of a problem.
func (p *Pages) participantView(c *ledger.CourseState, id, version string) feedback.View {
	v, err := p.o.Service.Version(id, version)
	if err != nil {
		return feedback.View{}
	}
	newest, err := p.o.Service.Version(id, "")
	if err != nil {
		newest = v
	}
	return feedback.Of(&v, &newest, p.o.Feedback).Within(problem.Feedback(c.Feedback))
}

// seen returns a submission as the viewer may see it.
func (q *request) seen(sub *ledger.Submission) ledger.Submission {
	return reduced(sub, q.view(sub, sub.Counts().Version))
}

// reduced returns a submission whose only judging is the one that counts, as a view shows it.
func reduced(sub *ledger.Submission, v feedback.View) ledger.Submission {
	seen := *sub
	seen.Judgings, seen.Effective = []ledger.Judging{v.Judging(sub.Counts())}, 1
	return seen
}

func (q *request) row(sub *ledger.Submission) Listed {
	login, _ := ledger.LoginOf(q.course.ID, sub.Submitter)
	r := Listed{ID: sub.ID, Course: q.course.ID, Login: login, Who: login, Problem: q.course.Problem(sub.Problem), Language: sub.Language, At: sub.At}
	group := q.group()
	if person, err := q.o.Service.Person(q.course.ID, login); err == nil {
		r.Who, group = person.Name, person.Group
	}
	if known := q.o.LanguagesOf(sub.Name); r.Language == "" && len(known) > 0 {
		r.Language = known[0]
	}
	if r.Problem == nil {
		r.Problem = &ledger.CourseProblem{Label: "?", Problem: sub.Problem}
	}
	r.Late = course.IsLate(&q.course.Course, group, sub.At)
	j := sub.Counts()
	r.Status, r.Ruled = j.Status, sub.Ruling != nil
	shown := q.seen(sub)
	if o, done := shown.Outcome(); done {
		r.Status, r.Verdict = ledger.Done, o.Verdict
		r.Points, r.Most = course.PointsOf(&q.course.Course, r.Problem, &o, r.Late)
	}
	return r
}

// mostListed is how many submissions a page lists.
const mostListed = 50

// submissionsPage lists the submissions of the viewer; to teachers and observers, those of all.
func (p *Pages) submissionsPage(q *request) error {
	who, of, after := q.FormValue("who"), q.FormValue("problem"), q.FormValue("after")
	if !q.jury() {
		who = q.viewer.Login
	}
	list := p.o.Service.List(func(s *ledger.Submission) bool {
		login, ok := ledger.LoginOf(q.course.ID, s.Submitter)
		return ok && !s.Run && (who == "" || login == who) && (of == "" || s.Problem == of)
	}, after, mostListed+1)
	data := struct {
		Rows []Listed
		Next string
		Who  string
		Of   string
	}{Who: who, Of: of}
	for i := range list[:min(len(list), mostListed)] {
		data.Rows = append(data.Rows, q.row(&list[i]))
	}
	if len(list) > mostListed {
		data.Next = list[mostListed-1].ID
	}
	return q.show("submissions", "Submissions", data)
}

// submission returns the submission that the address of a request names, or the run, if the viewer may see it.
func (q *request) submission(run bool) (*ledger.Submission, error) {
	var sub ledger.Submission
	err := q.o.Service.Lately(q.ctx, func() (err error) { sub, err = q.o.Service.Get(q.PathValue("id")); return err })
	if err != nil {
		return nil, err
	}
	login, ok := ledger.LoginOf(q.course.ID, sub.Submitter)
	if !ok || sub.Run != run || !q.jury() && (q.viewer.Login == "" || login != q.viewer.Login) {
		return nil, errNoPage
	}
	return &sub, nil
}

// result is the result of a judging as a viewer may see it.
type result struct {
	Begin *struct {
		Cases  []string      `json:"cases"`
		Limits limits.Limits `json:"limits"`
	} `json:"begin"`
	Built *struct {
		Language string `json:"language"`
		Build    struct {
			Error string `json:"error"`
		} `json:"build"`
	} `json:"built"`
	Cases []journal.Case `json:"cases"`
	Done  *struct {
		First  string `json:"first_failure"`
		Points *struct {
			Points float64 `json:"points"`
			Groups []struct {
				Name    string          `json:"name"`
				Points  float64         `json:"points"`
				Verdict verdict.Verdict `json:"verdict"`
			} `json:"groups"`
		} `json:"points"`
	} `json:"done"`
	Drawing *task.Drawing `json:"drawing"`
}

// result returns the result of a judging as a view shows it.
func (q *request) result(sub *ledger.Submission, j *ledger.Judging, v feedback.View) (*result, error) {
	text, err := q.o.Service.Result(q.ctx, sub.ID, j.Number)
	if err == nil {
		text, err = v.Result(text)
	}
	r := &result{}
	if err == nil {
		err = json.Unmarshal(text, r)
	}
	return r, err
}

// submissionData is what the page of a submission shows.
type submissionData struct {
	Listed
	Title     string
	Summary   *ledger.Summary
	Result    *result
	Failures  []failureData
	Position  int
	Ruling    *ledger.Ruling
	Reason    string // why there is no result
	Source    string // "" if it is no text, or long
	Name      string
	Judgings  []ledger.Judging // for teachers
	Effective int
	Key       string
	Versions  []ledger.Version
}

// failureData is a failing case of which the viewer may see the data.
type failureData struct {
	journal.Case
	Difference []line
	Place      string
	Input      string
	InputMore  bool
	Drawing    *drawing
}

// line is a line of a difference, with white space made visible.
type line struct{ Class, Text string }

// mostFailures is how many failing cases are shown whole.
const mostFailures = 5

// mostInput is how many lines of an input are shown.
const mostInput = 100

// mostSource is the size of the largest source that a page shows, in bytes.
const mostSource = 128 << 10

func (p *Pages) submissionPage(q *request) error {
	sub, err := q.submission(false)
	if err != nil {
		return err
	}
	d, err := q.submissionData(sub, mostFailures)
	if err == nil {
		err = q.readSource(sub, d)
	}
	if err != nil {
		return err
	}
	if q.jury() {
		d.Judgings = sub.Judgings
	}
	return q.show("submission", d.Problem.Label+" by "+d.Who, d)
}

// submissionData returns what the viewer may see of a submission, with at most so many failing cases, and without its
// source.
func (q *request) submissionData(sub *ledger.Submission, most int) (d *submissionData, err error) {
	d = &submissionData{Listed: q.row(sub), Title: q.titleOf(sub.Problem), Ruling: sub.Ruling, Name: sub.Name, Effective: sub.Effective}
	j := sub.Counts()
	v := q.view(sub, j.Version)
	seen := v.Judging(j)
	d.Summary = seen.Summary
	switch j.Status {
	case ledger.Waiting:
		d.Position = q.o.Service.Position(sub.ID, j.Number)
	case ledger.Done:
		if d.Result, err = q.result(sub, j, v); err != nil {
			return nil, err
		}
		d.Failures = q.failures(sub, j, d.Result, most, layout.MaxDiff)
	default:
		d.Reason = seen.Error
	}
	if d.Result != nil && d.Result.Built != nil {
		d.Language = d.Result.Built.Language
	}
	return d, nil
}

// readSource adds the source of a submission, if it is a text that a page shows.
func (q *request) readSource(sub *ledger.Submission, d *submissionData) error {
	in, code, err := q.o.Service.Source(q.ctx, sub.ID)
	if err != nil {
		return err
	}
	d.Language = cmp.Or(d.Language, in.Language)
	if len(code) <= mostSource && utf8.Valid(code) && !bytes.ContainsRune(code, 0) {
		d.Source = string(code)
	}
	return nil
}

// failures returns the first failing cases of a judging that may be shown, with as many lines of their differences.
func (q *request) failures(sub *ledger.Submission, j *ledger.Judging, of *result, most, lines int) (list []failureData) {
	for _, c := range of.Cases {
		if c.Verdict == verdict.AC || c.Verdict == verdict.None || c.Withheld {
			continue
		}
		if len(list) == most {
			break
		}
		f := failureData{Case: c, InputMore: c.Shown.Cut}
		if c.Mismatch != nil {
			head, more := layout.Head(c.Mismatch.Format(""), lines)
			for i, l := range head {
				switch {
				case i == 0:
					f.Place = strings.TrimPrefix(l, ": ")
				case strings.HasPrefix(l, "- "):
					f.Difference = append(f.Difference, line{"want", l})
				case strings.HasPrefix(l, "+ "):
					f.Difference = append(f.Difference, line{"got", l})
				default:
					f.Difference = append(f.Difference, line{"", l})
				}
			}
			if more {
				f.Difference = append(f.Difference, line{"", "…"})
			}
		}
		head, more := layout.Head(c.Shown.Input, mostInput)
		f.Input, f.InputMore = strings.Join(head, "\n"), f.InputMore || more
		if d := of.Drawing; d != nil && d.Case == c.Name {
			f.Drawing = drawingOf(d, q.course.ID, sub.ID, j.Number)
		}
		list = append(list, f)
	}
	return list
}

// source serves the source of a submission to be stored.
func (p *Pages) source(q *request) error {
	sub, err := q.submission(false)
	if err != nil {
		return err
	}
	_, code, err := p.o.Service.Source(q.ctx, sub.ID)
	if err != nil {
		return err
	}
	return q.attach(sub.Name, code)
}

// contentDisposition names a file that browsers store.
func contentDisposition(name string) string {
	if text := mime.FormatMediaType("attachment", map[string]string{"filename": name}); text != "" {
		return text
	}
	return "attachment"
}

// progress is what the live part of a page shows of a judging that goes on.
type progress struct {
	Position int
	State    string // compiling or judging
	Cases    []verdict.Verdict
	Total    int
}

// submissionEvents sends pieces of HTML about a judging that goes on, and tells the page to load again when it ends.
func (p *Pages) submissionEvents(q *request) error {
	sub, err := q.submission(strings.HasPrefix(q.URL.Path, "/c/"+q.course.ID+"/run/"))
	if err != nil {
		return err
	}
	events, err := q.stream(false)
	if err != nil {
		return err
	}
	_, watch, err := p.o.Service.Watch(sub.ID)
	if err != nil {
		return err
	}
	defer watch.Close()
	now, err := p.o.Service.Get(sub.ID)
	if err != nil {
		return err
	}
	begun, view := *now.Counts(), q.view(sub, now.Counts().Version)
	if begun.Status != ledger.Waiting {
		return events.send("done", "")
	}
	state := progress{Position: p.o.Service.Position(sub.ID, begun.Number)}
	tick := time.NewTicker(p.beat)
	defer tick.Stop()
	for {
		var b bytes.Buffer
		if err := p.templates.ExecuteTemplate(&b, "progress", state); err != nil {
			return err
		}
		if err := events.send("progress", b.String()); err != nil {
			return nil
		}
		select {
		case <-q.ctx.Done():
			return nil
		case <-p.ending.Done():
			return nil
		case <-tick.C:
			if q.still() != nil || !q.again() || !q.jury() && q.person == nil {
				return nil
			}
			if state.State == "" {
				state.Position = p.o.Service.Position(sub.ID, begun.Number)
			}
		case u, open := <-watch.C:
			if !open || u.Submission != nil && (u.Submission.Erased || u.Submission.Counts().Status != ledger.Waiting) {
				return events.send("done", "")
			}
			state.take(view.Live(u.Live))
		}
	}
}

// take adds a worker's report, as its viewer may see it.
func (s *progress) take(report []byte) {
	var l struct {
		Event   string          `json:"event"`
		Verdict verdict.Verdict `json:"verdict"`
	}
	if len(report) == 0 || json.Unmarshal(report, &l) != nil {
		return
	}
	switch l.Event {
	case "compiling", "judging":
		s.State, s.Position = l.Event, 0
	case "case":
		s.State, s.Position = "judging", 0
		s.Cases = append(s.Cases, l.Verdict)
	}
}
