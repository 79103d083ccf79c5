package web

import (
	"net/http"

	"tribunal/judge/internal/version"
	"tribunal/judge/judged/internal/judge0"
)

// judge0Host says what this service can do for a submission of a client.
func (w *Web) judge0Host(r *http.Request) judge0.Host {
	return judge0.Host{Flavor: flavorOf(r.Context()), Knows: w.knows, Options: w.options, Most: w.o.Bounds.Limits, Calls: w.o.Callbacks.check, Calling: w.o.Callbacks != nil}
}

// options returns patterns of the compiler options that a submission in a language may bring.
func (w *Web) options(language string) []string {
	if l := w.language(language); l != nil {
		return l.Options
	}
	return nil
}

// judge0Offered returns a function that reports whether submissions in a language are taken.
func (w *Web) judge0Offered(r *http.Request) func(language string) bool {
	offered := w.o.Service.Offer(r.Context())
	return func(language string) bool {
		taken, _ := offered(language)
		return taken && w.knows(language)
	}
}

func (w *Web) judge0Languages(rw http.ResponseWriter, r *http.Request) error {
	writeJSON(rw, http.StatusOK, jsonType, flavorOf(r.Context()).Languages(w.judge0Offered(r), false))
	return nil
}

func (w *Web) judge0AllLanguages(rw http.ResponseWriter, r *http.Request) error {
	writeJSON(rw, http.StatusOK, jsonType, flavorOf(r.Context()).Languages(w.judge0Offered(r), true))
	return nil
}

func (w *Web) judge0Language(rw http.ResponseWriter, r *http.Request) error {
	one, ok := flavorOf(r.Context()).Language(r.PathValue("id"), w.judge0Offered(r), func(language string) string {
		name, _, _ := w.named("", language)
		return name
	})
	if !ok {
		writeJSON(rw, http.StatusNotFound, jsonType, judge0Error{Error: "language not found"})
		return nil
	}
	writeJSON(rw, http.StatusOK, jsonType, one)
	return nil
}

func (w *Web) judge0Config(rw http.ResponseWriter, r *http.Request) error {
	h := w.judge0Host(r)
	writeJSON(rw, http.StatusOK, jsonType, h.Config(w.o.Queue, callbackTime.Seconds(), sourceArchive.total))
	return nil
}

// judge0About says by which version of Judge0 clients choose the numbers of languages, and which build this is.
func (w *Web) judge0About(rw http.ResponseWriter, r *http.Request) error {
	writeJSON(rw, http.StatusOK, jsonType, map[string]any{
		"version": flavorOf(r.Context()).Version(), "homepage": nil, "source_code": nil, "maintainer": nil, "judged": version.Build(),
	})
	return nil
}

// judge0Allowed answers a client whom the gate has let pass.
func (w *Web) judge0Allowed(rw http.ResponseWriter, _ *http.Request) error {
	rw.WriteHeader(http.StatusOK)
	return nil
}

func (w *Web) judge0Statuses(rw http.ResponseWriter, _ *http.Request) error {
	writeJSON(rw, http.StatusOK, jsonType, judge0.Statuses())
	return nil
}
