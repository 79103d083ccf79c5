// Package stress searches for an input on which two programs differ, and shrinks it.
//
// Inputs come from the families of the problem's generator, small ones first and more
// often ([Climb]). Each is made, looked at by the problem's validator, answered by the
// reference and by the programs in question, all inside the jail and for several inputs at
// a time ([Search.Find]). What is found is made smaller as long as it shows the same
// fault ([Search.Shrink]). The other search is for the input on which a program takes the
// longest ([Search.Slowest]).
package stress

import (
	"bytes"
	"strconv"
	"strings"
	"time"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/casedata"
	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/document"
	"tribunal/judge/internal/event"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/run"
	"tribunal/judge/internal/verdict"
)

// Side is one of the programs in question.
type Side struct {
	Name    string         // as the caller named it
	Program *build.Program // nil is the reference
	Limits  limits.Limits
	Witness bool // one that runs out of its limits has no opinion, rather than a fault
}

// Search is a search on one problem. Its fields must be set but for B and Emit; one
// method at a time.
type Search struct {
	Judge *grade.Judge // its pool and case data
	Task  grade.Task   // its limits, comparison and checker
	A     Side
	B     *Side      // nil is the reference
	Emit  event.Emit // told each [*Progress], [*Finding] and [*Step]

	counts Counts
}

// Progress tells how far a search is.
type Progress struct {
	Inputs int `json:"inputs"` // tried so far
	Source     // of the latest
}

// Kind is "progress".
func (*Progress) Kind() string { return "progress" }

// Round reports whether the number of inputs is 1 to 9, or one of these followed by zeros: often
// enough to follow a search, and no more lines than that.
func (p *Progress) Round() bool {
	n := p.Inputs
	for n >= 10 && n%10 == 0 {
		n /= 10
	}
	return n < 10
}

// Source is how an input is made.
type Source struct {
	Generate []string `json:"generate"` // arguments of the problem's generator without the seed; nil when it is not generated
	Seed     uint64   `json:"seed"`
}

// job returns the run of the generator that makes the input, but for the program.
func (s Source) job() run.Job {
	return casedata.GenerateJob(&cases.Case{Generate: s.Generate, Seed: &s.Seed})
}

// String returns the arguments with the seed.
func (s Source) String() string {
	return strings.Join(s.Generate, " ") + " -seed=" + strconv.FormatUint(s.Seed, 10)
}

// Answer is what one program made of an input.
type Answer struct {
	Verdict  verdict.Verdict `json:"verdict"`
	Cause    string          `json:"cause"`   // one line; "" when accepted
	Message  document.Text   `json:"message"` // the checker's words, if it refused the output
	Output   document.Text   `json:"output"`
	Stderr   document.Tail   `json:"stderr"`
	Mismatch *diff.Mismatch  `json:"mismatch"` // from what is expected, for WA, PE and NO
	CPU      time.Duration   `json:"cpu_ns"`
	Wall     time.Duration   `json:"wall_ns"`
	Memory   limits.Bytes    `json:"memory_bytes"`
}

// Fault is an input on which programs differ. All bytes must not be changed.
type Fault struct {
	Input document.Text `json:"input"`
	Want  document.Text `json:"want"` // what the reference prints
	A     Answer        `json:"a"`
	B     *Answer       `json:"b"` // nil without a B
}

// Counts says how many inputs a search has tried, up to the one that it found.
type Counts struct {
	Inputs int `json:"inputs"` // on which all programs had an opinion
	Mute   int `json:"mute"`   // other valid ones: the reference, or a brute, ran out of its limits
}

// Counts returns what the last search has done.
func (s *Search) Counts() Counts { return s.counts }

// count takes a trial into account.
func (s *Search) count(t *trial) {
	if t.judged {
		s.counts.Inputs++
	}
	if t.mute {
		s.counts.Mute++
	}
}

// differs reports whether the programs do.
func (s *Search) differs(f *Fault) bool {
	if f.B == nil {
		return f.A.Verdict != verdict.AC
	}
	if f.A.Verdict != f.B.Verdict {
		return true
	}
	return f.A.Verdict.Is(verdict.WrongOutput) && !s.Task.Problem.Checker() && !bytes.Equal(f.A.Output, f.B.Output)
}

// same reports whether a smaller input shows the same fault.
func (s *Search) same(old, f *Fault) bool {
	return s.differs(f) && f.A.Verdict == old.A.Verdict && (f.B == nil || f.B.Verdict == old.B.Verdict)
}

// timed reports whether a fault is about time, which other programs may have taken.
func (f *Fault) timed() bool {
	return f.A.Verdict.Is(verdict.TooSlow) || f.B != nil && f.B.Verdict.Is(verdict.TooSlow)
}

// narrow returns limits of a run beside others: one CPU, whatever the problem allows.
func narrow(l limits.Limits) limits.Limits {
	l.CPUs = 1
	return l
}

func (s *Search) caseData() *casedata.Provider { return s.Judge.CaseData }
