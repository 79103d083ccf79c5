package web

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"path"
	"slices"
	"strconv"
	"time"

	"tribunal/judge/judged/internal/feedback"
	"tribunal/judge/judged/internal/ledger"
	"tribunal/judge/judged/internal/service"
	"tribunal/judge/judged/internal/store"
)

// maxKey is the length of the longest idempotency key, in bytes.
const maxKey = 255

// createJudgingInput is a request to hand something in.
type createJudgingInput struct {
	Key  string `header:"Idempotency-Key" maxLength:"255" doc:"The same request with the same key is the same judging, however often it is sent."`
	Wait string `query:"wait" doc:"Wait for the end, at most for this time." example:"30s"`
	Body Submission
}

// judgingOutput is an answer with a judging.
type judgingOutput struct {
	Status   int
	Location string `header:"Location"`
	Body     Judging
}

func (w *Web) createJudging(ctx context.Context, in *createJudgingInput) (*judgingOutput, error) {
	r, err := w.request(&in.Body, callerOf(ctx))
	if err != nil {
		return nil, err
	}
	r.Key = in.Key
	if err := w.fill(ctx, &r, &in.Body); err != nil {
		return nil, err
	}
	return w.submit(ctx, r, in.Wait)
}

// fill adds the source and the tests of a submission to its request.
func (w *Web) fill(ctx context.Context, r *service.Request, s *Submission) error {
	code, blob, err := sourceOf(s)
	if err != nil {
		return err
	}
	if blob != nil {
		if blob.Size > int64(w.o.Bounds.Source) {
			return wrong("blob", "a source has at most %v", w.o.Bounds.Source)
		}
		if code, err = w.o.Service.Blob(ctx, r.Owner, *blob); errors.Is(err, store.ErrNotFound) {
			return wrong("blob", "you have stored no blob %.12s of %d bytes (hint: PUT /v1/blobs/{sha256} stores one)", blob.Hash, blob.Size)
		} else if err != nil {
			return err
		}
	}
	if r.Code = code; len(code) > int(w.o.Bounds.Source) {
		return wrong("source", "a source has at most %v", w.o.Bounds.Source)
	}
	if path.Ext(r.Name) == archiveExtension {
		if err := checkArchive(code, sourceArchive); err != nil {
			return wrong("source", "%v", err)
		}
	}
	if s.Tests != nil {
		return w.inline(r, s.Tests)
	}
	return nil
}

// submit hands a request to the service, and waits for its end if the client wants that.
func (w *Web) submit(ctx context.Context, r service.Request, wait string) (*judgingOutput, error) {
	d, err := w.waitOf(wait)
	if err != nil {
		return nil, err
	}
	sub, created, err := w.o.Service.Submit(ctx, r)
	if errors.Is(err, service.ErrUnknown) {
		return nil, refuse(http.StatusNotFound, "%v (hint: GET /v1/problems lists the problems)", err)
	}
	if err != nil {
		return nil, err
	}
	about(ctx, sub.ID)
	out := &judgingOutput{Status: http.StatusOK, Location: "/v1/judgings/" + sub.ID}
	if created {
		out.Status = http.StatusCreated
	}
	if d > 0 {
		if sub, err = w.await(ctx, sub, d); err != nil {
			return nil, err
		}
	}
	out.Body = w.judgingOf(callerOf(ctx), &sub)
	return out, nil
}

// waitOf parses how long a client wants to wait.
func (w *Web) waitOf(text string) (time.Duration, error) {
	if text == "" {
		return 0, nil
	}
	d, err := time.ParseDuration(text)
	if seconds, e := strconv.Atoi(text); e == nil {
		d, err = time.Duration(seconds)*time.Second, nil
	}
	if err != nil || d < 0 {
		return 0, refuse(http.StatusUnprocessableEntity, "wait: want a time such as 30s")
	}
	return min(d, w.o.Bounds.Wait), nil
}

// await waits, at most for d, until the judging of a submission that counts has ended, and returns the submission
// as it is then. If that cannot be found out, it returns known: the submission was taken, after all.
func (w *Web) await(ctx context.Context, known ledger.Submission, d time.Duration) (ledger.Submission, error) {
	serving, stop := w.whileServing(ctx)
	defer stop()
	waiting, cancel := context.WithTimeout(serving, d)
	defer cancel()
	if err := w.o.Service.Reach(waiting, known.Sequence); err != nil {
		return known, nil
	}
	err := w.follow(waiting, known.ID, nil, func(u service.Update) (bool, error) {
		if u.Submission == nil {
			return true, nil
		}
		known = *u.Submission
		counts := known.Counts()
		return counts != nil && counts.Status == ledger.Waiting, nil
	})
	if errors.Is(err, service.ErrUnknown) { // it was erased
		return known, err
	}
	return known, nil
}

// follow passes the present state of a submission to each, then all its updates, and an empty update at each beat,
// until each returns false or an error, or ctx ends.
func (w *Web) follow(ctx context.Context, id string, beat <-chan time.Time, each func(service.Update) (bool, error)) error {
	for {
		sub, watch, err := w.watch(ctx, id)
		if err != nil {
			return err
		}
		on, err := each(service.Update{Submission: sub})
		if on && err == nil {
			on, err = drain(ctx, watch, beat, func(u service.Update) (bool, error) {
				if u.Submission != nil && u.Submission.Erased {
					return false, fmt.Errorf("judging %s: %w", id, service.ErrUnknown)
				}
				return each(u)
			})
		}
		watch.Close()
		if !on || err != nil {
			return err
		}
	}
}

// drain passes on what a watch receives, and an empty update at each beat. It returns true if the watcher was too
// slow and has to look at the present state.
func drain(ctx context.Context, watch *service.Watch, beat <-chan time.Time, each func(service.Update) (bool, error)) (bool, error) {
	for {
		select {
		case u, ok := <-watch.C:
			if !ok {
				return true, nil
			}
			if on, err := each(u); !on || err != nil {
				return false, err
			}
		case <-beat:
			if on, err := each(service.Update{}); !on || err != nil {
				return false, err
			}
		case <-ctx.Done():
			return false, ctx.Err()
		}
	}
}

// watch watches a submission, even if it was handed in by another service a moment ago.
func (w *Web) watch(ctx context.Context, id string) (*ledger.Submission, *service.Watch, error) {
	var sub *ledger.Submission
	var watch *service.Watch
	err := w.o.Service.Lately(ctx, func() (err error) { sub, watch, err = w.o.Service.Watch(id); return err })
	if errors.Is(err, service.ErrUnknown) {
		err = fmt.Errorf("judging %s: %w", id, err)
	}
	return sub, watch, err
}

// get returns a submission that the caller may read. Others do not exist for the caller.
func (w *Web) get(ctx context.Context, id string) (ledger.Submission, error) {
	var sub ledger.Submission
	err := w.o.Service.Lately(ctx, func() (err error) { sub, err = w.o.Service.Get(id); return err })
	if err == nil {
		if !callerOf(ctx).sees(&sub) {
			err = service.ErrUnknown
		}
	}
	if errors.Is(err, service.ErrUnknown) {
		return sub, fmt.Errorf("judging %s: %w", id, service.ErrUnknown)
	}
	about(ctx, sub.ID)
	return sub, err
}

type getJudgingInput struct {
	ID   string `path:"id" maxLength:"64"`
	Wait string `query:"wait" doc:"Wait for the end, at most for this time." example:"30s"`
}

func (w *Web) getJudging(ctx context.Context, in *getJudgingInput) (*judgingOutput, error) {
	d, err := w.waitOf(in.Wait)
	if err != nil {
		return nil, err
	}
	sub, err := w.get(ctx, in.ID)
	if err == nil && d > 0 {
		sub, err = w.await(ctx, sub, d)
	}
	if err != nil {
		return nil, err
	}
	out := &judgingOutput{Status: http.StatusOK, Body: w.judgingOf(callerOf(ctx), &sub)}
	out.Body.Position = w.o.Service.Position(sub.ID, sub.Effective)
	return out, nil
}

type listJudgingsInput struct {
	Submitter string    `query:"submitter" doc:"Only of this submitter."`
	Problem   string    `query:"problem" doc:"Only of this problem, as id or id@version."`
	Status    string    `query:"status" enum:"waiting,done,held,cancelled" doc:"Only with this status; held: also those of which a rejudging is held."`
	Verdict   string    `query:"verdict" doc:"Only with this verdict." example:"WA"`
	Language  string    `query:"language" doc:"Only submissions that named this language."`
	Worker    string    `query:"worker" doc:"Only those that this worker judged."`
	Since     time.Time `query:"since" doc:"Only those handed in then or later."`
	Until     time.Time `query:"until" doc:"Only those handed in before."`
	After     string    `query:"after" doc:"Only those that come behind this judging in the list: the next of the page before."`
	Limit     int       `query:"limit" minimum:"1" maximum:"1000" default:"100" doc:"The largest number of judgings."`
}

// JudgingList is a page of judgings.
type JudgingList struct {
	Judgings []Judging `json:"judgings"`
	Next     string    `json:"next,omitempty" doc:"the value of after for the next page; absent on the last one"`
}

type listJudgingsOutput struct{ Body JudgingList }

func (w *Web) listJudgings(ctx context.Context, in *listJudgingsInput) (*listJudgingsOutput, error) {
	f := filter{in.Submitter, in.Problem, in.Status, in.Verdict, in.Language, in.Worker, in.Since, in.Until}
	c := callerOf(ctx)
	if in.After != "" {
		if _, err := w.get(ctx, in.After); err != nil {
			return nil, err
		}
	}
	most, hidden := in.Limit+1, f.Verdict != "" && !c.jury()
	if hidden {
		f.Verdict, most = "", 1<<30 // what the caller does not see must not select
	}
	list := w.o.Service.List(func(sub *ledger.Submission) bool {
		return c.sees(sub) && f.matches(sub)
	}, in.After, most)
	if hidden {
		list = slices.DeleteFunc(list, func(sub ledger.Submission) bool { return w.judgingOf(c, &sub).Verdict != in.Verdict })
	}
	out := &listJudgingsOutput{Body: JudgingList{Judgings: make([]Judging, 0, len(list))}}
	for i := range list[:min(len(list), in.Limit)] {
		out.Body.Judgings = append(out.Body.Judgings, w.judgingOf(c, &list[i]))
	}
	if len(list) > in.Limit {
		out.Body.Next = list[in.Limit-1].ID
	}
	return out, nil
}

// getResult answers with the whole result of the judging that counts, or of the judging that the client names.
func (w *Web) getResult(rw http.ResponseWriter, r *http.Request) error {
	sub, err := w.get(r.Context(), r.PathValue("id"))
	if err != nil {
		return err
	}
	if err := onlyParameters(r, "judging"); err != nil {
		return err
	}
	number := sub.Effective
	if text := r.URL.Query().Get("judging"); text != "" {
		if number, err = strconv.Atoi(text); err != nil {
			return refuse(http.StatusUnprocessableEntity, "judging: want a number")
		}
	}
	text, err := w.o.Service.Result(r.Context(), sub.ID, number)
	if err != nil {
		return err
	}
	if j := sub.Judging(number); j != nil {
		text, err = w.view(callerOf(r.Context()), &sub, j.Version).Result(text)
	} else {
		text, err = feedback.View{}.Result(text)
	}
	if err != nil {
		return fmt.Errorf("the result of %s: %w: %w", sub.ID, store.ErrDamaged, err)
	}
	rw.Header().Set("Content-Type", jsonType)
	_, err = rw.Write(text)
	return gone(err)
}
