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

// A JSON is a sink that writes the results of judge grade as one JSON document when the events end.
// docs/json.md describes the document. A JSON is not safe for concurrent use.
type JSON struct {
	w   io.Writer
	x   *account.Execution
	err error
}

// NewJSON returns a JSON that writes x to w. x must keep the details of all cases.
func NewJSON(w io.Writer, x *account.Execution) *JSON { return &JSON{w: w, x: x} }

// Event writes the document if e is a *grade.End. Close returns its error.
func (j *JSON) Event(e grade.Event) {
	if _, ended := e.(*grade.End); ended {
		j.err = document.Write(j.w, j.x)
	}
}

// Close returns the error of writing the document. It returns nil if the events ended without a
// *grade.End, and so without a document.
func (j *JSON) Close() error { return j.err }

// StripMeasurements returns a JSON document without the fields that may differ between two runs of
// the same programs on the same host. These are, outside of "limits": the fields whose names end in
// _ns; memory_bytes, stdout_bytes, stderr_bytes, cached and busy; attempts, unstable and spread,
// which describe repeated runs; and the standard error of programs that were stopped at a limit. It
// sorts fields by name. If the document does not have the form [account.Schema], StripMeasurements
// returns an error.
func StripMeasurements(doc []byte) ([]byte, error) {
	d := json.NewDecoder(bytes.NewReader(doc))
	d.UseNumber()
	var v map[string]any
	if err := d.Decode(&v); err != nil {
		return nil, fmt.Errorf("not a JSON report: %w", err)
	}
	if _, err := d.Token(); err != io.EOF || v["schema"] != account.Schema {
		return nil, fmt.Errorf("not a single document of the form %s", account.Schema)
	}
	strip(v)
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
			case name == "limits", name == "exceptions": // these are not measured
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
