package build

import (
	"errors"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"

	"tribunal/judge/internal/yamlstrict"
)

// locatedForm matches the text of an error about a source: "file:line: text (hint: hint)".
var locatedForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(.+?)(?::([0-9]+))?: (.+?)(?: \(hint: (.+)\))?$`) })

// Located converts an error of [Open] for the source called name into one with a place: a line of a
// file, a file, or at least the name. It wraps the error of the system or an [ExtensionError], if any,
// so that callers can recognize a source that cannot be read, or has no language.
func Located(name string, err error) *yamlstrict.Error {
	e := &yamlstrict.Error{File: name, Msg: err.Error()}
	if m := locatedForm().FindStringSubmatch(e.Msg); m != nil && (m[2] != "" || strings.HasPrefix(m[1], name)) {
		line, _ := strconv.Atoi(m[2])
		e = &yamlstrict.Error{File: m[1], Line: line, Msg: m[3], Hint: m[4]}
	}
	if cause, ok := errors.AsType[syscall.Errno](err); ok {
		e.Err = cause
	} else if unknown, ok := errors.AsType[*ExtensionError](err); ok {
		e.Err = unknown
	}
	return e
}
