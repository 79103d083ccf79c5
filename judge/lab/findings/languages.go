package findings

import (
	"fmt"
	"io"
	"strings"

	"tribunal/judge/cli/layout"
	"tribunal/judge/internal/document"
	"tribunal/judge/internal/event"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/tty"
	"tribunal/judge/lab/langcheck"
)

// LanguagesSchema names the form of the document that [Languages.JSON] writes; see
// docs/languages.md. It changes as [Schema] does.
const LanguagesSchema = "tribunal/languages/1"

// LanguagesEventsSchema names the form of the stream of judge languages.
const LanguagesEventsSchema = "tribunal/languages-events/1"

// Languages holds the results of trying languages on this host.
type Languages struct {
	Results    []langcheck.Result
	Mechanisms sandbox.Mechanisms
}

func (*Languages) Kind() string { return event.End }

func (*Languages) Line() any { return struct{}{} }

// maxToolLines is the largest number of lines of a broken tool's output that are shown.
const maxToolLines = 10

// Language writes the result of one language as a few lines of text.
func Language(w io.Writer, r langcheck.Result, o layout.Options) error {
	p := &layout.Page{Color: o.Color}
	l := layout.Dim
	switch r.Status {
	case langcheck.Works:
		l = layout.Good
	case langcheck.Broken:
		l = layout.Bad
	}
	rows := [][]layout.Cell{{{Text: layout.Word(r.Name), Look: layout.Strong}, {Text: string(r.Status), Look: l}, {Text: layout.Word(tried(r))}}}
	add := func(name, text string) {
		if text != "" {
			rows = append(rows, []layout.Cell{{}, {Text: name, Look: layout.Dim}, {Text: layout.Word(text)}})
		}
	}
	add("version", r.Version)
	add("build", command(r.Compile))
	add("run", command(r.Run))
	add("modules", r.Modules)
	add("files", files(r))
	add("package", r.Package)
	// Pad to the longest name and status, so that the columns of all languages line up.
	rows[0][0].Text = fmt.Sprintf("%-10s", rows[0][0].Text)
	rows[0][1].Text = fmt.Sprintf("%-9s", rows[0][1].Text)
	p.Table("", rows)
	if r.Words != "" {
		lines, more := layout.Head(r.Words, maxToolLines)
		p.Indented("    ", lines)
		if more {
			p.Printf("    …\n")
		}
	}
	return p.Write(w)
}

// tried describes the result of trying a language.
func tried(r langcheck.Result) string {
	if r.Status != langcheck.Works {
		return r.Reason
	}
	text := fmt.Sprintf("built in %s, run in %s", layout.Duration(r.Build), layout.Duration(r.CPU))
	if r.Memory > 0 { // unknown if the run ended before its memory was polled
		text += " with " + layout.Size(r.Memory)
	}
	return text
}

// files describes the names and first lines by which files of a language are recognised.
func files(l langcheck.Result) string {
	text := strings.Join(l.Match, " ")
	if l.Shebang != nil {
		text += " that begin with #! and " + strings.Join(l.Shebang, " or ")
	}
	return strings.TrimSpace(text)
}

// command joins the words of a command, with simple shell quoting.
func command(list []string) string {
	var words []string
	for _, w := range list {
		if w == "" || strings.ContainsAny(w, " \t\n'\"\\$`;&<>()*?[]#~!") {
			w = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
		words = append(words, w)
	}
	return strings.Join(words, " ")
}

// Summary writes the number of languages with each status, and the mode of the sandbox.
func (l *Languages) Summary(w io.Writer) error {
	counts := map[langcheck.Status]int{}
	for _, r := range l.Results {
		counts[r.Status]++
	}
	var parts []string
	for _, s := range []struct {
		status langcheck.Status
		text   string
	}{
		{langcheck.Broken, "broken"}, {langcheck.Works, "working"}, {langcheck.Unchecked, "unchecked"}, {langcheck.Missing, "missing"},
	} {
		if n := counts[s.status]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, s.text))
		}
	}
	return tty.Put(w, tty.Sprintf("%s: %s; sandbox %s\n", layout.Count(len(l.Results), "language"), strings.Join(parts, ", "), l.Mechanisms.Mode))
}

type languagesDocument struct {
	document.Head
	languagesHead
	Languages []langcheck.Result `json:"languages"`
}

type languagesHead struct {
	Mode string `json:"mode"`
}

// JSON writes the results as one JSON document.
func (l *Languages) JSON(w io.Writer) error {
	return document.Write(w, languagesDocument{document.NewHead(LanguagesSchema), languagesHead{string(l.Mechanisms.Mode)}, l.Results})
}
