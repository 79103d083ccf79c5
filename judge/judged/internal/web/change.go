package web

import (
	"context"
	"mime"
	"net/http"

	"tribunal/judge/judged/internal/access"
	"tribunal/judge/judged/internal/ledger"
)

type changeInput struct {
	ID      string `path:"id" maxLength:"64"`
	Judging int    `query:"judging" minimum:"1" doc:"the number of the judging; by default the one that counts"`
	Body    *Reason
}

// Reason says why a client changes something.
type Reason struct {
	Reason string `json:"reason,omitempty" maxLength:"200" example:"handed in twice"`
}

// cancel ends a judging that has not ended.
func (w *Web) cancel(ctx context.Context, in *changeInput) (*judgingOutput, error) {
	return w.change(ctx, in, func(sub *ledger.Submission, number int) error {
		if c := callerOf(ctx); !c.own(sub) && !c.may(access.Rejudge) {
			return refuse(http.StatusForbidden, "judgings of others can only be cancelled with the scope %s", access.Rejudge)
		}
		reason := "cancelled"
		if in.Body != nil && in.Body.Reason != "" {
			reason += ": " + in.Body.Reason
		}
		return w.o.Service.Cancel(ctx, sub.ID, number, callerOf(ctx).Owner, reason)
	})
}

// release lets a judging that is held wait again.
func (w *Web) release(ctx context.Context, in *changeInput) (*judgingOutput, error) {
	return w.change(ctx, in, func(sub *ledger.Submission, number int) error {
		return w.o.Service.Release(ctx, sub.ID, number, callerOf(ctx).Owner)
	})
}

func (w *Web) change(ctx context.Context, in *changeInput, do func(*ledger.Submission, int) error) (*judgingOutput, error) {
	sub, err := w.get(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	number := in.Judging
	if number == 0 {
		number = sub.Effective
	}
	if err := do(&sub, number); err != nil {
		return nil, err
	}
	if sub, err = w.get(ctx, in.ID); err != nil {
		return nil, err
	}
	return &judgingOutput{Status: http.StatusOK, Body: w.judgingOf(callerOf(ctx), &sub)}, nil
}

// getSource answers with the source of a submission, byte for byte.
func (w *Web) getSource(rw http.ResponseWriter, r *http.Request) error {
	sub, err := w.get(r.Context(), r.PathValue("id"))
	if err != nil {
		return err
	}
	in, text, err := w.o.Service.Source(r.Context(), sub.ID)
	if err != nil {
		return err
	}
	rw.Header().Set("Content-Type", "application/octet-stream") // it must never run in a browser
	rw.Header().Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": in.Name}))
	_, err = rw.Write(text)
	return gone(err)
}

type eraseInput struct {
	ID string `path:"id" maxLength:"64"`
}

// erase removes everything about a submission.
func (w *Web) erase(ctx context.Context, in *eraseInput) (*struct{}, error) {
	about(ctx, in.ID)
	if err := w.o.Service.Erase(ctx, in.ID, callerOf(ctx).Owner); err != nil {
		return nil, err
	}
	return nil, w.o.Service.Snapshot(ctx)
}

type eraseSubmitterInput struct {
	Name string `path:"name" maxLength:"300" doc:"with a slash as %2F"`
}

// Erased says how many submissions were erased.
type Erased struct {
	Erased int `json:"erased"`
}

type eraseSubmitterOutput struct{ Body Erased }

// eraseSubmitter removes everything about the submissions of a submitter.
func (w *Web) eraseSubmitter(ctx context.Context, in *eraseSubmitterInput) (*eraseSubmitterOutput, error) {
	about(ctx, in.Name)
	n, err := w.o.Service.EraseSubmitter(ctx, in.Name, callerOf(ctx).Owner)
	if err != nil {
		return nil, err
	}
	return &eraseSubmitterOutput{Erased{n}}, nil
}
