package checktestdata

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// Interpreter is os.Args[0] of a process that is to interpret a program, see [Main].
const Interpreter = "/tribunal-checktestdata"

// Only is the argument before a file that is to be read and not run.
const Only = "-only-read"

// The exit statuses of the interpreter, those of input validators: the input is as described,
// or not, or the program cannot be read or go on.
const (
	exitAccepts = 42
	exitRefuses = 43
	exitFails   = 1
)

// Main must be called first thing in main, after sandbox.Init. In a process that was started
// as the [Interpreter] it checks standard input by the program in the file that its first
// argument names, exits as an input validator does, with why on standard error, and never
// returns; other arguments mean nothing. After [Only] it exits with 0 if the program can be
// read. In another process it returns at once.
func Main() {
	if len(os.Args) > 1 && os.Args[0] == Interpreter {
		os.Exit(interpret(os.Args[1:], os.Stdin, os.Stderr))
	}
}

// interpret returns the exit status for arguments, and writes why.
func interpret(args []string, stdin io.Reader, stderr io.Writer) int {
	only := args[0] == Only && len(args) > 1
	if only {
		args = args[1:]
	}
	source, err := os.ReadFile(args[0])
	if err != nil {
		fmt.Fprintln(stderr, err)
		return exitFails
	}
	program, err := Parse(filepath.Base(args[0]), source)
	if err != nil {
		fmt.Fprintln(stderr, err)
		return exitFails
	}
	if only {
		return 0
	}
	input, err := io.ReadAll(stdin)
	if err == nil {
		err = program.Check(input)
	}
	switch err := err.(type) {
	case nil:
		return exitAccepts
	case *Mismatch:
		fmt.Fprintf(stderr, "line %d, column %d: %s: %s\n", err.Line, err.Column, err.Command, err.Msg)
		return exitRefuses
	}
	fmt.Fprintln(stderr, err)
	return exitFails
}
