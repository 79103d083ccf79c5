package eval

import (
	"context"
	"errors"
	"iter"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/semaphore"

	"tribunal/judge/internal/cache"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/verdict"
	"tribunal/judge/internal/yamlstrict"
)

// Evaluation judges programs. All fields but Known and Progress must be set. Its functions are called
// one at a time.
type Evaluation struct {
	Judge Judge
	Slots int   // programs that can run at a time
	K     []int // the values of k for pass@k

	// Known returns the verdict of a program that was judged earlier, None if it was not. An error ends
	// the evaluation.
	Known func(task, program string, key cache.Key) (verdict.Verdict, error)
	// Emit gets each result as soon as it is known. An error ends the evaluation.
	Emit func(*Result) error
	// Failed gets the result of a program that the judge could not judge.
	Failed func(*Result)
	// Wrong gets an error in a line or a program of the input. If it returns nil, these are skipped;
	// otherwise nothing more is read, and Run returns the error.
	Wrong func(error) error
	// Progress gets the number of programs that are done, and what is known so far.
	Progress func(done int, sum *Summary)
}

// maxOpen is the size in memory of tasks that are judged at a time. A larger one is judged alone.
const maxOpen = 512 * limits.MiB

// Run judges all programs of the tasks, several at a time on as many slots as there are, in their order
// as far as they wait for slots. A program that is the same as an earlier one of its task, in the same
// language, gets its result. Memory holds the tasks and the programs that are being judged, and of each
// task the verdicts of its distinct programs.
//
// Programs that are being judged when the input ends by an error are judged to their end. When ctx ends
// they are stopped, and Run returns the error of ctx.
func (e *Evaluation) Run(ctx context.Context, tasks iter.Seq2[*Task, error]) (*Summary, error) {
	start := time.Now()
	group, inner := errgroup.WithContext(ctx)
	r := &evaluation{
		Evaluation: e, sum: &Summary{Verdicts: map[verdict.Verdict]int{}}, open: semaphore.NewWeighted(int64(maxOpen)),
		queue: make(chan *job, 2*e.Slots), begin: make(chan struct{}),
	}
	r.start = sync.OnceFunc(func() { close(r.begin) })
	defer time.AfterFunc(patience, r.start).Stop()
	var fed error
	group.Go(func() error {
		defer r.end()
		fed = r.feed(inner, tasks)
		return nil // what has been read is judged
	})
	for range 2 * e.Slots { // while some of them prepare or end a run, the others use the slots
		group.Go(func() error { return r.work(inner) })
	}
	err := group.Wait()
	if err == nil {
		err = fed
	}
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	r.sum.finish(e.K)
	r.sum.Elapsed = time.Since(start)
	return r.sum, err
}

// patience is how long the first programs wait for more: if there are only few, each is judged on
// several slots.
const patience = 100 * time.Millisecond

// badInput returns the error about a line or a program of the input in err, if it is one.
func badInput(err error) (*yamlstrict.Error, bool) {
	e, ok := errors.AsType[*yamlstrict.Error](err)
	return e, ok && e.Line > 0
}

// evaluation is one Run.
type evaluation struct {
	*Evaluation
	open  *semaphore.Weighted // memory for tasks
	queue chan *job
	begin chan struct{} // closed when the queue is full, or after some time, or at the end of the input
	start func()        // closes begin

	mu    sync.Mutex // guards the following, and calls of the functions of Evaluation
	sum   *Summary
	done  int
	read  bool // all input has been read
	inUse int  // programs that are being judged
}

// openTask is a task whose programs are being read or judged.
type openTask struct {
	Bench
	index int   // in the summary
	size  int64 // memory that it takes
	users int   // the reader, and programs that are not judged yet
	first map[cache.Key]*distinct
}

// distinct is a program of a task, and those that are the same.
type distinct struct {
	result *Result  // without details; nil until it is judged
	same   []string // ids of programs that wait for the result
}

// job is a program to judge.
type job struct {
	task    *openTask
	program *Program
	of      *distinct
}

// feed reads all tasks and queues their programs.
func (r *evaluation) feed(ctx context.Context, tasks iter.Seq2[*Task, error]) error {
	for t, err := range tasks {
		if err == nil {
			err = r.feedTask(ctx, t)
		}
		if err = r.skip(err); err != nil {
			return err
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return nil
}

// skip returns nil for an error in the input that is skipped.
func (r *evaluation) skip(err error) error {
	if _, bad := badInput(err); !bad {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sum.Skipped++
	return r.Wrong(err)
}

func (r *evaluation) feedTask(ctx context.Context, t *Task) (err error) {
	size := min(t.Size, int64(maxOpen))
	if err := r.open.Acquire(ctx, size); err != nil {
		return err
	}
	o := &openTask{size: size, users: 1, first: map[cache.Key]*distinct{}}
	if o.Bench, err = r.Judge.Open(ctx, t); err != nil {
		r.open.Release(size)
		return err
	}
	defer func() { err = errors.Join(err, r.release(o)) }()
	r.mu.Lock()
	o.index = len(r.sum.Tasks)
	r.sum.Tasks = append(r.sum.Tasks, TaskSummary{Task: t.ID})
	r.mu.Unlock()
	for p, err := range t.Programs {
		if err == nil {
			err = r.feedProgram(ctx, t, o, p)
		}
		if err = r.skip(err); err != nil {
			return err
		}
	}
	return nil
}

// feedProgram queues a program, unless its result is known or will be.
func (r *evaluation) feedProgram(ctx context.Context, t *Task, o *openTask, p *Program) error {
	key := o.Key(p)
	job, err := r.take(t, o, p, key)
	if job == nil || err != nil {
		return err
	}
	select {
	case r.queue <- job:
		return nil
	default:
		r.start()
	}
	select {
	case r.queue <- job:
		return nil
	case <-ctx.Done():
		return errors.Join(ctx.Err(), r.release(o))
	}
}

// take returns a job for a program, or nil if none is needed.
func (r *evaluation) take(t *Task, o *openTask, p *Program, key cache.Key) (*job, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch p.Fence {
	case FenceTaken:
		r.sum.Extracted++
	case FenceLeft:
		r.sum.Fenced++
	}
	if r.Known != nil {
		v, err := r.Known(t.ID, p.ID, key)
		if err != nil {
			return nil, err
		}
		if v != verdict.None {
			r.sum.Known++
			r.count(o, v)
			return nil, nil
		}
	}
	d := o.first[key]
	switch {
	case d == nil:
		d = &distinct{}
		o.first[key] = d
		o.users++
		return &job{o, p, d}, nil
	case d.result == nil:
		d.same = append(d.same, p.ID)
		return nil, nil
	}
	return nil, r.emitSame(o, d, p.ID)
}

// end closes the queue.
func (r *evaluation) end() {
	r.mu.Lock()
	r.read = true
	r.mu.Unlock()
	close(r.queue)
	r.start()
}

// work judges programs until the queue ends.
func (r *evaluation) work(ctx context.Context) error {
	select {
	case <-r.begin:
	case <-ctx.Done():
		return ctx.Err()
	}
	for j := range r.queue {
		result, err := j.task.Judge(ctx, j.program, r.atOnce())
		if err == nil {
			err = ctx.Err()
		}
		if err == nil {
			err = r.judged(j, result)
		}
		if err = errors.Join(err, r.release(j.task)); err != nil {
			return err
		}
	}
	return nil
}

// atOnce returns how many tests of the next program are judged at a time: one, because the runs of
// later tests are wasted if an earlier one fails. Only if fewer programs are left than there are slots,
// they share them.
func (r *evaluation) atOnce() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.inUse++
	if !r.read {
		return 1
	}
	return max(1, r.Slots/(r.inUse+len(r.queue)))
}

// judged passes the result of a job on, also for the programs that are the same.
func (r *evaluation) judged(j *job, result *Result) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.inUse--
	if err := r.emit(j.task, result); err != nil {
		return err
	}
	j.of.result = result.same(result.Program)
	j.of.result.SameAs = ""
	for _, id := range j.of.same {
		if err := r.emitSame(j.task, j.of, id); err != nil {
			return err
		}
	}
	j.of.same = nil
	return nil
}

// emitSame passes on the result of a program that is the same as another. The caller holds mu.
func (r *evaluation) emitSame(o *openTask, d *distinct, program string) error {
	if d.result.Verdict != verdict.JE {
		r.sum.Same++
	}
	return r.emit(o, d.result.same(program))
}

// emit passes on and counts a result. The caller holds mu.
func (r *evaluation) emit(o *openTask, result *Result) error {
	if result.Verdict == verdict.JE {
		r.sum.NotJudged++
		r.Failed(result)
		r.progress()
		return nil
	}
	if err := r.Emit(result); err != nil {
		return err
	}
	r.count(o, result.Verdict)
	return nil
}

func (r *evaluation) count(o *openTask, v verdict.Verdict) {
	r.sum.count(o.index, v)
	r.progress()
}

func (r *evaluation) progress() {
	r.done++
	if r.Progress != nil {
		r.Progress(r.done, r.sum)
	}
}

// release ends one use of a task. After the last it is closed.
func (r *evaluation) release(o *openTask) error {
	r.mu.Lock()
	o.users--
	last := o.users == 0
	r.mu.Unlock()
	if !last {
		return nil
	}
	defer r.open.Release(o.size)
	return o.Close()
}
