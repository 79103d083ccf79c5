package course

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"tribunal/judge/internal/verdict"
	"tribunal/judge/judged/internal/ledger"
)

// handed returns a submission that was judged, or waits if the verdict is None.
func handed(n int, login, problem string, minute int, v verdict.Verdict, passed, total int) ledger.Submission {
	j := ledger.Judging{Number: 1, Status: ledger.Waiting}
	if v != verdict.None {
		j.Status, j.Summary = ledger.Done, &ledger.Summary{Verdict: v, Passed: passed, Total: total}
	}
	return ledger.Submission{
		ID: fmt.Sprint("s", n), First: uint64(n + 1), Submitter: ledger.SubmitterOf("c", login), Problem: problem, At: at(minute), Judgings: []ledger.Judging{j}, Effective: 1,
	}
}

func participants(logins ...string) (list []ledger.PersonState) {
	for _, login := range logins {
		list = append(list, ledger.PersonState{Person: ledger.Person{Login: login, Name: login, Role: ledger.Participant}})
	}
	return list
}

func contest(scoring ledger.Scoring) *ledger.CourseState {
	return &ledger.CourseState{ID: "c", Course: ledger.Course{
		Open: at(0), Freeze: at(60), Scoring: scoring, Problems: []ledger.CourseProblem{{Label: "A", Problem: "a"}, {Label: "B", Problem: "b", Points: 10, Partial: true}},
	}}
}

// summed describes a row: rank, name, what decides, and its cells.
func summed(s *Standings) (list []string) {
	for _, r := range s.Rows {
		text := fmt.Sprintf("%d %s %d %v %v:", r.Rank, r.Login, r.Solved, r.Penalty, r.Points)
		for _, c := range r.Cells {
			text += fmt.Sprintf(" %d+%d", c.Attempts, c.Pending)
			if c.Solved {
				text += fmt.Sprintf("@%v", c.At)
			}
			if c.First {
				text += "!"
			}
		}
		list = append(list, text)
	}
	return list
}

func TestStandings(t *testing.T) {
	t.Parallel()
	subs := []ledger.Submission{
		handed(0, "ann", "a", 5, verdict.WA, 1, 4),
		handed(1, "ann", "a", 6, verdict.CE, 0, 4), // costs nothing
		handed(2, "ann", "a", 10, verdict.AC, 4, 4),
		handed(3, "ann", "a", 11, verdict.WA, 0, 4), // after it was solved
		handed(4, "bob", "a", 9, verdict.AC, 4, 4),
		handed(5, "bob", "b", 50, verdict.WA, 3, 4),
		handed(6, "bob", "b", 61, verdict.AC, 4, 4), // in the freeze
		handed(7, "cid", "b", 59, verdict.None, 0, 0),
		handed(8, "eve", "a", 1, verdict.AC, 4, 4), // no member
		handed(9, "dan", "x", 1, verdict.AC, 4, 4), // no problem of the course
	}
	people := append(participants("ann", "bob", "cid", "dan"), ledger.PersonState{Person: ledger.Person{Login: "tea", Role: ledger.Teacher}})
	for _, tt := range []struct {
		scoring ledger.Scoring
		whole   bool
		minute  int
		want    []string
	}{
		{ledger.ICPC, false, 70, []string{
			"1 bob 1 9m0s 8.5: 1+0@9m0s! 1+1", "2 ann 1 30m0s 1: 2+0@10m0s 0+0", "3 cid 0 0s 0: 0+0 0+1", "3 dan 0 0s 0: 0+0 0+0",
		}},
		{ledger.ICPC, true, 70, []string{
			"1 bob 2 1h30m0s 11: 1+0@9m0s! 2+0@1h1m0s!", "2 ann 1 30m0s 1: 2+0@10m0s 0+0", "3 cid 0 0s 0: 0+0 0+1", "3 dan 0 0s 0: 0+0 0+0",
		}},
		{ledger.Points, false, 70, []string{
			"1 bob 1 0s 8.5: 1+0@9m0s! 1+1", "2 ann 1 0s 1: 2+0@10m0s 0+0", "3 cid 0 0s 0: 0+0 0+1", "3 dan 0 0s 0: 0+0 0+0",
		}},
		{ledger.Practice, true, 70, []string{
			"1 bob 2 0s 11: 1+0@9m0s! 2+0@1h1m0s!", "2 ann 1 0s 1: 2+0@10m0s 0+0", "3 cid 0 0s 0: 0+0 0+1", "3 dan 0 0s 0: 0+0 0+0",
		}},
	} {
		got := summed(StandingsOf(contest(tt.scoring), people, subs, tt.whole, at(tt.minute)))
		if d := gocmp.Diff(tt.want, got); d != "" {
			t.Errorf("%s, whole: %v (-want +got):\n%s", tt.scoring, tt.whole, d)
		}
	}
}

// TestRuling checks that an outcome by hand counts instead of the judging, and a late one less.
func TestRuling(t *testing.T) {
	t.Parallel()
	c := contest(ledger.Points)
	c.Due, c.Late, c.LatePenalty = at(100), at(200), 20
	sub := handed(0, "ann", "b", 150, verdict.WA, 1, 4)
	row := func() Row {
		return StandingsOf(c, participants("ann"), []ledger.Submission{sub}, true, at(160)).Rows[0]
	}
	if r := row(); r.Points != 2 || !r.Cells[1].Late {
		t.Errorf("late, a quarter of the cases: %+v, want 2 of 10 points", r)
	}
	sub.Ruling = &ledger.Ruling{Ruled: ledger.Ruled{Verdict: verdict.AC}}
	if r := row(); r.Points != 8 || r.Solved != 1 {
		t.Errorf("accepted by hand: %+v, want 8 points", r)
	}
	sub.Ruling = &ledger.Ruling{Ruled: ledger.Ruled{Verdict: verdict.WA, Points: 5}}
	if r := row(); r.Points != 4 || r.Solved != 0 {
		t.Errorf("5 points by hand: %+v, want 4 points", r)
	}
}

// TestStandingsNaive compares random contests of the ICPC with a count that looks at each pair of a participant and a
// problem alone, in any order of the submissions.
func TestStandingsNaive(t *testing.T) {
	t.Parallel()
	verdicts := []verdict.Verdict{verdict.AC, verdict.AC, verdict.WA, verdict.TLE, verdict.CE, verdict.None}
	for seed := range uint64(300) {
		random := rand.New(rand.NewPCG(seed, 39))
		c, people := contest(ledger.ICPC), participants("ann", "bob", "cid")
		var subs []ledger.Submission
		for n := range random.IntN(40) {
			subs = append(subs, handed(n, people[random.IntN(3)].Login, []string{"a", "b"}[random.IntN(2)], random.IntN(90), verdicts[random.IntN(len(verdicts))], 1, 2))
		}
		whole := random.IntN(2) == 0
		want := naive(c, people, subs, whole)
		random.Shuffle(len(subs), func(i, j int) { subs[i], subs[j] = subs[j], subs[i] })
		if d := gocmp.Diff(want, summed(StandingsOf(c, people, subs, whole, at(95)))); d != "" {
			t.Fatalf("seed %d (-want +got):\n%s", seed, d)
		}
	}
}

func naive(c *ledger.CourseState, people []ledger.PersonState, subs []ledger.Submission, whole bool) []string {
	s := &Standings{}
	slices.SortStableFunc(subs, func(a, b ledger.Submission) int { return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.First, b.First)) })
	first := map[string]string{}
	seen := func(sub *ledger.Submission) verdict.Verdict {
		if o, done := sub.Outcome(); done && (whole || sub.At.Before(c.Freeze)) {
			return o.Verdict
		}
		return verdict.None
	}
	for i := range subs {
		if seen(&subs[i]) == verdict.AC && first[subs[i].Problem] == "" {
			first[subs[i].Problem] = subs[i].ID
		}
	}
	for _, p := range people {
		r := Row{Login: p.Login}
		for _, problem := range c.Problems {
			var cell Cell
			for i := range subs {
				sub := &subs[i]
				if sub.Submitter != "/c/"+p.Login || sub.Problem != problem.Problem || cell.Solved {
					continue
				}
				switch v := seen(sub); v {
				case verdict.None:
					cell.Pending++
				case verdict.CE:
				default:
					cell.Attempts++
					if v == verdict.AC {
						cell.Solved, cell.At, cell.First = true, sub.At.Sub(c.Open), first[problem.Problem] == sub.ID
						r.Solved++
						r.Penalty += cell.At + time.Duration(cell.Attempts-1)*20*time.Minute
						r.last = max(r.last, cell.At)
					}
				}
			}
			switch {
			case cell.Solved:
				r.Points += max(1, problem.Points)
			case problem.Partial && cell.Attempts > 0:
				r.Points += problem.Points / 2
			}
			r.Cells = append(r.Cells, cell)
		}
		s.Rows = append(s.Rows, r)
	}
	better := func(a, b Row) int {
		return cmp.Or(b.Solved-a.Solved, cmp.Compare(a.Penalty, b.Penalty), cmp.Compare(a.last, b.last))
	}
	for i := range s.Rows {
		s.Rows[i].Rank = 1
		for j := range s.Rows {
			if better(s.Rows[j], s.Rows[i]) < 0 {
				s.Rows[i].Rank++
			}
		}
	}
	slices.SortFunc(s.Rows, func(a, b Row) int { return cmp.Or(a.Rank-b.Rank, cmp.Compare(a.Login, b.Login)) })
	return summed(s)
}
