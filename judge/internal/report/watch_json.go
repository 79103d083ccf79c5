package report

import (
	"errors"
	"io"
	"strings"

	"tribunal/judge/internal/document"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/regen"
	"tribunal/judge/internal/watchmode"
	"tribunal/judge/internal/yamlstrict"
)

// WatchSchema names the form of the events that [WatchJSON] writes. It changes as [account.Schema]
// does.
const WatchSchema = "tribunal/watch/1"

// A WatchJSON renders the events of a watch as JSON, one object a line, each written at once.
// docs/json.md describes them. It is not safe for concurrent use.
type WatchJSON struct {
	w      io.Writer
	err    error                  // of the first write that failed
	begins map[whose]*grade.Begin // the latest
}

// whose says which programs an event of judging is about.
type whose struct {
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

// gradingObject says which programs an event of judging is about.
type gradingObject struct {
	Problem string `json:"problem"`
	roleObject
}

// roleObject is gradingObject for an event that names the problem itself.
type roleObject struct {
	Role watchmode.Role `json:"role"`
}

// NewWatchJSON returns a WatchJSON that writes to w.
func NewWatchJSON(w io.Writer) *WatchJSON {
	return &WatchJSON{w: w, begins: map[whose]*grade.Begin{}}
}

// Event writes e. Errors are kept for Close.
func (j *WatchJSON) Event(e watchmode.Event) {
	if j.err != nil {
		return
	}
	kind, parts := j.parts(e)
	j.err = document.Line(j.w, append([]any{kindObject{kind}}, parts...)...)
}

// Close returns the first error of writing.
func (j *WatchJSON) Close() error { return j.err }

// parts returns the kind of an event, and the other parts of its line.
func (j *WatchJSON) parts(e watchmode.Event) (kind string, parts []any) {
	switch e := e.(type) {
	case *watchmode.Watching:
		return "watching", []any{document.NewHead(WatchSchema), e}
	case *watchmode.Round:
		return "round", []any{e}
	case *watchmode.Stage:
		return "stage", []any{e}
	case *watchmode.Failed:
		return "failed", []any{newFailed(e)}
	case *watchmode.Expectations:
		return "expectations", []any{expectationsObject{e.Problem, e.State, e.Why, changes(e)}}
	case *watchmode.Grading:
		return j.grading(e)
	case *watchmode.Difference:
		return "difference", []any{e}
	case *watchmode.Settled:
		return "settled", []any{e}
	}
	panic("report: an event of no kind")
}

// newFailed splits an error into file, line and text, for editors.
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

// grading is like parts, for an event of judging.
func (j *WatchJSON) grading(e *watchmode.Grading) (kind string, parts []any) {
	of := whose{e.Problem, e.Role}
	kind, i, parts := lineOf(e.Event)
	if begin, ok := e.Event.(*grade.Begin); ok {
		j.begins[of] = begin
		return kind, append([]any{roleObject{e.Role}}, parts...) // the parts name the problem
	}
	about := []any{gradingObject{e.Problem, roleObject{e.Role}}}
	if i >= 0 {
		about = append(about, aboutObject{j.begins[of].Submissions[i]})
	}
	return kind, append(about, parts...)
}
