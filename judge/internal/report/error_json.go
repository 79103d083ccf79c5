package report

import (
	"io"

	"tribunal/judge/internal/version"
)

// ErrorSchema names the form of the documents that [ErrorJSON] writes; what [Schema] says
// of its own holds here too.
const ErrorSchema = "tribunal/error/1"

type errorDocument struct {
	Schema string   `json:"schema"`
	Judge  string   `json:"judge"`
	Status int      `json:"status"`
	Errors []string `json:"errors"`
}

// ErrorJSON writes, on one line, why there is no other document: the exit status and the
// errors, described in docs/json.md.
func ErrorJSON(w io.Writer, status int, errors []string) error {
	text, err := encode(errorDocument{ErrorSchema, version.Build(), status, copied(errors)}, "")
	if err != nil {
		return err
	}
	_, err = w.Write(text)
	return err
}
