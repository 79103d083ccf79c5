package report

import (
	"errors"
	"io"
	"strings"
	"time"

	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/verdict"
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

// gradingObject begins every event of judging.
type gradingObject struct {
	Event   string         `json:"event"`
	Problem string         `json:"problem"`
	Role    watchmode.Role `json:"role"`
}

type beginObject struct {
	gradingObject
	Title       string             `json:"title"`
	Limits      limitsObject       `json:"limits"`
	Compare     string             `json:"compare"`
	Slots       int                `json:"slots"`
	CPUs        int                `json:"cpus"`
	WantedCPUs  int                `json:"wanted_cpus"`
	Mechanisms  sandbox.Mechanisms `json:"mechanisms"`
	Notes       []string           `json:"notes"`
	Busy        []string           `json:"busy"`
	Cases       []string           `json:"cases"`
	Submissions []string           `json:"submissions"`
}

type builtObject struct {
	gradingObject
	Submission string      `json:"submission"`
	Language   string      `json:"language"`
	Build      buildObject `json:"build"`
}

type progressObject struct {
	gradingObject
	Submission string          `json:"submission"`
	Done       int             `json:"done"`
	Total      int             `json:"total"`
	Worst      verdict.Verdict `json:"worst"`
}

type judgedObject struct {
	gradingObject
	Submission string     `json:"submission"`
	Case       caseObject `json:"case"`
}

type doneObject struct {
	gradingObject
	Submission string `json:"submission"`
	outcomeObject
	Cached int `json:"cached"`
}

type endObject struct {
	gradingObject
	Elapsed time.Duration `json:"elapsed_ns"`
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
	text, err := encode(j.object(e), "")
	if err == nil {
		_, err = j.w.Write(text)
	}
	j.err = err
}

// Close returns the first error of writing.
func (j *WatchJSON) Close() error { return j.err }

// object returns what stands for e in JSON.
func (j *WatchJSON) object(e watchmode.Event) any {
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
	case *watchmode.Grading:
		return j.grading(e)
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
func (j *WatchJSON) grading(e *watchmode.Grading) any {
	of := whose{e.Problem, e.Role}
	as := func(name string) gradingObject { return gradingObject{name, e.Problem, e.Role} }
	name := func(i int) string { return j.begins[of].Submissions[i] }
	switch x := e.Event.(type) {
	case *grade.Begin:
		j.begins[of] = x
		return beginObject{
			gradingObject: as("begin"), Title: x.Title, Limits: newLimits(x.Limits), Compare: x.Compare,
			Slots: x.Slots, CPUs: x.CPUs, WantedCPUs: x.WantedCPUs, Mechanisms: x.Mechanisms,
			Notes: copied(x.Notes), Busy: copied(x.Busy), Cases: copied(x.Cases), Submissions: copied(x.Submissions),
		}
	case *grade.Built:
		return builtObject{as("built"), name(x.Submission), x.Language, newBuild(x)}
	case *grade.Progress:
		return progressObject{as("progress"), name(x.Submission), x.Done, x.Total, x.Worst}
	case *grade.Case:
		return judgedObject{as("case"), name(x.Submission), newCase(x)}
	case *grade.Done:
		return doneObject{as("done"), name(x.Submission), newOutcome(x), x.Cached}
	case *grade.End:
		return endObject{as("end"), x.Elapsed}
	}
	panic("report: an event of judging of no kind")
}
