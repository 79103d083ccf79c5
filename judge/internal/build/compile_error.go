package build

import (
	"strings"
	"time"
)

// CompileError is a submission's own fault: its sources do not become a program.
type CompileError struct {
	Output string        // the compiler's words, bounded, with paths relative to the submission
	Time   time.Duration // of the compilation; 0 if that was an earlier one, see [Builder.RememberRefusals]

	lasting bool // it would be refused again: the compiler ended by itself, within its limits
}

func (e *CompileError) Error() string { return "compile error: " + e.Output }

// Cause returns the line of the compiler's words that says most: compilers lead up to an
// error with where it is.
func (e *CompileError) Cause() string {
	text := strings.TrimSpace(e.Output)
	first, _, _ := strings.Cut(text, "\n")
	if strings.HasPrefix(first, compilerName+" ") || strings.HasPrefix(first, scriptName+" ") {
		return first // the judge's own words: a limit, or that nothing was made
	}
	for line := range strings.Lines(text) {
		if strings.Contains(line, "error") || strings.Contains(line, "Error") {
			return strings.TrimSpace(line)
		}
	}
	return first
}

// What makes a program, as the judge calls it in words of its own.
const (
	compilerName = "the compiler"
	scriptName   = "the script build"
)
