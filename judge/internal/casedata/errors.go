package casedata

import (
	"fmt"
	"io"
	"strings"

	"tribunal/judge/internal/cache"
	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/quote"
	"tribunal/judge/internal/run"
	"tribunal/judge/internal/sandbox"
)

// ProgramError reports that one of the problem's own programs does not compile, or failed on a
// case. Its message is located at the case, if there is one.
type ProgramError struct {
	Folder string      // folder of the program, below the root
	Case   *cases.Case // nil if the program does not compile
	Cause  string      // name of the program and reason, in one line
	Stderr string      // the end of the standard error of the program or its compiler; bounded
	Input  []byte      // standard input of the run; nil for a generator
	err    error
}

func (e *ProgramError) Error() string { return e.err.Error() }

// Unwrap returns a [*yamlstrict.Error] at the case, or a [*build.CompileError].
func (e *ProgramError) Unwrap() error { return e.err }

// failed returns the error for a failed run with this output.
func failed(b batch, c *cases.Case, j run.Job, o run.Outcome, output *cache.Spool) *ProgramError {
	cause := b.what(c) + ": " + o.Cause(j.Limits)
	if o.Stop == sandbox.OverOutput {
		cause += lastPrinted(output)
	}
	input, _ := j.Input.Bytes() // the error leaves out an input that cannot be read
	return &ProgramError{
		Folder: b.folder, Case: c, Cause: cause, Stderr: strings.ToValidUTF8(string(o.Stderr), "\uFFFD"), Input: input,
		err: c.Errorf("", "", "%s%s", cause, keyLine(o.Stderr)),
	}
}

// lastPrinted quotes the end of an output that is too long: a program that prints for ever usually
// repeats there what one of its statements prints. It is "" if the output cannot be read.
func lastPrinted(output *cache.Spool) string {
	data, err := output.Content()
	if err != nil {
		return ""
	}
	end := make([]byte, min(data.Size(), 30))
	if n, err := data.ReadAt(end, data.Size()-int64(len(end))); n == 0 || err != nil && err != io.EOF {
		return ""
	}
	return fmt.Sprintf(", ending in %q", end)
}

// keyLine quotes the most informative line of a program's standard error: the last line, or the
// first line of a Go panic or usage error.
func keyLine(stderr []byte) string {
	lines := strings.Split(strings.TrimSpace(string(stderr)), "\n")
	if strings.HasPrefix(lines[0], "panic:") || strings.HasPrefix(lines[0], "fatal error:") ||
		len(lines) > 1 && strings.HasPrefix(lines[1], "Usage of ") {
		lines = lines[:1]
	}
	if last := strings.TrimSpace(lines[len(lines)-1]); last != "" {
		return ": " + strings.ToValidUTF8(last, "\uFFFD")
	}
	return ""
}

// Cause explains in one line why a run failed, with the line of its standard error that tells most.
func Cause(o run.Outcome, l limits.Limits) string {
	text := o.Cause(l)
	if text == "" {
		text = "exited with status 0"
	}
	return withMessage(text, o.Stderr)
}

// withMessage adds the line of a program's standard error that tells most, if there is one.
func withMessage(text string, stderr []byte) string {
	return quote.With(text, quote.Complaint(quote.Of(stderr)))
}
