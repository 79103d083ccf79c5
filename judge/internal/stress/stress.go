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

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/fixture"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/run"
	"tribunal/judge/internal/sandbox"
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
	Judge *grade.Judge // its pool and fixtures
	Task  grade.Task   // its limits, comparison and checker
	A     Side
	B     *Side          // nil is the reference
	Emit  func(Progress) // told how far the work is, from one goroutine at a time; may be nil

	counts Counts
}

// Progress tells how far the work is.
type Progress struct {
	Inputs int    // tried so far or, while shrinking, candidates
	Last   Source // of the latest; zero while shrinking
	Bytes  int    // while shrinking, the size of the smallest so far
}

// Source is how an input is made.
type Source struct {
	Generate []string // arguments of the problem's generator without the seed; nil when it is not generated
	Seed     uint64
}

// job returns the run of the generator that makes the input, but for the program.
func (s Source) job() run.Job {
	return fixture.Generate(&cases.Case{Generate: s.Generate, Seed: &s.Seed})
}

// String returns the arguments with the seed.
func (s Source) String() string {
	return strings.Join(s.Generate, " ") + " -seed=" + strconv.FormatUint(s.Seed, 10)
}

// Answer is what one program made of an input.
type Answer struct {
	Verdict  verdict.Verdict
	Cause    string         // one line; "" when accepted
	Mismatch *diff.Mismatch // from what is expected, for WA, PE and NO
	Message  string         // the checker's words, if it refused the output
	Result   sandbox.Result
	Stderr   []byte
	Output   []byte
}

// Fault is an input on which programs differ. All bytes must not be changed.
type Fault struct {
	Input []byte
	Want  []byte // what the reference prints
	A     Answer
	B     *Answer // nil without a B
}

// Finding is what a search has found.
type Finding struct {
	Source Source
	Number int // of the input in the sequence, from 1
	Fault
}

// Counts says how many inputs a search has tried, up to the one that it found.
type Counts struct {
	Inputs int // on which all programs had an opinion
	Mute   int // other valid ones: the reference, or a brute, ran out of its limits
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

func (s *Search) fixtures() *fixture.Maker { return s.Judge.Fixtures }

func (s *Search) emit(p Progress) {
	if s.Emit != nil {
		s.Emit(p)
	}
}
