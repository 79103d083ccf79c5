package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"tribunal/judge/internal/account"
	"tribunal/judge/internal/document"
	"tribunal/judge/internal/grade"
)

// A JSON writes the account of one Grade call as one JSON document, described in
// docs/json.md, when the stream ends. It is not safe for concurrent use.
type JSON struct {
	w   io.Writer
	x   *account.Execution
	err error
}

// NewJSON returns a JSON that writes x to w. All cases of x must keep their details.
func NewJSON(w io.Writer, x *account.Execution) *JSON { return &JSON{w: w, x: x} }

// Event writes the document if e is the End. Errors are kept for Close.
func (j *JSON) Event(e grade.Event) {
	if _, ended := e.(*grade.End); ended {
		j.err = document.Write(j.w, j.x)
	}
}

// Close returns the error of writing the document. A stream that broke off
// before its End has no document, and is no error here.
func (j *JSON) Close() error { return j.err }

// StripMeasurements returns the document without the fields that may differ between two runs of the
// same programs on the same host: outside of "limits", the fields whose names end in _ns, and
// memory_bytes, stdout_bytes, stderr_bytes and cached; busy; attempts, unstable and spread, which
// say whether and how a case was run again; and the standard error of programs that were stopped.
// Fields are sorted by name. A document of another form than [account.Schema] is an error.
func StripMeasurements(doc []byte) ([]byte, error) {
	d := json.NewDecoder(bytes.NewReader(doc))
	d.UseNumber()
	var v map[string]any
	if err := d.Decode(&v); err != nil {
		return nil, fmt.Errorf("not a report in JSON: %w", err)
	}
	if _, err := d.Token(); err != io.EOF || v["schema"] != account.Schema {
		return nil, fmt.Errorf("not one document of the form %s", account.Schema)
	}
	given, ok := v["limits"]
	delete(v, "limits")
	strip(v)
	if ok {
		v["limits"] = given
	}
	var b bytes.Buffer
	err := document.Write(&b, v)
	return b.Bytes(), err
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
