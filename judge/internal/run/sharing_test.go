package run

import (
	"context"
	"io"
	"testing"
	"testing/synctest"
	"time"

	"tribunal/judge/internal/runner"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/sandbox/sandboxtest"
)

// slow is a runner whose runs take two seconds and are counted while they last.
type slow struct {
	runner.Runner
	now int
}

func (s *slow) Run(ctx context.Context, _ runner.Request, _ io.Writer) (runner.Reply, error) {
	s.now++
	defer func() { s.now-- }()
	return runner.Reply{Result: wait(ctx, 2*time.Second)}, nil
}

// TestSharing checks that a run of another runner takes a slot: a job waits for it if there is no
// other slot, or if the job is exclusive.
func TestSharing(t *testing.T) {
	t.Parallel()
	p := programs(t, 1)[0]
	for _, tt := range []struct {
		why       string
		slots     int
		exclusive bool
		beside    int // runs of the other runner while the job runs
		took      time.Duration
	}{
		{"a job has another slot", 2, false, 1, time.Second},
		{"there is no other slot", 1, false, 0, 3 * time.Second},
		{"the job must be alone", 2, true, 0, 3 * time.Second},
	} {
		synctest.Test(t, func(t *testing.T) {
			other := &slow{}
			host := sandboxtest.New(t, func(ctx context.Context, r sandboxtest.Run) (sandbox.Result, error) {
				if other.now != tt.beside {
					t.Errorf("%s: %d other runs at the same time, want %d", tt.why, other.now, tt.beside)
				}
				return wait(ctx, time.Second), nil
			})
			pool := newPool(t, host, tt.slots)
			go pool.Sharing(other).Run(t.Context(), runner.Request{}, nil)
			synctest.Wait()
			start := time.Now()
			if o := pool.Run(t.Context(), Job{Program: p, Exclusive: tt.exclusive}); o.Err != nil {
				t.Errorf("%s: %v", tt.why, o.Err)
			}
			if took := time.Since(start); took != tt.took {
				t.Errorf("%s: it took %v, want %v", tt.why, took, tt.took)
			}
			time.Sleep(2 * time.Second) // on the bubble's clock: the other run ends
		})
	}
}

// TestSharingEnds checks that a run which still waits for a slot ends with its context.
func TestSharingEnds(t *testing.T) {
	t.Parallel()
	p := programs(t, 1)[0]
	synctest.Test(t, func(t *testing.T) {
		host := sandboxtest.New(t, func(ctx context.Context, r sandboxtest.Run) (sandbox.Result, error) {
			return wait(ctx, time.Hour), nil
		})
		pool := newPool(t, host, 1)
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan Outcome)
		go func() { done <- pool.Run(ctx, Job{Program: p}) }()
		synctest.Wait()
		soon, stop := context.WithTimeout(t.Context(), time.Second)
		defer stop()
		reply, err := pool.Sharing(&slow{}).Run(soon, runner.Request{}, nil)
		if err != nil || reply.Stop != sandbox.Cancelled {
			t.Errorf("got %v, %v, want a cancelled run", reply.Result, err)
		}
		cancel()
		<-done
	})
}
