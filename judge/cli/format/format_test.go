package format_test

import (
	"io"
	"testing"

	"tribunal/judge/cli/format"
	"tribunal/judge/cli/layout/layouttest"
)

// TestHostileErrors checks that each format escapes the texts of errors.
func TestHostileErrors(t *testing.T) {
	t.Parallel()
	layouttest.Hostile(t, map[string]layouttest.Renderer{
		"ErrorJSON": func(w io.Writer, spoil func(any)) {
			l := []string{"no such file"}
			spoil(&l)
			format.ErrorJSON(w, 2, l)
		},
		"WriteError": func(w io.Writer, spoil func(any)) {
			l := []string{"no such file"}
			spoil(&l)
			for _, name := range format.AllNames() {
				format.WriteError(name, w, 2, l)
			}
		},
	})
}
