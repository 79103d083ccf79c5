package run

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"

	"tribunal/judge/internal/runner"
	"tribunal/judge/internal/sandbox"
)

// Pool runs jobs on CPU slots. It is safe for concurrent use.
type Pool struct {
	runner   runner.Runner
	prefix   string // see claimPrefix
	slots    int
	pressure float64 // [sandbox.Busy] when the pool was made, in per cent; 0 after ReleaseCPUs
	grace    time.Duration
	// A run acquires one unit for each of its slots, an exclusive run all units. Waiting runs get
	// theirs in order, so that later runs do not overtake an exclusive one.
	gate *semaphore.Weighted

	deaths atomic.Int64

	mu     sync.Mutex
	claims *claims
	cpus   []int  // the CPU of each slot; nil while the CPUs are released
	busy   []bool // whether each slot is in use
}

// busyHost is the pressure on the CPUs, in per cent, above which a host counts as busy.
const busyHost = 20

// NewPool returns a pool with this number of slots, or with fewer if the runner cannot run that
// many requests at a time. Each slot is one of the CPUs that this process may use; if there are
// more slots than CPUs, slots share them. The pool claims its CPUs until ReleaseCPUs or Close, so
// that pools on one machine, even in different processes, use different CPUs as long as there are
// enough. Close closes the runner too.
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

// claim claims the CPU of each slot if the pool has released them. The caller holds mu, except
// NewPool.
func (p *Pool) claim() {
	if p.cpus == nil {
		allowed := sandbox.AllowedCPUs()
		p.claims = claim(p.prefix, allowed, min(p.slots, len(allowed)))
		for i := range p.slots {
			p.cpus = append(p.cpus, p.claims.cpus[i%len(p.claims.cpus)])
		}
	}
}

// ReleaseCPUs releases the claims on CPUs, and nothing else. The next run claims CPUs again. A
// judge that waits for its user should call it, so that other judges need not share CPUs. It must
// not be called during a run, but may be called twice.
func (p *Pool) ReleaseCPUs() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.cpus = nil
	p.pressure = 0 // it would be outdated at the next run
	return p.claims.release()
}

// Busy returns notes, one sentence each, on what else used the CPUs when the pool last claimed
// them. Unlike the notes in Facts, they are true only for that moment.
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

func (p *Pool) Slots() int { return p.slots }

// Width returns the number of slots for a run that asks for this many CPUs: at least one, and no
// more than the pool has.
func (p *Pool) Width(cpus int) int { return min(max(cpus, 1), p.slots) }

// Deaths returns how many runs have had no result because their box died, whether or not it was repeated
// with success.
func (p *Pool) Deaths() int64 { return p.deaths.Load() }

func (p *Pool) Facts() runner.Facts { return p.runner.Facts() }

// Close closes the runner and releases the CPUs. No run may be in progress.
func (p *Pool) Close() error { return errors.Join(p.runner.Close(), p.ReleaseCPUs()) }

type slots struct {
	pool   *Pool
	list   []int
	weight int64 // units acquired from the gate
}

// acquire returns width slots as soon as they are free or, if exclusive, as soon as all slots are
// free; no other run gets the remaining ones then. It fails only if ctx ends.
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

// cpus returns the CPUs to which the run is pinned.
func (s *slots) cpus() (list []int) {
	for _, i := range s.list {
		list = append(list, s.pool.cpus[i])
	}
	return list
}
