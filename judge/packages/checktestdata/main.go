package checktestdata

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// The exit statuses of the interpreter are those of input validators.
const (
	exitAccepts = 42
	exitRejects = 43
	exitFails   = 1 // the program cannot be read or parsed, or cannot continue
)

// Main must be called at the start of main. In a process whose os.Args[0] is interpreter it never returns: it checks
// standard input against the program in the file that its first argument names, and exits as an input validator does,
// with the reason on standard error. It ignores other arguments. If the first argument is parseOnly, it exits with 0 if
// the program in the file after it can be parsed. In any other process Main returns at once.
func Main(interpreter, parseOnly string) {
	if len(os.Args) > 1 && os.Args[0] == interpreter {
		os.Exit(interpret(os.Args[1:], parseOnly, os.Stdin, os.Stderr))
	}
}

// interpret does the work of Main. It returns the exit status, and writes the reason to stderr.
func interpret(args []string, parseOnly string, stdin io.Reader, stderr io.Writer) int {
	only := args[0] == parseOnly && len(args) > 1
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
		return exitRejects
	}
	fmt.Fprintln(stderr, err)
	return exitFails
}
