package web

import (
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"slices"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"tribunal/judge/internal/limits"
	"tribunal/judge/judged/internal/service"
)

const formType = "multipart/form-data"

func isForm(r *http.Request) bool {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	return err == nil && kind == formType
}

// form is a submission that was handed in as a multipart form.
type form struct {
	Submission
	archive []byte // the package that came with it; nil if none did
	seen    []string
}

// createJudgingForm takes a submission as a form: fields as in JSON, and files.
func (w *Web) createJudgingForm(rw http.ResponseWriter, r *http.Request) {
	if err := w.takeForm(rw, r); err != nil {
		writeProblem(rw, w.failed(r.URL.Path, err))
	}
}

func (w *Web) takeForm(rw http.ResponseWriter, r *http.Request) error {
	ctx := r.Context()
	if err := onlyParameters(r, "wait"); err != nil {
		return err
	}
	f, err := w.readForm(r)
	if err != nil {
		return err
	}
	if f.Base64 != nil && f.Name == "" && f.Language == "" {
		return wrong("source", "want a file with a name, or a language (hint: curl -F source=@sum.cpp)")
	}
	q, err := w.request(&f.Submission, callerOf(ctx))
	if err != nil {
		return err
	}
	q.Key = r.Header.Get("Idempotency-Key")
	wait := r.URL.Query().Get("wait")
	if _, err := w.waitOf(wait); err != nil {
		return err
	}
	if err := w.fill(ctx, &q, &f.Submission); err != nil {
		return err
	}
	if f.archive != nil {
		if q.Version != "" || q.Problem == "" {
			return wrong("package", "a package needs a problem without a version, of which it becomes one")
		}
		v, err := w.upload(ctx, service.Upload{ID: q.Problem, Title: q.Problem, Archive: f.archive})
		if err != nil {
			return err
		}
		q.Version, q.Fresh = v.ID, true
	}
	out, err := w.submit(ctx, q, wait)
	if err != nil {
		return err
	}
	rw.Header().Set("Location", out.Location)
	writeJSON(rw, out.Status, jsonType, out.Body)
	return nil
}

// readForm reads the parts of a form, in any order, each at most once.
func (w *Web) readForm(r *http.Request) (*form, error) {
	parts, err := r.MultipartReader()
	if err != nil {
		return nil, refuse(http.StatusBadRequest, "not a form: %v", err)
	}
	f := &form{}
	for {
		part, err := parts.NextRawPart() // a transfer encoding is not decoded: it would hide the size
		if err == io.EOF {               // an error that wraps it means that the end is missing
			return f, nil
		}
		if err == nil {
			err = w.readPart(f, part)
		}
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		if _, ok := errors.AsType[*Problem](err); !ok && err != nil && !isReading(err) {
			err = refuse(http.StatusBadRequest, "not a form: %v", err)
		}
		if err != nil {
			return nil, err
		}
	}
}

// maxField is the size of the largest field of a form that is not a file.
const maxField = 4 * limits.KiB

func (w *Web) readPart(f *form, part *multipart.Part) error {
	name := part.FormName()
	if slices.Contains(f.seen, name) {
		return wrong(name, "the form has it twice (hint: several files go into a .zip)")
	}
	f.seen = append(f.seen, name)
	if name == "source" || name == "package" {
		most := w.o.Bounds.Source
		if name == "package" {
			most = w.o.Bounds.Package
		}
		data, err := readAtMost(part, most)
		if err != nil {
			return err
		}
		if name == "package" {
			f.archive = data
			return nil
		}
		if f.Base64 = data; f.Name == "" {
			f.Name = part.FileName() // without folders
		}
		return nil
	}
	data, err := readAtMost(part, maxField)
	if err != nil {
		return err
	}
	return f.field(name, string(data))
}

// field sets a field that is a text.
func (f *form) field(name, value string) (err error) {
	texts := map[string]*string{
		"problem": &f.Problem, "name": &f.Name, "language": &f.Language, "limits": &f.Limits, "priority": &f.Priority, "submitter": &f.Submitter,
	}
	switch to := texts[name]; {
	case to != nil:
		*to = value
	case name == "all":
		if value != "true" && value != "false" {
			return wrong(name, "want true or false")
		}
		f.All = value == "true"
	case name == "deadline":
		if f.Deadline, err = time.Parse(time.RFC3339, value); err != nil {
			return wrong(name, "want a time such as 2006-01-02T15:04:05Z")
		}
	default:
		return wrong(fmt.Sprintf("%.64q", name), "no such field")
	}
	return nil
}

func readAtMost(from *multipart.Part, most limits.Bytes) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(from, int64(most)+1))
	if err == nil && int64(len(data)) > int64(most) {
		err = refuse(http.StatusRequestEntityTooLarge, "%s has more than %v", from.FormName(), most)
	}
	if data == nil {
		data = []byte{}
	}
	return data, err
}

func formSchema() *huma.RequestBody {
	text := func(doc string) *huma.Schema { return &huma.Schema{Type: huma.TypeString, Description: doc} }
	file := func(doc string) *huma.Schema {
		return &huma.Schema{Type: huma.TypeString, Format: "binary", Description: doc}
	}
	return &huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{formType: {Schema: &huma.Schema{
		Type: huma.TypeObject, Required: []string{"source", "problem"}, AdditionalProperties: false,
		Properties: map[string]*huma.Schema{
			"source":  file("the source; its file name is the name of the source"),
			"package": file("a package of the problem, which becomes a version of it. This needs the scope problems too."),
			"problem": text("as in JSON"), "name": text("as in JSON"), "language": text("as in JSON"), "limits": text("as in JSON"),
			"priority": text("as in JSON"), "submitter": text("as in JSON"), "all": text("true or false"), "deadline": text("as in JSON"),
		},
	}}}}
}
