package report

import (
	"errors"
	"fmt"
	"io"
	"time"

	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/regen"
)

// RegenSchema names the form of the documents that [Regenerations.JSON] writes; the
// rules for it are those of [Schema].
const RegenSchema = "tribunal/regen/1"

// RegenMode is what is done with a plan.
type RegenMode string

// The modes.
const (
	Write  RegenMode = "write"
	Check  RegenMode = "check"
	DryRun RegenMode = "dry-run"
)

// Regeneration is what became of the expectations of one problem.
type Regeneration struct {
	Problem string
	Plan    *regen.Plan // nil, or not carried out, with an Err
	Err     error
}

// Regenerations is what became of several.
type Regenerations struct {
	Mode     RegenMode
	Problems []Regeneration
	Elapsed  time.Duration
}

// state is what a document says about a problem, in one word.
func (r Regeneration) state(mode RegenMode) string {
	_, refused := errors.AsType[*regen.Refusal](r.Err)
	switch {
	case refused:
		return "refused"
	case r.Err != nil:
		return "broken"
	case !r.Plan.Stale && !r.Plan.Renew:
		return "fresh"
	case mode == Write:
		return "written"
	case r.Plan.Renew:
		return "renewable"
	}
	return "stale"
}

// Regenerated writes for people what changes, case by case, and a line about it all.
// What failed is not written: it is an error.
func Regenerated(w io.Writer, mode RegenMode, r Regeneration) {
	if r.Err != nil {
		return
	}
	p := r.Plan
	for _, change := range p.Changes {
		switch {
		case change.New:
			fmt.Fprintf(w, "%s/%s: new\n", p.Problem, change.Case)
		case change.Mismatch == nil:
			fmt.Fprintf(w, "%s/%s: changed (only its hash is kept)\n", p.Problem, change.Case)
		default:
			fmt.Fprint(w, change.Mismatch.Format(p.Problem+"/"+change.Case))
		}
	}
	for _, note := range p.Notes {
		fmt.Fprintf(w, "%s: note: %s\n", p.Problem, note)
	}
	verb := "up to date"
	switch state := r.state(mode); {
	case state == "renewable":
		verb = "up to date (the lock was made with other programs)"
	case state == "stale" && mode == DryRun:
		verb = "not written"
	case state != "fresh":
		verb = state
	}
	noun := "cases"
	if p.Total == 1 {
		noun = "case"
	}
	fmt.Fprintf(w, "%s: %d %s, %d changed, %s\n", p.Problem, p.Total, noun, len(p.Changes), verb)
}

type regenDocument struct {
	Schema   string         `json:"schema"`
	Mode     RegenMode      `json:"mode"`
	Problems []regenProblem `json:"problems"`
	Elapsed  time.Duration  `json:"elapsed_ns"`
}

type regenProblem struct {
	Problem string        `json:"problem"`
	State   string        `json:"state"`
	Cases   int           `json:"cases"`
	Changes []regenChange `json:"changes"`
	Notes   []string      `json:"notes"`
	Refusal *regenRefusal `json:"refusal"`
	Error   string        `json:"error"`
}

type regenChange struct {
	Case     string         `json:"case"`
	New      bool           `json:"new"`
	Bytes    int64          `json:"output_bytes"`
	Mismatch *diff.Mismatch `json:"mismatch"`
}

type regenRefusal struct {
	Kind     regen.Kind     `json:"kind"`
	Case     string         `json:"case"`
	Message  string         `json:"message"`
	Mismatch *diff.Mismatch `json:"mismatch"`
	Stderr   string         `json:"stderr"`
	Input    string         `json:"input"`
	Kept     string         `json:"kept"`
}

// JSON writes the document that docs/regen.md describes.
func (l Regenerations) JSON(w io.Writer) error {
	doc := regenDocument{Schema: RegenSchema, Mode: l.Mode, Problems: []regenProblem{}, Elapsed: l.Elapsed}
	for _, r := range l.Problems {
		p := regenProblem{Problem: r.Problem, State: r.state(l.Mode), Changes: []regenChange{}, Notes: []string{}}
		if r.Plan != nil {
			p.Cases = r.Plan.Total
			p.Notes = append(p.Notes, r.Plan.Notes...)
			for _, c := range r.Plan.Changes {
				p.Changes = append(p.Changes, regenChange{c.Case, c.New, c.Bytes, newMismatch(c.Mismatch)})
			}
		}
		if refusal, ok := errors.AsType[*regen.Refusal](r.Err); ok {
			p.Refusal = &regenRefusal{
				Kind: refusal.Kind, Case: refusal.Case, Message: firstPart(refusal.Message()), Mismatch: newMismatch(refusal.Mismatch),
				Stderr: lastPart(refusal.Stderr), Input: refusal.Input, Kept: refusal.Kept,
			}
		} else if r.Err != nil {
			p.Error = firstPart(r.Err.Error())
		}
		doc.Problems = append(doc.Problems, p)
	}
	text, err := encode(doc, "  ")
	if err != nil {
		return err
	}
	_, err = w.Write(text)
	return err
}
