// Package stress searches for an input on which two programs differ, and shrinks it.
//
// Inputs come from the families of the problem's generator, small ones first and more often
// ([Climb]). The generator prints each, the validator checks it, and the reference and the programs
// under test run on it, all in the sandbox and for several inputs at a time ([Search.Find]).
// [Search.Shrink] makes the input smaller while the programs fail on it in the same way.
// [Search.Slowest] searches for the input on which a program takes the longest.
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

// Side is one of the programs under test.
type Side struct {
	Name    string         // name that the caller gave
	Program *build.Program // nil means the reference
	Limits  limits.Limits
	Witness bool // skip inputs on which the program exceeds its limits, instead of reporting a fault; set for the brute force
	Writes  bool // it may write files even if submissions may not; set for the validator
}

// Search is a search on one problem. All fields except B and Emit must be set. Its methods must not
// run concurrently.
type Search struct {
	Judge *grade.Judge // for its pool and case data
	Task  grade.Task   // for its limits, comparison and checker
	A     Side
	B     *Side      // nil means the reference
	Emit  event.Emit // receives each [*Progress], [*Finding] and [*Step]; may be nil
	Given bool       // inputs are given to On, so that the problem needs no generator

	counts Counts
}

// Progress reports how far a search is.
type Progress struct {
	Inputs int `json:"inputs"` // number of inputs tried so far
	Source     // source of the latest input
}

func (*Progress) Kind() string { return "progress" }

// Round reports whether the number of inputs is 1 to 9, or one of these followed by zeros. Printing
// only those is enough to follow a search.
func (p *Progress) Round() bool {
	n := p.Inputs
	for n >= 10 && n%10 == 0 {
		n /= 10
	}
	return n < 10
}

// Source is the command of the generator that prints an input.
type Source struct {
	Generate []string `json:"generate"` // arguments of the problem's generator without the seed; nil if the input is not generated
	Seed     uint64   `json:"seed"`
}

// job returns the generator's run that prints the input; the caller sets the program.
func (s Source) job() run.Job {
	return casedata.GenerateJob(&cases.Case{Generate: s.Generate, Seed: &s.Seed})
}

// String returns the arguments with the seed.
func (s Source) String() string {
	return strings.Join(s.Generate, " ") + " -seed=" + strconv.FormatUint(s.Seed, 10)
}

// Answer is the result of one program on an input.
type Answer struct {
	Verdict  verdict.Verdict `json:"verdict"`
	Cause    string          `json:"cause"`   // reason of the verdict in one line; "" if accepted
	Message  document.Text   `json:"message"` // the checker's message, if it rejects the output
	Output   document.Text   `json:"output"`
	Stderr   document.Tail   `json:"stderr"`
	Mismatch *diff.Mismatch  `json:"mismatch"` // how the output differs from the expected one, for WA, PE and NO
	CPU      time.Duration   `json:"cpu_ns"`
	Wall     time.Duration   `json:"wall_ns"`
	Memory   limits.Bytes    `json:"memory_bytes"`
}

// Fault is an input on which programs differ, with their answers. Callers must not change its
// bytes.
type Fault struct {
	Input document.Text `json:"input"`
	Want  document.Text `json:"want"` // output of the reference
	A     Answer        `json:"a"`
	B     *Answer       `json:"b"` // nil if A is compared with the reference
}

// Counts counts the inputs that a search has tried, up to the one that it found.
type Counts struct {
	Inputs int `json:"inputs"` // valid inputs on which the programs were compared
	Mute   int `json:"mute"`   // valid inputs on which the reference or a Witness exceeded its limits
}

// Counts returns the counts of the last search.
func (s *Search) Counts() Counts { return s.counts }

func (s *Search) count(t *trial) {
	if t.judged {
		s.counts.Inputs++
	}
	if t.mute {
		s.counts.Mute++
	}
}

// differs reports whether A and B, or A and the reference, differ on the input.
func (s *Search) differs(f *Fault) bool {
	if f.B == nil {
		return f.A.Verdict != verdict.AC
	}
	if f.A.Verdict != f.B.Verdict {
		return true
	}
	return f.A.Verdict.Is(verdict.WrongOutput) && !s.Task.Problem.Checker() && !bytes.Equal(f.A.Output, f.B.Output)
}

// same reports whether f has the same verdicts as old, the fault on a larger input.
func (s *Search) same(old, f *Fault) bool {
	return s.differs(f) && f.A.Verdict == old.A.Verdict && (f.B == nil || f.B.Verdict == old.B.Verdict)
}

// timed reports whether a program exceeded its time, which may be due to other programs on this
// machine.
func (f *Fault) timed() bool {
	return f.A.Verdict.Is(verdict.TooSlow) || f.B != nil && f.B.Verdict.Is(verdict.TooSlow)
}

// narrow returns the limits for a run beside others: l with one CPU, whatever the problem allows.
func narrow(l limits.Limits) limits.Limits {
	l.CPUs = 1
	return l
}

func (s *Search) caseData() *casedata.Provider { return s.Judge.CaseData }
