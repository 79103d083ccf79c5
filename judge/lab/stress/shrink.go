package stress

import (
	"context"
	"crypto/sha256"
	"sync"
	"time"
)

// Shrinking is the result of shrinking an input.
type Shrinking struct {
	Fault   `json:"-"`    // fault on the smallest input
	Steps   int           `json:"steps"`   // number of successive smaller inputs with the fault
	Tries   int           `json:"tries"`   // number of candidates that were run
	Minimal bool          `json:"minimal"` // no candidate shows the fault; false if time ran out
	Elapsed time.Duration `json:"elapsed_ns"`
}

// Step reports a smaller input.
type Step struct {
	Tries int `json:"tries"` // number of candidates run so far
	Bytes int `json:"bytes"` // size of the smaller input
}

func (*Step) Kind() string { return "step" }

// reduction returns candidates for a smaller input, or none if bound ends first.
type reduction func(ctx, bound context.Context, input []byte) (candidates, error)

// Shrink looks for smaller valid inputs on which the programs have the same verdicts. An input is
// smaller if it has fewer bytes, or as many and comes earlier in byte order. The problem's
// validator offers the first candidates; then Shrink removes lines and words and lowers numbers. It
// repeats these reductions until none finds a smaller input or bound ends. With an error, Shrink
// also returns the result so far, if any.
func (s *Search) Shrink(ctx, bound context.Context, f *Finding) (*Shrinking, error) {
	begun := time.Now()
	c, err := s.judging(ctx)
	if err != nil {
		return nil, err
	}
	k := &shrinker{pipeline: c, bound: bound, best: f.Fault, known: map[[sha256.Size]byte]bool{}}
	c.holds = func(t *trial) bool { return t.judged && s.same(&f.Fault, &t.Fault) }
	c.onTrial = func(_ int, t *trial) { k.record(t) }
	reductions := []reduction{s.offered, generic(withoutLines), generic(withoutWords), generic(smallerNumbers)}
	for at, idle := 0, 0; err == nil && idle < len(reductions) && bound.Err() == nil; at = (at + 1) % len(reductions) {
		steps := k.steps
		err = k.repeat(ctx, reductions[at])
		if idle++; k.steps > steps {
			idle = 1 // this reduction has found all it can; the others may find more now
		}
	}
	return &Shrinking{Fault: k.best, Steps: k.steps, Tries: k.tries, Minimal: err == nil && bound.Err() == nil, Elapsed: time.Since(begun)}, err
}

// generic returns a reduction that needs only the text of the input.
func generic(reduce func([]byte) candidates) reduction {
	return func(_, _ context.Context, input []byte) (candidates, error) { return reduce(input), nil }
}

// shrinker is the state of a Shrink.
type shrinker struct {
	*pipeline
	bound context.Context
	best  Fault
	steps int

	mu    sync.Mutex
	tries int
	known map[[sha256.Size]byte]bool // hashes of the inputs that were tried
}

// repeat applies one reduction until it finds no smaller input.
func (k *shrinker) repeat(ctx context.Context, reduce reduction) error {
	at := 0
	for k.bound.Err() == nil {
		m, err := reduce(ctx, k.bound, k.best.Input)
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
		at = (at + i) % m.size // continue with the candidates that came after this one
		if !certain {
			at++
			continue
		}
		k.best = t.Fault
		k.steps++
		k.Emit.Send(&Step{k.tried(), len(k.best.Input)})
	}
	return nil
}

// candidate returns a trial of an input, or nil if the input is not smaller than the smallest so
// far or was tried before.
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

// record marks the input of a completed trial as tried.
func (k *shrinker) record(t *trial) {
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
