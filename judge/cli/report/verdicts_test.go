package report

import (
	"testing"

	"tribunal/judge/internal/verdict"
	"tribunal/judge/internal/verdict/verdicttest"
)

// TestEveryVerdictIsShown checks the colour and the character of each verdict, and that no two
// verdicts share a character.
func TestEveryVerdictIsShown(t *testing.T) {
	t.Parallel()
	verdicttest.Each(t, map[verdict.Verdict]glyph{
		verdict.None: {"_", dim},
		verdict.AC:   {"·", good},
		verdict.PE:   {"P", bad},
		verdict.WA:   {"W", bad},
		verdict.NO:   {"N", bad},
		verdict.TLE:  {"T", bad},
		verdict.ILE:  {"I", bad},
		verdict.MLE:  {"M", bad},
		verdict.OLE:  {"O", bad},
		verdict.RTE:  {"R", bad},
		verdict.SV:   {"S", bad},
		verdict.CE:   {"C", bad},
		verdict.JE:   {"J", broken},
	}, func(v verdict.Verdict, want glyph) {
		if got := mark(v); got != want {
			t.Errorf("%v is shown as %v, want %v", v, got, want)
		}
		for _, w := range verdict.All() {
			if w != v && mark(w).text == mark(v).text {
				t.Errorf("%v and %v are shown alike", v, w)
			}
		}
	})
}
