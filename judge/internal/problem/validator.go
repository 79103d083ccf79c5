package problem

import (
	"time"

	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/content"
	"tribunal/judge/internal/limits"
)

// Validator is a program that decides about outputs.
type Validator struct {
	Name     string // by which cases choose one of several and messages call it; may be ""
	Program  string // its path below the problem's root
	Protocol Protocol
	Always   bool // it decides alone; otherwise only outputs that differ from the expected one are its matter
	Passes   int  // how often it may have the program run on a case; up to 1 is once
	// Interactive validators run beside the program, the two talking to each other; Always
	// goes with it.
	Interactive bool
	// Then is asked once this one has found nothing wrong, and decides: about the same
	// output, in which case neither has Passes, or about what an interactive validator of
	// testlib's, an interactor, has written. nil where this one decides.
	Then   *Validator
	Limits limits.Limits // of one check; the zero value is [limits.Validator]
	Flags  []string      // arguments after those of the protocol, before those of the case
}

// Protocol is how a validator is asked and answers.
type Protocol string

const (
	// ICPC is that of the ICPC problem package format: validator input answer
	// feedback_dir flags… < output, exit 42 for right and 43 for wrong, with words in
	// judgemessage.txt or teammessage.txt and, where points are given, score.txt.
	ICPC Protocol = "icpc"

	// Testlib is that of Polygon's checkers: checker input output answer, exit 0 for
	// right, 1 for wrong, 2, 4 and 8 for an output in the wrong form, 3 for a failure of
	// its own, 7 for points, with words on standard error. An interactor has the same
	// arguments and answers, and writes the output that the checker is asked about.
	Testlib Protocol = "testlib"

	// Answers is that of answer validators, which look at what ICPC validators are told to
	// be right: validator input flags… < answer, exit 42 and 43, with words on standard
	// error.
	Answers Protocol = "answers"
)

// The exit statuses of validators in the protocol [ICPC].
const (
	ExitAccepts = 42
	ExitRefuses = 43
)

// InputValidator is a program that looks at inputs: validator flags… < input. It accepts
// with the status 42 (ICPC) or 0 (Testlib). Or it looks at answers, see [Answers].
type InputValidator struct {
	Name     string // by which cases call it; may be ""
	Program  string // its path below the problem's root
	Protocol Protocol
	Flags    []string      // those of a case that has its own take their place
	Limits   limits.Limits // of one file; the zero value is [limits.Validator]
}

// Test is data that tests the problem's validators, not submissions.
type Test struct {
	Case  cases.Case // its input, and its answer if it has one
	Of    Tested
	Right bool // validators must accept what it is of; otherwise one of them must refuse it
	Valid bool // its input must be valid

	// What it is of: what messages call the file, and what that holds.
	File string
	Read func() (content.Content, error)
}

// Tested is the kind of data that a [Test] is of.
type Tested uint8

const (
	TestedInput Tested = iota
	TestedAnswer
	TestedOutput
)

// Accepts is the exit status by which it accepts an input.
func (v InputValidator) Accepts() int {
	if v.Protocol == Testlib {
		return 0
	}
	return ExitAccepts
}

// Grader is a program that makes the verdict and the points of a group, by the legacy problem
// package format: it is called with the group's flags, reads what is in the group, a line
// with verdict and points for each, and writes one such line.
type Grader struct {
	Program string        // its path below the problem's root
	Limits  limits.Limits // of one call
}

// Timing is how the time limit is found: given, or derived from how long the
// submissions take. Then it is the least multiple of Resolution that is at least
// ACToLimit times what the slowest submission needs that must not be too slow;
// LimitToTLE times the limit must still be less than what every submission needs
// that must be too slow.
type Timing struct {
	Limit      time.Duration // 0 when it is not given
	From       string        // which file and key gives it, such as "problem.yaml:12" or ".timelimit"
	ACToLimit  float64
	LimitToTLE float64
	Resolution time.Duration
	Fallback   time.Duration // the limit if there is no submission to derive it from; 0 if there is none then
}

// Derive returns the time limit that follows from the slowest of the submissions that must
// not be too slow.
func (t Timing) Derive(slowest time.Duration) time.Duration {
	step := t.Resolution
	if step <= 0 {
		step = time.Second
	}
	need := time.Duration(float64(slowest) * t.ACToLimit)
	return max((need+step-1)/step, 1) * step
}
