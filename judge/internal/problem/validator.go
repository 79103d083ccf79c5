package problem

import (
	"time"

	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/content"
	"tribunal/judge/internal/limits"
)

// Validator is an output validator: a program that decides whether an output is right.
type Validator struct {
	Name     string // for messages and for cases that choose one of several; may be ""
	Program  string // path below the problem's root
	Protocol Protocol
	Always   bool // validates every output; otherwise only those that differ from the expected one
	Passes   int  // largest number of runs of the submission on a case; 0 means 1
	Entire   bool // an output that gets a part of the points by the protocols CMS, Adapted and SIO2 is wrong
	// Interactive marks an interactor, which runs beside the submission and exchanges messages with
	// it. Always is set as well.
	Interactive bool
	// Then, if not nil, runs after this validator has accepted, and decides instead. It validates
	// the same output, in which case neither has Passes, or the output that a testlib interactor
	// wrote.
	Then *Validator
	// Source gives it two more files beside the input: source, the main file of the submission, and
	// run.json, an object with its language. With Measured, that also has cpu_s and memory_bytes, what
	// the run took; an interactor gets no such figures. Both are missing if no submission wrote the output.
	Source, Measured bool

	Limits limits.Limits // of one check; the zero value is [limits.Validator]
	// Form, if not nil, replaces the arguments of the protocol: {input_file}, {output_file} and
	// {answer_file} in it are paths.
	Form  []string
	Flags []string // arguments after those of the protocol, before those of the case
}

// InputValidator is a program that validates inputs: validator flags… < input. It accepts with the
// exit status [Rules].Valid. With the protocol [Answers] it validates answers.
type InputValidator struct {
	Name     string // for the arguments in cases; may be ""
	Program  string // path below the problem's root
	Protocol Protocol
	Flags    []string      // a case may replace them
	Some     bool          // it validates only the cases that have arguments for it
	Limits   limits.Limits // of one file; the zero value is [limits.Validator]
}

// Test is a test of the problem's validators, such as an invalid input that they must reject.
type Test struct {
	Case  cases.Case // the input, and the answer if there is one
	Of    Tested
	Right bool // all validators must accept the data; otherwise one must reject it
	Valid bool // the input must be valid

	File string                          // name of the tested file, for messages
	Read func() (content.Content, error) // reads the tested file
}

// Tested is the kind of file that a [Test] is about.
type Tested uint8

const (
	TestedInput Tested = iota
	TestedAnswer
	TestedOutput
)

// Args returns the validator's arguments for a case: those that the case has for it, or Flags.
func (v InputValidator) Args(c *cases.Case) []string {
	own := c.InputArgs
	if v.Protocol.Rules().Answer {
		own = c.AnswerArgs
	}
	if args, ok := own[v.Name]; ok {
		return args
	}
	return v.Flags
}

// Validates reports whether the validator is for the case.
func (v InputValidator) Validates(c *cases.Case) bool {
	_, has := c.InputArgs[v.Name]
	return has || !v.Some
}

// Accepts returns the exit status that accepts an input.
func (v InputValidator) Accepts() int { return v.Protocol.Rules().Valid }

// Grader is a program that computes the verdict and the points of a group, by the legacy problem
// package format. It runs with the group's flags, reads a line with verdict and points for each
// item of the group, and writes one such line.
type Grader struct {
	Program string        // path below the problem's root
	Limits  limits.Limits // of one run
}

// Timing defines the time limit, which is given or derived from the example submissions. A derived
// limit is the least multiple of Resolution that is at least ACToLimit times the time of the
// slowest submission that must not exceed it. Every submission that must exceed it must take longer
// than LimitToTLE times the limit.
type Timing struct {
	Limit      time.Duration // 0 if it is derived
	From       string        // place of the given limit, such as "problem.yaml:12" or ".timelimit"
	ACToLimit  float64
	LimitToTLE float64
	Resolution time.Duration
	Fallback   time.Duration // the limit if there is no submission to derive it from; 0 for none
}

// Derive returns the time limit for the time of the slowest submission that must not exceed it.
func (t Timing) Derive(slowest time.Duration) time.Duration {
	step := t.Resolution
	if step <= 0 {
		step = time.Second
	}
	need := time.Duration(float64(slowest) * t.ACToLimit)
	return max((need+step-1)/step, 1) * step
}
