package report

import (
	"testing"

	"tribunal/judge/cli/layout"
	"tribunal/judge/internal/verdict"
	"tribunal/judge/internal/verdict/verdicttest"
)

// TestEveryVerdictIsShown checks the colour and the character of each verdict, and that no two
// verdicts share a character.
func TestEveryVerdictIsShown(t *testing.T) {
	t.Parallel()
	verdicttest.Each(t, map[verdict.Verdict]glyph{
		verdict.None: {"_", layout.Dim},
		verdict.AC:   {"·", layout.Good},
		verdict.PE:   {"P", layout.Bad},
		verdict.WA:   {"W", layout.Bad},
		verdict.NO:   {"N", layout.Bad},
		verdict.TLE:  {"T", layout.Bad},
		verdict.ILE:  {"I", layout.Bad},
		verdict.MLE:  {"M", layout.Bad},
		verdict.OLE:  {"O", layout.Bad},
		verdict.RTE:  {"R", layout.Bad},
		verdict.SV:   {"S", layout.Bad},
		verdict.CE:   {"C", layout.Bad},
		verdict.JE:   {"J", layout.Broken},
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
