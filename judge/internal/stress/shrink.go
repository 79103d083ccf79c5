package stress

import (
	"context"
	"crypto/sha256"
	"sync"
	"time"
)

// Shrinking is what shrinking an input came to.
type Shrinking struct {
	Fault   `json:"-"`    // of the smallest input
	Steps   int           `json:"steps"`   // smaller inputs that took the place of the one before
	Tries   int           `json:"tries"`   // candidates whose runs were begun
	Minimal bool          `json:"minimal"` // all candidates were tried; else it was cut short
	Elapsed time.Duration `json:"elapsed_ns"`
}

// Step tells of a smaller input.
type Step struct {
	Tries int `json:"tries"` // candidates so far
	Bytes int `json:"bytes"` // of the smallest
}

// Kind is "step".
func (*Step) Kind() string { return "step" }

// A way makes candidates for a smaller input, as long as bound has not ended.
type way func(ctx, bound context.Context, input []byte) (menu, error)

// Shrink looks for a smaller input with the same fault: valid, and with the same verdicts.
// Smaller is what has fewer bytes or, with as many, comes earlier in their order. First
// come the offers of the problem's validator, then what needs no knowledge of the format;
// each way goes on from where it succeeded, until a whole round of all ways brings
// nothing, or bound ends. With an error comes what there was until then, if anything.
func (s *Search) Shrink(ctx, bound context.Context, f *Finding) (*Shrinking, error) {
	begun := time.Now()
	c, err := s.judged(ctx)
	if err != nil {
		return nil, err
	}
	k := &shrinker{course: c, bound: bound, best: f.Fault, known: map[[sha256.Size]byte]bool{}}
	c.holds = func(t *trial) bool { return t.judged && s.same(&f.Fault, &t.Fault) }
	c.told = func(_ int, t *trial) { k.told(t) }
	ways := []way{s.offered, generic(withoutLines), generic(withoutWords), generic(smallerNumbers)}
	for at, idle := 0, 0; err == nil && idle < len(ways) && bound.Err() == nil; at = (at + 1) % len(ways) {
		steps := k.steps
		err = k.follow(ctx, ways[at])
		if idle++; k.steps > steps {
			idle = 1 // follow ends when the way brings nothing more
		}
	}
	return &Shrinking{Fault: k.best, Steps: k.steps, Tries: k.tries, Minimal: err == nil && bound.Err() == nil, Elapsed: time.Since(begun)}, err
}

func generic(candidates func([]byte) menu) way {
	return func(_, _ context.Context, input []byte) (menu, error) { return candidates(input), nil }
}

// shrinker is one Shrink in progress.
type shrinker struct {
	*course
	bound context.Context
	best  Fault
	steps int

	mu    sync.Mutex
	tries int
	known map[[sha256.Size]byte]bool // inputs that were tried
}

// follow takes what one way offers until it offers nothing more.
func (k *shrinker) follow(ctx context.Context, w way) error {
	at := 0
	for k.bound.Err() == nil {
		m, err := w(ctx, k.bound, k.best.Input)
		if err != nil || m.size == 0 {
			return err
		}
		at %= m.size
		t, i, err := k.run(ctx, k.bound, m.size, func(i int) *trial { return k.candidate(m.at((at + i) % m.size)) })
		if err != nil || t == nil {
			return err
		}
		certain, err := k.confirm(ctx, &t.Fault)
		if err != nil {
			return err
		}
		at = (at + i) % m.size // what stands there now came after it
		if !certain {
			at++
			continue
		}
		k.best = t.Fault
		k.steps++
		k.Emit.Tell(&Step{k.tried(), len(k.best.Input)})
	}
	return nil
}

// candidate returns the trial of an input, or nil if it is not smaller or was tried
// before.
func (k *shrinker) candidate(input []byte) *trial {
	if !smaller(input, k.best.Input) {
		return nil
	}
	sum := sha256.Sum256(input)
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.known[sum] {
		return nil
	}
	k.tries++
	return &trial{stage: validate, Fault: Fault{Input: input}}
}

// told notes what need not be tried again.
func (k *shrinker) told(t *trial) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if t.ended {
		k.known[sha256.Sum256(t.Input)] = true
	}
}

func (k *shrinker) tried() int {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.tries
}
