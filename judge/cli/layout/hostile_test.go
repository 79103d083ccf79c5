package layout_test

import (
	"io"
	"testing"
	"time"

	"tribunal/judge/cli/layout"
	"tribunal/judge/cli/layout/layouttest"
)

// TestHostileBar checks that a bar escapes the names of stages, and what it says.
func TestHostileBar(t *testing.T) {
	t.Parallel()
	layouttest.Hostile(t, map[string]layouttest.Renderer{
		"NewBar": func(w io.Writer, spoil func(any)) {
			what, say := "a stage", "a text"
			spoil(&what)
			spoil(&say)
			b := layout.NewBar(w, 80, what, time.Now())
			b.Count(1, 2, say)
			b.Draw()
			b.Stop()
		},
	})
}
