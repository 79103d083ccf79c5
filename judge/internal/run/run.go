// Package run executes programs on inputs on the machine's CPU slots, delivering
// in input order.
package run

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/limits"
	"tribunal/judge/internal/sandbox"
)

// DefaultGrace is how far over a limit a run may go before it is stopped.
const DefaultGrace = 300 * time.Millisecond

// stderrTail is how much of a program's standard error is kept.
const stderrTail = 4 << 10

// Host opens the boxes that programs run in; a *sandbox.Host is one.
type Host interface {
	NewBox(spec sandbox.Spec) (sandbox.Box, error)
}

// Pool runs jobs on CPU slots. Only one Each may be in progress at a time.
type Pool struct {
	host  Host
	cpus  []int
	grace time.Duration
	boxes []*shelf // one per worker, kept from one Each to the next
}

// shelf holds the boxes of one worker.
type shelf struct {
	boxes map[string]sandbox.Box
	order []string
}

// shelfSize is how many boxes of different programs a worker keeps open.
const shelfSize = 4

// NewPool returns a pool of slots, each one CPU of those this process may use;
// slots above their number share CPUs. The host stays the caller's.
func NewPool(host Host, slots int, grace time.Duration) *Pool {
	allowed := sandbox.AllowedCPUs()
	p := &Pool{host: host, grace: grace}
	for i := range max(slots, 1) {
		p.cpus = append(p.cpus, allowed[i%len(allowed)])
	}
	return p
}

// Slots returns the number of slots.
func (p *Pool) Slots() int { return len(p.cpus) }

// Width returns how many slots a run that wants so many CPUs gets: all there are,
// if there are fewer.
func (p *Pool) Width(cpus int) int { return min(max(cpus, 1), len(p.cpus)) }

// Close closes all boxes.
func (p *Pool) Close() error {
	var errs []error
	for _, s := range p.boxes {
		for _, b := range s.boxes {
			errs = append(errs, b.Close())
		}
	}
	p.boxes = nil
	return errors.Join(errs...)
}

// Job is one run of a program.
type Job struct {
	Program *build.Program
	Args    []string  // added to the program's own
	Input   []byte    // standard input; must not change while the job runs
	Stdout  io.Writer // gets at most Limits.Output bytes; from one goroutine
	Limits  limits.Limits
	// Context, when not nil, stops this job alone: its outcome is then Cancelled.
	Context context.Context
}

// Outcome is what became of one job.
type Outcome struct {
	sandbox.Result
	Stderr    []byte // the end of what it wrote there
	Truncated bool   // there was more before
	Err       error  // the judge failed; Result means nothing
}

// Each runs n jobs, several at a time, and returns when all are done.
//
// prepare returns the i-th job, or false to leave it out. finish is told the
// outcome at once, on the worker's goroutine, in whatever order work ends; it may
// be called for several i at a time. deliver is called for every i in ascending
// order, never twice at a time, after finish(i) or after prepare(i) declined; ran
// tells which. All jobs must ask for the same number of CPUs.
//
// The error is the context's, or a prepare's. It ends the work early.
func (p *Pool) Each(ctx context.Context, n, cpus int, prepare func(i int) (Job, bool, error), finish func(i int, o Outcome), deliver func(i int, ran bool)) error {
	width := p.Width(cpus)
	workers := min(len(p.cpus)/width, max(n, 1))
	for len(p.boxes) < workers {
		p.boxes = append(p.boxes, &shelf{boxes: map[string]sandbox.Box{}})
	}
	order := sequencer{deliver: deliver, done: make([]state, n)}
	group, ctx := errgroup.WithContext(ctx)
	next := make(chan int)
	group.Go(func() error {
		defer close(next)
		for i := range n {
			select {
			case next <- i:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		return nil
	})
	for w := range workers {
		group.Go(func() error {
			for i := range next {
				job, run, err := prepare(i)
				if err != nil {
					return err
				}
				if run {
					o := p.runJob(ctx, p.boxes[w], p.cpus[w*width:(w+1)*width], job)
					if ctx.Err() != nil {
						return ctx.Err() // stopped from outside: there is no outcome
					}
					finish(i, o)
					if ctx.Err() != nil {
						return ctx.Err() // finish may have given up something as well
					}
				}
				order.end(i, run)
			}
			return nil
		})
	}
	return group.Wait()
}

// runJob runs one job in a box of the worker's. A box that failed is thrown away.
func (p *Pool) runJob(ctx context.Context, s *shelf, cpus []int, job Job) Outcome {
	if job.Context != nil {
		merged, cancel := context.WithCancel(ctx)
		defer cancel()
		stop := context.AfterFunc(job.Context, cancel)
		defer stop()
		ctx = merged
	}
	box, key, err := s.box(p.host, job.Program.Spec())
	if err != nil {
		return Outcome{Err: err}
	}
	cmd := job.Program.Command(box, job.Limits, job.Args...)
	input, err := sandbox.MemFile(job.Input)
	if err != nil {
		return Outcome{Err: err}
	}
	defer input.Close()
	tail := &sandbox.Tail{Size: stderrTail}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = input, job.Stdout, tail
	cmd.CPUs, cmd.Grace = cpus, p.grace
	result, err := box.Run(ctx, cmd)
	if err != nil {
		var start *sandbox.StartError
		if !errors.As(err, &start) {
			s.drop(key)
		}
		return Outcome{Err: err}
	}
	return Outcome{Result: result, Stderr: tail.Bytes(), Truncated: tail.Truncated()}
}

// box returns a box for the spec, opening one when there is none.
func (s *shelf) box(host Host, spec sandbox.Spec) (sandbox.Box, string, error) {
	key := fmt.Sprint(spec)
	if b := s.boxes[key]; b != nil {
		return b, key, nil
	}
	if len(s.order) >= shelfSize {
		s.drop(s.order[0])
	}
	b, err := host.NewBox(spec)
	if err != nil {
		return nil, "", err
	}
	s.boxes[key] = b
	s.order = append(s.order, key)
	return b, key, nil
}

func (s *shelf) drop(key string) {
	if b := s.boxes[key]; b != nil {
		b.Close()
		delete(s.boxes, key)
	}
	for i, k := range s.order {
		if k == key {
			s.order = append(s.order[:i], s.order[i+1:]...)
			return
		}
	}
}

type state uint8

const (
	pending state = iota
	skipped
	ran
)

// sequencer turns ends in any order into deliveries in ascending order.
type sequencer struct {
	mu      sync.Mutex
	deliver func(i int, ran bool)
	done    []state
	next    int
}

func (s *sequencer) end(i int, didRun bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.done[i] = skipped
	if didRun {
		s.done[i] = ran
	}
	for s.next < len(s.done) && s.done[s.next] != pending {
		s.deliver(s.next, s.done[s.next] == ran)
		s.next++
	}
}
