package report

import (
	"errors"
	"io"
	"time"

	"tribunal/judge/cli/layout"
	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/document"
	"tribunal/judge/internal/event"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/regen"
)

// RegenSchema names the form of the documents that [Regenerations.JSON] writes. It changes as
// [account.Schema] does.
const RegenSchema = "tribunal/regen/1"

// RegenEventsSchema names the form of the stream of judge regen.
const RegenEventsSchema = "tribunal/regen-events/1"

// RegenMode selects what judge regen does with new expected outputs.
type RegenMode string

const (
	Write  RegenMode = "write"
	Check  RegenMode = "check"
	DryRun RegenMode = "dry-run"
)

// Regeneration is the result of regenerating one problem.
type Regeneration struct {
	Mode    RegenMode
	Problem string
	Plan    *regen.Plan // if Err is not nil, the plan is nil or was not applied
	Err     error
}

func (*Regeneration) Kind() string { return "problem" }

func (r *Regeneration) Line() any { return r.object() }

// Regenerations is the result of regenerating several problems.
type Regenerations struct {
	Mode     RegenMode
	Problems []Regeneration
	Elapsed  time.Duration
}

func (*Regenerations) Kind() string { return event.End }

func (l *Regenerations) Line() any { return grade.End{Elapsed: l.Elapsed} }

// state returns the state of a problem as documents write it: one word.
func (r *Regeneration) state() string {
	_, refused := errors.AsType[*regen.Refusal](r.Err)
	switch {
	case refused:
		return "refused"
	case r.Err != nil:
		return "broken"
	case !r.Plan.Stale && !r.Plan.Renew:
		return "fresh"
	case r.Mode == Write:
		return "written"
	case r.Plan.Renew:
		return "renewable"
	}
	return "stale"
}

// Regenerated writes the changes of expected outputs as text, in the detail d, and a summary line.
// If r.Err is not nil it writes nothing; the caller prints the error.
func Regenerated(w io.Writer, d Detail, r Regeneration) error {
	if r.Err != nil {
		return nil
	}
	p, plan := &layout.Page{}, r.Plan
	writeChanges(p, plan, d)
	for _, reason := range plan.Reasons {
		p.Printf("%s: %s\n", plan.Problem, reason)
	}
	for _, note := range plan.Notes {
		p.Printf("%s: note: %s\n", plan.Problem, note)
	}
	verb := "up to date"
	switch state := r.state(); {
	case state == "renewable":
		verb = "up to date (the lock was made with other programs)"
	case state == "stale" && r.Mode == DryRun:
		verb = "not written"
	case state != "fresh":
		verb = state
	}
	noun := "cases"
	if plan.Total == 1 {
		noun = "case"
	}
	p.Printf("%s: %d %s, %d changed, %s\n", plan.Problem, plan.Total, noun, len(plan.Changes), verb)
	return p.Write(w)
}

type regenDocument struct {
	document.Head
	regenHead
	Problems []regenProblem `json:"problems"`
	Elapsed  time.Duration  `json:"elapsed_ns"`
}

type regenHead struct {
	Mode RegenMode `json:"mode"`
}

type regenProblem struct {
	Problem string         `json:"problem"`
	State   string         `json:"state"`
	Cases   int            `json:"cases"`
	Changes []regen.Change `json:"changes"`
	Reasons []string       `json:"reasons"`
	Notes   []string       `json:"notes"`
	Refusal *regenRefusal  `json:"refusal"`
	Error   string         `json:"error"`
}

type regenRefusal struct {
	Kind     regen.Kind     `json:"kind"`
	Case     string         `json:"case"`
	Message  string         `json:"message"`
	Mismatch *diff.Mismatch `json:"mismatch"`
	Stderr   string         `json:"stderr"`
	Input    string         `json:"input"`
	Kept     string         `json:"kept"`
	Others   []regenOther   `json:"others"`
}

type regenOther struct {
	Case     string         `json:"case"`
	Message  string         `json:"message"`
	Mismatch *diff.Mismatch `json:"mismatch"`
}

// JSON writes the results as the JSON document that docs/regen.md describes.
func (l Regenerations) JSON(w io.Writer) error {
	doc := regenDocument{Head: document.NewHead(RegenSchema), regenHead: regenHead{l.Mode}, Elapsed: l.Elapsed}
	for _, r := range l.Problems {
		doc.Problems = append(doc.Problems, r.object())
	}
	return document.Write(w, doc)
}

// object returns the JSON form of the result, for documents and streams.
func (r *Regeneration) object() regenProblem {
	p := regenProblem{Problem: r.Problem, State: r.state()}
	if r.Plan != nil {
		p.Cases, p.Changes, p.Reasons, p.Notes = r.Plan.Total, r.Plan.Changes, r.Plan.Reasons, r.Plan.Notes
	}
	if refusal, ok := errors.AsType[*regen.Refusal](r.Err); ok {
		p.Refusal = &regenRefusal{
			Kind: refusal.Kind, Case: refusal.Case, Message: document.First(refusal.Message()), Mismatch: refusal.Mismatch,
			Stderr: document.Last(refusal.Stderr), Input: refusal.Input, Kept: refusal.Kept,
		}
		for _, o := range refusal.Others {
			p.Refusal.Others = append(p.Refusal.Others, regenOther{o.Case, document.First(o.Message()), o.Mismatch})
		}
	} else if r.Err != nil {
		p.Error = document.First(r.Err.Error())
	}
	return p
}
