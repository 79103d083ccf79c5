package regen

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"tribunal/judge/internal/casedata"
	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/yamlstrict"
)

// Refusal is the error of a problem that cannot be regenerated until its author corrects it: its
// programs fail, or they contradict each other or a pinned output. The text of the error is one
// located line, with the evidence below it.
type Refusal struct {
	Kind     Kind
	Case     string         // group/name; "" if the refusal concerns a whole program
	Mismatch *diff.Mismatch // the expected or first output against the other output; may be nil
	Stderr   string         // the end of the standard error of a program that failed
	Input    string         // the beginning of the input, for [Disputed]
	Kept     string         // file that holds the whole input; "" if there is none
	Err      error          // the located line; a *yamlstrict.Error if it has a location
	Computed int            // of a run that failed: outputs of other cases that the cache keeps for the next time
	Needed   int            // of how many that were out of date
	Others   []*Refusal     // refusals of other cases, in case order

	input []byte // the input for refuse to keep in a file
}

// Kind is the reason of a refusal.
type Kind string

const (
	Pinned   Kind = "pinned"   // the reference disagrees with a pinned output, or the checker refuses the pinned output
	Rejected Kind = "rejected" // the checker refuses the output of the reference
	Failed   Kind = "failed"   // a program does not build, crashed, or exceeded a limit
	Unstable Kind = "unstable" // the second run of the reference printed a different output
	Disputed Kind = "disputed" // the brute disagrees with the reference
)

// Message returns the located line without the evidence.
func (r *Refusal) Message() string {
	text := r.Err.Error()
	if located, ok := r.Err.(*yamlstrict.Error); ok && r.Kind != Failed {
		e := *located
		e.Msg += ", nothing is written"
		text = e.Error()
	}
	if r.Kept != "" {
		text += "; its input is kept in " + r.Kept
	}
	if r.Computed > 0 {
		text += fmt.Sprintf("; %d of %d outputs are computed, and kept for the next time", r.Computed, r.Needed)
	}
	return text
}

// maxOthers is the largest number of other cases that Error lists.
const maxOthers = 10

// sides explains the two sides of a mismatch.
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
		b.WriteString("\nits standard error:\n" + indent(shortened(lines)))
	}
	if r.Mismatch != nil {
		b.WriteString("\n" + sides[r.Kind] + "\n" + strings.TrimSuffix(r.Mismatch.Format(r.Case), "\n"))
	}
	for i, o := range r.Others {
		if i == maxOthers {
			fmt.Fprintf(&b, "\nand %d more", len(r.Others)-i)
			break
		}
		line := o.Err.Error()
		if located, ok := o.Err.(*yamlstrict.Error); ok {
			e := *located
			e.Hint = "" // the first line has the hint
			line = e.Error()
		}
		b.WriteString("\n" + line)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func (r *Refusal) Unwrap() error { return r.Err }

// refuse turns an error that is the problem's fault into a *Refusal, and writes its input into the
// folder of kept inputs. It returns any other error unchanged.
func (w *work) refuse(err error) error {
	if r, ok := err.(*Refusal); ok && r.input != nil {
		for i := range w.set.Cases {
			if c := &w.set.Cases[i]; c.Name == r.Case {
				r.Kept = w.keep(c, r.input)
			}
		}
		return r
	}
	if failed, ok := errors.AsType[*casedata.ProgramError](err); ok {
		r := &Refusal{Kind: Failed, Stderr: failed.Stderr, Err: failed}
		if failed.Case != nil {
			r.Case = failed.Case.Name
		} else {
			r.Err = &yamlstrict.Error{File: filepath.Join(w.m.Problem.Root, failed.Folder), Msg: failed.Cause + ", nothing is written", Err: failed}
		}
		if failed.Input != nil {
			r.Kept = w.keep(failed.Case, failed.Input)
		}
		return r
	}
	return err
}

// beginning returns the first 12 lines of an input, at most 1 KiB, and "…" if there is more.
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

// shortened leaves out what is in the middle of a long standard error, so that the located line above
// it stays on the screen. Go names the error and the statement at the beginning of a trace, Python
// at its end.
func shortened(text string) string {
	const first, last = 6, 6
	lines := strings.Split(text, "\n")
	if n := len(lines) - first - last; n > 1 {
		lines = slices.Replace(lines, first, first+n, fmt.Sprintf("… %d lines", n))
	}
	return strings.Join(lines, "\n")
}

// indent indents the lines of a text, and replaces characters that could move the cursor.
func indent(text string) string {
	text = strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && !unicode.IsPrint(r) {
			return '\uFFFD'
		}
		return r
	}, text)
	return "  " + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n  ")
}
