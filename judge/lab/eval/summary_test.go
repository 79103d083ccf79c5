package eval

import (
	"encoding/json"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"tribunal/judge/internal/verdict"
)

// passAt computes 1 - C(n-c, k)/C(n, k) exactly.
func passAt(n, c, k int) float64 {
	all := new(big.Int).Binomial(int64(n), int64(k))
	none := new(big.Int)
	if n-c >= k {
		none.Binomial(int64(n-c), int64(k))
	}
	p, _ := new(big.Rat).Sub(big.NewRat(1, 1), new(big.Rat).SetFrac(none, all)).Float64()
	return p
}

// TestPassAt compares the estimator with the exact value: all small numbers, and random large ones.
func TestPassAt(t *testing.T) {
	t.Parallel()
	check := func(n, c, k int) {
		got, want := PassAt(n, c, k), passAt(n, c, k)
		if math.Abs(got-want) > 1e-12*want || want == 0 && math.Signbit(got) {
			t.Errorf("n %d, c %d, k %d: %v, want %v", n, c, k, got, want)
		}
	}
	for n := 1; n <= 12; n++ {
		for c := range n + 1 {
			for k := 1; k <= n; k++ {
				check(n, c, k)
			}
		}
	}
	random := rand.New(rand.NewPCG(2021, 2107))
	for range 300 {
		n := 1 + random.IntN(3000)
		check(n, random.IntN(n+1), 1+random.IntN(n))
		check(n, min(n, random.IntN(4)), 1+random.IntN(n))
	}
	check(100_000, 1, 1)
	check(100_000, 3, 100)
	check(100_000, 99_000, 900)
}

func TestSummary(t *testing.T) {
	t.Parallel()
	s := &Summary{Verdicts: map[verdict.Verdict]int{}, Tasks: []TaskSummary{{Task: "a"}, {Task: "b"}, {Task: "none"}}}
	for task, list := range [][]verdict.Verdict{{verdict.AC, verdict.WA, verdict.AC, verdict.WA}, {verdict.CE, verdict.TLE}} {
		for _, v := range list {
			s.count(task, v)
		}
	}
	if s.PassAt1() != 0.25 {
		t.Errorf("pass@1 is %v so far", s.PassAt1())
	}
	s.finish([]int{3, 1, 2, 3, 9})
	text, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"tasks":[{"task":"a","n":4,"c":2,"pass_at":{"1":0.5,"2":0.8333333333333334,"3":1}},{"task":"b","n":2,"c":0,"pass_at":{"1":0,"2":0}},{"task":"none","n":0,"c":0,"pass_at":{}}],` +
		`"pass_at":[{"k":1,"mean":0.25,"tasks":2,"left_out":1},{"k":2,"mean":0.4166666666666667,"tasks":2,"left_out":1},{"k":3,"mean":1,"tasks":1,"left_out":2},{"k":9,"mean":null,"tasks":0,"left_out":3}],` +
		`"verdicts":{"AC":2,"CE":1,"TLE":1,"WA":2},"programs":6,"same":0,"known":0,"extracted":0,"fenced":0,"not_judged":0,"skipped":0,"elapsed_ns":0}`
	var both [2]any
	for i, text := range []string{want, string(text)} {
		if err := json.Unmarshal([]byte(text), &both[i]); err != nil {
			t.Fatal(err)
		}
	}
	if d := cmp.Diff(both[0], both[1], cmpopts.EquateApprox(1e-12, 0)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}
