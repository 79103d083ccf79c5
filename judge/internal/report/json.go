package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"
	"unicode"
	"unicode/utf16"

	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/verdict"
	"tribunal/judge/internal/version"
)

// Schema names the form of the documents that [JSON] writes. A reader must
// accept fields it does not know: new ones may appear under the same name. A
// field that changes its meaning, or is dropped, changes the name.
const Schema = "tribunal/grade/1"

const maxText = 64 << 10 // bytes of a free text in a document

// A JSON renders the events of one Grade call as one JSON document, described in
// docs/json.md, that is written when the stream ends. Times are whole
// nanoseconds under names that end in _ns, sizes are bytes under names that end
// in _bytes. The document is valid UTF-8: a byte of a program's text that
// belongs to no character becomes U+FFFD, and unprintable characters are
// escaped. It is not safe for concurrent use.
type JSON struct {
	w     io.Writer
	err   error
	doc   document
	ended bool
}

type document struct {
	Schema      string             `json:"schema"`
	Judge       string             `json:"judge"`
	Problem     string             `json:"problem"`
	Title       string             `json:"title"`
	Limits      limitsObject       `json:"limits"`
	Compare     string             `json:"compare"`
	Slots       int                `json:"slots"`
	CPUs        int                `json:"cpus"`
	WantedCPUs  int                `json:"wanted_cpus"`
	Mechanisms  sandbox.Mechanisms `json:"mechanisms"`
	Notes       []string           `json:"notes"`
	Busy        []string           `json:"busy"`
	Repeat      int                `json:"repeat"`
	Cases       []string           `json:"cases"`
	LeftOut     []leftOutObject    `json:"left_out"`
	Submissions []submissionObject `json:"submissions"`
	Elapsed     time.Duration      `json:"elapsed_ns"`
}

// leftOutObject is an optional group that was not judged.
type leftOutObject struct {
	Group string `json:"group"`
	Cases int    `json:"cases"`
	Note  string `json:"note"`
}

type limitsObject struct {
	CPU       time.Duration `json:"cpu_ns"`
	Wall      time.Duration `json:"wall_ns"`
	Memory    bytesNumber   `json:"memory_bytes"`
	Output    bytesNumber   `json:"output_bytes"`
	Processes int           `json:"processes"`
	CPUs      int           `json:"cpus"`
}

type submissionObject struct {
	Name     string      `json:"name"`
	Language string      `json:"language"`
	Build    buildObject `json:"build"`
	outcomeObject
	Cases []caseObject `json:"cases"`
}

// outcomeObject is what a Done tells.
type outcomeObject struct {
	Verdict      verdict.Verdict `json:"verdict"`
	Expected     verdict.Verdict `json:"expected"`
	AsExpected   *bool           `json:"as_expected"`
	FirstFailure string          `json:"first_failure"`
	Cause        string          `json:"cause"`
	Passed       int             `json:"passed"`
	Judged       int             `json:"judged"`
	Total        int             `json:"total"`
	Points       *pointsObject   `json:"points"`
	Worst        worstObject     `json:"worst"`
}

type buildObject struct {
	Cached bool          `json:"cached"`
	Time   time.Duration `json:"time_ns"`
	Error  string        `json:"error"`
}

type worstObject struct {
	CPU    time.Duration `json:"cpu_ns"`
	Wall   time.Duration `json:"wall_ns"`
	Memory bytesNumber   `json:"memory_bytes"`
}

type caseObject struct {
	Name      string          `json:"name"`
	Verdict   verdict.Verdict `json:"verdict"`
	Cause     string          `json:"cause"`
	Stop      string          `json:"stop"`
	ExitCode  int             `json:"exit_code"`
	Signal    string          `json:"signal"`
	CPU       time.Duration   `json:"cpu_ns"`
	Wall      time.Duration   `json:"wall_ns"`
	Memory    bytesNumber     `json:"memory_bytes"`
	Stdout    int64           `json:"stdout_bytes"`
	Stderr    int64           `json:"stderr_bytes"`
	StderrEnd string          `json:"stderr"`
	Truncated bool            `json:"stderr_truncated"`
	Mismatch  *diff.Mismatch  `json:"mismatch"`
	Message   string          `json:"message"`
	Kept      string          `json:"kept"`
	Waited    time.Duration   `json:"waited_ns"`
	Score     *figure         `json:"score"`
	Attempts  []attemptObject `json:"attempts"`
	Unstable  bool            `json:"unstable"`
	Spread    *spreadObject   `json:"spread"`
	Cached    bool            `json:"cached"`
}

type attemptObject struct {
	Verdict verdict.Verdict `json:"verdict"`
	CPU     time.Duration   `json:"cpu_ns"`
	Wall    time.Duration   `json:"wall_ns"`
	Memory  bytesNumber     `json:"memory_bytes"`
	Waited  time.Duration   `json:"waited_ns"`
}

type spreadObject struct {
	CPU    spreadTimes `json:"cpu"`
	Wall   spreadTimes `json:"wall"`
	Memory bytesNumber `json:"memory_bytes"`
}

type spreadTimes struct {
	Least  time.Duration `json:"min_ns"`
	Median time.Duration `json:"median_ns"`
	Most   time.Duration `json:"max_ns"`
}

func timesOf(list []grade.Attempt, measure func(grade.Attempt) time.Duration) spreadTimes {
	s := spreadOf(list, measure)
	return spreadTimes{s.least, s.median, s.most}
}

// bytesNumber is a limits.Bytes that is a number in JSON and not a text.
type bytesNumber int64

// NewJSON returns a JSON that writes to w.
func NewJSON(w io.Writer) *JSON { return &JSON{w: w} }

// Event takes note of e, and writes the document if it is the End. Errors are
// kept for Close.
func (j *JSON) Event(e grade.Event) {
	d := &j.doc
	switch e := e.(type) {
	case *grade.Begin:
		j.begin(e)
	case *grade.Built:
		s := &d.Submissions[e.Submission]
		s.Language = e.Language
		s.Build = newBuild(e)
	case *grade.Case:
		s := &d.Submissions[e.Submission]
		s.Cases = append(s.Cases, newCase(e))
	case *grade.Done:
		d.Submissions[e.Submission].outcomeObject = newOutcome(e)
	case *grade.End:
		d.Elapsed = e.Elapsed
		j.ended = true
		var text []byte
		if text, j.err = encode(d, "  "); j.err == nil {
			_, j.err = j.w.Write(text)
		}
	}
}

// Close returns the error of writing the document. A stream that broke off
// before its End has no document, and is no error here.
func (j *JSON) Close() error { return j.err }

func (j *JSON) begin(b *grade.Begin) {
	j.doc = document{
		Schema: Schema, Judge: version.Build(), Problem: b.Problem, Title: b.Title, Compare: b.Compare,
		Slots: b.Slots, CPUs: b.CPUs, WantedCPUs: b.WantedCPUs,
		Limits:      newLimits(b.Limits),
		Mechanisms:  b.Mechanisms,
		Notes:       copied(b.Notes),
		Busy:        copied(b.Busy),
		Repeat:      b.Repeat,
		Cases:       copied(b.Cases),
		LeftOut:     []leftOutObject{},
		Submissions: make([]submissionObject, len(b.Submissions)),
	}
	for _, g := range b.LeftOut {
		j.doc.LeftOut = append(j.doc.LeftOut, leftOutObject{g.Name, g.Cases, g.Note})
	}
	for i, name := range b.Submissions {
		j.doc.Submissions[i] = submissionObject{Name: name, outcomeObject: outcomeObject{Total: len(b.Cases)}, Cases: []caseObject{}}
	}
}

func newLimits(l limits.Limits) limitsObject {
	return limitsObject{l.CPU, l.Wall, bytesNumber(l.Memory), bytesNumber(l.Output), l.Processes, l.CPUs}
}

func newBuild(e *grade.Built) buildObject {
	return buildObject{Cached: e.Cached, Time: e.Time, Error: firstPart(e.Error)}
}

func newOutcome(e *grade.Done) outcomeObject {
	o := outcomeObject{
		Verdict: e.Verdict, Expected: e.Expected, FirstFailure: e.First, Cause: e.Cause,
		Passed: e.Passed, Judged: e.Judged, Total: e.Total, Points: newPoints(e.Points),
		Worst: worstObject{e.CPU, e.Wall, bytesNumber(e.Memory)},
	}
	if e.Expected != verdict.None || e.Broken != nil {
		o.AsExpected = new(e.Expected == e.Verdict && e.Broken == nil)
	}
	return o
}

func newCase(e *grade.Case) caseObject {
	r := e.Result
	c := caseObject{
		Name: e.Name, Verdict: e.Verdict, Cause: e.Cause,
		Stop: r.Stop.String(), ExitCode: r.ExitCode, Signal: sandbox.ShortSignal(r.Signal),
		CPU: r.CPU, Wall: r.Wall, Memory: bytesNumber(r.Memory), Stdout: r.Stdout, Stderr: r.Stderr,
		StderrEnd: lastPart(e.Stderr), Truncated: e.Truncated || len(e.Stderr) > maxText,
		Message: firstPart(e.Message), Kept: e.Kept, Score: (*figure)(e.Score),
		Waited: r.Waited, Attempts: []attemptObject{}, Unstable: e.Unstable, Cached: e.Cached,
	}
	for _, a := range e.Attempts {
		c.Attempts = append(c.Attempts, attemptObject{a.Verdict, a.CPU, a.Wall, bytesNumber(a.Memory), a.Waited})
	}
	if measured(e.Attempts) {
		c.Spread = &spreadObject{
			CPU: timesOf(e.Attempts, cpuOf), Wall: timesOf(e.Attempts, wallOf),
			Memory: bytesNumber(spreadOf(e.Attempts, memoryOf).most),
		}
	}
	if e.Verdict == verdict.JE {
		c.Stop = "" // there was no run to end
	}
	c.Mismatch = newMismatch(e.Mismatch)
	return c
}

// newMismatch returns m without nil lists; nil for nil.
func newMismatch(m *diff.Mismatch) *diff.Mismatch {
	if m == nil {
		return nil
	}
	c := *m
	c.Notes, c.Lines = copied(m.Notes), copied(m.Lines)
	return &c
}

// copied returns a copy that is not nil: an empty list is [], never null.
func copied[T any](of []T) []T { return append([]T{}, of...) }

func firstPart(text string) string { return strings.Clone(text[:min(len(text), maxText)]) }

func lastPart(text string) string { return strings.Clone(text[max(0, len(text)-maxText):]) }

// encode returns v as JSON in which all but printable characters are escaped, so
// that a terminal shows it as safely as a file holds it. Without an indent it is one
// line.
func encode(v any, indent string) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", indent)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	// The encoder has escaped the control characters of ASCII but for DEL, and
	// other characters occur in strings only.
	var out bytes.Buffer
	for _, r := range b.String() {
		switch {
		case r == '\n' || unicode.IsPrint(r):
			out.WriteRune(r)
		case r > 0xffff:
			hi, lo := utf16.EncodeRune(r)
			fmt.Fprintf(&out, `\u%04x\u%04x`, hi, lo)
		default:
			fmt.Fprintf(&out, `\u%04x`, r)
		}
	}
	return out.Bytes(), nil
}

// StripMeasurements returns the document without what may differ between two
// runs of the same programs on the same host: outside of "limits", the fields
// whose names end in _ns, and memory_bytes, stdout_bytes, stderr_bytes and
// cached; busy; whether and how a case was run again, which is attempts, unstable
// and spread; and of a program that was stopped what it wrote to standard error.
// The order of the fields becomes that of their names. A document of another form
// than [Schema] is an error.
func StripMeasurements(doc []byte) ([]byte, error) {
	d := json.NewDecoder(bytes.NewReader(doc))
	d.UseNumber()
	var v map[string]any
	if err := d.Decode(&v); err != nil {
		return nil, fmt.Errorf("not a report in JSON: %w", err)
	}
	if _, err := d.Token(); err != io.EOF || v["schema"] != Schema {
		return nil, fmt.Errorf("not one document of the form %s", Schema)
	}
	given, ok := v["limits"]
	delete(v, "limits")
	strip(v)
	if ok {
		v["limits"] = given
	}
	return encode(v, "  ")
}

func strip(v any) {
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			strip(e)
		}
	case map[string]any:
		stop, _ := v["stop"].(string)
		stopped := strings.HasPrefix(stop, "over_")
		for name, e := range v {
			switch {
			case strings.HasSuffix(name, "_ns"),
				name == "memory_bytes", name == "stdout_bytes", name == "stderr_bytes", name == "cached",
				name == "busy", name == "attempts", name == "unstable", name == "spread",
				(name == "stderr" || name == "stderr_truncated") && stopped:
				delete(v, name)
			default:
				strip(e)
			}
		}
	}
}
