package web

import (
	"fmt"
	"maps"
	"net/http"
	"path"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"tribunal/judge/internal/limits"
	"tribunal/judge/judged/internal/access"
	"tribunal/judge/judged/internal/ledger"
	"tribunal/judge/judged/internal/service"
	"tribunal/judge/judged/internal/store"
)

// Submission is a client's request for a judging. Exactly one of the fields with a source is set, and exactly one
// of problem and tests.
type Submission struct {
	Problem   string    `json:"problem,omitempty" maxLength:"160" doc:"the problem, as id or as id@version; without a version, the newest one counts. The beginning of a version is enough." example:"maze@3f2a"`
	Tests     []Test    `json:"tests,omitempty" minItems:"1" maxItems:"1000" doc:"test cases, instead of a problem"`
	Name      string    `json:"name,omitempty" maxLength:"255" doc:"file name of the source. By default it is made of the language." example:"solution.cpp"`
	Language  string    `json:"language,omitempty" maxLength:"64" doc:"by default the extension of the name decides" example:"cpp"`
	Source    *string   `json:"source,omitempty" doc:"the source, if it is text in UTF-8"`
	Base64    []byte    `json:"source_base64,omitempty" doc:"the source, or a zip archive of several files if the name ends in .zip"`
	Blob      *Blob     `json:"blob,omitempty" doc:"the source, stored before by putBlob"`
	Limits    string    `json:"limits,omitempty" maxLength:"200" doc:"limits that replace those of the problem. With a problem, this needs the scope read." example:"cpu=2s,memory=256MiB"`
	All       bool      `json:"all,omitempty" doc:"judge all cases, even after a failure"`
	Priority  string    `json:"priority,omitempty" enum:"interactive,batch" doc:"batch waits behind everything interactive. By default interactive, in a batch batch."`
	Deadline  time.Time `json:"deadline,omitzero" doc:"a judging that has not begun by then is cancelled"`
	Submitter string    `json:"submitter,omitempty" maxLength:"128" doc:"for whom it is handed in, for fairness, quotas and erasure; the owner of the token and a slash are put in front. By default the owner of the token."`
}

type Test struct {
	Input  string `json:"input"`
	Output string `json:"output" doc:"the expected output"`
}

// Blob names a content in the store.
type Blob struct {
	SHA256 string `json:"sha256" pattern:"^[0-9a-f]{64}$"`
	Size   int64  `json:"size" minimum:"0"`
}

// wrong returns the problem of a field that is not valid.
func wrong(field, format string, args ...any) *Problem {
	p := refuse(http.StatusUnprocessableEntity, "the request is not valid")
	p.Errors = []Fault{{"body." + field, fmt.Sprintf(format, args...)}}
	return p
}

// onlyParameters refuses a query with other parameters than the named ones, as package huma does for the operations
// that it decodes.
func onlyParameters(r *http.Request, names ...string) error {
	p := refuse(http.StatusUnprocessableEntity, "the request is not valid")
	for _, name := range slices.Sorted(maps.Keys(r.URL.Query())) {
		if !slices.Contains(names, name) {
			p.Errors = append(p.Errors, Fault{fmt.Sprintf("query.%.64s", name), "unknown query parameter"})
		}
	}
	if p.Errors == nil {
		return nil
	}
	return p
}

// request returns the request to the service, without the source and the tests: see [Web.fill]. It checks
// everything that needs no store.
func (w *Web) request(s *Submission, c *Caller) (r service.Request, err error) {
	in := &r.Submitted
	r.Owner = c.Owner
	in.All, in.Deadline, in.Limits = s.All, s.Deadline.UTC(), s.Limits
	if err := bounded(s); err != nil {
		return r, err
	}
	in.Problem, in.Version, _ = strings.Cut(s.Problem, "@")
	if (s.Problem == "") == (s.Tests == nil) {
		return r, wrong("problem", "want either a problem or tests")
	}
	if s.Problem != "" && in.Problem == "" {
		return r, wrong("problem", "want the id of a problem before the @")
	}
	if in.Problem == ledger.InlineProblem {
		return r, wrong("problem", "%s is reserved", in.Problem)
	}
	if in.Priority, err = priorityOf(s.Priority, ledger.Interactive); err != nil {
		return r, err
	}
	if in.Submitter, err = submitterOf(s.Submitter, c); err != nil {
		return r, err
	}
	if s.Limits != "" && s.Problem != "" && !c.may(access.Read) {
		return r, refuse(http.StatusForbidden, "limits of a problem can only be replaced with the scope %s", access.Read)
	}
	if err := w.checkLimits(s.Limits); err != nil {
		return r, err
	}
	in.Name, in.Language, err = w.named(s.Name, s.Language)
	return r, err
}

// bounded checks the bounds that the tags of fields set. Lines of a batch and forms are not checked against these,
// and records and messages have to hold the values.
func bounded(s *Submission) error {
	switch {
	case len(s.Problem) > 160:
		return wrong("problem", "want at most 160 bytes")
	case len(s.Limits) > 200:
		return wrong("limits", "want at most 200 bytes")
	case len(s.Tests) > 1000:
		return wrong("tests", "want at most 1000 tests")
	case s.Deadline.UTC().Year() > 9999 || s.Deadline.UTC().Year() < 0:
		return wrong("deadline", "want a year with four digits")
	}
	return nil
}

func priorityOf(text string, usual ledger.Priority) (ledger.Priority, error) {
	switch p := ledger.Priority(text); p {
	case "":
		return usual, nil
	case ledger.Interactive, ledger.Batch:
		return p, nil
	}
	return "", wrong("priority", "want interactive or batch")
}

// submitterOf returns the full name of a submitter of a caller. Submitters of different callers differ, so that no
// caller can use up another's quota or read what others handed in.
func submitterOf(name string, c *Caller) (string, error) {
	if name == "" {
		return ownerName(c.Owner), nil
	}
	if len(name) > 128 || !utf8.ValidString(name) || strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsGraphic(r) }) {
		return "", wrong("submitter", "want up to 128 bytes of printable characters")
	}
	return ownerName(c.Owner) + "/" + name, nil
}

// checkLimits returns the problem of limits that a client asks for but cannot have.
func (w *Web) checkLimits(text string) error {
	most := w.o.Bounds.Limits
	l, err := limits.Limits{}.Override(text)
	if err != nil {
		return wrong("limits", "%v", err)
	}
	for _, over := range []struct {
		name string
		is   bool
		most any
	}{
		{"cpu", l.CPU > most.CPU, most.CPU}, {"wall", l.Wall > most.Wall, most.Wall}, {"memory", l.Memory > most.Memory, most.Memory},
		{"output", l.Output > most.Output, most.Output}, {"processes", l.Processes > most.Processes, most.Processes}, {"cpus", l.CPUs > most.CPUs, most.CPUs},
	} {
		if over.is {
			return wrong("limits", "%s is at most %v here", over.name, over.most)
		}
	}
	return nil
}

// archiveExtension is the extension of sources with several files.
const archiveExtension = ".zip"

// named returns the name and the language of a source. The language stays "" if the name decides.
func (w *Web) named(name, language string) (string, string, error) {
	var l *Language
	if language != "" {
		if l = w.language(language); l == nil {
			return "", "", wrong("language", "unknown language %.64q (hint: GET /v1/languages lists them)", language)
		}
	}
	switch {
	case name == "" && l == nil:
		return "", "", wrong("language", "want a language, or a name whose extension says it")
	case name == "" && len(l.Extensions) > 0:
		return "solution" + l.Extensions[0], language, nil
	case name == "":
		return "solution", language, nil
	}
	if bad := badName(name); bad != "" {
		return "", "", wrong("name", "%s", bad)
	}
	extensions := []string{path.Ext(name), strings.ToLower(path.Ext(name))} // as the workers do
	known := func(l Language) bool {
		return slices.ContainsFunc(extensions, func(e string) bool { return slices.Contains(l.Extensions, e) })
	}
	if l == nil && path.Ext(name) != archiveExtension && !slices.ContainsFunc(w.o.Languages, known) {
		return "", "", wrong("language", "no language has the extension of %.64q (hint: name the language; GET /v1/languages lists them)", name)
	}
	return name, language, nil
}

func (w *Web) language(id string) *Language {
	for i := range w.o.Languages {
		if w.o.Languages[i].ID == id {
			return &w.o.Languages[i]
		}
	}
	return nil
}

// badName says what is wrong with the name of a file, "" if nothing is.
func badName(name string) string {
	switch {
	case len(name) > 255:
		return "a name has at most 255 bytes"
	case !utf8.ValidString(name) || strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsGraphic(r) }):
		return "a name has printable characters only"
	case strings.ContainsAny(name, `/\`):
		return "want a name without folders (hint: several files go into a .zip)"
	case strings.HasPrefix(name, ".") || strings.HasPrefix(name, "-"):
		return "a name does not begin with a dot or a hyphen"
	}
	return ""
}

// sourceOf returns the source of a submission as far as it carries it, or the blob that has it.
func sourceOf(s *Submission) ([]byte, *store.Ref, error) {
	n := 0
	for _, set := range []bool{s.Source != nil, s.Base64 != nil, s.Blob != nil} {
		if set {
			n++
		}
	}
	if n != 1 {
		return nil, nil, wrong("source", "want one of source, source_base64 and blob")
	}
	switch {
	case s.Source != nil:
		return []byte(*s.Source), nil, nil
	case s.Base64 != nil:
		return s.Base64, nil, nil
	}
	ref := &store.Ref{Hash: s.Blob.SHA256, Size: s.Blob.Size}
	if err := ref.Valid(); err != nil {
		return nil, nil, wrong("blob", "%v", err)
	}
	return nil, ref, nil
}
