package compare

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"tribunal/judge/internal/verdict"
)

func TestCompare(t *testing.T) {
	t.Parallel()
	const ms = time.Millisecond
	run := func(v verdict.Verdict, times ...time.Duration) Result {
		r := Result{Verdict: v, cases: map[string]ofCase{}}
		for i, d := range times {
			r.cases[fmt.Sprint(i)] = ofCase{verdict.AC, d}
			r.CPU = max(r.CPU, d)
		}
		return r
	}
	judged := func(verdicts ...verdict.Verdict) Result { // on cases called 0, 1, …
		r := Result{Verdict: verdict.WA, Total: len(verdicts), cases: map[string]ofCase{}}
		for i, v := range verdicts {
			if v != verdict.None {
				r.cases[fmt.Sprint(i)] = ofCase{v, time.Millisecond}
			}
			if v == verdict.AC {
				r.Passed++
			}
		}
		return r
	}
	const ac, wa, none = verdict.AC, verdict.WA, verdict.None
	points := func(p float64) Result { return Result{Verdict: verdict.WA, Points: &p} }
	for _, tt := range []struct {
		why     string
		was, is Result
		want    string // the list that the change is in
	}{
		{"the same", run(verdict.AC, 100*ms), run(verdict.AC, 100*ms), "same"},
		{"another verdict", run(verdict.AC, 100*ms), run(verdict.TLE, 900*ms), "verdicts"},
		{"other points", points(10), points(20), "verdicts"},
		{"more accepted cases", judged(ac, wa, none), judged(ac, ac, wa), "cases"},
		{"one case broke and another was mended", judged(ac, wa), judged(wa, ac), "cases"},
		{"only the numbers are known", Result{Verdict: wa, Passed: 2}, Result{Verdict: wa, Passed: 7}, "cases"},
		{"another case fails first", Result{Verdict: wa, First: "a"}, Result{Verdict: wa, First: "b"}, "cases"},
		{"the same cases", judged(ac, wa, wa), judged(ac, wa, wa), "same"},
		{"a case was not judged earlier", judged(ac, wa, none), judged(ac, wa, wa), "same"},
		{"a third more on every case", run(verdict.AC, 90*ms, 100*ms), run(verdict.AC, 120*ms, 133*ms), "slower"},
		{"a third less", run(verdict.AC, 120*ms, 133*ms), run(verdict.AC, 90*ms, 100*ms), "faster"},
		{"a tenth more is noise", run(verdict.AC, 100*ms), run(verdict.AC, 110*ms), "same"},
		{"one case of many is noise", run(verdict.AC, 90*ms, 91*ms, 92*ms), run(verdict.AC, 90*ms, 91*ms, 150*ms), "same"},
		{"starting a program is noise", run(verdict.AC, 2*ms), run(verdict.AC, 15*ms), "same"},
		{"only the largest times are known", Result{Verdict: verdict.AC, CPU: 100 * ms}, Result{Verdict: verdict.AC, CPU: 200 * ms}, "slower"},
		{"no case in common", run(verdict.AC), run(verdict.AC, 300*ms), "slower"},
	} {
		n := Name{"p", "s"}
		older, newer := &Results{by: map[Name]Result{}}, &Results{by: map[Name]Result{}}
		older.add(n, tt.was)
		newer.add(n, tt.is)
		r := Compare(older, newer)
		got := map[string]int{"verdicts": len(r.Verdicts), "cases": len(r.Cases), "slower": len(r.Slower), "faster": len(r.Faster), "same": r.Same}
		for list, count := range got {
			want := 0
			if list == tt.want {
				want = 1
			}
			if count != want {
				t.Errorf("%s: %d in %s, want it in %s", tt.why, count, list, tt.want)
			}
		}
	}
}

// TestCompareAlone compares single submissions, whatever they are called.
func TestCompareAlone(t *testing.T) {
	t.Parallel()
	of := func(v verdict.Verdict, names ...Name) *Results {
		r := &Results{by: map[Name]Result{}}
		for _, n := range names {
			r.add(n, Result{Verdict: v})
		}
		return r
	}
	a, b, other := Name{"p", "v1.c"}, Name{"p", "v2.c"}, Name{"q", "v2.c"}
	if r := Compare(of(verdict.WA, a), of(verdict.AC, b)); len(r.Verdicts) != 1 || r.Verdicts[0].Name != b || len(r.Added)+len(r.Gone) > 0 {
		t.Errorf("one each: %+v", r)
	}
	if r := Compare(of(verdict.WA, a), of(verdict.AC, other)); len(r.Added) != 1 || len(r.Gone) != 1 {
		t.Errorf("another problem: %+v", r)
	}
	if r := Compare(of(verdict.WA, a), of(verdict.AC, a, b)); len(r.Verdicts) != 1 || len(r.Added) != 1 || len(r.Gone) != 0 {
		t.Errorf("two now: %+v", r)
	}
}

// FuzzRead reads documents that may be anything, and compares what it has read with itself.
func FuzzRead(f *testing.F) {
	f.Add(`{"schema":"tribunal/grade/1","problem":"p","submissions":[{"name":"a","verdict":"AC","cases":[{"name":"x","verdict":"AC","cpu_ns":5}]},null]}`)
	f.Add(`{"schema":"tribunal/sheet/1","problems":[{"id":"p"}],"students":[{"name":"ann","cells":[{"submission":"a.c","verdict":"WA"},{"submission":"b.c"}]}]}`)
	f.Add("{\"schema\":\"tribunal/journal/1\"}\n{\"key\":\"1\",\"problem\":\"p\",\"submission\":\"a\",\"done\":{\"verdict\":\"AC\",\"points\":{\"points\":1,\"groups\":[{}]}}}\n")
	f.Fuzz(func(t *testing.T, text string) {
		name := filepath.Join(t.TempDir(), "document")
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		results, err := Read(name)
		if err != nil {
			return
		}
		if r := Compare(results, results); r.Same != len(results.names) {
			t.Fatalf("compared with itself: %+v", r)
		}
	})
}
