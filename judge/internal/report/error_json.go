package report

import (
	"io"

	"tribunal/judge/internal/document"
)

// ErrorSchema names the form of the documents that [ErrorJSON] writes; what [account.Schema]
// says of its own holds here too.
const ErrorSchema = "tribunal/error/1"

type errorDocument struct {
	document.Head
	Status int      `json:"status"`
	Errors []string `json:"errors"`
}

// ErrorJSON writes, on one line, why there is no other document: the exit status and the
// errors, described in docs/json.md.
func ErrorJSON(w io.Writer, status int, errors []string) error {
	return document.Line(w, errorDocument{document.NewHead(ErrorSchema), status, errors})
}

// errorLine writes the same as the last line of a stream.
func errorLine(w io.Writer, status int, errors []string) error {
	return document.Line(w, kindObject{"error"}, errorDocument{document.NewHead(ErrorSchema), status, errors})
}
