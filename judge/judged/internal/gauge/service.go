package gauge

import (
	"context"
	"errors"
	"time"

	"golang.org/x/sync/errgroup"

	"tribunal/judge/internal/system"
	"tribunal/judge/judged/internal/ledger"
	"tribunal/judge/judged/internal/scale"
	"tribunal/judge/judged/internal/service"
	"tribunal/judge/judged/internal/worker"
)

// service measures the CPU time of a submission, including that of the servers and of a worker that judges nothing.
func (g *gauge) service(ctx context.Context, c *scale.Costs) error {
	var submit, all [2]time.Duration
	for i, size := range []int{little, much} {
		n := []int{g.calls.little, g.calls.much}[i]
		used, err := g.fastest(func() (time.Duration, error) { return g.judge(ctx, n, size, 0) })
		if err != nil {
			return err
		}
		submit[i] = used
		if all[i], err = g.fastest(func() (time.Duration, error) { return g.judge(ctx, n, size, size) }); err != nil {
			return err
		}
	}
	c.Submit = linear(submit[0], submit[1])
	c.Judge = linear(max(1, all[0]-submit[0]), max(1, all[1]-submit[1]))
	return nil
}

// judge hands in n submissions with sources of this size, and returns the CPU time of each. If result is not 0,
// they are judged, with results of that size.
func (g *gauge) judge(ctx context.Context, n, source, result int) (time.Duration, error) {
	st, err := g.open(ctx)
	if err != nil {
		return 0, err
	}
	svc, err := service.New(ctx, st, service.Options{Tick: 100 * time.Millisecond})
	if err != nil {
		return 0, err
	}
	ctx, stop := context.WithCancel(ctx)
	ended := make(chan error, 2)
	running := 1
	go func() { ended <- svc.Run(ctx) }()
	if result > 0 {
		running++
		w := worker.New(st, &Player{Name: "gauge", Slots: 8, Result: result}, worker.Options{})
		go func() { ended <- w.Run(ctx, ctx) }()
	}
	used, err := submit(ctx, svc, n, source, result > 0)
	stop()
	for range running {
		if e := <-ended; !errors.Is(e, context.Canceled) {
			err = errors.Join(err, e)
		}
	}
	return used / time.Duration(n), err
}

// submit hands in n submissions and, if they are to be judged, waits for that. It returns the CPU time that this
// process has used meanwhile.
func submit(ctx context.Context, svc *service.Service, n, source int, judged bool) (time.Duration, error) {
	done := svc.WatchAll(func(sub *ledger.Submission) bool { return sub.Counts().Status == ledger.Done })
	defer done.Close()
	code := make([]byte, source)
	begin := system.ProcessTime()
	var g errgroup.Group
	if judged {
		g.Go(func() error { return await(ctx, done, n) })
	}
	_, err := together(callers, n, func(int) error {
		_, _, err := svc.Submit(ctx, service.Request{Code: code, Submitted: ledger.Submitted{Submitter: "ann", Name: "solution.cpp", Priority: ledger.Batch}})
		return err
	})
	err = errors.Join(err, g.Wait(), svc.CatchUp(ctx))
	return system.ProcessTime() - begin, err
}

func await(ctx context.Context, w *service.Watch, n int) error {
	for range n {
		select {
		case _, ok := <-w.C:
			if !ok {
				return errors.New("the watch is too slow")
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}
