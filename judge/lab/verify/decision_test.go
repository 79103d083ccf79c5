package verify

import (
	"fmt"
	"testing"
	"time"

	"tribunal/judge/internal/grade"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/points"
	"tribunal/judge/internal/problem"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/verdict"
)

// TestDecision judges submissions on the cases a/1, a/2 and b/3 until their promise is decided.
func TestDecision(t *testing.T) {
	t.Parallel()
	const ms = time.Millisecond
	on := func(v verdict.Verdict, cpu time.Duration) grade.Case {
		return grade.Case{Verdict: v, Result: sandbox.Result{CPU: cpu}}
	}
	late := func(cpu time.Duration, untimed verdict.Verdict) grade.Case {
		return grade.Case{Verdict: verdict.TLE, Untimed: untimed, Result: sandbox.Result{CPU: cpu}}
	}
	greedy := func(cpu time.Duration) grade.Case {
		return grade.Case{Verdict: verdict.MLE, Result: sandbox.Result{Stop: sandbox.OverMemory, CPU: cpu}}
	}
	within := func(limit time.Duration, c grade.Case) grade.Case {
		c.Limits = &limits.Limits{CPU: limit, Wall: 3 * limit}
		return c
	}
	right, wrong, crash := on(verdict.AC, 10*ms), on(verdict.WA, 10*ms), on(verdict.RTE, 10*ms)
	endless := grade.Case{Verdict: verdict.TLE, Result: sandbox.Result{Stop: sandbox.OverCPU, CPU: 1500 * ms}}
	final := func(v verdict.Verdict) problem.Expect { return problem.Expect{Final: v.Class()} }
	each := func(permitted, required verdict.Set) problem.Expect {
		return problem.Expect{Rules: []problem.Rule{{Permitted: permitted, Required: required}}}
	}
	ac, wa, tle := verdict.AC.Class(), verdict.WA.Class(), verdict.TLE.Class()
	for _, tt := range []struct {
		why    string
		e      problem.Expect
		slow   bool
		cases  []grade.Case
		judged int
		want   state
		edges  int
	}{
		{"accepted: all cases are needed", final(verdict.AC), false, []grade.Case{right, right, right}, 3, kept, 0},
		{"accepted, but wrong", final(verdict.AC), false, []grade.Case{right, wrong, right}, 2, broken, 0},
		{"wrong answer: the first failure decides", final(verdict.WA), false, []grade.Case{wrong, crash, right}, 1, kept, 0},
		{"wrong answer, but it crashes first", final(verdict.WA), false, []grade.Case{right, crash, wrong}, 2, broken, 0},
		{"wrong answer, but never wrong", final(verdict.WA), false, []grade.Case{right, right, right}, 3, broken, 0},
		{"too slow at the first case", final(verdict.TLE), true, []grade.Case{endless, wrong, wrong}, 1, kept, 0},
		{"too slow, but is any case far beyond the limit?", final(verdict.TLE), true, []grade.Case{late(1300*ms, verdict.AC), late(1300*ms, verdict.AC), right}, 3, kept, 0},
		{"too slow, and the second case is far beyond", final(verdict.TLE), true, []grade.Case{late(1300*ms, verdict.AC), endless, right}, 2, kept, 0},
		{"too slow and wrong, so no larger limit helps", final(verdict.TLE), true, []grade.Case{late(1300*ms, verdict.WA), endless, right}, 1, kept, 0},
		{"nearly the limit, then far beyond: the first does not matter", final(verdict.TLE), true, []grade.Case{late(1010*ms, verdict.AC), endless, right}, 2, kept, 1},
		{"just below the limit, then far beyond", final(verdict.TLE), true, []grade.Case{on(verdict.AC, 990*ms), endless, right}, 2, kept, 1},
		{"nearly the limit of other cases", final(verdict.AC), false, []grade.Case{right, within(4000*ms, on(verdict.AC, 990*ms)), right}, 3, kept, 0},
		{"nearly its own limit", final(verdict.AC), false, []grade.Case{right, within(400*ms, on(verdict.AC, 399*ms)), right}, 3, undecided, 1},
		{"far beyond the limit of other cases, but not its own", final(verdict.TLE), true, []grade.Case{within(1200*ms, late(1550*ms, verdict.AC)), right, right}, 3, kept, 0},
		{"nearly the limit, then wrong", final(verdict.TLE), true, []grade.Case{late(1010*ms, verdict.AC), wrong, right}, 3, undecided, 1},
		{"only nearly the limit", final(verdict.TLE), true, []grade.Case{right, on(verdict.AC, 990*ms), right}, 3, undecided, 1},
		{"the same, measured a little longer", final(verdict.TLE), true, []grade.Case{right, late(1010*ms, verdict.AC), right}, 3, undecided, 1},
		{"accepted, nearly at the limit", final(verdict.AC), false, []grade.Case{right, late(1010*ms, verdict.AC), right}, 3, undecided, 1},
		{"wrong or too slow: WA and TLE both break the promise", final(verdict.RTE), false, []grade.Case{late(1010*ms, verdict.WA), right, right}, 1, broken, 1},
		{"nothing is promised: up to the first failure", problem.Expect{}, false, []grade.Case{right, wrong, wrong}, 2, kept, 0},
		{"every case AC or TLE: a later one may be wrong", each(ac|tle, tle), false, []grade.Case{endless, right, wrong}, 3, broken, 0},
		{"every case AC or TLE", each(ac|tle, tle), false, []grade.Case{endless, right, endless}, 3, kept, 0},
		{"AC or TLE nearly at the limit is both allowed, but one must be too slow", each(ac|tle, tle), false, []grade.Case{right, right, late(1010*ms, verdict.AC)}, 3, undecided, 1},
		{"one is too slow, whatever the other is", each(ac|tle, tle), false, []grade.Case{endless, right, late(1010*ms, verdict.AC)}, 3, kept, 1},
		{"TLE or WA by chance", each(ac|tle, tle), false, []grade.Case{endless, late(1010*ms, verdict.WA), right}, 3, undecided, 1},
		{"WA or TLE by chance, the other way", each(ac|tle, tle), false, []grade.Case{endless, on(verdict.WA, 990*ms), right}, 3, undecided, 1},
		{"the first crash is enough", each(ac|wa, wa), false, []grade.Case{crash, wrong, wrong}, 1, broken, 0},
		{"anything, and once wrong", each(verdict.OfCase(), wa), false, []grade.Case{right, wrong, crash}, 2, kept, 0},
		{"anything, and once wrong, but never is", each(verdict.OfCase(), wa), false, []grade.Case{right, crash, right}, 3, broken, 0},
		{"a rule about a group: the rest may be anything", problem.Expect{Rules: []problem.Rule{{Cases: "a", Permitted: ac}, {Cases: "b", Permitted: verdict.OfCase(), Required: wa}}},
			false, []grade.Case{right, right, wrong}, 3, kept, 0},
		{"a rule about no case", problem.Expect{Rules: []problem.Rule{{Cases: "c", Permitted: ac}}}, false, []grade.Case{wrong, right, right}, 3, broken, 0},
		{"too much memory, long before the time limit", final(verdict.MLE), false, []grade.Case{right, greedy(650 * ms), right}, 2, kept, 0},
		{"too much memory, or too slow before", final(verdict.MLE), false, []grade.Case{right, greedy(900 * ms), right}, 3, undecided, 1},
		{"too much memory, after the time limit", final(verdict.MLE), false, []grade.Case{right, greedy(1100 * ms), greedy(1100 * ms)}, 3, undecided, 2},
		{"too slow, or too much memory", final(verdict.TLE), true, []grade.Case{greedy(900 * ms), endless, right}, 3, undecided, 1},
		{"the judge fails", final(verdict.WA), false, []grade.Case{right, {Verdict: verdict.JE}, wrong}, 2, broken, 0},
		{"asleep, nearly for the wall limit", final(verdict.AC), false, []grade.Case{{Verdict: verdict.AC, Result: sandbox.Result{Wall: 2900 * ms}}, right, right}, 3, undecided, 1},
		{"nearly the CPU limit, but far too late by the clock", final(verdict.TLE), false, []grade.Case{
			{Verdict: verdict.TLE, Untimed: verdict.AC, Result: sandbox.Result{CPU: 990 * ms, Wall: 4 * time.Second}}, right, right}, 1, kept, 0},
	} {
		d := &decision{problem: &problem.Problem{}, promise: tt.e, slow: tt.slow, limits: limits.Limits{CPU: time.Second, Wall: 3 * time.Second}, names: []string{"a/1", "a/2", "b/3"}}
		judged := 0
		for decided := false; !decided && judged < len(tt.cases); judged++ {
			c := tt.cases[judged]
			c.Name = d.names[judged]
			decided = d.add(&c)
		}
		if got, edges := d.state(), len(d.edges()); judged != tt.judged || got != tt.want || edges != tt.edges {
			t.Errorf("%s: state %d after %d cases, %d at the edge; want %d after %d, %d", tt.why, got, judged, edges, tt.want, tt.judged, tt.edges)
		}
	}
}

// TestScored judges submissions to a problem with points: two groups, each all or nothing, of which
// the second requires the first. The cases that were judged then decide the points.
func TestScored(t *testing.T) {
	t.Parallel()
	const ms = time.Millisecond
	on := func(v verdict.Verdict, cpu time.Duration) grade.Case {
		return grade.Case{Verdict: v, Untimed: verdict.AC, Result: sandbox.Result{CPU: cpu}}
	}
	right, wrong, late, tight := on(verdict.AC, 10*ms), on(verdict.WA, 10*ms), on(verdict.TLE, 1010*ms), on(verdict.AC, 990*ms)
	endless := grade.Case{Verdict: verdict.TLE, Result: sandbox.Result{Stop: sandbox.OverCPU, CPU: 1500 * ms}}
	final := func(v verdict.Verdict) problem.Expect { return problem.Expect{Final: v.Class()} }
	score := func(n float64) problem.Expect { return problem.Expect{Score: &[2]float64{n, n}} }
	for _, tt := range []struct {
		why    string
		e      problem.Expect
		cases  []grade.Case
		judged int
		want   state
		done   string // points, verdict and the first case that gets it
	}{
		{"too slow at the first case", final(verdict.TLE), []grade.Case{endless, right, right}, 1, kept, "0 TLE a/1"},
		{"too slow in the second group", final(verdict.TLE), []grade.Case{right, right, endless}, 3, kept, "30 TLE b/3"},
		{"wrong before it is too slow", final(verdict.TLE), []grade.Case{right, wrong, endless}, 2, broken, "0 WA a/2"},
		{"nearly the limit", final(verdict.TLE), []grade.Case{right, right, late}, 3, undecided, "30 TLE b/3"},
		{"accepted just below the limit", final(verdict.AC), []grade.Case{right, right, tight}, 3, undecided, "100 AC "},
		{"a rule about cases: the first TLE decides", problem.Expect{Rules: []problem.Rule{{Permitted: verdict.OfCase(), Required: verdict.TLE.Class()}}}, []grade.Case{endless, wrong, right}, 1, kept, "0 TLE a/1"},
		{"all points", score(100), []grade.Case{right, right, right}, 3, kept, "100 AC "},
		{"points of the first group, whatever the rest is", score(30), []grade.Case{right, right, wrong}, 3, kept, "30 WA b/3"},
		{"other points", score(30), []grade.Case{right, right, right}, 3, broken, "100 AC "},
		{"points by chance", score(30), []grade.Case{right, right, late}, 3, undecided, "30 TLE b/3"},
		{"points that do not depend on the time", score(0), []grade.Case{wrong, late, right}, 3, kept, "0 WA a/1"},
		{"wrong twice: the first counts", score(0), []grade.Case{wrong, wrong, right}, 3, kept, "0 WA a/1"},
		{"a part, but by chance all", problem.Expect{Partial: true}, []grade.Case{right, right, tight}, 3, undecided, "100 AC "},
	} {
		root := &points.Group{Rule: points.Polygon{}, Groups: []*points.Group{
			{Name: "a", Cases: []int{0, 1}, Rule: points.Polygon{Points: map[int]float64{0: 30, 1: 0}, Complete: true}},
			{Name: "b", Cases: []int{2}, Rule: points.Polygon{Points: map[int]float64{2: 70}, Complete: true, Requires: []string{"a"}}},
		}}
		d := &decision{problem: &problem.Problem{Scoring: true}, promise: tt.e, groups: root, limits: limits.Limits{CPU: time.Second, Wall: 3 * time.Second}, names: []string{"a/1", "a/2", "b/3"}}
		n := 0
		for decided := false; !decided && n < len(tt.cases); n++ {
			c := tt.cases[n]
			c.Name, c.Index = d.names[n], n
			decided = d.add(&c)
		}
		if got := d.state(); n != tt.judged || got != tt.want {
			t.Errorf("%s: state %d after %d cases; want %d after %d", tt.why, got, n, tt.want, tt.judged)
		}
		e := &example{judged: judged{Judged: grade.Judged{Cases: d.cases}}}
		open, err := d.rescore(e)
		p := e.Done.Points
		if done := fmt.Sprintf("%v %s %s", p.Points, e.Done.Verdict, e.Done.First); err != nil || open || done != tt.done || p.Verdict != e.Done.Verdict {
			t.Errorf("%s: %q, %v, %v, want %q", tt.why, done, open, err, tt.done)
		}
	}
}

// TestGroupsWithoutPoints checks promises of submissions whose verdict groups make, without points.
func TestGroupsWithoutPoints(t *testing.T) {
	t.Parallel()
	on := func(v verdict.Verdict) grade.Case {
		score := 7.0 // which no rule of the groups allows
		return grade.Case{Verdict: v, Untimed: v, Score: &score, Result: sandbox.Result{CPU: time.Millisecond}}
	}
	final := func(v verdict.Verdict) problem.Expect { return problem.Expect{Final: v.Class()} }
	for _, tt := range []struct {
		why    string
		rule   points.Legacy
		e      problem.Expect
		cases  []verdict.Verdict
		judged int
		want   state
		done   string // verdict and the first case that gets it
	}{
		{"the worst, which may be the last", points.Legacy{Continue: true}, final(verdict.RTE), []verdict.Verdict{verdict.WA, verdict.AC, verdict.RTE}, 3, kept, "RTE b/3"},
		{"not the worst", points.Legacy{Continue: true}, final(verdict.WA), []verdict.Verdict{verdict.WA, verdict.RTE, verdict.AC}, 3, broken, "RTE a/2"},
		{"one accepted case is enough", points.Legacy{Continue: true, AnyAccepted: true}, final(verdict.AC), []verdict.Verdict{verdict.WA, verdict.AC, verdict.RTE}, 2, kept, "AC "},
		{"always accepted", points.Legacy{Verdicts: points.AlwaysAccept}, final(verdict.WA), []verdict.Verdict{verdict.WA, verdict.WA, verdict.WA}, 1, broken, "AC "},
		{"a part of no points", points.Legacy{Continue: true}, problem.Expect{Partial: true}, []verdict.Verdict{verdict.AC, verdict.AC, verdict.AC}, 3, broken, "AC "},
	} {
		root := &points.Group{Rule: tt.rule, Cases: []int{0, 1, 2}}
		d := &decision{problem: &problem.Problem{Groups: root}, promise: tt.e, groups: root, limits: limits.Limits{CPU: time.Second, Wall: 3 * time.Second}, names: []string{"a/1", "a/2", "b/3"}}
		n := 0
		for decided := false; !decided && n < len(tt.cases); n++ {
			c := on(tt.cases[n])
			c.Name, c.Index = d.names[n], n
			decided = d.add(&c)
		}
		if got := d.state(); n != tt.judged || got != tt.want {
			t.Errorf("%s: state %d after %d cases; want %d after %d", tt.why, got, n, tt.want, tt.judged)
		}
		e := &example{judged: judged{Judged: grade.Judged{Cases: d.cases}}}
		_, err := d.rescore(e)
		if done := e.Done.Verdict.String() + " " + e.Done.First; err != nil || e.Done.Points != nil || done != tt.done {
			t.Errorf("%s: %q, %v, points %v, want %q", tt.why, done, err, e.Done.Points, tt.done)
		}
	}
}
