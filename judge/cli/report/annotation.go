package report

import (
	"crypto/sha256"
	"encoding/hex"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"tribunal/judge/cli/layout"

	"tribunal/judge/internal/event"
	"tribunal/judge/internal/yamlstrict"
	"tribunal/judge/lab/mutate"
	"tribunal/judge/lab/verify"
)

// An annotation is a finding about a place in a file, for tools that show it beside the text. Its
// texts are clean.
type annotation struct {
	rule    string // the kind of the finding
	warning bool   // whether it is a warning, and no error
	file    string // with slashes; relative to the working folder, unless it is absolute
	line    int    // from 1; 0 if it concerns the whole file
	text    string // one line
}

// annotations are all findings of a command.
type annotations struct {
	command string      // such as "judge verify"
	rules   [][2]string // the kinds of findings that were looked for, each with its explanation
	list    []annotation
	notes   []string // remarks that concern no file
	partial bool     // whether the command was stopped before it had looked for everything
}

// annotating returns the formats for tools that show annotations. from derives the annotations from
// the result of a command.
func annotating[R event.Event](from func(R) annotations) []Format {
	return []Format{
		on(SARIF, func(w Output, r R) error { return writeSARIF(w.Writer, from(r)) }),
		on(GitHub, func(w Output, r R) error { return writeGitHub(w.Writer, from(r)) }),
		on(GitLab, func(w Output, r R) error { return writeGitLab(w.Writer, from(r)) }),
		on(JUnit, func(w Output, r R) error { return writeJUnit(w.Writer, from(r)) }),
	}
}

// annotate returns an annotation with clean texts.
func annotate(rule string, warning bool, e yamlstrict.Error) annotation {
	text := e.Msg
	if e.Hint != "" {
		text += " (hint: " + e.Hint + ")"
	}
	return annotation{rule: layout.Word(rule), warning: warning, file: path.Clean(filepath.ToSlash(e.File)), line: e.Line, text: layout.Word(text)}
}

// ofVerify returns the findings of judge verify.
func ofVerify(r *verify.Report) annotations {
	a := annotations{command: "judge verify", partial: r.Stopped != nil}
	for _, c := range verify.Checks() {
		if slices.Contains(r.Checks, c.Name) {
			a.rules = append(a.rules, [2]string{c.Name, c.Doc})
		}
	}
	for _, f := range r.Findings {
		a.list = append(a.list, annotate(f.Check, false, yamlstrict.Error{File: f.File, Line: f.Line, Msg: f.Text, Hint: f.Hint}))
	}
	for _, n := range r.Notes {
		a.notes = append(a.notes, layout.Word(n.String()))
	}
	return a
}

// ofMutants returns the rules of mutants.yaml that are wrong, and the survivors that no rule
// explains.
func ofMutants(r *mutate.Report) annotations {
	const wrong, survivor = "rule", "survivor"
	a := annotations{command: "judge mutants", rules: [][2]string{
		{wrong, "rules of mutants.yaml match survivors, and no killed mutant that they declare equivalent"},
		{survivor, "some case kills each mutant that no rule explains"},
	}}
	for _, f := range r.Refuted {
		a.list = append(a.list, annotate(wrong, false, *refutation(&f)))
	}
	for _, rule := range r.Stale() {
		a.list = append(a.list, annotate(wrong, false, *staleness(rule)))
	}
	for i := range r.Mutants {
		m := &r.Mutants[i]
		e := yamlstrict.Error{File: m.File, Line: m.Line, Msg: m.Op + ": " + m.Change(), Hint: "judge mutants " + r.Problem + " --id " + strconv.Itoa(m.ID)}
		switch {
		case m.Rule != nil:
		case m.Fate == mutate.Survived:
			e.Msg = "every case accepts a mutant: " + e.Msg
			a.list = append(a.list, annotate(survivor, true, e))
		case m.Fate == mutate.Unreached:
			e.Msg = "no case reaches a mutant: " + e.Msg
			a.list = append(a.list, annotate(survivor, true, e))
		case m.Fate == mutate.Failed:
			a.notes = append(a.notes, layout.Word(m.File+":"+strconv.Itoa(m.Line)+": the judge failed to run a mutant: "+m.Error))
		}
	}
	return a
}

// fingerprints returns a name for each annotation that stays the same when its line moves. No two
// are equal.
func (a *annotations) fingerprints() []string {
	seen := map[string]int{}
	var names []string
	for _, n := range a.list {
		key := strings.Join([]string{n.rule, n.file, n.text}, "\n")
		seen[key]++
		sum := sha256.Sum256([]byte(key + "\n" + strconv.Itoa(seen[key])))
		names = append(names, hex.EncodeToString(sum[:16]))
	}
	return names
}
