// Check decides whether an input of problem dicey is one that a contestant may
// be given: `check -input < input` exits with 42 if it is, else with 43 after
// one line `line L, column C: reason` on stderr. Lines and columns count from 1,
// columns in bytes. Of a valid input it prints, one line each, the smallest and the
// largest value of every quantity that the statement bounds.
//
// Layout is part of it: exactly the lines of the statement, single spaces,
// numbers without needless zeros or signs, LF after every line, nothing after
// END. So is the promise that no maze has two solutions; unique.go proves it
// for every maze, in time linear in the states of the maze.
package main

import (
	"fmt"
	"io"
	"os"
)

// The exit statuses of the ICPC problem package format, and the one for misuse.
const (
	exitValid   = 42
	exitInvalid = 43
	exitFailure = 1
	exitUsage   = 2
)

func main() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

// run checks in and returns the exit status.
func run(args []string, in io.Reader, out, errs io.Writer) int {
	if len(args) != 1 || args[0] != "-input" {
		fmt.Fprintln(errs, "usage: check -input < input (hint: outputs need no validator, they are compared byte by byte)")
		return exitUsage
	}
	text, err := io.ReadAll(in)
	if err != nil {
		fmt.Fprintln(errs, err)
		return exitFailure
	}
	seen, err := checkInput(text)
	if err != nil {
		fmt.Fprintln(errs, err)
		return exitInvalid
	}
	seen.Write(out)
	return exitValid
}
