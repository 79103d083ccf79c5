// Command check is the input and output validator of the Marble Game.
//
//	check -input < input
//
// exits with 42 if the input is exactly as the statement describes, and otherwise with 43 after one
// line on standard error. For a valid input it prints, one line each, the smallest and the largest
// value of every quantity that the statement bounds.
//
//	check -reduce < input
//
// writes smaller inputs, as docs/generators.md describes, and exits with 0; see reduce.go.
//
//	check input answer feedback_dir < output
//
// exits with 42 if the output is right: the format is right to the byte, every sequence wins, none
// is longer than in the answer, and the same boards are impossible (output.go, play.go). Otherwise
// it exits with 43 and writes the reason to judgemessage.txt and teammessage.txt in the feedback
// directory. teammessage.txt does not reveal the answer.
//
// It exits with 2 if it could not judge, because the command line is wrong, a file could not be
// read or written, or the input or the answer itself is wrong.
package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"tribunal/reference/internal/extents"
)

const (
	right  = 42
	wrong  = 43
	misuse = 2
)

// spare is the number of bytes by which an output may exceed the answer and still be parsed.
const spare = 1 << 16

func main() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	var status int
	var err error
	switch {
	case len(args) == 1 && args[0] == "-input":
		status, err = checkInput(stdin, stdout, stderr)
	case len(args) == 1 && args[0] == "-reduce":
		err = reduceInput(stdin, stdout)
	case len(args) >= 3: // the protocol allows more arguments to follow
		status, err = checkOutput(args[0], args[1], args[2], stdin)
	default:
		err = fmt.Errorf("usage: check -input < input, check -reduce < input, or check input answer feedback_dir < output")
	}
	if err != nil {
		fmt.Fprintln(stderr, err)
		return misuse
	}
	return status
}

func checkInput(stdin io.Reader, stdout, stderr io.Writer) (int, error) {
	data, err := io.ReadAll(stdin)
	if err != nil {
		return 0, err
	}
	boards, err := parseInput(data)
	if err != nil {
		fmt.Fprintln(stderr, err)
		return wrong, nil
	}
	var seen extents.List
	seen.Note("boards", len(boards))
	for _, b := range boards {
		seen.Note("N", b.n)
		seen.Note("M", len(b.marbles))
		seen.Note("W", len(b.walls))
	}
	seen.Write(stdout)
	return right, nil
}

func reduceInput(stdin io.Reader, stdout io.Writer) error {
	data, err := io.ReadAll(stdin)
	if err != nil {
		return err
	}
	boards, err := parseInput(data)
	if err != nil {
		return nil // nothing is offered for an invalid input
	}
	return writeSmaller(stdout, boards)
}

func checkOutput(inputName, answerName, feedback string, stdin io.Reader) (int, error) {
	input, err := os.ReadFile(inputName)
	if err != nil {
		return 0, err
	}
	boards, err := parseInput(input)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", inputName, err)
	}
	answer, err := os.ReadFile(answerName)
	if err != nil {
		return 0, err
	}
	expected, bad := parseOutput(answer, len(boards))
	if bad != nil {
		return 0, fmt.Errorf("%s: %s", answerName, bad.judge)
	}
	if info, err := os.Stat(feedback); err != nil {
		return 0, err
	} else if !info.IsDir() {
		return 0, fmt.Errorf("%s is not a directory", feedback)
	}
	// A right output is exactly as long as the answer. check reads a little more, for a better
	// message, but never gigabytes.
	limit := int64(len(answer) + spare)
	output, err := io.ReadAll(io.LimitReader(stdin, limit+1))
	if err != nil {
		return 0, err
	}
	finding := &finding{
		judge: fmt.Sprintf("more than %d bytes, but a right output has %d", limit, len(answer)),
		team:  "the output is far longer than a right one",
	}
	if int64(len(output)) <= limit {
		if finding, err = judge(boards, expected, output); err != nil {
			return 0, fmt.Errorf("%s: %w", answerName, err)
		}
	}
	if finding == nil {
		return right, nil
	}
	for name, text := range map[string]string{
		"judgemessage.txt": finding.judge,
		"teammessage.txt":  finding.team,
	} {
		if err := os.WriteFile(filepath.Join(feedback, name), []byte(text+"\n"), 0o644); err != nil {
			return 0, err
		}
	}
	return wrong, nil
}
