package regen

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"unicode"

	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/fixture"
	"tribunal/judge/internal/yamlstrict"
)

// Refusal is an error for which nothing is written for a problem, and which is not the
// judge's: what the problem's own programs do, or what witnesses say, does not fit
// together, and a person must look. Its text is one located line, and below it what
// there is to look at.
type Refusal struct {
	Kind     Kind
	Case     string         // group/name; "" when it is about a program as a whole
	Mismatch *diff.Mismatch // what was expected, or came first, against the other; may be nil
	Stderr   string         // the end of what the program that failed wrote there
	Input    string         // the beginning of the input, where it is short of being seen otherwise
	Kept     string         // file that holds the input, "" when there is none
	Err      error          // the one line; a *yamlstrict.Error where it has a place
}

// Kind is what a refusal is about.
type Kind string

// The kinds.
const (
	Pinned   Kind = "pinned"   // the reference disagrees with an output that a person has set
	Failed   Kind = "failed"   // a program crashed, went over a limit, or is no program
	Unstable Kind = "unstable" // the reference printed something else the second time
	Disputed Kind = "disputed" // the brute disagrees with the reference
)

// Message is the located line alone.
func (r *Refusal) Message() string {
	if r.Kept == "" {
		return r.Err.Error()
	}
	return r.Err.Error() + "; its input is kept in " + r.Kept
}

// sides tell whose lines are whose in a mismatch.
var sides = map[Kind]string{
	Pinned:   "- pinned, + by the reference",
	Unstable: "- by the first run, + by the second",
	Disputed: "- by the reference, + by the brute",
}

func (r *Refusal) Error() string {
	var b strings.Builder
	b.WriteString(r.Message())
	if r.Input != "" {
		b.WriteString("\ninput of " + r.Case + ":\n" + indent(r.Input))
	}
	if lines := strings.TrimSpace(r.Stderr); !strings.Contains(r.Err.Error(), lines) {
		b.WriteString("\nwhat it wrote to standard error:\n" + indent(lines))
	}
	if r.Mismatch != nil {
		b.WriteString("\n" + sides[r.Kind] + "\n" + r.Mismatch.Format(r.Case))
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// Unwrap returns Err.
func (r *Refusal) Unwrap() error { return r.Err }

// refuse makes a refusal of an error that is one, and keeps its input.
func (w *work) refuse(err error) error {
	if failed, ok := errors.AsType[*fixture.FailedError](err); ok {
		r := &Refusal{Kind: Failed, Stderr: failed.Stderr, Err: failed}
		if failed.Case != nil {
			r.Case = failed.Case.Name
		} else {
			r.Err = &yamlstrict.Error{File: filepath.Join(w.m.Root, failed.Folder), Msg: failed.Cause + ", nothing is written", Err: failed}
		}
		if failed.Input != nil {
			r.Kept = w.keep(failed.Case, failed.Input)
		}
		return r
	}
	return err
}

// keep writes the input of a case into a file for whoever looks for the mistake, and
// returns its path. Where that cannot be, there is the case all the same.
func (w *work) keep(c *cases.Case, input []byte) string {
	if w.o.Keep == "" {
		return ""
	}
	path := filepath.Join(w.o.Keep, filepath.FromSlash(c.Name)+".in")
	if os.MkdirAll(filepath.Dir(path), 0o755) != nil || os.WriteFile(path, input, 0o644) != nil {
		return ""
	}
	return path
}

// beginning returns as much of an input as is pleasant to read.
func beginning(input []byte) string {
	const lines, size = 12, 1 << 10
	text := string(input[:min(len(input), size)])
	if parts := strings.SplitAfterN(text, "\n", lines+1); len(parts) > lines {
		text = strings.Join(parts[:lines], "")
	}
	if len(text) < len(input) {
		text = strings.TrimSuffix(text, "\n") + "\n…"
	}
	return text
}

// indent shows a text below a line, without what would move the cursor.
func indent(text string) string {
	text = strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && !unicode.IsPrint(r) {
			return '\uFFFD'
		}
		return r
	}, text)
	return "  " + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n  ")
}
