package report

import (
	"fmt"
	"io"

	"tribunal/judge/internal/account"
	"tribunal/judge/internal/document"
	"tribunal/judge/internal/grade"
)

// EventsSchema names the form of the lines that [NDJSON] writes. It changes as [account.Schema]
// does.
const EventsSchema = "tribunal/grade-events/1"

// An NDJSON writes the events of one Grade call as JSON, one object a line, each with a
// single write as soon as it has happened; docs/json.md describes them. It is not safe for
// concurrent use.
type NDJSON struct {
	w     io.Writer
	begin *grade.Begin
	err   error
}

// NewNDJSON returns an NDJSON that writes to w.
func NewNDJSON(w io.Writer) *NDJSON { return &NDJSON{w: w} }

// Event writes e. Errors are kept for Close.
func (j *NDJSON) Event(e grade.Event) {
	if j.err != nil {
		return
	}
	kind, of, parts := lineOf(e)
	line := []any{kindObject{kind}}
	if begin, ok := e.(*grade.Begin); ok {
		j.begin = begin
		line = append(line, document.NewHead(EventsSchema))
	}
	if of >= 0 {
		line = append(line, aboutObject{j.begin.Submissions[of]}, indexObject{of})
	}
	j.err = document.Line(j.w, append(line, parts...)...)
}

// Close returns the first error of writing.
func (j *NDJSON) Close() error { return j.err }

// kindObject begins each line.
type kindObject struct {
	Event string `json:"event"`
}

// aboutObject says which submission an event of judging is about.
type aboutObject struct {
	Submission string `json:"submission"`
}

// indexObject tells submissions of the same name apart.
type indexObject struct {
	Index int `json:"index"` // in Begin.Submissions
}

type judgedObject struct {
	Case account.Case `json:"case"`
}

// lineOf returns the kind of an event of judging, the index of its submission, -1 if it is about
// all, and the other parts of its line.
func lineOf(e grade.Event) (kind string, submission int, parts []any) {
	switch e := e.(type) {
	case *grade.Begin:
		return "begin", -1, []any{e}
	case *grade.Built:
		return "built", e.Submission, []any{e}
	case *grade.Progress:
		return "progress", e.Submission, []any{e}
	case *grade.Case:
		return "case", e.Submission, []any{judgedObject{account.NewCase(e)}}
	case *grade.Done:
		return "done", e.Submission, []any{e}
	case *grade.End:
		return "end", -1, []any{e}
	}
	panic(fmt.Sprintf("report: an event of judging of no kind: %T", e))
}

// listed returns the format of a stream about several things: a first line, a line of the given
// kind for each thing, and a last line when nil comes after the last of them.
func listed[T any](kind string, begin []any, one func(*T) any, end func() any) Format[*T] {
	return Format[*T]{Name: Lines, New: func(w Output) Sink[*T] {
		begun := false
		line := func(kind string, parts ...any) error {
			return document.Line(w.Writer, append([]any{kindObject{kind}}, parts...)...)
		}
		return &each[*T]{render: func(t *T) error {
			if !begun {
				begun = true
				if err := line("begin", begin...); err != nil {
					return err
				}
			}
			if t == nil {
				return line("end", end())
			}
			return line(kind, one(t))
		}}
	}}
}
