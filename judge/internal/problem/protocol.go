package problem

import (
	"cmp"
	"fmt"
)

// Protocol defines the arguments and the exit statuses of a validator; "" is [ICPC]. Its rules are a row
// of the table in this file, and how its answer is read a row of the table in package grade.
type Protocol string

const (
	// ICPC is the protocol of the ICPC problem package format: validator input answer feedback_dir
	// flags… < output, exit status 42 for right and 43 for wrong, messages in judgemessage.txt or
	// teammessage.txt and, in scoring problems, points in score.txt.
	ICPC Protocol = "icpc"

	// Testlib is the protocol of Polygon's checkers: checker input output answer, exit status 0 for
	// right, 1 for wrong, 2, 4 and 8 for an output in the wrong form, 3 for a failure of its own, 7
	// for points, with a message on standard error. An interactor has the same arguments and exit
	// statuses, and writes the output that the checker validates.
	Testlib Protocol = "testlib"

	// Rime is the protocol of Rime's judges: judge --infile input --difffile answer --outfile output,
	// exit status 0 for right and any other for wrong, with a message on standard error or output.
	Rime Protocol = "rime"

	// CMS is the protocol of CMS' comparators: checker input answer output. The first line of standard
	// output is the fraction of the points, from 0 to 1, that of standard error a message. The exit
	// status is 0. An input validator is called with the path of the input and the number of the
	// subtask, and accepts with the exit status 0.
	CMS Protocol = "cms"

	// Adapted is the protocol ICPC, which scripts of the loader follow for a program with another one. A
	// number in score_multiplier.txt is a fraction of the points as in the protocol CMS, and 0 is wrong.
	Adapted Protocol = "adapted"

	// SIO2 is the protocol of SIO2's checkers: checker input output answer. Standard output is OK or
	// another word, on further lines a message and the percentage of the points, by default 100. The
	// exit status is at most 2. An input validator accepts with the exit status 0.
	SIO2 Protocol = "sio2"

	// DMOJ is the protocol default of DMOJ's bridged programs: checker input output answer, or
	// interactor input answer, exit status 0 for right, 1 for wrong and any other for a failure. A
	// checker's message is on standard output, an interactor's on standard error.
	DMOJ Protocol = "dmoj"

	// COCI is as DMOJ, with the exit statuses of Testlib, but with 7 a line of standard error is
	// "partial X/Y", the part of the points.
	COCI Protocol = "coci"

	// PEG is a protocol of checkers of DMOJ: checker answer output input, exit status 0 for right and 1
	// for wrong. Two lines of standard output that are numbers X and Y, with X/Y greater than 0, accept
	// with that part of the points.
	PEG Protocol = "peg"

	// Answers is the protocol of answer validators, which validate answer files: validator input
	// flags… < answer, exit status 42 or 43, with a message on standard error.
	Answers Protocol = "answers"
)

// The exit statuses of validators in the protocol [ICPC].
const (
	ExitAccepts = 42
	ExitRefuses = 43
)

// Rules are what the judge knows of a protocol.
type Rules struct {
	// Args are the arguments, in the form of [Validator].Form, which also has {feedback_dir}.
	// Interactor are those of an interactor, whose output is for the checker after it; "" if it
	// cannot be one.
	Args, Interactor string
	// Input, Stdout and Feedback say whether it reads the output from standard input, answers on
	// standard output, and answers in files of its feedback folder.
	Input, Stdout, Feedback bool
	// Accepts and Refuses are the exit statuses by which an interactor accepts and refuses. Plain means
	// that interactors are programs of another kind than its output validators, called interactors in
	// messages.
	Accepts, Refuses []int
	Plain            bool
	// Valid is the exit status by which an input validator accepts. Some means that it validates only cases
	// with arguments for it, and Answer that validators of the protocol validate answers instead.
	Valid        int
	Some, Answer bool
	// Ours is the protocol of a problem of the repository that such a validator can be imported with, ""
	// for none.
	Ours Protocol
}

const (
	icpcArgs    = "{input_file} {answer_file} {feedback_dir}"
	testlibArgs = "{input_file} {output_file} {answer_file}"
	dmojTalk    = "{input_file} {answer_file}"
)

// protocols has everything about each protocol, in the order of the constants.
var protocols = []struct {
	Protocol
	Rules
}{
	{ICPC, Rules{Args: icpcArgs, Interactor: icpcArgs, Input: true, Feedback: true, Accepts: []int{ExitAccepts}, Refuses: []int{ExitRefuses}, Valid: ExitAccepts, Ours: ICPC}},
	{Testlib, Rules{Args: testlibArgs, Interactor: testlibArgs, Accepts: []int{0, 7}, Refuses: []int{1, 2, 4, 8}, Plain: true, Ours: Testlib}},
	{Rime, Rules{Args: "--infile {input_file} --difffile {answer_file} --outfile {output_file}", Valid: ExitAccepts}},
	{CMS, Rules{Args: "{input_file} {answer_file} {output_file}", Stdout: true, Some: true}},
	{Adapted, Rules{Args: icpcArgs, Interactor: icpcArgs, Input: true, Feedback: true, Accepts: []int{ExitAccepts}, Refuses: []int{ExitRefuses}, Valid: ExitAccepts}},
	{SIO2, Rules{Args: testlibArgs, Stdout: true}},
	{DMOJ, Rules{Args: testlibArgs, Interactor: dmojTalk, Stdout: true, Accepts: []int{0}, Refuses: []int{1}, Plain: true, Valid: ExitAccepts, Ours: Testlib}},
	{COCI, Rules{Args: testlibArgs, Interactor: dmojTalk, Stdout: true, Accepts: []int{0, 7}, Refuses: []int{1, 2, 4, 8}, Plain: true, Valid: ExitAccepts}},
	{PEG, Rules{Args: "{answer_file} {output_file} {input_file}", Stdout: true, Valid: ExitAccepts}},
	{Answers, Rules{Args: "{input_file}", Input: true, Feedback: true, Valid: ExitAccepts, Answer: true}},
}

func Protocols() (all []Protocol) {
	for _, row := range protocols {
		all = append(all, row.Protocol)
	}
	return all
}

// Rules returns the rules of a protocol. It panics if there is none of that name: loaders only set the
// constants of this package.
func (p Protocol) Rules() Rules {
	p = cmp.Or(p, ICPC)
	for _, row := range protocols {
		if row.Protocol == p {
			return row.Rules
		}
	}
	panic(fmt.Sprintf("problem: no protocol is called %q", string(p)))
}
