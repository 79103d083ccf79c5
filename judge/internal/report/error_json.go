package report

import (
	"io"

	"tribunal/judge/internal/document"
)

// ErrorSchema names the form of the documents that [ErrorJSON] writes. It changes as
// [account.Schema] does.
const ErrorSchema = "tribunal/error/1"

type errorDocument struct {
	document.Head
	Status int      `json:"status"`
	Errors []string `json:"errors"`
}

// ErrorJSON writes, on one line, why there is no other document: the exit status and the errors.
// docs/json.md describes it.
func ErrorJSON(w io.Writer, status int, errors []string) error {
	return document.Line(w, errorDocument{document.NewHead(ErrorSchema), status, errors})
}

// errorLine writes the same as the last line of a stream.
func errorLine(w io.Writer, status int, errors []string) error {
	return document.Line(w, kindObject{"error"}, errorDocument{document.NewHead(ErrorSchema), status, errors})
}
