package mutate

import (
	"math/rand/v2"
	"strconv"
	"testing"
	"time"

	"tribunal/judge/internal/verdict"
)

// TestCover compares covers of random kills with the best of all sets of cases.
func TestCover(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		r := &Report{Cases: make([]Case, 1+random.IntN(8))}
		for c := range r.Cases {
			r.Cases[c].Name, r.Cases[c].Time = strconv.Itoa(c), time.Duration(random.IntN(4))
		}
		var kills []int // for each mutant, the cases that kill it, as bits
		for range random.IntN(12) {
			kills = append(kills, random.IntN(1<<len(r.Cases)))
			var m Result
			for c := range r.Cases {
				v := verdict.AC
				if kills[len(kills)-1]>>c&1 == 1 {
					v, m.Fate = verdict.WA, Killed
				}
				m.Runs = append(m.Runs, Run{on: c, Verdict: v})
			}
			r.Mutants = append(r.Mutants, m)
		}
		covers := func(set int) bool {
			for _, k := range kills {
				if k != 0 && k&set == 0 {
					return false
				}
			}
			return true
		}
		size := func(set int) (n int, took time.Duration) {
			for c := range r.Cases {
				if set>>c&1 == 1 {
					n++
					took += r.Cases[c].Time
				}
			}
			return n, took
		}
		n, took := len(r.Cases)+1, time.Duration(0)
		for set := range 1 << len(r.Cases) {
			if m, d := size(set); covers(set) && (m < n || m == n && d < took) {
				n, took = m, d
			}
		}
		got, set := coverOf(r), 0
		for _, c := range got.Cases {
			i, _ := strconv.Atoi(c)
			set |= 1 << i
		}
		if len(got.Cases) != n || got.Time != took || !got.Exact || !covers(set) {
			t.Fatalf("%b: %+v, want %d cases that take %v", kills, got, n, took)
		}
	}
}

// TestCoverEnds checks that a cover is found even if finding the best one would take too long.
func TestCoverEnds(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(3, 4))
	r := &Report{Cases: make([]Case, 90)}
	for c := range r.Cases {
		r.Cases[c].Name = strconv.Itoa(c)
	}
	for range 400 {
		m := Result{Fate: Killed}
		for range 4 {
			m.Runs = append(m.Runs, Run{on: random.IntN(90), Verdict: verdict.WA})
		}
		r.Mutants = append(r.Mutants, m)
	}
	c := coverOf(r)
	in := map[int]bool{}
	for _, name := range c.Cases {
		i, _ := strconv.Atoi(name)
		in[i] = true
	}
	for i := range r.Mutants {
		met := false
		for _, k := range r.Mutants[i].killers() {
			met = met || in[k]
		}
		if !met {
			t.Fatalf("mutant %d is not covered by %v", i, c.Cases)
		}
	}
	if c.Exact {
		t.Error("400 rows of 90 cases are said to be solved exactly")
	}
}
