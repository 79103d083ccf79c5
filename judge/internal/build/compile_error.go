package build

import (
	"strings"
	"time"
)

// CompileError reports that a submission does not compile. The contestant is to blame.
type CompileError struct {
	Output string        // the compiler's output up to Options.Output, with paths relative to the submission
	Time   time.Duration // wall-clock time of the compilation; 0 if none ran, see [Builder.RememberRefusals]

	repeatable bool // another attempt would fail the same way, because no limit was exceeded
}

func (e *CompileError) Error() string { return "compile error: " + e.Output }

// Cause returns the most informative line of the compiler's output: the first that mentions an
// error, because the lines before it often only name the place. If the compiler says only that the
// linker failed, it is the line before, in which the linker says why.
func (e *CompileError) Cause() string {
	text := strings.TrimSpace(e.Output)
	first, _, _ := strings.Cut(text, "\n")
	if strings.HasPrefix(first, compilerName+" ") || strings.HasPrefix(first, scriptName+" ") {
		return first // written by the judge: a limit was exceeded, or the compiler produced no program
	}
	if last := text[strings.LastIndexByte(text, '\n')+1:]; strings.HasPrefix(last, tooOld) {
		return last
	}
	before := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		switch {
		case before != "" && strings.Contains(line, "error: ld returned"):
			return before
		case strings.Contains(line, "error") || strings.Contains(line, "Error"):
			return line
		}
		before = line
	}
	return first
}

// The first words of the messages that the judge itself writes.
const (
	compilerName = "the compiler"
	scriptName   = "the script build"
)
