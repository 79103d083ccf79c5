package report

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"tribunal/judge/cli/format"
	"tribunal/judge/internal/document"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/regen"
	"tribunal/judge/internal/watchmode"
	"tribunal/judge/internal/yamlstrict"
)

// WatchSchema names the form of the events that [WatchJSON] writes. It changes as [account.Schema]
// does.
const WatchSchema = "tribunal/watch/1"

// A WatchJSON is a sink that writes the events of judge watch as JSON, one object per line, each at
// once. docs/json.md describes the events. A WatchJSON is not safe for concurrent use.
type WatchJSON struct {
	w      io.Writer
	err    error                     // the first error of the writer
	begins map[programs]*grade.Begin // the latest Begin of each set of programs
}

// programs identifies the programs that a grade event is about.
type programs struct {
	problem string
	role    watchmode.Role
}

type failedObject struct {
	Problem string `json:"problem"`
	File    string `json:"file"`
	Line    int    `json:"line"`
	Message string `json:"message"`
	Hint    string `json:"hint"`
	Text    string `json:"text"`
}

type expectationsObject struct {
	Problem string          `json:"problem"`
	State   watchmode.State `json:"state"`
	Why     string          `json:"why"`
	Changes []regen.Change  `json:"changes"`
}

// gradingObject identifies the programs that a grade event is about.
type gradingObject struct {
	Problem string `json:"problem"`
	roleObject
}

// roleObject replaces gradingObject for an event whose own fields name the problem.
type roleObject struct {
	Role watchmode.Role `json:"role"`
}

// NewWatchJSON returns a WatchJSON that writes to w.
func NewWatchJSON(w io.Writer) *WatchJSON {
	return &WatchJSON{w: w, begins: map[programs]*grade.Begin{}}
}

// Event writes e. Close returns its error.
func (j *WatchJSON) Event(e watchmode.Event) {
	if j.err != nil {
		return
	}
	j.err = document.Line(j.w, append([]any{format.Kind{Event: e.Kind()}}, j.parts(e)...)...)
}

// Close returns the first error of writing.
func (j *WatchJSON) Close() error { return j.err }

// parts returns the parts of an event's line after its kind.
func (j *WatchJSON) parts(e watchmode.Event) []any {
	switch e := e.(type) {
	case *watchmode.Watching:
		return []any{document.NewHead(WatchSchema), e}
	case *watchmode.Round, *watchmode.Stage, *watchmode.Difference, *watchmode.Counterexample, *watchmode.Submitted, *watchmode.Settled:
		return []any{e}
	case *watchmode.Failed:
		return []any{newFailed(e)}
	case *watchmode.Expectations:
		return []any{expectationsObject{e.Problem, e.State, e.Why, changes(e)}}
	case *watchmode.Grading:
		return j.grading(e)
	}
	panic(fmt.Sprintf("report: unknown watch event %T", e))
}

// newFailed splits an error into file, line and message, for editors.
func newFailed(e *watchmode.Failed) failedObject {
	text := e.Err.Error()
	o := failedObject{Problem: e.Problem, Text: document.First(text)}
	if located, ok := errors.AsType[*yamlstrict.Error](e.Err); ok {
		o.File, o.Line, o.Message, o.Hint = located.File, located.Line, located.Msg, located.Hint
	} else {
		o.Message, _, _ = strings.Cut(o.Text, "\n")
	}
	return o
}

// grading is like parts, for a grade event.
func (j *WatchJSON) grading(e *watchmode.Grading) []any {
	judged := programs{e.Problem, e.Role}
	i, parts := lineOf(e.Event)
	if begin, ok := e.Event.(*grade.Begin); ok {
		j.begins[judged] = begin
		return append([]any{roleObject{e.Role}}, parts...) // the parts name the problem
	}
	about := []any{gradingObject{e.Problem, roleObject{e.Role}}}
	if i >= 0 {
		about = append(about, aboutObject{j.begins[judged].Submissions[i]})
	}
	return append(about, parts...)
}
