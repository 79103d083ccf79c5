// Command check is the input validator of the dice mazes.
//
//	check -input < input
//	check -reduce < input
//
// With -input it exits with 42 if a contestant may be given the input. Otherwise it exits with 43
// and writes one line `line L, column C: reason` to standard error. Lines and columns count from 1,
// columns in bytes. For a valid input it prints, one line each, the smallest and the largest value
// of every quantity that the statement bounds.
//
// A valid input has exactly the layout of the statement: single spaces, numbers without needless
// zeros or signs, LF after every line, nothing after END. No maze of it has two solutions:
// unique.go proves this for every maze, in time linear in the states of the maze.
//
// With -reduce it writes smaller inputs, as docs/generators.md describes; see reduce.go.
package main

import (
	"fmt"
	"io"
	"os"
)

// The exit statuses: the first two are those of the ICPC problem package format.
const (
	exitValid   = 42
	exitInvalid = 43
	exitOffered = 0
	exitFailure = 1
	exitUsage   = 2
)

func main() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

// run executes the command line args and returns the exit status.
func run(args []string, in io.Reader, out, errs io.Writer) int {
	if len(args) != 1 || args[0] != "-input" && args[0] != "-reduce" {
		fmt.Fprintln(errs, "usage: check -input < input or check -reduce < input (hint: outputs need no validator, they are compared byte by byte)")
		return exitUsage
	}
	text, err := io.ReadAll(in)
	if err != nil {
		fmt.Fprintln(errs, err)
		return exitFailure
	}
	mazes, seen, err := checkInput(text)
	if args[0] == "-reduce" {
		if err != nil {
			return exitOffered // nothing is offered for an invalid input
		}
		if err := offer(mazes, out); err != nil {
			fmt.Fprintln(errs, err)
			return exitFailure
		}
		return exitOffered
	}
	if err != nil {
		fmt.Fprintln(errs, err)
		return exitInvalid
	}
	seen.Write(out)
	return exitValid
}
