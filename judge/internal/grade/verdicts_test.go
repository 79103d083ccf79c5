package grade

import (
	"testing"
	"time"

	"tribunal/judge/internal/diff"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/points"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/verdict"
	"tribunal/judge/internal/verdict/verdicttest"
)

// TestEveryVerdict checks, for each verdict: that Classify returns it for some run; whether the
// output validator is asked after it; and which verdict of the legacy format graders get for it.
func TestEveryVerdict(t *testing.T) {
	t.Parallel()
	wrong := diff.Compare([]byte("1\n"), []byte("2\n"), diff.Options{})
	blank := diff.Compare([]byte("1\n"), []byte("1 \n"), diff.Options{})
	nothing := diff.Compare([]byte("1\n"), nil, diff.Options{})
	type row struct {
		r      sandbox.Result
		c      Comparison
		wanted bool   // whether a validator is asked that validates only outputs that differ
		always bool   // whether a validator is asked that validates every output
		grader string // the verdict in the legacy format
	}
	never := sandbox.Result{Stop: sandbox.Cancelled} // [Classify] returns None for it
	verdicttest.Each(t, map[verdict.Verdict]row{
		verdict.None: {never, Comparison{}, false, false, ""},
		verdict.AC:   {sandbox.Result{}, Comparison{}, false, true, "AC"},
		verdict.PE:   {sandbox.Result{}, Comparison{Mismatch: blank}, true, true, "WA"},
		verdict.WA:   {sandbox.Result{}, Comparison{Mismatch: wrong}, true, true, "WA"},
		verdict.NO:   {sandbox.Result{}, Comparison{Mismatch: nothing}, true, true, "WA"},
		verdict.TLE:  {sandbox.Result{Stop: sandbox.OverCPU}, Comparison{}, false, false, "TLE"},
		verdict.ILE:  {sandbox.Result{Stop: sandbox.OverWall, Wall: time.Minute}, Comparison{}, false, false, "TLE"},
		verdict.MLE:  {sandbox.Result{Stop: sandbox.OverMemory}, Comparison{}, false, false, "RTE"},
		verdict.OLE:  {sandbox.Result{Stop: sandbox.OverOutput}, Comparison{}, false, false, "RTE"},
		verdict.RTE:  {sandbox.Result{ExitCode: 1}, Comparison{}, false, false, "RTE"},
		verdict.SV:   {sandbox.Result{Stop: sandbox.Forbidden}, Comparison{}, false, false, "RTE"},
		verdict.CE:   {never, Comparison{}, false, false, ""}, // no case or grader has this verdict
		verdict.JE:   {never, Comparison{}, false, false, ""},
	}, func(v verdict.Verdict, want row) {
		got, cause := Classify(limits.Limits{}, want.r, want.c)
		if want.r != never && got != v || want.r == never && got != verdict.None {
			t.Errorf("classified as %v, %s; want %v", got, cause, v)
		}
		if (&checker{}).mustAsk(v) != want.wanted || (&checker{validator: problem.Validator{Always: true}}).mustAsk(v) != want.always || (*checker)(nil).mustAsk(v) {
			t.Errorf("mustAsk(%v) is wrong", v)
		}
		if want.grader == "" {
			if got, err := graded(v.String()+" 1", nil); err == nil {
				t.Errorf("the verdict %v of a grader is not refused: %v", v, got)
			}
		} else if got, err := graded(want.grader+" 1", []points.Part{{Verdict: v}}); err != nil || got.Verdict != v {
			t.Errorf("%s from a grader, for %v alone, becomes %v, %v", want.grader, v, got.Verdict, err)
		}
	})
}
