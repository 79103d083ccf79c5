// Package format has the formats of reports: their names, what a sink is, the streams and documents that render any
// event, and the documents for tools that show findings beside a text (SARIF, GitHub, GitLab, JUnit) or errors.
package format

import (
	"io"
	"slices"

	"tribunal/judge/internal/document"
	"tribunal/judge/internal/event"
	"tribunal/judge/internal/grade"
)

// A Sink renders the events of a command in one format.
type Sink interface {
	// Event renders e. Close returns errors of the writer.
	Event(e event.Event)

	// Close ends the report and returns the first error of the writer.
	Close() error
}

// A Format is one of the formats in which a command can report its events.
type Format struct {
	Name string
	Full bool // whether the format needs the details of every failing case, not only the first few
	New  func(Output) Sink

	Draws    bool // whether the format itself shows what goes on, if its output is Live
	Pictures bool // whether the format shows drawings of failing cases
}

// Output is the destination of a report, with the abilities of its terminal, if it is one.
type Output struct {
	io.Writer
	Live  bool // whether lines can be redrawn
	Color bool // whether the report may use colours
	Width int  // columns of the terminal; 0 if the destination is not a terminal

	Folder string // for a report of several files; then the Writer is not used
}

// The names of the formats. Not every command has all of them.
const (
	Terminal = "terminal" // text for people, written as events happen
	JSON     = "json"     // one JSON document, written at the end
	NDJSON   = "ndjson"   // one JSON object per line, written as events happen
	HTML     = "html"     // an HTML page
	Markdown = "markdown" // a table for a comment in a code review
	CSV      = "csv"      // a table for a spreadsheet
	JUnit    = "junit"    // test results for CI servers
	SARIF    = "sarif"    // findings for code scanning
	GitHub   = "github"   // findings as commands for GitHub Actions
	GitLab   = "gitlab"   // findings as a code quality report for GitLab
	Picture  = "svg"      // a plot
	Rules    = "rules"    // a draft of rules for mutants.yaml

	GradeBook = "gradebook" // a table for a learning platform
)

// AllNames returns the names of the formats of all commands.
func AllNames() []string {
	return []string{Terminal, JSON, NDJSON, HTML, Markdown, CSV, JUnit, SARIF, GitHub, GitLab, Picture, Rules, GradeBook}
}

// Names returns the names of formats, in their order.
func Names(formats []Format) (names []string) {
	for _, f := range formats {
		names = append(names, f.Name)
	}
	return names
}

// Absent is the error of a sink that has nothing to show in its format; its text is the reason.
type Absent string

func (a Absent) Error() string { return string(a) }

// WriteError writes the exit status and the error texts of a failed command in the given format: as
// the document, or as the last lines of a stream. It reports whether the format can hold errors; if
// not, it writes nothing. The caller must not have written a part of a document, see [IsDocument].
func WriteError(format string, w io.Writer, status int, errors []string) (written bool, err error) {
	switch format {
	case JSON:
		return true, ErrorJSON(w, status, errors)
	case NDJSON:
		return true, errorLine(w, status, errors)
	case SARIF:
		return true, sarifError(w, errors)
	case GitHub:
		return true, githubError(w, errors)
	}
	return false, nil
}

// IsDocument reports whether a report in the given format is one document, to which nothing can be
// added.
func IsDocument(format string) bool { return format == JSON || format == SARIF }

// Each is a sink that calls render for each event, until it returns an error.
type Each struct {
	Render func(event.Event) error
	err    error
}

func (s *Each) Event(e event.Event) {
	if s.err == nil {
		s.err = s.Render(e)
	}
}

func (s *Each) Close() error { return s.err }

// On returns a format whose sink calls render for each event of the type E, such as the result.
func On[E event.Event](name string, render func(Output, E) error) Format {
	return Format{Name: name, New: func(w Output) Sink {
		return &Each{Render: func(e event.Event) error {
			if e, ok := e.(E); ok {
				return render(w, e)
			}
			return nil
		}}
	}}
}

// Concluded returns a format whose sink calls render when judging has ended.
func Concluded(name string, render func(Output) error) Format {
	return On(name, func(w Output, _ *grade.End) error { return render(w) })
}

// Document returns the format whose sink writes the result, the last event, as a JSON document.
func Document[R event.Event]() Format {
	return On(JSON, func(w Output, r R) error { return document.Write(w.Writer, r) })
}

// liner is an event whose line does not have the fields of the event, but those that Line returns.
type liner interface{ Line() any }

// Stream returns the format whose sink writes each event as a line of JSON. The first line begins
// with a head that names schema. If begin has parts, that line is one of its own, of the kind
// "begin", with these parts.
func Stream(schema string, begin ...any) Format {
	return Format{Name: NDJSON, New: func(w Output) Sink {
		head := []any{document.NewHead(schema)}
		write := func(kind string, parts ...any) error {
			parts = slices.Concat([]any{Kind{kind}}, head, parts)
			head = nil
			return document.Line(w.Writer, parts...)
		}
		return &Each{Render: func(e event.Event) error {
			if head != nil && begin != nil {
				if err := write("begin", begin...); err != nil {
					return err
				}
			}
			if l, ok := e.(liner); ok {
				return write(e.Kind(), l.Line())
			}
			return write(e.Kind(), e)
		}}
	}}
}

// Pictured returns a format that shows drawings.
func Pictured(f Format) Format {
	f.Pictures = true
	return f
}

// Drawing returns a format that itself shows what goes on.
func Drawing(f Format) Format {
	f.Draws = true
	return f
}

// Kind holds the kind of an event, the first field of each line.
type Kind struct {
	Event string `json:"event"`
}
