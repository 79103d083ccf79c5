package pages

import (
	"archive/zip"
	"bytes"
	"cmp"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"io"
	"mime/multipart"
	"net/http"
	"path"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"tribunal/judge/judged/internal/access"
	"tribunal/judge/judged/internal/course"
	"tribunal/judge/judged/internal/ledger"
	"tribunal/judge/judged/internal/service"
	"tribunal/judge/judged/internal/task"
	"tribunal/judge/judged/internal/web"
)

// problemRow is a problem in the list of a course, with what the viewer did there.
type problemRow struct {
	ledger.CourseProblem
	Title string
	Cell  course.Cell
	Most  float64
}

// coursePage lists the problems of a course with what the viewer did, and what was announced.
func (p *Pages) coursePage(q *request) error {
	data := struct {
		Problems []problemRow
		News     []ledger.QuestionState
		Mine     []Listed
	}{}
	if q.phase != course.Before || q.jury() {
		own := q.own("")
		data.Problems, _ = q.problems(own)
		for i := range own[:min(len(own), 5)] {
			data.Mine = append(data.Mine, q.row(&own[i]))
		}
	}
	for _, question := range q.questions() {
		if question.Asker == "" {
			data.News = append(data.News, question)
		}
	}
	slices.Reverse(data.News)
	return q.show("course", q.course.Title, data)
}

// problems returns the problems of the course with what the viewer did there, and the row of the viewer in standings.
func (q *request) problems(own []ledger.Submission) (list []problemRow, row course.Row) {
	if q.person != nil {
		shown := make([]ledger.Submission, len(own))
		for i := range own {
			shown[i] = q.seen(&own[i])
		}
		me := *q.person
		me.Role = ledger.Participant
		// A freeze is about standings: own outcomes are always shown.
		row = course.StandingsOf(q.course, []ledger.PersonState{me}, shown, true, q.now).Rows[0]
	}
	for i, p := range q.course.Problems {
		list = append(list, problemRow{CourseProblem: p, Title: q.titleOf(p.Problem), Most: cmp.Or(p.Points, 1)})
		if row.Cells != nil {
			list[i].Cell = row.Cells[i]
		}
	}
	return list, row
}

// own returns what the viewer has handed in to a problem, or to all if that is "", the newest first.
func (q *request) own(problem string) []ledger.Submission {
	submitter := ledger.SubmitterOf(q.course.ID, q.viewer.Login)
	if q.viewer.Login == "" {
		return nil
	}
	return q.o.Service.List(func(s *ledger.Submission) bool {
		return s.Submitter == submitter && (problem == "" || s.Problem == problem) && !s.Run
	}, "", 1<<30)
}

// titleOf returns the title of a problem.
func (q *request) titleOf(id string) string {
	v, err := q.o.Service.Version(id, "")
	if err != nil {
		return id
	}
	return cmp.Or(v.Title, id)
}

// problem returns the problem that the address of a request names.
func (q *request) problem() (*ledger.CourseProblem, error) {
	p := q.course.Problem(q.PathValue("problem"))
	if p == nil {
		return nil, errNoPage
	}
	return p, nil
}

// pageOf returns what people read of a problem: its statement, as far as it is known.
func (q *request) pageOf(id string) (task.Page, error) {
	page := task.Page{Title: q.titleOf(id), Language: "en"}
	v, err := q.o.Service.Version(id, "")
	if errors.Is(err, service.ErrUnknown) || err == nil && v.Page == nil {
		return page, nil
	}
	if err != nil {
		return page, err
	}
	text, err := q.o.Service.Content(q.ctx, *v.Page)
	if err != nil {
		return page, err
	}
	err = json.Unmarshal(text, &page)
	return page, err
}

// problemData is what the page of a problem shows.
type problemData struct {
	ledger.CourseProblem
	Page      task.Page
	Body      template.HTML
	Known     bool // it can be judged
	Mine      []Listed
	Languages []string
	Open      bool   // submissions are taken
	Key       string // makes a form that is sent twice one submission
	Wrong     string // why what was handed in was not taken
	Text      string // that was handed in then
	Language  string
	Points    float64
}

func (q *request) problemData(of *ledger.CourseProblem) (*problemData, error) {
	page, err := q.pageOf(of.Problem)
	if err != nil {
		return nil, err
	}
	_, unknown := q.o.Service.Version(of.Problem, "")
	d := &problemData{
		CourseProblem: *of, Page: page, Body: bodyOf(page.Body), Known: unknown == nil, Languages: q.languages(), Key: rand.Text(), Points: cmp.Or(of.Points, 1),
		Open: q.teacher() || q.phase != course.After && q.phase != course.Before && q.person != nil && q.person.Role == ledger.Participant,
	}
	own := q.own(of.Problem)
	for i := range own[:min(len(own), 10)] {
		d.Mine = append(d.Mine, q.row(&own[i]))
	}
	return d, nil
}

func (p *Pages) problemPage(q *request) error {
	of, err := q.problem()
	if err != nil {
		return err
	}
	d, err := q.problemData(of)
	if err != nil {
		return err
	}
	return q.show("problem", of.Label+" "+d.Page.Title, d)
}

// sample serves the input or the output of a sample as a file, such as 1.in.
func (p *Pages) sample(q *request) error {
	of, err := q.problem()
	if err != nil {
		return err
	}
	page, err := q.pageOf(of.Problem)
	if err != nil {
		return err
	}
	var n int
	var kind string
	if _, err := fmt.Sscanf(q.PathValue("file"), "%d.%s", &n, &kind); err != nil || n < 1 || n > len(page.Samples) || kind != "in" && kind != "ans" {
		return errNoPage
	}
	text := page.Samples[n-1].Input
	if kind == "ans" {
		text = page.Samples[n-1].Output
	}
	return q.attach(fmt.Sprintf("%s-%d.%s", of.Problem, n, kind), []byte(text))
}

// attach serves a file to be stored: browsers show nothing of it.
func (q *request) attach(name string, data []byte) error {
	q.Header().Set("Content-Type", "application/octet-stream")
	q.Header().Set("Content-Disposition", contentDisposition(name))
	_, err := q.Write(data)
	return err
}

// handIn takes a submission: a file, several, an archive, or text.
func (p *Pages) handIn(q *request) error {
	of, err := q.problem()
	if err != nil {
		return err
	}
	leave, ok := p.enter(q.viewer.member())
	if !ok {
		return fail(http.StatusTooManyRequests, "you are handing in something else at the moment (hint: wait until that is done)")
	}
	defer leave()
	select {
	case p.uploads <- struct{}{}:
		defer func() { <-p.uploads }()
	case <-q.ctx.Done():
		return access.ErrBusy
	}
	if err := q.ParseMultipartForm(int64(p.o.MaxSource) * 2); err != nil && !errors.Is(err, http.ErrNotMultipart) {
		if _, large := errors.AsType[*http.MaxBytesError](err); large {
			return fail(http.StatusRequestEntityTooLarge, "the files are larger than %v (hint: hand in sources only)", p.o.MaxSource)
		}
		return fail(http.StatusBadRequest, "the upload broke off (hint: try again)")
	}
	language, key := q.FormValue("language"), q.FormValue("key")
	name, code, err := q.handedIn()
	if err == nil {
		err = q.hand(of, name, language, key, code)
	}
	f, words := errors.AsType[*failure](err)
	refused, refusal := errors.AsType[course.Refusal](err)
	lacks, noLanguage := errors.AsType[*service.LanguageError](err)
	status, text := http.StatusUnprocessableEntity, ""
	switch {
	case err == nil:
		return nil
	case words:
		status, text = f.status, f.text
	case refusal:
		status, text = http.StatusForbidden, string(refused)
	case noLanguage:
		text = lacks.Error()
	case errors.Is(err, service.ErrBusy):
		status, text = http.StatusTooManyRequests, "too much of yours waits to be judged: try again in a while"
	default:
		return err
	}
	d, err := q.problemData(of)
	if err != nil {
		return err
	}
	d.Wrong, d.Text, d.Language = text, q.FormValue("text"), language
	q.page(status, "problem", of.Label+" "+d.Page.Title, d)
	return nil
}

// mostOwnUploads is how many uploads of one person are read at a time.
const mostOwnUploads = 2

// enter counts an upload of somebody, false if there are too many. The caller calls leave.
func (p *Pages) enter(name string) (leave func(), ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.uploading[name] >= mostOwnUploads {
		return nil, false
	}
	p.uploading[name]++
	return func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.uploading[name]--; p.uploading[name] == 0 {
			delete(p.uploading, name)
		}
	}, true
}

// hand hands in a source.
func (q *request) hand(of *ledger.CourseProblem, name, language, key string, code []byte) error {
	if language != "" && !slices.Contains(q.o.Languages, language) {
		return fail(http.StatusUnprocessableEntity, "unknown language %.40q", language)
	}
	if err := web.CheckSource(name, code); err != nil {
		return fail(http.StatusUnprocessableEntity, "%s: %v", name, err)
	}
	if len(code) > int(q.o.MaxSource) {
		return fail(http.StatusRequestEntityTooLarge, "%s has %d bytes; the most are %d", name, len(code), int(q.o.MaxSource))
	}
	guessed := language
	if guessed == "" && path.Ext(name) == ".zip" && len(q.course.Languages) > 0 {
		return fail(http.StatusUnprocessableEntity, "choose the language of several files")
	}
	if guessed == "" && path.Ext(name) != ".zip" {
		known := q.o.LanguagesOf(name)
		if len(known) == 0 {
			return fail(http.StatusUnprocessableEntity, "%s: the language is not clear from the name: choose one", name)
		}
		guessed = known[0]
	}
	person := q.person
	if person == nil {
		person = &ledger.PersonState{Person: ledger.Person{Login: q.viewer.member(), Role: ledger.Teacher}}
	}
	submitter := ledger.SubmitterOf(q.course.ID, person.Login)
	admit := func(lately int) error {
		return course.Admit(q.course, person, of.Problem, guessed, len(code), lately, q.o.Now())
	}
	if err := admit(0); err != nil {
		return err
	}
	r := service.Request{Owner: submitter, Code: code}
	if q.course.Rate > 0 { // what comes at the same time counts, too
		r.Admit = func() error {
			minute := q.o.Now().Add(-time.Minute)
			return admit(len(q.o.Service.List(func(s *ledger.Submission) bool { return s.Submitter == submitter && !s.Run && s.At.After(minute) }, "", 1000)))
		}
	}
	if len(key) == len(rand.Text()) {
		r.Key = key
	}
	if len(q.course.Languages) > 0 { // else a line #! of the source may choose another one
		language = guessed
	}
	r.Submitted = ledger.Submitted{
		Submitter: submitter, Problem: of.Problem, Name: name, Language: language, Priority: ledger.Interactive, All: q.judgesAll(of),
	}
	sub, _, err := q.o.Service.Submit(q.ctx, r)
	if errors.Is(err, service.ErrReused) {
		return fail(http.StatusConflict, "this form was sent before with another program: send it again")
	}
	if err != nil {
		return err
	}
	return q.then("/c/%s/s/%s", q.course.ID, sub.ID)
}

// judgesAll reports whether submissions to a problem are judged on all cases, because each counts.
func (q *request) judgesAll(of *ledger.CourseProblem) bool { return of.Partial }

// handedIn returns the name and the content of what a form brings: a file, an archive of several, or text.
func (q *request) handedIn() (string, []byte, error) {
	var uploads []*multipart.FileHeader
	if q.MultipartForm != nil {
		for _, f := range q.MultipartForm.File["file"] {
			if f.Filename != "" {
				uploads = append(uploads, f)
			}
		}
	}
	text := strings.ReplaceAll(q.FormValue("text"), "\r\n", "\n")
	switch {
	case len(uploads) > 0 && strings.TrimSpace(text) != "":
		return "", nil, fail(http.StatusUnprocessableEntity, "there are both a file and text: hand in one of them")
	case len(uploads) == 1:
		data, err := content(uploads[0], int64(q.o.MaxSource))
		return uploads[0].Filename, data, err
	case len(uploads) > 1:
		data, err := zipped(uploads, int64(q.o.MaxSource))
		return "files.zip", data, err
	case strings.TrimSpace(text) == "":
		return "", nil, fail(http.StatusUnprocessableEntity, "there is neither a file nor text")
	case !utf8.ValidString(text):
		return "", nil, fail(http.StatusUnprocessableEntity, "the text is not valid UTF-8")
	case q.FormValue("language") == "":
		return "", nil, fail(http.StatusUnprocessableEntity, "choose the language of the text")
	}
	return "solution" + q.o.ExtensionOf(q.FormValue("language")), []byte(text), nil
}

// content reads an upload.
func content(f *multipart.FileHeader, most int64) ([]byte, error) {
	if f.Size > most {
		return nil, fail(http.StatusRequestEntityTooLarge, "%.80s has %d bytes; the most are %d", f.Filename, f.Size, most)
	}
	r, err := f.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return io.ReadAll(r)
}

// zipped packs several uploads into an archive. The same files give the same archive.
func zipped(list []*multipart.FileHeader, most int64) ([]byte, error) {
	slices.SortFunc(list, func(a, b *multipart.FileHeader) int { return strings.Compare(a.Filename, b.Filename) })
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i, f := range list {
		if i > 0 && list[i-1].Filename == f.Filename {
			return nil, fail(http.StatusUnprocessableEntity, "two files are called %.80s", f.Filename)
		}
		data, err := content(f, most)
		if err != nil {
			return nil, err
		}
		w, err := z.Create(f.Filename)
		if err != nil {
			return nil, err
		}
		if _, err := w.Write(data); err != nil {
			return nil, err
		}
	}
	err := z.Close()
	return b.Bytes(), err
}
