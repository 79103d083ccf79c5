package pages

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"tribunal/judge/judged/internal/course"
	"tribunal/judge/judged/internal/ledger"
	"tribunal/judge/judged/internal/service"
	"tribunal/judge/judged/internal/store"
	"tribunal/judge/judged/internal/task"
)

// runData is what the page of a run, or the form for one, shows.
type runData struct {
	Languages                    []string
	Language, Text, Input, Wrong string
	ID                           string // of the run; "" for the form alone
	Status                       ledger.Status
	Reason                       string
	Run                          *task.Run // nil until there is one
	Output, Errors               string
	Cut                          bool // Output is only the beginning
	OutputSize                   int
}

// shownOutput bounds what a page shows of the output of a run, in bytes.
const shownOutput = 64 << 10

// runPage shows a form to run a program on an input that its author chooses.
func (p *Pages) runPage(q *request) error {
	return q.show("run", "Run", &runData{Languages: q.languages()})
}

// languages returns the languages of the course that the workers have.
func (q *request) languages() []string {
	list := q.o.Languages
	if len(q.course.Languages) > 0 {
		list = q.course.Languages
	}
	offered := q.o.Service.Offer(q.ctx)
	return slices.DeleteFunc(slices.Clone(list), func(language string) bool {
		taken, _ := offered(language)
		return !taken
	})
}

// run takes a program and an input.
func (p *Pages) run(q *request) error {
	d := &runData{Languages: q.languages()}
	unix := strings.NewReplacer("\r\n", "\n")
	d.Language, d.Text, d.Input = q.FormValue("language"), unix.Replace(q.FormValue("text")), unix.Replace(q.FormValue("input"))
	again := func(text string) error {
		d.Wrong = text
		q.page(http.StatusUnprocessableEntity, "run", "Run", d)
		return nil
	}
	switch {
	case strings.TrimSpace(d.Text) == "":
		return again("there is no program")
	case !slices.Contains(d.Languages, d.Language):
		return again("choose the language of the program")
	case len(d.Text) > int(q.o.MaxSource) || len(d.Input) > int(q.o.MaxSource):
		return again("the program and its input have at most " + q.o.MaxSource.String() + " each")
	case !utf8.ValidString(d.Text) || !utf8.ValidString(d.Input):
		return again("the text is not valid UTF-8")
	case q.phase == course.After && !q.teacher():
		return again("the course is over")
	}
	if ok, wait := p.attempts.Allow("run " + q.course.ID + "/" + q.viewer.member()); !ok {
		return again("too many runs: wait " + wait.Round(time.Second).String() + " and try again")
	}
	submitter := ledger.SubmitterOf(q.course.ID, q.viewer.member())
	r := service.Request{Owner: submitter, Code: []byte(d.Text), Stdin: []byte(d.Input)}
	r.Submitted = ledger.Submitted{
		Submitter: submitter, Name: "solution" + q.o.ExtensionOf(d.Language), Language: d.Language,
		Input: &store.Ref{}, Priority: ledger.Interactive,
	}
	sub, _, err := q.o.Service.Submit(q.ctx, r)
	if err != nil {
		return err
	}
	return q.then("/c/%s/run/%s", q.course.ID, sub.ID)
}

// ranPage shows what became of a run, with the form filled for the next one.
func (p *Pages) ranPage(q *request) error {
	sub, err := q.submission(true)
	if err != nil {
		return err
	}
	d := &runData{Languages: q.languages()}
	j := sub.Counts()
	d.ID, d.Status, d.Reason = sub.ID, j.Status, j.Error
	in, code, err := p.o.Service.Source(q.ctx, sub.ID)
	if err != nil {
		return err
	}
	d.Language, d.Text = in.Language, string(code)
	if in.Input != nil {
		input, err := p.o.Service.Content(q.ctx, *in.Input)
		if err != nil {
			return err
		}
		d.Input = string(input)
	}
	if j.Status == ledger.Done {
		text, err := p.o.Service.Result(q.ctx, sub.ID, j.Number)
		if err != nil {
			return err
		}
		var r task.Result
		if err := json.Unmarshal(text, &r); err != nil {
			return err
		}
		if d.Run = r.Run; d.Run != nil {
			d.Output, d.Cut = beginning(d.Run.Text)
			d.Cut = d.Cut || d.Run.Truncated
			d.Errors, _ = beginning(d.Run.Errors)
			d.OutputSize = len(d.Run.Text)
		}
	}
	return q.show("run", "Run", d)
}

// beginning returns as much of an output as a page shows, and whether that is not all.
func beginning(text []byte) (string, bool) {
	cut := len(text) > shownOutput
	if cut {
		text = text[:shownOutput]
	}
	return strings.ToValidUTF8(string(text), "\uFFFD"), cut
}
