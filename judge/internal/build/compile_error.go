package build

import (
	"strings"
	"time"
)

// CompileError reports that a submission does not compile, which is its own fault.
type CompileError struct {
	Output string        // of the compiler, bounded, with paths relative to the submission
	Time   time.Duration // of the compilation; 0 if the error was remembered, see [Builder.RememberRefusals]

	repeatable bool // another attempt would fail the same way: the compiler exited by itself, within its limits
}

func (e *CompileError) Error() string { return "compile error: " + e.Output }

// Cause returns the most informative line of the compiler's output: the first that mentions an
// error, because lines before it often only say where.
func (e *CompileError) Cause() string {
	text := strings.TrimSpace(e.Output)
	first, _, _ := strings.Cut(text, "\n")
	if strings.HasPrefix(first, compilerName+" ") || strings.HasPrefix(first, scriptName+" ") {
		return first // written by the judge: a limit was exceeded, or the compiler produced no program
	}
	for line := range strings.Lines(text) {
		if strings.Contains(line, "error") || strings.Contains(line, "Error") {
			return strings.TrimSpace(line)
		}
	}
	return first
}

// The subjects of messages that the judge writes itself.
const (
	compilerName = "the compiler"
	scriptName   = "the script build"
)
