package verdict_test

import (
	"strings"
	"testing"

	"tribunal/judge/internal/verdict"
	"tribunal/judge/internal/verdict/verdicttest"
)

// TestTable pins the properties of each verdict.
func TestTable(t *testing.T) {
	t.Parallel()
	type row struct {
		kind  verdict.Kind
		icpc  verdict.Verdict
		class string // the verdicts that a judge that knows only the big five may call this one
		dj    string
		over  bool
	}
	verdicttest.Each(t, map[verdict.Verdict]row{
		verdict.None: {verdict.NotJudged, verdict.None, "", "", false},
		verdict.AC:   {verdict.Accepted, verdict.AC, "AC", "CORRECT", false},
		verdict.PE:   {verdict.WrongOutput, verdict.WA, "PE", "WRONG-ANSWER", false},
		verdict.WA:   {verdict.WrongOutput, verdict.WA, "PE, WA, NO", "WRONG-ANSWER", false},
		verdict.NO:   {verdict.WrongOutput, verdict.WA, "NO", "NO-OUTPUT, WRONG-ANSWER", false},
		verdict.TLE:  {verdict.TooSlow, verdict.TLE, "TLE, ILE, OLE", "TIMELIMIT", true},
		verdict.ILE:  {verdict.TooSlow, verdict.TLE, "ILE", "TIMELIMIT", true},
		verdict.MLE:  {verdict.TooMuch, verdict.RTE, "MLE", "MEMORY-LIMIT, RUN-ERROR", true},
		verdict.OLE:  {verdict.TooMuch, verdict.RTE, "OLE", "OUTPUT-LIMIT", true},
		verdict.RTE:  {verdict.Crashed, verdict.RTE, "MLE, OLE, RTE, SV", "RUN-ERROR", false},
		verdict.SV:   {verdict.Crashed, verdict.RTE, "SV", "RUN-ERROR", false},
		verdict.CE:   {verdict.NotBuilt, verdict.CE, "CE", "COMPILER-ERROR", false},
		verdict.JE:   {verdict.JudgeFailed, verdict.JE, "JE", "", false},
	}, func(v verdict.Verdict, want row) {
		if got := (row{v.Kind(), v.ICPC(), v.Class().String(), v.DOMjudge(), v.OverLimit()}); got != want {
			t.Errorf("%v: %+v, want %+v", v, got, want)
		}
	})
	if got := verdict.SetOf(verdict.BigFive()...).String(); got != "AC, WA, TLE, RTE, CE" {
		t.Errorf("the big five are %s", got)
	}
	if got := verdict.OfCase().String(); got != "AC, PE, WA, NO, TLE, ILE, MLE, OLE, RTE, SV" {
		t.Errorf("a case may get %s", got)
	}
}

// TestRows checks that every row is complete and differs from the others.
func TestRows(t *testing.T) {
	t.Parallel()
	seen := map[string]verdict.Verdict{}
	unique := func(v verdict.Verdict, text string) {
		if w, taken := seen[text]; taken || text == "" {
			t.Errorf("%v has %q, and so has %v", v, text, w)
		}
		seen[text] = v
	}
	for _, v := range verdict.All() {
		unique(v, v.String())
		unique(v, v.Title())
		if v != verdict.JE {
			unique(v, "folder "+v.Folder())
		}
		if v.Kind() == verdict.NotJudged {
			t.Errorf("%v has no kind", v)
		}
		if verdict.Worst(v, verdict.None) != v || verdict.Worst(verdict.None, v) != v {
			t.Errorf("%v has no rank", v)
		}
		if v != verdict.AC && (verdict.Worst(v, verdict.AC) != v || verdict.Worst(verdict.AC, v) != v) {
			t.Errorf("%v loses against AC", v)
		}
		if !v.ICPC().Class().Has(v) {
			t.Errorf("%v is not one of the class of %v", v, v.ICPC())
		}
		for result := range strings.SplitSeq(v.DOMjudge(), ", ") {
			if w, ok := verdict.Named(result); result != "" && (!ok || !w.Class().Has(v)) {
				t.Errorf("%v is %q for DOMjudge, which Named reads as %v", v, result, w)
			}
		}
		for _, name := range []string{v.String(), strings.ToLower(v.String()), v.Title(), strings.ToUpper(strings.ReplaceAll(v.Title(), " ", "-"))} {
			if w, ok := verdict.Named(name); !ok || w != v {
				t.Errorf("%q names %v, want %v", name, w, v)
			}
		}
		if v >= 16 {
			t.Errorf("%v does not fit into a Set", v)
		}
	}
}

func TestNamed(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]verdict.Verdict{
		"correct": verdict.AC, "TIMELIMIT": verdict.TLE, "time-limit": verdict.TLE, "Run Error": verdict.RTE,
		"RUNTIME_ERROR": verdict.RTE, "run-time-error": verdict.RTE, "compiler-error": verdict.CE, "compilation error": verdict.CE,
		"No-Output": verdict.NO, "idleness-limit": verdict.ILE, "memory_limit": verdict.MLE, " output limit ": verdict.OLE,
		"check-failed": verdict.JE, "compare-error": verdict.JE, "internal-error": verdict.JE,
		"": verdict.None, "not judged": verdict.None, "RE": verdict.None, "rejected": verdict.None,
	} {
		if got, ok := verdict.Named(name); got != want || ok != (want != verdict.None) {
			t.Errorf("%q names %v, %v, want %v", name, got, ok, want)
		}
	}
}
