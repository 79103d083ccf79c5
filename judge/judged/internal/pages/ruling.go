package pages

import (
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"tribunal/judge/internal/verdict"
	"tribunal/judge/judged/internal/feedback"
	"tribunal/judge/judged/internal/ledger"
)

// maxReason bounds the reason of a ruling in characters.
const maxReason = 500

// rule sets the outcome of a submission by hand, or takes that back.
func (p *Pages) rule(q *request) error {
	sub, err := q.submission(false)
	if err != nil {
		return err
	}
	r := ledger.Ruled{Reason: strings.Join(strings.Fields(q.FormValue("reason")), " ")}
	if q.FormValue("back") == "" {
		code := q.FormValue("verdict")
		i := slices.IndexFunc(verdict.All(), func(v verdict.Verdict) bool { return v.String() == code })
		if i < 0 {
			return fail(http.StatusUnprocessableEntity, "choose a verdict (hint: go back and choose one)")
		}
		r.Verdict = verdict.All()[i]
		if text := strings.TrimSpace(q.FormValue("points")); text != "" {
			n, err := strconv.ParseFloat(strings.Replace(text, ",", ".", 1), 64)
			if err != nil || math.IsNaN(n) || n < 0 || n > 1e6 {
				return fail(http.StatusUnprocessableEntity, "%.20q are no points (hint: a number from 0 to a million)", text)
			}
			r.Points = n
		}
	}
	if r.Reason == "" || utf8.RuneCountInString(r.Reason) > maxReason {
		return fail(http.StatusUnprocessableEntity, "give a reason of at most %d characters (hint: who handed this in reads it)", maxReason)
	}
	if err := p.o.Service.Rule(q.ctx, sub.ID, r, q.by()); err != nil {
		return err
	}
	return q.then("/c/%s/s/%s", q.course.ID, sub.ID)
}

// judgingData is what the page of one judging shows to the jury.
type judgingData struct {
	ID       string
	Judging  *ledger.Judging
	Problem  string
	Result   *result
	Failures []failureData
}

// mostWhole is how many lines of a difference the jury sees.
const mostWhole = 10_000

// judgingPage shows a judging, which need not be the one that counts, with all failing cases.
func (p *Pages) judgingPage(q *request) error {
	sub, err := q.submission(false)
	if err != nil {
		return err
	}
	n, _ := strconv.Atoi(q.PathValue("judging"))
	if n < 1 || n > len(sub.Judgings) {
		return errNoPage
	}
	d := &judgingData{ID: sub.ID, Judging: sub.Judging(n), Problem: sub.Problem}
	if d.Judging.Status == ledger.Done {
		if q.FormValue("as") == "json" {
			text, err := p.o.Service.Result(q.ctx, sub.ID, n)
			if err != nil {
				return err
			}
			return q.attach(sub.ID+"-"+strconv.Itoa(n)+".json", text)
		}
		if d.Result, err = q.result(sub, d.Judging, feedback.Whole()); err != nil {
			return err
		}
		d.Failures = q.failures(sub, d.Judging, d.Result, len(d.Result.Cases), mostWhole)
	}
	return q.show("judging", "Judging "+strconv.Itoa(n), d)
}
