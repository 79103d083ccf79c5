package pages

import (
	"errors"
	"net/http"
	"path"
	"strings"

	"tribunal/judge/judged/internal/ledger"
	"tribunal/judge/judged/internal/service"
	"tribunal/judge/judged/internal/web"
)

// mostPackage is the size of the largest package that a form takes, in bytes; the API takes larger ones.
const mostPackage = 64 << 20

// uploadData is what the pages for packages show.
type uploadData struct {
	ID      string
	Wrong   string
	Version *ledger.Version // nil for the form
}

func (p *Pages) uploadPage(q *request) error {
	return q.show("upload", "Upload a problem", &uploadData{ID: q.FormValue("id")})
}

// upload takes a package, and makes it the newest version of its problem once a worker has verified it.
func (p *Pages) upload(q *request) error {
	if err := q.ParseMultipartForm(1 << 20); err != nil && !errors.Is(err, http.ErrNotMultipart) {
		if _, large := errors.AsType[*http.MaxBytesError](err); large {
			return fail(http.StatusRequestEntityTooLarge, "the package is too large for a form (hint: POST /v1/problems takes larger ones)")
		}
		return fail(http.StatusBadRequest, "the upload broke off (hint: try again)")
	}
	d := &uploadData{ID: strings.TrimSpace(q.FormValue("id"))}
	again := func(text string) error {
		d.Wrong = text
		q.page(http.StatusUnprocessableEntity, "upload", "Upload a problem", d)
		return nil
	}
	if q.MultipartForm == nil || len(q.MultipartForm.File["file"]) != 1 {
		return again("choose the package, a zip archive")
	}
	file := q.MultipartForm.File["file"][0]
	if d.ID == "" {
		d.ID = strings.TrimSuffix(file.Filename, path.Ext(file.Filename))
	}
	data, err := content(file, mostPackage)
	if err != nil {
		return err
	}
	if err := web.CheckPackage(d.ID, data); err != nil {
		return again(err.Error())
	}
	v, _, err := p.o.Service.Upload(q.ctx, service.Upload{ID: d.ID, Title: d.ID, By: q.by(), Archive: data, Newest: true})
	if errors.Is(err, service.ErrInvalid) {
		return again(strings.TrimSuffix(err.Error(), ": "+service.ErrInvalid.Error()))
	}
	if err != nil {
		return err
	}
	return q.then("/admin/problems/upload/%s/%s", v.Problem, v.ID)
}

// uploadedPage shows what verifying a version has found, and looks again by itself until that is known.
func (p *Pages) uploadedPage(q *request) error {
	v, err := p.o.Service.Version(q.PathValue("problem"), q.PathValue("version"))
	if err != nil {
		return err
	}
	if !v.Checked {
		q.Header().Set("Refresh", "3")
	}
	return q.show("upload", v.Problem, &uploadData{ID: v.Problem, Version: &v})
}
