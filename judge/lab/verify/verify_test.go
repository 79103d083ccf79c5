package verify

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"
	"testing"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/casedata"
	"tribunal/judge/internal/yamlstrict"
)

// TestSettle checks which errors become findings, which become notes, and which are returned.
func TestSettle(t *testing.T) {
	t.Parallel()
	wrong := &yamlstrict.Error{File: "problems/a.yaml", Line: 3, Msg: "wrong", Hint: "mend it"}
	busy := errors.New("no room for a container")
	for _, tt := range []struct {
		why                   string
		err                   error
		found, noted, returns string
	}{
		{"no error", nil, "", "", ""},
		{"located", wrong, "problems/a.yaml:3: names: wrong (hint: mend it)", "", ""},
		{"wrapped", fmt.Errorf("reading: %w", wrong), "problems/a.yaml:3: names: wrong (hint: mend it)", "", ""},
		{"no such file", yamlstrict.FileError("cases/a", fs.ErrNotExist), "cases/a: names: file does not exist", "", ""},
		{"a file that this process cannot open", yamlstrict.FileError("cases/a", syscall.EMFILE), "", "", "cases/a: too many open files"},
		{"a program that does not compile", &casedata.ProgramError{Folder: "reference/a/gen", Cause: "does not compile", Stderr: "main.go:1: what\nmore"}, "reference/a/gen: names: does not compile: main.go:1: what", "", ""},
		{"no compiler for the repository's own problem", &build.MissingError{Language: "c", Tool: "gcc"}, "", "", "language c: gcc not found (hint: install it, or set languages.c in runner.yaml)"},
		{"the judge's own failure", busy, "", "", "no room for a container"},
		{"interrupted", context.Canceled, "", "", "context canceled"},
		{"several", errors.Join(wrong, busy), "problems/a.yaml:3: names: wrong (hint: mend it)", "", "no room for a container"},
	} {
		v := &verification{report: &Report{}, check: "names", about: "a", env: &Environment{}}
		err := v.settle(tt.err)
		v.settle(tt.err) // reports nothing a second time
		var found, noted []string
		for _, f := range v.report.Findings {
			found = append(found, f.String())
		}
		for _, n := range v.report.Notes {
			noted = append(noted, n.String())
		}
		got := ""
		if err != nil {
			got = err.Error()
		}
		if f, n := strings.Join(found, "\n"), strings.Join(noted, "\n"); f != tt.found || !strings.HasPrefix(n, tt.noted) || tt.noted == "" && n != "" || got != tt.returns {
			t.Errorf("%s: found %q, noted %q, returned %q", tt.why, f, n, got)
		}
	}
}
