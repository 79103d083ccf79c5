package verify

import (
	"strings"
	"testing"

	"tribunal/judge/internal/cases"
	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/verdict"
	"tribunal/judge/internal/verdict/verdicttest"
)

// TestRecordBrute records each verdict as the brute's result on a case.
func TestRecordBrute(t *testing.T) {
	t.Parallel()
	disagrees := "case edge/one: brute disagrees: because (hint: the brute or the reference is wrong)"
	gets := func(v verdict.Verdict) string {
		return "case edge/one: brute gets " + v.String() + ": because (hint: a brute declines a case by exit status 3)"
	}
	type row struct {
		counted Reach
		found   string
	}
	verdicttest.Each(t, map[verdict.Verdict]row{
		verdict.AC:  {Reach{Agrees: 1}, ""},
		verdict.PE:  {Reach{}, disagrees},
		verdict.WA:  {Reach{}, disagrees},
		verdict.NO:  {Reach{}, disagrees},
		verdict.TLE: {Reach{Beyond: 1}, ""},
		verdict.ILE: {Reach{Beyond: 1}, ""},
		verdict.MLE: {Reach{Beyond: 1}, ""},
		verdict.OLE: {Reach{Beyond: 1}, ""},
		verdict.RTE: {Reach{}, gets(verdict.RTE)},
		verdict.SV:  {Reach{}, gets(verdict.SV)},
		verdict.CE:  {Reach{}, gets(verdict.CE)}, // cases never get CE
		verdict.JE:  {Reach{}, gets(verdict.JE)},
	}, func(v verdict.Verdict, want row) {
		s := &subject{verification: &verification{report: &Report{}}, set: &cases.Set{Cases: []cases.Case{{Name: "edge/one"}}}}
		s.recordBrute(&grade.Case{Name: "edge/one", Verdict: v, Cause: "because", Result: sandbox.Result{ExitCode: 1}})
		found := ""
		for _, f := range s.report.Findings {
			found += f.String()
		}
		if s.summary.Brute != want.counted || !strings.HasSuffix(found, want.found) || want.found == "" && found != "" {
			t.Errorf("%v: counted %+v, found %q; want %+v, %q", v, s.summary.Brute, found, want.counted, want.found)
		}
	})
}
