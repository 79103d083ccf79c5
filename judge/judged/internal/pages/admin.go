package pages

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/verdict"
	"tribunal/judge/internal/version"
	"tribunal/judge/judged/internal/access"
	"tribunal/judge/judged/internal/ledger"
	"tribunal/judge/judged/internal/service"
)

// Tokens makes, lists and revokes the tokens of programs.
type Tokens interface {
	List(ctx context.Context) ([]access.Entry, error)
	Issue(ctx context.Context, g access.Grant) (token string, e access.Entry, err error)
	Revoke(ctx context.Context, id string) error
}

// Operating reports whether the page is one of those about the service.
func (v view) Operating() bool { return v.Viewer().Admin && strings.HasPrefix(v.Path(), "/admin") }

// backlog is what waits of an owner of tokens, or of a course.
type backlog struct {
	Owner   string
	Waiting int
	Oldest  time.Time // when the one that waits longest began to wait
}

// backlogs returns what waits, those that wait longest first.
func (p *Pages) backlogs() []backlog {
	byOwner := map[string]backlog{}
	p.o.Service.List(func(s *ledger.Submission) bool {
		for i := range s.Judgings {
			if j := &s.Judgings[i]; j.Status == ledger.Waiting {
				l := byOwner[ledger.OwnerOf(s.Submitter)]
				l.Owner, l.Waiting = ledger.OwnerOf(s.Submitter), l.Waiting+1
				if l.Oldest.IsZero() || j.Since.Before(l.Oldest) {
					l.Oldest = j.Since
				}
				byOwner[l.Owner] = l
			}
		}
		return false
	}, "", 0)
	return slices.SortedFunc(maps.Values(byOwner), func(a, b backlog) int { return a.Oldest.Compare(b.Oldest) })
}

// adminPage shows whether the service is well.
func (p *Pages) adminPage(q *request) error {
	data := struct {
		service.Stats
		Trouble  string       // why no submission can be taken; "" if they can
		Free     limits.Bytes // of the disk; -1 if servers elsewhere keep the data
		Lines    []backlog
		Counts   []verdict.Verdict // that there are
		Build    string
		Ready    int // workers
		Workers  int
		Problems int
	}{Stats: p.o.Service.Stats(), Free: -1, Lines: p.backlogs(), Build: version.Build(), Problems: len(p.o.Service.Problems())}
	if err := p.o.Service.Ready(q.ctx); err != nil {
		data.Trouble = err.Error()
	}
	if p.o.Free != nil {
		free, err := p.o.Free()
		if err != nil {
			return err
		}
		data.Free = free
	}
	for _, v := range verdict.All() {
		if data.Verdicts[v] > 0 {
			data.Counts = append(data.Counts, v)
		}
	}
	workers, err := p.o.Service.Workers(q.ctx)
	if err != nil {
		data.Trouble = cmp.Or(data.Trouble, err.Error())
	}
	for _, w := range workers {
		data.Workers++
		if w.Ready() {
			data.Ready++
		}
	}
	return q.show("admin", "Service", data)
}

func (p *Pages) adminWorkers(q *request) error {
	workers, err := p.o.Service.Workers(q.ctx)
	if err != nil {
		return err
	}
	list := slices.SortedFunc(maps.Values(workers), func(a, b service.Worker) int { return strings.Compare(a.Worker, b.Worker) })
	return q.show("admin-workers", "Workers", list)
}

// heldRow is a judging that is held.
type heldRow struct {
	ledger.Judging
	ID, Submitter, Problem, Name string
	Course                       string // of which it is; "" if it is of none
}

// heldRows returns what is held, what is held longest first.
func (p *Pages) heldRows() (list []heldRow) {
	p.o.Service.List(func(s *ledger.Submission) bool {
		for i := range s.Judgings {
			if s.Judgings[i].Status == ledger.Held {
				list = append(list, heldRow{Judging: s.Judgings[i], ID: s.ID, Submitter: s.Submitter, Problem: s.Problem, Name: s.Name})
			}
		}
		return false
	}, "", 0)
	for i := range list {
		id := ledger.CourseOf(list[i].Submitter)
		if c, err := p.o.Service.Course(id); err == nil && c.Problem(list[i].Problem) != nil {
			list[i].Course = id
		}
	}
	slices.SortFunc(list, func(a, b heldRow) int { return cmp.Or(a.Since.Compare(b.Since), strings.Compare(a.ID, b.ID)) })
	return list
}

func (p *Pages) adminHeld(q *request) error { return q.show("admin-held", "Held", p.heldRows()) }

// releaseHeld releases one judging that is held, or all.
func (p *Pages) releaseHeld(q *request) error {
	if id := q.FormValue("id"); id != "" {
		number, err := strconv.Atoi(q.FormValue("judging"))
		if err != nil {
			return fail(http.StatusUnprocessableEntity, "judging: want a number")
		}
		if err := p.o.Service.Release(q.ctx, id, number, q.by()); err != nil {
			return err
		}
		return q.then("/admin/held")
	}
	if q.FormValue("all") == "" { // such as after an upload that broke off
		return fail(http.StatusUnprocessableEntity, "what should be released? (hint: go back and choose)")
	}
	for _, row := range p.heldRows() {
		err := p.o.Service.Release(q.ctx, row.ID, row.Number, q.by())
		if err != nil && !errors.Is(err, service.ErrState) && !errors.Is(err, service.ErrUnknown) { // released or erased meanwhile
			return err
		}
	}
	return q.then("/admin/held")
}

func (p *Pages) adminProblems(q *request) error {
	return q.show("admin-problems", "Problems", p.o.Service.Problems())
}

// tokensForm is what the page of tokens shows: the list, and what was just made or refused.
type tokensForm struct {
	List   []access.Entry
	Scopes []access.Scope
	Made   string // the new token
	Wrong  string
	Grant  access.Grant
	Days   string
}

func (q *request) tokensPage(status int, f tokensForm) error {
	list, err := q.o.Accounts.List(q.ctx)
	if err != nil {
		return err
	}
	slices.Reverse(list)
	f.List, f.Scopes = list, access.Scopes()
	q.page(status, "admin-tokens", "Tokens", f)
	return nil
}

// Has reports whether the form has a scope.
func (f tokensForm) Has(s access.Scope) bool { return slices.Contains(f.Grant.Scopes, s) }

func (p *Pages) adminTokens(q *request) error { return q.tokensPage(http.StatusOK, tokensForm{}) }

// makeToken makes a token and shows it in the answer to the form: no other page can.
func (p *Pages) makeToken(q *request) error {
	f := tokensForm{Grant: access.Grant{Name: strings.TrimSpace(q.PostForm.Get("name")), Owner: strings.TrimSpace(q.PostForm.Get("owner"))}, Days: strings.TrimSpace(q.PostForm.Get("days"))}
	f.Grant.Name = cmp.Or(f.Grant.Name, f.Grant.Owner)
	again := func(err error) error {
		f.Wrong = err.Error()
		return q.tokensPage(http.StatusUnprocessableEntity, f)
	}
	var err error
	if f.Grant.Scopes, err = access.ParseScopes(strings.Join(q.PostForm["scope"], ",")); err != nil {
		return again(err)
	}
	if f.Days != "" {
		days, err := strconv.Atoi(f.Days)
		if err != nil || days < 1 || days > 10_000 {
			return again(errors.New("days: want a number from 1 to 10000, or nothing"))
		}
		f.Grant.Expires = q.now.Add(time.Duration(days) * 24 * time.Hour)
	}
	if err := f.Grant.Fault(); err != nil {
		return again(err)
	}
	token, made, err := p.o.Accounts.Issue(q.ctx, f.Grant)
	if err != nil {
		return err
	}
	p.o.Audit.Info("a token was made", "token", made.ID, "owner", made.Owner, "viewer", q.viewer.member())
	return q.tokensPage(http.StatusOK, tokensForm{Made: token})
}

func (p *Pages) revokeToken(q *request) error {
	err := p.o.Accounts.Revoke(q.ctx, q.PathValue("token"))
	if errors.Is(err, access.ErrNotFound) {
		return errNoPage
	}
	if err != nil {
		return err
	}
	return q.then("/admin/tokens")
}
