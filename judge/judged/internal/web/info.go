package web

import (
	"context"
	"maps"
	"net/http"
	"slices"
	"time"

	"tribunal/judge/internal/version"
)

// Version is the version of the running program.
type Version struct {
	Build string `json:"build" doc:"of the service"`
}

type versionInfoOutput struct{ Body Version }

func (w *Web) getVersion(context.Context, *struct{}) (*versionInfoOutput, error) {
	return &versionInfoOutput{Version{version.Build()}}, nil
}

// OfferedLanguage is a language in which submissions are taken.
type OfferedLanguage struct {
	Language
	Workers int `json:"workers" doc:"ready workers that have it; if there are none, submissions wait for the return of one"`
}

type LanguageList struct {
	Languages []OfferedLanguage `json:"languages"`
}

type languagesOutput struct{ Body LanguageList }

func (w *Web) listLanguages(ctx context.Context, _ *struct{}) (*languagesOutput, error) {
	out, offered := &languagesOutput{LanguageList{[]OfferedLanguage{}}}, w.o.Service.Offer(ctx)
	for _, l := range w.o.Languages {
		if taken, workers := offered(l.ID); taken {
			out.Body.Languages = append(out.Body.Languages, OfferedLanguage{l, workers})
		}
	}
	return out, nil
}

type WorkerInfo struct {
	Worker string    `json:"worker"`
	Host   string    `json:"host"`
	Build  string    `json:"build"`
	State  string    `json:"state" enum:"ready,draining,sick"`
	Sick   string    `json:"sick,omitempty" doc:"why it takes no tasks"`
	CPUs   int       `json:"cpus"`
	Slots  int       `json:"slots" doc:"programs that run at a time"`
	Busy   int       `json:"busy" doc:"tasks that it does now"`
	Load   float64   `json:"load"`
	Factor float64   `json:"factor" doc:"how long it takes for the reference runs, in units of the first worker; 0 if unknown"`
	Notes  []string  `json:"notes" doc:"what its host cannot enforce"`
	Since  time.Time `json:"since"`
	Seen   time.Time `json:"seen,omitzero" doc:"when it last said that it is there, by its clock"`

	Languages []string `json:"languages" doc:"in which it can judge"`
}

type WorkerList struct {
	Workers []WorkerInfo `json:"workers"`
}

type workersOutput struct{ Body WorkerList }

func (w *Web) listWorkers(ctx context.Context, _ *struct{}) (*workersOutput, error) {
	list, err := w.o.Service.Workers(ctx)
	if err != nil {
		return nil, err
	}
	out := &workersOutput{WorkerList{[]WorkerInfo{}}}
	for _, name := range slices.Sorted(maps.Keys(list)) {
		one := list[name]
		out.Body.Workers = append(out.Body.Workers, WorkerInfo{
			Worker: one.Worker, Host: one.Host.Host, Build: one.Build, State: stateOf(&one), Sick: one.Sick, CPUs: one.CPUs, Slots: one.Slots,
			Busy: one.Busy, Load: one.Load, Factor: one.Factor, Notes: append([]string{}, one.Notes...), Since: one.Since, Seen: one.Seen, Languages: append([]string{}, one.Languages...),
		})
	}
	return out, nil
}

// watchAll sends what happens to all judgings that the caller may see, until the client goes away.
func (w *Web) watchAll(rw http.ResponseWriter, r *http.Request) error {
	if err := onlyParameters(r, "submitter", "problem"); err != nil {
		return err
	}
	known, err := lastEvent(r)
	if err != nil {
		return err
	}
	query := r.URL.Query()
	f := filter{Submitter: query.Get("submitter"), Problem: query.Get("problem")}
	a := allEvents{w, callerOf(r.Context()), f, known, r.Header.Get("Last-Event-ID") != ""}
	return w.stream(rw, r, a.produce)
}
