// Package account folds the events of one judging into an Execution that every report reads.
package account

import (
	"fmt"
	"slices"
	"time"

	"tribunal/judge/internal/document"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/verdict"
)

// Schema names the form that an [Execution] has in JSON. A reader must accept fields it
// does not know: new ones may appear under the same name. A field that changes its
// meaning, or is dropped, changes the name.
const Schema = "tribunal/grade/1"

// Execution is the state of one Grade call as of its latest event. In JSON it is the
// document that docs/json.md describes. It is not safe for concurrent use.
type Execution struct {
	document.Head
	grade.Begin
	Submissions []*Submission `json:"submissions"` // those of Begin, in their order
	Elapsed     time.Duration `json:"elapsed_ns"`
	Ended       bool          `json:"-"` // the stream has come to its End

	// Full is how many failing cases of each submission, the first ones, keep their mismatch,
	// message and standard error: there may be thousands of cases. Below 0 all do. Set it
	// before the first event.
	Full int `json:"-"`
}

// Apply takes note of an event. What it keeps of the event is a copy, but for lists and
// what pointers lead to.
func (x *Execution) Apply(e grade.Event) {
	switch e := e.(type) {
	case *grade.Begin:
		x.Head, x.Begin = document.NewHead(Schema), *e
		for _, name := range e.Submissions {
			x.Submissions = append(x.Submissions, NewSubmission(name, len(e.Cases), x.Full))
		}
	case *grade.Built:
		x.Submissions[e.Submission].Apply(e)
	case *grade.Case:
		x.Submissions[e.Submission].Apply(e)
	case *grade.Done:
		x.Submissions[e.Submission].Apply(e)
	case *grade.End:
		x.Elapsed, x.Ended = e.Elapsed, true
	case *grade.Progress: // says nothing that lasts
	default:
		panic(fmt.Sprintf("account: an event of no kind: %T", e))
	}
}

// Submission is the state of one submission as of the latest event.
type Submission struct {
	Name string `json:"name"`
	grade.Built
	grade.Done
	Finished bool   `json:"-"`     // its Done event has come; before that, only Total of Done is set
	Cases    []Case `json:"cases"` // those that were judged, in the order of their events

	at   []int // by the index of a case, where in Cases it stands, from 1; 0 if it was not judged
	full int   // how many more failing cases keep their details; below 0 all do
}

// NewSubmission returns what is known of a submission that is judged on so many cases
// before any event. Its full first failing cases keep what a full account of them needs;
// below 0 all do.
func NewSubmission(name string, cases, full int) *Submission {
	return &Submission{Name: name, Done: grade.Done{Total: cases}, at: make([]int, cases), full: full}
}

// Apply takes note of an event about the submission; of others it takes none.
func (s *Submission) Apply(e grade.Event) {
	switch e := e.(type) {
	case *grade.Built:
		s.Built = *e
	case *grade.Case:
		s.add(NewCase(e))
	case *grade.Done:
		s.Done, s.Finished = *e, true
	}
}

func (s *Submission) add(c Case) {
	c.Said = nil // transcripts are long, and no report reads them here
	switch {
	case s.full < 0:
	case c.Verdict == verdict.AC || s.full == 0:
		c.Mismatch, c.Message, c.Stderr = nil, "", ""
	default:
		s.full--
	}
	s.Cases = append(s.Cases, c)
	s.at[c.Index] = len(s.Cases)
}

// On returns what is known of the case with that index; nil if it was not judged.
func (s *Submission) On(index int) *Case {
	if i := s.at[index]; i > 0 {
		return &s.Cases[i-1]
	}
	return nil
}

// Failing returns the cases that were judged and not accepted, in the order of their events.
func (s *Submission) Failing() []Case {
	return slices.DeleteFunc(slices.Clone(s.Cases), func(c Case) bool { return c.Verdict == verdict.AC })
}

// Count returns how many of the cases that were judged are so.
func (s *Submission) Count(so func(*Case) bool) (n int) {
	for i := range s.Cases {
		if so(&s.Cases[i]) {
			n++
		}
	}
	return n
}

// Case is the verdict on a case, with what follows from its attempts.
type Case struct {
	grade.Case
	Spread *Spread `json:"spread"` // nil unless it was run several times
}

// NewCase returns what there is to tell of a case.
func NewCase(e *grade.Case) Case { return Case{*e, NewSpread(e.Attempts)} }
