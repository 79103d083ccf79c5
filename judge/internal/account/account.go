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

// Schema names the JSON form of an [Execution]. Readers must accept unknown fields, because fields
// may be added under the same name. The name changes if a field is dropped or changes its meaning.
const Schema = "tribunal/grade/1"

// Execution is the state of one Grade call as of its latest event. Its JSON form is the document
// that docs/json.md describes. It is not safe for concurrent use.
type Execution struct {
	document.Head
	grade.Begin
	Submissions []*Submission `json:"submissions"` // in the order of Begin.Submissions
	Elapsed     time.Duration `json:"elapsed_ns"`
	Ended       bool          `json:"-"` // the End event has come

	// Full is how many failing cases of each submission, counted from the first, keep their
	// mismatch, message, standard error, note and input, because there may be thousands of cases. If it is
	// negative, all do. Set it before the first event.
	Full int `json:"-"`
}

// Apply updates the state by an event. It copies the event, but shares its slices and pointers.
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
	case *grade.Building, *grade.Progress: // change no state
	default:
		panic(fmt.Sprintf("account: unknown event %T", e))
	}
}

// Finished returns how many submissions have their verdict.
func (x *Execution) Finished() (n int) {
	for _, s := range x.Submissions {
		if s.Finished {
			n++
		}
	}
	return n
}

// Submission is the state of one submission as of the latest event.
type Submission struct {
	Name string `json:"name"`
	grade.Built
	grade.Done
	Finished bool   `json:"-"`     // the Done event has come; until then only Total of Done is set
	Cases    []Case `json:"cases"` // the judged cases, in the order of their events

	at     []int // by case: 1 + its index in Cases, or 0 if it was not judged
	failed bool  // a failing case has come
	full   int   // how many more failing cases keep their details; negative means all
}

// NewSubmission returns the state, before any event, of a submission to judge on this many cases.
// Its first full failing cases keep their details, as in [Execution.Full].
func NewSubmission(name string, cases, full int) *Submission {
	return &Submission{Name: name, Done: grade.Done{Total: cases}, at: make([]int, cases), full: full}
}

// upToFailure returns a copy of s that holds no case but its first failing one.
func (s *Submission) upToFailure() *Submission {
	c := *s
	c.Cases, c.at = nil, make([]int, len(s.at))
	if d := s.Deciding(); d != nil {
		c.Cases, c.at[d.Index] = []Case{*d}, 1
	}
	return &c
}

// Apply updates the state by an event about the submission, and ignores other events.
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
	c.Transcript = nil // transcripts are long, and no report reads them here
	if s.failed {
		c.Output = nil // the first failing case may be drawn
	}
	s.failed = s.failed || c.Verdict != verdict.AC
	switch {
	case s.full < 0:
	case c.Verdict == verdict.AC || s.full == 0:
		c.Mismatch, c.Message, c.Stderr, c.Shown = nil, "", "", grade.Shown{}
	default:
		s.full--
	}
	s.Cases = append(s.Cases, c)
	s.at[c.Index] = len(s.Cases)
}

// On returns the result of the case with this index, or nil if it was not judged.
func (s *Submission) On(index int) *Case {
	if i := s.at[index]; i > 0 {
		return &s.Cases[i-1]
	}
	return nil
}

// Failing returns the judged cases that were not accepted, in the order of their events.
func (s *Submission) Failing() []Case {
	return slices.DeleteFunc(slices.Clone(s.Cases), func(c Case) bool { return c.Verdict == verdict.AC })
}

// Deciding returns the case that decided the verdict, or nil if none did.
func (s *Submission) Deciding() *Case {
	for i := range s.Cases {
		if c := &s.Cases[i]; c.Name == s.First && c.Verdict != verdict.AC {
			return c
		}
	}
	return nil
}

// Count returns how many of the judged cases satisfy match.
func (s *Submission) Count(match func(*Case) bool) (n int) {
	for i := range s.Cases {
		if match(&s.Cases[i]) {
			n++
		}
	}
	return n
}

// Case is the result of a case, with the spread of its attempts.
type Case struct {
	grade.Case
	Spread *Spread `json:"spread"` // nil unless the case was run several times

	Picture []byte `json:"-"` // a drawing of the case and the output, in SVG; nil if it was not drawn
	Undrawn string `json:"-"` // why it was not drawn although it should be; else ""
}

func NewCase(e *grade.Case) Case { return Case{Case: *e, Spread: NewSpread(e.Attempts)} }
