package ledger

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"tribunal/judge/judged/internal/store"
)

func TestComplete(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why      string
		parts    string // of each part: a dot for no result, r for a result, d for one that decides
		n        int
		complete bool
		decided  int // the index of the part behind which nothing matters, as far as is known
	}{
		{"not split", "", 0, false, -1},
		{"nothing yet", "...", 0, false, 2},
		{"the first is missing", ".rr", 0, false, 2},
		{"one in between is missing", "r.r", 1, false, 2},
		{"all are there", "rrr", 3, true, 2},
		{"the last decides", "rrd", 3, true, 2},
		{"one decides, and what follows is not needed", "rd.", 2, true, 1},
		{"the first decides", "d..", 1, true, 0},
		{"two decide, and the first counts", "rdd", 2, true, 1},
		{"one decides, but one before it may, too", ".d.", 0, false, 1},
	} {
		var j Judging
		for _, part := range tt.parts {
			var r PartResult
			if part != '.' {
				r = PartResult{Ref: store.RefOf([]byte("x")), Decides: part == 'd'}
			}
			j.Results = append(j.Results, r)
		}
		if n, ok := j.Complete(); n != tt.n || ok != tt.complete {
			t.Errorf("%s (%s): %d, %v, want %d, %v", tt.why, tt.parts, n, ok, tt.n, tt.complete)
		}
		if got := j.Decided(); got != tt.decided {
			t.Errorf("%s (%s): decided by part %d, want %d", tt.why, tt.parts, got, tt.decided)
		}
	}
}

func TestJudging(t *testing.T) {
	t.Parallel()
	s := Submission{Judgings: []Judging{{Number: 1}, {Number: 2}}}
	for n, want := range map[int]bool{-1: false, 0: false, 1: true, 2: true, 3: false} {
		if j := s.Judging(n); (j != nil) != want || want && j.Number != n {
			t.Errorf("judging %d is %+v", n, j)
		}
		s.Effective = n
		if j := s.Counts(); (j != nil) != want || want && j.Number != n {
			t.Errorf("judging %d counts, and it is %+v", n, j)
		}
	}
}

func TestWaiting(t *testing.T) {
	t.Parallel()
	f := folded(t, stream(t, 1))
	if d := cmp.Diff([]Member{{"beta", 1}, {"delta", 1}, {"theta", 1}}, f.Waiting()); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if got, want := f.String(), "record 40: 6 submissions, 1 problems, 3 batches"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestSubjects(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ subject, want, id string }{
		{SubmissionSubject("a"), "submission.a", "a"},
		{ProblemSubject("sum", "v1"), "problem.sum.v1", ""},
		{BatchSubject("b"), "batch.b", ""},
	} {
		if id, ok := SubmissionOf(tt.subject); tt.subject != tt.want || ok != (tt.id != "") || ok && id != tt.id {
			t.Errorf("%s is of submission %q, %v", tt.subject, id, ok)
		}
	}
}
