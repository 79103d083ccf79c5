package ledger

import (
	"testing"
	"time"
)

func TestLate(t *testing.T) {
	t.Parallel()
	deadline := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	for _, tt := range []struct {
		why   string
		sub   Submission
		j     Judging
		after time.Duration
		want  bool
	}{
		{"in time", Submission{Deadline: deadline}, Judging{Attempt: 1}, 0, false},
		{"too late", Submission{Deadline: deadline}, Judging{Attempt: 1}, 1, true},
		{"no deadline", Submission{}, Judging{Attempt: 1}, time.Hour, false},
		{"its first attempt failed, and so it had begun", Submission{Deadline: deadline}, Judging{Attempt: 2}, time.Hour, false},
		{"it is judged in parts, and so has begun", Submission{Deadline: deadline}, Judging{Attempt: 1, Parts: []Range{{0, 1}, {1, 2}}}, time.Hour, false},
		{"the jury judges again", Submission{Deadline: deadline}, Judging{Attempt: 1, Batch: "b"}, time.Hour, false},
		{"released by hand", Submission{Deadline: deadline}, Judging{Attempt: 4, Series: 3}, time.Hour, false},
	} {
		if got := tt.sub.Late(&tt.j, deadline.Add(tt.after)); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.why, got, tt.want)
		}
	}
}
