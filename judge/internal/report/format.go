package report

import (
	"io"
	"slices"

	"tribunal/judge/internal/document"
	"tribunal/judge/internal/event"
)

// A Sink renders what a command tells, event by event, in one form.
type Sink[E any] interface {
	// Event renders e. Errors of the writer are kept for Close.
	Event(e E)

	// Close ends what is still under way and returns the first error of the writer.
	Close() error
}

// A Format is a form in which a command tells what happened: a row in the table of those
// that the command has.
type Format[E any] struct {
	Name string
	Full bool // it needs all about every failing case, not about the first few alone
	New  func(Output) Sink[E]
}

// Output is where a report goes, and what can be shown there.
type Output struct {
	io.Writer
	Live  bool // what has been written can be drawn over
	Color bool
	Width int // columns of a terminal; 0 if it is none
}

// The names of the formats. Not every command has all of them.
const (
	Text    = "terminal" // for people, as it happens
	Object  = "json"     // one document, when all is known
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

// WriteError ends a report in a format that has words for it by why the command has failed:
// its exit status and the errors, one text each. It reports whether the format has any;
// a document that was begun is one already, and is not passed here.
func WriteError(format string, w io.Writer, status int, errors []string) (has bool, err error) {
	switch format {
	case Object:
		return true, ErrorJSON(w, status, errors)
	case Lines:
		return true, errorLine(w, status, errors)
	}
	return false, nil
}

// each is the sink of a format that has nothing to remember from event to event.
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

// simple returns a format of which render writes each event, or the one that there is.
func simple[E any](name string, render func(Output, E) error) Format[E] {
	return Format[E]{Name: name, New: func(w Output) Sink[E] {
		return &each[E]{render: func(e E) error { return render(w, e) }}
	}}
}

// whole returns a format of which render writes the result alone, the last of the events.
func whole[R event.Event](name string, render func(Output, R) error) Format[event.Event] {
	return simple(name, func(w Output, e event.Event) error {
		if r, last := e.(R); last {
			return render(w, r)
		}
		return nil
	})
}

// object returns the format of the document that the result itself is.
func object[R event.Event]() Format[event.Event] {
	return whole(Object, func(w Output, r R) error { return document.Write(w.Writer, r) })
}

// lines returns the format of a stream of that form, each event a line. The first line
// begins with the head of the stream, and the last with that of the document.
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

// collected returns the format of a document about several things. They are told one by
// one, and nil after the last; then render writes them.
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
