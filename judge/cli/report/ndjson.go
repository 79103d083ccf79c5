package report

import (
	"fmt"
	"io"

	"tribunal/judge/cli/format"
	"tribunal/judge/internal/account"
	"tribunal/judge/internal/document"
	"tribunal/judge/internal/grade"
)

// EventsSchema names the form of the lines that [NDJSON] writes. It changes as [account.Schema]
// does.
const EventsSchema = "tribunal/grade-events/1"

// An NDJSON is a sink that writes the events of judge grade as JSON, one object per line. It writes
// each event at once, with a single write; docs/json.md describes the events. An NDJSON is not safe
// for concurrent use.
type NDJSON struct {
	w     io.Writer
	begin *grade.Begin
	err   error
}

// NewNDJSON returns an NDJSON that writes to w.
func NewNDJSON(w io.Writer) *NDJSON { return &NDJSON{w: w} }

// Event writes e. Close returns its error.
func (j *NDJSON) Event(e grade.Event) {
	if j.err != nil {
		return
	}
	submission, parts := lineOf(e)
	line := []any{format.Kind{Event: e.Kind()}}
	if begin, ok := e.(*grade.Begin); ok {
		j.begin = begin
		line = append(line, document.NewHead(EventsSchema))
	}
	if submission >= 0 {
		line = append(line, aboutObject{j.begin.Submissions[submission]}, indexObject{submission})
	}
	j.err = document.Line(j.w, append(line, parts...)...)
}

// Close returns the first error of writing.
func (j *NDJSON) Close() error { return j.err }

// aboutObject holds the name of the submission that an event is about.
type aboutObject struct {
	Submission string `json:"submission"`
}

// indexObject holds the index of a submission, which distinguishes submissions of the same name.
type indexObject struct {
	Index int `json:"index"` // in Begin.Submissions
}

type judgedObject struct {
	Case account.Case `json:"case"`
}

// lineOf returns the index of the submission that a grade event is about, -1 if it is about all, and
// the parts of its line.
func lineOf(e grade.Event) (submission int, parts []any) {
	switch e := e.(type) {
	case *grade.Begin, *grade.Building, *grade.End:
		return -1, []any{e}
	case *grade.Built:
		return e.Submission, []any{e}
	case *grade.Progress:
		return e.Submission, []any{e}
	case *grade.Case:
		return e.Submission, []any{judgedObject{account.NewCase(e)}}
	case *grade.Done:
		return e.Submission, []any{e}
	}
	panic(fmt.Sprintf("report: unknown grade event %T", e))
}
