package web

import (
	"context"
	"errors"
	"net/http"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"tribunal/judge/judged/internal/judge0"
	"tribunal/judge/judged/internal/ledger"
	"tribunal/judge/judged/internal/service"
	"tribunal/judge/judged/internal/store"
	"tribunal/judge/judged/internal/task"
)

// judge0Paths are the first parts of the paths of Judge0's API.
var judge0Paths = []string{"submissions", "languages", "statuses", "about", "config_info", "authenticate", "authorize"}

// isJudge0 reports whether a path belongs to Judge0's API. Clients without a token request /submissions/ for
// /submissions/{token}, so a slash at the end means nothing.
func isJudge0(path string) bool {
	first, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	return slices.Contains(judge0Paths, first)
}

// extraPrefix begins the paths of the same API with the numbers of the flavor Extra CE.
const extraPrefix = "/extra"

type flavorKey struct{}

// flavorOf returns the flavor of the request of a context.
func flavorOf(ctx context.Context) judge0.Flavor {
	f, _ := ctx.Value(flavorKey{}).(judge0.Flavor)
	return f
}

// judge0Request returns a request with the path of the row that it is for.
func judge0Request(r *http.Request) *http.Request {
	path, extra := strings.CutPrefix(r.URL.Path, extraPrefix)
	short, slash := strings.CutSuffix(path, "/")
	if !extra && !slash || !isJudge0(short) {
		return r
	}
	ctx := r.Context()
	if extra {
		ctx = context.WithValue(ctx, flavorKey{}, judge0.Extra)
	}
	r = r.Clone(ctx)
	r.URL.Path, r.URL.RawPath = short, ""
	return r
}

// knows reports whether a submission in a language can be taken, unless no worker has it.
func (w *Web) knows(language string) bool { return w.language(language) != nil }

// judge0Error is how Judge0 says that something is wrong.
type judge0Error struct {
	Error string `json:"error"`
	Token string `json:"token,omitempty"`
}

// judge0Query holds the parameters of a request.
type judge0Query struct {
	encoded, wait bool
	fields        []string
}

// judge0Query reads the parameters of a request. If it returns false, it has answered.
func judge0QueryOf(rw http.ResponseWriter, r *http.Request) (q judge0Query, ok bool) {
	v := r.URL.Query()
	q.encoded, q.wait = v.Get("base64_encoded") == "true", v.Get("wait") == "true"
	var err error
	if q.fields, err = judge0.Fields(v.Get("fields")); err != nil {
		writeJSON(rw, http.StatusBadRequest, jsonType, judge0Error{Error: err.Error()})
	}
	return q, err == nil
}

// judge0Create takes a submission of a client of Judge0.
func (w *Web) judge0Create(rw http.ResponseWriter, r *http.Request) error {
	q, ok := judge0QueryOf(rw, r)
	if !ok {
		return nil
	}
	var s judge0.Submission
	if err := judge0Decode(r, &s); err != nil {
		return judge0Bad(rw, err)
	}
	sub, errs, err := w.judge0Submit(r, &s, q.encoded, r.Header.Get("Idempotency-Key"))
	switch {
	case errors.Is(err, service.ErrBusy):
		judge0Busy(rw)
		return nil
	case err != nil:
		return err
	case len(errs) > 0:
		writeJSON(rw, http.StatusUnprocessableEntity, jsonType, errs)
		return nil
	case !q.wait:
		writeJSON(rw, http.StatusCreated, jsonType, map[string]string{"token": sub.ID})
		return nil
	}
	if sub, err = w.await(r.Context(), sub, w.o.Bounds.Wait); err != nil {
		return err
	}
	return w.judge0Write(rw, r, http.StatusCreated, &sub, q)
}

// judge0Bad answers a request that cannot be read.
func judge0Bad(rw http.ResponseWriter, err error) error {
	if isReading(err) {
		return err
	}
	writeJSON(rw, http.StatusBadRequest, jsonType, judge0Error{Error: err.Error()})
	return nil
}

// judge0Submit hands in a submission, unless there is something wrong with it.
func (w *Web) judge0Submit(r *http.Request, s *judge0.Submission, encoded bool, key string) (sub ledger.Submission, errs judge0.Errors, err error) {
	p, errs := s.Program(w.judge0Host(r), encoded)
	if len(errs) > 0 {
		return sub, errs, nil
	}
	program := &Submission{Language: p.Language, Base64: p.Source, Limits: p.Limits}
	switch {
	case p.Language == judge0.Project:
		if err := checkArchive(p.Files, sourceArchive); err != nil {
			return sub, judge0.Errors{"additional_files": {err.Error()}}, nil
		}
		program.Name, program.Language, program.Base64 = task.Project, judge0.ProjectTools, p.Files
	case p.Files != nil:
		if program.Base64, err = w.judge0Pack(&p); err != nil {
			return sub, judge0.Errors{"additional_files": {err.Error()}}, nil
		}
		program.Name = judge0.PackName
	}
	q, err := w.runRequest(r.Context(), program, p.Stdin, p.Args)
	if err != nil {
		return sub, nil, err
	}
	if p.Expected != nil {
		q.Expected, q.Want = &store.Ref{}, p.Expected
	}
	q.Key, q.Options = key, p.Options
	sub, _, err = w.o.Service.Submit(r.Context(), q)
	about(r.Context(), sub.ID)
	if _, absent := errors.AsType[*service.LanguageError](err); absent {
		return sub, s.NoLanguage(), nil
	}
	if err == nil && p.Callback != "" {
		err = w.o.Service.CallBack(r.Context(), sub.ID, p.Callback)
	}
	return sub, nil, err
}

// judge0Pack returns an archive of a program's source and its additional files. An error is the fault of the files.
func (w *Web) judge0Pack(p *judge0.Program) ([]byte, error) {
	if err := checkArchive(p.Files, sourceArchive); err != nil {
		return nil, err
	}
	name := "main"
	if p.Language == "java" {
		name = "Main"
	}
	usual, _, err := w.named("", p.Language)
	if err != nil {
		return nil, err
	}
	return judge0.Pack(name+path.Ext(usual), p.Source, p.Files)
}

// judge0Get answers with the attributes of a submission.
func (w *Web) judge0Get(rw http.ResponseWriter, r *http.Request) error {
	q, ok := judge0QueryOf(rw, r)
	if !ok {
		return nil
	}
	sub, err := w.get(r.Context(), r.PathValue("token"))
	if errors.Is(err, service.ErrUnknown) || err == nil && !sub.Run {
		writeJSON(rw, http.StatusNotFound, jsonType, judge0Error{Error: "submission not found"})
		return nil
	}
	if err != nil {
		return err
	}
	return w.judge0Write(rw, r, http.StatusOK, &sub, q)
}

func (w *Web) judge0Write(rw http.ResponseWriter, r *http.Request, status int, sub *ledger.Submission, q judge0Query) error {
	held := w.lease(r)
	defer held.end()
	all, err := w.judge0Attributes(r.Context(), sub, q, held)
	if errors.Is(err, judge0.ErrText) {
		token := ""
		if status == http.StatusOK {
			status = http.StatusBadRequest
		} else {
			token = sub.ID
		}
		writeJSON(rw, status, jsonType, judge0Error{err.Error(), token})
		return nil
	}
	if err != nil {
		return err
	}
	writeJSON(rw, status, jsonType, all)
	return nil
}

// judge0Attributes returns the attributes of a submission that a client asks for. Their contents count against the
// budget as long as held does.
func (w *Web) judge0Attributes(ctx context.Context, sub *ledger.Submission, q judge0Query, held *lease) (map[string]any, error) {
	in, err := w.o.Service.Submitted(ctx, sub.ID)
	if err != nil {
		return nil, err
	}
	s := judge0.State{Token: sub.ID, Flavor: flavorOf(ctx), Language: sub.Language, Args: in.Args, Options: in.Options, Created: sub.At}
	for _, text := range []struct {
		of     *store.Ref
		to     *[]byte
		fields []string // the fields that need it
	}{
		{&in.Source, &s.Source, []string{"source_code"}},
		{in.Input, &s.Stdin, []string{"stdin"}},
		{in.Expected, &s.Expected, []string{"expected_output", "status", "status_id"}},
	} {
		needed := slices.ContainsFunc(text.fields, func(field string) bool { return slices.Contains(q.fields, field) })
		if text.of == nil || !needed {
			continue
		}
		if !held.take(int(text.of.Size)) {
			return nil, errBuffered
		}
		if *text.to, err = w.o.Service.Content(ctx, *text.of); err != nil {
			return nil, err
		}
		if *text.to == nil {
			*text.to = []byte{}
		}
	}
	switch in.Name {
	case judge0.PackName:
		s.Source = judge0.Unpack(s.Source)
	case task.Project:
		s.Source, s.Language = nil, judge0.Project
	}
	if j := sub.Counts(); j != nil && j.Status != ledger.Waiting {
		s.Finished = j.Until
		if j.Status != ledger.Done {
			s.Failed = j.Error
		} else if s.Run, err = w.ran(ctx, sub.ID, j.Number); err != nil {
			return nil, err
		} else if !held.take(len(s.Run.Text) + len(s.Run.Errors) + len(s.Run.Built.Error)) {
			return nil, errBuffered
		}
	}
	return s.Attributes(q.fields, q.encoded)
}

// judge0CreateBatch takes several submissions.
func (w *Web) judge0CreateBatch(rw http.ResponseWriter, r *http.Request) error {
	var b judge0.Batch
	if err := decode(r, &b); err != nil {
		return judge0Bad(rw, err)
	}
	if bad := judge0BatchSize(len(b.Submissions)); bad != "" {
		writeJSON(rw, http.StatusBadRequest, jsonType, judge0Error{Error: bad})
		return nil
	}
	encoded, key := r.URL.Query().Get("base64_encoded") == "true", r.Header.Get("Idempotency-Key")
	list, status, busy := make([]any, len(b.Submissions)), http.StatusUnprocessableEntity, false
	for i := range b.Submissions {
		one := key
		if key != "" {
			one = inBatch(key, strconv.Itoa(i))
		}
		sub, errs, err := w.judge0Submit(r, &b.Submissions[i], encoded, one)
		switch {
		case len(errs) > 0:
			list[i] = errs
		case err != nil:
			busy = busy || errors.Is(err, service.ErrBusy)
			list[i] = judge0Error{Error: w.failed("/submissions/batch", err).Error()}
		default:
			list[i], status = map[string]string{"token": sub.ID}, http.StatusCreated
		}
	}
	if busy && status != http.StatusCreated {
		judge0Busy(rw)
		return nil
	}
	writeJSON(rw, status, jsonType, list)
	return nil
}

// judge0Busy answers that too many submissions wait.
func judge0Busy(rw http.ResponseWriter) {
	rw.Header().Set("Retry-After", strconv.Itoa(int(retryBusy.Seconds())))
	writeJSON(rw, http.StatusServiceUnavailable, jsonType, judge0Error{Error: "queue is full"})
}

func judge0BatchSize(n int) string {
	switch {
	case n == 0:
		return "there should be at least one submission in a batch"
	case n > judge0.MaxBatch:
		return "number of submissions in a batch should be less than or equal to " + strconv.Itoa(judge0.MaxBatch)
	}
	return ""
}

// judge0GetBatch answers with the attributes of several submissions, null for those that are not there.
func (w *Web) judge0GetBatch(rw http.ResponseWriter, r *http.Request) error {
	q, ok := judge0QueryOf(rw, r)
	if !ok {
		return nil
	}
	tokens := strings.FieldsFunc(r.URL.Query().Get("tokens"), func(r rune) bool { return r == ',' })
	if bad := judge0BatchSize(len(tokens)); bad != "" {
		writeJSON(rw, http.StatusBadRequest, jsonType, judge0Error{Error: bad})
		return nil
	}
	list, held := make([]map[string]any, len(tokens)), w.lease(r)
	defer held.end()
	for i, token := range tokens {
		sub, err := w.get(r.Context(), token)
		if errors.Is(err, service.ErrUnknown) || err == nil && !sub.Run {
			continue
		}
		if err == nil {
			list[i], err = w.judge0Attributes(r.Context(), &sub, q, held)
		}
		if errors.Is(err, judge0.ErrText) {
			return judge0Bad(rw, err)
		}
		if err != nil {
			return err
		}
	}
	writeJSON(rw, http.StatusOK, jsonType, map[string]any{"submissions": list})
	return nil
}

// anyJSON is the schema of a value that another document describes.
func anyJSON() map[string]*huma.MediaType {
	return map[string]*huma.MediaType{jsonType: {Schema: &huma.Schema{}}}
}

func returnsNothing(_ huma.API, op *huma.Operation) {
	op.Responses = map[string]*huma.Response{"200": {Description: "An answer without a body"}}
}

// compatible documents an operation of another API, whose documentation says more.
func compatible(statuses ...string) func(huma.API, *huma.Operation) {
	return func(api huma.API, op *huma.Operation) {
		pathParameters(op)
		if op.Method == http.MethodPost {
			op.RequestBody = &huma.RequestBody{Required: true, Content: anyJSON()}
		}
		op.Responses = map[string]*huma.Response{}
		for _, s := range statuses {
			op.Responses[s] = &huma.Response{Description: "As documented there", Content: anyJSON()}
			if s >= "400" {
				op.Responses[s].Content[problemJSON] = &huma.MediaType{Schema: schemaOf[Problem](api)}
			}
		}
		if strings.HasPrefix(op.Path, "/submissions") {
			for _, name := range []string{"base64_encoded", "wait", "fields", "tokens"} {
				queryParameter(op, name, huma.TypeString, "as documented there")
			}
		}
	}
}
