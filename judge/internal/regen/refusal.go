package regen

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode"

	"tribunal/judge/internal/casedata"
	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/grade"
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
	Others   []*Refusal     // of other cases that were found with it, in case order

	input []byte // to be kept
}

// Kind is what a refusal is about.
type Kind string

// The kinds.
const (
	Pinned   Kind = "pinned"   // the reference disagrees with an output that a person has set, or the checker refuses that
	Rejected Kind = "rejected" // the checker refuses what the reference prints
	Failed   Kind = "failed"   // a program crashed, went over a limit, or is no program
	Unstable Kind = "unstable" // the reference printed something else the second time
	Disputed Kind = "disputed" // the brute disagrees with the reference
)

// Message is the located line alone.
func (r *Refusal) Message() string {
	text := r.Err.Error()
	if located, ok := r.Err.(*yamlstrict.Error); ok && r.Kind != Failed {
		e := *located
		e.Msg += ", nothing is written"
		text = e.Error()
	}
	if r.Kept == "" {
		return text
	}
	return text + "; its input is kept in " + r.Kept
}

// maxOthers is how many of the other cases are told of.
const maxOthers = 10

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
			e.Hint = "" // as of the first
			line = e.Error()
		}
		b.WriteString("\n" + line)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// Unwrap returns Err.
func (r *Refusal) Unwrap() error { return r.Err }

// refuse makes a refusal of an error that is one, and keeps its input.
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

// keep writes the input of a case into a file for whoever looks for the mistake, in place of
// those kept before, and returns its path. Where that cannot be, there is the case all the
// same.
func (w *work) keep(c *cases.Case, input []byte) string {
	if w.o.Keep == "" {
		return ""
	}
	Sweep(w.o.Keep)
	name := filepath.FromSlash(c.Name) + ".in"
	if w.write(name, input) != nil {
		return ""
	}
	// So that version control has nothing to say about the folder, wherever it is.
	if !exists(filepath.Join(w.o.Keep, keptIgnore)) {
		_ = w.write(keptIgnore, []byte("*\n"))
	}
	return filepath.Join(w.o.Keep, name)
}

// write writes a file into the folder that keeps inputs.
func (w *work) write(name string, text []byte) error {
	f, err := grade.CreateKept(w.o.Keep, name)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	return errors.Join(err, f.Close())
}

const keptIgnore = ".gitignore"

// Sweep removes the inputs that refusals have kept in a folder, see [Options.Keep], and the
// folder if nothing else is there. No link is followed, neither one in the place of the
// folder nor one in it: what that leads to is somebody's own. What stays because it cannot be
// removed does no harm.
func Sweep(dir string) {
	if !folder(os.Lstat(dir)) {
		return
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return
	}
	defer root.Close()
	groups, _ := fs.ReadDir(root.FS(), ".")
	for _, g := range groups {
		if !g.IsDir() { // for a link it is not
			continue
		}
		in, err := root.OpenRoot(g.Name())
		if err != nil {
			continue
		}
		inputs, _ := fs.Glob(in.FS(), "*.in")
		here, there := in.Stat(".")
		if now, err := root.Lstat(g.Name()); err == nil && there == nil && os.SameFile(here, now) { // by no link meanwhile
			for _, name := range inputs {
				_ = in.Remove(name)
			}
		}
		in.Close()
		_ = root.Remove(g.Name()) // unless there is more in it
	}
	if entries, err := fs.ReadDir(root.FS(), "."); err == nil && len(entries) == 1 && entries[0].Name() == keptIgnore {
		_ = root.Remove(keptIgnore)
		_ = os.Remove(dir)
		_ = os.Remove(filepath.Dir(dir))
	}
}

// folder reports whether what Lstat says is about a folder.
func folder(info fs.FileInfo, err error) bool { return err == nil && info.IsDir() }

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
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
