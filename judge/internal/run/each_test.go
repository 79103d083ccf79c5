package run

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"tribunal/judge/internal/content"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/sandbox"
	"tribunal/judge/internal/sandbox/sandboxtest"
)

// TestEachKeepsItsOrder runs random loads: in whatever order runs start and end, each result is delivered
// once, in ascending order.
func TestEachKeepsItsOrder(t *testing.T) {
	t.Parallel()
	p := programs(t, 3)
	for seed := range uint64(100) {
		synctest.Test(t, func(t *testing.T) {
			random := rand.New(rand.NewPCG(seed, 0))
			n, slots, cpus := random.IntN(30), 1+random.IntN(5), 1+random.IntN(3)
			takes := make([]time.Duration, n)
			runs := make([]bool, n)
			for i := range n {
				takes[i] = time.Duration(random.IntN(100)) * time.Millisecond
				runs[i] = random.IntN(4) > 0
			}
			var now, most, delivering atomic.Int32
			host := sandboxtest.New(t, func(ctx context.Context, r sandboxtest.Run) (sandbox.Result, error) {
				busy := now.Add(1)
				defer now.Add(-1)
				for old := most.Load(); busy > old && !most.CompareAndSwap(old, busy); old = most.Load() {
				}
				if want := min(cpus, slots); len(r.CPUs) != want {
					t.Errorf("seed %d: a run has %d CPUs, want %d", seed, len(r.CPUs), want)
				}
				i, err := strconv.Atoi(string(r.Input))
				if err != nil {
					return sandbox.Result{}, err
				}
				result := wait(ctx, takes[i])
				r.Print(fmt.Sprint("did ", i))
				return result, nil
			})
			pool := newPool(t, host, slots)
			next := 0
			order := random.Perm(n)
			err := EachIn(t.Context(), pool, n, cpus, func(at int) int { return order[at] }, func(ctx context.Context, w *Worker, i int) (string, error) {
				if !runs[i] {
					return "", nil
				}
				var output bytes.Buffer
				job := Job{Program: p[i%len(p)], Input: content.Of([]byte(strconv.Itoa(i))), Stdout: &output, Limits: limits.Limits{CPUs: cpus}}
				o := w.Run(ctx, job, nil)
				if o.Err != nil || o.Wall != takes[i] {
					t.Errorf("seed %d: job %d: %+v", seed, i, o)
				}
				return output.String(), nil
			}, func(i int, did string) error {
				if delivering.Add(1) != 1 {
					t.Errorf("seed %d: two deliveries at a time", seed)
				}
				defer delivering.Add(-1)
				if want := map[bool]string{true: fmt.Sprint("did ", i)}[runs[i]]; i != next || did != want {
					t.Errorf("seed %d: delivered %d, %q, want %d, %q", seed, i, did, next, want)
				}
				next++
				return nil
			})
			if err != nil || next != n {
				t.Errorf("seed %d: %d of %d delivered, %v", seed, next, n, err)
			}
			if limit := int32(slots / min(cpus, slots)); most.Load() > limit {
				t.Errorf("seed %d: %d runs at a time with %d slots and %d CPUs each", seed, most.Load(), slots, cpus)
			}
		})
	}
}

// TestEachEndsEarly cancels the context, lets work fail and lets a delivery fail: runs in progress
// are stopped and not delivered, and no others start.
func TestEachEndsEarly(t *testing.T) {
	t.Parallel()
	p := programs(t, 1)[0]
	broken, full := errors.New("no case data"), errors.New("no space left")
	for _, tt := range []struct {
		why  string
		want error
	}{
		{"the caller gives up", context.Canceled},
		{"work fails", broken},
		{"a result cannot be delivered", full},
	} {
		synctest.Test(t, func(t *testing.T) {
			var stopped atomic.Int32
			host := sandboxtest.New(t, func(ctx context.Context, r sandboxtest.Run) (sandbox.Result, error) {
				if string(r.Input) == "0" {
					return wait(ctx, time.Second), nil
				}
				result := wait(ctx, time.Hour)
				if result.Stop == sandbox.Cancelled {
					stopped.Add(1)
				}
				return result, nil
			})
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			var begun atomic.Int32
			var delivered []int
			start := time.Now()
			err := Each(ctx, newPool(t, host, 3), 100, 1, func(ctx context.Context, w *Worker, i int) (Outcome, error) {
				begun.Add(1)
				if i == 3 {
					time.Sleep(time.Second) // on the bubble's clock
					switch tt.want {
					case broken:
						return Outcome{}, broken
					case context.Canceled:
						cancel()
					}
				}
				return w.Run(ctx, Job{Program: p, Input: content.Of([]byte(strconv.Itoa(i)))}, nil), nil
			}, func(i int, _ Outcome) error {
				delivered = append(delivered, i)
				if tt.want == full {
					return full
				}
				return nil
			})
			if took := time.Since(start); !errors.Is(err, tt.want) || took > 2*time.Second {
				t.Errorf("%s: %v after %v, want %v at once", tt.why, err, took, tt.want)
			}
			if stopped.Load() < 2 || !slices.Equal(delivered, []int{0}) {
				t.Errorf("%s: %d stopped, delivered %v", tt.why, stopped.Load(), delivered)
			}
			if n := begun.Load(); n > 4 {
				t.Errorf("%s: work on %d began", tt.why, n)
			}
		})
	}
}

// TestDeliverKeepsNobodyWaiting checks that a slow delivery does not hold up runs: the first one
// waits for the last run.
func TestDeliverKeepsNobodyWaiting(t *testing.T) {
	t.Parallel()
	const n = 20
	p := programs(t, 1)[0]
	synctest.Test(t, func(t *testing.T) {
		all := make(chan struct{})
		var once sync.Once
		host := sandboxtest.New(t, func(context.Context, sandboxtest.Run) (sandbox.Result, error) { return sandbox.Result{}, nil })
		delivered := 0
		err := Each(t.Context(), newPool(t, host, 2), n, 1, func(ctx context.Context, w *Worker, i int) (Outcome, error) {
			o := w.Run(ctx, Job{Program: p}, nil)
			if host.Runs() == n {
				once.Do(func() { close(all) })
			}
			return o, nil
		}, func(int, Outcome) error {
			<-all
			delivered++
			return nil
		})
		if err != nil || delivered != n {
			t.Errorf("%d delivered, %v", delivered, err)
		}
	})
}
