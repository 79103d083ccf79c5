package format

import (
	"io"

	"tribunal/judge/internal/document"
)

// ErrorSchema names the form of the documents that [ErrorJSON] writes. It changes as
// [account.Schema] does.
const ErrorSchema = "tribunal/error/1"

// ErrorDocument is the form of these documents.
type ErrorDocument struct {
	document.Head
	Status int      `json:"status"`
	Errors []string `json:"errors"`
}

// ErrorJSON writes the exit status and the errors of a failed command on one line, in place of
// another document. docs/json.md describes the form.
func ErrorJSON(w io.Writer, status int, errors []string) error {
	return document.Line(w, ErrorDocument{document.NewHead(ErrorSchema), status, errors})
}

// errorLine writes the document of [ErrorJSON] as the last line of a stream.
func errorLine(w io.Writer, status int, errors []string) error {
	return document.Line(w, Kind{"error"}, ErrorDocument{document.NewHead(ErrorSchema), status, errors})
}
