package build

import (
	"errors"
	"regexp"
	"strconv"
	"strings"
	"syscall"

	"tribunal/judge/internal/yamlstrict"
)

// locatedForm matches errors about sources, of the form file:line: text (hint: hint).
var locatedForm = regexp.MustCompile(`^(.+?)(?::([0-9]+))?: (.+?)(?: \(hint: (.+)\))?$`)

// Located splits an error of Open for the source of that name into its place, which is a line of a
// file, a file, or at least the name, and its text. It wraps an error of the system, so that
// callers can tell a source that cannot be read.
func Located(name string, err error) *yamlstrict.Error {
	e := &yamlstrict.Error{File: name, Msg: err.Error()}
	if m := locatedForm.FindStringSubmatch(e.Msg); m != nil && (m[2] != "" || strings.HasPrefix(m[1], name)) {
		line, _ := strconv.Atoi(m[2])
		e = &yamlstrict.Error{File: m[1], Line: line, Msg: m[3], Hint: m[4]}
	}
	if cause, ok := errors.AsType[syscall.Errno](err); ok {
		e.Err = cause
	}
	return e
}
