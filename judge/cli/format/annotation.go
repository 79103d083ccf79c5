package format

import (
	"crypto/sha256"
	"encoding/hex"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"tribunal/judge/cli/layout"
	"tribunal/judge/internal/event"
	"tribunal/judge/internal/yamlstrict"
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

// Annotations are all findings of a command.
type Annotations struct {
	Command string      // such as "judge verify"
	Rules   [][2]string // the kinds of findings that were looked for, each with its explanation
	List    []annotation
	Notes   []string // remarks that concern no file
	Partial bool     // whether the command was stopped before it had looked for everything
}

// Annotating returns the formats for tools that show annotations. from derives the annotations from
// the result of a command.
func Annotating[R event.Event](from func(R) Annotations) []Format {
	return []Format{
		On(SARIF, func(w Output, r R) error { return writeSARIF(w.Writer, from(r)) }),
		On(GitHub, func(w Output, r R) error { return writeGitHub(w.Writer, from(r)) }),
		On(GitLab, func(w Output, r R) error { return writeGitLab(w.Writer, from(r)) }),
		On(JUnit, func(w Output, r R) error { return writeJUnit(w.Writer, from(r)) }),
	}
}

// NewAnnotation returns an annotation with clean texts.
func NewAnnotation(rule string, warning bool, e yamlstrict.Error) annotation {
	text := e.Msg
	if e.Hint != "" {
		text += " (hint: " + e.Hint + ")"
	}
	return annotation{rule: layout.Word(rule), warning: warning, file: path.Clean(filepath.ToSlash(e.File)), line: e.Line, text: layout.Word(text)}
}

// fingerprints returns a name for each annotation that stays the same when its line moves. No two
// are equal.
func (a *Annotations) fingerprints() []string {
	seen := map[string]int{}
	var names []string
	for _, n := range a.List {
		key := strings.Join([]string{n.rule, n.file, n.text}, "\n")
		seen[key]++
		sum := sha256.Sum256([]byte(key + "\n" + strconv.Itoa(seen[key])))
		names = append(names, hex.EncodeToString(sum[:16]))
	}
	return names
}
