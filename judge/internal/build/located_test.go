package build

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"
	"testing"
)

func TestLocated(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ why, err, want string }{
		{"a line of one of its files", "ref/a/b.go:3: import of x (hint: no)", "ref/a/b.go:3 import of x no"},
		{"a file", "ref/a/b.txt: too large", "ref/a/b.txt:0 too large "},
		{"the folder itself", "ref/a: files of several languages: c, go (hint: choose the language, on a command line with --lang)", "ref/a:0 files of several languages: c, go choose the language, on a command line with --lang"},
		{"a line of another file", "go.mod:1: no module line", "go.mod:1 no module line "},
		{"another file", "other/b.s: needs cgo", "ref/a:0 other/b.s: needs cgo "},
		{"no place", "broken", "ref/a:0 broken "},
	} {
		e := Located("ref/a", errors.New(tt.err))
		if got := fmt.Sprintf("%s:%d %s %s", e.File, e.Line, e.Msg, e.Hint); got != tt.want || e.Err != nil {
			t.Errorf("%s: got %q, want %q", tt.why, got, tt.want)
		}
	}
	if e := Located("ref/a", fmt.Errorf("ref/a/b.go: %w", &fs.PathError{Op: "open", Path: "b.go", Err: syscall.EMFILE})); !errors.Is(e, syscall.EMFILE) {
		t.Errorf("%v does not wrap the error of the system", e)
	}
}
