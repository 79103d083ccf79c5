package web

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"tribunal/judge/judged/internal/ledger"
	"tribunal/judge/judged/internal/service"
)

// Rejudging asks to judge again the listed submissions, or all that the filter selects.
type Rejudging struct {
	Judgings  []string  `json:"judgings,omitempty" maxItems:"10000" doc:"ids; then there is no filter"`
	Problem   string    `json:"problem,omitempty" doc:"filter: of this problem, as id or id@version. A filter has a problem."`
	Submitter string    `json:"submitter,omitempty" doc:"filter"`
	Verdict   string    `json:"verdict,omitempty" doc:"filter" example:"TLE"`
	Language  string    `json:"language,omitempty" doc:"filter: submissions that named this language"`
	Worker    string    `json:"worker,omitempty" doc:"filter: judged by this worker"`
	Status    string    `json:"status,omitempty" enum:"waiting,done,held,cancelled" doc:"filter"`
	Since     time.Time `json:"since,omitzero" doc:"filter: handed in then or later"`
	Until     time.Time `json:"until,omitzero" doc:"filter: handed in before"`
	Version   string    `json:"version,omitempty" doc:"of the problem by which to judge; by default the newest"`
}

func (r *Rejudging) filter() filter {
	return filter{r.Submitter, r.Problem, r.Status, r.Verdict, r.Language, r.Worker, r.Since, r.Until}
}

// RejudgingInfo is a batch of rejudgings.
type RejudgingInfo struct {
	Batch    string `json:"batch"`
	Judgings int    `json:"judgings" doc:"how many submissions are judged again"`
	Preview  string `json:"preview" doc:"where to see what would change"`
}

// RejudgingPreview lists the verdicts that applying a batch would change, or has changed.
type RejudgingPreview struct {
	Batch   string          `json:"batch"`
	Applied bool            `json:"applied"`
	Waiting int             `json:"waiting" doc:"judgings of the batch that are not done; they would not take effect"`
	Same    int             `json:"same" doc:"submissions whose verdict, points and accepted cases stay"`
	Changed []ChangedResult `json:"changed"`
}

// ChangedResult is a submission whose verdict, points or accepted cases change.
type ChangedResult struct {
	Judging   string `json:"judging"`
	Submitter string `json:"submitter"`
	Old       Result `json:"old"`
	New       Result `json:"new"`
}

// Result is a verdict and what explains it.
type Result struct {
	Verdict string   `json:"verdict" doc:"empty if there was none"`
	Points  *float64 `json:"points,omitempty"`
	Passed  int      `json:"passed,omitempty" doc:"accepted cases"`
	First   string   `json:"first_failure,omitempty"`
	Cause   string   `json:"cause,omitempty"`
}

func resultOf(s *ledger.Summary) Result {
	return Result{Verdict: s.Verdict.String(), Points: finite(s.Points), Passed: s.Passed, First: s.First, Cause: s.Cause}
}

type createRejudgingInput struct{ Body Rejudging }

type createRejudgingOutput struct {
	Status int
	Body   RejudgingInfo
}

// createRejudging judges submissions again. Nothing changes before the batch is applied.
func (w *Web) createRejudging(ctx context.Context, in *createRejudgingInput) (*createRejudgingOutput, error) {
	q := &in.Body
	ids := slices.Compact(slices.Sorted(slices.Values(q.Judgings)))
	if q.Judgings == nil {
		if id, _, _ := strings.Cut(q.Problem, "@"); id == "" {
			return nil, wrong("problem", "want judgings, or a filter with a problem")
		}
		f := q.filter()
		for _, sub := range w.o.Service.List(func(sub *ledger.Submission) bool { return !sub.Run && f.matches(sub) }, "", 1<<30) {
			ids = append(ids, sub.ID)
		}
	} else if q.filter() != (filter{}) {
		return nil, wrong("judgings", "want either judgings or a filter")
	}
	if len(ids) == 0 {
		return nil, refuse(http.StatusNotFound, "no submission is selected")
	}
	for _, id := range ids { // check all before any is judged again
		if sub, err := w.get(ctx, id); err != nil {
			return nil, err
		} else if sub.Run {
			return nil, wrong("judgings", "%.64s is a run, which has no verdict", id)
		}
	}
	batch, err := w.o.Service.Rejudge(ctx, ids, q.Version, callerOf(ctx).Owner)
	about(ctx, batch)
	if err != nil {
		return nil, err
	}
	return &createRejudgingOutput{http.StatusCreated, RejudgingInfo{Batch: batch, Judgings: len(ids), Preview: "/v1/rejudgings/" + batch}}, nil
}

// RejudgingSummary is a batch of rejudgings in a list.
type RejudgingSummary struct {
	Batch    string    `json:"batch"`
	By       string    `json:"by" doc:"who asked for it"`
	Created  time.Time `json:"created"`
	Judgings int       `json:"judgings" doc:"how many submissions are judged again"`
	Waiting  int       `json:"waiting" doc:"judgings of the batch that are not done"`
	Applied  bool      `json:"applied"`
	Preview  string    `json:"preview" doc:"where to see what would change, or has changed"`
}

// RejudgingList is a page of batches of rejudgings.
type RejudgingList struct {
	Rejudgings []RejudgingSummary `json:"rejudgings"`
	Next       string             `json:"next,omitempty" doc:"the value of after for the next page; absent on the last one"`
}

type listRejudgingsInput struct {
	After string `query:"after" maxLength:"64" doc:"Only those that come behind this batch in the list: the next of the page before."`
	Limit int    `query:"limit" minimum:"1" maximum:"1000" default:"100" doc:"The largest number of batches."`
}

type listRejudgingsOutput struct{ Body RejudgingList }

func (w *Web) listRejudgings(ctx context.Context, in *listRejudgingsInput) (*listRejudgingsOutput, error) {
	var list []service.Batch
	err := w.o.Service.Lately(ctx, func() error {
		list = w.o.Service.Batches()
		i := slices.IndexFunc(list, func(b service.Batch) bool { return b.ID == in.After })
		if i < 0 && in.After != "" {
			return fmt.Errorf("batch %s: %w", in.After, service.ErrUnknown)
		}
		list = list[i+1:]
		return nil
	})
	if err != nil {
		return nil, err
	}
	page := RejudgingList{Rejudgings: []RejudgingSummary{}}
	for _, b := range list[:min(len(list), in.Limit)] {
		page.Rejudgings = append(page.Rejudgings, RejudgingSummary{b.ID, b.By, b.At, b.Judgings, b.Waiting, b.Applied, "/v1/rejudgings/" + b.ID})
	}
	if len(list) > in.Limit {
		page.Next = list[in.Limit-1].ID
	}
	return &listRejudgingsOutput{page}, nil
}

type batchInput struct {
	Batch string `path:"batch" maxLength:"64"`
}

type previewOutput struct{ Body RejudgingPreview }

func (w *Web) getRejudging(ctx context.Context, in *batchInput) (*previewOutput, error) {
	var p service.Preview
	err := w.o.Service.Lately(ctx, func() (err error) { p, err = w.o.Service.Preview(in.Batch); return err })
	if err != nil {
		return nil, err
	}
	out := RejudgingPreview{Batch: p.Batch, Applied: p.Applied, Waiting: p.Waiting, Same: p.Same, Changed: []ChangedResult{}}
	for _, c := range p.Changed {
		out.Changed = append(out.Changed, ChangedResult{c.Submission, c.Submitter, resultOf(&c.Old), resultOf(&c.New)})
	}
	return &previewOutput{out}, nil
}

type applyInput struct {
	Batch  string `path:"batch" maxLength:"64"`
	Partly bool   `query:"partly" doc:"even if judgings of the batch are not done; they then do not take effect"`
}

// applyRejudging makes the judgings of a batch those that count.
func (w *Web) applyRejudging(ctx context.Context, in *applyInput) (*previewOutput, error) {
	about(ctx, in.Batch)
	if err := w.o.Service.Apply(ctx, in.Batch, callerOf(ctx).Owner, in.Partly); err != nil {
		return nil, err
	}
	return w.getRejudging(ctx, &batchInput{in.Batch})
}
