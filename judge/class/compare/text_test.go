package compare

import (
	"io"
	"testing"

	"tribunal/judge/cli/layout"
	"tribunal/judge/cli/layout/layouttest"
	"tribunal/judge/internal/verdict"
)

// TestHostileReport tries every function that writes.
func TestHostileReport(t *testing.T) {
	t.Parallel()
	layouttest.Try(t, map[string]layouttest.Renderer{
		"Text": func(w io.Writer, spoil func(any)) {
			old := Result{Verdict: verdict.AC, Points: new(1.0), First: "edge/one"}
			c := Change{Name: Name{Problem: "maze", Submission: "a.c"}, Old: old, New: Result{Verdict: verdict.WA, Points: new(0.5), First: "edge/one"}}
			r := Report{Verdicts: []Change{c}, Slower: []Change{c}, Faster: []Change{c}, Added: []Name{c.Name}, Gone: []Name{c.Name}}
			spoil(&r)
			Text(w, &r, layout.Options{Color: true})
		},
	})
}
