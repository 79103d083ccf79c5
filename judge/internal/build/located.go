package build

import (
	"errors"
	"regexp"
	"strconv"
	"strings"
	"syscall"

	"tribunal/judge/internal/yamlstrict"
)

// words are those of an error about sources: file:line: text (hint: hint).
var words = regexp.MustCompile(`^(.+?)(?::([0-9]+))?: (.+?)(?: \(hint: (.+)\))?$`)

// Located returns what Open says about the source of that name with its place apart:
// a line of a file, a file, or at the least the name. An error of the system stays
// within it, since what cannot be read may be as it should.
func Located(name string, err error) *yamlstrict.Error {
	e := &yamlstrict.Error{File: name, Msg: err.Error()}
	if m := words.FindStringSubmatch(e.Msg); m != nil && (m[2] != "" || strings.HasPrefix(m[1], name)) {
		line, _ := strconv.Atoi(m[2])
		e = &yamlstrict.Error{File: m[1], Line: line, Msg: m[3], Hint: m[4]}
	}
	if cause, ok := errors.AsType[syscall.Errno](err); ok {
		e.Err = cause
	}
	return e
}
