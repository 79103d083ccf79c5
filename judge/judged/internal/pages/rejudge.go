package pages

import (
	"net/http"
	"slices"
	"strings"

	"tribunal/judge/judged/internal/ledger"
	"tribunal/judge/judged/internal/service"
)

// mostVersions is how many versions of a problem the page offers.
const mostVersions = 20

// rejudgeData is what the page for judging again shows.
type rejudgeData struct {
	Problems []rejudgeProblem
	Batches  []service.Batch
}

// rejudgeProblem is a problem of the course, with its versions by which it can be judged, the newest first.
type rejudgeProblem struct {
	ledger.CourseProblem
	Title    string
	Count    int // submissions
	Versions []ledger.Version
}

func (p *Pages) rejudgePage(q *request) error {
	d := &rejudgeData{}
	counts, batches := map[string]int{}, map[string]int{}
	for _, sub := range q.handedInTo(q.course.ID) {
		counts[sub.Problem]++
		for i := range sub.Judgings {
			batches[sub.Judgings[i].Batch]++
		}
	}
	known := map[string][]ledger.Version{}
	for _, problem := range p.o.Service.Problems() {
		known[problem.ID] = slices.DeleteFunc(problem.Versions, func(v ledger.Version) bool { return !v.Usable })
	}
	for _, of := range q.course.Problems {
		list := known[of.Problem]
		d.Problems = append(d.Problems, rejudgeProblem{of, q.titleOf(of.Problem), counts[of.Problem], list[:min(len(list), mostVersions)]})
	}
	for _, b := range p.o.Service.Batches() {
		if b.Judgings > 0 && batches[b.ID] == b.Judgings {
			d.Batches = append(d.Batches, b)
		}
	}
	return q.show("rejudge", "Judge again", d)
}

// rejudge judges the submissions to a problem again. Nothing changes before that is applied.
func (p *Pages) rejudge(q *request) error {
	problem, version, _ := strings.Cut(q.FormValue("problem"), "@")
	if q.course.Problem(problem) == nil {
		return fail(http.StatusUnprocessableEntity, "choose a problem of the course")
	}
	var ids []string
	for _, sub := range q.handedInTo(q.course.ID) {
		if sub.Problem == problem {
			ids = append(ids, sub.ID)
		}
	}
	return q.judgeAgain(ids, version)
}

func (q *request) judgeAgain(ids []string, version string) error {
	if len(ids) == 0 {
		return fail(http.StatusUnprocessableEntity, "there is nothing to judge again")
	}
	batch, err := q.o.Service.Rejudge(q.ctx, ids, version, q.by())
	if err != nil {
		return err
	}
	return q.then("/c/%s/rejudge/%s", q.course.ID, batch)
}

// rejudgeOne judges a single submission again.
func (p *Pages) rejudgeOne(q *request) error {
	sub, err := q.submission(false)
	if err != nil {
		return err
	}
	return q.judgeAgain([]string{sub.ID}, "")
}

// previewData is what the page of a batch shows.
type previewData struct {
	service.Preview
	Changed []changedData
	Total   int
}

type changedData struct {
	service.Changed
	Who, Problem string
}

// batch returns the batch that the address of a request names, if all its submissions are of this course: applying it
// must change nothing elsewhere.
func (q *request) batch() (service.Batch, error) {
	id := q.PathValue("batch")
	var b service.Batch
	err := q.o.Service.Lately(q.ctx, func() error {
		list := q.o.Service.Batches()
		i := slices.IndexFunc(list, func(b service.Batch) bool { return b.ID == id })
		if i < 0 {
			return service.ErrUnknown
		}
		b = list[i]
		return nil
	})
	if err != nil {
		return b, err
	}
	ours := q.o.Service.List(func(s *ledger.Submission) bool {
		return ledger.CourseOf(s.Submitter) == q.course.ID && slices.ContainsFunc(s.Judgings, func(j ledger.Judging) bool { return j.Batch == id })
	}, "", 1<<30)
	if len(ours) != b.Judgings || b.Judgings == 0 {
		return b, errNoPage
	}
	return b, nil
}

func (p *Pages) batchPage(q *request) error {
	b, err := q.batch()
	if err != nil {
		return err
	}
	preview, err := p.o.Service.Preview(b.ID)
	if err != nil {
		return err
	}
	d := &previewData{Preview: preview, Total: b.Judgings}
	for _, c := range preview.Changed {
		login, _ := ledger.LoginOf(q.course.ID, c.Submitter)
		row := changedData{Changed: c, Who: login}
		if person, err := p.o.Service.Person(q.course.ID, login); err == nil {
			row.Who = person.Name
		}
		if sub, err := p.o.Service.Get(c.Submission); err == nil {
			row.Problem = sub.Problem
			if of := q.course.Problem(sub.Problem); of != nil {
				row.Problem = of.Label
			}
		}
		d.Changed = append(d.Changed, row)
	}
	if preview.Waiting > 0 && !preview.Applied {
		q.Header().Set("Refresh", "3") // the page looks again by itself, without a script
	}
	return q.show("rejudge-preview", "Judge again", d)
}

// applyBatch makes the judgings of a batch those that count.
func (p *Pages) applyBatch(q *request) error {
	b, err := q.batch()
	if err != nil {
		return err
	}
	if err := p.o.Service.Apply(q.ctx, b.ID, q.by(), q.FormValue("partly") != ""); err != nil {
		return err
	}
	return q.then("/c/%s/rejudge/%s", q.course.ID, b.ID)
}
