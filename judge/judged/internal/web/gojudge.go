package web

import (
	"errors"
	"net/http"

	"tribunal/judge/judged/internal/gojudge"
	"tribunal/judge/judged/internal/ledger"
	"tribunal/judge/judged/internal/service"
)

// goJudgeRun runs a command of a client of go-judge. The id of a file that is kept is that of the run in
// which it came.
func (w *Web) goJudgeRun(rw http.ResponseWriter, r *http.Request) error {
	var q gojudge.Request
	if err := decode(r, &q); err != nil {
		if isReading(err) {
			return err
		}
		return refuse(http.StatusBadRequest, "not a request: %v", err)
	}
	p, err := q.Program(w.o.Bounds.Limits)
	if _, ok := errors.AsType[gojudge.Unsupported](err); ok {
		return refuse(http.StatusNotImplemented, "%v", err).kind(kindAbsent)
	}
	if err != nil {
		return refuse(http.StatusBadRequest, "%v", err)
	}
	request, err := w.goJudgeRequest(r, p)
	if err != nil {
		return err
	}
	ctx := r.Context()
	sub, _, err := w.o.Service.Submit(ctx, request)
	if err != nil {
		return err
	}
	about(ctx, sub.ID)
	if sub, err = w.await(ctx, sub, w.o.Bounds.Wait); err != nil {
		return err
	}
	var result gojudge.Result
	switch j := sub.Counts(); j.Status {
	case ledger.Done:
		run, err := w.ran(ctx, sub.ID, j.Number)
		if err != nil {
			return err
		}
		result = p.Result(sub.ID, run)
	case ledger.Waiting: // its client gets no id to ask for its result later
		_ = w.o.Service.Cancel(ctx, sub.ID, j.Number, callerOf(ctx).Owner, "its client does not wait any longer")
		return refuse(http.StatusServiceUnavailable, "no worker was free in time (hint: ask again later)").kind(kindBusy).after(retryBusy)
	default:
		result = gojudge.Result{Status: "Internal Error", Error: j.Error}
	}
	writeJSON(rw, http.StatusOK, jsonType, []gojudge.Result{result})
	return nil
}

// goJudgeRequest returns the request to run a program.
func (w *Web) goJudgeRequest(r *http.Request, p *gojudge.Program) (q service.Request, err error) {
	s := Submission{Name: p.Name, Language: p.Language, Limits: p.Limits}
	if p.Source != nil {
		s.Source = p.Source
	} else {
		sub, err := w.get(r.Context(), p.Kept)
		if errors.Is(err, service.ErrUnknown) {
			return q, refuse(http.StatusNotFound, "no file %.64q is kept", p.Kept)
		}
		if err != nil {
			return q, err
		}
		_, source, err := w.o.Service.Source(r.Context(), sub.ID)
		if err != nil {
			return q, err
		}
		s.Base64 = append([]byte{}, source...)
		s.Name, s.Language = sub.Name, sub.Language
	}
	if w.language(s.Language) == nil {
		return q, refuse(http.StatusNotImplemented, "language %s: no worker has it", s.Language).kind(kindAbsent)
	}
	return w.runRequest(r.Context(), &s, []byte(p.Stdin), p.Args)
}
