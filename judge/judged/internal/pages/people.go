package pages

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"encoding/csv"
	"errors"
	"html/template"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"tribunal/judge/judged/internal/course"
	"tribunal/judge/judged/internal/enrol"
	"tribunal/judge/judged/internal/ledger"
	"tribunal/judge/judged/internal/service"
)

// peopleData is what the page of a course's people shows.
type peopleData struct {
	Course    *ledger.CourseState
	Problems  []ledger.CourseProblem
	Rows      []peopleRow
	Others    []ledger.PersonState // who do not participate
	Groups    []string
	Group     string
	Silent    bool // only those who have handed in nothing
	All, Mute int  // participants, and those of them who have handed in nothing
	Teacher   bool
	Scored    bool
	Query     string
}

// peopleRow is a participant, with what the jury sees whatever is frozen.
type peopleRow struct {
	course.Row
	Email  string
	Silent bool
	Late   int // problems of which the submission that counts is late
}

// people returns the people of the course as the query of the request selects them, sorted by name.
func (q *request) people() (*peopleData, error) {
	c, err := q.o.Service.Course(q.course.ID)
	if err != nil {
		return nil, err
	}
	d := &peopleData{Course: &c, Problems: c.Problems, Group: q.FormValue("group"), Silent: q.FormValue("silent") != "", Teacher: q.teacher(), Query: q.URL.RawQuery}
	d.Scored = c.Scoring == "" || c.Scoring == ledger.Points
	people := q.o.Service.People(c.ID)
	emails := map[string]string{}
	for _, m := range people {
		if m.Role != ledger.Participant {
			d.Others = append(d.Others, m)
		}
		if m.Group != "" && !slices.Contains(d.Groups, m.Group) {
			d.Groups = append(d.Groups, m.Group)
		}
		emails[m.Login] = m.Email
	}
	slices.Sort(d.Groups)
	for _, r := range course.StandingsOf(&c, people, q.handedInTo(c.ID), true, q.o.Now()).Rows {
		row := peopleRow{Row: r, Email: emails[r.Login], Silent: !slices.ContainsFunc(r.Cells, func(c course.Cell) bool { return c.Tried() || c.Submission != "" })}
		for _, cell := range r.Cells {
			if cell.Late {
				row.Late++
			}
		}
		d.All++
		if row.Silent {
			d.Mute++
		}
		if (d.Group == "" || r.Group == d.Group) && (!d.Silent || row.Silent) {
			d.Rows = append(d.Rows, row)
		}
	}
	slices.SortFunc(d.Rows, func(a, b peopleRow) int {
		return cmp.Or(strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)), strings.Compare(a.Login, b.Login))
	})
	return d, nil
}

// handedInTo returns what the members of a course have handed in.
func (q *request) handedInTo(id string) []ledger.Submission {
	return q.o.Service.List(func(s *ledger.Submission) bool { return ledger.CourseOf(s.Submitter) == id && !s.Run }, "", 1<<30)
}

func (p *Pages) peoplePage(q *request) error {
	d, err := q.people()
	if err != nil {
		return err
	}
	return q.show("people", "People", d)
}

// peopleEvents sends the table of people whenever the standings change.
func (p *Pages) peopleEvents(q *request) error {
	return q.follow(func(*board) (piece, error) {
		if !q.jury() {
			return piece{}, errNoPage
		}
		d, err := q.people()
		if err != nil {
			return piece{}, err
		}
		var text bytes.Buffer
		err = p.templates.ExecuteTemplate(&text, "people-table", d)
		return piece{html: text.Bytes()}, err
	})
}

// importData is what the page for lists of people shows.
type importData struct {
	Text   string   // of the list, if it was pasted
	Faults []string // what is wrong with it
	Plan   []enrol.Member
	Next   string // the list as the preview understood it, which is imported then
	Counts map[string]int
	File   string // with the invitations, as a data URL
	Links  []link
}

// link is an invitation, which is shown once.
type link struct{ Login, Name, URL string }

func (p *Pages) importPage(q *request) error {
	return q.show("import", "Import people", &importData{})
}

// importPeople shows what a list would change; a list that was shown before is imported.
func (p *Pages) importPeople(q *request) error {
	files, err := q.lists()
	if err != nil {
		return err
	}
	d := &importData{Counts: map[string]int{}}
	if len(files) == 1 && files[0].Name == pasted {
		d.Text = string(files[0].Data)
	}
	people, err := enrol.Parse(files...)
	if err == nil {
		d.Plan, err = enrol.PlanFor(q.ctx, p.o.Service, p.o.Accounts, q.course.ID, people, q.viewer.Admin)
	}
	if err != nil {
		d.Faults = strings.Split(err.Error(), "\n")
		q.page(http.StatusUnprocessableEntity, "import", "Import people", d)
		return nil
	}
	if q.FormValue("apply") == "" {
		rows := [][]string{{"login", "name", "group", "e-mail", "role"}}
		for i := range people {
			rows = append(rows, []string{d.Plan[i].Login, people[i].Name, people[i].Group, people[i].Email, string(people[i].Role)})
		}
		d.Next = table(rows)
		d.count()
		return q.show("import-preview", "Import people", d)
	}
	return q.enrol(d)
}

// pasted is the name of a list that was not uploaded.
const pasted = "list"

// lists returns the lists of people that a form brings.
func (q *request) lists() (files []enrol.File, err error) {
	if err := q.ParseMultipartForm(enrol.MaxFile); err != nil && !errors.Is(err, http.ErrNotMultipart) {
		if _, large := errors.AsType[*http.MaxBytesError](err); large {
			return nil, fail(http.StatusRequestEntityTooLarge, "the list is too large (hint: import it in parts)")
		}
		return nil, fail(http.StatusBadRequest, "the upload broke off, and nothing was imported (hint: try again)")
	}
	if q.MultipartForm != nil {
		for _, f := range q.MultipartForm.File["file"] {
			if f.Filename != "" {
				data, err := content(f, enrol.MaxFile)
				if err != nil {
					return nil, err
				}
				files = append(files, enrol.File{Name: f.Filename, Data: data})
			}
		}
	}
	if files == nil {
		files = []enrol.File{{Name: pasted, Data: []byte(strings.ReplaceAll(q.FormValue("text"), "\r\n", "\n"))}}
	}
	return files, nil
}

func (d *importData) count() {
	for _, m := range d.Plan {
		d.Counts[string(m.State)]++
	}
}

// enrol carries out a plan, and shows the invitations.
func (q *request) enrol(d *importData) error {
	if err := enrol.Enrol(q.ctx, q.o.Service, q.o.Accounts, q.course.ID, d.Plan, q.by(), q.viewer.Admin); err != nil {
		return err
	}
	for _, m := range d.Plan {
		if m.Invitation != "" {
			d.Links = append(d.Links, link{m.Login, m.Name, q.origin() + "/join/" + m.Invitation})
		}
	}
	d.count()
	return q.invited(d)
}

// invited shows invitations.
func (q *request) invited(d *importData) error {
	rows := [][]string{{"login", "name", "link"}}
	for _, l := range d.Links {
		rows = append(rows, []string{cell(l.Login), cell(l.Name), l.URL})
	}
	d.File = "data:text/csv;charset=utf-8;base64," + base64.StdEncoding.EncodeToString([]byte(table(rows)))
	return q.show("import-done", "Invitations", d)
}

// Data returns the address of the file with the invitations.
func (d *importData) Data() template.URL { return template.URL(d.File) }

// table writes rows in CSV.
func table(rows [][]string) string {
	var b strings.Builder
	w := csv.NewWriter(&b)
	_ = w.WriteAll(rows) // into memory
	return b.String()
}

// origin returns the address of this service as the browser knows it, also behind a proxy with TLS.
func (q *request) origin() string {
	if u, err := url.Parse(q.Request.Header.Get("Origin")); err == nil && u.Host == q.Host && (u.Scheme == "https" || u.Scheme == "http") {
		return u.Scheme + "://" + u.Host
	}
	if q.TLS != nil {
		return "https://" + q.Host
	}
	return "http://" + q.Host
}

// personData is what the page of a member shows to teachers.
type personData struct {
	ledger.Person
	New       bool
	Sequence  uint64
	Elsewhere bool // is in other courses, too
	Password  bool
	Work      int // submissions
	Wrong     string
}

// member returns the member that the address of a request names.
func (q *request) member() (*personData, error) {
	m, err := q.o.Service.Person(q.course.ID, q.PathValue("login"))
	if err != nil {
		return nil, errNoPage
	}
	d := &personData{Person: m.Person, Sequence: m.Sequence, Elsewhere: len(q.o.Service.CoursesOf(m.Login)) > 1, Password: q.o.Accounts.HasPassword(q.ctx, m.Login)}
	submitter := ledger.SubmitterOf(q.course.ID, m.Login)
	d.Work = len(q.o.Service.List(func(s *ledger.Submission) bool { return s.Submitter == submitter }, "", 1<<30))
	return d, nil
}

func (p *Pages) personPage(q *request) error {
	if q.PathValue("login") == "" {
		return q.show("person", "Add a person", &personData{New: true, Person: ledger.Person{Role: ledger.Participant}})
	}
	d, err := q.member()
	if err != nil {
		return err
	}
	return q.show("person", d.Name, d)
}

// entered returns the person that a form describes.
func (q *request) entered() ledger.Person {
	word := func(name string) string { return strings.Join(strings.Fields(q.FormValue(name)), " ") }
	return ledger.Person{Login: strings.ToLower(word("login")), Name: word("name"), Group: word("group"), Email: word("email"), Role: ledger.Role(word("role"))}
}

// addPerson adds a member, and shows the invitation.
func (p *Pages) addPerson(q *request) error {
	d := &importData{Counts: map[string]int{}}
	person := q.entered()
	err := enrol.Check(&person)
	if err == nil {
		d.Plan, err = enrol.PlanFor(q.ctx, p.o.Service, p.o.Accounts, q.course.ID, []ledger.Person{person}, q.viewer.Admin)
	}
	if err == nil && d.Plan[0].State != enrol.New {
		err = errors.New(d.Plan[0].Login + " is a member already (hint: change that member, or give another login)")
	}
	if err != nil {
		q.page(http.StatusUnprocessableEntity, "person", "Add a person", &personData{New: true, Person: person, Wrong: err.Error()})
		return nil
	}
	return q.enrol(d)
}

// setPerson changes a member, unless somebody else has done so since the form was shown.
func (p *Pages) setPerson(q *request) error {
	d, err := q.member()
	if err != nil {
		return err
	}
	was := d.Person
	d.Person = q.entered()
	d.Login = was.Login
	after := number(q.FormValue("after"))
	switch err := enrol.Check(&d.Person); {
	case err != nil:
		d.Wrong = err.Error()
	case d.Role == "":
		d.Wrong = "choose a role"
	case d.Login == q.viewer.Login && d.Role != was.Role:
		d.Wrong = "you cannot change your own role (hint: another teacher can)"
	}
	if d.Wrong != "" {
		d.Sequence = after
		q.page(http.StatusUnprocessableEntity, "person", was.Name, d)
		return nil
	}
	err = p.o.Service.SetPerson(q.ctx, q.course.ID, d.Person, after, q.by())
	if errors.Is(err, service.ErrChanged) {
		d.Wrong = "somebody else has changed " + d.Login + " meanwhile: this is what you entered; saving it again replaces what they did"
		q.page(http.StatusConflict, "person", was.Name, d)
		return nil
	}
	if err != nil {
		return err
	}
	return q.then("/c/%s/people", q.course.ID)
}

// invite makes another invitation for a member, which also replaces a forgotten password.
func (p *Pages) invite(q *request) error {
	d, err := q.member()
	if err != nil {
		return err
	}
	secret, note, err := enrol.Invite(q.ctx, p.o.Service, p.o.Accounts, q.course.ID, d.Login, q.viewer.Admin)
	if err != nil {
		return err
	}
	if note != "" {
		return fail(http.StatusForbidden, "%s %s", d.Login, note)
	}
	return q.invited(&importData{Links: []link{{d.Login, d.Name, q.origin() + "/join/" + secret}}})
}

// erasePerson erases a member, whose login the form repeats. A member who is gone may have left something, if an erasure
// broke off: erasing again takes that.
func (p *Pages) erasePerson(q *request) error {
	d, err := q.member()
	if errors.Is(err, errNoPage) && strings.TrimSpace(q.FormValue("sure")) == q.PathValue("login") {
		d, err = &personData{Person: ledger.Person{Login: q.PathValue("login")}}, nil
	}
	if err != nil {
		return err
	}
	switch {
	case d.Login == q.viewer.Login:
		d.Wrong = "you cannot erase yourself (hint: another teacher can)"
	case strings.TrimSpace(q.FormValue("sure")) != d.Login:
		d.Wrong = "nothing was erased: to do it, enter the login " + d.Login
	}
	if d.Wrong != "" {
		q.page(http.StatusUnprocessableEntity, "person", d.Name, d)
		return nil
	}
	if _, err := enrol.Erase(q.ctx, p.o.Service, p.o.Accounts, q.course.ID, d.Login, q.by()); err != nil && !errors.Is(err, service.ErrErased) {
		return err
	}
	return q.then("/c/%s/people", q.course.ID)
}
