// Package run executes programs on inputs on the machine's CPU slots, delivering
// in input order.
package run

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/semaphore"

	"tribunal/judge/internal/build"
	"tribunal/judge/internal/content"
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
	host     Host
	prefix   string // of claims
	slots    int
	pressure float64 // on the host's CPUs when the pool was made, in per cent
	grace    time.Duration
	boxes    []*shelf // one per worker, kept from one Each to the next

	mu     sync.Mutex
	claims *claims
	cpus   []int // of each slot; nil while the pool rests
}

// shelf holds the boxes of one worker.
type shelf struct {
	boxes map[string]sandbox.Box
	order []string
}

// shelfSize is how many boxes of different programs a worker keeps open.
const shelfSize = 4

// busyHost is from how much pressure on the CPUs, in per cent, a host counts as busy.
const busyHost = 20

// NewPool returns a pool of slots, each one CPU of those this process may use;
// slots above their number share CPUs. It claims its CPUs until it is closed or
// rests: two pools on one machine, of whatever processes, use different ones as long
// as there are enough. The host stays the caller's.
func NewPool(host Host, slots int, grace time.Duration) *Pool {
	p := &Pool{host: host, prefix: claimPrefix, slots: max(slots, 1), grace: grace, pressure: sandbox.Busy()}
	p.claim()
	return p
}

// claim returns the CPU of each slot, claiming them first if the pool rests.
func (p *Pool) claim() []int {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.cpus == nil {
		allowed := sandbox.AllowedCPUs()
		p.claims = claim(p.prefix, allowed, min(p.slots, len(allowed)))
		for i := range p.slots {
			p.cpus = append(p.cpus, p.claims.cpus[i%len(p.claims.cpus)])
		}
	}
	return p.cpus
}

// Rest lets go of the CPUs, and of nothing else, until the next run, which claims
// CPUs anew: a judge that waits for its user must not make others share theirs. It
// must not be called during an Each. Resting twice is harmless.
func (p *Pool) Rest() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.cpus = nil
	p.pressure = 0 // by the next run it is old, or this judge's own doing
	return p.claims.release()
}

// Busy says, one sentence each, what else used the CPUs when the pool last claimed
// them. It is a matter of the moment, unlike what the host cannot do at all.
func (p *Pool) Busy() (notes []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.claims.shared {
		notes = append(notes, "CPUs shared with another judge: times may be longer")
	}
	if p.pressure > busyHost {
		notes = append(notes, fmt.Sprintf("this host is busy, programs waited for a CPU in %.0f %% of the last ten seconds: times may be longer", p.pressure))
	}
	return notes
}

// Grace returns how far over a limit a run may go before it is stopped.
func (p *Pool) Grace() time.Duration { return p.grace }

// Slots returns the number of slots.
func (p *Pool) Slots() int { return p.slots }

// Width returns how many slots a run that wants so many CPUs gets: all there are,
// if there are fewer.
func (p *Pool) Width(cpus int) int { return min(max(cpus, 1), p.slots) }

// Close closes all boxes and lets go of the CPUs.
func (p *Pool) Close() error {
	var errs []error
	for _, s := range p.boxes {
		for _, b := range s.boxes {
			errs = append(errs, b.Close())
		}
	}
	p.boxes = nil
	errs = append(errs, p.Rest())
	return errors.Join(errs...)
}

// Job is one run of a program.
type Job struct {
	Program *build.Program
	Args    []string // added to the program's own
	Env     []string // KEY=value, added to the program's own or in place of those of the same name
	// Files are those that the program finds where it starts, by slash path, beside its own
	// or in place of them. They must not change while the job runs.
	Files map[string][]byte
	// Input is the standard input and must not change while the job runs. It may be
	// a file that is mapped into memory: a large one is not copied.
	Input  content.Content
	Stdout io.Writer // gets at most Limits.Output bytes; from one goroutine
	Limits limits.Limits
	// Partner, when not nil, runs beside the program, the two talking to each other:
	// Input and Stdout are not used then, nor is the memo.
	Partner *Partner
	// Context, when not nil, stops this job alone: its outcome is then Cancelled.
	Context context.Context
	// Memo, when not nil, is asked first what the job comes to: if it knows, nothing is
	// run, and Stdout gets the output as it was. It remembers what runs come to.
	Memo *Memo
}

// command returns what the job executes in a box.
func (j Job) command(box sandbox.Box) sandbox.Command {
	cmd := command(box, j.Program, j.Limits, j.Args, j.Env)
	switch {
	case cmd.Files == nil:
		cmd.Files = j.Files
	case j.Files != nil:
		cmd.Files = build.Overlay(cmd.Files, j.Files)
	}
	return cmd
}

func command(box sandbox.Box, p *build.Program, l limits.Limits, args, env []string) sandbox.Command {
	cmd := p.Command(box, l, args...)
	cmd.Env = overlay(cmd.Env, env)
	return cmd
}

// Outcome is what became of one job.
type Outcome struct {
	sandbox.Result
	Stderr    []byte // the end of what it wrote there
	Truncated bool   // there was more before
	Cached    bool   // taken from the memo: it was run earlier
	Duet      *Duet  // of a job with a partner
	Err       error  // the judge failed; Result means nothing, and there is no Duet
}

// Next is what is to become of a job whose run has ended.
type Next uint8

const (
	Done  Next = iota // it is done
	Again             // run it once more, beside others
	Alone             // run it once more in a new box, with no other run of this pool meanwhile
)

// Each runs n jobs, several at a time, and returns when all are done.
//
// prepare returns the i-th job, or false to leave it out. finish is told the
// outcome at once, on the worker's goroutine, in whatever order work ends; it may
// be called for several i at a time. If it asks for another run, prepare(i) is
// called again and may still decline; what it returned before is not used any more.
// finish of a run that is alone is called before any other run begins. A job whose
// outcome its memo knows goes the same way, without a box and without claiming CPUs; one
// that has a memo and has to be run waits until finish has heard all that the memos know of
// those before it, and is not run at all if its Context has ended by then.
// deliver is called for every i in ascending order, never twice at a time, after the last
// finish(i) or after prepare(i) declined; ran tells whether there was a run. All
// jobs must ask for the same number of CPUs.
//
// The error is the context's, or a prepare's. It ends the work early.
func (p *Pool) Each(ctx context.Context, n, cpus int, prepare func(i int) (Job, bool, error), finish func(i int, o Outcome) Next, deliver func(i int, ran bool)) error {
	width := p.Width(cpus)
	workers := min(p.slots/width, max(n, 1))
	for len(p.boxes) < workers {
		p.boxes = append(p.boxes, &shelf{boxes: map[string]sandbox.Box{}})
	}
	order := sequencer{deliver: deliver, done: make([]state, n)}
	group, ctx := errgroup.WithContext(ctx)
	// Every run holds a part of the gate, and one that is to be alone all of it. Who
	// waits for all goes before those who come later and want a part.
	gate := semaphore.NewWeighted(int64(workers))
	var memos sync.Map // those of the jobs
	defer memos.Range(func(m, _ any) bool { m.(*Memo).flush(); return true })
	asked := newTurns(n)
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
		// others is whether an earlier run of the job was certain, and finish was not content
		// with it: what it wants to know is none of the memo's.
		others := false
		once := func(i int, how Next, first bool) (what Next, ran bool, err error) {
			job, run, err := prepare(i)
			if err != nil || !run {
				return Done, false, err
			}
			var memo *note
			if job.Memo != nil && job.Partner == nil {
				memos.Store(job.Memo, nil)
				memo = job.Memo.note(&job, p.grace)
			}
			if first {
				others = false
				o, known := memo.take()
				if known {
					return finish(i, o), true, ctx.Err()
				}
				asked.pass(i)
				if memo != nil {
					asked.await(i)
				}
			}
			weight := int64(1)
			if how == Alone {
				weight = int64(workers)
			}
			if err := gate.Acquire(ctx, weight); err != nil {
				return Done, false, err
			}
			defer gate.Release(weight)
			o := Outcome{Result: sandbox.Result{Stop: sandbox.Cancelled}}
			if job.Context == nil || job.Context.Err() == nil {
				if how == Alone {
					// The same input again: nothing that the program learned, such as from the
					// numbers that its container gives processes and files, may be of use.
					p.boxes[w].drop(boxKey(job.Program.Spec()))
				}
				o = p.runJob(ctx, p.boxes[w], p.claim()[w*width:(w+1)*width], job)
				if ctx.Err() != nil {
					return Done, false, ctx.Err() // stopped from outside: there is no outcome
				}
			}
			what = finish(i, o)
			if others = others || what != Done && certain(o, job.Limits, p.grace); others {
				return what, true, ctx.Err()
			}
			if once := memo.keep(o, job.Limits, p.grace); once && what == Done && job.Memo.Confirm {
				job.Stdout, job.Context = nil, nil
				memo = job.Memo.note(&job, p.grace)
				memo.keep(p.runJob(ctx, p.boxes[w], p.claim()[w*width:(w+1)*width], job), job.Limits, p.grace)
			}
			return what, true, ctx.Err() // finish may have given up something as well
		}
		group.Go(func() error {
			for i := range next {
				what, ran, err := once(i, Again, true)
				asked.pass(i)
				for err == nil && what != Done {
					what, _, err = once(i, what, false)
				}
				if err != nil {
					return err
				}
				order.end(i, ran)
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
	if job.Partner != nil {
		return p.runDuet(ctx, s, cpus, job)
	}
	box, key, err := s.box(p.host, job.Program.Spec())
	if err != nil {
		return Outcome{Err: err}
	}
	cmd := job.command(box)
	in, err := openInput(&cmd, job.Input)
	if err != nil {
		return Outcome{Err: err}
	}
	tail := &sandbox.Tail{Size: stderrTail}
	cmd.Stdout, cmd.Stderr = job.Stdout, tail
	cmd.CPUs, cmd.Grace = cpus, p.grace
	result, err := box.Run(ctx, cmd)
	if err := errors.Join(err, in.close()); err != nil {
		s.failed(key, err)
		return Outcome{Err: err}
	}
	return Outcome{Result: result, Stderr: tail.Bytes(), Truncated: tail.Truncated()}
}

// overlay returns an environment with others laid over it, each name once: of two
// values programs do not agree which one counts.
func overlay(env, over []string) []string {
	set := map[string]bool{}
	for _, kv := range over {
		name, _, _ := strings.Cut(kv, "=")
		set[name] = true
	}
	return append(slices.DeleteFunc(slices.Clone(env), func(kv string) bool {
		name, _, _ := strings.Cut(kv, "=")
		return set[name]
	}), over...)
}

// boxKey is the same for specs that can share a box.
func boxKey(spec sandbox.Spec) string { return fmt.Sprintf("%#v", spec) }

// box returns a box for the spec, opening one when there is none.
func (s *shelf) box(host Host, spec sandbox.Spec) (sandbox.Box, string, error) {
	key := boxKey(spec)
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

// failed throws a box away whose run failed, unless only the program did not start.
func (s *shelf) failed(key string, err error) {
	if start := (*sandbox.StartError)(nil); !errors.As(err, &start) {
		s.drop(key)
	}
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
