package report

import (
	"errors"
	"io"
	"strings"
	"time"

	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/document"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/version"
	"tribunal/judge/internal/watchmode"
	"tribunal/judge/internal/yamlstrict"
)

// WatchSchema names the form of the events that [WatchJSON] writes; what [Schema] says
// of its own holds here too.
const WatchSchema = "tribunal/watch/1"

// A WatchJSON renders the events of a watch as JSON, one object a line, written at
// once and described in docs/json.md. What [JSON] says of units and texts holds here
// too. It is not safe for concurrent use.
type WatchJSON struct {
	w      io.Writer
	err    error                  // of the first write that went wrong
	begins map[whose]*grade.Begin // the latest
}

// whose the program is that an event of judging is about.
type whose struct {
	problem string
	role    watchmode.Role
}

type watchingObject struct {
	Event      string   `json:"event"`
	Schema     string   `json:"schema"`
	Judge      string   `json:"judge"`
	Problems   []string `json:"problems"`
	Submission string   `json:"submission"`
	Ask        bool     `json:"ask"`
	Notes      []string `json:"notes"`
}

type roundObject struct {
	Event    string           `json:"event"`
	Round    int              `json:"round"`
	Reason   watchmode.Reason `json:"reason"`
	Paths    []string         `json:"paths"`
	Problems []string         `json:"problems"`
	Gone     []string         `json:"gone"`
}

type stageObject struct {
	Event   string `json:"event"`
	Problem string `json:"problem"`
	What    string `json:"what"`
}

type failedObject struct {
	Event   string `json:"event"`
	Problem string `json:"problem"`
	File    string `json:"file"`
	Line    int    `json:"line"`
	Message string `json:"message"`
	Hint    string `json:"hint"`
	Text    string `json:"text"`
}

type expectationsObject struct {
	Event   string          `json:"event"`
	Problem string          `json:"problem"`
	State   watchmode.State `json:"state"`
	Why     string          `json:"why"`
	Changes []changeObject  `json:"changes"`
}

type changeObject struct {
	Case     string         `json:"case"`
	New      bool           `json:"new"`
	Mismatch *diff.Mismatch `json:"mismatch"`
}

// gradingObject begins every event of judging but the first.
type gradingObject struct {
	Event   string         `json:"event"`
	Problem string         `json:"problem"`
	Role    watchmode.Role `json:"role"`
}

type beginObject struct {
	Event string         `json:"event"`
	Role  watchmode.Role `json:"role"`
}

type differenceObject struct {
	gradingObject
	Case     string         `json:"case"`
	Cause    string         `json:"cause"`
	Mismatch *diff.Mismatch `json:"mismatch"`
}

type settledObject struct {
	Event   string        `json:"event"`
	Round   int           `json:"round"`
	OK      bool          `json:"ok"`
	Elapsed time.Duration `json:"elapsed_ns"`
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
	j.err = document.Line(j.w, j.parts(e)...)
}

// Close returns the first error of writing.
func (j *WatchJSON) Close() error { return j.err }

// parts returns what stands for e in JSON.
func (j *WatchJSON) parts(e watchmode.Event) []any {
	if e, ok := e.(*watchmode.Grading); ok {
		return j.grading(e)
	}
	return []any{object(e)}
}

func object(e watchmode.Event) any {
	switch e := e.(type) {
	case *watchmode.Watching:
		return watchingObject{"watching", WatchSchema, version.Build(), copied(e.Problems), e.Submission, e.Ask, copied(e.Notes)}
	case *watchmode.Round:
		return roundObject{"round", e.Number, e.Reason, copied(e.Paths), copied(e.Problems), copied(e.Gone)}
	case *watchmode.Stage:
		return stageObject{"stage", e.Problem, e.What}
	case *watchmode.Failed:
		return newFailed(e)
	case *watchmode.Expectations:
		o := expectationsObject{"expectations", e.Problem, e.State, e.Why, []changeObject{}}
		for _, c := range changes(e) {
			o.Changes = append(o.Changes, changeObject{c.Case, c.New, newMismatch(c.Mismatch)})
		}
		return o
	case *watchmode.Difference:
		return differenceObject{gradingObject{"difference", e.Problem, e.Role}, e.Case, e.Cause, newMismatch(e.Mismatch)}
	case *watchmode.Settled:
		return settledObject{"settled", e.Number, e.OK, e.Elapsed}
	}
	panic("report: an event of no kind")
}

// newFailed splits an error into the parts that an editor wants.
func newFailed(e *watchmode.Failed) failedObject {
	text := e.Err.Error()
	o := failedObject{Event: "failed", Problem: e.Problem, Text: firstPart(text)}
	if located, ok := errors.AsType[*yamlstrict.Error](e.Err); ok {
		o.File, o.Line, o.Message, o.Hint = located.File, located.Line, located.Msg, located.Hint
	} else {
		o.Message, _, _ = strings.Cut(o.Text, "\n")
	}
	return o
}

// grading returns what stands for an event of judging.
func (j *WatchJSON) grading(e *watchmode.Grading) []any {
	of := whose{e.Problem, e.Role}
	if begin, ok := e.Event.(*grade.Begin); ok {
		j.begins[of] = begin
		return []any{beginObject{"begin", e.Role}, begin} // which names the problem
	}
	kind, i, parts := lineOf(e.Event)
	line := []any{gradingObject{kind, e.Problem, e.Role}}
	if i >= 0 {
		line = append(line, aboutObject{j.begins[of].Submissions[i]})
	}
	return append(line, parts...)
}
