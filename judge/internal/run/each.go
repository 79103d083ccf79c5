package run

import (
	"context"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
)

// Each calls work for every i below n, for as many at a time as the pool has slots for runs on
// so many CPUs, and beginning in ascending order, and hands what that returns to deliver: in
// ascending order, one at a time, and without keeping any worker waiting. work runs as many
// jobs as it likes by its worker, or none.
//
// The first error of work or deliver, or that of the context, ends the work early and is
// returned. The context of all work ends then, and what is not delivered never will be.
func Each[T any](ctx context.Context, p *Pool, n, cpus int, work func(ctx context.Context, w *Worker, i int) (T, error), deliver func(i int, v T) error) error {
	group, ctx := errgroup.WithContext(ctx)
	done := results[T]{change: make(chan struct{}, 1), early: map[int]T{}}
	group.Go(func() error { return done.deliver(ctx, n, deliver) })
	var memos sync.Map // those of the jobs
	defer memos.Range(func(m, _ any) bool { m.(*Memo).flush(); return true })
	turns := newTurns(n)
	var next atomic.Int64
	for range min(p.slots/p.Width(cpus), n) {
		group.Go(func() error {
			for i := int(next.Add(1)) - 1; i < n && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				v, err := work(ctx, &Worker{pool: p, place: i, turns: turns, memos: &memos}, i)
				turns.pass(i)
				if err != nil {
					return err
				}
				if ctx.Err() != nil {
					break // stopped from outside: it came to nothing
				}
				done.put(i, v)
			}
			return ctx.Err()
		})
	}
	return group.Wait()
}

// results are those that wait for their turn.
type results[T any] struct {
	mu     sync.Mutex
	early  map[int]T
	change chan struct{} // holds something when there may be another
}

func (r *results[T]) put(i int, v T) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.early[i] = v
	select {
	case r.change <- struct{}{}:
	default:
	}
}

func (r *results[T]) take(i int) (T, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	v, ok := r.early[i]
	delete(r.early, i)
	return v, ok
}

// deliver delivers n results in ascending order.
func (r *results[T]) deliver(ctx context.Context, n int, deliver func(i int, v T) error) error {
	for i := range n {
		v, ok := r.take(i)
		for ; !ok; v, ok = r.take(i) {
			select {
			case <-r.change:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		if err := deliver(i, v); err != nil {
			return err
		}
	}
	return nil
}

// Worker runs the jobs that one call of [Each]'s work has. It belongs to that call.
type Worker struct {
	pool  *Pool
	place int
	turns *turns
	memos *sync.Map
}

// Run is [Pool.Run] with a memo, which may be nil, as it is for a job with an interactor or a folder, and is asked first what the job comes to: if
// it knows, nothing is run and no CPU claimed, and Stdout gets the output as it was. An
// exclusive job is always run. The memo remembers what runs come to.
//
// What a memo knows may make other runs needless. So a job that it does not know waits until
// all work that began before this has asked for its first run, and is not run at all if ctx
// has ended by then.
func (w *Worker) Run(ctx context.Context, job Job, memo *Memo) Outcome {
	if memo == nil || job.Interactor != nil || len(job.Out) > 0 || len(job.In) > 0 {
		w.turns.pass(w.place)
		return w.pool.Run(ctx, job)
	}
	w.memos.Store(memo, nil)
	record := memo.record(&job, w.pool.grace)
	if !job.Exclusive {
		if o, known := record.take(); known {
			return o
		}
		w.turns.pass(w.place)
		w.turns.await(w.place)
	}
	if ctx.Err() != nil {
		return cancelled
	}
	o := w.pool.Run(ctx, job)
	once := record.keep(o, job.Limits, w.pool.grace)
	if once && memo.Confirm && !job.Exclusive && !Starved(job.Limits, w.pool.grace, o.Result) {
		job.Stdout = nil
		record = memo.record(&job, w.pool.grace)
		record.keep(w.pool.Run(ctx, job), job.Limits, w.pool.grace)
	}
	return o
}
