// Package tally counts what a test costs: starts of the judge, programs that are built, and runs in the sandbox.
//
// Unlike times, these counts are the same on every host. Nothing is counted unless the environment variable
// TRIBUNAL_TALLY names a file, as internal/gate has it for each package of tests.
package tally

import (
	"os"
	"sync"
)

// Variable is the environment variable that names the file. Scripts pass it on to the programs that they start.
const Variable = "TRIBUNAL_TALLY"

// A Kind is something that costs time.
type Kind string

const (
	Start Kind = "start" // of judge or judged
	Build Kind = "build" // of a program, also if the cache has it already
	Run   Kind = "run"   // of a program in the sandbox
)

var file = sync.OnceValue(func() *os.File {
	name := os.Getenv(Variable)
	if name == "" {
		return nil
	}
	f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return nil // an account that may not count
	}
	return f
})

// Add appends a line to the file: the kind, and what was started, built or run, which must not contain a newline. Builds
// of the same thing count once in a package. It is safe for concurrent use, also by several processes.
func Add(kind Kind, what string) {
	if f := file(); f != nil {
		_, _ = f.WriteString(string(kind) + " " + what + "\n") // one write, so that lines stay whole
	}
}
