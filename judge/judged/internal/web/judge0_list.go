package web

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"unicode/utf8"

	"tribunal/judge/judged/internal/judge0"
	"tribunal/judge/judged/internal/ledger"
	"tribunal/judge/judged/internal/service"
)

// maxPerPage is how many submissions a page of the list has at most, and usualPerPage how many by default.
const (
	usualPerPage = 20
	maxPerPage   = 100
	maxPage      = 1_000_000
)

// judge0List answers with a page of the submissions that the caller may see, the newest first.
func (w *Web) judge0List(rw http.ResponseWriter, r *http.Request) error {
	q, ok := judge0QueryOf(rw, r)
	if !ok {
		return nil
	}
	page, bad := judge0Number(r, "page", 1, maxPage)
	per, worse := judge0Number(r, "per_page", usualPerPage, maxPerPage)
	if err := cmp.Or(bad, worse); err != nil {
		return judge0Bad(rw, err)
	}
	c, total := callerOf(r.Context()), 0
	var found []ledger.Submission
	if err := w.o.Service.Lately(r.Context(), func() error {
		total = 0
		found = w.o.Service.List(func(sub *ledger.Submission) bool {
			is := sub.Run && c.sees(sub)
			if is {
				total++
			}
			return is
		}, "", page*per)
		return nil
	}); err != nil {
		return err
	}
	list, held := []map[string]any{}, w.lease(r)
	defer held.end()
	for i := (page - 1) * per; i < len(found); i++ {
		one, err := w.judge0Attributes(r.Context(), &found[i], q, held)
		switch {
		case errors.Is(err, service.ErrUnknown): // it has just been erased
			continue
		case errors.Is(err, judge0.ErrText):
			return judge0Bad(rw, err)
		case err != nil:
			return err
		}
		list = append(list, one)
	}
	meta := map[string]any{"current_page": page, "next_page": nil, "prev_page": nil, "total_pages": (total + per - 1) / per, "total_count": total}
	if page*per < total {
		meta["next_page"] = page + 1
	}
	if page > 1 {
		meta["prev_page"] = page - 1
	}
	writeJSON(rw, http.StatusOK, jsonType, map[string]any{"submissions": list, "meta": meta})
	return nil
}

// judge0Number reads a number of a query, from 1 to most.
func judge0Number(r *http.Request, name string, usual, most int) (int, error) {
	text := cmp.Or(r.URL.Query().Get(name), strconv.Itoa(usual))
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > most {
		return 0, fmt.Errorf("invalid %s: %.20s", name, text)
	}
	return n, nil
}

// judge0Delete erases a submission of the caller, and answers with what it was.
func (w *Web) judge0Delete(rw http.ResponseWriter, r *http.Request) error {
	q, ok := judge0QueryOf(rw, r)
	if !ok {
		return nil
	}
	q.encoded = true // so that there is always an answer
	sub, err := w.get(r.Context(), r.PathValue("token"))
	c := callerOf(r.Context())
	if errors.Is(err, service.ErrUnknown) || err == nil && (!sub.Run || !c.own(&sub)) {
		writeJSON(rw, http.StatusNotFound, jsonType, judge0Error{Error: "submission not found"})
		return nil
	}
	if err != nil {
		return err
	}
	if j := sub.Counts(); j == nil || j.Status == ledger.Waiting {
		writeJSON(rw, http.StatusBadRequest, jsonType, judge0Error{Error: "submission cannot be deleted because its status is 1 (In Queue)"})
		return nil
	}
	held := w.lease(r)
	defer held.end()
	all, err := w.judge0Attributes(r.Context(), &sub, q, held)
	if err == nil {
		err = w.o.Service.Erase(r.Context(), sub.ID, c.Owner)
	}
	if err == nil {
		err = w.o.Service.Snapshot(r.Context())
	}
	if err != nil {
		return err
	}
	writeJSON(rw, http.StatusOK, jsonType, all)
	return nil
}

// judge0Decode reads a submission in JSON or as a form, whose empty fields are not set.
func judge0Decode(r *http.Request, to *judge0.Submission) error {
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/x-www-form-urlencoded" {
		return decode(r, to)
	}
	text, err := io.ReadAll(r.Body)
	if err != nil {
		return err
	}
	if json.Valid(text) { // curl -d says that JSON is a form
		return unmarshal(text, to, false)
	}
	form, err := url.ParseQuery(string(text))
	if err != nil {
		return err
	}
	fields := map[string]string{}
	for name, values := range form {
		switch {
		case len(values) > 1:
			return unclear("body."+name, "the key is there twice")
		case !utf8.ValidString(name) || !utf8.ValidString(values[0]):
			return errNoText
		case values[0] != "" || name == "expected_output":
			fields[name] = values[0]
		}
	}
	if text, err = json.Marshal(fields); err != nil {
		return err
	}
	return unmarshal(text, to, false)
}
