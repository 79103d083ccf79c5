package run

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"

	"tribunal/judge/internal/runner"
	"tribunal/judge/internal/sandbox"
)

// Pool runs jobs on CPU slots. It is safe for concurrent use.
type Pool struct {
	runner   runner.Runner
	prefix   string // of claims
	slots    int
	pressure float64 // on the host's CPUs when the pool was made, in per cent
	grace    time.Duration
	// Every run holds as much of the gate as it has slots, and an exclusive one all of it.
	// Who waits for all goes before those who come later and want a part.
	gate *semaphore.Weighted

	mu     sync.Mutex
	claims *claims
	cpus   []int  // of each slot; nil while the pool rests
	busy   []bool // by slot
}

// busyHost is from how much pressure on the CPUs, in per cent, a host counts as busy.
const busyHost = 20

// NewPool returns a pool of slots, each one CPU of those this process may use, and no more of them
// than the runner runs requests at a time; slots above the number of CPUs share them. It claims its CPUs until they are
// released or it is closed: two pools on one machine, of whatever processes, use different ones as long
// as there are enough. The runner becomes the pool's.
func NewPool(r runner.Runner, slots int, grace time.Duration) *Pool {
	if most := r.Facts().Runs; most > 0 {
		slots = min(slots, most)
	}
	p := &Pool{runner: r, prefix: claimPrefix, slots: max(slots, 1), grace: grace, pressure: sandbox.Busy()}
	p.gate = semaphore.NewWeighted(int64(p.slots))
	p.busy = make([]bool, p.slots)
	p.claim()
	return p
}

// claim claims the CPU of each slot if the pool has released them. The caller holds mu, but
// for NewPool.
func (p *Pool) claim() {
	if p.cpus == nil {
		allowed := sandbox.AllowedCPUs()
		p.claims = claim(p.prefix, allowed, min(p.slots, len(allowed)))
		for i := range p.slots {
			p.cpus = append(p.cpus, p.claims.cpus[i%len(p.claims.cpus)])
		}
	}
}

// ReleaseCPUs releases the claims on CPUs, and nothing else, until the next run, which claims
// CPUs anew: a judge that waits for its user must not make others share theirs. It must not
// be called during a run. Calling it twice is harmless.
func (p *Pool) ReleaseCPUs() error {
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

// Facts returns those of the runner.
func (p *Pool) Facts() runner.Facts { return p.runner.Facts() }

// Close closes the runner and releases the CPUs. No run may be in progress.
func (p *Pool) Close() error { return errors.Join(p.runner.Close(), p.ReleaseCPUs()) }

// slots are those that one run has.
type slots struct {
	pool   *Pool
	list   []int
	weight int64
}

// acquire returns so many slots as soon as they are free, all there are if exclusive, in
// which case the run gets only those of the width. The error is the context's.
func (p *Pool) acquire(ctx context.Context, width int, exclusive bool) (*slots, error) {
	s := &slots{pool: p, weight: int64(width)}
	if exclusive {
		s.weight = int64(p.slots)
	}
	if err := p.gate.Acquire(ctx, s.weight); err != nil {
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.claim()
	for i, busy := range p.busy {
		if !busy && len(s.list) < width {
			s.list = append(s.list, i)
			p.busy[i] = true
		}
	}
	return s, nil
}

func (s *slots) release() {
	s.pool.mu.Lock()
	for _, i := range s.list {
		s.pool.busy[i] = false
	}
	s.pool.mu.Unlock()
	s.pool.gate.Release(s.weight)
}

// cpus returns what the run is pinned to.
func (s *slots) cpus() (list []int) {
	for _, i := range s.list {
		list = append(list, s.pool.cpus[i])
	}
	return list
}
