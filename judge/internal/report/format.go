package report

import (
	"io"
	"slices"

	"tribunal/judge/internal/document"
	"tribunal/judge/internal/event"
)

// A Sink renders the events of a command in one format.
type Sink[E any] interface {
	// Event renders e. Errors of the writer are kept for Close.
	Event(e E)

	// Close ends the rendering and returns the first error of the writer.
	Close() error
}

// A Format is one of the formats in which a command can report its events of type E.
type Format[E any] struct {
	Name string
	Full bool // it needs the details of every failing case, not only of the first few
	New  func(Output) Sink[E]
}

// Output is where a report goes, with the abilities of a terminal there.
type Output struct {
	io.Writer
	Live  bool // lines can be drawn over
	Color bool
	Width int // columns of a terminal; 0 if it is none
}

// The names of the formats. Not every command has all of them.
const (
	Text    = "terminal" // for people, as it happens
	Object  = "json"     // one document, at the end
	Lines   = "ndjson"   // one object a line, as it happens
	Page    = "html"     // a page for browsers
	Picture = "svg"
	Rules   = "rules" // a draft of mutants.yaml
)

// AllNames returns the names of all formats that any command has.
func AllNames() []string { return []string{Text, Object, Lines, Page, Picture, Rules} }

// Names returns the names of formats, in their order.
func Names[E any](formats []Format[E]) (names []string) {
	for _, f := range formats {
		names = append(names, f.Name)
	}
	return names
}

// Absent is the error of a sink that has nothing to show in its format, and why.
type Absent string

func (a Absent) Error() string { return string(a) }

// WriteError writes why a command has failed, its exit status and the errors, one text each, in the
// given format: as the document, or as the last line of a stream. has is whether the format can
// hold errors. The caller does not call it if a part of the document has been written.
func WriteError(format string, w io.Writer, status int, errors []string) (has bool, err error) {
	switch format {
	case Object:
		return true, ErrorJSON(w, status, errors)
	case Lines:
		return true, errorLine(w, status, errors)
	}
	return false, nil
}

// each is the sink of a format that renders each event by itself.
type each[E any] struct {
	render func(E) error
	err    error
}

func (s *each[E]) Event(e E) {
	if s.err == nil {
		s.err = s.render(e)
	}
}

func (s *each[E]) Close() error { return s.err }

// simple returns a format that calls render for each event.
func simple[E any](name string, render func(Output, E) error) Format[E] {
	return Format[E]{Name: name, New: func(w Output) Sink[E] {
		return &each[E]{render: func(e E) error { return render(w, e) }}
	}}
}

// whole returns a format that calls render only for the result, the last of the events.
func whole[R event.Event](name string, render func(Output, R) error) Format[event.Event] {
	return simple(name, func(w Output, e event.Event) error {
		if r, last := e.(R); last {
			return render(w, r)
		}
		return nil
	})
}

// object returns the format that writes the result, the last of the events, as a JSON document.
func object[R event.Event]() Format[event.Event] {
	return whole(Object, func(w Output, r R) error { return document.Write(w.Writer, r) })
}

// lines returns the format that writes each event as a line of JSON. The first line begins with the
// head of the stream, named schema; the last with the head of the document.
func lines(schema string) Format[event.Event] {
	return Format[event.Event]{Name: Lines, New: func(w Output) Sink[event.Event] {
		head := []any{document.NewHead(schema)}
		return &each[event.Event]{render: func(e event.Event) error {
			parts := slices.Concat([]any{kindObject{e.Kind()}}, head, []any{e})
			head = nil
			return document.Line(w.Writer, parts...)
		}}
	}}
}

// collected returns the format of a document about several things. Each event is one of them; nil
// comes after the last, and render then writes them all.
func collected[T any](name string, render func(Output, []T) error) Format[*T] {
	return Format[*T]{Name: name, New: func(w Output) Sink[*T] {
		var all []T
		return &each[*T]{render: func(one *T) error {
			if one == nil {
				return render(w, all)
			}
			all = append(all, *one)
			return nil
		}}
	}}
}
