package pkgexport

import (
	"testing"

	"tribunal/judge/internal/verdict"
	"tribunal/judge/internal/verdict/verdicttest"
)

// TestEveryVerdict pins for each verdict the folder of examples that promise it, the verdict in
// submissions.yaml, the annotation of DOMjudge, and the tag and note of Polygon.
func TestEveryVerdict(t *testing.T) {
	t.Parallel()
	type row struct {
		folder, required, domjudge string
		polygon, note              string
	}
	verdicttest.Each(t, map[verdict.Verdict]row{
		verdict.AC:  {"accepted", "AC", "CORRECT", "accepted", ""},
		verdict.PE:  {"rejected", "WA", "WRONG-ANSWER", "presentation-error", ""},
		verdict.WA:  {"wrong_answer", "WA", "WRONG-ANSWER", "wrong-answer", ""},
		verdict.NO:  {"rejected", "WA", "NO-OUTPUT, WRONG-ANSWER", "rejected", "no output"},
		verdict.TLE: {"time_limit_exceeded", "TLE", "TIMELIMIT", "time-limit-exceeded", ""},
		verdict.ILE: {"rejected", "TLE", "TIMELIMIT", "rejected", "idleness limit exceeded"},
		verdict.MLE: {"rejected", "RTE", "MEMORY-LIMIT, RUN-ERROR", "memory-limit-exceeded", ""},
		verdict.OLE: {"rejected", "RTE", "OUTPUT-LIMIT", "rejected", "output limit exceeded"},
		verdict.RTE: {"run_time_error", "RTE", "RUN-ERROR", "rejected", "run-time error"},
		verdict.SV:  {"rejected", "RTE", "RUN-ERROR", "rejected", "security violation"},
		verdict.CE:  {"rejected", "CE", "COMPILER-ERROR", "rejected", "compile error"},
		verdict.JE:  {"", "JE", "", "rejected", "judging error"}, // no example promises JE
	}, func(v verdict.Verdict, want row) {
		got := row{folder: folder(v), required: v.ICPC().String(), domjudge: v.DOMjudge()}
		if got.polygon, got.note = tag(v, false); got != want {
			t.Errorf("%v: %+v, want %+v", v, got, want)
		}
		if v.Is(verdict.WrongOutput) && v != verdict.WA {
			want.polygon, want.note = "wrong-answer", v.Title()
		}
		if got, note := tag(v, true); got != want.polygon || note != want.note {
			t.Errorf("%v beside a checker: %s, %s; want %s, %s", v, got, note, want.polygon, want.note)
		}
	})
}
